"""Small cases for tests, written as a person would say them."""

from __future__ import annotations

from rsp_conformance.model.algebra import BGP, Join, Pattern, TriplePattern, Window
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.windows import WindowDeclaration
from tests.builders.terms import iri, word


def element(t: int, s: str, p: str, o: str, stream: str = "s") -> StreamElement:
    subject = iri(s)
    return StreamElement(iri(stream), t, (Triple(subject, iri(p), word(o)),))


def pattern(s: str, p: str, o: str) -> TriplePattern:
    def part(text: str) -> Variable | IRI:
        return Variable(text[1:]) if text.startswith("?") else iri(text)

    return TriplePattern(part(s), part(p), part(o))


def window(
    name: str, width: int, slide: int, stream: str = "s", named: bool = True
) -> WindowDeclaration:
    return WindowDeclaration(iri(name), iri(stream), width, slide, named)


def nearby_query(*windows: WindowDeclaration, **fields: object) -> Query:
    """Who is near where, in every one of the windows."""
    inner: Pattern | None = None
    for index, declared in enumerate(windows):
        part = Window(
            declared.name, BGP((pattern(f"?who{index or ''}", "near", f"?where{index or ''}"),))
        )
        inner = part if inner is None else Join(inner, part)
    return Query(pattern=inner or BGP(), windows=windows, **fields)  # type: ignore[arg-type]


S_NEARBY = (
    element(2, "diana", "near", "a"),
    element(2, "eve", "near", "b"),
    element(5, "carl", "near", "a"),
    element(7, "eve", "near", "a"),
    element(12, "diana", "near", "b"),
)


def nearby_case(width: int, slide: int, until: int = 20, **fields: object) -> Case:
    """S_nearby of RSP-QL under one window."""
    return Case(
        nearby_query(window("w", width, slide)),
        S_NEARBY,
        Background(),
        until=until,
        **fields,  # type: ignore[arg-type]
    )


def dials(**values: object) -> Dials:
    return Dials().with_dials(values)
