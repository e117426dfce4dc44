"""What a driver may reply and should not: the error names the place."""

from __future__ import annotations

from typing import Any

import pytest

from rsp_conformance.files.files import DEEPEST
from rsp_conformance.judge.flood import FLOOD
from rsp_conformance.protocol import Failure, Reply
from rsp_conformance.protocol.failures import ProtocolError
from rsp_conformance.protocol.forms import LONGEST_MESSAGE
from rsp_conformance.protocol.messages import (
    MOST_NESTED,
)
from rsp_conformance.protocol.pump import Tail
from tests.builders.wire import URI, watched
from tests.hostile.table import short
from tests.hostile.wire import ESCAPE, answer, in_seconds, refused, run, through

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


REPLIES: list[tuple[dict[str, Any], str]] = [
    (run(op="close"), "op"),
    (run(op={"run": 1}), "op"),
    (run(id=None), "id"),
    (run(id=7), "id"),
    (run(answers=None), "answers"),
    (run(answers={}), "answers"),
    (run(answers="[]"), "answers"),
    (run(answers=[None]), "answers[0]"),
    (run(answers=[[]]), "answers[0]"),
    (run(answers=[None] * 1_000_000), "answers[0]"),
    (run(answers=[{"t": 1, "boolean": True}, {"t": 2}]), "answers[1]"),
    (run(answers=[{"boolean": True}]), "answers[0].t"),
    (answer(t="1/0", boolean=True), "answers[0].t"),
    (answer(t="1", boolean=True), "answers[0].t"),
    (answer(t=True, boolean=True), "answers[0].t"),
    (answer(t=[1], boolean=True), "answers[0].t"),
    (answer(t=10**40, boolean=True), "answers[0].t"),
    (answer(t=-(10**40), boolean=True), "answers[0].t"),
    (answer(t=10**4_000, boolean=True), "answers[0].t"),
    (answer(cause=2, boolean=True), "answers[0].cause"),
    (answer(cause=-1, boolean=True), "answers[0].cause"),
    (answer(cause=0.5, boolean=True), "answers[0].cause"),
    (answer(cause=True, boolean=True), "answers[0].cause"),
    (answer(cause="begin", boolean=True), "answers[0].cause"),
    (answer(cause=10**30, boolean=True), "answers[0].cause"),
    (answer(cause={}, boolean=True), "answers[0].cause"),
    (answer(), "answers[0]"),
    (answer(boolean=True, solutions=[]), "answers[0]"),
    (answer(boolean=True, graph="", solutions=[]), "answers[0]"),
    (answer(boolean=1), "answers[0].boolean"),
    (answer(boolean="true"), "answers[0].boolean"),
    (answer(boolean=None), "answers[0].boolean"),
    (answer(solutions=None), "answers[0].solutions"),
    (answer(solutions={}), "answers[0].solutions"),
    (answer(solutions=[None]), "answers[0].solutions[0]"),
    (answer(solutions=[{}, 7]), "answers[0].solutions[1]"),
    (bound(URI, "?x"), "answers[0].solutions[0]"),
    (bound(URI, "$x"), "answers[0].solutions[0]"),
    (bound(URI, ""), "answers[0].solutions[0]"),
    (bound(URI, "a b"), "answers[0].solutions[0]"),
    (bound(URI, "a-b"), "answers[0].solutions[0]"),
    (bound(URI, "x\n"), "answers[0].solutions[0]"),
    (bound(URI, "x\x00"), "answers[0].solutions[0]"),
    (bound(URI, ESCAPE), "answers[0].solutions[0]"),
    (bound(URI, "\ud800"), "answers[0].solutions[0]"),
    (bound(URI, "x" * 1_000_001), "answers[0].solutions[0]"),
    (answer(solutions=[{f"v{n}": URI for n in range(501)}]), "answers[0].solutions[0]"),
    (answer(solutions=[{f"v{n}": URI} for n in range(501)]), "answers[0].solutions"),
    (bound(None), "answers[0].solutions[0].x"),
    (bound("http://ex.org/a"), "answers[0].solutions[0].x"),
    (bound(1.5), "answers[0].solutions[0].x"),
    (bound([URI]), "answers[0].solutions[0].x"),
    (bound({}), "answers[0].solutions[0].x.type"),
    (bound({"type": "iri", "value": "a:b"}), "answers[0].solutions[0].x.type"),
    (bound({"type": ["uri"], "value": "a:b"}), "answers[0].solutions[0].x.type"),
    (bound({"type": "typed-literal", "value": "1"}), "answers[0].solutions[0].x.type"),
    (bound({"type": "uri"}), "answers[0].solutions[0].x.value"),
    (bound({"type": "uri", "value": None}), "answers[0].solutions[0].x.value"),
    (bound({"type": "uri", "value": ""}), "answers[0].solutions[0].x.value"),
    (bound({"type": "uri", "value": "<http://ex.org/a>"}), "answers[0].solutions[0].x.value"),
    (bound({"type": "uri", "value": "http://ex.org/a b"}), "answers[0].solutions[0].x.value"),
    (bound({"type": "uri", "value": "http://ex.org/a\n"}), "answers[0].solutions[0].x.value"),
    (bound({"type": "uri", "value": 'http://ex.org/"'}), "answers[0].solutions[0].x.value"),
    (bound({"type": "uri", "value": "http://ex.org/\ud800"}), "answers[0].solutions[0].x.value"),
    (bound({"type": "uri", "value": "a:" + "b" * 1_000_000}), "answers[0].solutions[0].x.value"),
    (bound({"type": "uri", "value": ESCAPE}), "answers[0].solutions[0].x.value"),
    (bound({"type": "bnode", "value": ""}), "answers[0].solutions[0].x.value"),
    (bound({"type": "bnode", "value": "_:"}), "answers[0].solutions[0].x.value"),
    (bound({"type": "bnode", "value": "a b"}), "answers[0].solutions[0].x.value"),
    (bound({"type": "bnode", "value": ESCAPE}), "answers[0].solutions[0].x.value"),
    (bound({"type": "bnode", "value": 7}), "answers[0].solutions[0].x.value"),
    (bound(literal(5)), "answers[0].solutions[0].x.value"),
    (bound(literal(None)), "answers[0].solutions[0].x.value"),
    (bound(literal("\udc00")), "answers[0].solutions[0].x.value"),
    (bound(literal("x" * 1_000_001)), "answers[0].solutions[0].x.value"),
    (bound(literal("9" * 100_000, XSD + "integer")), "answers[0].solutions[0].x.value"),
    (bound(literal("0." + "9" * 100_000, XSD + "decimal")), "answers[0].solutions[0].x.value"),
    (bound(literal("9" * 100_000 + "e9", XSD + "double")), "answers[0].solutions[0].x.value"),
    (bound(literal("9" * 100_000 + "-01", XSD + "dateTime")), "answers[0].solutions[0].x.value"),
    (bound(literal("x" * 2_000, XSD + "own")), "answers[0].solutions[0].x.value"),
    (bound(literal("1", "") | {"datatype": ""}), "answers[0].solutions[0].x.datatype"),
    (bound(literal("1", "a b")), "answers[0].solutions[0].x.datatype"),
    (bound(literal("1") | {"datatype": None}), "answers[0].solutions[0].x.datatype"),
    (bound(literal("1") | {"datatype": ["d"]}), "answers[0].solutions[0].x.datatype"),
    (bound(literal("a", **{"xml:lang": ""})), "answers[0].solutions[0].x.xml:lang"),
    (bound(literal("a", **{"xml:lang": "en us"})), "answers[0].solutions[0].x.xml:lang"),
    (bound(literal("a", **{"xml:lang": "-"})), "answers[0].solutions[0].x.xml:lang"),
    (bound(literal("a", **{"xml:lang": "en\n"})), "answers[0].solutions[0].x.xml:lang"),
    (bound(literal("a", **{"xml:lang": 1})), "answers[0].solutions[0].x.xml:lang"),
    (
        bound(literal("a", XSD + "string", **{"xml:lang": "en"})),
        "answers[0].solutions[0].x.datatype",
    ),
    (bound({"type": "triple"}), "answers[0].solutions[0].x.value"),
    (bound({"type": "triple", "value": [URI, URI, URI]}), "answers[0].solutions[0].x.value"),
    (
        bound({"type": "triple", "value": {"subject": URI, "predicate": URI}}),
        "answers[0].solutions[0].x.value.object",
    ),
    (bound(quoted(70)), "expected values that are nested"),
    (answer(graph=None), "answers[0].graph"),
    (answer(graph=["<a:a> <a:a> <a:a> ."]), "answers[0].graph"),
    (answer(graph="<a:a> <a:a> <a:a>"), "answers[0].graph"),
    (answer(graph="@prefix : <http://ex.org/> . :a :b :c ."), "answers[0].graph"),
    (answer(graph="<a:a> a <a:b> ."), "answers[0].graph"),
    (answer(graph="<a:a> <a:b> 5 ."), "answers[0].graph"),
    (answer(graph="<a:a> <a:b> <a:c> <a:g> ."), "answers[0].graph"),
    (answer(graph="<a:a> <a:b> <c> ."), "answers[0].graph"),
    (answer(graph='<a:a> <a:b> "a'), "answers[0].graph"),
    (answer(graph='<a:a> <a:b> "\\ud800" .'), "answers[0].graph"),
    (answer(graph='<a:a> <a:b> "a"@ .'), "answers[0].graph"),
    (answer(graph='"a" <a:b> <a:c> .'), "answers[0].graph"),
    (answer(graph="<a:a> _:b <a:c> ."), "answers[0].graph"),
    (answer(graph="\ud800"), "answers[0].graph"),
    (answer(graph=ESCAPE), "answers[0].graph"),
    (answer(graph="<< " * 300 + "<a:a> <a:a> <a:a> " + ">> " * 300), "answers[0].graph"),
    (answer(graph="<< " * 100_000), "answers[0].graph"),
    (answer(graph="<a:a> <a:b> <a:" + "c" * 1_000_000 + "> ."), "answers[0].graph"),
    (answer(graph=f'<a:a> <a:b> "{"9" * 5_000}"^^<{XSD}integer> .'), "answers[0].graph"),
    (run(error=None), "error"),
    (run(error="crashed"), "error"),
    (run(error={"message": "m"}), "error.kind"),
    (run(error={"kind": "timeout", "message": "m"}), "error.kind"),
    (run(error={"kind": "died", "message": "m"}), "error.kind"),
    (run(error={"kind": FLOOD, "message": "m"}), "error.kind"),
    (run(error={"kind": ["crashed"], "message": "m"}), "error.kind"),
    (run(error={"kind": "crashed"}), "error.message"),
    (run(error={"kind": "crashed", "message": None}), "error.message"),
    (run(error={"kind": "crashed", "message": "\ud800"}), "error.message"),
    (run(error={"kind": "rejected", "message": "m", "element": 2}), "error.element"),
    (run(error={"kind": "rejected", "message": "m", "element": -1}), "error.element"),
    (run(error={"kind": "rejected", "message": "m", "element": "0"}), "error.element"),
    (run(error={"kind": "rejected", "message": "m", "element": True}), "error.element"),
    (run(error={"kind": "crashed", "message": "m"}, answers=[7]), "answers[0]"),
    (run(error={"kind": "crashed", "message": "m"}, answers="no"), "answers"),
]


@pytest.mark.parametrize(("reply", "place"), REPLIES, ids=short)
def test_a_reply_that_is_none_names_the_place(reply: dict[str, Any], place: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        through(reply)
    assert refused(caught.value).startswith(place)


@pytest.mark.parametrize(
    "t", [b"1e400", b"-1e400", b"1e999999999", b"1e-999999999", b"0." + b"1" * 5_000], ids=short
)
def test_a_time_that_fills_the_memory_is_none(t: bytes) -> None:
    line = b'{"op":"run","id":"c","answers":[{"t":' + t + b',"boolean":true}]}'
    with pytest.raises(ProtocolError, match=r"answers\[0\]\.t: expected an instant"):
        through(line)


@pytest.mark.parametrize(
    "number", [b"1e400", b"1.5", b"1e2", b"1e999999999", b"9" * 4_000], ids=short
)
def test_a_number_that_is_no_index_is_refused(number: bytes) -> None:
    line = b'{"op":"run","id":"c","answers":[{"t":1,"cause":' + number + b',"boolean":true}]}'
    with pytest.raises(ProtocolError, match=r"answers\[0\]\.cause: expected an in"):
        through(line)


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
