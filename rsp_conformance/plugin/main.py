"""The plugin where an engine is named: one session of the suite, hook by hook."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

import pytest

from rsp_conformance.judge.crash_file import Keeper
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.model.errors import KitError
from rsp_conformance.plugin import results, workers
from rsp_conformance.plugin.arguments import Arguments
from rsp_conformance.plugin.items import BurnInItem, PropertyItem, Suite
from rsp_conformance.plugin.oracles import Oracles
from rsp_conformance.plugin.progress import ProgressLine
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.suite.context import Context
from rsp_conformance.suite.events import MOMENTARY, Event, PropertyFinished, Working, to_json
from rsp_conformance.suite.properties import Property
from rsp_conformance.suite.reference_opinion import confirm_by_reference
from rsp_conformance.suite.report import failures_in, first_line
from rsp_conformance.suite.run import Run

INTERRUPTED = pytest.ExitCode.INTERRUPTED


class Plugin:
    """One session of the suite; under xdist one in the controller and one in each worker.

    ``subject`` is the engine under test, None where tests are only collected.
    """

    def __init__(
        self,
        config: pytest.Config,
        given: Arguments,
        subject: EngineUnderTest | None,
        oracles: Oracles,
    ) -> None:
        self.config = config
        self.given = given
        self.subject = subject
        self.start_seconds = 0.0
        self.oracles = oracles
        self.results = results.Results()
        self._progress = ProgressLine(config)
        self._run: Run | None = None
        self._next: pytest.Item | None = None
        self._shared: str | None = None
        self._events: list[Event] = []

    # --- the session -----------------------------------------------------------------------

    def pytest_report_header(self) -> list[str]:
        """What is tested, against what, and who judges."""
        if self.subject is None:
            return []
        return results.header(self.given, self.subject, self.oracles.summary())

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """The suite joins the items, before -k, -m and --lf choose among them."""
        if not self.given.joins:
            return
        suite: list[pytest.Item] = list(Suite.of(session, self).collect())
        if BurnInItem.wanted(session.config, self.given):
            suite.append(BurnInItem.of(session, self))
        # What pytest's terminal counts as collected.
        gathered = pytest.CollectReport("rsp", "passed", None, list(suite))
        session.config.hook.pytest_collectreport(report=gathered)
        wanted = set(self.given.selected)
        unknown = wanted - {item.nodeid for item in suite}
        if unknown:
            raise pytest.UsageError(f"no such property: {', '.join(sorted(unknown))}")
        items.extend(item for item in suite if not wanted or item.nodeid in wanted)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Begin to start Spark, where this process will run properties."""
        runs = self.subject is not None and not workers.is_controller(self.config)
        if runs and any(isinstance(item, (PropertyItem, BurnInItem)) for item in session.items):
            worker = workers.is_worker(self.config)
            folder = workers.folder(self.config)
            self.oracles.start(at_least=workers.BATCH if worker else 1, folder=folder)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, nextitem: pytest.Item | None) -> None:
        """Note what comes next, to ask ahead."""
        self._next = nextitem

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
        # xdist carries whatever stands in a report.
        vars(report)["rsp_events"] = [to_json(event) for event in happened]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather events, in the controller too."""
        self.results.add(report)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table property × verdict."""
        if self.subject is not None and not workers.is_worker(self.config):
            judged_by = self.oracles.summary()
            self.results.write(terminalreporter, self.given, self.subject, judged_by)

    def pytest_keyboard_interrupt(self) -> None:
        """Whoever interrupts does not want to wait for a job of Spark's."""
        self.oracles.patience = 0.0

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End everything that was started; a run that compared nothing is no success."""
        try:
            if self._run is not None:
                self._run.finish(waiting=session.exitstatus != INTERRUPTED)
                happened = self._happened()
                self.results.take(happened)
                workers.hand_over(self.config, happened)
        finally:
            self.close()
        if workers.is_worker(self.config) or session.exitstatus != pytest.ExitCode.OK:
            return
        strict = self.given.strict_marks and self.results.unmet(self.given.marks)
        if self.results.vacuous() or self.results.disagreements or strict:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what happened in a worker at its end (a hook of xdist)."""
        self.results.take(workers.handed_over(node))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Give every worker the same seed, and a place to leave files (a hook of xdist)."""
        node.workerinput["rsp_seed"] = self.given.seed
        if self._shared is None:
            self._shared = tempfile.mkdtemp(prefix="rsp-workers-")
        node.workerinput["rsp_folder"] = self._shared

    def pytest_unconfigure(self) -> None:
        """Whatever happened, leave nothing running."""
        self.close()
        if self._shared is not None:
            # A worker that was killed has not tidied up.
            shutil.rmtree(self._shared, ignore_errors=True)
        self.results.write_timings(self.config, self.given.folder)

    def close(self) -> None:
        """End the engine and Spark."""
        if self.subject is not None:
            self.subject.engine.close()
        self.oracles.close()

    # --- one property ----------------------------------------------------------------------

    def listen(self, event: Event) -> None:
        """Show what is going on, and keep what sums it up."""
        if isinstance(event, Working):
            self._progress(event)
        elif not isinstance(event, MOMENTARY):
            self._events.append(event)

    def clear_progress(self) -> None:
        """Take back what is shown of what is going on."""
        self._progress.clear()

    def _happened(self) -> list[Event]:
        """The events since the last call."""
        self._events, happened = [], self._events
        return happened

    def perform(self, item: PropertyItem, call: Callable[[], None]) -> None:
        """Run a property, of which CALL is the test that judges and shrinks."""
        __tracebackhide__ = True
        try:
            finished = self.run.run(item.property, self._coming(item), call)
        except (EngineError, KitError) as error:
            # Nothing that follows could be judged.
            item.session.shouldfail = " ".join(first_line(str(error)).split())
            raise
        finally:
            self._progress.clear()
        match finished.verdict:
            case "xfailed":
                pytest.xfail(finished.reason)
            case "failed":
                pytest.fail(finished.reason, pytrace=False)
            case "not tested":
                pytest.skip(f"not tested: {finished.reason}")

    def _coming(self, item: PropertyItem) -> Iterator[Property]:
        """The properties that this process will run next, as far as it knows."""
        if workers.is_worker(self.config):
            coming: Sequence[pytest.Item] = [self._next] if self._next is not None else []
        else:
            place = item.session.items.index(item)
            coming = item.session.items[place + 1 :]
        yield from (c.property for c in coming if isinstance(c, PropertyItem))

    def explain(self, error: BaseException) -> str | None:
        """The argument behind a failure; None for an error of which pytest says more."""
        if isinstance(error, KitDisagreement):
            return f"rsp-conformance: internal error: {error}"
        if isinstance(error, (EngineError, KitError, pytest.fail.Exception)):
            return str(error)
        failures = failures_in(error)
        return self.run.reporter.text(failures) if failures else None

    @property
    def run(self) -> Run:
        """The run, made when the first property needs it."""
        if self._run is None:
            assert self.subject is not None
            given = self.given
            context = Context(
                self.subject,
                seed=given.seed,
                spark=self.oracles.spark,
                opinion=confirm_by_reference,
                emit=self.listen,
            )
            context.ledger.seconds["start-up"] += self.start_seconds
            self._run = Run(
                context,
                Keeper(given.folder, given.engine, given.engine_options, given.seed),
                judged_by=self.oracles.summary(),
                examples=given.examples,
                marks=given.marks,
                max_seconds=given.max_seconds,
                deferred=workers.is_worker(self.config),
            )
        return self._run
