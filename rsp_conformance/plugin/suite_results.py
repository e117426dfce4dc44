"""The display of a session with a case suite: how many tests had which outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from rsp_conformance.files.earl import OUTCOMES
from rsp_conformance.plugin.options import PREFIX
from rsp_conformance.plugin.results import Results
from rsp_conformance.run.events import PropertyFinished

OUTCOME: Final = "rsp_outcome"
"""The user property of a test's outcome in EARL's words; it reaches JUnit's XML, too."""


class SuiteResults(Results):
    """The results of the tests of a case suite, wherever they ran."""

    prefix = PREFIX

    def user_properties(self, event: PropertyFinished) -> list[tuple[str, object]]:
        """The outcome of a test, and the known causes if it failed."""
        found: list[tuple[str, object]] = [
            (OUTCOME, OUTCOMES[event.outcome]),
            (f"{OUTCOME}_info", event.reason),
        ]
        known = [("rsp_known", "; ".join(event.causes))] if event.verdict == "xfailed" else []
        return [*found, *known]

    def write(self, *_: Any) -> None:
        """Write nothing: there is no table."""

    def last(self) -> Iterator[str]:
        """How many tests had which outcome."""
        counts = Counter(OUTCOMES[event.outcome] for event in self.finished.values())
        known = sum(event.verdict == "xfailed" for event in self.finished.values())
        if counts:
            yield (
                f"{counts['passed']} passed, {counts['failed'] - known} failed, "
                f"{f'{known} known, ' if known else ''}"
                f"{counts['inapplicable']} not for this engine, {counts['cantTell']} not judged"
                f"{f', {left} not asked' if (left := counts['untested']) else ''}"
            )
            if self.vacuous:
                yield "Nothing was compared: this run says nothing about the engine."
        if self.unwritten:
            yield f"Not written: {self.unwritten}"

    def write_timings(self, *_: Any) -> None:
        """Write nothing: no benchmark is made of a case suite."""
