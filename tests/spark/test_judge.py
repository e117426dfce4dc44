"""A batch on Spark is judged as its workers judge it; points at which judges went apart once.

That the workers say what the specification says is held by `tests/judges`, without Spark.
"""

from __future__ import annotations

from random import Random

import pytest

from rsp_conformance.model.answers import Observed, Rows, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Query
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.alignment import Aligner, ExpectedAnswer, ReceivedAnswer
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.trace import Expectation
from tests.builders import compiled
from tests.builders.terms import iri
from tools.judges.block import told
from tools.judges.plain import random_answers, random_case

QUERY = Query(windows=(WindowDeclaration(iri("w"), iri("s"), 2, 2),))


@pytest.mark.spark
def test_a_batch(semantics: SparkSemantics) -> None:
    """Verdicts and answers come back whole, each with its own case."""
    tasks: list[Task] = []
    expected = {}
    for seed in range(80):
        random = Random(seed)
        case, dials = random_case(random)
        try:
            expectation = Expectation(case, dials)
            answers = {z: expectation.answer(z) for z in rspql_queries(case, dials)}
        except (Unsupported, ValueError):
            continue
        observed = random_answers(random, random.choice(list(answers.values())), case, dials)
        tasks.append(Task(str(seed), case, dials, observed))
        expected[str(seed)] = answers
    found = semantics.answers(tasks)
    for key, answers in expected.items():
        theirs = found[key]
        assert isinstance(theirs, dict) and list(theirs) == list(answers)
        for z, mine in answers.items():
            assert [e.t for e in theirs[z]] == [e.t for e in mine]
            for one, other in zip(mine, theirs[z], strict=True):
                if getattr(one.content, "determined", True):
                    assert difference(one.content, other.content, "term") is None
    verdicts = semantics.judge(tasks)
    assert {told(found) for found in verdicts.values() if not isinstance(found, Exception)}
    for task in tasks:
        assert told(verdicts[task.key]) == told(by_worker(task))


def by_worker(task: Task) -> object:
    try:
        return compiled.verdict(task.case, task.dials, task.observed or ())
    except Unsupported as refusal:
        return refusal


@pytest.mark.spark
def test_single_rows_are_refused_by_name(semantics: SparkSemantics) -> None:
    """They are the specification's alone; what cannot be judged is not judged wrongly."""
    dials = Dials(answers="rows", answer_time="arrival")
    found = semantics.judge([Task("rows", Case(Query(), until=2), dials, ())])["rows"]
    assert isinstance(found, Unsupported)
    assert "answers = rows" in str(found)


@pytest.mark.parametrize(
    ("dials", "stamps", "why"),
    [
        (
            {"clock": clock, "answer_time": "arrival", "advances": "elements"},
            (None,),
            "not silence, though the elements that the kit appends may have set it off",
        )
        for clock in ("any", "own")
    ]
    + [
        (
            {"t0": "0", "report": "COMPUTED EVERY 4", "time_tolerance": 2},
            stamps,
            "within the tolerance the late one is the answer that is due (decision 20)",
        )
        for stamps in ((None, 6), (6, None))
    ],
)
def test_an_answer_without_an_instant_is_a_wrong_instant(
    dials: dict[str, object], stamps: tuple[int | None, ...], why: str
) -> None:
    case = Case(QUERY, until=4, streams=(iri("s"),))
    setting = Dials().with_dials({"report": "COMPUTED EVERY 2"} | dials)
    content = Rows((), ((),)) if len(stamps) > 1 else Rows((), ())
    observed = tuple(Observed(t, content, None) for t in stamps)
    for verdict in (judge(case, setting, observed), compiled.verdict(case, setting, observed)):
        assert isinstance(verdict, Verdict) and verdict.divergence is not None
        assert verdict.divergence.kind.value == "wrong instant", why
        assert (verdict.divergence.t is None) is (len(stamps) > 1)


@pytest.mark.parametrize("tolerance", [1, 2])
def test_what_is_due_long_before_t_s_is_compared_with_nothing(tolerance: int) -> None:
    """As by the specification (tests/spec/test_alignment.py)."""
    compared: list[int] = []

    def difference(due: ExpectedAnswer[str], given: ReceivedAnswer) -> None:
        compared.append(due.t)

    due = [ExpectedAnswer(t, t, "content") for t in range(1, 60)]
    given = [ReceivedAnswer(t, Truth(True), t, required=t >= 55) for t in range(1, 60)]
    dials = Dials().with_dial("time_tolerance", tolerance)
    assert Aligner(dials, 55, difference).align(due, given).right
    assert min(compared) >= 55 - 2 * tolerance
