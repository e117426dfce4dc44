"""What goes to Spark's workers arrives, and what fails there loses nothing else."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest

from rsp_conformance.limits import SECONDS
from rsp_conformance.model.answers import Observed, Triples, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import XSD, BlankNode, Literal, Triple
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.wire import Unpacker
from rsp_conformance.spark.worker.alignment import ReceivedAnswer
from rsp_conformance.spark.worker.judge import (
    ContentAgreement,
    InternalError,
    ShippedCase,
    judge_share,
)
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import iri


def values(tag: str) -> list[object]:
    """One of each kind of value that is hashed, its hash kept within; language tags as TAG."""
    tagged = Literal("a", language=tag)
    quoted = Triple(BlankNode("b"), iri("p"), tagged)
    triple = Triple(quoted, iri("p"), Literal("01", XSD + "integer"))
    element = StreamElement(iri("s"), 3, (triple, quoted), iri("g"))
    answer = Observed(3, Triples(frozenset({triple})))
    return [iri("a"), BlankNode("b"), tagged, quoted, triple, element, answer]


WORKER = """
import pickle, sys
from tests.spark.test_travel import values
arrived, own = pickle.load(sys.stdin.buffer), values("EN-gb")
assert arrived == own and [*map(hash, arrived)] == [*map(hash, own)]
assert all({mine: 1}[one] for one, mine in zip(arrived, own, strict=True))
sys.stdout.buffer.write(pickle.dumps((hash("a"), arrived), protocol=5))
"""


def test_values_are_equal_in_a_process_that_hashes_otherwise() -> None:
    own = values("en-GB")
    made = subprocess.run(
        [sys.executable, "-c", WORKER],
        input=pickle.dumps(own, protocol=5),
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.getcwd()},
        capture_output=True,
        timeout=60,
        check=True,
    )
    hashed, back = pickle.loads(made.stdout)
    assert hashed != hash("a"), "strings hash alike, so nothing was shown"
    assert back == own and [*map(hash, back)] == [*map(hash, own)]


def test_a_case_that_the_evaluator_fails_on_loses_no_other() -> None:
    task = Task("x", Case(Query(), until=6), Dials().with_dial("report", "COMPUTED EVERY 2"))
    case = Shipment().case(task, judged=False)
    broken: ShippedCase = case._replace(elements=None)  # type: ignore[arg-type]
    before, failed, after = pickle.loads(pickle.dumps(judge_share([case, broken, case], SECONDS)))
    assert isinstance(failed.found, InternalError)
    assert str(failed.found).startswith("Spark fails: TypeError: ")
    assert before == after and [e.t for e in after.found[()]] == [2, 4, 6]


TAGS = "PREFIX : <http://ex.org/> SELECT (LANG(?x) AS ?l) FROM NAMED WINDOW :w ON STREAM :s "


@pytest.mark.parametrize(
    "pattern", ["WINDOW :w {{ ?s :p ?x }}", "WINDOW :w {{ ?s :p ?y }} VALUES ?x {{ 'a'@{tag} }}"]
)
def test_cases_that_differ_in_the_writing_of_a_tag_only_stay_two(pattern: str) -> None:
    shipment, cases = Shipment(), []
    for tag in ("en", "EN", "en"):
        query = parse_query(f"{TAGS}[RANGE 2 STEP 2] WHERE {{ {pattern.format(tag=tag)} }}")
        graph = (Triple(iri("a"), iri("p"), Literal("a", language=tag)),)
        case = Case(query, (StreamElement(iri("s"), 1, graph),), until=2)
        dials = Dials().with_dial("t0", 0)
        cases.append(shipment.case(Task(tag, case, dials), judged=False))
    found = [
        judged.found[(0,)][0].content.rows for judged in judge_share(round_trip(cases), SECONDS)
    ]
    assert found == [((Literal(tag),),) for tag in ("en", "EN", "en")]


def round_trip(cases: list[ShippedCase]) -> list[ShippedCase]:
    return pickle.loads(pickle.dumps(cases, protocol=5))


def test_equal_queries_and_what_elements_say_alike_arrive_as_one() -> None:
    shipment, unpacker = Shipment(), Unpacker()
    cases = []
    for _ in range(2):
        query = parse_query(f"{TAGS}[RANGE 2 STEP 2] WHERE {{ WINDOW :w {{ ?s :p ?x }} }}")
        element = StreamElement(iri("s"), 1, (Triple(iri("a"), iri("p"), Literal("a")),))
        task = Task("x", Case(query, (element,), until=2), Dials())
        cases.append(shipment.case(task, judged=False))
    one, other = round_trip(cases)
    assert one.registration.query is other.registration.query
    (mine,), (theirs,) = unpacker.arrivals(one.elements), unpacker.arrivals(other.elements)
    assert mine.graph[0] is theirs.graph[0]


def test_a_content_that_is_gone_lends_its_agreement_to_no_other() -> None:
    agreement = ContentAgreement(Dials())
    given = ReceivedAnswer(1, Truth(True), 0, required=True)
    for truth in [True, False] * 50:
        # Nothing else holds the content, so the next one may stand where it stood.
        assert (agreement.difference(Truth(truth), given) is None) is truth
