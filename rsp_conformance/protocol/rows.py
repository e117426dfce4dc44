"""Answers of an engine that hands out single rows (hello, `answers: rows`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rsp_conformance.protocol.messages import Answer


def merge_rows(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """Neighbours of equal `t`, or of equal `cause` where both `t` are null, made one answer.

    The merged answer keeps the first one's `cause`; rows stay in their order, graphs are
    joined. Neighbours with neither `t` nor `cause` stay apart, for nothing says that they
    belong together; so do answers of different forms and those of ASK.
    """
    merged: list[Answer] = []
    for answer in answers:
        if merged and _together(merged[-1], answer):
            merged[-1] = _join(merged[-1], answer)
        else:
            merged.append(answer)
    return tuple(merged)


class RowMerger:
    """Merges rows that come in pieces: the last answer waits, for its neighbour may still come."""

    def __init__(self) -> None:
        self._held: tuple[Answer, ...] = ()

    def take(self, answers: Iterable[Answer]) -> tuple[Answer, ...]:
        """The answers that are whole now, with those of the next piece."""
        merged = merge_rows((*self._held, *answers))
        self._held = merged[-1:]
        return merged[:-1]

    def rest(self, answers: Iterable[Answer] = ()) -> tuple[Answer, ...]:
        """The last answers: nothing comes after these."""
        held, self._held = self._held, ()
        return merge_rows((*held, *answers))


def _together(one: Answer, other: Answer) -> bool:
    if one.t is not None or other.t is not None:
        same = one.t == other.t
    else:
        same = one.cause is not None and one.cause == other.cause
    both_rows = one.solutions is not None and other.solutions is not None
    both_graphs = one.graph is not None and other.graph is not None
    return same and (both_rows or both_graphs)


def _join(one: Answer, other: Answer) -> Answer:
    if one.solutions is not None and other.solutions is not None:
        return replace(one, solutions=one.solutions + other.solutions)
    gap = "" if not one.graph or one.graph.endswith("\n") else "\n"
    return replace(one, graph=f"{one.graph}{gap}{other.graph}")
