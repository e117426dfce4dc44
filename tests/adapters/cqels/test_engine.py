"""The real engine, where it is installed: what its driver relies on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rsp_conformance.adapters.cqels.register import CQELS
from rsp_conformance.protocol import Engine, Failure, Reply
from tests.adapters.jvm.real import needs, request

pytestmark = [pytest.mark.engine, needs(CQELS)]

ALL = "REGISTER QUERY q AS\nSELECT ?x ?y\nFROM STREAM s1 [FUTURE 2s STEP 2s]\nWHERE {{\n{}\n}}\n"
PAIRS = ALL.format("  STREAM s1 { ?x <urn:p> ?y . }")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with CQELS.connect({}, 30.0) as started:
        yield started


def test_what_it_is(engine: Engine) -> None:
    hello = engine.hello()
    assert hello.engine == "cqels" and hello.version.startswith("2.")


def test_windows_open_at_multiples_of_the_slide_and_are_reported_by_the_next_arrival(
    engine: Engine,
) -> None:
    outcome = engine.run(request(PAIRS, (1, "a p b"), (2, "c p d"), (3, "e p f"), (9, "e e e")))
    assert isinstance(outcome, Reply)
    rows = [(answer.cause, len(answer.content)) for answer in outcome.answers]  # type: ignore[arg-type]
    assert rows == [(2, 2), (3, 1)]


def test_the_window_that_closes_at_the_registration_is_reported(engine: Engine) -> None:
    """So ``first-aligned-open`` begins with the window that closes at the registration itself."""
    outcome = engine.run(request(PAIRS, (0, "a p b"), (1, "c p d"), (9, "e e e")))
    assert isinstance(outcome, Reply)
    rows = [(answer.cause, len(answer.content)) for answer in outcome.answers]  # type: ignore[arg-type]
    assert rows == [(1, 1), (2, 1)]  # (−2,0] by the element at 1, then (0,2]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("no query at all", "rejected"),
        (PAIRS.replace("SELECT", "SELECT DISTINCT"), "unsupported"),
        (ALL.format("  STREAM s1 { ?x <urn:p> ?y . } FILTER(?y IN (1, 2))"), "rejected"),
    ],
)
def test_what_it_does_not_take_is_refused_and_ends_nothing(
    query: str, kind: str, engine: Engine
) -> None:
    outcome = engine.run(request(query, (1, "a p b")))
    assert isinstance(outcome, Failure) and outcome.kind == kind
    assert isinstance(engine.run(request(PAIRS, (1, "a p b"))), Reply)
