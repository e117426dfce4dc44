"""Dials turned at random: settings that no bundled profile has."""

from __future__ import annotations

from random import Random
from typing import Any

from rsp_conformance.model.dials import BOUNDS, Dials

VALUES: dict[str, tuple[Any, ...]] = {
    "bounds": BOUNDS,
    "window": ("active", "last-closed", "last-closed-inclusive"),
    "t0": (
        *("any", "registration", "aligned-open", "aligned-close", "first-aligned-open"),
        *("first-aligned-close", "first-element", "first-element-floor(3)", "first-element-close"),
        *("first-element-close-floor(3)", "-3", "4"),
    ),
    "report": ("WC", "NC", "CC", "CC & NC", "WC & NC", "CC | P(3)", "!CC & NC", "COMPUTED EVERY 2"),
    "report_windows": ("any", "all", "first"),
    "content_change": ("insertions", "any"),
    "tick": ("time", "tuple"),
    "r2s": ("bag", "set", "membership", "elements"),
    "clock": ("any", "own"),
    "literals": ("term", "canonical"),
    "empty_group": ("row", "none"),
    "window_content": ("set", "bag"),
    "empty_answers": ("yes", "no"),
    "answer_time": ("evaluation", "arrival", "none"),
    "trigger": (">", ">="),
    "numbers": ("term", "value", "tolerance(0.5)"),
    "time_tolerance": (0, 1, 2),
    "graph_variable": ("windows", "background"),
    "advances": ("clock", "elements"),
}
"""What a dial is turned to, of those that every query can be asked under."""


def turned(dials: Dials, random: Random) -> Dials:
    """DIALS with up to three of them turned; half of the time as they are."""
    if random.random() < 0.5:
        return dials
    names = random.sample(sorted(VALUES), random.randint(1, 3))
    return dials.with_dials({name: random.choice(VALUES[name]) for name in names})
