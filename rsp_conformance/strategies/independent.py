"""Each case from random bytes of its own: how the suite has Hypothesis draw.

By itself Hypothesis varies the case that it drew last, copies parts of it over other parts, and
begins with small ones. That finds what shows where two values are equal; but cases of the kit share
their few names anyway, and of 100 tests of a property only 37 to 70 had a query that none before
had. From independent bytes nearly all have (98 to 100 of 100). Over the seeded faults of
`reference`, 20 seeds each, the median number of cases up to the first failing one is a third
smaller (docs/faults.md), and a default run reaches 97 % of the open cells of docs/strategies.md,
where Hypothesis' own draws reached 76 %.

Hypothesis takes other sources of choices as *backends*, and replays, keeps and shrinks what they
draw like its own. The random numbers are the test's, so a seed brings the same bytes back.
"""

from __future__ import annotations

from typing import Final

from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, BytestringProvider

BYTES: Final = 1_000
"""More than ten times what a case has taken."""

INDEPENDENT: Final = "rsp-independent"
"""The backend's name, for ``settings(backend=…)``."""


class _RandomBytes(BytestringProvider):
    """Draws the choices of one case from bytes that the test's random numbers make."""

    def __init__(self, conjecturedata: ConjectureData | None, /) -> None:
        numbers = None if conjecturedata is None else conjecturedata._random
        super().__init__(conjecturedata, bytestring=numbers.randbytes(BYTES) if numbers else b"")


AVAILABLE_PROVIDERS[INDEPENDENT] = _RandomBytes
