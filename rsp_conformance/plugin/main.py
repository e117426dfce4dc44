"""The plugin of a run that names an engine: one session of the suite, hook by hook."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, nullcontext, suppress
from functools import cached_property, partial
from typing import Any

import psutil
import pytest
from hypothesis import settings as hypothesis_settings

from rsp_conformance import ending
from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.garbage import leave_in_peace, seldom_garbage
from rsp_conformance.judge.crash_file import OtherEngine
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.judge.spark_judge import BATCH, FIRST, PATIENCE, SparkJudge
from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.plugin import results
from rsp_conformance.plugin.annotations import commands, place
from rsp_conformance.plugin.failures import Failures, carried
from rsp_conformance.plugin.items import PropertyItem, SuiteItem, end_of, suite_items, take_over
from rsp_conformance.plugin.options import PREFIX, Options, is_controller, worker_input
from rsp_conformance.plugin.outputs import Outputs
from rsp_conformance.plugin.progress import ProgressLine
from rsp_conformance.plugin.suite_results import SuiteResults
from rsp_conformance.relations.pair import EnginePair
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.events import (
    EVENTS,
    MOMENTARY,
    CausesFound,
    Event,
    PropertyFinished,
    Working,
)
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.ledger_file import Earlier, LedgerFile
from rsp_conformance.run.lines import Lines
from rsp_conformance.run.modes import MODES
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.properties import Property, property_named
from rsp_conformance.run.reference_opinion import confirm_by_reference
from rsp_conformance.run.report import FailureText
from rsp_conformance.run.session import Session
from rsp_conformance.run.settings import RunSettings
from rsp_conformance.run.work import Work
from rsp_conformance.spark.session import SessionStarter

INTERRUPTED = pytest.ExitCode.INTERRUPTED

SPARK_OFF = "off"


class Plugin:
    """One session of the suite; under xdist one in the controller and one in each worker.

    Args:
        config: pytest's configuration.
        options: the options of the suite.
        subject: the engine under test; None if tests are only collected.
        master: where Spark judges, or `SPARK_OFF`. All workers use the controller's session.
        file: keeps the run.
        earlier: the work of the run that is resumed.
        tests: the tests of a case suite that take the place of the properties.
    """

    def __init__(
        self,
        config: pytest.Config,
        options: Options,
        subject: EngineUnderTest | None,
        master: str,
        *,
        file: LedgerFile | None = None,
        earlier: Earlier | None = None,
        tests: tuple[Property, ...] = (),
    ) -> None:
        self.config = config
        self.options = options
        self.tests = tests
        self.subject = subject
        self.start_seconds = 0.0
        self.starter: SessionStarter | None = None
        self.progress = ProgressLine(config, "tests" if tests else "properties")
        off = master == SPARK_OFF
        second = "the third opinion (Spark is off)" if off else f"Spark ({master})"
        self.judged_by = f"the reference model and {second}"
        if tests:
            self.judged_by = "the answers that the suite records"
        self._master = master
        self._spark: SparkJudge | None = None
        self._patience = PATIENCE
        self._results = results.Results() if options.suite is None else SuiteResults()
        self.failures = Failures(config, self._results, options.engine)
        self._file = file
        self._earlier = earlier
        self._session: Session | None = None
        self._left = 1
        self._counts: dict[str, list[tuple[str, object]]] = {}
        self._events: list[Event] = []
        self._outputs = Outputs(config, options, self._results, self.judged_by)

    # --- the session -----------------------------------------------------------------------

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register the marks of the suite; in other runs they may be somebody else's."""
        config.addinivalue_line("markers", "rsp: a property of the RSP conformance suite")
        config.addinivalue_line("markers", "laws: a law or a relation between an engine's answers")
        config.addinivalue_line("markers", "burnin: takes minutes; runs only where -m asks for it")

    def pytest_report_header(self) -> list[str]:
        """Say which engine is tested, against which profile, and who judges."""
        if self.subject is None:
            return []
        return results.header(self.options, self.subject, self.judged_by)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Add the suite to the items, before -k, -m and --lf choose among them.

        Raises:
            pytest.UsageError: the command line names a test that the suite does not have.
        """
        if not self.options.joins:
            return
        suite = list(suite_items(session, self))
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
        """Get Spark ready to be started, if this process will run properties."""
        own = [item for item in session.items if isinstance(item, SuiteItem)]
        self._left = sum(isinstance(item, PropertyItem) for item in own)
        if worker := worker_input(self.config):
            self._left = -(-self._left // int(worker["workercount"]))
        runs = self.subject is not None and not worker and not is_controller(self.config)
        if runs and own and not self.tests and self._master != SPARK_OFF:
            self._spark = self._judge_by_spark()

    def _judge_by_spark(self, at_least: int = 1) -> SparkJudge:
        """The judge of this process, with at least so many cases in a job."""
        self.starter = SessionStarter(self._master)
        return SparkJudge(self.starter, at_least, FIRST)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """Let signals end the suite's work, but not a debugger's."""
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
        """Whether the run has found as many causes as it is to stop after."""
        return self._results.has_enough(self.options.stop_after)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send the events, or the work on a property, along with the report."""
        report = yield
        if isinstance(item, PropertyItem) and item.work is not None and report.when == "call":
            # xdist carries whatever is in a report.
            vars(report)["rsp_work"] = self._lines.write(item.work)
        elif isinstance(item, SuiteItem):
            self._complete(report, item.texts)
        else:
            vars(report)["rsp_events"] = []
        return report

    def _complete(self, report: pytest.TestReport, texts: Sequence[FailureText]) -> None:
        """Add to a report the events since the last one."""
        happened = self._happened()
        for event in happened:
            if isinstance(event, PropertyFinished):
                self._counts[report.nodeid] = self._results.user_properties(event)
        place(report, happened, self.config)
        failed = report.when == "call" and report.failed
        vars(report)["rsp_failures"] = carried(texts) if failed else []
        vars(report)["rsp_events"] = [EVENTS.write(Event, event) for event in happened]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logreport(
        self, report: pytest.TestReport
    ) -> Generator[None, object, object]:
        """Take over a worker's work before anybody sees its report; then gather events."""
        line = getattr(report, "rsp_work", None)
        if line is not None and is_controller(self.config):
            self._take(report, line)
        if report.when == "teardown":  # It is this report whose properties reach JUnit's XML.
            report.user_properties += self._counts.pop(report.nodeid, [])
        self._results.add(report)
        done = yield
        if self._has_enough and is_controller(self.config):
            # Without an end by Interrupted, after which nothing would be named.
            controller: Any = self.config.pluginmanager.get_plugin("dsession")
            controller.triggershutdown()
        return done

    def _take(self, report: pytest.TestReport, line: str) -> None:
        """Change the report of a worker's property to the verdict on its trials."""
        assert self.subject is not None
        with ending.watched():
            finished = self.session.take(work := self._lines.read(line))
        texts = self.texts(finished)
        take_over(report, end_of(work.property, finished, texts, report.nodeid))
        self._complete(report, texts)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table property × verdict."""
        self._results.fold_skips(terminalreporter.stats.get("skipped", []))
        if self.subject is not None and not worker_input(self.config):
            by = self.judged_by
            starter = self.starter
            if self._results.lost or (starter is not None and not starter.has_started):
                begun = starter is None or starter.has_begun
                said = "did not answer" if begun else "was not asked"
                by = f"the reference model alone: Spark ({self._master}) {said}"
            self._results.written += self.progress.lines
            self._results.write(terminalreporter, self.options, self.subject, by)
            unkept = [self._file.lost] if self._file is not None and self._file.lost else []
            for line in (*self._outputs.lines, *unkept, *self._results.last()):
                terminalreporter.write_line(line)
            failed = [*self.failures.reports, *terminalreporter.getreports("error")]
            ours = (report for report in failed if report.nodeid.startswith(PREFIX))
            for line in commands(self.config, ours, self._results, self.options.engine):
                terminalreporter.write_line(line)
        self.failures.unfold(terminalreporter)

    def pytest_keyboard_interrupt(self) -> None:
        """Do not wait for a job of Spark's, nor for workers: somebody has interrupted the run."""
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
                try:
                    done = yield
                finally:  # Another plugin's file may not fit on the disk.
                    self._end_session(session, deferral)
            finally:
                self.progress.end()
        return done

    def _end_session(self, session: pytest.Session, deferral: ending.Deferral) -> None:
        """Name causes, unless somebody ends the run first, and write all that is known then."""
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
        if (self._results.finished and not self._passed) or self._results.unwritten:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @property
    def _passed(self) -> bool:
        options = self.options
        return self._results.passed(options.xfails, strict=options.xfails_strict)

    def _close_run(self, *, named: bool) -> None:
        """End the engine and Spark; name the causes found by now if that was not done yet."""
        self._results.take(self._happened())
        if not named:
            by_now = [CAUSES.write(Cause, cause) for cause in self._results.discovered.values()]
            self._results.take([CausesFound(tuple(by_now))])
        self.progress.clear()
        self.close()
        leave_in_peace()

    def _end_run(self, *, whole: bool) -> None:
        """End the run; a whole one names the causes of its failures. Workers decide nothing."""
        if self._session is None or worker_input(self.config):
            return
        self._session.finish(waiting=whole, naming=whole)
        self._results.take(self._happened())

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Give every worker the same seed and a place for files (a hook of xdist)."""
        # One property may take a minute and the next a second: no worker is to sit on several.
        self.config.option.maxschedchunk = self.config.option.maxschedchunk or 1
        node.workerinput["rsp_seed"] = self.options.seed
        node.workerinput["rsp_dir"] = str(self.options.dir)
        if self._spark is None and self._master != SPARK_OFF:
            self._spark = self._judge_by_spark(BATCH)

    def pytest_unconfigure(self) -> None:
        """Leave nothing running, whatever has happened."""
        self.close()
        self._results.write_timings(self.config, self.options.dir)

    def close(self) -> None:
        """End the engine and Spark."""
        if self.subject is not None:
            self.subject.close()
        self._end_spark()

    def _end_spark(self) -> None:
        if self._spark is not None:
            self._spark.close(self._patience)

    # --- one property ----------------------------------------------------------------------

    def listen(self, event: Event) -> None:
        """Show the present work, and keep the other events."""
        if isinstance(event, Working):
            self.progress(event)
        elif not isinstance(event, MOMENTARY):
            self._events.append(event)

    def _happened(self) -> list[Event]:
        """The events since the last call."""
        self._events, happened = [], self._events
        return happened

    def _other(self) -> OtherEngine | None:
        """The second engine, as crash files name it."""
        if not isinstance(self.subject, EnginePair):
            return None
        options, other = self.options, self.subject.other
        return OtherEngine(options.against or "", options.against_option, other.profile)

    @property
    def _keeper(self) -> Keeper:
        """The keeper that writes failures down."""
        options = self.options
        return Keeper(
            options.dir,
            options.engine,
            options.engine_option,
            options.seed,
            self._other(),
            unwritten=self._results.lose_crash_files,
        )

    @property
    def session(self) -> Session:
        """The run, made when the first property needs it."""
        if self._session is None:
            assert self.subject is not None
            options, mode = self.options, MODES[self.options.mode]
            default = hypothesis_settings()
            settings = RunSettings(
                seed=options.seed,
                budget=Budget(options.examples or default.max_examples, options.max_time),
                marks=tuple(options.xfails),
                known=tuple(options.known),
                deep=options.deep,
                shrinking=mode.shrinking,
                judged_by=self.judged_by,
                # Where Hypothesis saves nothing, as in CI, nothing of an earlier run comes first.
                before=None if default.database is None else options.dir,
            )
            opinions = Opinions(self._spark, confirm_by_reference, self._waits)
            ledger = Ledger(self.listen, file=self._file, earlier=self._earlier)
            self._session = Session(self.subject, settings, self._keeper, ledger, opinions)
            ledger.seconds["start-up"] += self.start_seconds
            self.failures.fit(self._session.naming.reporter)
        return self._session

    @cached_property
    def _lines(self) -> Lines:
        """The writer and reader of the lines that workers send."""
        assert self.subject is not None
        return Lines(self.subject, partial(property_named, among=self.tests))

    def _waits(self, name: str) -> None:
        self.listen(Working(name, "waiting for Spark"))

    def tested(self, property: Property) -> PropertyFinished | Work:
        """Test a property; a worker only draws, asks and judges."""
        shares, self._left = max(1, self._left), self._left - 1
        if worker_input(self.config):
            return self.session.work(property, shares)
        return self.session.run(property, shares)

    def stopped(self, reason: str) -> PropertyFinished | Work:
        """End a property that was stopped from outside, with what was found of it."""
        work = self.session.current
        work.stopped = reason
        return work if worker_input(self.config) else self.session.end(work)

    def interrupted(self) -> None:
        """End the property that an interrupt has cut off, with what was found of it by then."""
        if self._session is not None and not worker_input(self.config):
            work = self._session.current
            work.cut = "interrupted"
            self._session.end(work)

    def lost(self, reason: str) -> Work | None:
        """The work of a worker on the property in which its engine was lost; else None."""
        if not worker_input(self.config):
            return None
        work = self.session.current
        work.broken = reason
        return work

    def texts(self, finished: PropertyFinished) -> list[FailureText]:
        """The failures that are shown of a failed property."""
        shown = self.session.ledger.shown(finished.property)
        return self.session.naming.reporter.texts(shown) if shown else []
