"""What a driver may reply and should not: the error names the place."""

from __future__ import annotations

from typing import Any

import pytest

from rsp_conformance.files.files import DEEPEST
from rsp_conformance.protocol import Failure, Reply
from rsp_conformance.protocol.failures import ProtocolError
from rsp_conformance.protocol.forms import LONGEST_MESSAGE
from rsp_conformance.protocol.messages import (
    MOST_NESTED,
)
from rsp_conformance.protocol.pump import Tail
from tests.builders.wire import URI, watched
from tests.hostile.table import short
from tests.hostile.wire import ESCAPE, answer, in_seconds, run, through

wire = pytest.fixture(autouse=True)(watched)
soon = pytest.fixture(autouse=True)(in_seconds)

XSD = "http://www.w3.org/2001/XMLSchema#"


def bound(term: Any, name: str = "x") -> dict[str, Any]:
    """A reply whose one row binds one variable."""
    return answer(solutions=[{name: term}])


def literal(value: Any, datatype: str = "", **fields: Any) -> dict[str, Any]:
    """A literal."""
    of = {"datatype": datatype} if datatype else {}
    return {"type": "literal", "value": value, **of, **fields}


def quoted(depth: int) -> dict[str, Any]:
    """A triple that quotes a triple, and so on."""
    term: dict[str, Any] = URI
    for _ in range(depth):
        value = {"subject": term, "predicate": URI, "object": URI}
        term = {"type": "triple", "value": value}
    return term


def test_the_bad_line_of_a_graph_is_shown() -> None:
    graph = "<a:a> <a:b> <a:c> .\n@prefix : <http://ex.org/> .\n"
    with pytest.raises(ProtocolError) as caught:
        through(answer(graph=graph))
    assert "line 2" in caught.value.expected
    assert "@prefix" in caught.value.found


@pytest.mark.parametrize("kind", ["unsupported", "rejected", "crashed"])
def test_the_words_of_an_error_are_printable_and_short(kind: str) -> None:
    response = through(run(error={"kind": kind, "message": f"{ESCAPE}\nat line 1\n" * 10_000}))
    assert isinstance(response, Failure)
    assert all(line.isprintable() for line in response.message.split("\n"))
    assert len(response.message) < 10 * LONGEST_MESSAGE


@pytest.mark.parametrize(
    "log",
    [ESCAPE.encode() + b"\n", b"\xff\xfe\n", b"x" * 1_000_000 + b"\n", b"\n" * 1_000_000],
    ids=short,
)
def test_the_last_words_are_printable_and_short(log: bytes) -> None:
    tail = Tail()
    for _ in range(3):
        tail.feed(log)
    assert all(line.isprintable() for line in tail.lines())
    assert sum(map(len, tail.lines())) < 100_000


@pytest.mark.parametrize(
    "reply",
    [
        bound(quoted(64)),
        bound(literal("x" * 1_000_000)),
        bound(literal("9" * 1_000, XSD + "integer")),
        bound(literal("x" * 5_000, XSD + "base64Binary")),
        bound(literal("", XSD + "integer")),
        bound(literal("a", **{"xml:lang": "de-AT-1996"})),
        bound({"type": "uri", "value": "relative"}),
        bound({"type": "bnode", "value": "_:b-1:x"}),
        bound(URI, "été_1"),
        answer(t=10**39, boolean=True),
        answer(t=-5, boolean=True),
        answer(t=None, cause=None, boolean=True),
        answer(graph="# nothing\n\n"),
        answer(solutions=[], other=ESCAPE),
        answer(solutions=[{}] * 100_000),
    ],
    ids=short,
)
def test_what_is_odd_and_valid_stays_valid(reply: dict[str, Any]) -> None:
    assert isinstance(through(reply), Reply)


def test_a_crash_file_holds_what_an_answer_may_hold() -> None:
    assert MOST_NESTED + len(("related", "asked", "[0]", "answers")) < DEEPEST
