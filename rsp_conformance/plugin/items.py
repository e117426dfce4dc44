"""The suite as pytest items, under stable ids ``rsp::test_<property>``.

Relations between answers are among them, as ``rsp::test_law[FWPush]`` and
``rsp::test_relation[shift]``, under the mark ``laws``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from rsp_conformance.suite.properties import SUITE, Property

if TYPE_CHECKING:
    from rsp_conformance.plugin.main import Plugin


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
