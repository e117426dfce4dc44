"""The plugin where an engine is named: one session of the suite, hook by hook."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import psutil
import pytest

from rsp_conformance import ending
from rsp_conformance.causes.cause import CAUSES, Cause
from rsp_conformance.causes.known import KnownCauses
from rsp_conformance.differential.pair import EnginePair
from rsp_conformance.garbage import leave_in_peace, seldom_garbage
from rsp_conformance.judge.crash_file import OtherEngine
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.judge.shared_judge import JudgeServer, SharedJudge
from rsp_conformance.judge.spark_judge import BATCH, FIRST, PATIENCE, SparkJudge
from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.plugin import results
from rsp_conformance.plugin.annotations import commands, place
from rsp_conformance.plugin.case_items import (
    CaseItem,
    CaseResults,
    case_items,
)
from rsp_conformance.plugin.failures import Failures, carried
from rsp_conformance.plugin.items import SuiteItem, suite_items
from rsp_conformance.plugin.options import PREFIX, Options, is_controller, worker_input
from rsp_conformance.plugin.outputs import Outputs
from rsp_conformance.plugin.progress import ProgressLine
from rsp_conformance.spark import folders
from rsp_conformance.spark.session import SessionStarter
from rsp_conformance.suite.asking import Budget
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.events import (
    EVENTS,
    MOMENTARY,
    CausesFound,
    Event,
    PropertyFinished,
    Working,
)
from rsp_conformance.suite.evidence import LEAST, causes_found, gathered_evidence, leave_evidence
from rsp_conformance.suite.exchange import Exchange
from rsp_conformance.suite.findings import SEARCHING
from rsp_conformance.suite.modes import MODES
from rsp_conformance.suite.reference_opinion import confirm_by_reference
from rsp_conformance.suite.run import Run

INTERRUPTED = pytest.ExitCode.INTERRUPTED

SPARK_OFF = "off"


class Plugin:
    """One session of the suite; under xdist one in the controller and one in each worker.

    ``subject`` is the engine under test, None where tests are only collected; ``known`` is what is
    known of it. Spark judges at ``master``, where it is not off, in the session of the ``starter``:
    that of the controller for all workers.
    """

    def __init__(
        self, config: pytest.Config, options: Options, subject: EngineUnderTest | None, master: str
    ) -> None:
        self.config = config
        self.options = options
        self.subject = subject
        self.start_seconds = 0.0
        self.starter: SessionStarter | None = None
        self.progress = ProgressLine(config)
        off = master == SPARK_OFF
        second = "`reference` (Spark is off)" if off else f"Spark ({master})"
        self.judged_by = f"the specification and {second}"
        self._master = master
        self._spark: SparkJudge | SharedJudge | None = None
        self._server: JudgeServer | None = None
        self._patience = PATIENCE
        self._results = results.Results()
        self._cases = CaseResults()
        self.failures = Failures(config, self._results, options)
        self.known = KnownCauses(options.known)
        self._run: Run | None = None
        self._next: pytest.Item | None = None
        self._shared: Path | None = None
        self._is_named = False
        self._events: list[Event] = []
        self._outputs = Outputs(config, options, self._results, self._cases, self.judged_by)

    # --- the session -----------------------------------------------------------------------

    def pytest_configure(self, config: pytest.Config) -> None:
        """Say what the marks mean; in other runs they are whoever's they are."""
        config.addinivalue_line("markers", "rsp: a property of the RSP conformance suite")
        config.addinivalue_line("markers", "laws: a law or a relation between an engine's answers")
        config.addinivalue_line("markers", "burnin: takes minutes; runs only where -m asks for it")

    def pytest_report_header(self) -> list[str]:
        """What is tested, against what, and who judges."""
        if self.subject is None:
            return []
        return results.header(self.options, self.subject, self.judged_by)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """The suite joins the items, before -k, -m and --lf choose among them."""
        if not self.options.joins:
            return
        of_cases = self.options.suite is not None
        suite = list((case_items if of_cases else suite_items)(session, self))
        # What pytest's terminal counts as collected.
        gathered = pytest.CollectReport("rsp", "passed", None, list(suite))
        session.config.hook.pytest_collectreport(report=gathered)
        wanted = set(self.options.selected)
        ids = [item.nodeid for item in suite]
        if unknown := sorted(wanted.difference(ids)):
            near = did_you_mean(unknown[0], ids)
            raise pytest.UsageError(f"no such test: {', '.join(unknown)}{near}")
        items.extend(item for item in suite if not wanted or item.nodeid in wanted)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Have Spark ready to be started, where this process will run properties."""
        worker = worker_input(self.config)
        runs = self.subject is not None and not is_controller(self.config)
        asked = any(
            isinstance(item, SuiteItem) and not isinstance(item, CaseItem) for item in session.items
        )
        if runs and asked and self._master != SPARK_OFF:
            self._spark = SharedJudge(worker["rsp_judge"]) if worker else self._judge_by_spark()

    def _judge_by_spark(self, at_least: int = 1) -> SparkJudge:
        """The judge of this process, whose jobs have AT_LEAST cases."""
        self.starter = SessionStarter(self._master)
        return SparkJudge(self.starter, at_least, FIRST)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """Note what comes next, to ask ahead; have signals end the suite's work, no debugger's."""
        self._next = nextitem
        with ExitStack() as around:
            if isinstance(item, SuiteItem):
                around.callback(leave_in_peace)
                around.enter_context(ending.watched(insisting=not self.config.option.usepdb))
                around.enter_context(seldom_garbage())
            done = yield
        if self._has_enough and not worker_input(self.config):
            item.session.shouldfail = f"--rsp-stop-after {self.options.stop_after}: causes found"
        return done

    @property
    def _has_enough(self) -> bool:
        """Whether as many causes were found as the run is to stop after."""
        return self._results.has_enough(self.options.stop_after)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send what happened along with the report; counts reach JUnit's properties too."""
        happened = self._happened()
        for event in happened:
            if isinstance(event, PropertyFinished):
                item.user_properties += results.user_properties(event)
        report = yield
        if isinstance(item, SuiteItem):
            place(report, happened, self.config)
            vars(report)["rsp_rounds"] = (
                carried(item.rounds) if report.when == "call" and report.failed else []
            )
        # xdist carries whatever stands in a report.
        vars(report)["rsp_events"] = [EVENTS.write(Event, event) for event in happened]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather events, in the controller too."""
        self._results.add(report)
        self._cases.add(report)
        if self._has_enough and is_controller(self.config):
            # Without an end by Interrupted, after which nothing would be named.
            controller: Any = self.config.pluginmanager.get_plugin("dsession")
            controller.triggershutdown()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table property × verdict."""
        self.failures.unfold(terminalreporter)
        self._results.fold_skips(terminalreporter.stats.get("skipped", []))
        if self.subject is not None and not worker_input(self.config):
            by = self.judged_by
            starter = self.starter
            if self._results.lost or (starter is not None and not starter.has_started):
                begun = starter is None or starter.has_begun
                said = "did not answer" if begun else "was not asked"
                by = f"the specification alone: Spark ({self._master}) {said}"
            self._results.write(terminalreporter, self.options, self.subject, by)
            for line in (*self._outputs.lines, *self._cases.lines()):
                terminalreporter.write_line(line)
            if self._results.unwritten and not self._results.finished:
                terminalreporter.write_line(f"Not written: {self._results.unwritten}")
            failed = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
            ours = (report for report in failed if report.nodeid.startswith(PREFIX))
            for line in commands(self.config, ours, self._results, self.options.engine):
                terminalreporter.write_line(line)

    def pytest_keyboard_interrupt(self) -> None:
        """Whoever interrupts does not want to wait for a job of Spark's, nor for workers."""
        self._patience = 0.0
        if is_controller(self.config):
            from execnet.gateway_io import popen_bootstrapline

            # xdist would wait for them for up to 15 seconds.
            for child in psutil.Process().children():
                with suppress(psutil.Error):
                    if popen_bootstrapline in child.cmdline():
                        child.terminate()

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """End everything that was started; a run that compared nothing is no success."""
        with ending.watched(), ending.deferred() as deferral:
            try:
                done = yield
                self._end_session(session, deferral)
            finally:
                self.progress.end()
        return done

    def _end_session(self, session: pytest.Session, deferral: ending.Deferral) -> None:
        """Name causes, as long as nobody has told us to end, and write all that is known then."""
        whole = session.exitstatus != INTERRUPTED
        try:
            with deferral.lifted() if whole else nullcontext():
                self._end_run(whole=whole)
        except KeyboardInterrupt:
            whole = False
            self._outputs.lines.append("Interrupted: the causes are those found on the way.")
            self.pytest_keyboard_interrupt()
        self._close_run(named=whole)
        if self.subject is not None and not worker_input(self.config):
            complete = whole and not self._has_enough
            self._outputs.write(self.subject, passed=self._passed, complete=complete)
        if deferral.came:
            session.exitstatus = INTERRUPTED
        if worker_input(self.config) or session.exitstatus != pytest.ExitCode.OK:
            session.exitstatus = ending.status() or session.exitstatus
            return
        lost = self._results.unwritten or self._cases.vacuous
        if (self._results.finished and not self._passed) or lost:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @property
    def _passed(self) -> bool:
        options = self.options
        return self._results.passed(options.xfails, strict=options.xfails_strict)

    def _close_run(self, *, named: bool) -> None:
        """Have what was found by now named, where it was not NAMED, and end engine and Spark."""
        self._results.take(self._happened())
        if not named:
            by_now = [CAUSES.write(Cause, cause) for cause in self._results.discovered.values()]
            self._results.take([CausesFound(tuple(by_now))])
        self.progress.clear()
        self.close()
        leave_in_peace()

    def _end_run(self, *, whole: bool) -> None:
        """End the run of this process, or name what workers have found, if it is WHOLE."""
        worker = worker_input(self.config)
        if self._run is not None:
            self._run.finish(waiting=whole, naming=whole and not worker)
            happened = self._happened()
            self._results.take(happened)
            if worker:
                output = vars(self.config)["workeroutput"]
                output["rsp_events"] = [EVENTS.write(Event, event) for event in happened]
                leave_evidence(*self._run.left, Path(worker["rsp_folder"]), worker["workerid"])
        elif whole:
            self._name_causes()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """Name what all workers have found while they end, which takes them seconds."""
        done = yield
        with ending.watched():
            self._name_causes()
        return done

    def _name_causes(self) -> None:
        """Name the causes of what workers have found, where there were any; once."""
        if self._shared is None or not self._results.findings or self._is_named:
            return
        self._is_named = True
        # No worker asks Spark any more, which goes slowly.
        Thread(target=self._end_spark).start()
        evidence, likely = gathered_evidence(self._shared)
        found = causes_found(
            evidence,
            self.subject,
            KnownCauses(self.options.known),
            likely,
            # What workers of a deep run have found by then is to be found here again.
            least=SEARCHING if self.options.deep else LEAST,
            keeper=self._keeper,
            ran=self._results.finished,
        )
        self._results.take([found])

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what happened in a worker at its end (a hook of xdist)."""
        sent = getattr(node, "workeroutput", {}).get("rsp_events", ())
        self._results.take(EVENTS.read(Event, event) for event in sent)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Give every worker the same seed and judge, and a place for files (a hook of xdist)."""
        # One property may take a minute and the next a second: no worker is to sit on several.
        self.config.option.maxschedchunk = self.config.option.maxschedchunk or 1
        node.workerinput["rsp_seed"] = self.options.seed
        node.workerinput["rsp_dir"] = str(self.options.dir)
        if self._shared is None:
            self._shared = folders.make("rsp-workers")
        node.workerinput["rsp_folder"] = str(self._shared)
        if self._master != SPARK_OFF:
            if self._server is None:
                self._spark = judge = self._judge_by_spark(BATCH)
                self._server = JudgeServer(judge)
            node.workerinput["rsp_judge"] = self._server.place

    def pytest_unconfigure(self) -> None:
        """Whatever happened, leave nothing running."""
        self.close()
        if self._shared is not None:
            # A worker that was killed has not tidied up.
            folders.remove(self._shared)
        self._results.write_timings(self.config, self.options.dir)

    def close(self) -> None:
        """End the engine and Spark."""
        if self.subject is not None:
            self.subject.close()
        self._end_spark()

    def _end_spark(self) -> None:
        if self._server is not None:
            self._server.close()
        if self._spark is not None:
            self._spark.close(self._patience)

    # --- one property ----------------------------------------------------------------------

    def listen(self, event: Event) -> None:
        """Show what is going on, and keep what sums it up."""
        if isinstance(event, Working):
            self.progress(event)
        elif not isinstance(event, MOMENTARY):
            self._events.append(event)

    def _happened(self) -> list[Event]:
        """The events since the last call."""
        self._events, happened = [], self._events
        return happened

    def coming(self, item: pytest.Item) -> Sequence[pytest.Item]:
        """What this process will run after ITEM, as far as it knows."""
        if worker_input(self.config):
            return [self._next] if self._next is not None else []
        return item.session.items[item.session.items.index(item) + 1 :]

    def _other(self) -> OtherEngine | None:
        """The second engine, as crash files name it."""
        if not isinstance(self.subject, EnginePair):
            return None
        options, other = self.options, self.subject.other
        return OtherEngine(options.against or "", options.against_option, other.profile)

    @property
    def _keeper(self) -> Keeper:
        """What writes failures down."""
        options = self.options
        return Keeper(
            options.dir, options.engine, options.engine_option, options.seed, self._other()
        )

    @property
    def run(self) -> Run:
        """The run, made when the first property needs it."""
        if self._run is None:
            assert self.subject is not None
            options = self.options
            budget = Budget(MODES[options.mode].shrinking, thorough=options.deep)
            context = SuiteContext(
                self.subject,
                seed=options.seed,
                spark=self._spark,
                opinion=confirm_by_reference,
                emit=self.listen,
                known=options.known,
                budget=budget,
                exchange=Exchange.of(worker_input(self.config)),
            )
            context.ledger.seconds["start-up"] += self.start_seconds
            self._run = Run(
                context,
                self._keeper,
                judged_by=self.judged_by,
                examples=options.examples,
                marks=options.xfails,
                max_seconds=options.max_time,
                deferred=bool(worker_input(self.config)),
                deep=options.deep,
            )
            self.failures.fit(self._run.reporter)
        return self._run
