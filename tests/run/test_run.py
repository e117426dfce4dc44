"""A run of the suite, property by property, against engines made for the purpose."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import pytest

from rsp_conformance.diagnosis import seam
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.failures import (
    KitDisagreement,
)
from rsp_conformance.model.usage import query_features
from rsp_conformance.run import naming
from rsp_conformance.run.events import (
    UNBROKEN,
    FindingConfirmed,
    JudgeLost,
    JudgesDisagree,
    RunFinished,
)
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.reference_opinion import confirm_by_reference
from rsp_conformance.run.xfails import Mark
from rsp_conformance.spark.session import SparkUnavailable
from tests.builders.engines import (
    ONE_START,
    FakeSpark,
    Flaw,
    Flawed,
    contradicted,
    error,
    failures_of,
    in_turn,
    kinds_of,
    perform,
    right,
    rows_doubled,
    rows_lost,
    run_of,
)


def test_a_case_is_not_asked_twice_within_a_run(tmp_path: Path) -> None:
    engine = Flawed(right)
    run = run_of(engine, tmp_path)
    perform(run, "windows")
    asked, tally = engine.asked, run.tally("windows")
    assert asked == tally.compared + tally.vacuous
    again = [own.drawn for own in run.ledger.records("windows")]
    assert again and [*run.worker.judged(property_named("windows"), again)]
    assert engine.asked == asked


def test_a_property_that_is_run_again_is_asked_anew(tmp_path: Path) -> None:
    engine = Flawed(right)
    run = run_of(engine, tmp_path)
    perform(run, "windows")
    asked = engine.asked
    perform(run, "windows")
    assert engine.asked == 2 * asked > 0


def test_each_kind_of_failure_is_shrunk_by_itself(tmp_path: Path) -> None:
    def two_flaws(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        if len(request["elements"]) >= 3:
            return error(request, "crashed")
        return rows_lost(request, reply)

    run = run_of(lambda: Flawed(two_flaws, **ONE_START), tmp_path, examples=40)
    failures = failures_of(run, "windows")
    assert kinds_of(failures) == {"wrong rows", "crashed"}
    sizes = {f.finding.kind: len(f.finding.case.elements) for f in failures}
    assert sizes == {"wrong rows": 1, "crashed": 3}
    written = {read(path).kind for path in (tmp_path / "crashes").iterdir()}
    assert written == {"wrong rows", "crashed"}
    for path in (tmp_path / "crashes").iterdir():
        assert len(read(path).cases[0].case.elements) == sizes[read(path).kind]


def test_a_sample_of_smaller_trials_reaches_from_the_first_to_the_last() -> None:
    records: list[Any] = [*range(100)]
    assert naming.sampled(records, 4) == [0, 33, 66, 99]
    assert naming.sampled(records[:3], 4) == [0, 1, 2]
    assert naming.sampled([], 4) == []


def test_a_failure_is_run_three_times_more(tmp_path: Path) -> None:
    run = run_of(lambda: Flawed(rows_lost), tmp_path)
    failure = failures_of(run, "windows")[0]
    assert failure.confirmed == "Confirmed by the test; reproduced 3 times."


def test_an_engine_that_is_right_when_run_again_is_wrong_and_unstable(tmp_path: Path) -> None:
    run = run_of(lambda: Flawed(in_turn(rows_lost, right), **ONE_START), tmp_path)
    wrong, shaky = failures_of(run, "windows")[:2]
    assert (wrong.finding.kind, shaky.finding.kind) == ("wrong rows", "unstable")
    assert wrong.confirmed == "Confirmed by the test; it came in one run of several."
    assert wrong.finding.verdict is not None and shaky.finding.verdict is None
    assert shaky.finding.observed != shaky.finding.again
    assert wrong.finding.case == shaky.finding.case
    assert {"wrong rows", "unstable"} <= {
        event.kind for event in run.ledger.events if isinstance(event, FindingConfirmed)
    }
    kinds = {read(path).kind for path in (tmp_path / "crashes").iterdir()}
    assert {"wrong rows", "unstable"} <= kinds
    text = run.naming.reporter.text([wrong, shaky])
    assert "\nWhy  " in text and "\nAlso: unstable (" in text


def test_each_failure_that_is_unstable_beside_has_a_file_of_its_own(tmp_path: Path) -> None:
    """Several kinds, each right when it is run again: the last one's case took the others' file."""

    def fewer(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        answers = reply["answers"]
        return rows_lost(request, reply) if len(answers) % 2 else {**reply, "answers": answers[:-1]}

    run = run_of(lambda: Flawed(in_turn(fewer, right)), tmp_path, deep=True)
    failures = failures_of(run, "windows")
    shaky = [own.finding for own in failures if own.finding.kind == "unstable"]
    assert len(shaky) > 1
    cases = {read(run.naming.keeper.path(own)).cases[0].case for own in shaky}
    assert cases == {own.case for own in shaky} and len(cases) > 1
    for own in failures:
        file = read(run.naming.keeper.path(own.finding))
        assert (file.kind, file.cases[0].case) == (own.finding.kind, own.finding.case)


def test_an_engine_that_crashes_in_one_run_and_is_wrong_in_another_is_told_of_both(
    tmp_path: Path,
) -> None:
    def crashes(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        return error(request, "crashed") if rows_lost(request, reply) != reply else reply

    run = run_of(lambda: Flawed(in_turn(crashes, rows_lost), **ONE_START), tmp_path)
    assert kinds_of(failures_of(run, "windows")) == {"unstable", "wrong rows"}


@pytest.mark.parametrize("breaking", [1, 2])
def test_a_driver_that_accuses_itself_in_one_run_of_a_case_is_accused_alone(
    breaking: int, tmp_path: Path
) -> None:
    """In the first run of it or the second: the engine's other answers do not count."""

    def breaks(request: dict[str, Any], _: dict[str, Any]) -> Any:
        return error(request, "driver")

    runs = [rows_lost] * 3
    runs[breaking - 1] = breaks
    run = run_of(lambda: Flawed(in_turn(*runs)), tmp_path, examples=3)
    failure = failures_of(run, "windows")[0]
    assert failure.finding.kind == "protocol-error"
    assert failure.confirmed == "It came in one run of several."


def test_an_engine_that_is_wrong_in_two_ways_by_turns_is_wrong(tmp_path: Path) -> None:
    two_ways = in_turn(rows_doubled, rows_lost, over_again=True)

    def by_turns(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        # Every t0 is the same for windows that slide by one instant.
        return reply if "STEP 1]" in request["query"] else two_ways(request, reply)

    run = run_of(lambda: Flawed(by_turns), tmp_path)
    wrong = [own for own in failures_of(run, "t0") if own.finding.verdict is not None]
    assert any(own.confirmed.endswith("wrong again 3 times, in different ways.") for own in wrong)


@pytest.mark.parametrize("t0", ["0", "any"])
def test_where_one_t0_is_legal_wrong_answers_that_differ_are_unstable_too(
    tmp_path: Path, t0: str
) -> None:
    """Under t0 = any so it is for windows that step by one instant."""
    by_turns = in_turn(rows_doubled, rows_lost, over_again=True)
    run = run_of(lambda: Flawed(by_turns, **{"dial.t0": t0}), tmp_path)
    assert kinds_of(failures_of(run, "windows")) >= {"wrong rows", "unstable"}


def test_repeat_finds_an_engine_whose_answers_differ_from_run_to_run(tmp_path: Path) -> None:
    every_second_time = in_turn(right, rows_lost, over_again=True)
    run = run_of(lambda: Flawed(every_second_time, **ONE_START), tmp_path)
    failure, wrong = failures_of(run, "repeat")
    assert failure.finding.kind == "unstable"
    # One run of every case was right: only the other tells, and is judged by itself.
    assert failure.finding.observed != failure.finding.again
    assert wrong.finding.observed == failure.finding.observed
    assert wrong.finding.kind == "wrong rows"


def test_answers_that_come_in_another_order_in_the_second_run_are_right_in_both(
    tmp_path: Path,
) -> None:
    """Their stamps say which is which (decision 21)."""

    def reversed_answers(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        return {**reply, "answers": reply["answers"][::-1]} if "answers" in reply else reply

    by_turns = in_turn(right, reversed_answers, over_again=True)
    run = run_of(lambda: Flawed(by_turns, **ONE_START), tmp_path)
    assert perform(run, "repeat").verdict == "passed"


def test_repeat_tells_an_engine_that_is_wrong_and_differs_from_one_that_is_only_wrong(
    tmp_path: Path,
) -> None:
    """Where a steady defect hides in small cases, what differs only in larger ones is told too."""
    turn = itertools.count()

    def unsteady(request: dict[str, Any], reply: dict[str, Any]) -> Any:
        twice = rows_doubled(request, reply)
        is_large = len(request["elements"]) > 3
        return rows_doubled(request, twice) if is_large and next(turn) % 2 else twice

    run = run_of(lambda: Flawed(unsteady, **ONE_START), tmp_path)
    failures = failures_of(run, "repeat")
    assert kinds_of(failures) > {"unstable"}
    assert all(f.finding.again is not None for f in failures if f.finding.kind == "unstable")


def test_shrinking_ends_when_its_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seam, "find_causes", lambda *_, **__: ())  # It asks fresh cases.
    engine = Flawed(rows_lost)
    run = run_of(engine, tmp_path, shrinking=0.0)
    failures, tally = failures_of(run, "windows"), run.tally("windows")
    # All cases, and three more runs of each that is shown.
    assert engine.asked == tally.compared + tally.vacuous + 3 * len(failures)
    assert max(len(failure.finding.case.elements) for failure in failures) > 1


@pytest.mark.parametrize(
    ("flaw", "said"),
    [
        (rows_lost, "a bug of rsp-conformance, not of the engine"),
        (right, "says correct and Spark says wrong"),
    ],
)
def test_a_disagreement_accuses_nobody_and_is_not_passed_over(
    flaw: Flaw, said: str, tmp_path: Path
) -> None:
    run = run_of(lambda: Flawed(flaw), tmp_path, spark=FakeSpark(contradicted))
    finished = perform(run, "windows")
    assert finished.verdict == "kit error" and said in finished.reason
    assert not [*tmp_path.glob("crashes/*")]


def starting(spoilt: Any) -> FakeSpark:
    """A Spark that is not there yet."""
    spark = FakeSpark(spoilt)
    spark.is_starting = True
    return spark


def test_a_deferred_disagreement_is_there_at_the_end(tmp_path: Path) -> None:
    run = run_of(
        lambda: Flawed(right), tmp_path, spark=starting(contradicted), opinion=lambda _: None
    )
    assert perform(run, "windows").verdict == "passed"
    run.finish()
    disagreement, finished = run.ledger.events[-2:]
    assert isinstance(disagreement, JudgesDisagree) and disagreement.property == "windows"
    assert "says correct and Spark says wrong" in disagreement.message
    assert isinstance(finished, RunFinished) and finished.seconds["comparison"] > 0


@pytest.mark.parametrize("agrees", [True, False])
def test_what_is_wrong_is_shown_before_spark_is_there_and_taken_back_if_it_differs(
    agrees: bool, tmp_path: Path
) -> None:
    spark = starting((lambda verdict: verdict) if agrees else contradicted)
    run = run_of(lambda: Flawed(rows_lost), tmp_path, spark=spark, opinion=confirm_by_reference)
    failures = failures_of(run, "windows")
    shown = {failure.confirmed.split(";")[0] for failure in failures}
    judges = "the reference model and the third opinion (Spark judges it at the end)"
    assert shown == {f"Confirmed by {judges}"}
    files = [*(tmp_path / "crashes").iterdir()]
    assert files
    run.finish()
    outcome = RunOutcome().take(run.ledger.events)
    if agrees:
        assert outcome.finished["windows"].verdict == "failed" and outcome.findings
        assert [*(tmp_path / "crashes").iterdir()] == files and outcome.causes
    else:
        assert outcome.finished["windows"].verdict == "kit error"
        assert not (outcome.findings or outcome.causes or [*(tmp_path / "crashes").iterdir()])


def test_a_judge_that_is_gone_at_the_end_is_told_from_one_that_disagrees(tmp_path: Path) -> None:
    def gone(_: Any) -> NoReturn:
        raise SparkUnavailable("no Spark at sc://x")

    run = run_of(lambda: Flawed(right), tmp_path, spark=starting(gone), opinion=lambda _: None)
    perform(run, "windows")
    run.finish()
    lost = run.ledger.events[-2]
    assert isinstance(lost, JudgeLost) and lost.message.startswith("no Spark at sc://x")


def test_the_reference_engine_has_a_say(tmp_path: Path) -> None:
    def objects(observation: Any) -> None:
        raise KitDisagreement("the reference engine differs", observation)

    run = run_of(lambda: Flawed(rows_lost), tmp_path, opinion=objects)
    finished = perform(run, "windows")
    assert finished.verdict == "kit error"
    assert "the reference engine differs: a bug of" in finished.reason


# --- what a property is about -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "feature"), [("multi_window", "multi-window"), ("filter", "filter")]
)
def test_shrinking_keeps_what_the_property_is_about(
    name: str, feature: str, tmp_path: Path
) -> None:
    run = run_of(lambda: Flawed(rows_lost, **ONE_START), tmp_path, examples=40)
    failures = failures_of(run, name)
    assert all(feature in query_features(f.finding.case.query) for f in failures)
    assert min(len(failure.finding.case.elements) for failure in failures) <= 3


def by_windows(one: Flaw, several: Flaw) -> Flaw:
    """Spoils queries over one window and over several."""

    def spoilt(request: dict[str, Any], reply: dict[str, Any]) -> Mapping[str, Any]:
        windows = request["query"].upper().count("FROM NAMED WINDOW")
        return (several if windows > 1 else one)(request, reply)

    return spoilt


def crashed(request: dict[str, Any], _: dict[str, Any]) -> Mapping[str, Any]:
    return error(request, "crashed")


def test_a_failure_that_shows_beside_the_subject_alone_is_not_lost(tmp_path: Path) -> None:
    flaw = by_windows(rows_lost, right)
    run = run_of(lambda: Flawed(flaw, **ONE_START), tmp_path, examples=60)
    failures = failures_of(run, "multi_window")
    assert all("multi-window" not in query_features(f.finding.case.query) for f in failures)


def test_of_each_kind_the_subject_is_kept_where_it_shows(tmp_path: Path) -> None:
    flaw = by_windows(crashed, rows_lost)
    run = run_of(lambda: Flawed(flaw, **ONE_START), tmp_path, examples=60)
    found = {f.finding.kind: f.finding.case for f in failures_of(run, "multi_window")}
    assert len(found["wrong rows"].query.windows) > 1 and len(found["crashed"].query.windows) == 1


def test_a_mark_on_what_the_subject_shows_loses_nothing_beside_it(tmp_path: Path) -> None:
    flaw = by_windows(rows_lost, crashed)
    marks = (Mark("multi_window", "crashed", "", "known"),)
    run = run_of(lambda: Flawed(flaw, **ONE_START), tmp_path, examples=60, marks=marks)
    assert "crashed" not in kinds_of(failures_of(run, "multi_window"))


def test_a_law_is_not_told_as_broken_by_an_engine_that_gives_no_answer(tmp_path: Path) -> None:
    name = "law[JUDistR]"
    lost = run_of(Flawed(crashed), tmp_path / "lost", examples=5)
    for property, says_so in ((name, True), ("windows", False)):
        finished = perform(lost, property)
        assert finished.verdict == "failed" and "crashed" in finished.note
        assert (UNBROKEN in finished.note) is says_so
    wrong = run_of(Flawed(right, fault="union-dedup"), tmp_path / "wrong", examples=40)
    finished = perform(wrong, name)
    assert "contradiction" in finished.note and UNBROKEN not in finished.note


def test_of_a_property_that_is_run_again_only_the_second_run_counts(tmp_path: Path) -> None:
    """As after a lost worker: answers of the same process are remembered."""
    told: list[Any] = []
    run = run_of(Flawed(rows_lost, **ONE_START), tmp_path, emit=told.append)
    windows = property_named("windows")
    wrong = run_of(Flawed(rows_lost, **ONE_START), tmp_path / "wrong").work(windows)
    correct = run_of(Flawed(right, **ONE_START), tmp_path / "right").work(windows)
    assert run.take(wrong).verdict == "failed"
    assert run.ledger.shown("windows") and RunOutcome().take(told).findings
    finished = run.take(correct)
    assert (finished.verdict, finished.counts.get("wrong", 0)) == ("passed", 0)
    assert not run.ledger.shown("windows")
    assert not RunOutcome().take(told).findings
    run.finish()
    assert not any(own.record.property_name == "windows" for own in run.naming.unexplained.groups)
    assert not run.naming.wrong()


@pytest.mark.parametrize("flaw", [rows_lost, rows_doubled], ids=["a known cause", "another"])
def test_what_fails_again_is_shown_again(tmp_path: Path, flaw: Flaw) -> None:
    told: list[Any] = []
    run = run_of(Flawed(flaw, **ONE_START), tmp_path, emit=told.append)
    before, shown = perform(run, "windows"), [own.file for own in run.ledger.shown("windows")]
    after = perform(run, "windows")
    assert shown and [own.file for own in run.ledger.shown("windows")] == shown
    assert (after.verdict, after.note) == (before.verdict, before.note)
    assert len(RunOutcome().take(told).findings) == len(shown)
