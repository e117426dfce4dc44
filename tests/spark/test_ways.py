"""Spark and the specification go the same ways: paths, large products, and ways that are forced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.compare.contents import difference
from rsp_conformance.evaluation.crossover import COUNTED_PRODUCT
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spark.judge import SparkSemantics
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.tasks import Task
from rsp_conformance.spec.ans import answer
from rsp_conformance.spec.correctness import judge, rspql_queries
from tests.builders.sparql import iri, query, triple

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
PLAIN = "plain"


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
        assert verdict.ways == (("definitions",) if PLAIN in task.key else ("library",))


@pytest.mark.spark
def test_ways_can_be_forced(spark: SparkHandle) -> None:
    dials = Dials(t0=0)
    path, plain = case(QUERIES["repeated"]), case(QUERIES[PLAIN])
    tasks = [Task("path", path, dials), Task("plain", plain, dials, observed(plain, dials))]
    by_library = SparkSemantics(spark, way="library").judge(tasks[1:])["plain"]
    by_definitions = SparkSemantics(spark, way="definitions").judge(tasks[1:])["plain"]
    assert by_library == by_definitions == judge(plain, dials, tasks[1].observed)
    assert isinstance(by_library, Verdict) and isinstance(by_definitions, Verdict)
    assert (by_library.ways, by_definitions.ways) == (("library",), ("definitions",))
    walked = SparkSemantics(spark, way="definitions").answers(tasks[:1])["path"]
    assert isinstance(walked, dict)
    for one, other in zip(walked[0,], answer(path, dials, (0,)), strict=True):
        assert (one.t, difference(one.content, other.content, "term")) == (other.t, None)


@pytest.mark.spark
def test_a_case_whose_windows_grow_goes_both_ways(semantics: SparkSemantics) -> None:
    half = COUNTED_PRODUCT // 2
    few = (triple(":a", ":p", 1), triple(":b", ":q", 1))
    many = tuple(triple(f":s{i}", ":p" if i % 2 else ":q", i) for i in range(2 * half))
    elements = (StreamElement(iri("s"), 1, few), StreamElement(iri("s"), 3, many))
    text = "SELECT (COUNT(*) AS ?n) FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
    counted = Case(
        query=query(text + "{ WINDOW :w { ?s :p ?o . ?t :q ?r } }"),
        elements=elements,
        registered=0,
        until=4,
    )
    dials = Dials(t0=0)
    given = observed(counted, dials)
    last = given[-1].content
    assert isinstance(last, Rows)
    spoilt = (*given[:-1], replace(given[-1], content=replace(last, rows=())))
    tasks = [Task("right", counted, dials, given), Task("wrong", counted, dials, spoilt)]
    found = semantics.judge(tasks)
    verdict, other = found["right"], found["wrong"]
    assert verdict == judge(counted, dials, given) == Verdict(True, (0,), 0)
    assert isinstance(verdict, Verdict)
    assert verdict.ways == ("definitions", "library")
    assert isinstance(other, Verdict) and not other.correct
