"""A run without a test framework, and without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.events import Event, Listener, nobody
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.properties import Property
from rsp_conformance.run.reference_opinion import confirm_by_reference
from rsp_conformance.run.session import Session
from rsp_conformance.run.settings import RunSettings


def run_alone(
    engine: EngineUnderTest,
    properties: Sequence[Property],
    *,
    budget: Budget,
    seed: int | str,
    folder: str | Path,
    listen: Listener = nobody,
    known: Iterable[KnownCause] = (),
    deep: bool = False,
) -> tuple[Event, ...]:
    """Return the events of a run, judged by the reference model and `reference`.

    Args:
        engine: the engine.
        properties: the properties to test.
        budget: as for `RunSettings`.
        seed: the same seed draws the same trials.
        folder: the folder for crash files.
        listen: is called with each event as it happens.
        known: the causes that the user knows: wrong answers that they explain are counted apart.
        deep: as for `RunSettings`.

    Raises:
        EngineBroken: there is no engine any more.
    """
    settings = RunSettings(seed=seed, budget=budget, known=tuple(known), deep=deep)
    events: list[Event] = []
    ledger = Ledger(events.append, listen)
    keeper = Keeper(Path(folder), engine.hello.engine, {}, str(seed))
    session = Session(engine, settings, keeper, ledger, Opinions(opinion=confirm_by_reference))
    session.all(properties)
    return tuple(events)
