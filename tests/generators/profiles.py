"""Profiles out of dials at random, with the engine that stands for each."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.protocol.registry import connect

SETTINGS: dict[str, tuple[str, ...]] = {
    "bounds": ("(o,c]", "[o,c)", "[o,c]", "(o,c)"),
    "window": ("active", "active", "last-closed", "last-closed-inclusive"),
    "t0": (
        *("any", "any", "registration", "first-element", "first-element-floor(3)"),
        *("aligned-open", "aligned-close", "first-aligned-close", "0"),
        *("first-aligned-open", "first-element-close", "first-element-close-floor(3)"),
    ),
    "report": (
        *("WC", "WC", "WC & NC", "WC & NC", "CC", "NC", "CC & NC", "WC & CC"),
        *("P(2)", "P(3) & NC", "!NC", "CC | P(2)", "COMPUTED EVERY"),
    ),
    "report_windows": ("any", "all", "first"),
    "content_change": ("insertions", "any"),
    "tick": ("time", "tuple"),
    "r2s": ("bag", "set", "membership", "elements"),
    "clock": ("any", "own"),
    "literals": ("term", "canonical"),
    "empty_group": ("row", "none"),
    "window_content": ("set", "bag"),
    "windows_in": ("named", "named", "default"),
    "empty_answers": ("yes", "no"),
    "answer_time": ("evaluation", "evaluation", "arrival", "none"),
    "trigger": (">", ">="),
    "numbers": ("term", "value"),
    "graph_variable": ("windows", "background"),
    "unit": ("1", "1000"),
}

PLAIN = {name: values[0] for name, values in SETTINGS.items()}


@st.composite
def profiles(draw: st.DrawFn) -> dict[str, str]:
    """A setting of every dial."""
    found = {name: draw(st.sampled_from(values)) for name, values in SETTINGS.items()}
    if "WC |" in found["report"] and found["answer_time"] == "arrival":
        found["answer_time"] = "evaluation"
    return found


def subject(dials: Mapping[str, str], **options: str) -> EngineUnderTest:
    """The reference engine under DIALS."""
    settings = {f"dial.{name}": value for name, value in dials.items()}
    return EngineUnderTest.meet(connect("reference", {**settings, **options}))
