"""Which definitions a test needs: without them, other answers would be legal.

A definition is left out by changing what it speaks of: the streaming operator, the width of the
windows, the intervals of background data. A test whose legal answers stay the same says nothing
about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from rsp_conformance.model.algebra import Window
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.walk import subpatterns
from tools.curation.candidate import Candidate

RSTREAM, ISTREAM, DSTREAM = StreamOperator

Change = Callable[[Case], Case]


def _with_query(case: Case, **fields: Any) -> Case:
    return replace(case, query=replace(case.query, **fields))


def _operator(was: StreamOperator, becomes: StreamOperator) -> Change:
    return lambda case: _with_query(case, operator=becomes) if case.query.operator is was else case


def _always(case: Case) -> Case:
    entries = (replace(e, since=None, until=None) for e in case.background)
    return replace(case, background=Background(tuple(entries)))


def _never_expiring(case: Case) -> Case:
    return _widths(case, lambda width, slide: (case.until + 1, slide))


def _slide_by_more(case: Case) -> Case:
    return _widths(case, lambda width, slide: (width, slide + 1))


def _widths(case: Case, change: Callable[[int, int], tuple[int, int]]) -> Case:
    windows = []
    for window in case.query.windows:
        if not window.is_by_time:
            windows.append(window)
            continue
        assert isinstance(window.width, int) and isinstance(window.slide, int | None)
        width, slide = change(window.width, window.slide or 1)
        windows.append(replace(window, width=width, slide=slide))
    return _with_query(case, windows=tuple(windows))


def _nameless(case: Case) -> Case:
    return replace(case, elements=tuple(replace(e, name=None) for e in case.elements))


CHANGES: Final[Mapping[str, Change]] = {
    "RSP-QL Definitions 8 and 9, streams": lambda case: replace(case, elements=()),
    "RSP-QL Definition 10, time-varying graphs": _always,
    "RSP-QL Definitions 11 and 12, what a window holds": _never_expiring,
    "RSP-QL Definition 13, sliding windows": _slide_by_more,
    "RSP-QL Definitions 14 and 17, datasets": lambda case: replace(case, background=Background()),
    "RSP-QL Definition 20, Rstream": _operator(RSTREAM, ISTREAM),
    "RSP-QL Definition 21, Istream": _operator(ISTREAM, RSTREAM),
    "RSP-QL Definition 22, Dstream": _operator(DSTREAM, RSTREAM),
    "RSP-QL* Definitions 2, 3 and 6, named elements": _nameless,
}
"""What is left out, as a change of the case under which other answers are legal."""

TURNS: Final[Mapping[str, tuple[str, str, str]]] = {
    "RSP-QL Definition 23, evaluation times": ("report", "", "P(1)"),
    "RSP-QL* Definition 15, the last closed window": ("window", "last-closed", "active"),
}
"""What a dial leaves out: the dial, the value that it has (any, where empty), and another."""

OTHERS: Final = (
    "RSP-QL Definitions 15 and 16, WINDOW",
    "RSP-QL Definition 24, Ans(Q)",
    "RSP-QL Definition 26, several legal answers",
    "Uncertainty Definitions 3 to 7 and 14, distributions",
)
DEFINITIONS: Final = (*CHANGES, *TURNS, *OTHERS)


def definitions_needed(candidate: Candidate) -> Iterator[str]:
    """The definitions that CANDIDATE needs."""
    case, dependence = candidate.entry.case, candidate.dependence
    for name, change in CHANGES.items():
        changed = change(case)
        if changed != case and dependence.tells_case(changed):
            yield name
    for name, (dial, value, other) in TURNS.items():
        own = candidate.entry.dials.text(dial)
        if own != other and value in ("", own) and dependence.tells(dial, other):
            yield name
    window, ans, several, uncertain = OTHERS
    if any(isinstance(part, Window) for part in subpatterns(case.query.pattern)):
        yield window
    if any(not is_empty(e.evaluation.content) for e in dependence.own[0]):
        yield ans
    if len(dependence.own) > 1:
        yield several
    if "uncertainty" in candidate.entry.features:
        yield uncertain
