"""What goes to Spark's workers arrives, and what fails there loses nothing else."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

from rsp_conformance.model.answers import Observed, Triples
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import XSD, BlankNode, Literal, Triple
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import InternalError, ShippedCase, judge_share
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
    seeds = set()
    for seed in ("1", "2"):
        made = subprocess.run(
            [sys.executable, "-c", WORKER],
            input=pickle.dumps(own, protocol=5),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()},
            capture_output=True,
            timeout=60,
            check=True,
        )
        hashed, back = pickle.loads(made.stdout)
        seeds.add(hashed)
        assert back == own and [*map(hash, back)] == [*map(hash, own)]
    assert len(seeds) == 2, "strings hash alike, so nothing was shown"


def test_a_case_that_the_evaluator_fails_on_loses_no_other() -> None:
    task = Task("x", Case(Query(), until=6), Dials().with_dial("report", "COMPUTED EVERY 2"))
    case = Shipment().case(task, judged=False)
    broken: ShippedCase = case._replace(elements=None)  # type: ignore[arg-type]
    before, failed, after = pickle.loads(pickle.dumps(judge_share([case, broken, case])))
    assert isinstance(failed.found, InternalError)
    assert str(failed.found).startswith("Spark fails: TypeError: ")
    assert before == after and [e.t for e in after.found[()]] == [2, 4, 6]
