"""Triples that no pattern of the query can match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.metamorphic.conditions import closing, settings
from rsp_conformance.metamorphic.drawing import cases, changed, pair, trials
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.algebra import BGP, Graph
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.walk import subpatterns
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick

JUNK = vocabulary.name("unheard-of")
"""A predicate that no generated query mentions."""


class Junk(MetamorphicRelation):
    """More triples, under a predicate that the query does not mention.

    They come inside elements that are there; in the background's default graph; or, where nothing
    but time decides when to answer, as elements of their own, each at the instant of one that is
    there, so that the arrivals stay the same.
    """

    name = "junk"
    title = "triples that no pattern can match"
    statement = "Triples that no pattern of the query can match change no answer."
    source = "SPARQL 1.1, 18.3 (basic graph patterns)"
    labels = ("the case", "the same case with junk")

    def not_applicable(self, subject: EngineUnderTest) -> str | None:
        """There has to be a place to put them."""
        reason = super().not_applicable(subject)
        if reason is None and not places(subject):
            return "there is no place for them: neither background data nor elements may hold more"
        return reason

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """A case, and the same case with junk in it."""
        drawn, where = cases(subject), places(subject)

        def make(draw: st.DrawFn) -> Trial:
            place, often = pick(draw, where), pick(draw, (1, 2, 5, 8, 5))
            case = drawn(draw)
            assume(not could_match(case.query))
            other = littered(case, place, often)
            assume(other != case)
            return pair(case, other, f"with junk in {place}")

        return trials(make)


def places(subject: EngineUnderTest) -> tuple[str, ...]:
    """Where junk may be put for SUBJECT."""
    found = []
    if all(closing(dials) is None for dials in settings(subject)):
        found += ["elements of its own"] * 2
    if "multi-triple-elements" in subject.features:
        found += ["the elements"]
    if "static-data" in subject.features:
        found += ["the background data"]
    return tuple(found)


def could_match(query: Query) -> bool:
    """Whether some pattern of QUERY might match a triple whose predicate it does not mention."""
    for pattern in subpatterns(query.pattern):
        if isinstance(pattern, BGP) and any(
            not isinstance(t.predicate, IRI) for t in pattern.triples
        ):
            return True
        if isinstance(pattern, Graph) and isinstance(pattern.name, Variable):
            inside = [p for p in subpatterns(pattern.pattern) if isinstance(p, BGP)]
            if not all(p.triples for p in inside):
                return True
    return False


def littered(case: Case, place: str, often: int) -> Case:
    """CASE with OFTEN junk triples to each element, or in all, in PLACE."""
    if place == "the background data":
        entry = BackgroundEntry(tuple(_junk(often)))
        return changed(case, background=Background((*case.background, entry)))
    if place == "the elements":
        more = tuple(replace(e, graph=(*e.graph, *_junk(often))) for e in case.elements)
        return changed(case, elements=more)
    elements = []
    for element in case.elements:
        elements.append(element)
        elements += [StreamElement(element.stream, element.t, (t,)) for t in _junk(often)]
    return changed(case, elements=tuple(elements))


def _junk(often: int) -> Iterator[Triple]:
    a = vocabulary.RESOURCES[0]
    for number in range(often):
        yield Triple(a, JUNK, vocabulary.name(f"junk{number + 1}"))
