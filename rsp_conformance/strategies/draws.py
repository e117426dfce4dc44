"""The ways in which strategies draw: one option, rows of indices, and rows of bytes.

How a case is drawn decides how it shrinks. Hypothesis does not know queries: it makes the sequence
of drawn numbers shorter and the numbers smaller, builds a case from them, and keeps it if it still
fails. The kit has no shrinker of its own, so three rules here make smaller numbers mean a simpler
case.

- **The simplest option is first.** Each draw is an index into a tuple that lists the simplest
  option first, so the number 0 stands for what a person would write.
- **Parts are independent.** Query, elements and background data are drawn in rows whose length does
  not depend on the other parts. So a query that loses an OPTIONAL keeps its elements, and elements
  that are deleted leave the query as it is. If one draw decided how many others follow, a smaller
  number would shift all later ones, and the failure would be lost.
- **Every sequence is a case.** A draw does not reject: an index beyond the options wraps around,
  and beyond the last byte of a `Row` the simplest option is picked. A rejected sequence would be a
  step of the shrinking that is lost.

The result is a local minimum: no single step of Hypothesis makes the case smaller and lets it fail
in the same way. Each step costs a case that is asked and judged, so a run limits the time (see
`rsp_conformance.run`). The integer strategies are made once, because building strategies inside a
draw costs more than drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@cache
def index(length: int) -> st.SearchStrategy[int]:
    """Return a strategy for indices into a sequence of this length; 0 is the simplest."""
    return st.integers(0, length - 1)


def pick(draw: st.DrawFn, options: Sequence[T]) -> T:
    """Draw one of ``options``, which list the simplest first and frequent ones repeatedly.

    A single option is returned without a draw.
    """
    if len(options) > _PREFERRED:
        return options[-draw(_negative(len(options)))]
    return options[draw(index(len(options)))] if len(options) > 1 else options[0]


_PREFERRED = 100
"""From here on Hypothesis prefers numbers that occur in the source of loaded modules (``rows``)."""


_EVEN = 256
"""Hypothesis draws evenly from up to this many numbers; from more, it prefers small ones."""


def rows(draw: st.DrawFn, *lengths: int, least: int, most: int) -> list[tuple[int, ...]]:
    """Draw rows of indices.

    Shrinking deletes rows one by one. If there are at most 256 different rows, a row is drawn as a
    single number, because a draw costs more than all that is made of it. The first index is the
    number's lowest digit, and powers of two shrink best. The number is drawn below zero: Hypothesis
    prefers numbers from 100 on that occur in the source of loaded modules, and a seed must draw the
    same whatever is loaded.

    Args:
        draw: Hypothesis' draw function.
        lengths: for each index of a row, the number of its options.
        least: the least number of rows.
        most: the greatest number of rows.
    """
    if prod(lengths) > _EVEN:
        return draw(_lists(st.tuples(*map(index, lengths)), least, most))[:most]
    drawn: list[tuple[int, ...]] = []
    for negative in draw(_lists(_negative(prod(lengths)), least, most))[:most]:
        rest = -negative
        row = []
        for length in lengths:
            rest, digit = divmod(rest, length)
            row.append(digit)
        drawn.append(tuple(row))
    return drawn


@cache
def _negative(length: int) -> st.SearchStrategy[int]:
    return st.integers(1 - length, 0)


@cache
def _lists(item: st.SearchStrategy[T], least: int, most: int) -> st.SearchStrategy[list[T]]:
    # A list of fixed length draws nothing between its items. A smaller ``least`` would then read
    # the same choices in another way, and no item could ever be deleted.
    return st.lists(item, min_size=least, max_size=most + (least == most))


class Row:
    """Picks that were drawn together, one byte each; after the last byte the simplest is picked.

    In this way many picks cost one draw, even if the number that is used varies. No pick depends on
    how many others there were, so each shrinks by itself.
    """

    __slots__ = ("_bytes",)

    def __init__(self, drawn: bytes) -> None:
        self._bytes = iter(drawn)

    def pick(self, options: Sequence[T]) -> T:
        """Return one of at most 256 options, the simplest first and frequent ones repeatedly."""
        return options[next(self._bytes, 0) % len(options)]


def picks(draw: st.DrawFn, length: int, *, least: int, most: int) -> list[Row]:
    """Draw rows of picks; shrinking deletes rows one by one.

    Args:
        draw: Hypothesis' draw function.
        length: the number of picks in a row.
        least: the least number of rows.
        most: the greatest number of rows.
    """
    return [*map(Row, draw(_lists(_picks(length), least, most))[:most])]


@cache
def _picks(length: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=length, max_size=length)


CHOICES = 32
"""The number of choices of a triple in a row, however many triples there are.

This number and the length of a row never depend on the query. So shrinking the query leaves the
streams as they are, and vice versa.
"""

_STRAYS = 5
"""The number of choices that are strays, if there are any."""


def choose(which: int, matching: Sequence[T], strays: Sequence[T], choices: int = CHOICES) -> T:
    """Return the triple that an index refers to.

    With strays, the last five choices are strays (of 32 choices, about one in six).

    Args:
        which: the index, from 0 up to `choices` - 1.
        matching: the triples that the query asks for.
        strays: the triples that it does not ask for; there may be none.
        choices: the number of choices.
    """
    if strays and which >= choices - _STRAYS:
        return strays[(which - choices + _STRAYS) % len(strays)]
    return matching[which % len(matching)]
