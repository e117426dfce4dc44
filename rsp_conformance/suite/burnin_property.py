"""The burn-in as a property of the suite: one long stream instead of many cases.

Not among ``PROPERTIES``: it draws nothing, and runs only where it is asked for by its mark.
"""

from __future__ import annotations

from typing import Final

from rsp_conformance.burnin.result import NOT_TESTED, BurnIn
from rsp_conformance.suite.events import PropertyFinished, Verdict

BURN_IN: Final = "burnin"
"""Its name, and that of its mark; the test is ``rsp::test_burnin``."""


class NotWell(AssertionError):
    """An engine that did not stand the burn-in; ``found`` says everything."""

    def __init__(self, found: BurnIn) -> None:
        super().__init__(f"{found.engine}: {', '.join(found.kinds) or found.verdict}")
        self.found = found


def finished(found: BurnIn, seconds: float) -> PropertyFinished:
    """How the property ends; evaluations are what was compared."""
    compared = found.evaluations if found.verdict != NOT_TESTED else 0
    counts = {"compared": compared, "unsupported": 0, "vacuous": 0, "unasked": 0}
    counts["elements"] = found.elements
    note = "" if found.well else str(NotWell(found))
    verdict: Verdict = "passed" if found.well else "failed"
    return PropertyFinished(BURN_IN, verdict, note, note, counts, seconds=seconds)
