"""What a driver may say of itself and should not: the error names the place."""

from __future__ import annotations

import pytest

from rsp_conformance.protocol import EngineError
from rsp_conformance.protocol.forms import LONGEST_MESSAGE, LONGEST_NAME
from rsp_conformance.protocol.messages import (
    read_hello,
)
from tests.builders.wire import HELLO, watched
from tests.hostile.table import short
from tests.hostile.wire import ESCAPE, in_seconds

wire = pytest.fixture(autouse=True)(watched)
soon = pytest.fixture(autouse=True)(in_seconds)


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
