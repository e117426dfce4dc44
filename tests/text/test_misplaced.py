"""A token of any kind in any wrong place of a query: the message names it, where it stands."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.parse import parse_query
from tests.text.corpus import ALL
from tests.text.test_rsp_group import READ

TABLES = tomllib.loads(Path(__file__).with_name("misplaced.toml").read_text("utf-8"))

KINDS = TABLES["kinds"]
TOKEN = re.compile(
    r"""\"{3}(?:.|\n)*?\"{3}|'{3}(?:.|\n)*?'{3}|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|<[^<>\s]*>"""
    r"""|\#\s.*|[?$]?[\w:.\-%\\~]*[\w:]|\^\^|\S"""
)
TEXTS = [text for text in (*ALL.values(), *READ) if "#" not in text and "\\u" not in text]


def fails(text: str) -> QuerySyntaxError | None:
    try:
        parse_query(text)
    except QuerySyntaxError as error:
        return error
    return None


def index(text: str, error: QuerySyntaxError) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1


def is_of_syntax(error: QuerySyntaxError) -> bool:
    """Whether the grammar says no; what is refused by name, or means nothing, has its own words."""
    return error.message == f"expected {error.expected}, found {error.found}"


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(data=st.data())
def test_the_first_wrong_token_is_named(kind: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS), "text")
    places = [match.span() for match in TOKEN.finditer(text)]
    start, end = data.draw(st.sampled_from(places), "place")
    instead = data.draw(st.booleans(), "instead of what stands there")
    wrong = KINDS[kind]
    damaged = f"{text[:start]} {wrong} {text[end if instead else start :]}"
    error = fails(damaged)
    assume(error is not None)
    assert error is not None
    assume(is_of_syntax(error))
    at = index(damaged, error)
    assert at >= start
    if error.found == "the end of the query":
        assert at == len(damaged.rstrip())
        return
    found = error.found.strip("'") if error.found[1:2] not in "'\"" else error.found[1:-1]
    found = wrong if at == start + 1 and wrong in (error.found, error.found[1:-1]) else found
    assert damaged.startswith(found.removesuffix("…"), at), (damaged, str(error))
    if at == start + 1:
        # It is the token that was put there: the whole of it.
        # (What closes makes one token of a bracket, `[ ]`, where no other may stand.)
        assert error.found in (wrong, f"'{wrong}'") or error.found[1] == wrong[0] in "(["
    assert f"'{found}'" not in error.expected
    # Everything before is the beginning of a query, ...
    before = fails(damaged[:at])
    assert before is None or not is_of_syntax(before) or before.found == "the end of the query"
    # ... and with the token it is none, whatever follows.
    through = fails(damaged[: at + len(found)])
    if found[0] in "([":
        return  # ... unless a bracket that is not closed at once may stand there.
    assert through is not None
    assert (through.line, through.column) == (error.line, error.column)
