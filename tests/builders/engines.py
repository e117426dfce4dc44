"""Engines for the suite's tests: the reference engine, and flawed ones around it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import read_options
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.finding import Shown
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.events import Listener, PropertyFinished, nobody
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.opinions import Opinion, Opinions
from rsp_conformance.run.properties import Property, property_named
from rsp_conformance.run.selection import not_applicable
from rsp_conformance.run.session import Session
from rsp_conformance.run.settings import RunSettings

Flaw = Callable[[dict[str, Any], dict[str, Any]], Mapping[str, Any]]
"""Makes an answer of a request and of the right answer to it."""

ONE_START = {"dial.t0": "0"}
"""Options under which cases are soon judged and shrunk, and causes soon found: the engine says that
its windows start at 0, and no case has thousands of starts."""


class Flawed:
    """The reference engine, its answers spoilt by FLAW, its hello by SAID; keeps the requests."""

    def __init__(
        self, flaw: Flaw, said: Mapping[str, Any] = MappingProxyType({}), **options: str
    ) -> None:
        self._engine = ReferenceEngine(read_options(options))
        self._flaw = flaw
        self._said = {"engine": "flawed", **said}
        self.requests: list[dict[str, Any]] = []

    @property
    def asked(self) -> int:
        return len(self.requests)

    def hello(self, request: dict[str, Any]) -> Mapping[str, Any]:
        return {**self._engine.hello(request), **self._said}

    def run(self, request: dict[str, Any]) -> Mapping[str, Any]:
        self.requests.append(request)
        return self._flaw(request, dict(self._engine.run(request)))


def right(_: dict[str, Any], reply: dict[str, Any]) -> Mapping[str, Any]:
    return reply


def error(request: dict[str, Any], kind: str) -> Mapping[str, Any]:
    return {"op": "run", "id": request["id"], "error": {"kind": kind, "message": f"this {kind}"}}


def run_of(
    engine: Any,
    folder: Path,
    *,
    examples: int = 20,
    spark: Any = None,
    opinion: Opinion | None = None,
    emit: Listener = nobody,
    known: Iterable[KnownCause] = (),
    seed: int = 7,
    max_seconds: float | None = None,
    **more: Any,
) -> Session:
    """A run against ENGINE, a Python engine; it saves nothing but crash files."""
    own = engine if isinstance(engine, InProcessEngine) else InProcessEngine(engine)
    subject = EngineUnderTest.meet(own)
    budget = Budget(examples, max_seconds)
    settings = RunSettings(
        seed=seed, budget=budget, known=tuple(known), judged_by="the test", **more
    )
    keeper = Keeper(folder, "flawed", {}, str(seed))
    return Session(subject, settings, keeper, Ledger(emit), Opinions(spark, opinion))


def perform(run: Session, *names: str) -> PropertyFinished:
    """Run properties one after another, as the plugin does; how the last one ended."""
    *_, finished = [run.run(property_named(name)) for name in names]
    return finished


def applicable(run: Session, properties: tuple[Property, ...]) -> list[Property]:
    return [p for p in properties if not_applicable(p, run.subject) is None]


def in_turn(*flaws: Flaw, over_again: bool = False) -> Flaw:
    """Spoils the runs of a case by one of FLAWS after another, then by the last or OVER AGAIN."""
    runs: Counter[str] = Counter()

    def spoilt(request: dict[str, Any], reply: dict[str, Any]) -> Mapping[str, Any]:
        case = json.dumps({**request, "id": ""}, sort_keys=True)
        place, last = runs[case], len(flaws) - 1
        runs[case] += 1
        return flaws[place % len(flaws) if over_again else min(place, last)](request, reply)

    return spoilt


class FakeSpark:
    """Stands in for Spark: the specification's verdicts, as SPOILT makes them, or its KitError."""

    def __init__(self, spoilt: Callable[[Verdict], Verdict] = lambda verdict: verdict) -> None:
        self._spoilt = spoilt
        self.jobs: list[int] = []
        self.is_starting = False

    def submit(self, observations: list[Observation]) -> Future[list[Verdict | None]]:
        self.jobs.append(len(observations))
        future: Future[list[Verdict | None]] = Future()
        verdicts = [verdict_on(observation) for observation in observations]
        try:
            future.set_result([None if v is None else self._spoilt(v) for v in verdicts])
        except KitError as error:
            future.set_exception(error)
        return future

    def hurry(self) -> None:
        """Nothing to do: every verdict is there at once."""

    def close(self) -> None:
        """Nothing to close."""


def contradicted(verdict: Verdict) -> Verdict:
    return replace(verdict, correct=not verdict.correct)


def failures_of(run: Session, name: str) -> list[Shown]:
    """What is shown of a property that fails."""
    finished = perform(run, name)
    assert finished.verdict == "failed", finished
    return run.ledger.shown(name)


def kinds_of(failures: Iterable[Shown]) -> set[str]:
    return {failure.finding.kind for failure in failures}


def rows_lost(_: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    answers = [{**a, "solutions": []} if "solutions" in a else a for a in reply["answers"]]
    return {**reply, "answers": answers}


def rows_doubled(_: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    answers = [{**a, "solutions": 2 * a["solutions"]} for a in reply["answers"]]
    return {**reply, "answers": answers}
