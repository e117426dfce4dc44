"""C-SPARQL 2 itself, where it is installed; its defects are recorded in tools/engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rsp_conformance.adapters.csparql2.register import CSPARQL2
from rsp_conformance.model.answers import Rows
from rsp_conformance.protocol import Engine, Failure, registry
from tests.adapters.jvm.real import needs
from tests.builders.wire import run_of

pytestmark = [pytest.mark.engine, needs(CSPARQL2)]

TUMBLING = "[RANGE PT2S STEP PT2S]"
SLIDING = "[RANGE PT4S STEP PT1S]"
WIDE = "[RANGE PT9S STEP PT1S]"
NUMBER = '"{}"^^<http://www.w3.org/2001/XMLSchema#integer>'
OWNED = [{"quads": "<urn:a> <urn:own> <urn:h> .\n"}]
PATTERN = "WINDOW <urn:w> { ?s <urn:p> ?o }"
OTHER = "FROM NAMED WINDOW <urn:v> ON <urn:r> [RANGE PT2S STEP PT2S]"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with registry.connect("csparql2") as connected:
        yield connected


def request(
    elements: str,
    *,
    body: str = PATTERN,
    window: str = TUMBLING,
    operator: str = "RSTREAM",
    more: str = "",
    **others: Any,
) -> dict[str, Any]:
    """A case whose ELEMENTS are written `subject@t`, with the object behind `=` if it is not x.

    An element of the second stream has a name that begins with r.
    """
    found = []
    for written in elements.split():
        name, _, rest = written.partition("@")
        t, _, value = rest.partition("=")
        term = NUMBER.format(value) if value.isdigit() else f"<urn:{value or 'x'}>"
        stream = "urn:r" if name.startswith("r") else "urn:s"
        found.append({"stream": stream, "t": int(t), "graph": f"<urn:{name}> <urn:p> {term} .\n"})
    query = (
        f"REGISTER {operator} <urn:out> AS SELECT ?s "
        f"FROM NAMED WINDOW <urn:w> ON <urn:s> {window} {more} WHERE {{ {body} }} ORDER BY ?s"
    )
    return run_of(query, *found, streams=["urn:s", "urn:r"], until=99, **others)


def test_what_it_is(engine: Engine) -> None:
    hello = engine.hello()
    assert (hello.engine, hello.version) == ("csparql2", "2.0.0")


def told(engine: Engine, given: dict[str, Any]) -> str:
    """The instants of the answers and the subjects in them."""
    outcome = engine.run(given)
    assert not isinstance(outcome, Failure), outcome.message
    found = []
    for answer in outcome.answers:
        assert isinstance(answer.content, Rows)
        names = [str(row[0]).strip("<>").removeprefix("urn:") for row in answer.content.rows]
        found.append(f"{answer.t}:{','.join(names)}")
    return " ".join(found)


FILTER = "WINDOW <urn:w> {{ ?s <urn:p> ?o FILTER({}) }}"
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
