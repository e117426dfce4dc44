"""Burn-ins of the reference engine, faultless and with mutants that show late."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.burnin.config import BurnInConfig
from rsp_conformance.burnin.locate import Trials
from rsp_conformance.burnin.metrics import LATENCY, MEMORY
from rsp_conformance.burnin.run import connect
from rsp_conformance.burnin.session import BurnInSession
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.model.observation import Observation
from rsp_conformance.protocol import EngineBroken, InProcessEngine, registry
from rsp_conformance.run.asking import MOST_LOST
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.naming import Naming
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.replay import replay
from rsp_conformance.run.settings import RunSettings
from rsp_conformance.run.worker import Worker
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.text.parse import parse_query
from tests.burnin.conftest import BurnIns

pytestmark = pytest.mark.spark


def test_a_faultless_engine_is_correct(run: BurnIns) -> None:
    found = run(3_000, config={"chunk": 1_500})

    assert found.well
    assert (found.verdict, found.kinds, found.stretch) == ("correct", (), None)
    assert found.elements == 3_000
    assert found.session.feeding.answers > 200
    assert list(found.t0) == [":w1"]
    assert found.standing is not None and found.session.feeding.reached < found.standing.upto
    # A process of its own: an interpreter, but not a JVM.
    assert 20e6 < found.session.engine_bytes < 300e6 < found.kit_bytes
    assert "all answers right" in found.because()


COUNTED = parse_query("""PREFIX : <http://ex.org/> REGISTER RSTREAM :out AS
SELECT ?who FROM NAMED WINDOW :w1 ON STREAM :s1 [ELEMENTS 100 STEP 10]
WHERE { WINDOW :w1 { ?who :isNearby :a3 } }""")


def test_windows_by_count_are_judged_to_the_end(run: BurnIns) -> None:
    config = {"chunk": 700, "query": COUNTED}
    found = run(2_000, config=config, dial__tick="tuple")
    assert (found.verdict, found.session.feeding.answers) == ("correct", 191)
    wrong = run(2_000, fault="one-too-many", config=config, dial__tick="tuple")
    assert wrong.verdict == "wrong" and wrong.stretch is not None


def test_a_lost_answer_is_located_minimised_and_replayed(run: BurnIns) -> None:
    found = run(800, fault="lost-late", every=15, config={"chunk": 400})

    assert found.verdict == "wrong"
    # Where the next answer says the same, that one came at the wrong instant.
    assert found.kinds in {("missing answer",), ("wrong instant",)}
    stretch = found.stretch
    assert stretch is not None and stretch.finding is not None
    # The fifteenth answer of a fresh engine, wherever it starts.
    assert 140 <= stretch.until - stretch.since <= 250
    assert len(stretch.finding.case.elements) <= 2
    assert stretch.finding.case.registered < 10
    crash = read(Path(stretch.shown[0].file))
    with registry.connect("reference", crash.options) as engine:
        assert replay(crash, EngineUnderTest.meet(engine, crash.profile)).outcome.accuses


def test_a_long_stretch_is_tried_in_pieces_with_the_same_verdict(
    spark: SparkHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"fault": "lost-late", "every": "20"}
    with connect("reference", options, 30.0) as engine:
        session = BurnInSession.prepare(BurnInConfig("reference", 800, "3", options), engine)
        trials = trials_of(session, spark)
        short = trials.wrong(100, 400)
        assert short is not None and trials.wrong(100, 280) is None
        monkeypatch.setattr("rsp_conformance.burnin.locate.SHORT", 0)
        long = trials.wrong(100, 400)

    assert long is not None and long.divergence is not None and short.divergence is not None
    assert (long.divergence.t, long.t0) == (short.divergence.t, short.t0)


def trials_of(session: BurnInSession, spark: SparkHandle) -> Trials:
    worker = Worker(session.subject, RunSettings(), Ledger())
    return Trials(session, spark, Naming(worker, session.config.keeper, Opinions()), math.inf)


def test_the_cause_of_a_short_stretch_is_named(run: BurnIns) -> None:
    found = run(1_500, fault="bounds-end", config={"chunk": 1_500})

    assert found.stretch is not None and found.stretch.kept == 1
    (cause,) = found.to_json()["causes"]
    assert cause["id"] == "bounds-end" and cause["contradicts"] == 0 < cause["passing"]
    assert "Behind it stands bounds-end: The closing end" in found.because()
    assert "reproduced 3 times" in found.because()


class Warming(ReferenceEngine):
    """Gives no row, until it is restarted."""

    made = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).made += 1
        self.mute = type(self).made == 1

    def _said(self, reply: dict[str, Any]) -> dict[str, Any]:
        empty = [{**own, "solutions": []} for own in reply.get("answers", ())]
        return {**reply, "answers": empty} if self.mute and "answers" in reply else reply

    def push(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer without rows, at first."""
        return self._said(super().push(request))

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer without rows, at first."""
        return self._said(super().run(request))


def test_what_a_fresh_engine_does_right_is_told_as_unstable(
    run: BurnIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect_to(Warming, monkeypatch)
    found = run(600)

    assert found.kinds == ("wrong rows", "unstable")
    assert "it came in one run of several" in found.because()
    assert "another was right" in found.because()
    assert "Also: unstable" in "\n".join(found.lines(80))


def test_what_the_kits_judges_differ_on_accuses_nobody(
    run: BurnIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    def differs(observation: Observation) -> None:
        raise KitDisagreement("`reference` answers otherwise", observation)

    monkeypatch.setattr("rsp_conformance.burnin.run.confirm_by_both", differs)
    found = run(600, fault="bounds-end")

    assert (found.verdict, found.kinds, found.well) == ("not tested", (), False)
    assert "`reference` answers otherwise" in found.because()
    assert "makes the answer right" not in found.because()


class Babbling(ReferenceEngine):
    """Breaks the protocol on whole cases."""

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Say nothing that could be understood."""
        return {"op": "babble"}


def test_an_engine_that_breaks_on_every_stretch_is_not_asked_for_ever(spark: SparkHandle) -> None:
    session = BurnInSession.prepare(BurnInConfig("mine", 800, "3"), InProcessEngine(Babbling))
    trials = trials_of(session, spark)

    for since in range(MOST_LOST):
        assert not trials.over
        assert trials.wrong(since, 400) is None

    assert trials.over and trials.lost == f"the engine broke the protocol ({MOST_LOST})"
    assert trials.wrong(MOST_LOST, 400) is None  # it is not asked


def test_windows_that_a_pause_shifts_are_located_to_the_pause(run: BurnIns) -> None:
    found = run(3_000, fault="misaligned-after-pause")

    assert found.verdict == "wrong"
    assert found.stretch is not None and found.stretch.finding is not None
    elements = found.stretch.finding.case.elements
    # An element before the pause and one behind it; a third may be needed to see it.
    assert 2 <= len(elements) <= 3
    assert max(b.t - a.t for a, b in pairwise(elements)) > 100


def test_an_engine_that_dies_is_judged_up_to_there(run: BurnIns) -> None:
    found = run(3_000, fault="dies-late", after=2_000)

    assert (found.verdict, found.kinds) == ("correct", ("died",))
    assert not found.well
    assert 1_900 <= found.elements <= 2_000
    assert found.standing is not None and found.failure is not None
    assert 0 < found.standing.upto < found.session.feeding.reached
    assert any("the end, after 2000 elements" in line for line in found.failure.stderr)
    assert (
        f"after {found.elements:,} elements, at instant {found.session.feeding.reached:,}"
        in found.because()
    )


def test_memory_that_leaks_is_a_kind_of_its_own(run: BurnIns) -> None:
    found = run(25_000, fault="leaking", config={"chunk": 10_000})

    assert (found.verdict, found.kinds) == ("correct", (MEMORY,))
    (growth,) = found.growths
    # A kilobyte an element, and the element.
    assert 1_000 < growth.each < 3_000
    assert not found.well


class Slowing(ReferenceEngine):
    """Takes longer the more it has seen since it was made; pauses do not load the machine."""

    seen = 0

    def push(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer, late."""
        self.seen += len(request["elements"])
        time.sleep(self.seen * 1.5e-5)
        return super().push(request)


class Whole(ReferenceEngine):
    """Takes whole cases only."""

    def hello(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The engine, without what is optional."""
        return {k: v for k, v in super().hello(request).items() if k != "pieces"}


def connect_to(engine: type[ReferenceEngine], patch: pytest.MonkeyPatch) -> None:
    patch.setattr("rsp_conformance.burnin.run.connect", lambda *_: InProcessEngine(engine))


def test_latency_that_grows_is_a_kind_of_its_own(
    run: BurnIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect_to(Slowing, monkeypatch)
    found = run(3_000)

    assert (found.verdict, found.kinds) == ("correct", (LATENCY,))
    (growth,) = found.growths
    assert growth.control is not None and growth.end > 1.5 * growth.control
    # In process, it has no memory of its own.
    assert found.session.engine_bytes == 0


def test_an_engine_that_takes_whole_cases_is_judged_at_the_end(
    run: BurnIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect_to(Whole, monkeypatch)
    found = run(1_500, config={"chunk": 600})

    assert found.well
    assert found.session.feeding.answers > 100


def test_what_was_found_stands_without_an_engine_to_search_with(
    run: BurnIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise EngineBroken("the driver failed 3 hellos in a row")

    monkeypatch.setattr("rsp_conformance.burnin.run.locate", gone)
    found = run(300, fault="lost-late", every=3)

    assert (found.verdict, found.stretch) == ("wrong", None)
    assert "ended by the engine: the driver failed 3 hellos in a row" in found.because()
