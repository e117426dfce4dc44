"""The suite as pytest items, under stable ids ``rsp::test_<property>``.

Relations between answers are among them, as ``rsp::test_law[FWPush]`` and
``rsp::test_relation[shift]``, under the mark ``laws``.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from rsp_conformance.burnin.config import BurnInConfig, BurnInProgress, NotRun
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.plugin.arguments import PREFIX, Arguments
from rsp_conformance.suite.events import PropertyFinished, PropertyStarted, Verdict, Working
from rsp_conformance.suite.properties import SUITE, Property

if TYPE_CHECKING:
    from rsp_conformance.burnin.result import BurnIn
    from rsp_conformance.plugin.main import Plugin

BURN_IN = "burnin"
"""The name of the burn-in's property and of its mark; the test is ``rsp::test_burnin``."""

WIDTH = 80


def _before_setup() -> None:
    """Stand in for the test that is made when the engine has said what it can do."""


class Suite(pytest.Module):
    """The collector of the suite: a module that stands in no file of the user's."""

    plugin: Plugin

    @classmethod
    def of(cls, session: pytest.Session, plugin: Plugin) -> Suite:
        """The suite of this run."""
        path = session.config.rootpath / "rsp"
        suite: Suite = cls.from_parent(session, path=path, name="rsp", nodeid="rsp")
        suite.plugin = plugin
        return suite

    def _getobj(self) -> Any:
        # pytest imports a module's file here; ours is imported already.
        from rsp_conformance.suite import properties

        return properties

    def collect(self) -> Iterator[PropertyItem]:
        """One item a property."""
        for property in SUITE:
            yield PropertyItem.of(self, property)


class SuiteItem(pytest.Item):
    """A test of the suite, which shows its failure by itself."""

    plugin: Plugin

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any, **__: Any) -> Any:
        """The argument where the engine failed; what pytest says of anything else."""
        text = self.plugin.explain(excinfo.value)
        return super().repr_failure(excinfo) if text is None else text

    def reportinfo(self) -> tuple[str, None, str]:
        """Where the item stands: in the suite, in no line of a file."""
        return "rsp", None, self.name


class PropertyItem(SuiteItem, pytest.Function):
    """One property as a test."""

    property: Property

    @classmethod
    def of(cls, suite: Suite, property: Property) -> PropertyItem:
        """The item of PROPERTY."""
        item: PropertyItem = cls.from_parent(
            suite, name=f"test_{property.name}", callobj=_before_setup
        )
        item.property = property
        item.plugin = suite.plugin
        item.add_marker("rsp")
        if property.relation is not None:
            item.add_marker("laws")
        return item

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
        self.plugin.perform(self, super().runtest)


class NotWell(AssertionError):
    """An engine that did not stand the burn-in; ``found`` says everything."""

    def __init__(self, found: BurnIn) -> None:
        super().__init__(f"{found.engine}: {', '.join(found.kinds) or found.verdict}")
        self.found = found


class BurnInItem(SuiteItem):
    """One long stream against the engine, on a connection of its own."""

    @staticmethod
    def wanted(config: pytest.Config, given: Arguments) -> bool:
        """Whether the burn-in is asked for, by its mark or by its id.

        It takes minutes, so without either it is not even collected: a user has no ``-m "not
        burnin"`` among the options of every run.
        """
        marks = re.findall(r"\w+", str(config.getoption("markexpr")))
        return BURN_IN in marks or f"{PREFIX}test_{BURN_IN}" in given.selected

    @classmethod
    def of(cls, session: pytest.Session, plugin: Plugin) -> BurnInItem:
        """The item of this run."""
        name = f"test_{BURN_IN}"
        item: BurnInItem = cls.from_parent(session, name=name, nodeid=f"{PREFIX}{name}")
        item.plugin = plugin
        item.add_marker("rsp")
        item.add_marker("burnin")
        return item

    def runtest(self) -> None:
        """Feed the engine, as ``rsp-conformance burnin`` does."""
        __tracebackhide__ = True
        from rsp_conformance.burnin.run import burn_in

        plugin, given = self.plugin, self.plugin.given
        plugin.listen(PropertyStarted(BURN_IN))
        started = time.perf_counter()
        spark = plugin.oracles.session()
        if spark is None:
            self._skip("judged by Spark alone, which is off")
        config = BurnInConfig(
            engine=given.engine,
            size=given.burnin,
            seed=given.seed,
            options=given.engine_options,
            profile=given.profile,
            profile_name=str(self.config.getoption("rsp_profile") or ""),
            dials=given.dials,
            settings=tuple(self.config.getoption("rsp_dial")),
            time_limit=given.time_limit,
            folder=given.folder,
        )
        try:
            found = burn_in(config, lambda: spark, self._tell)
        except (NotRun, Unsupported) as error:
            self._skip(str(error))
        finally:
            plugin.clear_progress()
        plugin.listen(_finished(found, time.perf_counter() - started))
        if not found.well:
            raise NotWell(found)

    def _skip(self, reason: str) -> NoReturn:
        self.plugin.listen(PropertyFinished(BURN_IN, "not tested", reason=reason))
        pytest.skip(reason)

    def _tell(self, at: BurnInProgress) -> None:
        doing = Working(BURN_IN, at.doing) if at.doing else None
        self.plugin.listen(doing or Working(BURN_IN, "elements", at.elements, at.size))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any, **__: Any) -> Any:
        """Everything that was found; what pytest says of anything else."""
        if isinstance(excinfo.value, NotWell):
            return "\n".join(excinfo.value.found.lines(WIDTH))
        return super().repr_failure(excinfo)


def _finished(found: BurnIn, seconds: float) -> PropertyFinished:
    """How the property ends; evaluations are what was compared."""
    compared = 0 if found.verdict == "not tested" else found.evaluations
    counts = {"compared": compared, "unsupported": 0, "vacuous": 0, "unasked": 0}
    counts["elements"] = found.elements
    note = "" if found.well else str(NotWell(found))
    verdict: Verdict = "passed" if found.well else "failed"
    return PropertyFinished(BURN_IN, verdict, note, note, counts, seconds=seconds)
