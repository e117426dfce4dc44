"""What the pictures show, as the model has it: cases of one window, their timelines and answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import rsp_conformance as rsp
from rsp_conformance.explain.render.timeline import Timeline, timeline_of
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.results import ProfiledCase
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.spec.windows import Instance

Elements: TypeAlias = Sequence[tuple[int, str]]
"""Instants and names; an element is one triple, whose subject has the name."""
NAMES = "http://ex.org/"
COLUMNS = 1_000
"""The kit's timeline leaves nothing out where there is so much room."""


def case(
    elements: Elements, window: str, until: int, *, operator: str = "", **dials: Any
) -> ProfiledCase:
    """A query that asks one window for all its elements, under plain RSP-QL with DIALS turned.

    Args:
        elements: those of the one stream.
        window: the window's size, such as ``RANGE 4 STEP 2``.
        until: the last instant.
        operator: RSTREAM, ISTREAM or DSTREAM; none if empty.
        dials: by name.
    """
    register = f"REGISTER {operator} <out> AS " if operator else ""
    text = (
        f"PREFIX : <{NAMES}> {register}SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [{window}] "
        "WHERE { WINDOW :w { ?x :p :o } }"
    )
    stream = [(t, f":{name} :p :o") for t, name in elements]
    return rsp.case(text, {":s": stream}, rsp.profile("rsp-ql", **dials), until=until, registered=0)


def situation(
    of: ProfiledCase,
    t0: int | None = None,
    received: Sequence[Observed] = (),
    expectation: Expectation | None = None,
) -> Situation:
    """A case from T0, or the one start that its dials permit, and what was RECEIVED."""
    starts = of.starts({} if t0 is None else {":w": t0})
    return Situation(expectation or Expectation(of.case, of.dials), starts, received)


def timeline(of: ProfiledCase, t0: int | None = None) -> Timeline:
    """The timeline of a case from T0, or from the one start that its dials permit."""
    return timeline_of(situation(of, t0), COLUMNS)


def answers(*pairs: tuple[int, str]) -> list[Observed]:
    """Answers as an engine gives them: instants, and the names of elements."""
    return [
        Observed(t, Rows(("x",), tuple((IRI(f"{NAMES}{name}"),) for name in names)))
        for t, names in pairs
    ]


def answers_of(received: Iterable[Observed]) -> list[tuple[int, str]]:
    """The instants and contents of what was RECEIVED."""
    return [(int(answer.t or 0), shown(answer.content)) for answer in received]


def shown(content: Content) -> str:
    """The names of the elements in an answer, for example ``{a, b}``."""
    assert isinstance(content, Rows)
    return f"{{{', '.join(sorted(_name(row[0]) for row in content.rows))}}}"


def _name(term: object) -> str:
    assert isinstance(term, IRI)
    return term.value.removeprefix(NAMES)


def elements_of(drawn: Timeline) -> Iterator[tuple[int, str]]:
    """The elements in a timeline."""
    for what in _marked(drawn, StreamElement):
        yield what.t, _name(what.graph[0].subject)


def windows_of(drawn: Timeline) -> list[Instance]:
    """The windows in a timeline."""
    return [row.instance for row in drawn.rows if row.instance is not None]


def evaluations_of(drawn: Timeline) -> list[tuple[int, str]]:
    """The evaluations in a timeline: their instants, and the answers that are expected."""
    return [(e.t, shown(e.content)) for e in _marked(drawn, Evaluation)]


def instants(timelines: Iterable[Timeline]) -> range:
    """All instants that TIMELINES show."""
    cells = [t for own in timelines for t in own.axis.cells if t is not None]
    return range(min(cells), max(cells) + 1)


def _marked(drawn: Timeline, kind: type[Any]) -> Iterator[Any]:
    for row in drawn.rows:
        for mark in row.marks:
            yield from (what for what in mark.of if isinstance(what, kind))
