"""The session of a burn-in, without a judge: when it ends, and what the judge is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.burnin import feeding
from rsp_conformance.burnin.config import BurnInConfig, BurnInProgress
from rsp_conformance.burnin.metrics import growing_latency
from rsp_conformance.burnin.session import BurnInSession, latency_grown
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.spark.stream.long_judge import LongJudge, Standing


@dataclass(frozen=True)
class Chunk:
    """What a judge was given at once, with the instant up to which it is all; None at the end."""

    elements: tuple[StreamElement, ...]
    observed: tuple[Observed, ...]
    upto: int | None


@dataclass
class Judge:
    """Takes chunks, and has lost the last t0 vector after so many of them."""

    most: int = 1_000
    chunks: list[Chunk] = field(default_factory=list)
    settled: int = 0

    def take(
        self,
        elements: tuple[StreamElement, ...],
        observed: tuple[Observed, ...],
        upto: int | None = None,
    ) -> Standing:
        self.chunks.append(Chunk(elements, observed, upto))
        alive = ((0,),) if len(self.chunks) < self.most else ()
        return Standing(upto or 0, alive, Verdict(bool(alive), (0,), 0), 0)

    finish = take


class Judging(feeding.Judging):
    """Counts how often it is waited for."""

    def __init__(self, judge: Judge, chunk: int) -> None:
        super().__init__(cast(LongJudge, judge), chunk)
        self.judge = judge

    def settle(self) -> Standing | None:
        self.judge.settled += 1
        return super().settle()


def feed(session: BurnInSession, judge: Judge) -> None:
    """Feed all of it, or as far as it goes."""
    with Judging(judge, session.config.chunk) as judging:
        session.feed(judging)


def fed(
    config: BurnInConfig, judge: Judge, made: Callable[[], ReferenceEngine] = ReferenceEngine
) -> tuple[BurnInSession, list[BurnInProgress]]:
    told: list[BurnInProgress] = []
    with InProcessEngine(made) as engine:
        session = BurnInSession.prepare(config, engine, told.append)
        feed(session, judge)
    return session, told


def test_everything_reaches_the_judge_once_and_in_time() -> None:
    judge = Judge()
    session, told = fed(BurnInConfig("reference", 2_000, "3", chunk=500), judge)

    given = [element for chunk in judge.chunks for element in chunk.elements]
    assert tuple(given) == session.source.elements(0, 2_000)
    assert sum(len(chunk.observed) for chunk in judge.chunks) == session.feeding.answers > 100
    assert judge.chunks[-1].upto is None
    come = -1
    for chunk in judge.chunks[:-1]:
        # What is said to be all is all: later chunks hold nothing of it.
        assert chunk.upto is not None
        assert come < chunk.upto < chunk.elements[-1].t
        come = chunk.upto
    for chunk, before in zip(judge.chunks[1:], judge.chunks, strict=False):
        assert before.upto is not None
        assert all(element.t > before.upto for element in chunk.elements)
        assert all(o.t is not None and o.t > before.upto for o in chunk.observed)
    assert [at.elements for at in told][-1] == 2_000
    assert session.feeding.whole


def test_a_wrong_engine_is_not_fed_to_the_end_unless_asked_for() -> None:
    config = BurnInConfig("reference", 2_000, "3", chunk=500)
    session, _ = fed(config, Judge(most=2))
    assert not session.feeding.whole and 1_000 <= session.feeding.elements < 1_200

    further = BurnInConfig("reference", 2_000, "3", chunk=500, keep_going=True)
    session, _ = fed(further, Judge(most=2))
    assert session.feeding.whole and session.feeding.elements == 2_000


def test_an_engine_that_learns_time_from_elements_hears_of_the_end() -> None:
    judge = Judge()
    options = {"profile": "rsp-js", "advances": "elements"}
    session, _ = fed(BurnInConfig("reference", 600, "3"), judge, lambda: ReferenceEngine(options))

    assert session.feeding.elements == sum(len(chunk.elements) for chunk in judge.chunks) == 600
    # What the kit appends is no element of the case, but may be what an answer came by.
    assert any(answer.cause == 600 for answer in judge.chunks[-1].observed)


def test_what_is_asked_for_is_a_command_and_pieces_enough_for_a_trend() -> None:
    assert [BurnInConfig("e", size, "0").push for size in (10, 2_000, 10_000, 100_000, 10**6)] == [
        *(20, 20, 100, 1_000, 1_000)
    ]
    assert BurnInConfig("e", 10**6, "0", chunk=100).push == 10
    config = BurnInConfig(
        "reference", 100, "a b", {"fault": "leaking"}, profile_name="cqels", settings=("r2s=set",)
    )
    assert config.command == (
        "rsp-conformance burnin --engine reference --engine-option fault=leaking --elements 100 "
        "--seed 'a b' --profile cqels --dial r2s=set"
    )


class Slow(ReferenceEngine):
    """Takes longer the more elements the machine has seen, whatever engine it was that saw them.

    By a clock of its own: on this machine's another program may be what takes long.
    """

    seen = 0
    clock = 0.0

    def push(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer, late."""
        Slow.seen += len(request["elements"])
        Slow.clock += Slow.seen * 1.5e-5
        return super().push(request)


def test_a_machine_that_slows_a_fresh_engine_as_well_is_not_the_engines_mutant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feeding, "time", SimpleNamespace(perf_counter=lambda: Slow.clock))
    judge = Judge()
    with InProcessEngine(Slow) as engine:
        session = BurnInSession.prepare(BurnInConfig("slow", 3_000, "3"), engine)
        feed(session, judge)

        assert growing_latency(session.samples) is not None
        assert latency_grown(session) is None
    # The last pushes waited until the judge was idle.
    assert judge.settled == 1


class Late(ReferenceEngine):
    """Hands its answers out some pushes late, and the rest at the end."""

    def __init__(self, pushes: int) -> None:
        super().__init__()
        self.kept: list[list[Any]] = [[] for _ in range(pushes)]

    def push(self, request: Mapping[str, Any]) -> dict[str, Any]:
        reply = super().push(request)
        self.kept.append(reply["answers"])
        return reply | {"answers": self.kept.pop(0)}

    def close(self, request: Mapping[str, Any]) -> dict[str, Any]:
        reply = super().close(request)
        return reply | {"answers": [*(a for kept in self.kept for a in kept), *reply["answers"]]}


@pytest.mark.parametrize("pushes", [0, 1, 3, 10])
def test_late_answers_are_waited_for(pushes: int) -> None:
    judge = Judge()
    fed(BurnInConfig("late", 2_000, "3", chunk=500), judge, lambda: Late(pushes))
    assert len(judge.chunks) > 3
    sure = -1
    for chunk in judge.chunks:
        # What was said to be all was all: nothing of it comes later.
        assert all(answer.t is not None and answer.t > sure for answer in chunk.observed)
        sure = sure if chunk.upto is None else chunk.upto


def test_of_a_lost_engine_all_is_judged_up_to_its_last_answer() -> None:
    judge = Judge()

    class Dies(ReferenceEngine):
        pushes = 0

        def push(self, request: Mapping[str, Any]) -> dict[str, Any]:
            self.pushes += 1
            if self.pushes > 30:
                raise RuntimeError("gone")
            return super().push(request)

    session, _ = fed(BurnInConfig("dies", 2_000, "3", chunk=500), judge, Dies)
    assert session.feeding.failure is not None and session.feeding.failure.kind == "crashed"
    last = max(answer.t or 0 for chunk in judge.chunks for answer in chunk.observed)
    assert judge.chunks[-1].upto == last - 1 > 300
