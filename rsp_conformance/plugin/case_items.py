"""The tests of a suite of cases as pytest items, and EARL reports of what became of any items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pytest

from rsp_conformance.files.earl import OUTCOMES, EarlAssertion, earl_report, project_iri
from rsp_conformance.files.files import write_whole
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.plugin.items import SuiteItem
from rsp_conformance.plugin.options import PREFIX
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.protocol.forms import Hello
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.run.report import first_line
from rsp_conformance.test_suite.entry import SuiteCase
from rsp_conformance.test_suite.running import assertion, run_case, subject_of

if TYPE_CHECKING:
    from rsp_conformance.plugin.main import Plugin

OUTCOME: Final = "rsp_outcome"
"""The user property of a test's outcome in EARL's words; it reaches JUnit XML, too."""
KNOWN: Final = "rsp_known"
"""That of the known causes of a failed test."""
VERDICTS: Final[Mapping[str, Outcome]] = {
    "passed": Outcome.RIGHT,
    "failed": Outcome.WRONG,
    "engine lost": Outcome.FAILED,
    "xfailed": Outcome.WRONG,
    "skipped": Outcome.UNSUPPORTED,
}
"""The outcome that EARL gives for each verdict on a property; for other verdicts, not judged."""


class CaseItem(SuiteItem):
    """One test of a suite of cases."""

    entry: SuiteCase

    def runtest(self) -> None:
        """Ask the engine, and compare with every legal answer."""
        __tracebackhide__ = True
        subject, suite = self.plugin.subject, self.plugin.options.suite
        assert subject is not None and suite is not None
        try:
            name, known = self.entry.name, self.plugin.known
            ask = partial(self.plugin.asker.one, name)
            found = run_case(self.entry, subject, suite.files_of(name), known, ask)
        except (EngineError, KitError) as error:
            # Nothing that follows could be asked.
            self.session.shouldfail = " ".join(first_line(str(error)).split())
            raise
        self.user_properties += [
            (OUTCOME, OUTCOMES[found.outcome]),
            (f"{OUTCOME}_info", found.reason),
        ]
        if found.known:
            self.user_properties.append((KNOWN, "; ".join(found.known)))
            pytest.xfail(f"known: {'; '.join(found.known)}")
        match found.outcome:
            case Outcome.WRONG | Outcome.FAILED:
                self.headline = found.headline
                pytest.fail(found.reason, pytrace=False)
            case Outcome.UNSUPPORTED:
                pytest.skip(found.reason)
            case Outcome.UNASKED:
                pytest.skip(f"not asked: {found.reason}")
            case Outcome.NOT_JUDGED:
                pytest.skip(f"not judged: {found.reason}")


def case_items(session: pytest.Session, plugin: Plugin) -> Iterator[CaseItem]:
    """The items of a suite of cases, one a test, under its name."""
    assert plugin.options.suite is not None
    for entry in plugin.options.suite.tests:
        item = CaseItem.from_parent(
            session, name=entry.name, nodeid=f"{PREFIX}{entry.name}", plugin=plugin, marks=["rsp"]
        )
        item.entry = entry
        yield item


class CaseResults:
    """What became of the tests of a suite of cases, wherever they ran."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, str]] = {}
        self._known: set[str] = set()

    def add(self, report: pytest.TestReport) -> None:
        """Take note of what a report says of a test."""
        said: dict[str, Any] = dict(report.user_properties)
        if report.when == "call" and OUTCOME in said:
            name = report.nodeid.removeprefix(PREFIX)
            self._found[name] = (said[OUTCOME], said[f"{OUTCOME}_info"])
            if KNOWN in said:
                self._known.add(name)

    @property
    def vacuous(self) -> bool:
        """Whether tests ran, and none of them was for this engine."""
        return bool(self._found) and not {"passed", "failed"} & {o for o, _ in self._found.values()}

    def lines(self) -> Iterator[str]:
        """What is said of them at the end of a run."""
        counts = Counter(outcome for outcome, _ in self._found.values())
        if not counts:
            return
        failed, known = counts["failed"] - len(self._known), len(self._known)
        yield (
            f"{counts['passed']} passed, {failed} failed, {f'{known} known, ' if known else ''}"
            f"{counts['inapplicable']} not for this engine, {counts['cantTell']} not judged"
            f"{f', {left} not asked' if (left := counts['untested']) else ''}"
        )
        if self.vacuous:
            yield "Nothing was compared: this run says nothing about the engine."

    def assertions(self, tests: Iterable[SuiteCase], hello: Hello) -> Iterator[EarlAssertion]:
        """What EARL says of those of TESTS that ran."""
        for entry in tests:
            if entry.name in self._found:
                yield assertion(entry, hello, *self._found[entry.name])


def property_assertions(
    finished: Iterable[PropertyFinished], hello: Hello
) -> Iterator[EarlAssertion]:
    """What EARL says of the properties of a run of the packaged suite."""
    iri, _ = subject_of(hello)
    for one in finished:
        outcome = OUTCOMES[VERDICTS.get(one.verdict, Outcome.NOT_JUDGED)]
        info = one.reason or one.note
        test = project_iri("property", one.property)
        yield EarlAssertion(iri, test, one.property, outcome, info)


def write_earl(path: Any, assertions: Iterable[EarlAssertion], hello: Hello) -> None:
    """Write ASSERTIONS to PATH, whole or not at all; raises OSError."""
    iri, said = subject_of(hello)
    write_whole(path, earl_report({iri: said}, assertions, "rsp-conformance"))
