"""Durations, IRIs, escapes and languages."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsp_conformance.model.iris import resolve
from rsp_conformance.model.windows import Duration
from rsp_conformance.text.durations import parse_duration, write_duration, write_span
from rsp_conformance.text.escapes import escape, replace_code_points, unescape
from rsp_conformance.text.parse import parse_query
from tests.text.test_layout import WRITTEN

TABLES = tomllib.loads(Path(__file__).with_name("parts.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("PT5S", 5000),
        ("pt5s", 5000),
        ("PT0.5S", 500),
        ("PT0,5S", 500),
        ("PT1.5H", 5_400_000),
        ("P1D", 86_400_000),
        ("P1W", 604_800_000),
        ("P1DT2H3M4.005S", 93_784_005),
        ("PT0S", 0),
    ],
)
def test_durations_are_read(text: str, milliseconds: int) -> None:
    assert parse_duration(text) == Duration(milliseconds)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P", "no ISO 8601 duration"),
        ("PT", "no ISO 8601 duration"),
        ("P1DT", "no ISO 8601 duration"),
        ("5S", "no ISO 8601 duration"),
        ("PT5", "no ISO 8601 duration"),
        ("PT5S1M", "no ISO 8601 duration"),
        ("-PT5S", "no ISO 8601 duration"),
        ("P1Y", "years or months"),
        ("P1M", "years or months"),
        ("P1Y2M3D", "years or months"),
        ("PT0.0005S", "no whole number of milliseconds"),
    ],
)
def test_what_is_no_duration(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_duration(text)


@given(st.integers(0, 10**12).map(Duration))
def test_durations_are_written_as_they_are_read(duration: Duration) -> None:
    assert parse_duration(write_duration(duration)) == duration


def test_durations_are_written_short() -> None:
    written = {
        0: "PT0S",
        5000: "PT5S",
        90_000: "PT1M30S",
        86_400_500: "P1DT0.5S",
        3_600_000: "PT1H",
    }
    assert {m: write_duration(Duration(m)) for m in written} == written


def test_unknown_style() -> None:
    with pytest.raises(ValueError, match="unknown style of durations 'h'"):
        write_span(5, "h")


# RFC 3986, section 5.4.
BASE = "http://a/b/c/d;p?q"
RESOLVED = TABLES["resolved"]


@pytest.mark.parametrize("reference", RESOLVED)
def test_relative_iris(reference: str) -> None:
    assert resolve(reference, BASE) == RESOLVED[reference]


def test_other_bases() -> None:
    assert resolve("g", "http://a") == "http://a/g"
    assert resolve("g", "urn:x:y") == "urn:g"
    assert resolve("g", None) == "g"
    assert resolve("x://a/./b/../%63", "http://a") == "x://a/./b/../%63"


def test_bases_build_on_one_another() -> None:
    query = parse_query("BASE <http://a/b/> BASE <c/> PREFIX d: <d/> DESCRIBE <e> d:f")
    assert [str(term) for term in query.described] == ["<http://a/b/c/e>", "<http://a/b/c/d/f>"]


@given(st.text())
def test_escapes_round_trip(text: str) -> None:
    assert unescape(escape(text)) == text
    assert "\n" not in escape(text)


def test_code_points_leave_what_would_end_a_string() -> None:
    assert replace_code_points(r"\u0041\u0022\\u0041\U00000042")[0] == r"A\u0022\\u0041B"


def test_speed() -> None:
    """A query of forty lines takes a few milliseconds once the grammar is loaded."""
    text = WRITTEN
    parse_query(text)

    def seconds(work: Callable[[], object]) -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    # Adding up so many numbers takes a millisecond where reading the query does.
    pairs = [
        (seconds(lambda: parse_query(text)), seconds(lambda: sum(range(100_000))))
        for _ in range(10)
    ]
    assert min(read / added for read, added in pairs) < 20
