"""What a driver may say that no driver should: each ends in one line, soon and in little memory."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from time import process_time
from typing import Any, NoReturn

import pytest

from rsp_conformance.files.files import DEEPEST
from rsp_conformance.judge.engine_under_test import EngineUnderTest, Stimulus
from rsp_conformance.judge.flood import FLOOD, TIMES, too_many_rows
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.limits import SECONDS, LimitExceeded, allow
from rsp_conformance.model.answers import Observed, Rows, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.verdict import Vector
from rsp_conformance.protocol import EngineError, Failure, InProcessEngine, Reply
from rsp_conformance.protocol.failures import Flood, ProtocolError
from rsp_conformance.protocol.forms import LONGEST_MESSAGE, LONGEST_NAME
from rsp_conformance.protocol.messages import (
    MOST_NESTED,
    MOST_VALUES,
    Outcome,
    decode_line,
    read_hello,
    read_run,
)
from rsp_conformance.protocol.pump import LineBuffer, LineTooLong, Tail
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.text.parse import parse_query
from tests.builders.wire import HELLO, URI, watched
from tests.hostile.table import short
from tests.hostile.test_spans import Silent, case

wire = pytest.fixture(autouse=True)(watched)

XSD = "http://www.w3.org/2001/XMLSchema#"
ESCAPE = "\x1b[31mred\x07\x9b2J\u202e"


@pytest.fixture(autouse=True)
def soon() -> Iterator[None]:
    """Every input of this file costs a few seconds of processor time at most."""
    start = process_time()
    yield
    assert process_time() - start < 20


def through(message: dict[str, Any] | bytes, elements: int = 2, pacing: str = "burst") -> Outcome:
    """What becomes of a reply, or of its line, at the border."""
    line = message if isinstance(message, bytes) else json.dumps(message).encode()
    return read_run(decode_line(line), elements=elements, pacing=pacing)


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


def refused(error: EngineError) -> str:
    """What is said of a refusal: one line that is not long and controls no terminal."""
    assert isinstance(error, ProtocolError)
    said = error.message
    assert said.isprintable()
    assert len(said) < 500
    return said


# --- lines ---------------------------------------------------------------------------------------

LINES: list[tuple[bytes, str]] = [
    (b"", "a line of JSON"),
    (b" ", "a line of JSON"),
    (b"null", "an object"),
    (b"true", "an object"),
    (b'"run"', "an object"),
    (b"[]", "an object"),
    (b"[" * 1_000_000, "a line of JSON"),
    (b'{"a":' * 1_000_000, "a line of JSON"),
    (b"[" * 500 + b"]" * 500, "an object"),
    (b'{"a":' * 200 + b"1" + b"}" * 200, "nested at most 134 deep"),
    (b'{"op": "run", "x": ' + b"[" * 140 + b"]" * 140 + b"}", "nested at most 134 deep"),
    (b'{"op": "run"', "a line of JSON"),
    (b'{"op": "run"} {"op": "run"}', "a line of JSON"),
    (b"{'op': 'run'}", "a line of JSON"),
    (b'{"op": "run",}', "a line of JSON"),
    (b'{"op": run}', "a line of JSON"),
    (b'\xef\xbb\xbf{"op": "run"}', "a line of JSON"),
    (b'\xff\xfe{\x00"\x00', "a line of UTF-8"),
    (b'{"op": "\xe9"}', "a line of UTF-8"),
    (b'{"op": "\xed\xa0\x80"}', "a line of UTF-8"),
    (b'{"op": "\xf8\x88\x80\x80\x80"}', "a line of UTF-8"),
    (b'{"op": "a\x00b"}', "a line of JSON"),
    (b'{"op": "a\x1b[31mb"}', "a line of JSON"),
    (b"\x1b[2J\x1b]0;owned\x07", "a line of JSON"),
    (b"\x00" * 1000, "a line of JSON"),
    (b'{"t": NaN}', "a line of JSON"),
    (b'{"t": Infinity}', "a line of JSON"),
    (b'{"t": -Infinity}', "a line of JSON"),
    (b'{"t": 01}', "a line of JSON"),
    (b'{"t": +1}', "a line of JSON"),
    (b'{"t": 0x10}', "a line of JSON"),
    (b'{"t": 1/0}', "a line of JSON"),
    (b'{"t": ' + b"9" * 5_000 + b"}", "a line of JSON"),
    (b'{"t": ' + b"9" * 1_000_000 + b"}", "a line of JSON"),
    (b'{"op": "run", "op": "hello"}', "stands twice in one object"),
    (b'{"op": "run", "id": "c", "answers": [{"t": 1, "t": 2, "boolean": true}]}', "stands twice"),
    (b'{"op": "run", "\\u006fp": "hello"}', "stands twice in one object"),
    (b"x" * 10_000_000, "a line of JSON"),
    (b'{"op": "' + b"x" * 10_000_000 + b'"}', "op: expected one of run"),
]


@pytest.mark.parametrize(("line", "said"), LINES, ids=short)
def test_a_line_that_is_none(line: bytes, said: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        through(line)
    assert said in refused(caught.value)


@pytest.mark.parametrize(
    "unit",
    [b"{},", b"[],", b"0,", b"1.5,", b'"",', b"[[[[", b'{"a":', b"null,"],
    ids=short,
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


def test_a_line_without_end_takes_no_more_than_its_limit() -> None:
    buffer = LineBuffer(limit=1 << 20)
    with pytest.raises(LineTooLong):
        for _ in range(100):
            buffer.feed(b"x" * (1 << 16))
    assert buffer.partial == 0


# --- hello ---------------------------------------------------------------------------------------

HELLOS: list[tuple[dict[str, Any], str]] = [
    ({"op": None}, "op"),
    ({"op": "run"}, "op"),
    ({"op": ["hello"]}, "op"),
    ({"protocol": 0}, "protocol"),
    ({"protocol": 2}, "protocol"),
    ({"protocol": True}, "protocol"),
    ({"protocol": 1.5}, "protocol"),
    ({"protocol": "1"}, "protocol"),
    ({"protocol": -(10**40)}, "protocol"),
    ({"protocol": None}, "protocol"),
    ({"engine": None}, "engine"),
    ({"engine": 7}, "engine"),
    ({"engine": ["e"]}, "engine"),
    ({"engine": "\ud800"}, "engine"),
    ({"engine": "x" * 1_000_001}, "engine"),
    ({"version": 1.0}, "version"),
    ({"version": {}}, "version"),
    ({"version": "\udfff"}, "version"),
    ({"language": "sql"}, "language"),
    ({"language": ""}, "language"),
    ({"language": "rsp-ql\n"}, "language"),
    ({"language": None}, "language"),
    ({"language": "rsp-ql" * 100_000}, "language"),
    ({"dialect": None}, "dialect"),
    ({"dialect": []}, "dialect"),
    ({"dialect": {"duration": "years"}}, "dialect.duration"),
    ({"dialect": {"duration": {}}}, "dialect.duration"),
    ({"dialect": {"explicit_step": 1}}, "dialect.explicit_step"),
    ({"dialect": {"triple_terms": "yes"}}, "dialect.triple_terms"),
    ({"profile": None}, "profile"),
    ({"profile": 7}, "profile"),
    ({"profile": ["rsp-ql"]}, "profile"),
    ({"profile": "x" * 201}, "profile"),
    ({"profile": ESCAPE}, "profile"),
    ({"profile": {"base": None}}, "profile.base"),
    ({"profile": {"base": 7}}, "profile.base"),
    ({"profile": {"name": ESCAPE}}, "profile.name"),
    ({"profile": {"t0": None}}, "profile.t0"),
    ({"profile": {"t0": {"a": {}}}}, "profile.t0"),
    ({"profile": {"t0": 1.5}}, "profile.t0"),
    ({"profile": {"report": [["WC"]]}}, "profile.report"),
    ({"profile": {ESCAPE: None}}, "profile."),
    ({"profile": {"overrides": {}}}, "profile.overrides"),
    ({"profile": {"overrides": [7]}}, "profile.overrides[0]"),
    ({"profile": {"overrides": [{"when": ["join"]}]}}, "profile.overrides[0].dials"),
    ({"profile": {"overrides": [{"when": "join", "dials": {}}]}}, "profile.overrides[0].when"),
    ({"profile": {"overrides": [{"when": [1], "dials": {}}]}}, "profile.overrides[0].when[0]"),
    ({"features": None}, "features"),
    ({"features": {}}, "features"),
    ({"features": "select"}, "features"),
    ({"features": [1]}, "features[0]"),
    ({"features": [["select"]]}, "features[0]"),
    ({"features": ["telepathy"]}, "features[0]"),
    ({"features": ["telepathy" * 100_000]}, "features[0]"),
    ({"features": ["select", ESCAPE]}, "features[1]"),
    ({"features": [None] * 1_000_000}, "features[0]"),
    ({"answers": "all"}, "answers"),
    ({"answers": None}, "answers"),
    ({"advances": 0}, "advances"),
    ({"advances": "Clock"}, "advances"),
    ({"parallel": 0}, "parallel"),
    ({"parallel": -1}, "parallel"),
    ({"parallel": 1.5}, "parallel"),
    ({"parallel": True}, "parallel"),
    ({"parallel": "many"}, "parallel"),
    ({"pieces": 1}, "pieces"),
    ({"pieces": None}, "pieces"),
    ({"error": None}, "error"),
    ({"error": "no"}, "error"),
    ({"error": {}}, "error.kind"),
    ({"error": {"kind": "tired", "message": "no"}}, "error.kind"),
    ({"error": {"kind": "unavailable"}}, "error.message"),
    ({"error": {"kind": "unavailable", "message": ["no"]}}, "error.message"),
]


@pytest.mark.parametrize(("fields", "place"), HELLOS, ids=short)
def test_a_hello_that_is_none_names_the_place(fields: dict[str, Any], place: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_hello(decode_line(json.dumps({**HELLO, **fields}).encode()))
    assert refused(caught.value).startswith(f"{place}")


@pytest.mark.parametrize("field", [name for name in HELLO if name != "op"])
def test_a_hello_without_a_field_says_which(field: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_hello({name: value for name, value in HELLO.items() if name != field})
    assert refused(caught.value).startswith(f"{field}: expected ")
    assert caught.value.found == "nothing"


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


# --- replies -------------------------------------------------------------------------------------

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
    (answer(solutions=[{f"v{n}": URI} for n in range(501)]), "solutions"),
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
    with pytest.raises(ProtocolError, match=r"answers\[0\]\.cause: expected an index"):
        through(line)


def test_the_bad_line_of_a_graph_is_shown() -> None:
    graph = "<a:a> <a:b> <a:c> .\n@prefix : <http://ex.org/> .\n"
    with pytest.raises(ProtocolError) as caught:
        through(answer(graph=graph))
    assert "line 2" in caught.value.expected
    assert "@prefix" in caught.value.found


@pytest.mark.parametrize("kind", ["unsupported", "rejected", "crashed"])
def test_the_words_of_an_error_are_printable_and_short(kind: str) -> None:
    outcome = through(run(error={"kind": kind, "message": f"{ESCAPE}\nat line 1\n" * 10_000}))
    assert isinstance(outcome, Failure)
    assert all(line.isprintable() for line in outcome.message.split("\n"))
    assert len(outcome.message) < 10 * LONGEST_MESSAGE


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


# --- floods of rows ------------------------------------------------------------------------------


class Flooding(Silent):
    """An engine that answers with so many rows."""

    def __init__(self, rows: int, answers: int = 1) -> None:
        super().__init__("rsp-ql")
        self.answer = {"t": 2, "solutions": [{}] * rows}
        self.answers = answers

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        """Flood."""
        return {"op": "run", "id": request["id"], "answers": [self.answer] * self.answers}


@pytest.mark.parametrize(("rows", "answers"), [(100_000, 1), (1_000, 50), (0, 20_000)])
def test_more_rows_than_anybody_compares_are_a_finding(rows: int, answers: int) -> None:
    subject = EngineUnderTest.meet(InProcessEngine(Flooding(rows, answers)))
    observation = subject.ask(Stimulus(case()))
    assert observation.failure is not None
    assert observation.failure.kind == FLOOD
    assert "rows came" in observation.failure.message
    assert not observation.observed


def test_the_rows_due_are_those_of_the_member_of_z_with_most() -> None:
    query = parse_query(
        "SELECT ?a ?b FROM NAMED WINDOW <w:w> ON STREAM <s:s> [RANGE 1 STEP 5] "
        "WHERE { WINDOW <w:w> { ?a <p:p> ?x . ?b <p:q> ?y } }"
    )
    triples = [
        Triple(IRI(f"a:{n}"), IRI(property), IRI("a:o"))
        for n in range(110)
        for property in ("p:p", "p:q")
    ]
    elements = (StreamElement(IRI("s:s"), 7, tuple(triples)),)
    gaps = Case(query, elements, until=12, streams=(IRI("s:s"),))
    right = [Observed(e.t, e.content) for e in Expectation(gaps, Dials()).answer((1,))]
    assert judge(gaps, Dials(), right).correct
    assert not too_many_rows(gaps, Dials(), right)
    rows = next(a.content for a in right if not is_empty(a.content))
    flood = [*right, *[Observed(7, rows)] * 2 * TIMES]
    assert "rows came" in too_many_rows(gaps, Dials(), flood)


def test_rows_that_are_not_compared_are_no_flood() -> None:
    after = [Observed(case().until + 1, Rows(("x",), ((None,),) * 100_000))]
    assert judge(case(), Dials(empty_answers=False), after).correct
    assert not too_many_rows(case(), Dials(empty_answers=False), after)


def test_what_is_due_is_counted_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def long(expectation: Expectation, starts: Vector) -> NoReturn:
        end = process_time() + 10
        while process_time() < end:
            pass
        raise AssertionError("nothing limits it")

    monkeypatch.setattr(Expectation, "answer", long)
    allow(0.2)
    try:
        subject = EngineUnderTest.meet(InProcessEngine(Flooding(100_000)))
        observation = subject.ask(Stimulus(case()))
        assert observation.failure is None
        with pytest.raises(LimitExceeded):
            verdict_on(observation)
    finally:
        allow(SECONDS)


def test_wrong_rows_that_can_be_compared_are() -> None:
    subject = EngineUnderTest.meet(InProcessEngine(Flooding(TIMES)))
    observation = subject.ask(Stimulus(case()))
    assert observation.failure is None
    assert isinstance(observation.observed[0].content, Rows)
    assert observation.dials == Dials(answers="evaluations", advances="clock")
