"""What a driver may say, and the error for everything else."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rsp_conformance.files.fields import shown
from rsp_conformance.files.profiles import ProfileJson
from rsp_conformance.model.answers import Observed, Rows, Triples, Truth
from rsp_conformance.model.errors import last_words
from rsp_conformance.model.features import FEATURES, PARTS, RESTRICTIONS, WHOLE
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple
from rsp_conformance.protocol import (
    Failure,
    ProtocolError,
    Reply,
    read_hello,
    read_run,
)
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.protocol.messages import decode_line, merge_rows
from rsp_conformance.protocol.pump import LineBuffer, LineTooLong, Tail
from rsp_conformance.text.languages import printer_of
from rsp_conformance.text.parse import parse_query
from tests.builders.wire import HELLO, URI

WINDOWED = parse_query("SELECT * FROM NAMED WINDOW <a:w> ON <a:s> [RANGE 3] { ?s ?p ?o }")
a = IRI("http://ex.org/a")


def hello(**changed: Any) -> dict[str, Any]:
    """A hello with changes; a field changed to None is left out."""
    return {name: value for name, value in {**HELLO, **changed}.items() if value is not None}


def reply(*answers: Any, **fields: Any) -> dict[str, Any]:
    """A reply with these answers."""
    return {"op": "run", "id": "c", "answers": list(answers), **fields}


def answered(answer: dict[str, Any], **how: Any) -> Observed:
    """The one answer of a reply to a request of two elements."""
    read = read_run(reply(answer), elements=2, **how)
    assert isinstance(read, Reply)
    return read.answers[0]


# --- hello ---------------------------------------------------------------------------------


def test_hello_has_its_defaults() -> None:
    read = read_hello(hello(unknown="ignored"))
    assert (read.answers, read.advances, read.parallel, read.dialect) == (
        "evaluations",
        "clock",
        1,
        {},
    )


def test_hello_in_full() -> None:
    read = read_hello(
        hello(
            dialect={"duration": "iso", "other": 1},
            profile={"base": "rsp-ql", "bounds": "[o,c)"},
            features=[*FEATURES, *RESTRICTIONS, "x-mine"],
            answers="rows",
            advances="elements",
            parallel=8,
        )
    )
    assert read.features == frozenset(FEATURES | RESTRICTIONS)
    assert read.profile == ProfileJson(base="rsp-ql", dials={"bounds": "[o,c)"})
    assert (read.answers, read.advances, read.parallel) == ("rows", "elements", 8)


def test_whole_numbers_may_be_written_with_a_point() -> None:
    # As PHP and Lua write them; for JSON Schema they are integers.
    line = json.dumps(hello(protocol=1.0, parallel=2.0, profile={"t0": 5.0})).encode()
    read = read_hello(decode_line(line))
    assert (read.protocol, read.parallel) == (1, 2)
    assert read.profile == ProfileJson(dials={"t0": "5"})
    assert [type(n) for n in (read.protocol, read.parallel)] == [int, int]
    assert answered({"t": 1, "cause": Decimal("1.0"), "boolean": True}).cause == 1
    refused = {"op": "run", "id": "c", "error": {"kind": "rejected", "message": "", "element": 1.0}}
    response = read_run(refused, elements=2)
    assert isinstance(response, Failure) and response.element == 1


@pytest.mark.parametrize("written", ["1.5", "-1E+2000", "1E-400"])
def test_a_number_in_an_error_is_written_as_one(written: str) -> None:
    line = json.dumps(hello(parallel=0)).replace('"parallel": 0', f'"parallel": {written}')
    with pytest.raises(ProtocolError) as caught:
        read_hello(decode_line(line.encode()))
    assert (caught.value.field, caught.value.found) == ("parallel", written)
    assert shown([Decimal("1.5"), {"t": Decimal(2)}]) == '[1.5, {"t": 2.0}]'


def test_a_key_of_the_dialect_is_read_as_the_schema_names_it() -> None:
    # Any other field is ignored, whatever it holds.
    read = read_hello(hello(dialect={"explicit-step": "yes", "explicit_step": True}))
    assert read.dialect == {"explicit_step": True}
    assert "STEP" not in printer_of("rsp-ql", {"explicit-step": "yes"})(WINDOWED)
    assert "STEP 1" in printer_of("rsp-ql", read.dialect)(WINDOWED)


def test_the_table_has_every_feature() -> None:
    assert len(WHOLE) == 41
    assert FEATURES.keys() - WHOLE == {part for parts in PARTS.values() for part in parts}


# --- run -----------------------------------------------------------------------------------


def test_the_three_forms_of_an_answer() -> None:
    assert answered({"t": 1, "solutions": [{"x": URI}]}).content == Rows(("x",), ((a,),))
    assert answered({"t": 1, "solutions": []}).content == Rows((), ())
    assert answered({"t": 1, "solutions": [{}, {}]}).content == Rows((), ((), ()))
    assert answered({"t": 1, "boolean": False}).content == Truth(False)
    assert answered({"t": 1, "graph": ""}).content == Triples(frozenset())
    line = "<a:a> <a:a> <a:a> ."
    assert answered({"t": 1, "graph": line}).content == Triples(
        frozenset({Triple(IRI("a:a"), IRI("a:a"), IRI("a:a"))})
    )


@pytest.mark.parametrize(
    ("line", "t"),
    [
        (b"6", 6),
        (b"-6", -6),
        (b"6.0", 6),
        (b"6e1", 60),
        (b"6.10", Fraction(61, 10)),
        (b"0.1", Fraction(1, 10)),
        (b"null", None),
    ],
)
def test_instants_are_exact(line: bytes, t: int | Fraction | None) -> None:
    message = decode_line(b'{"op":"run","id":"c","answers":[{"t":' + line + b',"boolean":true}]}')
    read = read_run(message, elements=0)
    assert isinstance(read, Reply)
    assert read.answers[0].t == t
    assert type(read.answers[0].t) is type(t)


def test_causes() -> None:
    assert answered({"t": 1, "cause": 1, "boolean": True}).cause == 1
    assert answered({"t": 1, "cause": "end", "boolean": True}, pacing="settled").cause == "end"
    assert answered({"t": 1, "cause": None, "boolean": True}).cause is None
    assert answered({"t": 1, "boolean": True}).cause is None
    beyond, none = "an index of the 2 elements", 'an integer of at least 0 or "end" or null'
    for cause, expected in (
        *((cause, beyond) for cause in (2, 2.0)),
        *((cause, none) for cause in (-1, True, 0.5, "begin")),
    ):
        with pytest.raises(ProtocolError, match=rf"answers\[0\]\.cause: expected {expected}"):
            answered({"t": 1, "cause": cause, "boolean": True})
    with pytest.raises(ProtocolError, match="the pacing is settled"):
        answered({"t": 1, "boolean": True}, pacing="settled")


def test_a_bad_line_of_a_graph_is_shown() -> None:
    with pytest.raises(ProtocolError) as caught:
        answered({"t": 1, "graph": "<a:a> <a:a> <a:a> .\n<a:b> <a:b> .\n"})
    assert "line 2: " in caught.value.expected
    assert caught.value.found == '"<a:b> <a:b> ."'


def test_terms() -> None:
    terms = {
        "a": URI,
        "b": {"type": "bnode", "value": "b0"},
        "c": {"type": "literal", "value": "5", "datatype": "http://ex.org/d"},
        "d": {"type": "literal", "value": "chat", "xml:lang": "fr"},
        "e": {"type": "triple", "value": {"subject": URI, "predicate": URI, "object": URI}},
    }
    assert answered({"t": None, "solutions": [terms]}).content == Rows(
        ("a", "b", "c", "d", "e"),
        (
            (
                a,
                BlankNode("b0"),
                Literal("5", "http://ex.org/d"),
                Literal("chat", language="fr"),
                Triple(a, a, a),
            ),
        ),
    )


# --- lines ---------------------------------------------------------------------------------


def test_lines_are_cut_whole() -> None:
    buffer = LineBuffer(limit=5)
    assert buffer.feed(b"ab") == []
    assert buffer.partial == 2
    assert buffer.feed(b"c\nd\n\nef") == [b"abc", b"d", b""]
    assert buffer.feed(b"\n") == [b"ef"]
    with pytest.raises(LineTooLong):
        buffer.feed(b"123456")


def test_the_tail_keeps_the_last_lines() -> None:
    tail = Tail(lines=2, width=4)
    for byte in b"one\ntwo\nthree\r\nfo":
        tail.feed(bytes([byte]))
    assert tail.lines() == ("two", "thre", "fo")


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_the_tail_keeps_the_first_line_that_names_an_error(size: int) -> None:
    lines = ("start", "TypeError: no", *(f"at {n}" for n in range(99)), "RangeError: end", "")
    text, tail = "\n".join(lines).encode(), Tail(lines=3)
    for start in range(0, len(text), size):
        tail.feed(text[start : start + size])
    assert tail.lines() == ("TypeError: no", "at 97", "at 98", "RangeError: end")
    short = Tail()
    short.feed(b"a\nTypeError: no\nb\n")
    assert short.lines() == ("a", "TypeError: no", "b")


def test_a_cause_that_was_written_first_stands_before_the_last_words() -> None:
    lines = ("start", "TypeError: no", *(f"at {n}" for n in range(9)), "Node.js v20")
    error = EngineError("the driver ended", stderr=lines)
    assert error.line.endswith("standard error ends: TypeError: no | at 7 | at 8 | Node.js v20")
    assert last_words(lines[1:4], 3) == lines[1:4]


# --- rows ----------------------------------------------------------------------------------


def rows(*stamps: tuple[Any, Any]) -> list[tuple[Any, Any, int]]:
    """Rows of these (t, cause), merged: (t, cause, number of rows)."""
    single = [Observed(t, Rows(("x",), ((a,),)), cause) for t, cause in stamps]
    merged = [(o.t, o.cause, o.content) for o in merge_rows(single)]
    return [(t, c, len(content)) for t, c, content in merged if isinstance(content, Rows)]


def test_rows_merge_by_t_or_else_by_cause() -> None:
    assert rows((1, 0), (1, 1), (2, 1)) == [(1, 0, 2), (2, 1, 1)]
    assert rows((1, 0), (2, 0), (1, 0)) == [(1, 0, 1), (2, 0, 1), (1, 0, 1)]
    assert rows((None, 0), (None, 0), (None, 1)) == [(None, 0, 2), (None, 1, 1)]
    assert rows((None, 0), (1, 0)) == [(None, 0, 1), (1, 0, 1)]
    assert rows((None, None), (None, None)) == [(None, None, 1), (None, None, 1)]


def test_columns_of_merged_rows_are_joined() -> None:
    (merged,) = merge_rows([Observed(1, Rows(("x",), ((a,),))), Observed(1, Rows(("y",), ((a,),)))])
    assert merged.content == Rows(("x", "y"), ((a, None), (None, a)))


def test_graphs_merge_and_booleans_do_not() -> None:
    one, other = (Triple(IRI(f"a:{x}"), a, a) for x in "ab")
    graphs = [Observed(1, Triples(frozenset({triple}))) for triple in (one, other)]
    assert merge_rows(graphs) == (Observed(1, Triples(frozenset({one, other}))),)
    booleans = [Observed(1, Truth(True)), Observed(1, Truth(True))]
    assert merge_rows(booleans) == tuple(booleans)
    other_form = [Observed(1, Truth(True)), Observed(1, Rows((), ()))]
    assert merge_rows(other_form) == tuple(other_form)
