"""The suite as pytest items, under stable ids ``rsp::test_<property>``.

Relations between answers are among them, as ``rsp::test_law[FWPush]`` and
``rsp::test_relation[shift]``, under the mark ``laws``; the burn-in is where it is asked for.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from rsp_conformance.burnin.config import BurnInConfig, BurnInProgress, NotRun
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.model.errors import KitError, Unsupported
from rsp_conformance.plugin.failures import failed_property, failure
from rsp_conformance.plugin.options import PREFIX, written
from rsp_conformance.plugin.results import briefly
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.suite.events import PropertyFinished, PropertyStarted, Working
from rsp_conformance.suite.outcome import BURN_IN, burn_in_finished
from rsp_conformance.suite.properties import AGAINST, SUITE, Property
from rsp_conformance.suite.report import Round, failures_in, first_line

if TYPE_CHECKING:
    from rsp_conformance.plugin.main import Plugin

WIDTH = 80


def suite_items(session: pytest.Session, plugin: Plugin) -> Iterator[SuiteItem]:
    """The items of a run: one a property, and the burn-in where its mark or its id asks for it.

    A burn-in takes minutes, so without either it is not even collected: a user has no ``-m "not
    burnin"`` among the options of every run.
    """
    path = session.config.rootpath / "rsp"
    suite = _Suite.from_parent(session, path=path, name="rsp", nodeid="rsp")
    for property in AGAINST if plugin.options.against else SUITE:
        alone = property.relation is None or plugin.options.against is not None
        marks = ["rsp"] if alone else ["rsp", "laws"]
        name = f"test_{property.name}"
        item: PropertyItem = PropertyItem.from_parent(
            suite, name=name, callobj=_before_setup, plugin=plugin, marks=marks
        )
        item.property = property
        yield item
    id = f"{PREFIX}test_{BURN_IN}"
    marks = re.findall(r"\w+", str(session.config.getoption("markexpr")))
    if BURN_IN in marks or id in plugin.options.selected:
        yield BurnInItem.from_parent(
            session, name=f"test_{BURN_IN}", nodeid=id, plugin=plugin, marks=["rsp", BURN_IN]
        )


def _before_setup() -> None:
    """Stand in for the test that is made when the engine has said what it can do."""


class _Suite(pytest.Module):
    """A module that stands in no file of the user's."""

    def _getobj(self) -> Any:
        # pytest imports a module's file here; ours is imported already.
        from rsp_conformance.suite import properties

        return properties


class SuiteItem(pytest.Item):
    """A test of the suite, which shows its failure by itself.

    ``headline`` is what is wrong in a line, where it is not the first of the text; ``rounds`` are
    those of a property that was shown to fail.
    """

    headline: str = ""
    rounds: Sequence[Round] = ()

    def __init__(self, *, plugin: Plugin, marks: list[str], **more: Any) -> None:
        super().__init__(**more)
        self.plugin = plugin
        for mark in marks:
            self.add_marker(mark)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any, **__: Any) -> Any:
        """The argument where the engine failed; what pytest says of anything else."""
        error = excinfo.value
        # Hypothesis asks as well, for what it has met on the way: the last one who asks is pytest.
        self.rounds = ()
        if isinstance(error, KitDisagreement):
            return failure(f"rsp-conformance: internal error: {error}", place=self.nodeid)
        if isinstance(error, (EngineError, KitError, NotWell, pytest.fail.Exception)):
            return failure(str(error), self.headline, self.nodeid)
        failures = failures_in(error)
        if not failures:
            return super().repr_failure(excinfo)
        self.rounds = self.plugin.run.reporter.rounds(failures)
        return failed_property(self.rounds)

    def reportinfo(self) -> tuple[str, None, str]:
        """Where the item stands: in the suite, in no line of a file."""
        return "rsp", None, self.name


class PropertyItem(SuiteItem, pytest.Function):
    """One property as a test."""

    property: Property

    def setup(self) -> None:
        """Skip what the engine cannot express; make the test of what it can."""
        super().setup()
        skipped = self.plugin.run.skip(self.property)
        if skipped is not None:
            pytest.skip(skipped.reason)
        self.obj = self.plugin.run.test_of(self.property)

    def runtest(self) -> None:
        """Generate and ask ahead, then let Hypothesis judge and shrink."""
        __tracebackhide__ = True
        after = self.plugin.coming(self)
        coming = (item.property for item in after if isinstance(item, PropertyItem))
        try:
            finished = self.plugin.run.run(self.property, coming, super().runtest)
        except (EngineError, KitError) as error:
            # Nothing that follows could be judged.
            self.session.shouldfail = " ".join(first_line(str(error)).split())
            raise
        finally:
            self.plugin.progress.clear()
        match finished.verdict:
            case "xfailed":
                pytest.xfail(finished.reason)
            case "failed":
                pytest.fail(briefly(finished.reason), pytrace=False)
            case "not tested":
                pytest.skip(f"not tested: {finished.reason}")


class NotWell(AssertionError):
    """An engine that did not stand the burn-in: everything that was found."""


class BurnInItem(SuiteItem):
    """One long stream against the engine, on a connection of its own."""

    def runtest(self) -> None:
        """Feed the engine, as ``rsp-conformance burnin`` does."""
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
        plugin.listen(burn_in_finished(found, time.perf_counter() - started))
        if not found.well:
            raise NotWell("\n".join(found.lines(WIDTH)))

    def _skip(self, reason: str) -> NoReturn:
        self.plugin.listen(PropertyFinished(BURN_IN, "not tested", reason=reason))
        pytest.skip(reason)

    def _tell(self, at: BurnInProgress) -> None:
        doing = Working(BURN_IN, at.doing) if at.doing else None
        self.plugin.listen(doing or Working(BURN_IN, "elements", at.elements, at.size))
