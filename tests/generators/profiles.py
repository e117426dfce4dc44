"""Profiles out of dials at random, with the engine that stands for each."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import DIALS, MANNERS, VALUES, Dials, floors
from rsp_conformance.protocol.registry import connect

PLAIN = {dial: Dials().text(dial) for dial in DIALS if dial not in MANNERS}
PLAIN |= {dial: Dials().text(dial) for dial in ("windows_in", "unit")}
NUMBERED = {
    "t0": ("0", *floors([3])),
    "report": ("P(2)", "P(3) & NC", "!NC", "CC | P(2)", "COMPUTED EVERY", "WC & CC"),
    "unit": ("1000",),
}
"""Values beside those of the table: with numbers, and policies that no engine has."""
LIKELY = {"report": ("WC & NC",)}
"""What is drawn as often as plain RSP-QL's value: once more than other values."""
SETTINGS: dict[str, tuple[str, ...]] = {
    dial: (plain, *VALUES.get(dial, ()), *NUMBERED.get(dial, ()), *LIKELY.get(dial, ()))
    for dial, plain in PLAIN.items()
}


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
