"""Messages of drivers with anything wrong: one line with the place, and the driver's own fault."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given

from rsp_conformance.protocol import Failure, ProtocolEngine
from rsp_conformance.protocol.failures import EngineError, ProtocolError
from rsp_conformance.protocol.messages import decode_line, read_hello, read_run
from tests.builders.wire import URI
from tests.generators.damage import Damage, Raw, damaged
from tests.hostile.readers import Reader, changed, few, many

XSD = "http://www.w3.org/2001/XMLSchema#"
ENGLISH = {"type": "literal", "value": "a", "xml:lang": "en"}
NUMBER = {"type": "literal", "value": "1", "datatype": XSD + "integer"}
QUOTED = {
    "type": "triple",
    "value": {"subject": {"type": "bnode", "value": "b"}, "predicate": URI, "object": ENGLISH},
}
ANSWERS = [
    {"t": 1, "cause": 0, "solutions": [{"x": URI, "y": NUMBER}, {"x": QUOTED}]},
    {"t": 6.5, "cause": "end", "boolean": True},
    {"t": None, "cause": None, "graph": "<a:a> <a:b> <a:c> .\n"},
]
REPLY = {"op": "run", "id": "c", "answers": ANSWERS}
REJECTED = {"op": "run", "id": "c", "error": {"kind": "rejected", "message": "m", "element": 1}}
CRASHED = {**REPLY, "error": {"kind": "crashed", "message": "m"}}
HELLO = {
    "op": "hello",
    "protocol": 1,
    "engine": "e",
    "version": "1",
    "language": "rsp-ql",
    "dialect": {"duration": "iso", "explicit_step": True, "static_graph": "a:g"},
    "profile": {
        "base": "rsp-ql",
        "t0": 5,
        "stream_operators": ["R"],
        "empty_answers": True,
        "overrides": [{"when": ["ask"], "dials": {"bounds": "[o,c)"}}],
    },
    "features": ["select", "x-mine"],
    "answers": "rows",
    "advances": "elements",
    "parallel": 8,
    "pieces": True,
    "algebra": True,
}


@pytest.fixture(scope="module")
def schema() -> Any:
    """The JSON Schema of all messages, as the command prints it."""
    from rsp_conformance.protocol import forms

    return jsonschema.Draft202012Validator(forms.schema())


def words(error: EngineError) -> str:
    """The message of an error of a connection."""
    return error.message


def read_reply(line: bytes) -> object:
    """What becomes of a reply to a request of two elements."""
    return read_run(decode_line(line), elements=2)


@pytest.fixture(scope="module")
def reply(schema: Any) -> Reader:
    """Replies to `run`."""
    terms = [f"answers[].solutions[].{name}" for name in "xy"]
    parts = [f"{terms[0]}.value.{name}" for name in ("subject", "predicate", "object")]
    return Reader(
        read_reply,
        ProtocolError,
        words,
        needs=(
            *("op", "id", "answers[].t", "error.kind", "error.message", *parts),
            *(f"{term}.{name}" for term in (*terms, *parts) for name in ("type", "value")),
        ),
        kinds={
            "answers[].t": "whole number null",
            "answers[].cause": "whole number null text",
            "error.element": "number null",
        },
        open=("",),
        exact=True,
        unplaced=(*UNPLACED, "answers: expected an array, found nothing"),
        fits=schema.is_valid,
    )


@pytest.fixture(scope="module")
def hello(schema: Any) -> Reader:
    """Hellos."""
    needs = "op protocol engine version language profile features"
    dials = ("profile.t0", "profile.stream_operators", "profile.empty_answers")
    own = "profile.overrides[]"
    return Reader(
        lambda line: read_hello(decode_line(line)),
        ProtocolError,
        words,
        needs=(*needs.split(), f"{own}.when", f"{own}.dials"),
        kinds={
            "protocol": "number",
            "parallel": "number",
            "profile": "text",
            **dict.fromkeys((*dials, f"{own}.dials.bounds"), "whole number text truth list"),
        },
        open=("",),
        exact=True,
        unplaced=UNPLACED,
        fits=schema.is_valid,
    )


UNPLACED = ("expected a line of JSON", "expected values that are nested")
"""What is said of lines that are no JSON, or nested too deep."""


@many
@given(damaged([REPLY, REJECTED]))
def test_a_damaged_reply(reply: Reader, damage: Damage) -> None:
    reply.check(damage)


@many
@given(damaged([HELLO]))
def test_a_damaged_hello(hello: Reader, damage: Damage) -> None:
    hello.check(damage)


X, Y = "answers[0].solutions[0].x", "answers[0].solutions[0].y"
QUOTES = "answers[0].solutions[1].x.value"
REPLIES: list[tuple[str, Any, str]] = [
    ("answers[1].t", Raw("1e-9999999999999999999"), "expected a line of JSON (the number '1e-9"),
    ("answers[1].t", Raw("1e-999999999"), "answers[1].t: expected an instant of at most 40 digits"),
    ("answers", [None] * 500_000, "answers[0]: expected"),
    ("answers[0].solutions[0]", {f"v{n}": URI for n in range(501)}, "answers[0].solutions[0]: "),
    (f"{X}.value", "a:" + "b" * 1_000_000, f"{X}.value: expected a string of at most 1000000"),
    (f"{Y}.value", "9" * 100_000, f"{Y}.value: expected at most 1000 characters of {XSD}integer"),
    (f"{QUOTES}.subject", ENGLISH, f"{QUOTES}.subject.type: expected"),
    ("answers[2].graph", "<< " * 100_000, "answers[2].graph: expected N-Triples (line 1"),
    (
        "answers[2].graph",
        f'<a:a> <a:b> "{"9" * 5_000}"^^<{XSD}integer> .',
        "answers[2].graph.value: expected at most 1000 characters",
    ),
    ("error", {"kind": "unavailable", "message": "m"}, "error.kind: expected"),
    (
        "error",
        {"kind": "rejected", "message": "", "element": 2},
        "error.element: expected an index of the 2 elements",
    ),
]


@pytest.mark.parametrize(("place", "value", "said"), REPLIES, ids=range(len(REPLIES)))
def test_a_reply_names_the_place(reply: Reader, place: str, value: Any, said: str) -> None:
    assert reply.said(changed(REPLY, place, value)).startswith(said)


PROFILE = "profile.overrides[0]"
HELLOS: list[tuple[str, Any, str]] = [
    ("protocol", 2, "protocol: expected an integer of at most 1"),
    ("engine", "x" * 1_000_001, "engine: expected a string of at most 1000000 characters"),
    ("profile", "x" * 201, "profile: expected a name of at most 200 characters"),
    ("features", [None] * 500_000, "features[0]: expected"),
    ("features[1]", "telepathy" * 100_000, "features[1]: expected a name of the table of features"),
    ("parallel", Raw("1e999999999"), "parallel: expected"),
    ("error", {"kind": "tired", "message": "no"}, "error.kind: expected"),
]


@pytest.mark.parametrize(("place", "value", "said"), HELLOS, ids=range(len(HELLOS)))
def test_a_hello_names_the_place(hello: Reader, place: str, value: Any, said: str) -> None:
    assert hello.said(changed(HELLO, place, value)).startswith(said)


LINES: list[tuple[bytes, str]] = [
    (b"", "a line of JSON"),
    (b"[" * 1_000_000, "a line of JSON"),
    (b'{"a":' * 200 + b"1" + b"}" * 200, "nested at most 134 deep"),
    (b'{"op": "run"} {"op": "run"}', "a line of JSON"),
    (b'\xef\xbb\xbf{"op": "run"}', "a line of JSON"),
    (b'{"op": "\xed\xa0\x80"}', "a line of UTF-8"),
    (b"\x1b[2J\x1b]0;owned\x07", "a line of JSON"),
    (b'{"t": ' + b"9" * 1_000_000 + b"}", "a line of JSON"),
    (b'{"op": "run", "\\u006fp": "hello"}', "stands twice in one object"),
    (b'{"op": "' + b"x" * 10_000_000 + b'"}', "op: expected one of run"),
]


@pytest.mark.parametrize(("line", "said"), LINES, ids=range(len(LINES)))
def test_a_line_that_is_none(reply: Reader, line: bytes, said: str) -> None:
    assert said in reply.said(line)


# --- at the border: a process ---------------------------------------------------------------------

DRIVER = "read -r a; cat hello; while read -r a; do cat reply; echo; done"
"""A driver that answers a hello with one file and a case with another."""


@few
@given(damaged([REPLY, REJECTED, CRASHED]))
def test_a_driver_with_damage_is_to_blame_and_the_next_case_is_asked(
    tmp_path_factory: pytest.TempPathFactory, damage: Damage
) -> None:
    folder = tmp_path_factory.getbasetemp() / "border"
    folder.mkdir(exist_ok=True)
    plain = {**HELLO, "parallel": 1, "answers": "evaluations"}
    (folder / "hello").write_text(json.dumps(plain) + "\n")
    (folder / "reply").write_bytes(damage.content.replace(b"\n", b" "))
    request = {"op": "run", "id": "c", "query": "", "elements": [{}, {}]}
    try:
        expected = read_reply(damage.content.replace(b"\n", b" "))
    except ProtocolError:
        expected = None
    with ProtocolEngine(["sh", "-c", DRIVER], time_limit=10.0, cwd=folder) as engine:
        outcomes = [outcome for _, outcome in engine.run_many([request, request])]
    assert len(outcomes) == 2
    is_an_answer = expected is not None and decode_line(damage.content)["id"] == "c"
    for outcome in outcomes:
        if is_an_answer:
            assert outcome == expected
        else:
            assert isinstance(outcome, Failure) and outcome.kind == "protocol-error"
            assert outcome.message.isprintable() and len(outcome.message) < 1_000
