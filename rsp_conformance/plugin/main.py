"""The plugin where an engine is named: from arguments to a judged session."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from rsp_conformance.adapters.protocol.failures import EngineError
from rsp_conformance.adapters.registry import connect
from rsp_conformance.judgement.crashfile import Keeper
from rsp_conformance.judgement.failures import ConformanceFailure, KitDisagreement
from rsp_conformance.judgement.subject import Subject
from rsp_conformance.model.finding import Finding
from rsp_conformance.plugin import arguments, results, workers
from rsp_conformance.plugin.arguments import BadInput
from rsp_conformance.plugin.items import PropertyItem, Suite
from rsp_conformance.plugin.opinions import Opinions
from rsp_conformance.suite.checks import check, differs, sample_for
from rsp_conformance.suite.context import Context
from rsp_conformance.suite.passes import Passes
from rsp_conformance.suite.properties import Property
from rsp_conformance.suite.report import failures_in, text_of

__all__ = ["BadInput", "Plugin", "install"]


def install(config: pytest.Config) -> None:
    """Read the arguments, meet the engine, and register the plugin; BadInput in one line."""
    workers.receive(config)
    given = arguments.read(config)
    started = time.perf_counter()
    opinions = Opinions(given)
    subject = None
    if not config.getoption("collectonly"):
        opinions.check()
        subject = _meet(given)
    plugin = Plugin(config, given, subject, opinions)
    plugin.start_seconds = time.perf_counter() - started
    if given.alone:
        config.args = []
    elif given.selected:
        config.args = [a for a in config.args if str(a) not in given.selected]
    workers.pass_on(config, given)
    config.pluginmanager.register(plugin, "rsp-suite")


def _meet(given: arguments.Arguments) -> Subject:
    """The engine under test, after its hello."""
    try:
        engine = connect(given.engine, given.engine_options, given.time_limit)
    except ValueError as error:
        raise BadInput(str(error)) from None
    except EngineError as error:
        raise BadInput(" ".join(str(error).split())) from None
    try:
        return Subject.meet(engine, given.profile, given.dials)
    except (EngineError, ValueError) as error:
        engine.close()
        hint = getattr(error, "hint", "")
        message = getattr(error, "message", str(error))
        raise BadInput(" ".join(f"--engine={given.engine}: {message} {hint}".split())) from None


class Plugin:
    """One session of the suite; under xdist one in the controller and one in each worker."""

    def __init__(
        self,
        config: pytest.Config,
        given: arguments.Arguments,
        subject: Subject | None,
        opinions: Opinions,
    ) -> None:
        self.config = config
        self.given = given
        self.subject = subject
        self.start_seconds = 0.0
        self.opinions = opinions
        self.results = results.Results()
        self._context: Context | None = None
        self._passes: dict[str, Passes] = {}
        self._primed: set[str] = set()
        self._next: pytest.Item | None = None
        self._keeper = Keeper(given.folder, given.engine, given.engine_options, given.seed)

    # --- the session -----------------------------------------------------------------------

    def pytest_report_header(self) -> list[str]:
        """What is tested, against what, and who judges."""
        if self.subject is None:
            return []
        return results.header(self.given, self.subject, self.opinions.summary())

    def pytest_sessionstart(self) -> None:
        """Begin to start Spark where this process will need it."""
        if self.subject is not None and not workers.is_controller(self.config):
            self.opinions.start(self.config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """The suite joins the items, before -k, -m and --lf choose among them."""
        if not self.given.joins:
            return
        suite = list(Suite.of(session, self).collect())
        # What pytest's terminal counts as collected.
        gathered = pytest.CollectReport("rsp", "passed", None, list(suite))
        session.config.hook.pytest_collectreport(report=gathered)
        wanted = set(self.given.selected)
        unknown = wanted - {item.nodeid for item in suite}
        if unknown:
            raise pytest.UsageError(f"no such property: {', '.join(sorted(unknown))}")
        items.extend(item for item in suite if not wanted or item.nodeid in wanted)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, nextitem: pytest.Item | None) -> None:
        """Note what comes next, to ask ahead."""
        self._next = nextitem

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather verdicts, in the controller too."""
        self.results.add(report)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table property × verdict."""
        self.results.write(terminalreporter, self.given, self.subject, self.opinions.summary())

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End everything that was started; a run that judged nothing is no success."""
        try:
            if self._context is not None:
                self.results.add_seconds(self._context.seconds)
                workers.report_seconds(self.config, self._context.seconds)
        finally:
            self.close()
        if self.results.vacuous() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_testnodedown(self, node: Any) -> None:
        """Take over a worker's timings (a hook of xdist)."""
        self.results.take_over(getattr(node, "workeroutput", {}))

    def pytest_configure_node(self, node: Any) -> None:
        """Give every worker the same seed (a hook of xdist)."""
        node.workerinput["rsp_seed"] = self.given.seed

    def pytest_unconfigure(self) -> None:
        """Whatever happened, leave nothing running."""
        self.close()
        self.results.write_timings(self.config, self.given.folder)

    def close(self) -> None:
        """End the engine and Spark."""
        if self._context is not None:
            self._context.close()
        elif self.subject is not None:
            self.subject.engine.close()
        self.opinions.close()

    # --- one property ----------------------------------------------------------------------

    def not_applicable(self, property: Property) -> str | None:
        """Why the engine cannot be asked for PROPERTY, or None."""
        from rsp_conformance.strategies import applicable

        assert self.subject is not None
        able = applicable(property.focus, self.subject.features, self.subject.profile)
        return able if isinstance(able, str) else None

    def test_of(self, property: Property) -> Callable[[], None]:
        """The Hypothesis test that judges and shrinks."""
        return self._passes_of(property).judge(lambda case: self._check(property, case))

    def run(self, item: PropertyItem, call: Callable[[], None]) -> None:
        """Ask ahead, replay what was saved, then CALL the test that judges and shrinks."""
        __tracebackhide__ = True
        property = item.property
        context = self.context()
        try:
            self._prime(property)
            for ahead, coming in enumerate(self._coming(item)):
                if not self.opinions.idle(ahead):
                    break
                self._prime(coming)
            self._passes_of(property).replay(lambda case: self._check(property, case))
            context.confirm(property.name)
            call()
        except BaseException as error:
            for failure in failures_in(error):
                self._settle(property, failure)
            raise
        finally:
            item.user_properties.extend(results.measures(context, property))
        self._must_have_judged(property)

    def _prime(self, property: Property) -> None:
        if property.name in self._primed or self.not_applicable(property):
            return
        self._primed.add(property.name)
        context = self.context()
        with context.timed("generation"):
            cases = self._passes_of(property).generate()
        context.prime(property.name, [sample_for(property, case) for case in cases])

    def _coming(self, item: PropertyItem) -> Iterator[Property]:
        """The properties that this process will run next, as far as it knows."""
        if workers.is_worker(self.config):
            coming: Sequence[pytest.Item] = [self._next] if self._next is not None else []
        else:
            place = item.session.items.index(item)
            coming = item.session.items[place + 1 :]
        yield from (c.property for c in coming if isinstance(c, PropertyItem))

    def _check(self, property: Property, case: Any) -> None:
        __tracebackhide__ = True
        check(property, case, self.context(), self._keep)

    def _keep(self, finding: Finding) -> None:
        self._keeper.keep(finding, self.context().subject)

    def _settle(self, property: Property, failure: ConformanceFailure) -> None:
        """Before a shrunk failure is shown: have it confirmed, and see whether it repeats."""
        context = self.context()
        finding = failure.finding
        judged = context.judged(property.name, sample_for(property, finding.case))
        if judged is None:
            return
        context.second_opinion(judged)
        if finding.failure is None:
            again = context.again(judged.exchange.sample)
            failure.repeats = not differs(judged.exchange, again)
        self._keep(finding)

    def _must_have_judged(self, property: Property) -> None:
        """A property on which nothing was judged has not passed."""
        tally = self.context().tally(property.name)
        if tally.judged:
            return
        reasons = "; ".join(reason for reason, _ in tally.reasons.most_common(2))
        pytest.fail(
            f"nothing was judged: the engine declares what {property.aspect!r} needs and answered "
            f"none of {tally.unsupported} cases ({reasons or 'no reason given'})",
            pytrace=False,
        )

    def explain(self, property: Property, error: BaseException) -> str | None:
        """The argument behind a failure; None for anything that is no failure of the engine."""
        if isinstance(error, (KitDisagreement, EngineError)):
            return str(error)
        failures = failures_in(error)
        if not failures:
            return None
        return text_of(failures, self._keeper, self.opinions.summary())

    def context(self) -> Context:
        """The run's context, made when the first property needs it."""
        if self._context is None:
            assert self.subject is not None
            self._context = Context(
                self.subject,
                seed=self.given.seed,
                spark=self.opinions.spark,
                opinion=self.opinions.by_reference,
            )
            self._context.seconds["start-up"] += self.start_seconds
        return self._context

    def _passes_of(self, property: Property) -> Passes:
        if property.name not in self._passes:
            from rsp_conformance.strategies import cases

            assert self.subject is not None
            self._passes[property.name] = Passes(
                property,
                cases(self.subject.features, self.subject.profile, focus=property.focus),
                title=f"{self.subject.hello.engine}__{property.name}",
                run_seed=self.given.seed,
                examples=self.given.examples,
            )
        return self._passes[property.name]
