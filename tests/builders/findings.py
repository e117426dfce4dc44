"""Findings as a person would write them: streams and answers in short notation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rsp_conformance.model.answers import Content, Observed, Rows, Triples, Truth
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import EngineFailure, Finding
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Term
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import EX, iri, sentence, word


def stream(name: str, *elements: tuple[str, int]) -> list[StreamElement]:
    """Elements of one stream; ``;`` parts the triples of one element."""
    return [
        StreamElement(iri(name), t, tuple(sentence(part.strip()) for part in text.split(";")))
        for text, t in elements
    ]


def background(*entries: tuple[str, int | None, int | None]) -> Background:
    return Background(
        tuple(
            BackgroundEntry((sentence(text),), since=since, until=until)
            for text, since, until in entries
        )
    )


def case_of(
    query: str,
    *streams: list[StreamElement],
    until: int,
    registered: int = 0,
    data: Background | None = None,
) -> Case:
    elements = sorted((e for own in streams for e in own), key=lambda e: e.t)
    parsed = parse_query(f"PREFIX : <{EX}>\n{query}")
    return Case(parsed, tuple(elements), data or Background(), registered, until)


def rows(*solutions: str) -> Rows:
    """``rows("who=carl shop=a", …)``; ``n=-`` is unbound."""
    parsed: list[Mapping[str, Term | None]] = [
        {
            name: None if value == "-" else word(value)
            for name, value in (cell.split("=", 1) for cell in solution.split())
        }
        for solution in solutions
    ]
    variables = tuple(dict.fromkeys(name for row in parsed for name in row))
    return Rows(variables, tuple(tuple(row.get(v) for v in variables) for row in parsed))


def given(
    t: int | Fraction | None,
    *solutions: str,
    content: Content | None = None,
    cause: int | str | None = None,
) -> Observed:
    return Observed(t, rows(*solutions) if content is None else content, cause)


def boolean(t: int, value: bool) -> Observed:
    return Observed(t, Truth(value))


def graph(t: int, *triples: str) -> Observed:
    return Observed(t, Triples(frozenset(sentence(text) for text in triples)))


def wrong(
    case: Case,
    dials: Dials,
    *observed: Observed,
    name: str = "window-bounds",
    profile: str = "rsp-ql",
) -> Finding:
    """A finding with the specification's verdict."""
    verdict = judge(case, dials, observed)
    assert not verdict.correct
    return Finding(
        name, "engine", "1.0", Profile(profile, dials), dials, case, "burst", "", observed, verdict
    )


def failed(
    case: Case,
    failure: EngineFailure,
    *observed: Observed,
    again: tuple[Observed, ...] = (),
    name: str = "window-bounds",
) -> Finding:
    dials = Dials()
    return Finding(
        name,
        "engine",
        "1.0",
        Profile("rsp-ql"),
        dials,
        case,
        "burst",
        "",
        observed,
        failure=failure,
        again=again,
    )
