"""What is printed in C-SPARQL, CQELS-QL and SPARQLstream reads back as the same query."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

from hypothesis import HealthCheck, assume, given, settings

from rsp_conformance.model.algebra import BGP, Window
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.walk import rewritten, within
from rsp_conformance.model.windows import Duration, Span, WindowDeclaration
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import GENERATED, cases, queries
from rsp_conformance.text.errors import NotExpressible
from rsp_conformance.text.languages import printer_of
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.continuous import bare_name

UNIT = 1000
FEATURES = GENERATED | {"without-keyword-names"}
CQELS_2 = frozenset(
    "select filter optional union bind exists functions aggregates having distinct order "
    "multi-window gap-windows static-data multi-triple-elements typed-literals".split()
) | {"without-keyword-names"}
CQELS_1 = frozenset(
    "select istream filter bind multi-window same-stream-windows static-data "
    "typed-literals without-keyword-names without-plain-queries".split()
)
relaxed = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
MERGED = queries(FEATURES, Dials(windows_in="default"))
NAMED = queries(FEATURES)


def printed(language: str, query: Query, **dialect: Any) -> str:
    try:
        return printer_of(language, dialect)(query, UNIT)
    except NotExpressible:
        assume(False)
        raise


def length(span: Span) -> Duration:
    return Duration(span * UNIT) if isinstance(span, int) else span


def spelled(query: Query, windows: list[WindowDeclaration], **fields: Any) -> Query:
    """QUERY as a language can say it: its WINDOWS by numbers, lengths with a unit, more FIELDS."""
    names = {window.name: IRI(f"w{number}") for number, window in enumerate(windows, 1)}

    def rename(part: Any) -> Any:
        return replace(part, name=names[part.name]) if isinstance(part, Window) else part

    declared = [
        replace(w, name=names[w.name], width=length(w.width), slide=w.slide and length(w.slide))
        for w in windows
    ]
    return replace(rewritten(query, rename), windows=tuple(declared), **fields)


def with_steps(query: Query) -> list[WindowDeclaration]:
    return [replace(window, slide=window.slide or 1) for window in query.windows]


@relaxed
@given(MERGED)
def test_c_sparql(query: Query) -> None:
    text = printed("c-sparql", query)
    expected = spelled(query, with_steps(query), name=IRI(text.split()[2]))
    assert parse_query(text, language="c-sparql") == expected


@relaxed
@given(MERGED)
def test_sparqlstream(query: Query) -> None:
    text = printed("sparqlstream", query)
    expected = spelled(query, with_steps(query), name=None)
    assert parse_query(text, language="sparqlstream") == expected


@relaxed
@given(NAMED)
def test_cqels_ql(query: Query) -> None:
    query = replace(query, operator=StreamOperator.ISTREAM)
    read = parse_query(printed("cqels-ql", query), language="cqels-ql")

    def place(window: WindowDeclaration) -> int:
        said = window.stream, length(window.width), window.slide and length(window.slide)
        return [(w.stream, w.width, w.slide) for w in read.windows].index(said)

    assert read == spelled(query, sorted(query.windows, key=place), name=None)


@relaxed
@given(cases(CQELS_2, max_elements=5))
def test_cqels_ql_2_says_the_same(case: Case) -> None:
    text = printed("cqels-ql-2", case.query)
    read = parse_query(text, language="cqels-ql-2")
    assert printer_of("cqels-ql-2")(read, UNIT) == text
    streams = {bare_name(window.stream): window.stream for window in case.query.windows}
    windows = [replace(w, stream=streams[w.stream.value]) for w in read.windows]
    says_the_same(case, replace(read, windows=tuple(windows)))


@relaxed
@given(cases(CQELS_1, max_elements=5))
def test_cqels_ql_of_triple_patterns_alone_says_the_same(case: Case) -> None:
    text = printed("cqels-ql", case.query, triples_only=True)
    read = parse_query(text, language="cqels-ql")
    windows = [part for part in within(read.pattern) if isinstance(part, Window)]
    assert all(isinstance(window.pattern, BGP) for window in windows)
    says_the_same(case, read)


def says_the_same(case: Case, read: Query) -> None:
    """READ answers CASE as its own query does."""
    dials = replace(Dials(), unit=UNIT)
    expectation = Expectation(case, dials)
    for starts in islice(expectation.queries(), 2):
        observed = tuple(Observed(e.t, e.content) for e in expectation.answer(starts))
        assume(expectation.undetermined is None)  # what is left open is not judged
        try:
            verdict = judge(replace(case, query=read), dials, observed)
        except LeftOpen:  # by a reading that the answers alone do not meet
            assume(False)
        assert verdict.correct
