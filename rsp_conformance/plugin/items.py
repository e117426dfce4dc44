"""The suite as pytest items, under stable ids ``rsp::test_<property>``.

The tests of a case suite have their names alone, as in ``rsp::<test>``. Relations between answers
are ``rsp::test_law[FWPush]`` and ``rsp::test_relation[shift]``, under the mark ``laws``; the
burn-in is there only if it is asked for.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import pytest
from _pytest._code.code import ReprExceptionInfo

from rsp_conformance.burnin.config import BurnInConfig, BurnInProgress, NotRun
from rsp_conformance.model.errors import KitError, Unsupported
from rsp_conformance.plugin.failures import failed_property, failure
from rsp_conformance.plugin.options import PREFIX, written
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.run.causes import briefly
from rsp_conformance.run.events import PropertyFinished, PropertyStarted, Working
from rsp_conformance.run.outcome import BURN_IN
from rsp_conformance.run.properties import AGAINST, SUITE, Property
from rsp_conformance.run.report import FailureText, first_line
from rsp_conformance.run.work import Work

if TYPE_CHECKING:
    from rsp_conformance.plugin.main import Plugin

WIDTH = 80
"""The columns of the burn-in's report."""


def suite_items(session: pytest.Session, plugin: Plugin) -> Iterator[SuiteItem]:
    """The items of a run: one for each property, and the burn-in if its mark or its id asks for it.

    A burn-in takes minutes, so without either it is not even collected: nobody has ``-m "not
    burnin"`` among the options of every run.
    """
    if plugin.options.suite is not None:
        for test in plugin.tests:
            yield _item(session, plugin, test, test.name, ["rsp"])
        return
    for property in AGAINST if plugin.options.against else SUITE:
        alone = property.relation is None or plugin.options.against is not None
        marks = ["rsp"] if alone else ["rsp", "laws"]
        yield _item(session, plugin, property, f"test_{property.name}", marks)
    id = f"{PREFIX}test_{BURN_IN}"
    marks = re.findall(r"\w+", str(session.config.getoption("markexpr")))
    if BURN_IN in marks or id in plugin.options.selected:
        yield BurnInItem.from_parent(
            session, name=f"test_{BURN_IN}", nodeid=id, plugin=plugin, marks=["rsp", BURN_IN]
        )


def _item(
    session: pytest.Session, plugin: Plugin, property: Property, name: str, marks: list[str]
) -> PropertyItem:
    item: PropertyItem = PropertyItem.from_parent(
        session, name=name, nodeid=f"{PREFIX}{name}", plugin=plugin, marks=marks
    )
    item.property = property
    return item


class SuiteItem(pytest.Item):
    """A test of the suite, which shows its failure by itself.

    Attributes:
        texts: the failures that are shown of a property.
    """

    texts: Sequence[FailureText] = ()

    def __init__(self, *, plugin: Plugin, marks: list[str], **more: Any) -> None:
        super().__init__(**more)
        self.plugin = plugin
        for mark in marks:
            self.add_marker(mark)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any, **__: Any) -> Any:
        """The report of a failure; pytest's own for anything else that went wrong."""
        error = excinfo.value
        if isinstance(error, Failed):
            return error.shown
        if isinstance(error, (EngineError, KitError, NotWell, pytest.fail.Exception)):
            return failure(str(error), place=self.nodeid)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[str, None, str]:
        """The place of the item: the suite, and no line of a file."""
        return "rsp", None, self.name


class Failed(AssertionError):
    """A property that failed, with the report that is shown of it."""

    def __init__(self, said: str, shown: ReprExceptionInfo | None) -> None:
        super().__init__(said)
        self.shown = shown


class PropertyItem(SuiteItem):
    """One property as a test.

    Attributes:
        property: the property.
        work: the work of a worker of xdist, whose verdict the controller gives.
    """

    property: Property
    work: Work | None = None

    def setup(self) -> None:
        """Skip a property that the engine can't be asked for."""
        super().setup()
        skipped = self.plugin.session.skip(self.property)
        if skipped is not None:
            pytest.skip(skipped.reason)

    def runtest(self) -> None:
        """Test the property and end as it did; a worker's work is judged by the controller.

        Raises:
            Failed: the property failed.
            EngineError: nothing more can be asked, so the session ends.
            KeyboardInterrupt: somebody ends the run.
        """
        __tracebackhide__ = True
        self.work, self.texts = None, ()
        try:
            found = self.plugin.tested(self.property)
        except (EngineError, KitError) as error:
            # Nothing that follows could be judged.
            said = first_line(str(error))
            self.session.shouldfail = " ".join(said.split())
            self.work = self.plugin.lost(said)
            raise
        except pytest.fail.Exception as error:  # A time limit of pytest's, by another plugin.
            found = self.plugin.stopped(first_line(str(error)))
        except KeyboardInterrupt:
            self.plugin.interrupted()
            raise
        finally:
            self.plugin.progress.clear()
        if isinstance(found, Work):
            self.work = found
            return
        self.texts = self.plugin.texts(found)
        ended = end_of(self.property, found, self.texts, self.nodeid)
        match ended.outcome:
            case "failed":
                raise Failed(ended.said, ended.shown)
            case "xfailed":
                pytest.xfail(ended.said)
            case "skipped":
                pytest.skip(ended.said)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a property ends as a test.

    Attributes:
        outcome: the outcome of the test, in pytest's words.
        said: why, in a line.
        shown: the report that is shown if it failed.
    """

    outcome: Literal["passed", "failed", "skipped", "xfailed"]
    said: str = ""
    shown: ReprExceptionInfo | None = None


def end_of(
    property: Property, finished: PropertyFinished, texts: Sequence[FailureText], place: str
) -> Ending:
    """Return how a property ends as a test.

    Args:
        property: the property.
        finished: how it has ended.
        texts: the failures that are shown of it.
        place: the test's id.
    """
    own = property.entry is not None  # A test of a suite of cases, which words its verdict itself.
    match finished.verdict:
        case "kit error":
            said = f"rsp-conformance: internal error: {finished.reason}"
            return Ending("failed", said, failure(said, place=place))
        case "failed" | "timed out" if texts:
            return Ending("failed", finished.note, failed_property(texts))
        case "failed" | "timed out" if own:
            return Ending("failed", finished.note, failure(finished.reason, finished.note, place))
        case "failed" | "timed out":
            said = briefly(finished.reason)
            return Ending("failed", said, failure(said, place=place))
        case "xfailed":
            return Ending("xfailed", finished.note)
        case "not tested" if not own:
            return Ending("skipped", f"not tested: {finished.reason}")
        case "not tested" | "skipped":
            return Ending("skipped", finished.note)
    return Ending("passed")


def take_over(report: pytest.TestReport, ended: Ending) -> None:
    """Change the report of a worker's property, which passed, to how the property has ended."""
    match ended.outcome:
        case "failed":
            report.outcome, report.longrepr = "failed", ended.shown
        case "xfailed":
            vars(report)["wasxfail"] = ended.said
            _skipped(report, ended.said)
        case "skipped":
            _skipped(report, f"Skipped: {ended.said}")


def _skipped(report: pytest.TestReport, reason: str) -> None:
    report.outcome = "skipped"
    # Of no line of a file, which pytest knows too, and its types do not.
    vars(report)["longrepr"] = ("rsp", None, reason)


class NotWell(AssertionError):
    """An engine did not stand the burn-in; the text has all that was found."""


class BurnInItem(SuiteItem):
    """One long stream against the engine, on a connection of its own."""

    def runtest(self) -> None:
        """Feed the engine, as ``rsp-conformance burnin`` does.

        Raises:
            NotWell: the engine did not stand it.
        """
        __tracebackhide__ = True
        from rsp_conformance.burnin.run import burn_in

        plugin, options = self.plugin, self.plugin.options
        plugin.listen(PropertyStarted(BURN_IN))
        started = time.perf_counter()
        if plugin.starter is None:
            self._skip("judged by Spark alone, which is off")
        spark = plugin.starter.result()
        config = BurnInConfig(
            engine=options.engine,
            size=options.burnin,
            seed=options.seed,
            options=options.engine_option,
            profile=options.profile,
            profile_name=written(self.config, "profile") or "",
            dials=options.dial,
            settings=tuple(written(self.config, "dial") or ()),
            time_limit=options.time_limit,
            folder=options.dir,
        )
        try:
            found = burn_in(config, lambda: spark, self._tell)
        except (NotRun, Unsupported) as error:
            self._skip(str(error))
        finally:
            plugin.progress.clear()
        plugin.listen(found.finished(time.perf_counter() - started))
        if not found.well:
            raise NotWell("\n".join(found.lines(WIDTH)))

    def _skip(self, reason: str) -> NoReturn:
        self.plugin.listen(PropertyFinished(BURN_IN, "not tested", reason=reason))
        pytest.skip(reason)

    def _tell(self, at: BurnInProgress) -> None:
        doing = Working(BURN_IN, at.doing) if at.doing else None
        self.plugin.listen(doing or Working(BURN_IN, "elements", at.elements, at.size))
