"""Dials turned at random: settings that no bundled profile has."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from rsp_conformance.model.dials import DIALS, Dials, floors
from rsp_conformance.model.dials import VALUES as ALL

_NUMBERED: Final[Mapping[str, tuple[str, ...]]] = {
    "t0": (*floors([3]), "-3", "4"),
    "n0": ("1", "2"),
    "report": ("CC | P(3)", "!CC & NC", "COMPUTED EVERY 2"),
    "numbers": ("tolerance(0.5)",),
    "time_tolerance": ("0", "1", "2"),
}
"""Values beside those of `model.dials.VALUES`: numbers that fit small windows, and policies that no
engine has."""
_SENT: Final = ("stream_operators", "windows_in", "blank_nodes", "unit", "answers")
"""Dials under which some queries can't be asked, or that say in which form answers are sent."""
VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    dial: (*ALL.get(dial, ()), *_NUMBERED.get(dial, ())) for dial in DIALS if dial not in _SENT
}
"""The values to which a dial is turned."""


def turned(dials: Dials, random: Random) -> Dials:
    """DIALS with up to three of them turned; half of the time as they are."""
    if random.random() < 0.5:
        return dials
    names = random.sample(sorted(VALUES), random.randint(1, 3))
    return dials.with_dials({name: random.choice(VALUES[name]) for name in names})
