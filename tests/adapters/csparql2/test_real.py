"""C-SPARQL 2 itself, where it is installed; its defects are recorded in tools/engines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from rsp_conformance.adapters.csparql2.register import CSPARQL2
from rsp_conformance.protocol import Engine, Failure, registry
from tests.adapters.jvm.real import needs
from tests.adapters.jvm.rsp4j import FILTER, OWNED, PATTERN, real_request, told

pytestmark = [pytest.mark.engine, needs(CSPARQL2)]

SLIDING = "[RANGE PT4S STEP PT1S]"
WIDE = "[RANGE PT9S STEP PT1S]"
OTHER = " FROM NAMED WINDOW <urn:v> ON <urn:r> [RANGE PT2S STEP PT2S]"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with registry.connect("csparql2") as connected:
        yield connected


request = partial(real_request, tail=" ORDER BY ?s", streams=["urn:s", "urn:r"])


def test_what_it_is(engine: Engine) -> None:
    hello = engine.hello()
    assert (hello.engine, hello.version) == ("csparql2", "2.0.0")


CASES = [
    (request("x@0 a@1 b@2 c@3 z@4"), "2:a 4:c"),
    (request("x@1 a@2 z@3", registered=1), "3:a"),
    (request("a@0 b@1 c@2 z@3", window=SLIDING), "1:a 2:a,b 3:a,b,c"),
    (request("a@0 z@3", window=SLIDING), "3:a"),
    (request("x@0 a@1 z@3 y@5"), "5:z"),
    (request("a@0 b@1 c@2", window=WIDE, operator="ISTREAM"), "1:a"),
    (request("a@0 b@1 c@2", window=WIDE, operator="DSTREAM"), "2:a"),
    (request("x@0 a@1=1 b@1=2 z@2", body=FILTER.format("!(?o < 2)")), "2:b"),
    (request("x@0 a@1 b@1 z@2", body=f"{PATTERN} ?s <urn:own> ?h", static=OWNED), "2:a"),
    (request("x@0 a@1=01 z@2", body="WINDOW <urn:w> { ?s <urn:p> 1 }"), "2:a"),
    (request("x@0 a@1 z@2", body="WINDOW <urn:w> { ?s <urn:p> [] }"), ""),
    (request("x@0 a@1 z@2", body=FILTER.format("isURI(?s)")), ""),
]


@pytest.mark.parametrize(("given", "due"), CASES)
def test_rows(engine: Engine, given: dict[str, Any], due: str) -> None:
    assert told(engine, given) == due


@pytest.mark.parametrize(
    ("given", "kind", "says"),
    [
        (request("", body=FILTER.format("?o < 0 && ?o > 1")), "rejected", "line 1:"),
        (request("", body=FILTER.format("BOUND(?s)")), "rejected", "IndexOutOfBounds"),
        (request("", body=f"{PATTERN} VALUES ?s {{ UNDEF }}"), "rejected", "NullPointer"),
        (request("", window="[RANGE P1D STEP P1D]"), "rejected", "expecting DURATION"),
        (
            request(
                "a@0 r@0 a@1 r@1 a@2 r@2",
                body=f"{PATTERN} WINDOW <urn:v> {{ ?t ?p ?u }}",
                more=OTHER,
            ),
            "crashed",
            "waits for ever",
        ),
    ],
)
def test_failures(engine: Engine, given: dict[str, Any], kind: str, says: str) -> None:
    outcome = engine.run(given)
    assert isinstance(outcome, Failure)
    assert outcome.kind == kind and says in outcome.message
    assert told(engine, CASES[0][0]) == CASES[0][1], "the next case is not concerned"


def test_a_driver_that_has_served_cases_answers_as_a_new_one(engine: Engine) -> None:
    for given, due in (CASES[4], CASES[2]):
        with registry.connect("csparql2") as new:
            assert told(new, given) == told(engine, given) == due


def test_the_clock_may_run() -> None:
    with registry.connect("csparql2", {"clock": "runs"}) as running:
        assert told(running, request("a@0 z@3", window=SLIDING)).startswith("1:a 2:a 3:a 4:z")
