"""The two ways in which everything here is drawn.

Each draw is an index into a tuple that lists the simplest first, so shrinking leads there. The
integer strategies are made once: building strategies inside a draw costs more than drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@cache
def index(length: int) -> st.SearchStrategy[int]:
    """Indices into a sequence of LENGTH; 0 is simplest."""
    return st.integers(0, length - 1)


def pick(draw: st.DrawFn, options: Sequence[T]) -> T:
    """One of OPTIONS, which list the simplest first and the frequent repeatedly.

    A single option is taken without a draw.
    """
    return options[draw(index(len(options)))] if len(options) > 1 else options[0]


@cache
def rows(*lengths: int, least: int, most: int) -> st.SearchStrategy[list[tuple[int, ...]]]:
    """LEAST to MOST rows, each an index for every one of LENGTHS; rows are deleted one by one."""
    row: st.SearchStrategy[tuple[int, ...]] = st.tuples(*(index(length) for length in lengths))
    if least < most:
        return st.lists(row, min_size=least, max_size=most)
    # A list of fixed length draws nothing between its rows, so that a smaller LEAST would read the
    # same choices otherwise, and no row could ever be deleted.
    return st.lists(row, min_size=least, max_size=most + 1).map(lambda drawn: drawn[:most])


CHOICES = 24
"""How many choices a row has among triples, however many triples there are.

That number and the length of a row never depend on the query, so shrinking the query leaves the
streams as they are, and the other way round.
"""

_STRAYS = 4


def choose(which: int, matching: Sequence[T], strays: Sequence[T], choices: int = CHOICES) -> T:
    """The triple that WHICH of CHOICES stands for: one of MATCHING, in one of six of STRAYS."""
    if strays and which >= choices - _STRAYS:
        return strays[(which - choices + _STRAYS) % len(strays)]
    return matching[which % len(matching)]
