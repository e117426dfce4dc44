"""Lines of a driver that are no messages: each ends in one line, soon and in little memory."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from rsp_conformance.protocol.failures import Flood
from rsp_conformance.protocol.messages import (
    MOST_VALUES,
    decode_line,
)
from rsp_conformance.protocol.pump import LineBuffer, LineTooLong
from tests.builders.wire import watched
from tests.hostile.table import short
from tests.hostile.wire import in_seconds

wire = pytest.fixture(autouse=True)(watched)
soon = pytest.fixture(autouse=True)(in_seconds)


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
