"""XPath's regular expressions (F&O 5.6; XSD 1.1 part 2, appendix G)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rsp_conformance.adapters.reference.oxigraph import regex as reference
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import Literal
from rsp_conformance.sparql.functions import FUNCTIONS
from rsp_conformance.sparql.open_points import REGEX_EDITION
from rsp_conformance.sparql.readings import PLAIN, under

regex, replace = FUNCTIONS["REGEX"].apply, FUNCTIONS["REPLACE"].apply


ERROR = "an error"
TABLES = tomllib.loads(Path(__file__).with_name("regex.toml").read_text("utf-8"))


def matches(text: str, pattern: str, flags: str = "") -> bool | None:
    found = regex(Literal(text), Literal(pattern), Literal(flags))
    return None if found is None else found.lexical == "true"


@pytest.mark.parametrize(("text", "pattern", "flags", "expected"), TABLES["matches"])
def test_matches(text, pattern, flags, expected):
    assert matches(text, pattern, flags) is (None if expected == ERROR else expected)


@pytest.mark.parametrize("pattern", [r"\i", r"\c", r"\p{IsGreek}"])
def test_what_is_refused_by_name(pattern):
    with pytest.raises(Unsupported, match="regular expressions"):
        matches("a", pattern)


@pytest.mark.parametrize(("text", "pattern", "replacement", "expected"), TABLES["replaced"])
def test_replace(text, pattern, replacement, expected):
    found = replace(Literal(text), Literal(pattern), Literal(replacement))
    assert (ERROR if found is None else found.lexical) == expected


def test_tags_are_kept_by_replace_and_ignored_by_regex():
    tagged = Literal("abc", language="en")
    assert replace(tagged, Literal("b"), Literal("z")) == Literal("azc", language="en")
    assert regex(tagged, Literal("b")) is not None
    assert regex(Literal("abc"), Literal("b", language="en")) is None


SAID_ALIKE = [
    *[("b", r"^(a)?b$", ""), ("hello world", r"hello\ sworld", "x"), ("aa", "^a{1, 2}$", "x")],
    *[("a", " ( ?:a)", "x"), ("[b", r"\ [ b", "x"), ("a", "a\\ ", "x"), ("a\nb", "^b$", "m")],
    *[("a", "a**", ""), ("aa", "a{2}{1}", "")],
]


@pytest.mark.parametrize(("text", "pattern", "flags"), SAID_ALIKE)
def test_reference_says_the_same(text, pattern, flags):
    assert reference.matches(text, pattern, flags) is matches(text, pattern, flags)


@pytest.mark.parametrize(
    ("text", "pattern", "flags"),
    [
        ("b", r"^(a)?b\1$", ""),
        ("a\rb", "a.b", ""),
        ("a\n", "^$", "m"),
        ("a\n", "a$", "m"),
        ("a", "^*a", ""),
        ("a", "$ +", "x"),
        ("a", "[a ]", "x"),
        ("a", r"[a\ b]", "x"),
        ("a", "[a-z-[b] ]", "x"),
    ],
)
def test_what_reference_refuses_by_name(text, pattern, flags):
    with pytest.raises(Unsupported, match=r"regular expression|under the flag m"):
        reference.matches(text, pattern, flags)


@pytest.mark.parametrize(("text", "pattern", "flags", "is_open"), TABLES["editions"])
def test_where_the_editions_differ(text, pattern, flags, is_open):
    for apply, more in ((regex, ()), (replace, (Literal("z"),))):
        with under(PLAIN) as ledger:
            apply(Literal(text), Literal(pattern), *more, Literal(flags))
        assert (REGEX_EDITION in ledger.left_open) == is_open
