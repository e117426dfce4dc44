"""The table at the end of a run, on terminals of any width, and what was skipped, in few lines."""

from __future__ import annotations

import pytest

from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.plugin.results import head, row, skipped
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.run.properties import SUITE
from rsp_conformance.run.selection import not_applicable
from rsp_conformance.run.tally import COUNTED
from tests.builders.engines import Flawed, right

COUNTS = {**dict.fromkeys(COUNTED, 1), "compared": 40}


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_cause_is_seen_on_a_narrow_terminal(width: int, known: bool) -> None:
    name = 27  # of a law
    event = PropertyFinished("law[JUDistR]", "failed", "wrong rows", counts=COUNTS)
    columns = head(known=known, name=name, width=width)
    text = row(event, "? unexplained", known=known, name=name, width=width)
    assert max(len(columns), len(text)) <= width
    assert ("vacuous" in columns) is (width == 120 or (width == 80 and not known))
    assert text.endswith("? unexplained" if width > 60 else "…")
    assert len(text) - len(columns) >= 5


def test_what_an_engine_of_few_features_is_not_asked_is_said_in_a_few_lines() -> None:
    class Few(Flawed):
        def hello(self, request: dict[str, object]) -> dict[str, object]:
            return {**super().hello(request), "features": ["select"]}

    subject = EngineUnderTest.meet(InProcessEngine(lambda: Few(right)))
    events = []
    for property in SUITE:
        if (reason := not_applicable(property, subject)) is not None:
            missing = reason.features if isinstance(reason, MissingFeatures) else ()
            events.append(
                PropertyFinished(property.name, "skipped", reason=str(reason), missing=missing)
            )
    said = skipped(events)
    assert len(events) > 50 and len(wrap(said, 78)) <= 5
    # Laws need features as other properties do.
    assert said.startswith("no feature filter (") and "does not declare" not in said
    assert said.endswith(" for other reasons, which -v shows")


def test_of_few_reasons_each_is_said() -> None:
    events = [PropertyFinished("a", "skipped", reason="why"), PropertyFinished("b", "skipped")]
    events[1] = PropertyFinished("b", "skipped", missing=("ask", "union"))
    assert skipped(events) == "no feature ask and union; why"
