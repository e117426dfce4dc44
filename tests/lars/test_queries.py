"""Queries as programs: their readings, Table 1, the fragment, MINUS, Proposition 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

import rsp_conformance as rsp
from rsp_conformance.lars.answers import TranslationName, answers, input_stream, translated
from rsp_conformance.lars.modes import Mode, Pull, Push
from rsp_conformance.lars.program import NOW, TimeWindow, TupleWindow
from rsp_conformance.lars.queries import cq, cs, table_1
from rsp_conformance.lars.text import parse_program
from rsp_conformance.lars.translation import DifferenceKind
from rsp_conformance.model.algebra import Pattern, Window
from rsp_conformance.model.answers import Evaluation, Rows
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import Strategy
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.walk import rewritten_pattern
from rsp_conformance.model.windows import Count
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.starts import rspql_queries
from rsp_conformance.spec.trace import answer
from tests.builders.findings import background, sentence
from tests.judges.test_windows import examples, told
from tools.lars.agree import by_lars, by_specification, shown
from tools.lars.fragment import fitted, fitting

pytest.importorskip("clingo", reason="LARS needs the extra `lars`")

TWO = """PREFIX : <http://ex.org/>
SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 2] FROM NAMED WINDOW :v ON STREAM :u [RANGE 3]
WHERE { WINDOW :w { ?x :p ?y } WINDOW :v { ?x :q ?z } }"""


def one_window(where: str) -> str:
    return (
        "PREFIX : <http://ex.org/> SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 2] "
        f"WHERE {{ {where} }}"
    )


def case_of(query: str, *arrivals: tuple[int, str], until: int = 4) -> Case:
    stream = IRI("http://ex.org/s")
    elements = tuple(StreamElement(stream, t, (sentence(text),)) for t, text in arrivals)
    return Case(rsp.query(query), elements, until=until)


def pulled(
    case: Case, translation: TranslationName = "tau2", minus: DifferenceKind = "sparql"
) -> dict[int, list[str]]:
    made = translated(case.query, Pull(1), translation, minus=minus)
    return {
        e.t: [" ".join(map(repr, row)) for row in e.content.rows]
        for e in answers(made, case)
        if isinstance(e.content, Rows) and e.content.rows
    }


@given(fitting())
@settings(max_examples=120, deadline=None)
def test_lars_answers_as_the_specification(drawn: tuple[Case, Mode, TranslationName]) -> None:
    expected = by_specification(*drawn)
    assert expected is None or by_lars(*drawn) == expected, shown(*drawn)


@given(fitting("tau2"))
@settings(max_examples=60, deadline=None)
def test_proposition_2_without_streams_both_translations_are_sparqls(
    drawn: tuple[Case, Mode, TranslationName],
) -> None:
    def inner(pattern: Pattern) -> Pattern:
        return pattern.pattern if isinstance(pattern, Window) else pattern

    case = drawn[0]
    static = tuple(replace(e, t=0, graph=e.graph) for e in case.elements)
    pattern = rewritten_pattern(case.query.pattern, inner)
    query = replace(case.query, pattern=pattern, windows=(), default_graphs=(), named_graphs=())
    triples = {triple for element in static for triple in element.graph}
    default, _ = case.background.at(0)
    entries = tuple(e for e in case.background if e.holds(0))
    if triples:
        entries = (*entries, BackgroundEntry(tuple(triples)))
    alone = Case(query, background=Background(entries), until=0)
    made = [translated(query, Pull(1), name) for name in ("tau1", "tau2")]  # type: ignore[arg-type]
    assert made[0].program == made[1].program
    (found,) = answers(made[0], alone)
    graphs = {n: GraphBag(g) for n, g in alone.background.at(0)[1].items()}
    relation = solutions(query, Dataset(GraphBag(default | triples), graphs))
    assert isinstance(found.content, Rows)
    if not relation.undetermined:
        assert set(found.content.rows) == set(relation.rows)


def test_the_readings_go_from_brave_to_cautious_and_differ_where_static_data_match() -> None:
    query = rsp.query(TWO)
    readings = cq(query)
    assert len(readings) == 4 and len(set(readings)) == 4
    assert readings[-1] == query
    bravest = rsp.query(
        TWO[: TWO.index("WHERE")] + "WHERE { { WINDOW :w { ?x :p ?y } } UNION { ?x :p ?y } "
        "{ WINDOW :v { ?x :q ?z } } UNION { ?x :q ?z } }"
    )
    assert readings[0] == bravest
    assert cs(query) == cs(cs(query))
    many = " ".join("WINDOW :w { ?x :p ?y }" for _ in range(11))
    with pytest.raises(Unsupported, match="all readings of a query with over 10"):
        cq(rsp.query(one_window(many)))
    case = case_of(one_window("WINDOW :w { ?x :p ?y }"), (1, "a p b"))
    static = replace(case, background=background(("c p d", None, None)))
    found = [pulled(replace(static, query=query)) for query in cq(static.query)]
    assert found[0] != found[1]
    assert pulled(replace(case, query=cq(case.query)[0])) == pulled(case)


@pytest.mark.parametrize(
    ("written", "function"),
    [
        ("RANGE 5", TimeWindow(5)),
        ("range 30 slide 5", TimeWindow(30, 5)),
        ("RANGE 30 STEP 5", TimeWindow(30, 5)),
        ("ROWS 3", TupleWindow(3, "in_s")),
        ("TRIPLES 3", TupleWindow(3, "in_s")),
        ("NOW", NOW),
        ("UNBOUNDED", TimeWindow(None)),
        ("RANGE UNBOUNDED", TimeWindow(None)),
    ],
)
def test_table_1(written: str, function: object) -> None:
    assert table_1(written, "in_s") == function


def test_windows_that_the_languages_cannot_write_stand_for_declared_ones() -> None:
    case = case_of(one_window("WINDOW :w { ?x :p ?y }"), (1, "a p b"), (2, "a p c"), (2, "a p d"))
    name = IRI("http://ex.org/w")

    def rows(window: str) -> list[int]:
        functions = {name: table_1(window, "in_s")}
        made = translated(case.query, Pull(1), windows=functions)
        return [len(e.content) for e in answers(made, case)]  # type: ignore[arg-type]

    assert rows("NOW") == [0, 1, 2, 0, 0]
    assert rows("ROWS 1") == [0, 1, 1, 1, 1]
    assert rows("ROWS 2") == [0, 1, 2, 2, 2]
    assert rows("UNBOUNDED") == [0, 1, 3, 3, 3]
    assert rows("RANGE 1 SLIDE 2") == [0, 0, 3, 3, 0]


def random_stream(random: Random) -> list[tuple[int, str]]:
    """Different triples an instant, in the order of their text: so LARS breaks ties."""
    found, t = [], 0
    for _ in range(random.randrange(1, 6)):
        t += random.randrange(1, 4)
        words = random.sample(["a p b", "b p c", "c p a", "d p a"], random.choice([1, 1, 2, 3]))
        found += [(t, text) for text in sorted(words)]
    return found


def sets_of_rows(found: Sequence[Evaluation]) -> list[tuple[int, set[object]]]:
    """The rows of each evaluation after the registration, at which LARS pulls as well."""
    rows = ((e.t, e.content) for e in found if e.t > 0)
    return [(t, set(content.rows)) for t, content in rows if isinstance(content, Rows)]


@pytest.mark.parametrize("size", ["TRIPLES 1", "TRIPLES 2", "TRIPLES 3", "NOW", "RANGE UNBOUNDED"])
def test_windows_without_a_length_are_those_of_the_specification(size: str) -> None:
    """Where something arrives or the period comes: push is CC, and a pull of U is P(U)."""
    query = one_window("WINDOW :w { ?x :p ?y }").replace("RANGE 2", size)
    random = Random(size)
    for _ in range(12):
        stream = random_stream(random)
        case = case_of(query, *stream, until=stream[-1][0] + 3)
        for mode, report in ((Push(), "CC"), (Pull(1), "P(1)"), (Pull(2), "P(2)")):
            dials = Dials().with_dial("report", report)
            (start,) = rspql_queries(case, dials)
            expected = sets_of_rows(answer(case, dials, start))
            found = sets_of_rows(answers(translated(case.query, mode), case))
            assert found == expected, (mode, stream)


def test_of_an_instant_that_is_cut_through_lars_keeps_what_comes_last_as_text() -> None:
    query = one_window("WINDOW :w { ?x :p ?y }").replace("RANGE 2", "TRIPLES 2")
    case = case_of(query, (1, "b p c"), (1, "a p b"), (2, "a p d"), (2, "a p d"))
    assert by_lars(case, Push(), "tau2") != by_specification(case, Push(), "tau2")
    ordered = fitted(case, Push(), "tau2")
    assert [e.graph[0].object for e in ordered.elements] == [
        IRI(f"http://ex.org/{o}") for o in "bcd"
    ]
    assert by_lars(ordered, Push(), "tau2") == by_specification(ordered, Push(), "tau2")


EXAMPLES = {own.name: own for own in examples()}


@pytest.mark.parametrize(
    ("name", "otherwise"),
    [
        ("not full, ties", None),
        ("cut ties", None),
        # Of an instant LARS keeps what comes last as text.
        ("cut ties: another order", "1 a | 2 c d | 5 d e"),
        ("several triples: by triples", None),
        ("several triples: a part", None),
        ("NOW", None),
        ("NOW: periodic", None),
        ("UNBOUNDED: background", None),
    ],
)
def test_lars_has_the_evaluations_of_the_examples(name: str, otherwise: str | None) -> None:
    """Those of the windows that Table 1 has; over elements of one triple, ELEMENTS are TRIPLES."""
    own = EXAMPLES[name]
    (window,) = own.case.query.windows
    if isinstance(window.width, Count):
        assert window.width.unit == "triples" or all(len(e.graph) == 1 for e in own.case.elements)
        window = replace(window, width=Count("triples", window.width.number))
    query, report = replace(own.case.query, windows=(window,)), own.dials.report
    assert isinstance(report, Strategy) and report.kind in ("CC", "P")
    mode = Push() if report.period is None else Pull(report.period)
    found = answers(translated(query, mode), own.case)
    assert told([e for e in found if e.t > 0]) == (otherwise or own.expected)


def test_elements_are_no_tuples_and_have_no_names() -> None:
    query = rsp.query(one_window("WINDOW :w { ?x :p ?y }").replace("RANGE 2", "ELEMENTS 2"))
    with pytest.raises(Unsupported, match="windows by count of elements"):
        translated(query, Push())
    case = case_of(one_window("WINDOW :w { ?x :p ?y }"), (1, "a p b"))
    named = replace(case, elements=(replace(case.elements[0], name=IRI("u:n")),))
    with pytest.raises(Unsupported, match="named elements"):
        input_stream(translated(case.query, Push()), named)


def test_minus_of_rows_that_share_nothing() -> None:
    """Figure 1's removes every row, SPARQL's none; where a variable is shared they agree."""
    apart = case_of(one_window("WINDOW :w { ?x :p ?y MINUS { ?u :q ?v } }"), (1, "a p b"))
    both = replace(apart, elements=(*apart.elements, *case_of(TWO, (1, "c q d")).elements))
    kept = {t: ["<http://ex.org/a> <http://ex.org/b>"] for t in (1, 2, 3)}
    assert pulled(apart, minus="figure-1") == pulled(apart) == kept
    assert pulled(both) == kept
    assert pulled(both, minus="figure-1") == {}
    shared = rsp.query(one_window("WINDOW :w { ?x :p ?y MINUS { ?x :q ?v } }"))
    same = replace(both, query=shared)
    assert pulled(same) == pulled(same, minus="figure-1") == kept


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("ASK { ?x ?p ?y }", "ASK queries"),
        ("SELECT (COUNT(*) AS ?n) { ?x ?p ?y }", "aggregates"),
        ("SELECT * { ?x ?p ?y } ORDER BY ?x", "ORDER BY"),
        ("SELECT * { ?x ?p ?y } LIMIT 1", "LIMIT and OFFSET"),
        ("SELECT * { ?x ?p ?y } VALUES ?x { 1 }", "VALUES"),
        ("SELECT (?x AS ?y) { ?x ?p ?z }", "BIND and expressions in SELECT"),
        ("SELECT * { ?x <u:p>+ ?y }", "property paths"),
        ("SELECT * { << ?x <u:p> ?y >> ?p ?z }", "quoted triples"),
        ("SELECT * { ?x ?p ?y FILTER EXISTS { ?x ?p 1 } }", "EXISTS"),
        ("SELECT * { ?x ?p ?y BIND(1 AS ?z) }", "BIND"),
        ("SELECT * { { SELECT * { ?x ?p ?y } } }", "subqueries"),
        ("BASE <u:b> SELECT * { ?x ?p ?y FILTER(IRI('a') = ?x) }", "IRI.. in a query with BASE"),
        ("SELECT * { WINDOW ?w { ?x ?p ?y } }", "WINDOW .x"),
        (
            one_window("WINDOW :w { ?x ?p ?y }").replace("RANGE 2", "FROM NOW-5 TO NOW-3"),
            "windows in the past .LARS' Table 1 has none.",
        ),
        (one_window("GRAPH :w { ?x ?p ?y }"), "GRAPH with the name of a window"),
        ("REGISTER ISTREAM <u:o> AS SELECT * { ?x ?p ?y }", "ISTREAM"),
        ("REGISTER RSTREAM <u:o> COMPUTED EVERY PT1S AS SELECT * { ?x ?p ?y }", "COMPUTED EVERY"),
    ],
)
def test_what_lies_beyond_the_fragment_is_refused_by_name(query: str, said: str) -> None:
    with pytest.raises(Unsupported, match=said):
        translated(rsp.query(query), Push(), unit=1)


def test_streams_of_one_local_name_are_two_predicates() -> None:
    query = rsp.query(
        "SELECT * FROM NAMED WINDOW <u:w> ON STREAM <u:x/s> [RANGE 2] "
        "FROM NAMED WINDOW <u:v> ON STREAM <u:y/s> [RANGE 3] WHERE { WINDOW <u:w> { ?x ?p ?y } }"
    )
    assert list(translated(query, Push()).inputs.values()) == ["in_s", "in_s_"]


GRAPHS = Background(
    (
        BackgroundEntry((sentence("a p b"), sentence("a q g"), sentence("c r d"))),
        BackgroundEntry((sentence("a p b"), sentence("a q g")), IRI("http://ex.org/g")),
        BackgroundEntry((sentence("c p d"), sentence("c q g")), IRI("http://ex.org/h")),
        BackgroundEntry((), IRI("http://ex.org/empty")),
    )
)


@pytest.mark.parametrize(
    "where",
    [
        "GRAPH ?g { ?x :p ?y OPTIONAL { ?x :q ?g } }",
        "GRAPH ?g { } ",
        "GRAPH :g { } GRAPH :unknown { }",
        "GRAPH ?g { GRAPH ?h { ?x :p ?y } MINUS { ?x :r ?y } }",
        "GRAPH ?g { { ?x :p ?y } UNION { WINDOW :w { ?x :p ?z } } }",
        "GRAPH ?g { ?x :p ?y } OPTIONAL { ?x :q ?g }",
        "{ ?x :p ?y OPTIONAL { ?x :r ?z } } { ?u :q ?v OPTIONAL { ?v :r ?z } }",
        "{ ?x :p ?y OPTIONAL { ?x :q ?z FILTER(?z = :g || ?y = :b) } }",
        "{ ?x :p ?y OPTIONAL { ?u :r ?x } } OPTIONAL { ?u :r ?z FILTER(BOUND(?u)) }",
        "WINDOW :w { GRAPH ?g { ?x :p ?y } }",
        "WINDOW :unknown { ?x :p ?y }",
        "?x :p ?y FILTER(?y IN (:b, 3) && ?x NOT IN (1, :c))",
        "?x :p ?y FILTER(IF(BOUND(?y), STRLEN(STR(?y)) > 3, false) = true)",
    ],
)
def test_patterns_are_read_as_by_the_specification(where: str) -> None:
    case = replace(
        case_of(one_window(where), (1, "a p b"), (2, "c p d"), until=2), background=GRAPHS
    )
    drawn: tuple[Case, Mode, TranslationName] = (case, Pull(1), "tau2")
    expected = by_specification(*drawn)
    assert expected is not None
    assert by_lars(*drawn) == expected, shown(*drawn)


def test_a_window_that_slides_stands_still_between_its_steps() -> None:
    query = one_window("WINDOW :w { ?x :p ?y }").replace("RANGE 2", "RANGE 2 STEP 2")
    found = pulled(case_of(query, (1, "a p b"), (3, "a p b"), until=7))
    assert sorted(found) == [2, 3, 4, 5]
    assert translated(rsp.query(query), Push()).program == parse_program(
        "p1(?x, ?y) ← ⊞^{2,0,2} ◇ in_s(?x, <http://ex.org/p>, ?y), trigger. "
        "answer(?x, ?y) ← p1(?x, ?y), trigger. trigger ← ⊞^NOW in_s(X0, X1, X2)."
    )
