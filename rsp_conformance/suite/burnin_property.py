"""The burn-in as a property of the suite: one long stream instead of many cases.

Not among ``PROPERTIES``: it draws nothing, and runs only where it is asked for by its mark.
"""

from __future__ import annotations

from typing import Final

from rsp_conformance.burnin.result import NOT_TESTED, BurnIn

BURN_IN: Final = "burnin"
"""Its name, and that of its mark; the test is ``rsp::test_burnin``."""


class NotWell(AssertionError):
    """An engine that did not stand the burn-in; ``found`` says everything."""

    def __init__(self, found: BurnIn) -> None:
        super().__init__(f"{found.engine}: {', '.join(found.kinds) or found.verdict}")
        self.found = found


def check(found: BurnIn) -> None:
    """Raise NotWell where something is wrong, or nothing could be."""
    if not found.well:
        raise NotWell(found)


def measures(found: BurnIn) -> dict[str, int]:
    """The counts that the table of results shows: evaluations are what was compared."""
    tested = found.verdict != NOT_TESTED
    return {"compared": found.evaluations if tested else 0, "unsupported": 0, "vacuous": 0}
