"""Lines of a driver that are no messages: each ends in one line, soon and in little memory."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from rsp_conformance.protocol.failures import Flood, ProtocolError
from rsp_conformance.protocol.messages import (
    MOST_VALUES,
    decode_line,
)
from rsp_conformance.protocol.pump import LineBuffer, LineTooLong
from tests.builders.wire import watched
from tests.hostile.table import short
from tests.hostile.wire import in_seconds, refused, through

wire = pytest.fixture(autouse=True)(watched)
soon = pytest.fixture(autouse=True)(in_seconds)

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
