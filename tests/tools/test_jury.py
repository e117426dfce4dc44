"""The jury's main path, without Java: who is asked what, what a difference is, who decides."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

from rsp_conformance.model.algebra import BGP, Join, LeftJoin, TriplePattern
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import FunctionCall, Operation, Variable
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.terms import IRI, XSD, XSD_DOUBLE, BlankNode, Literal, Term
from rsp_conformance.sparql.casts import CASTS
from rsp_conformance.sparql.coverage import AGGREGATES
from rsp_conformance.sparql.functions import OPERATIONS
from rsp_conformance.sparql.open_points import open_points
from rsp_conformance.spec.evaluate import solutions
from tests.builders.sparql import graph
from tests.builders.terms import iri, term
from tools.jury import __main__ as command
from tools.jury import decisions, expressions, run_expressions, run_order
from tools.jury.asking import opinions
from tools.jury.classes import GaveUp, of_terms, partition
from tools.jury.decisions import ASKED, DECISIONS, OPEN, TEXT, Decision, decision_about
from tools.jury.expressions import Question
from tools.jury.groups import Groups, Key
from tools.jury.jurors import Data, Juror, Pyoxigraph, RDFLib, Row, local_jurors
from tools.jury.patterns import GRAPHS, dataset
from tools.jury.patterns import query as random_query
from tools.jury.report import document, kept, read_document, undecided
from tools.jury.shapes import shape
from tools.jury.shrink import shrunk
from tools.jury.terms import kind_of, value_key


def ask(jurors: Sequence[Juror], expressions: int, patterns: int) -> command.Outcome:
    return command.ask(jurors, 1, expressions, patterns, lambda what, number: None)


class Lying:
    """pyoxigraph, but for what DISTORTS does to its rows."""

    def __init__(self, name: str, distorts: Callable[[list[Row]], list[Row]]) -> None:
        self.inner = Pyoxigraph()
        self.name, self.version, self.distorts = name, "0", distorts
        self.load, self.select_each = self.inner.load, self.inner.select_each

    def select(self, text: str, variables: Sequence[str]) -> list[Row]:
        return self.distorts(self.inner.select(text, variables))


def test_a_run_asks_everybody_and_says_where_they_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: expressions.TABLE["functions"][name] for name in ("STR", "MD5", "<=", "CONCAT")}
    table = {**expressions.TABLE, "functions": few, "calls": {}}
    monkeypatch.setattr(expressions, "TABLE", {**table, "aggregates": {"SUM": ["any"]}})
    monkeypatch.setattr(run_expressions, "ROWS", 20)
    outcome = ask(local_jurors(), 1, 60)
    assert outcome.expressions == 20 * (4 + 9 + 1)
    assert set(outcome.versions) == {"rdflib", "pyoxigraph", "python"}
    found = json.loads(json.dumps(document(outcome)))
    about = {group["about"] for group in found["groups"]}
    assert {"STR", "<=", "SUM", "a pattern"} <= about
    assert len(found["groups"]) < outcome.expressions / 3, "most answers are one"
    assert all(set(group["said"]) >= {"specification", "rdflib"} for group in found["groups"])
    assert sum(row["count"] for row in kept(outcome)["groups"]) == found["differences"]


def test_who_answers_alike_differs_in_nothing() -> None:
    honest = Lying("honest", lambda rows: rows)
    outcome = ask([honest], 0, 200)
    assert sum(outcome.groups.counts.values()) < 20


def test_a_pattern_that_two_answer_otherwise_is_undecided_and_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decisions, "DECISIONS", ())
    liars: list[Juror] = [Lying(name, lambda rows: rows[1:]) for name in ("one", "two")]
    waiting = undecided(ask(liars, 0, 20))
    assert waiting
    smallest = min(waiting, key=lambda group: len(group[2].asked))
    assert str(smallest[0].parted) == "specification: rows | one two: rows"
    query, _, data = smallest[2].asked.partition(" over ")
    assert len(query) < 60, query
    assert data.count(" .") <= len(GRAPHS) + 1, data


def test_one_row_that_cannot_be_answered_costs_no_other() -> None:
    juror = RDFLib()
    juror.load(Data())
    nodes = [iri(name) for name in "abc"]
    text = "SELECT ?r (STR(?r) AS ?e) { VALUES ?x { 1 } }"
    assert [row[0] for row in juror.select_each(text, ["r", "e"], nodes)] == nodes


def test_what_is_given_up_is_asked_again_by_halves() -> None:
    class Picky(Pyoxigraph):
        def select(self, text: str, variables: Sequence[str]) -> list[Row]:
            if "/b>" in text:
                raise ValueError("not this one")
            return super().select(text, variables)

    juror = Picky()
    nodes = [iri(name) for name in "abcd"]
    rows = juror.select_each("SELECT ?r { }", ["r"], nodes)
    assert rows == [(iri(name),) for name in "acd"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1", "01", True),
        ("1", '"1"^^xsd:byte', True),
        ("1", '"1.0"^^xsd:decimal', False),
        ('"1.0"^^xsd:decimal', '"1"^^xsd:decimal', True),
        ('"1E0"^^xsd:double', '"1"^^xsd:double', True),
        ('"0"^^xsd:double', '"-0"^^xsd:double', False),
        ('"x"@en', '"x"@EN', True),
        ('"x"@en', '"x"', False),
        ('"2024-02-29T24:00:00"^^xsd:dateTime', '"2024-03-01T00:00:00"^^xsd:dateTime', True),
    ],
)
def test_classes_are_of_values(one: str, other: str, same: bool) -> None:
    left, right = ((int(t) if t.isdigit() and len(t) == 1 else t) for t in (one, other))
    if other == "01":
        right = Literal("01", XSD + "integer")
    assert (value_key(term(left)) == value_key(term(right))) is same


def test_nan_is_one_value_and_a_failure_another_than_an_error() -> None:
    nan: Term = Literal("NaN", XSD_DOUBLE)
    parted = of_terms({"rdflib": GaveUp(), "specification": nan, "jena": nan, "x": None})
    assert str(parted) == "specification jena: value | rdflib: gave up | x: error"
    assert parted.against == 1


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        (":a", "IRI"),
        ("_:b", "blank node"),
        ('"x"@en', "tagged"),
        ('"9223372036854775808"^^xsd:integer', "integer big"),
        ('"1"^^xsd:byte', "derived integer"),
        ('"128"^^xsd:byte', "ill-typed"),
        ('"-0"^^xsd:double', "double -0"),
        ('"NaN"^^xsd:float', "float NaN"),
        ('"1234567890123456.789"^^xsd:decimal', "decimal long"),
        ('"2024-01-01T00:00:00"^^xsd:dateTime', "dateTime without"),
        ('"2024-01-01"^^xsd:date', "another datatype temporal"),
        ('"x"^^:t', "another datatype"),
    ],
)
def test_kinds(written: str, kind: str) -> None:
    assert kind_of(term(written)) == kind


def test_the_table_has_every_function_of_the_specification() -> None:
    quoted = {"TRIPLE", "SUBJECT", "PREDICATE", "OBJECT", "ISTRIPLE"}
    casts = {"xsd:" + name.removeprefix(XSD) for name in CASTS}
    assert set(expressions.TABLE["functions"]) == (OPERATIONS - quoted) | casts
    assert set(expressions.TABLE["aggregates"]) == AGGREGATES


def test_a_seed_draws_the_same_again() -> None:
    assert expressions.questions(Random(3), 4) == expressions.questions(Random(3), 4)
    data = dataset(Random(5))
    assert random_query(Random(4), data) == random_query(Random(4), data)


def test_patterns_are_evaluated() -> None:
    """What is made is SPARQL: it has no variable that is assigned twice, and is not refused."""
    for seed in range(300):
        random = Random(seed)
        data = dataset(random)
        try:
            solutions(random_query(random, data), command.run_patterns.dataset_of(data))
        except Unsupported as error:
            pytest.fail(str(error))


def test_shrinking_keeps_what_holds() -> None:
    x, y = Variable("x"), Variable("y")
    triple = BGP((TriplePattern(x, iri("p"), y),))
    start = Query(LeftJoin(Join(triple, triple), triple, Operation("BOUND", (x,))))
    start = replace(start, projection=(Projection(x), Projection(y)), distinct=True, limit=2)
    small = shrunk(start, lambda q: isinstance(q.pattern, LeftJoin), 100)
    assert shape(small) == "Select: LeftJoin(t, t)"


def test_decisions_cite_what_they_say() -> None:
    for decision in DECISIONS:
        assert decision.verdict in (TEXT, OPEN, ASKED)
        assert decision.section and decision.why
        assert decision.verdict != TEXT or '"' in decision.why, "the section is quoted"
        assert bool(decision.point) is (decision.verdict == OPEN)
    for name in {decision.name for decision in DECISIONS}:
        assert len({d.section for d in DECISIONS if d.name == name}) == 1, "one name, one decision"


def test_what_is_open_is_a_row_of_the_table_of_open_points() -> None:
    assert {d.point for d in DECISIONS if d.verdict == OPEN} <= set(open_points())


def test_whoever_reads_an_open_point_otherwise_is_not_against_the_specification() -> None:
    tagged = FunctionCall(IRI(XSD + "string"), (Variable("a"),))
    question = Question("xsd:string", tagged, ({"a": Literal("x", language="en")},))
    (opinion,) = opinions(question)
    assert (opinion.values, opinion.allowed) == ([None], [[Literal("x")]])
    groups = Groups()
    said: dict[str, list[Term | None]] = {"text": [Literal("x")], "other": [Literal("y")]}
    run_expressions.compare(question, 0, opinion, said, groups)
    (key,) = groups.counts
    assert str(key.parted) == "specification: error | other: value | text: allowed"
    assert key.parted.against == 1


def test_nobody_departs_from_what_fewer_than_two_others_say() -> None:
    row = Decision("x", TEXT, "17.3", '"…"')
    values = {"specification": 1, "one": 1, "two": 2, "three": 2}
    alone = partition(values, lambda a, b: a == b, str)
    assert row.departing(Key("=", (), alone)) == ()
    agreed = partition({**values, "two": 1, "four": 2}, lambda a, b: a == b, str)
    assert row.departing(Key("=", (), agreed)) == ("four", "three")
    assert replace(row, verdict=OPEN).departing(Key("=", (), agreed)) == ()


def test_who_gives_up_is_not_against_the_specification_and_departs_from_nothing() -> None:
    parted = of_terms({"specification": None, "one": None, "two": None, "x": GaveUp()})
    assert parted.against == 0
    assert Decision("x", TEXT, "17.3", '"…"').departing(Key("=", (), parted)) == ()


def test_the_first_row_that_fits_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (
        Decision("pairs", OPEN, "1", "w", about=("Select: *[[]exists]*", "="), kinds=("ill, *",)),
        Decision("rest", TEXT, "2", "w"),
    )
    monkeypatch.setattr(decisions, "DECISIONS", rows)
    parted = partition({"specification": 1, "a": 2, "b": 2}, lambda a, b: a == b, str)
    found = [decision_about(Key("=", kinds, parted)) for kinds in [("ill", "plain"), ("plain",)]]
    assert found == [*rows]
    assert decision_about(Key("Select: x[exists]y", ("ill", "q"), parted)) == rows[0]


def test_what_was_written_is_decided_again() -> None:
    outcome = ask([Lying(name, lambda rows: rows[1:]) for name in ("one", "two")], 0, 5)
    again = read_document(json.loads(json.dumps(document(outcome))))
    assert document(again) == document(outcome)


def test_an_order_that_is_turned_round_is_noticed() -> None:
    groups = Groups()
    backwards = Lying("backwards", lambda rows: rows[::-1])
    run_order.run([backwards, Pyoxigraph()], 1, 100, groups, lambda number: None)
    parted = [str(key.parted) for key in groups.counts]
    assert "specification pyoxigraph: first | backwards: last" in parted


def test_the_results_that_are_kept_leave_nothing_undecided() -> None:
    held = json.loads(command.KEPT.read_text(encoding="utf-8"))
    known = {decision.name for decision in DECISIONS} | {"left open", "listed"}
    assert {group["standing"] for group in held["groups"]} <= known
    assert {"rdflib", "pyoxigraph", "jena", "rdf4j"} <= set(held["versions"])
    assert command.KEPT.stat().st_size < 300_000


def test_a_blank_node_of_the_data_is_named_alike() -> None:
    node = BlankNode("n")
    for juror in local_jurors():
        juror.load(Data(list(graph((":a", ":p", "_:n")).counts)))
        assert juror.select("SELECT ?o { ?s ?p ?o }", ["o"]) == [(node,)]
