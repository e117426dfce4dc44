"""The three ways in which everything here is drawn.

Each draw is an index into a tuple that lists the simplest first, so shrinking leads there. The
integer strategies are made once: building strategies inside a draw costs more than drawing.
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
    """Indices into a sequence of LENGTH; 0 is simplest."""
    return st.integers(0, length - 1)


def pick(draw: st.DrawFn, options: Sequence[T]) -> T:
    """One of OPTIONS, which list the simplest first and the frequent repeatedly.

    A single option is taken without a draw.
    """
    if len(options) > _PREFERRED:
        return options[-draw(_negative(len(options)))]
    return options[draw(index(len(options)))] if len(options) > 1 else options[0]


_PREFERRED = 100
"""From here on Hypothesis prefers numbers that stand in the source of loaded modules (``rows``)."""


_EVEN = 256
"""Hypothesis draws so many numbers from 0 on evenly; of more it prefers the small ones."""


def rows(draw: st.DrawFn, *lengths: int, least: int, most: int) -> list[tuple[int, ...]]:
    """LEAST to MOST rows, each an index for every one of LENGTHS; rows are deleted one by one.

    A row is a single number where there are few of them: each draw costs more than all that is
    made of it. The first index is its lowest digit, and powers of two shrink best. The number is
    drawn below zero, for Hypothesis prefers numbers from 100 on that stand in the source of loaded
    modules, and what a seed draws shall not depend on what is loaded.
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
    # A list of fixed length draws nothing between its items, so that a smaller LEAST would read the
    # same choices otherwise, and no item could ever be deleted.
    return st.lists(item, min_size=least, max_size=most + (least == most))


class Row:
    """Picks that were drawn together, a byte each; when they are used up the simplest are picked.

    Many picks of which a varying number is used cost one draw this way, and none depends on how
    many others there were, so that each of them shrinks by itself.
    """

    __slots__ = ("_bytes",)

    def __init__(self, drawn: bytes) -> None:
        self._bytes = iter(drawn)

    def pick(self, options: Sequence[T]) -> T:
        """One of at most 256 OPTIONS, which list the simplest first and the frequent repeatedly."""
        return options[next(self._bytes, 0) % len(options)]


def picks(draw: st.DrawFn, length: int, *, least: int, most: int) -> list[Row]:
    """LEAST to MOST rows of LENGTH picks; rows are deleted one by one."""
    return [*map(Row, draw(_lists(_picks(length), least, most))[:most])]


@cache
def _picks(length: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=length, max_size=length)


CHOICES = 32
"""How many choices a row has among triples, however many triples there are.

That number and the length of a row never depend on the query, so shrinking the query leaves the
streams as they are, and the other way round.
"""

_STRAYS = 5


def choose(which: int, matching: Sequence[T], strays: Sequence[T], choices: int = CHOICES) -> T:
    """The triple that WHICH of CHOICES stands for: one of MATCHING, in one of six of STRAYS."""
    if strays and which >= choices - _STRAYS:
        return strays[(which - choices + _STRAYS) % len(strays)]
    return matching[which % len(matching)]
