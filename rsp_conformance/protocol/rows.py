"""Observeds of an engine that hands out single rows (hello, `answers: rows`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rsp_conformance.model.answers import (
    Content,
    Observed,
    Rows,
    Triples,
    Truth,
    rows_from_solutions,
)


def merge_rows(answers: Iterable[Observed]) -> tuple[Observed, ...]:
    """Neighbours of equal `t`, or of equal `cause` where both `t` are null, made one answer.

    The merged answer keeps the first one's `cause`; rows stay in their order, graphs are
    joined. Neighbours with neither `t` nor `cause` stay apart, for nothing says that they
    belong together; so do answers of different forms and those of ASK.
    """
    groups: list[list[Observed]] = []
    for answer in answers:
        if groups and _together(groups[-1][0], answer):
            groups[-1].append(answer)
        else:
            groups.append([answer])
    return tuple(_joined(group) for group in groups)


class RowMerger:
    """Merges rows that come in pieces: the last answer waits, for its neighbour may still come."""

    def __init__(self) -> None:
        self._held: tuple[Observed, ...] = ()

    def take(self, answers: Iterable[Observed]) -> tuple[Observed, ...]:
        """The answers that are whole now, with those of the next piece."""
        merged = merge_rows((*self._held, *answers))
        self._held = merged[-1:]
        return merged[:-1]

    def rest(self, answers: Iterable[Observed] = ()) -> tuple[Observed, ...]:
        """The last answers: nothing comes after these."""
        held, self._held = self._held, ()
        return merge_rows((*held, *answers))


def _together(one: Observed, other: Observed) -> bool:
    if one.t is not None or other.t is not None:
        same = one.t == other.t
    else:
        same = one.cause is not None and one.cause == other.cause
    return same and type(one.content) is type(other.content) is not Truth


def _joined(group: Sequence[Observed]) -> Observed:
    first = group[0]
    if len(group) == 1:
        return first
    contents = [answer.content for answer in group]
    joined: Content
    if isinstance(first.content, Rows):
        rows = (content for content in contents if isinstance(content, Rows))
        joined = rows_from_solutions(tuple(row for some in rows for row in some.solutions()))
    else:
        graphs = (content.graph for content in contents if isinstance(content, Triples))
        joined = Triples(frozenset().union(*graphs))
    return replace(first, content=joined)
