"""IRIs and blank nodes under other names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation
from rsp_conformance.metamorphic.drawing import ANYTHING, HEADS, MIXED, cases, changed, pair, trials
from rsp_conformance.metamorphic.first_difference import first_difference
from rsp_conformance.metamorphic.normalise import Seen
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.algebra import TriplePattern
from rsp_conformance.model.answers import Content, Rows, Triples
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.terms import IRI, BlankNode, GraphName, Term, Triple
from rsp_conformance.model.walk import rewritten, within
from rsp_conformance.strategies.draws import pick

Names: TypeAlias = Mapping[Term, Term]

LONG = "-long" * 12
SUFFIXES = ("1", "2", "zz", "_", "-renamed", "/0", "e9", "é", LONG, LONG, LONG)
"""What is put behind a name; no generated name ends in any of them."""


class Renaming(MetamorphicRelation):
    """Every IRI and every blank node of the data gets another name, in the query too.

    Names of windows, streams and datatypes stay. The queries look at names by equality alone: they
    neither order nor take apart an IRI.
    """

    name = "renaming"
    title = "IRIs and blank nodes under other names"
    statement = (
        "If IRIs and blank nodes get other names, one for one, in the data and in the query, the "
        "answers are the same under those names."
    )
    source = "RDF 1.1, 3.2 and 3.4"
    labels = ("the case", "the renamed case, under the former names,")

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """A case, and the same case under other names."""
        features = ANYTHING - {"functions", "order", "limit"}
        drawn = cases(subject, replace(MIXED, heads=HEADS), features)

        def make(draw: st.DrawFn) -> Trial:
            suffix = pick(draw, SUFFIXES)
            case = drawn(draw)
            assume(names_of(case, suffix))
            return pair(case, renamed(case, suffix), f"names with {suffix!r} behind", suffix=suffix)

        return trials(make)

    def contradiction(
        self, trial: Trial, observations: Sequence[Observation]
    ) -> Contradiction | None:
        """Where the answers differ by more than the names."""
        former = former_names(trial.variants[0].case, str(trial.parameter("suffix")))

        def inverse(answer: Seen) -> Seen:
            return replace(answer, content=content_under(answer.content, former))

        return first_difference(
            observations, ("the case", "the renamed case, under the former names,"), inverse
        )


def former_names(case: Case, suffix: str) -> Names:
    """What the IRIs of the renamed case were called in CASE.

    A former name is none of the renamed case's: it becomes one that no answer has, so that an
    answer under it is not taken for the same answer. Blank nodes are compared up to a bijection,
    whatever an engine calls them.
    """
    found: dict[Term, Term] = {}
    for old, new in names_of(case, suffix).items():
        if isinstance(old, IRI):
            found[old] = IRI(f"{old.value}#not-renamed")
            found[new] = old
    return found


def names_of(case: Case, suffix: str) -> dict[Term, Term]:
    """What becomes of each IRI and blank node of CASE, where SUFFIX is put behind them."""
    kept = {*case.streams, *(w.name for w in case.query.windows), case.stamp.predicate}
    found: dict[Term, Term] = {}
    for term in dict.fromkeys(_mentioned(case)):
        if isinstance(term, IRI) and term not in kept:
            found[term] = IRI(term.value + suffix)
        elif isinstance(term, BlankNode):
            found[term] = BlankNode(
                f"{term.label}{suffix}" if suffix.isalnum() else f"{term.label}0"
            )
    return found


def _mentioned(case: Case) -> Iterator[Term]:
    for element in case.elements:
        if element.name is not None:
            yield element.name
        for triple in element.graph:
            yield from _within(triple)
    for entry in case.background:
        if entry.graph is not None:
            yield entry.graph
        for triple in entry.triples:
            yield from _within(triple)
    for pattern in within(case.query):
        if isinstance(pattern, TriplePattern):
            for part in (pattern.subject, pattern.predicate, pattern.object):
                if isinstance(part, IRI):
                    yield part


def _within(term: Term) -> Iterator[Term]:
    if isinstance(term, Triple):
        for part in term:
            yield from _within(part)
    else:
        yield term


def renamed(case: Case, suffix: str) -> Case:
    """CASE under the names that ``names_of`` gives."""
    names = names_of(case, suffix)
    change = partial(_change, names)
    elements = tuple(
        replace(e, graph=_graph(e.graph, names), name=_name(e.name, names)) for e in case.elements
    )
    entries = tuple(
        replace(e, triples=_graph(e.triples, names), graph=_name(e.graph, names))
        for e in case.background
    )
    return changed(
        case,
        query=rewritten(case.query, change),
        elements=elements,
        background=Background(entries),
    )


def _change(names: Names, part: Any) -> Any:
    return names.get(part, part) if isinstance(part, (IRI, BlankNode)) else part


def _graph(triples: Iterable[Triple], names: Names) -> tuple[Triple, ...]:
    return tuple(_triple(triple, names) for triple in triples)


def _name(name: GraphName | None, names: Names) -> GraphName | None:
    renamed = None if name is None else names.get(name, name)
    assert renamed is None or isinstance(renamed, (IRI, BlankNode))
    return renamed


def _triple(triple: Triple, names: Names) -> Triple:
    subject, predicate, obj = (term_under(part, names) for part in triple)
    return Triple(subject, predicate, obj)  # type: ignore[arg-type]


def term_under(term: Term, names: Names) -> Term:
    """TERM under other names, within quoted triples too."""
    return _triple(term, names) if isinstance(term, Triple) else names.get(term, term)


def content_under(content: Content, names: Names) -> Content:
    """An answer under other names."""
    match content:
        case Rows():
            rows = tuple(
                tuple(None if cell is None else term_under(cell, names) for cell in row)
                for row in content.rows
            )
            return replace(content, rows=rows)
        case Triples(graph):
            return Triples(frozenset(_triple(triple, names) for triple in graph))
        case _:
            return content
