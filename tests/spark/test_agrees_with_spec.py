"""Spark and the specification say the same of random cases over all dials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from rsp_conformance import strategies
from rsp_conformance.model.answers import Evaluation, Observed, Rows, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.profiles import Profile, bundled_profile, profile_names
from rsp_conformance.model.query import Query
from rsp_conformance.model.usage import case_features
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.alignment import Aligner, DueAnswer, GivenAnswer
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.alignment import compare
from rsp_conformance.spec.correctness import judge, rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation
from tests.builders.drawing import draw_many
from tests.builders.terms import iri
from tests.generators.cases import random_answers, random_case

pytestmark = pytest.mark.spark


def check_batch(semantics: SparkSemantics, start: int, size: int) -> Counter[str]:
    """Compare both implementations on SIZE cases; how the verdicts were distributed."""
    randoms = [Random(start * 1_000_003 + number) for number in range(size)]
    return check_cases(semantics, [(*random_case(random), random) for random in randoms])


def check_cases(
    semantics: SparkSemantics, cases: Sequence[tuple[Case, Dials, Random]]
) -> Counter[str]:
    tasks: list[Task] = []
    expected: dict[str, dict[Vector, tuple[Evaluation, ...]] | Exception] = {}
    for number, (case, dials, random) in enumerate(cases):
        key = str(number)
        answers = expected[key] = every_answer(case, dials)
        observed = (
            random_answers(random, random.choice(list(answers.values())), case, dials)
            if isinstance(answers, dict)
            else ()
        )
        tasks.append(Task(key, case, dials, observed))
    found = semantics.answers(tasks)
    verdicts = semantics.judge(tasks)
    seen: Counter[str] = Counter()
    for task in tasks:
        check_answers(task, expected[task.key], found[task.key])
        seen[check_verdict(task, verdicts[task.key])] += 1
    return seen


def every_answer(case: Case, dials: Dials) -> dict[Vector, tuple[Evaluation, ...]] | Exception:
    try:
        expectation = Expectation(case, dials)
        return {z: expectation.answer(z) for z in rspql_queries(case, dials)}
    except (Unsupported, ValueError) as refusal:
        return refusal


def check_answers(task: Task, expected: object, found: object) -> None:
    if isinstance(expected, Exception):
        assert type(found) is type(expected), describe(task, expected, found)
        return
    assert isinstance(expected, dict)
    assert isinstance(found, dict), describe(task, expected, found)
    assert list(found) == list(expected), describe(task, expected, found)
    for z, mine in expected.items():
        theirs = found[z]
        if all(getattr(e.content, "determined", True) for e in mine):
            assert same(mine, theirs), f"z={z}\n" + describe(task, mine, theirs)


def same(mine: Sequence[Evaluation], theirs: Sequence[Evaluation]) -> bool:
    return len(mine) == len(theirs) and all(
        a.t == b.t and difference(a.content, b.content, "term") is None
        for a, b in zip(mine, theirs, strict=True)
    )


def check_verdict(task: Task, found: object) -> str:
    observed = task.observed or ()
    try:
        expected = judge(task.case, task.dials, observed)
    except (Unsupported, ValueError) as refusal:
        assert type(found) is type(refusal), describe(task, refusal, found)
        return "refused"
    assert isinstance(found, Verdict), describe(task, expected, found)
    assert told(found) == told(expected), describe(task, expected, found)
    if expected.divergence is not None:
        return expected.divergence.kind.value
    if found.t0 != expected.t0:
        # Another vector may do as well; then it has to do by the specification, too.
        answer = Expectation(task.case, task.dials).answer(found.t0)
        start = t_s(task.case, task.dials)
        comparison = compare(answer, observed, task.case, task.dials, start)
        assert comparison.divergence is None, describe(task, expected, found)
    return "correct"


def told(verdict: Verdict) -> tuple[object, ...]:
    """What a user is told of VERDICT; of a right answer not which of several z makes it right."""
    if verdict.divergence is None:
        return verdict.correct, verdict.t_s
    return verdict.t_s, verdict.t0, verdict.divergence.kind, verdict.divergence.t


def describe(task: Task, expected: object, found: object) -> str:
    return f"{task}\nspecification: {expected}\nSpark: {found}"


def test_random_cases(semantics: SparkSemantics) -> None:
    seen = check_batch(semantics, start=1, size=600)
    # The comparison is worth something only if it meets right answers and wrong ones of each kind.
    assert seen["correct"] > 200, seen
    assert len([kind for kind, number in seen.items() if number >= 3]) >= 6, seen


def test_generated_cases_under_every_profile(semantics: SparkSemantics) -> None:
    cases = [
        (case, profile.resolve(case_features(case)), Random(number))
        for profile in map(bundled_profile, profile_names())
        for number, case in enumerate(generated(60, profile))
    ]
    seen = check_cases(semantics, cases)
    assert seen["correct"] > len(cases) / 4, seen


def generated(number: int, profile: Profile) -> list[Case]:
    """Cases as the suite draws them under PROFILE."""
    return draw_many(strategies.cases(profile=profile), number)


@pytest.mark.burnin
@pytest.mark.parametrize("start", range(2, 12))
def test_many_random_cases(semantics: SparkSemantics, start: int) -> None:
    check_batch(semantics, start, size=4000)


def test_single_rows_are_refused_by_name(semantics: SparkSemantics) -> None:
    """They are the specification's alone; what cannot be judged is not judged wrongly."""
    dials = Dials(answers="rows", answer_time="arrival")
    found = semantics.judge([Task("rows", Case(Query(), until=2), dials, ())])["rows"]
    assert isinstance(found, Unsupported)
    assert "answers = rows" in str(found)


@pytest.mark.parametrize("clock", ["any", "own"])
def test_an_answer_without_an_instant_is_a_wrong_instant(
    semantics: SparkSemantics, clock: str
) -> None:
    """Not silence, though the elements that the kit appends may have set it off."""
    query = Query(windows=(WindowDeclaration(iri("w"), iri("s"), 2, 2),))
    case = Case(query, until=4, streams=(iri("s"),))
    dials = Dials().with_dials({"clock": clock, "answer_time": "arrival", "advances": "elements"})
    observed = (Observed(None, Rows((), ()), None),)
    task = Task("late", case, dials.with_dial("report", "COMPUTED EVERY 2"), observed)
    found = semantics.judge([task])["late"]
    assert check_verdict(task, found) == "wrong instant"


def test_an_answer_without_an_instant_is_compared_after_those_later_than_until(
    semantics: SparkSemantics,
) -> None:
    """Within the tolerance the late one is the answer that is due (decision 20)."""
    query = Query(windows=(WindowDeclaration(iri("w"), iri("s"), 2, 2),))
    case = Case(query, until=4, streams=(iri("s"),))
    dials = Dials().with_dials({"t0": "0", "report": "COMPUTED EVERY 4", "time_tolerance": 2})
    expected = Rows((), ((),))
    tasks = [
        Task(name, case, dials, tuple(Observed(t, expected, None) for t in stamps))
        for name, stamps in (("first", (None, 6)), ("last", (6, None)))
    ]
    found = semantics.judge(tasks)
    for task in tasks:
        verdict = found[task.key]
        assert check_verdict(task, verdict) == "wrong instant"
        assert isinstance(verdict, Verdict) and verdict.divergence is not None
        assert verdict.divergence.t is None


@pytest.mark.parametrize("tolerance", [1, 2])
def test_what_is_due_long_before_t_s_is_compared_with_nothing(tolerance: int) -> None:
    """As by the specification (tests/spec/test_alignment.py)."""
    compared: list[int] = []

    def difference(due: DueAnswer[str], given: GivenAnswer) -> None:
        compared.append(due.t)

    due = [DueAnswer(t, t, "content") for t in range(1, 60)]
    given = [GivenAnswer(t, Truth(True), t, required=t >= 55) for t in range(1, 60)]
    dials = Dials().with_dial("time_tolerance", tolerance)
    assert Aligner(dials, 55, difference).align(due, given).right
    assert min(compared) >= 55 - 2 * tolerance
