"""Property paths by Spark: a batch of cases as by the specification, and a long stream."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream.long_judge import LongJudge
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.trace import answer
from tests.builders.sparql import query
from tests.builders.terms import iri, triple

WINDOW = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]"
QUERIES = {
    "sequence": f"SELECT ?x ?y {WINDOW} {{ WINDOW :w {{ ?x :p/:p ?y }} }}",
    "repeated": f"SELECT ?x ?y {WINDOW} {{ WINDOW :w {{ ?x :p+ ?y }} }} ORDER BY ?x ?y",
    "alternative": f"SELECT (COUNT(*) AS ?n) {WINDOW} {{ WINDOW :w {{ ?x :p|:q|:p ?y }} }}",
    "any window": f"SELECT ?w ?x {WINDOW} {{ WINDOW ?w {{ ?x ^:p/:q* ?y }} }}",
    "istream": f"REGISTER ISTREAM :o AS SELECT ?y {WINDOW} {{ WINDOW :w {{ :a :p* ?y }} }}",
    "ask": f"ASK {WINDOW} {{ WINDOW :w {{ :a :p+ :d }} }}",
    "construct": f"CONSTRUCT {{ ?x :r ?y }} {WINDOW} {{ WINDOW :w {{ ?x (:p|:q)+ ?y }} }}",
    "negated, exists": f"SELECT ?x {WINDOW} {{ WINDOW :w {{ ?x :p ?y"
    " FILTER NOT EXISTS { ?y !:q ?z } } }",
    "plain": f"SELECT ?x ?y {WINDOW} {{ WINDOW :w {{ ?x :p ?y }} }}",
}


def case(text: str) -> Case:
    edges = [(1, "a p b"), (2, "b p c"), (3, "b q c"), (3, "a p b"), (5, "c p d"), (7, "c q c")]
    elements = tuple(
        StreamElement(iri("s"), t, (triple(*(f":{name}" for name in edge.split())),))
        for t, edge in edges
    )
    return Case(query=query(text), elements=elements, registered=0, until=10)


def observed(asked: Case, dials: Dials) -> tuple[Observed, ...]:
    starts = next(iter(rspql_queries(asked, dials)))
    return tuple(Observed(e.t, e.content) for e in answer(asked, dials, starts))


@pytest.mark.spark
def test_spark_and_specification_agree_on_paths(semantics: SparkSemantics) -> None:
    tasks = []
    for held in ("set", "bag"):
        dials = Dials(window_content=held)
        for name, text in QUERIES.items():
            asked = case(text)
            given = observed(asked, dials)
            tasks.append(Task(f"{name}, {held}", asked, dials, given))
            tasks.append(Task(f"{name}, {held}, cut", asked, dials, given[:-1]))
    for key, by_vector in semantics.answers(tasks[::2]).items():
        (task,) = (task for task in tasks if task.key == key)
        assert isinstance(by_vector, dict), (key, by_vector)
        for starts, evaluations in by_vector.items():
            expected = answer(task.case, task.dials, starts)
            assert [e.t for e in evaluations] == [e.t for e in expected], key
            for one, other in zip(expected, evaluations, strict=True):
                assert difference(one.content, other.content, "term") is None, (key, one.t)
    verdicts = semantics.judge(tasks)
    for task in tasks:
        verdict = verdicts[task.key]
        expected_verdict = judge(task.case, task.dials, task.observed)
        assert isinstance(verdict, Verdict), (task.key, verdict)
        assert verdict.correct == expected_verdict.correct


@pytest.mark.spark
@pytest.mark.parametrize("name", ["sequence", "repeated", "istream", "negated, exists"])
def test_a_long_stream_with_paths_is_judged(spark: SparkHandle, name: str) -> None:
    asked, dials = case(QUERIES[name]), Dials(t0=0)
    right = observed(asked, dials)
    filled = next(n for n, o in enumerate(right) if isinstance(o.content, Rows) and o.content.rows)
    empty = replace(right[filled], content=Rows(("x", "y"), ()))
    for given, correct in [(right, True), ((*right[:filled], empty, *right[filled + 1 :]), False)]:
        long_judge = LongJudge(spark, replace(asked, elements=()), dials)
        long_judge.take(asked.elements[:4], [o for o in given if o.t is not None and o.t <= 4], 4)
        standing = long_judge.finish(
            asked.elements[4:], [o for o in given if o.t is not None and o.t > 4]
        )
        assert standing.verdict.correct is correct, name
