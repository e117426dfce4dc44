"""The burn-in: generate, feed, judge, watch, piece by piece, and locate what is wrong."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from rsp_conformance.burnin.config import BurnInConfig, NotRun, Tell
from rsp_conformance.burnin.feeding import Judging
from rsp_conformance.burnin.locate import Search, Trials, is_short, locate
from rsp_conformance.burnin.metrics import Peak, growing_memory
from rsp_conformance.burnin.minimise import minimised
from rsp_conformance.burnin.result import BurnIn
from rsp_conformance.burnin.session import BurnInSession, latency_grown
from rsp_conformance.model.errors import require
from rsp_conformance.protocol import Engine, EngineError, ProtocolEngine, registry
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.naming import Naming
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.plan_opinion import JUDGED_BY, confirm_by_both
from rsp_conformance.run.settings import RunSettings
from rsp_conformance.run.worker import Worker
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream.long_judge import LongJudge, Standing


def burn_in(
    config: BurnInConfig, spark: Callable[[], SparkHandle], tell: Tell = lambda _: None
) -> BurnIn:
    """Run a burn-in.

    Args:
        config: what to run.
        spark: gives the session that judges.
        tell: hears of progress.

    Raises:
        NotRun: the extra ``burnin`` is not installed, there is nothing to ask or to feed, query,
            profile and dials do not fit together, or the engine does not take the query.
        Unsupported: the query or the profile is not judged in pieces.
        EngineError, EngineSpecError, SparkUnavailable: there is no engine, or no Spark.
    """
    for module in ("picire", "scipy"):
        require(module, refused=lambda reason, remedy: NotRun(f"{reason}: {remedy}"))
    with ExitStack() as stack:
        engine = stack.enter_context(connect(config.engine, config.options, config.time_limit))
        with _fitting():
            session = BurnInSession.prepare(config, engine, tell)
        handle = spark()
        peak = stack.enter_context(Peak(engine.pid))
        with _fitting():
            first = session.source.first
            judge = LongJudge(handle, session.case, session.dials, first=first)
        with Judging(judge, config.chunk) as judging:
            session.feed(judging)
            session.say("waiting for the judge", judging)
            standing = judging.settle()
        failure = session.feeding.failure
        if failure is not None and failure.kind == "unsupported" and not session.feeding.elements:
            raise NotRun(f"{config.engine} does not do this: {failure.message}")
        growths = (growing_memory(session.samples), latency_grown(session))
        search = _located(session, handle, standing)
        return BurnIn(
            session,
            standing,
            tuple(growth for growth in growths if growth is not None),
            search,
            time.perf_counter() - session.started,
            peak.bytes,
        )


@contextmanager
def _fitting() -> Iterator[None]:
    """Within it, a ValueError says that what was given does not fit together."""
    try:
        yield
    except ValueError as error:
        raise NotRun(str(error)) from error


def _located(
    session: BurnInSession, spark: SparkHandle, standing: Standing | None
) -> Search | None:
    """The shortest stretch that shows what is wrong; None where nothing is."""
    if standing is None or standing.verdict.correct:
        return None
    session.say("looking for the shortest stretch that shows it")
    settings = RunSettings(seed=session.config.seed, judged_by=JUDGED_BY)
    worker = Worker(session.subject, settings, Ledger())
    naming = Naming(worker, session.config.keeper, Opinions(opinion=confirm_by_both))
    trials = Trials(session, spark, naming, time.monotonic() + session.config.locate_seconds)
    stretch, trouble = None, ""
    try:
        stretch = locate(trials, standing.verdict, standing.upto)
        if stretch is not None and is_short(stretch):
            session.say("minimising")
            stretch = minimised(trials, stretch)
    except EngineError as error:
        # What was found before stands without it.
        trouble = error.message
    return Search(stretch, trials.tried, trials.over, trouble or trials.lost)


def connect(spec: str, options: Mapping[str, str], time_limit: float) -> Engine:
    """Connect an engine.

    The kit's own engine, which elsewhere runs in process, runs as its stdio driver. Other engines
    run as their registration says; one in process shares the kit's memory and its fate.

    Args:
        spec: how the engine is named.
        options: its options.
        time_limit: the seconds for a piece of the stream.

    Raises:
        EngineSpecError, EngineUnavailable: as ``registry.connect`` does.
    """
    connected = registry.connect(spec, options, time_limit)
    if spec != "reference":
        return connected
    command = [sys.executable, "-m", "rsp_conformance.adapters.reference"]
    written = [f"{name}={value}" for name, value in options.items()]
    return ProtocolEngine([*command, *written], time_limit=time_limit)
