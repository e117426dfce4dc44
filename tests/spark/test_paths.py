"""A long stream of a query with property paths, by Spark."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream.long_judge import LongJudge
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.trace import answer
from tests.builders.sparql import query
from tests.builders.terms import iri, triple

WINDOW = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]"
QUERIES = {
    "sequence": f"SELECT ?x ?y {WINDOW} {{ WINDOW :w {{ ?x :p/:p ?y }} }}",
    "repeated": f"SELECT ?x ?y {WINDOW} {{ WINDOW :w {{ ?x :p+ ?y }} }} ORDER BY ?x ?y",
    "istream": f"REGISTER ISTREAM :o AS SELECT ?y {WINDOW} {{ WINDOW :w {{ :a :p* ?y }} }}",
    "negated, exists": f"SELECT ?x {WINDOW} {{ WINDOW :w {{ ?x :p ?y"
    " FILTER NOT EXISTS { ?y !:q ?z } } }",
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
