"""A stream in pieces is answered as the same stream in one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spark.judge import SparkSemantics
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.starts import first_instants
from rsp_conformance.spark.stream import LongStream, element_table
from rsp_conformance.spark.tasks import Task
from tests.spark.random_cases import random_answers, random_case

pytestmark = pytest.mark.spark


def long_case(seed: int) -> tuple[Case, Dials]:
    """A random case stretched over many pieces: its elements repeated with pauses between."""
    random = Random(seed)
    while True:
        case, dials = random_case(random)
        if len(case.elements) >= 5 and case.query.windows and dials.time_tolerance == 0:
            break
    operator = random.choice([case.query.operator, StreamOperator.ISTREAM])
    dials = dials.with_dials({"stream_operators": "R I D", "windows_in": "named"})
    elements = [replace(e, name=None) for e in case.elements]
    shift = 0
    for _ in range(6):
        shift = elements[-1].t + random.choice([1, 3, 25])
        elements += [replace(e, t=e.t - case.registered + shift, name=None) for e in case.elements]
    query = replace(case.query, operator=operator)
    return replace(case, query=query, elements=tuple(elements), until=elements[-1].t + 9), dials


def as_stream(case: Case, dials: Dials, spark: SparkHandle) -> LongStream:
    elements = spark.session.createDataFrame(element_table(case.elements))
    first = first_instants([(e.stream, e.t) for e in case.elements])
    # The shortest pieces there can be: most answers then look into the piece before.
    return LongStream(replace(case, elements=()), dials, elements, first, span=1)


@pytest.mark.parametrize("seed", range(6))
def test_pieces_do_not_show(semantics: SparkSemantics, spark: SparkHandle, seed: int) -> None:
    case, dials = long_case(seed)
    whole = semantics.answers([Task("whole", case, dials)])["whole"]
    assert isinstance(whole, dict), whole
    stream = as_stream(case, dials, spark)
    rows = semantics.stream_answers(stream).where("kept").toArrow().to_pylist()
    found: dict[int, list[Any]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row["z"], row["t"], row["s"])):
        found[row["z"]].append((row["t"], len(row["answer"])))
    sizes = {
        z: [(e.t, len(e.content) if hasattr(e.content, "__len__") else 1) for e in answers]
        for z, answers in enumerate(whole.values())
        if answers
    }
    assert found == sizes


@pytest.mark.parametrize("seed", range(12, 15))
def test_verdicts_over_pieces(semantics: SparkSemantics, spark: SparkHandle, seed: int) -> None:
    case, dials = long_case(seed)
    dials = dials.with_dial("answer_time", "evaluation")
    whole = semantics.answers([Task("whole", case, dials)])["whole"]
    assert isinstance(whole, dict), whole
    random = Random(seed)
    answers = list(random.choice(list(whole.values())))
    right = tuple(Observed(e.t, e.content) for e in answers)
    spoilt = random_answers(random, answers, case, dials)
    for observed in (right, spoilt, right[:-3]):
        in_one = semantics.judge([Task("whole", case, dials, observed)])["whole"]
        in_pieces = semantics.judge_stream(as_stream(case, dials, spark), observed)
        if isinstance(in_one, Verdict):
            assert isinstance(in_pieces, Verdict), in_pieces
            assert (in_pieces.correct, in_pieces.t_s) == (in_one.correct, in_one.t_s)
        else:
            assert type(in_pieces) is type(in_one)
