"""What a driver may say of itself and should not: the error names the place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rsp_conformance.protocol import EngineError
from rsp_conformance.protocol.failures import ProtocolError
from rsp_conformance.protocol.forms import LONGEST_MESSAGE, LONGEST_NAME
from rsp_conformance.protocol.messages import (
    decode_line,
    read_hello,
)
from tests.builders.wire import HELLO, watched
from tests.hostile.table import short
from tests.hostile.wire import ESCAPE, in_seconds, refused

wire = pytest.fixture(autouse=True)(watched)
soon = pytest.fixture(autouse=True)(in_seconds)

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
