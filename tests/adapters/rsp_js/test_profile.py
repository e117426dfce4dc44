"""Why the profile rsp-js starts its windows at `first-aligned-close` and not at `aligned-close`.

rsp-js opens the windows [kβ−α, kβ) for every k, also those that open before the registration, and
reports them. `aligned-close` (the greatest t0 up to the registration) knows no window that opens
before it, so it would accuse the engine of what it does by design.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rsp_conformance.adapters.rsp_js.register import ENGINE
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.model.case import Case
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Kind
from rsp_conformance.protocol.registry import connect
from tests.builders.cases import element, nearby_query, window

pytestmark = pytest.mark.skipif(
    not ENGINE.installed(), reason="rsp-js is not installed: rsp-conformance engines install rsp-js"
)

ELEMENTS = (element(1, "a", "near", "b"), element(3, "c", "near", "b"))
EARLY = Case(nearby_query(window("w", 4, 1)), ELEMENTS, until=3)
"""[-2,2) holds the first element and closes before the second; [0,4), the first after 0, not."""


@pytest.fixture(scope="module")
def subject() -> Iterator[EngineUnderTest]:
    with connect("rsp-js") as engine:
        yield EngineUnderTest.meet(engine)


def test_rsp_js_reports_windows_that_opened_before_the_registration(
    subject: EngineUnderTest,
) -> None:
    observation = subject.ask(Stimulus(EARLY))
    assert len(observation.observed) == 2
    verdict = verdict_on(observation)
    assert verdict is not None
    assert verdict.correct
    assert verdict.t0 == (-3,)
    held = EngineUnderTest(
        subject.engine, subject.profile.with_dials({"t0": "aligned-close"}), subject.hello
    )
    verdict = verdict_on(held.ask(Stimulus(EARLY)))
    assert verdict is not None
    assert verdict.divergence is not None
    assert verdict.divergence.kind is Kind.EXTRA
