"""What the filter leaves out, and that no pattern needs it; `tests/judges` filters every case."""

from __future__ import annotations

import pytest

from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD_INTEGER, Literal, Triple
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.wire import ArrivedElement, Unpacker
from rsp_conformance.spark.worker import prefilter
from rsp_conformance.spark.worker.demands import demands
from rsp_conformance.spark.worker.prefilter import Prefilter
from rsp_conformance.text.parse import parse_query

EX = "http://ex.org/"
S = IRI(EX + "s")
MERGED = "FROM WINDOW :w ON STREAM :s [RANGE 10 STEP 5]"
NAMED = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 10 STEP 5]"


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also the smallest streams are filtered."""
    monkeypatch.setattr(prefilter, "FEWEST", 0)


def shipped(case: Case, dials: Dials) -> list[ArrivedElement]:
    packed = Shipment().case(Task("x", case, dials), judged=True)
    return list(Prefilter(Unpacker()).arrivals(packed.elements, packed.registration))


def test_a_case_that_is_gone_lends_its_elements_to_no_other() -> None:
    shipment, triple = Shipment(), Triple(S, S, S)
    query = parse_query(f"PREFIX : <{EX}> SELECT * {NAMED} WHERE {{}}")
    for t in range(50):
        # Nothing holds the case, so the next one's elements may stand where its own stood.
        case = Case(query, (StreamElement(S, t, (triple,)),), until=60)
        elements = shipment.case(Task("x", case, Dials()), judged=True).elements
        del case
        assert [moment for _, moment, _, _ in elements] == [t]


def said(text: str, *elements: StreamElement) -> list[str]:
    """What ELEMENTS say to the query TEXT, as their triples."""
    query = parse_query(f"PREFIX : <{EX}>\n{text}")
    arrivals = shipped(Case(query, elements, until=20), Dials())
    return [" ".join(_short(part) for t in one.graph for part in t) for one in arrivals]


def _short(term: object) -> str:
    return str(getattr(term, "lexical", getattr(term, "value", term))).removeprefix(EX)


def element(t: int, *triples: str, name: str | None = None, stream: IRI = S) -> StreamElement:
    def term(text: str) -> IRI | Literal:
        if text.isdigit():
            return Literal(text, XSD_INTEGER)
        return Literal(text[:-3], language=text[-2:]) if "@" in text else IRI(EX + text)

    parts = [text.split() for text in triples]
    graph = tuple(Triple(IRI(EX + s), IRI(EX + p), term(o)) for s, p, o in parts)
    return StreamElement(stream, t, graph, None if name is None else IRI(EX + name))


READINGS = (
    element(1, "o1 kind hot", "o1 val 90", "o1 note x", "z note x"),
    element(2, "o2 kind hot", "o2 val 10"),
    element(3, "o3 kind cold", "o3 val 95"),
    element(4, "o1 by s"),
)


def test_what_takes_part_in_no_solution_is_left_out() -> None:
    pattern = "?o :kind :hot ; :val ?v ; :by ?s FILTER(?v > 50)"
    kept = said(f"SELECT * {MERGED} WHERE {{ {pattern} }}", *READINGS)
    assert kept == ["o1 kind hot o1 val 90", "", "", "o1 by s"]
    kept = said(f"SELECT * {NAMED} WHERE {{ WINDOW :w {{ {pattern} }} }}", *READINGS)
    assert kept == ["o1 kind hot o1 val 90", "", "", "o1 by s"]


def test_a_condition_on_two_variables() -> None:
    pattern = "?a :kind :hot ; :val ?x . ?b :kind :cold ; :val ?y FILTER(?x > ?y - 10)"
    kept = said(f"SELECT * {MERGED} WHERE {{ {pattern} }}", *READINGS)
    assert kept == ["o1 kind hot o1 val 90", "", "o3 kind cold o3 val 95", ""]


def test_a_pattern_without_candidates_needs_nothing() -> None:
    kept = said(f"SELECT * {MERGED} WHERE {{ ?o :val ?v . ?x :missing ?y }}", *READINGS)
    assert kept == ["", "", "", ""]


def test_conditions_reach_the_left_side_of_optional_and_both_of_union() -> None:
    """A match on the right that fails keeps its left side from standing alone."""
    every = ["o1 kind hot o1 val 90", "o2 kind hot o2 val 10", "o3 kind cold o3 val 95", ""]
    optional = "?o :kind ?k OPTIONAL { ?o :val ?v }"
    for condition in ("!BOUND(?v)", "?v > 50"):
        pattern = f"{optional} FILTER({condition})"
        assert said(f"SELECT * {MERGED} WHERE {{ {pattern} }}", *READINGS) == every
    pattern = f"{optional} FILTER(?k = :cold)"
    kept = said(f"SELECT * {MERGED} WHERE {{ {pattern} }}", *READINGS)
    assert kept == ["o1 val 90", "o2 val 10", "o3 kind cold o3 val 95", ""]
    pattern = "{ ?o :kind ?k } UNION { ?o :val ?v } FILTER(COALESCE(?v, 60) > 50)"
    kept = said(f"SELECT * {MERGED} WHERE {{ {pattern} }}", *READINGS)
    assert kept == ["o1 kind hot o1 val 90", "o2 kind hot", "o3 kind cold o3 val 95", ""]


def test_a_stream_keeps_what_any_pattern_needs() -> None:
    windows = f"{NAMED} FROM NAMED WINDOW :v ON STREAM :s [RANGE 5 STEP 5]"
    kept = said(
        f"SELECT * {windows} WHERE {{ WINDOW :w {{ ?o :kind :hot }} GRAPH :v {{ ?o :by ?s }} }}",
        *READINGS,
    )
    assert kept == ["o1 kind hot", "o2 kind hot", "", "o1 by s"]
    kept = said(f"SELECT * {windows} WHERE {{ GRAPH ?g {{ ?o :by ?s }} }}", *READINGS)
    assert kept == ["", "", "", "o1 by s"]


def test_background_and_timestamps_may_be_partners() -> None:
    elements = (element(1, "a val 1", name="g"), element(2, "b val 2", name="h"))
    query = parse_query(
        f"PREFIX : <{EX}> SELECT * {NAMED} "
        "WHERE { WINDOW :w { GRAPH ?g { ?o :val 3 } } ?x :val ?y . ?x :home ?h }"
    )
    background = Background((BackgroundEntry(element(0, "a home here").graph, since=5),))
    arrivals = shipped(Case(query, elements, background, until=9), Dials())
    assert [(one.name, len(one.graph)) for one in arrivals] == [
        (IRI(EX + "g"), 1),
        (IRI(EX + "h"), 0),
    ]
    merged = said(
        f"SELECT * {MERGED} WHERE {{ ?g <http://www.w3.org/ns/prov#generatedAtTime> ?t . "
        "?g :kind ?k }",
        element(1, "g kind hot", "x kind hot"),
        element(2, "a val 1", name="g"),
    )
    assert merged == ["g kind hot", ""]


def test_terms_that_are_equal_may_be_written_differently() -> None:
    """One number stands for "x"@en and "x"@EN, but LANG tells them apart."""
    elements = (element(1, "a val x@en"), element(2, "b val x@EN"))
    kept = said(f'SELECT * {MERGED} WHERE {{ ?o :val ?v FILTER(LANG(?v) = "EN") }}', *elements)
    assert kept == ["a val x", "b val x"]


def test_what_is_not_understood_is_not_filtered() -> None:
    for pattern in (
        "?o :kind/:val ?v",
        "?o :kind ?k FILTER EXISTS { ?o :kind/:val ?v }",
        "?o :kind ?k MINUS { SERVICE :elsewhere { ?o :val ?v } }",
        "{ SELECT ?o { ?o :kind ?k ; :val+ ?v } }",
    ):
        query = parse_query(f"PREFIX : <{EX}> SELECT * {MERGED} WHERE {{ {pattern} }}")
        assert demands(query) is None


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        # The right side of MINUS, EXISTS and subqueries keep what they look for.
        (
            "?o :kind ?k MINUS { ?o :val 90 } FILTER(?k = :hot)",
            ["o1 kind hot o1 val 90", "o2 kind hot", "", ""],
        ),
        (
            "?o :kind :hot FILTER(?o = :o2 || !EXISTS { ?x :by ?o })",
            ["o1 kind hot", "o2 kind hot", "", "o1 by s"],
        ),
        (
            "?o :kind :hot BIND(EXISTS { ?o :val ?v FILTER(?v > 50) } AS ?b)",
            ["o1 kind hot o1 val 90", "o2 kind hot", "o3 val 95", ""],
        ),
        # By one reading a tested blank node may match any node, and FILTER sees the blank node.
        (
            "?o :kind :hot BIND(EXISTS { ?o :val ?v FILTER(ISBLANK(?o)) } AS ?b)",
            ["o1 kind hot o1 val 90", "o2 kind hot o2 val 10", "o3 val 95", ""],
        ),
        (
            "?o :by ?s { SELECT ?o { ?o :val ?v } ORDER BY ?v LIMIT 1 } FILTER(?o = :o1)",
            ["o1 val 90", "o2 val 10", "o3 val 95", "o1 by s"],
        ),
        (
            "?o :by ?s OPTIONAL { ?o :by ?t FILTER NOT EXISTS { ?o :kind :cold } }",
            ["", "", "o3 kind cold", "o1 by s"],
        ),
    ],
)
def test_what_looks_at_data_again(pattern: str, kept: list[str]) -> None:
    assert said(f"SELECT * {MERGED} WHERE {{ {pattern} }}", *READINGS) == kept


def test_exists_behind_the_pattern() -> None:
    text = f"SELECT ?o {MERGED} WHERE {{ ?o :kind :hot }} "
    tail = "GROUP BY ?o HAVING(EXISTS { ?o :val 90 }) ORDER BY (EXISTS { ?o :by ?s })"
    assert said(text + tail, *READINGS) == ["o1 kind hot o1 val 90", "o2 kind hot", "", "o1 by s"]


def test_small_streams_are_sent_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefilter, "FEWEST", 20)
    kept = said(f"SELECT * {MERGED} WHERE {{ ?o :missing ?v }}", *READINGS)
    assert kept[3] == "o1 by s"
