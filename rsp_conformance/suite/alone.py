"""A run of the suite without a test framework around it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rsp_conformance.judge.crash_file import Keeper
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.suite.context import Context
from rsp_conformance.suite.events import Event, Listener
from rsp_conformance.suite.properties import Property
from rsp_conformance.suite.reference_opinion import confirm_by_reference
from rsp_conformance.suite.report import failures_in
from rsp_conformance.suite.run import Run


def run_alone(
    engine: EngineUnderTest,
    properties: Sequence[Property],
    *,
    examples: int,
    seed: int | str,
    folder: str | Path,
    listen: Listener | None = None,
) -> tuple[Event, ...]:
    """The events of a run of PROPERTIES, judged by the specification and `reference`.

    LISTEN is told each as it happens. Crash files go into FOLDER. Raises EngineBroken where there
    is no engine any more.
    """
    events: list[Event] = []

    def emit(event: Event) -> None:
        events.append(event)
        if listen is not None:
            listen(event)

    context = Context(engine, seed=seed, opinion=confirm_by_reference, emit=emit)
    keeper = Keeper(Path(folder), engine.hello.engine, {}, str(seed))
    judged_by = "the specification and `reference`"
    run = Run(context, keeper, judged_by=judged_by, examples=examples)
    for property in properties:
        if run.skip(property) is not None:
            continue
        try:
            run.run(property)
        except Exception as error:
            # What it is stands in the events.
            if not failures_in(error) and not isinstance(error, KitDisagreement):
                raise
    run.finish()
    return tuple(events)
