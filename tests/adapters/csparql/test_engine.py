"""The real engine, where it is installed: what its driver relies on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rsp_conformance.adapters.csparql.register import CSPARQL
from rsp_conformance.protocol import Engine, Failure, Reply
from tests.adapters.jvm.real import STREAM as S
from tests.adapters.jvm.real import needs, request

pytestmark = [pytest.mark.engine, needs(CSPARQL)]

PAIRS = (
    f"REGISTER QUERY q AS SELECT ?x ?y FROM STREAM <{S}> [RANGE 2s STEP 2s] "
    "WHERE { ?x <urn:p> ?y . }"
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with CSPARQL.connect({}, 30.0) as started:
        yield started


def test_what_it_is(engine: Engine) -> None:
    hello = engine.hello()
    assert hello.engine == "csparql"
    assert hello.version.startswith("0.9")


def test_windows_close_at_multiples_of_the_slide(engine: Engine) -> None:
    outcome = engine.run(request(PAIRS, (1, "a p b"), (2, "c p d"), (3, "e p f"), (9, "e e e")))
    assert isinstance(outcome, Reply)
    rows = [(answer.t, answer.cause, len(answer.content)) for answer in outcome.answers]  # type: ignore[arg-type]
    assert rows == [(2, 2, 2), (4, 3, 1)]


def test_elements_are_lost_at_the_start_without_the_early_clock() -> None:
    """What the early clock is for: (2,4] holds the element of 3."""
    case = request(PAIRS, (2, "a p b"), (3, "c p d"), (9, "e e e"))
    first = CSPARQL.connect({"clock": "first"}, 30.0)
    with first as late, CSPARQL.connect({}, 30.0) as early:
        found = [one.run(case) for one in (late, early)]
    assert all(isinstance(outcome, Reply) for outcome in found)
    times = [[answer.t for answer in outcome.answers] for outcome in found]
    assert times == [[], [2, 4]]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("no query at all", "ParseException"),
        (PAIRS.replace("?x ?y", "?x (COUNT(?y AS ?n)"), "QueryParseException"),
    ],
)
def test_what_it_does_not_take_is_refused_in_its_words(
    query: str, says: str, engine: Engine
) -> None:
    outcome = engine.run(request(query, (1, "a p b")))
    assert isinstance(outcome, Failure)
    assert outcome.kind == "rejected"
    assert says in outcome.message
    assert isinstance(engine.run(request(PAIRS, (1, "a p b"))), Reply)
