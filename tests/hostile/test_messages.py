"""What drivers may say and should not: printable and short, soon read and in little memory."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from rsp_conformance.files.files import DEEPEST
from rsp_conformance.protocol import EngineError, Failure, Reply
from rsp_conformance.protocol.failures import Flood
from rsp_conformance.protocol.forms import LONGEST_MESSAGE, LONGEST_NAME
from rsp_conformance.protocol.messages import (
    MOST_NESTED,
    MOST_VALUES,
    Response,
    decode_line,
    read_hello,
    read_run,
)
from rsp_conformance.protocol.pump import Tail
from tests.builders.wire import HELLO, URI, in_seconds, watched
from tests.generators.damage import ESCAPE
from tests.hostile.readers import short

wire = pytest.fixture(autouse=True)(watched)
soon = pytest.fixture(autouse=True)(in_seconds)

XSD = "http://www.w3.org/2001/XMLSchema#"


def through(message: dict[str, Any]) -> Response:
    """What becomes of a reply to a request of two elements, at the border."""
    return read_run(decode_line(json.dumps(message).encode()), elements=2)


def run(**fields: Any) -> dict[str, Any]:
    """A reply with these fields."""
    return {"op": "run", "id": "c", "answers": [], **fields}


def answer(**fields: Any) -> dict[str, Any]:
    """A reply with one answer of these fields."""
    return run(answers=[{"t": 1, "cause": 0, **fields}])


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


# --- hellos ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [ESCAPE, "e" * 100_000, "a\nb", "../../../etc/passwd", "\x00", "💥\u2028", ""],
    ids=short,
)
def test_names_are_printable_and_short(name: str) -> None:
    hello = read_hello({**HELLO, "engine": name, "version": name})
    for said in (hello.engine, hello.version):
        assert said.isprintable()
        assert len(said) < 10 * LONGEST_NAME


def test_an_endless_number_of_requests_is_not_sent_at_once() -> None:
    assert read_hello({**HELLO, "parallel": 10**4_000}).parallel == 1_000


@pytest.mark.parametrize("kind", ["unavailable", "version"])
def test_what_cannot_start_says_so_in_printable_words(kind: str) -> None:
    error = {"kind": kind, "message": ESCAPE * 10_000}
    with pytest.raises(EngineError) as caught:
        read_hello({"op": "hello", "error": error})
    assert caught.value.kind == kind
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 10 * LONGEST_MESSAGE


# --- lines ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "unit", [b"{},", b"[],", b"0,", b"1.5,", b'"",', b"[[[[", b'{"a":', b"null,"], ids=short
)
def test_a_flood_is_cut_before_it_is_read(unit: bytes) -> None:
    line = b'{"op": "run", "id": "c", "answers": [' + unit * MOST_VALUES + b"0]}"
    tracemalloc.start()
    try:
        with pytest.raises(Flood, match="2,000,000 are the most"):
            decode_line(line)
        assert tracemalloc.get_traced_memory()[1] < 4 * len(line)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [",[{" * MOST_VALUES, '",' * MOST_VALUES, "\\," * MOST_VALUES, '{"a": [1, 2]}, ' * 200_000],
    ids=short,
)
def test_what_stands_within_strings_is_no_value(text: str) -> None:
    assert decode_line(json.dumps({"op": "run", "x": ["", text, ""]}).encode())["x"][1] == text


@pytest.mark.parametrize(
    "value",
    [["\\"], ['\\",'], [',"', "a"], {"[": "{"}, ["", "", ""], ["]", '"'], [[], {}]],
    ids=short,
)
def test_values_beside_any_strings_are_counted(value: Any) -> None:
    most = json.dumps([value] * (MOST_VALUES // 2)).encode()
    with pytest.raises(Flood):
        decode_line(b'{"op": ' + most + b"}")
