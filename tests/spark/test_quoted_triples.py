"""Quoted triples on Spark: what comes out is what the specification says (RSP-QL*)."""

from __future__ import annotations

from random import Random

import pytest

from rsp_conformance.model.answers import Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spec.trace import answer
from tests.builders.sparql import query
from tests.builders.terms import iri, triple
from tests.generators.quoted_triples import CaseMaker
from tests.spark.test_agrees_with_spec import check_cases

pytestmark = pytest.mark.spark

SAID = triple(":a", ":p", 1)
NESTED = Triple(Triple(SAID, iri("by"), iri("b")), iri("q"), SAID)
STREAM: IRI = iri("s")
DIALS = Dials(t0=0)

EXPECTED = [
    # A quoted triple is not asserted by what is said of it, in the window or around it.
    ("?x :p ?y", set()),
    ("?x :by ?y", set()),
    # Inside and outside of one pattern; a FILTER on what only the quoted pattern binds.
    ("<< << ?x :p ?y >> :by ?z >> :q << ?x :p ?y >>", {"<http://ex.org/a>"}),
    ("<< ?x :p ?y >> :r ?z FILTER(?y > 0)", {"<http://ex.org/a>"}),
    ("<< ?x :p ?y >> :r ?z FILTER(?y > 1)", set()),
    ("<< ?x :p ?y >> :r ?z FILTER(?y < ?z)", {"<http://ex.org/a>"}),
    ("?t :r ?z BIND(SUBJECT(?t) AS ?x) FILTER(isTRIPLE(?t))", {"<http://ex.org/a>"}),
]


def test_by_hand(semantics: SparkSemantics) -> None:
    elements = (
        StreamElement(STREAM, 1, (NESTED,)),
        StreamElement(STREAM, 2, (Triple(SAID, iri("r"), triple(":a", ":p", 2).object),)),
    )
    window = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4]"
    tasks = [
        Task(
            pattern,
            Case(query(f"SELECT ?x {window} {{ WINDOW :w {{ {pattern} }} }}"), elements, until=4),
            DIALS,
            t0=(0,),
        )
        for pattern, _ in EXPECTED
    ]
    found = semantics.answers(tasks)
    for task, (pattern, expected) in zip(tasks, EXPECTED, strict=True):
        answers = found[pattern]
        assert isinstance(answers, dict), answers
        for (evaluation,) in (*answers.values(), answer(task.case, DIALS, (0,))):
            assert isinstance(evaluation.content, Rows)
            assert {repr(row[0]) for row in evaluation.content.rows} == expected, pattern


def test_random_cases(semantics: SparkSemantics) -> None:
    randoms = [Random(seed) for seed in range(1000, 1120)]
    seen = check_cases(semantics, [(*CaseMaker(random).make(), random) for random in randoms])
    assert seen["correct"] > 25 and len(seen) >= 3, seen
