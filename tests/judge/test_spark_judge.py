"""The judge in the background, with Spark played by the specification."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.spark_judge import SparkJudge, must_agree
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.protocol import registry
from rsp_conformance.spark.worker.judge import InternalError
from tests.judge.test_crashfile import VERSION_1

RIGHT, WRONG = Verdict(True, (0,), 0), Verdict(False, (0,), 0)


class Starter:
    """Stands in for a session that starts when it is told to."""

    def __init__(self, error: Exception | None = None) -> None:
        self.up = threading.Event()
        self.stopped = 0
        self._error = error

    def result(self) -> None:
        self.up.wait(20)
        if self._error is not None:
            raise self._error

    def stop(self, *, now: bool = False) -> None:
        self.stopped += 1
        self.up.set()


class Semantics:
    """Stands in for Spark: whatever is asked is right."""

    jobs: list[int]

    def __init__(self, _: object) -> None:
        """There is no session."""

    def judge(self, tasks: list[Any]) -> dict[str, Verdict]:
        type(self).jobs.append(len(tasks))
        return {task.key: RIGHT for task in tasks}


@pytest.fixture(autouse=True)
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    Semantics.jobs = []
    monkeypatch.setattr("rsp_conformance.spark.batch.judge.SparkSemantics", Semantics)
    return Semantics.jobs


@pytest.fixture
def observation() -> Observation:
    with registry.connect("reference") as engine:
        return EngineUnderTest.meet(engine).ask(*read(VERSION_1).stimuli)


def test_what_waits_while_spark_starts_makes_one_job(
    observation: Observation, jobs: list[int]
) -> None:
    starter = Starter()
    judge = SparkJudge(starter)  # type: ignore[arg-type]
    first = judge.submit([observation])
    later = [judge.submit([observation] * n) for n in (2, 3)]
    starter.up.set()
    assert first.result(20) == [RIGHT]
    assert [future.result(20) for future in later] == [[RIGHT] * 2, [RIGHT] * 3]
    # The first was on its way already, or was still waiting.
    assert jobs in ([1, 5], [6])
    assert (judge.cases, judge.jobs) == (6, len(jobs))
    judge.close()
    assert starter.stopped == 1


def test_cases_gather_until_there_are_enough_or_somebody_waits(
    observation: Observation, jobs: list[int]
) -> None:
    starter = Starter()
    starter.up.set()
    judge = SparkJudge(starter, at_least=4)  # type: ignore[arg-type]
    futures = [judge.submit([observation]) for _ in range(3)]
    assert not any(future.done() for future in futures)
    futures.append(judge.submit([observation]))
    assert [future.result(20) for future in futures] == [[RIGHT]] * 4
    assert jobs == [4]
    last = judge.submit([observation])
    judge.hurry()
    assert last.result(20) == [RIGHT]
    assert jobs == [4, 1]
    judge.close()


def test_more_gather_before_spark_is_started(observation: Observation, jobs: list[int]) -> None:
    starter = Starter()
    starter.up.set()
    judge = SparkJudge(starter, first=3)  # type: ignore[arg-type]
    futures = [judge.submit([observation]) for _ in range(2)]
    assert judge.is_starting and not any(future.done() for future in futures)
    futures.append(judge.submit([observation]))
    assert [future.result(20) for future in futures] == [[RIGHT]] * 3
    assert not judge.is_starting
    assert judge.submit([observation]).result(20) == [RIGHT]
    assert jobs == [3, 1]
    judge.close()


def test_a_session_that_does_not_start_is_told_to_all_who_wait(observation: Observation) -> None:
    starter = Starter(RuntimeError("no JVM"))
    starter.up.set()
    judge = SparkJudge(starter)  # type: ignore[arg-type]
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no JVM"):
            judge.submit([observation]).result(20)
    judge.close()


def test_closing_drops_what_waits(observation: Observation, jobs: list[int]) -> None:
    starter = Starter()
    judge = SparkJudge(starter, at_least=9)  # type: ignore[arg-type]
    future = judge.submit([observation])
    judge.close()
    judge.close()
    assert future.cancelled() and jobs == [] and starter.stopped == 1
    with pytest.raises(RuntimeError, match="closed"):
        judge.submit([observation])


def test_failures_and_refusals_are_not_sent_to_spark(
    observation: Observation, jobs: list[int]
) -> None:
    from dataclasses import replace

    starter = Starter()
    starter.up.set()
    judge = SparkJudge(starter)  # type: ignore[arg-type]
    refused = replace(observation, unsupported="no")
    assert judge.submit([refused, observation, refused]).result(20) == [None, RIGHT, None]
    assert judge.submit([refused]).result(20) == [None]
    assert jobs == [1]
    judge.close()


@pytest.mark.parametrize(("left", "right"), [(RIGHT, WRONG), (WRONG, RIGHT), (RIGHT, None)])
def test_judges_that_differ_are_a_bug_of_the_kit(
    observation: Observation, left: Verdict, right: Verdict | None
) -> None:
    with pytest.raises(KitDisagreement) as caught:
        must_agree(observation, left.correct, right)
    text = str(caught.value)
    assert "a bug of rsp-conformance, not of the engine" in text
    assert observation.query_text in text and "elements:" in text and "dials:" in text
    with pytest.raises(KitDisagreement, match="Spark fails: KeyError: 7: a bug of rsp-conf"):
        must_agree(observation, left.correct, InternalError("Spark fails: KeyError: 7"))
    for verdict in (RIGHT, WRONG):
        must_agree(observation, verdict.correct, verdict)
    must_agree(observation, None, None)
