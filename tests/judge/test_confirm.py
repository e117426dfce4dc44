"""No engine is accused on the word of one SPARQL library."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.evaluation import by_library, by_rdflib
from rsp_conformance.explain.report import report
from rsp_conformance.judge import confirm
from rsp_conformance.judge.confirm import Opinions, confirmed_verdict
from rsp_conformance.judge.crash_file import Keeper, read
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation, Stimulus
from rsp_conformance.judge.replay import ERROR, FAILED, replay
from rsp_conformance.judge.verdict import finding_of, ruling_on
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import EnginesDisagree, KitError, Unsupported
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.verdict import Kind, Verdict
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.r2r.evaluator import Evaluator
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec.ans import answer
from rsp_conformance.spec.correctness import judge
from rsp_conformance.suite.context import Context
from tests.builders.engines import Flawed
from tests.builders.sparql import iri, query, triple

DIALS = Dials(t0=0)
ASKED = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] WHERE {{ WINDOW :w {{ ?x {} ?y }} }}"
LIBRARY = Evaluator(by_library.refuse, by_library.solutions)


def case(path: str = ":p/:p") -> Case:
    elements = (
        StreamElement(iri("s"), 1, (triple(":a", ":p", ":b"), triple(":b", ":p", ":c"))),
        StreamElement(iri("s"), 3, (triple(":c", ":p", ":c"),)),
    )
    asked = query("SELECT ?x ?y " + ASKED.format(path))
    return Case(query=asked, elements=elements, registered=0, until=4)


def right(asked: Case, evaluator: Evaluator = LIBRARY) -> tuple[Observed, ...]:
    return tuple(Observed(e.t, e.content) for e in answer(asked, DIALS, (0,), evaluator))


def wrong(observed: tuple[Observed, ...]) -> tuple[Observed, ...]:
    """OBSERVED, the last row of the first answer missing."""
    first = observed[0].content
    assert isinstance(first, Rows) and first.rows
    return (replace(observed[0], content=replace(first, rows=first.rows[:-1])), *observed[1:])


def other(*_: object) -> Relation:
    """A second library that finds nothing, whatever it is asked."""
    return Relation(("x", "y"), [], way="library")


def never(*_: object) -> Relation:
    raise AssertionError("nobody asked for this opinion")


def refusing(*_: object) -> Relation:
    raise Unsupported("by rdflib: it gives up")


def test_a_right_answer_needs_no_second_opinion() -> None:
    verdict = confirmed_verdict(case(), DIALS, right(case()), Opinions(second=never))
    assert verdict == Verdict(True, (0,), 0)
    assert verdict.ways == ("library",)


def test_a_wrong_answer_is_confirmed_by_rdflib() -> None:
    asked: list[Query] = []

    def second(one: Query, dataset: Dataset) -> Relation:
        asked.append(one)
        return by_rdflib.solutions(one, dataset)

    observed = wrong(right(case()))
    verdict = confirmed_verdict(case(), DIALS, observed, Opinions(second=second))
    assert not verdict.correct and verdict.divergence is not None
    assert verdict.divergence.kind is Kind.ROWS
    assert asked


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (other, "of one window pyoxigraph makes 1 rows and rdflib 0; only pyoxigraph: "),
        (refusing, "rdflib gives no second opinion: by rdflib: it gives up"),
    ],
)
def test_a_wrong_answer_on_which_libraries_differ_is_not_judged(
    second: Callable[..., Relation], said: str
) -> None:
    with pytest.raises(EnginesDisagree) as caught:
        confirmed_verdict(case(), DIALS, wrong(right(case())), Opinions(second=second))
    assert caught.value.what.startswith(said)
    assert str(caught.value).startswith("SPARQL engines disagree here: " + said)
    assert isinstance(caught.value, KitError)


def test_an_order_on_which_they_differ_is_a_difference_too() -> None:
    ordered = case(":p|:p")
    text = "SELECT ?x ?y " + ASKED.format(":p|:p") + " ORDER BY ?x ?y"
    ordered = replace(ordered, query=query(text))

    def backwards(asked: Query, dataset: Dataset) -> Relation:
        found = by_rdflib.solutions(asked, dataset)
        return replace(found, rows=found.rows[::-1])

    with pytest.raises(EnginesDisagree, match="in another order"):
        confirmed_verdict(ordered, DIALS, wrong(right(ordered)), Opinions(second=backwards))


def test_the_definitions_confirm_where_size_alone_chose_the_library() -> None:
    plain = case(":p")
    observed = wrong(right(plain))
    verdict = confirmed_verdict(plain, DIALS, observed, Opinions(first=LIBRARY, second=never))
    assert not verdict.correct and verdict.ways == ("library",)
    by_definitions = judge(plain, DIALS, observed)
    # The rows within a divergence come in whatever order.
    assert replace(verdict, divergence=None) == replace(by_definitions, divergence=None)
    with pytest.raises(EnginesDisagree, match="the definitions' evaluator 0"):
        confirmed_verdict(plain, DIALS, observed, Opinions(first=LIBRARY, definitions=other))


def test_the_definitions_own_word_is_enough() -> None:
    plain = case(":p")
    opinions = Opinions(definitions=never, second=never)
    verdict = confirmed_verdict(plain, DIALS, wrong(right(plain)), opinions)
    assert (verdict.correct, verdict.ways) == (False, ("definitions",))


# --- From an engine's answer to the reports.


def spoilt(_: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    for found in reply["answers"]:
        found["solutions"] = found["solutions"][:-1]
    return reply


def subject_and_observation() -> tuple[EngineUnderTest, Observation]:
    subject = EngineUnderTest.meet(InProcessEngine(Flawed(spoilt)))
    observation = subject.ask(Stimulus(case()))
    assert observation.unsupported is None and observation.failure is None, observation
    return subject, observation


def test_a_confirmed_finding_says_who_evaluated_wherever_it_is_told(tmp_path: Path) -> None:
    subject, observation = subject_and_observation()
    ruling = ruling_on(observation)
    assert ruling.dispute is None
    finding = finding_of("paths", subject, observation, ruling.verdict)
    assert finding is not None
    text = report(finding)
    assert "Patterns were evaluated by a library (pyoxigraph) and confirmed by rdflib." in text
    path = Keeper(tmp_path, "flawed", {}, "1").keep(finding, subject)
    assert json.loads(path.read_text("utf-8"))["expected"]["evaluated"] == ["library"]
    crash = read(path)
    assert crash.evaluated == ("library",)
    assert replay(crash, subject).status == FAILED


def test_a_dispute_is_no_finding_and_replay_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject, observation = subject_and_observation()
    finding = finding_of("paths", subject, observation, ruling_on(observation).verdict)
    assert finding is not None
    crash = read(Keeper(tmp_path, "flawed", {}, "1").keep(finding, subject))
    monkeypatch.setattr(confirm, "OPINIONS", Opinions(second=other))
    ruling = ruling_on(observation)
    assert ruling.verdict is None and ruling.dispute is not None
    assert finding_of("paths", subject, observation, ruling.verdict) is None
    found = replay(crash, subject)
    assert found.status == ERROR
    assert found.message.startswith("SPARQL engines disagree here: ")


class CertainSpark:
    """Stands in for Spark, which asks one library: every answer is wrong."""

    def submit(self, observations: list[Observation]) -> Future[list[Verdict | None]]:
        future: Future[list[Verdict | None]] = Future()
        future.set_result([Verdict(False, (0,), 0, ways=("library",)) for _ in observations])
        return future

    def hurry(self) -> None:
        """Nothing to do."""


def test_the_suite_counts_a_dispute_with_its_query_and_does_not_blame_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(confirm, "OPINIONS", Opinions(second=other))
    subject = EngineUnderTest.meet(InProcessEngine(Flawed(spoilt)))
    context = Context(subject, seed=1, spark=CertainSpark())  # type: ignore[arg-type]
    stimulus = Stimulus(case())
    context.prime("paths", [stimulus])
    context.confirm("paths")
    judged = context.known(stimulus)
    assert judged is not None and judged.dispute is not None
    assert context.finding("paths", judged) is None
    context.count("paths", [stimulus], {stimulus})
    tally = context.tally("paths")
    assert (tally.compared, tally.vacuous, tally.disputed, tally.cases) == (0, 0, 1, 1)
    (told,) = tally.disputes
    assert told.startswith("SPARQL engines disagree here: ") and ":p/:p" in told
    assert "1 on which SPARQL engines disagree" in str(tally.too_few(10))
