"""YASPER itself, where it is installed; its defects are recorded in tools/engines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from rsp_conformance.adapters.yasper.register import YASPER
from rsp_conformance.protocol import Engine, Failure, registry
from tests.adapters.jvm.real import needs
from tests.adapters.jvm.rsp4j import FILTER, OWNED, PATTERN, real_request, told

pytestmark = [pytest.mark.engine, needs(YASPER)]

SLIDING = "[RANGE PT4S STEP PT2S]"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with registry.connect("yasper") as connected:
        yield connected


request = partial(real_request, streams=["urn:s"])


def test_what_it_is(engine: Engine) -> None:
    hello = engine.hello()
    assert (hello.engine, hello.version) == ("yasper", "1.0.1")


@pytest.mark.parametrize(
    ("given", "due"),
    [
        (request("a@1 b@3 z@5"), "3:a 5:b"),
        (request("a@1 z@4"), ""),
        (request("a@1 z@7", window=SLIDING), "7:a"),
        (request("a@1=1 b@1=2 z@3", body=FILTER.format("?o > 1")), "3:b"),
        (request("a@1 b@1 z@3", body=FILTER.format("?s = <urn:a>")), "3:a"),
        (request("a@1 b@1 z@3", body=f"{PATTERN} ?s <urn:own> ?h", static=OWNED), "3:a"),
        (request("a@1 z@3", body=f"{PATTERN} FILTER(?s = <urn:a>)"), "3:a"),
        (request("a@1 z@3", body=f"FILTER(?s = <urn:a>) {PATTERN}"), ""),
        (request("a@1 a@1=y z@3"), "3:a,a"),
        (request("a@1 a@1=y z@3 a@5", operator="ISTREAM"), "3:a 5:z"),
        (request("a@1 z@3 a@5", operator="DSTREAM"), "5:a"),
        (request("a@0 b@1 c@2", window="[RANGE PT1.5S STEP PT1.5S]"), "1:a 2:b"),
    ],
)
def test_rows(engine: Engine, given: dict[str, Any], due: str) -> None:
    assert told(engine, given, in_order=False) == due


@pytest.mark.parametrize(
    ("given", "kind", "says"),
    [
        (request("", body=FILTER.format("?o < 0 && ?o > 1")), "rejected", "line 1:"),
        (
            request("", body=f"{PATTERN} FILTER(?s = <urn:a>)", static=OWNED),
            "rejected",
            "ClassCastException",
        ),
        (request("", body=f"{PATTERN} }} more {{"), "rejected", "line 1:"),
        (request("", window="[RANGE P1D STEP P1D]"), "rejected", "expecting DURATION"),
    ],
)
def test_failures(engine: Engine, given: dict[str, Any], kind: str, says: str) -> None:
    outcome = engine.run(given)
    assert isinstance(outcome, Failure)
    assert outcome.kind == kind and says in outcome.message
