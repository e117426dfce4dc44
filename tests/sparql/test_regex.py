"""XPath's regular expressions (F&O 5.6; XSD 1.1 part 2, appendix G)."""

from __future__ import annotations

import pytest

from rsp_conformance.adapters.reference.oxigraph import regex as reference
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import Literal
from rsp_conformance.sparql.functions import FUNCTIONS
from rsp_conformance.sparql.open_points import REGEX_EDITION
from rsp_conformance.sparql.readings import PLAIN, under

regex, replace = FUNCTIONS["REGEX"].apply, FUNCTIONS["REPLACE"].apply


def matches(text: str, pattern: str, flags: str = "") -> bool | None:
    found = regex(Literal(text), Literal(pattern), Literal(flags))
    return None if found is None else found.lexical == "true"


@pytest.mark.parametrize(
    ("text", "pattern", "flags", "expected"),
    [
        ("abracadabra", "bra", "", True),
        ("abracadabra", "^a.*a$", "", True),
        ("abracadabra", "^bra", "", False),
        ("abc", "B", "", False),
        ("abc", "B", "i", True),
        ("b\n", "b$", "", False),  # $ is the end, not the end of the last line
        ("a\nb", "a.b", "", False),
        ("a\nb", "a.b", "s", True),
        ("a\nb", "^b$", "", False),
        ("a\nb", "^b$", "m", True),
        ("abc", "a b c", "", False),
        ("abc", "a b c", "x", True),
        ("hello world", r"hello\ sworld", "x", True),
        ("aa", "^a{1, 2}$", "x", True),
        ("a", " ( ?:a)", "x", True),
        ("É", r"^\p{ L u }$", "x", True),
        ("[b", r"\ [ b", "x", True),
        ("\\b", r"\ \ b", "x", True),
        ("a", "a\\ ", "x", None),
        ("a.c", "a.c", "q", True),
        ("abc", "a.c", "q", False),
        ("aa", r"(a)\1", "", True),
        ("ab", r"(a)\1", "", False),
        ("b", r"^(a)?b\1$", "", True),  # a group that took no part stands for nothing
        ("aba", r"^(a)?b\1$", "", True),
        ("ab", r"^(a)?b\1$", "", False),
        ("b", r"^(?:(a)|b)\1*$", "", True),
        ("abcdefghijkll", r"(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)(l)\12", "", True),
        ("abcdefghijkla2", r"^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)(l)\12", "", False),
        ("abcdefghijka2", r"^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)\12$", "", True),
        ("aa2", r"^(a)\12$", "", True),  # the longest number that is a group
        ("a", r"(a\1)", "", None),
        ("a", r"\1(a)", "", None),
        ("a", r"(a)\2", "", None),
        ("a\u00a0b", r"a\sb", "", False),  # \s is space, tab, newline, return
        ("a\tb", r"a\sb", "", True),
        ("\u00a0", r"^\S$", "", True),
        ("\u00a0", r"^[\S]$", "", True),
        ("٣", r"^\d$", "", True),
        ("٣", r"^\D$", "", False),
        ("_", r"^\w$", "", False),  # \w leaves out punctuation, separators and others
        ("+", r"^\w$", "", True),
        ("a", r"^[\W]$", "", False),
        ("É", r"^\p{Lu}$", "", True),
        ("É", r"^\P{L}$", "", False),
        # Under i an escape for several characters has its own alone; characters have both cases.
        ("a", r"^\p{Lu}$", "i", False),
        ("A", r"^\p{Lu}$", "i", True),
        ("A", r"^\P{Lu}$", "i", False),
        ("a", r"^[\p{Lu}]$", "i", False),
        ("b", r"^[\p{Lu}B]$", "i", True),
        ("a", r"^[\p{Lu}B]$", "i", False),
        ("a", r"^[^\p{Lu}B]$", "i", True),
        ("b", r"^[^\p{Lu}B]$", "i", False),
        ("A", r"^[a-z-[\p{Lu}]]$", "i", False),
        ("a", r"^[a-z-[\p{Lu}]]$", "i", True),
        ("a", r"^[\p{Lu}-[B]]$", "i", False),
        ("b", "^[a-z-[aeiou]]$", "", True),
        ("e", "^[a-z-[aeiou]]$", "", False),
        ("-", "^[a-]$", "", True),
        ("-", "^[-a]$", "", True),
        ("]", r"^[\]]$", "", True),
        ("d", "^[^a-c]$", "", True),
        ("ab", "(?:ab)", "", True),
        ("aab", "^a{2}b{1,}$", "", True),
        ("a|b", r"a\|b", "", True),
        ("a", "(", "", None),
        ("a", "[", "", None),
        ("a", "[]", "", None),
        ("a", "*a", "", None),
        ("a", "a**", "", None),
        ("a", "a{2,1}", "", None),
        ("a", "a(?=b)", "", None),  # Python's, not XPath's
        ("a", r"\ba", "", None),
        ("a", r"\Aa", "", None),
        ("a", "a", "k", None),
    ],
)
def test_matches(text, pattern, flags, expected):
    assert matches(text, pattern, flags) is expected


@pytest.mark.parametrize("pattern", [r"\i", r"\c", r"\p{IsGreek}"])
def test_what_is_refused_by_name(pattern):
    with pytest.raises(Unsupported, match="regular expressions"):
        matches("a", pattern)


@pytest.mark.parametrize(
    ("text", "pattern", "replacement", "expected"),
    [
        ("abracadabra", "bra", "*", "a*cada*"),
        ("abracadabra", "a.*a", "*", "*"),
        ("abracadabra", "a.*?a", "*", "*c*bra"),
        ("abracadabra", "a", "", "brcdbr"),
        ("abracadabra", "a(.)", "a$1$1", "abbraccaddabbra"),
        ("AAAA", "A+", "b", "b"),
        ("AAAA", "A+?", "b", "bbbb"),
        ("darted", "^(.*?)d(.*)$", "$1c$2", "carted"),
        ("abc", "(b)", "$12", "ab2c"),
        ("abc", "b", "$0$0", "abbc"),
        ("abc", "b", "$1", "ac"),
        ("abc", "(b)|(z)", "[$2]", "a[]c"),
        ("abc", "b", r"\$\\", r"a$\c"),
        ("abc", "b", "$", None),
        ("abc", "b", r"\n", None),
        ("abc", ".*?", "x", None),  # matches the empty string
        ("abc", "x*", "y", None),
    ],
)
def test_replace(text, pattern, replacement, expected):
    found = replace(Literal(text), Literal(pattern), Literal(replacement))
    assert (None if found is None else found.lexical) == expected


def test_tags_are_kept_by_replace_and_ignored_by_regex():
    tagged = Literal("abc", language="en")
    assert replace(tagged, Literal("b"), Literal("z")) == Literal("azc", language="en")
    assert regex(tagged, Literal("b")) is not None
    assert regex(Literal("abc"), Literal("b", language="en")) is None


SAID_ALIKE = [
    *[("b", r"^(a)?b$", ""), ("hello world", r"hello\ sworld", "x"), ("aa", "^a{1, 2}$", "x")],
    *[("a", " ( ?:a)", "x"), ("[b", r"\ [ b", "x"), ("a", "a\\ ", "x"), ("a\nb", "^b$", "m")],
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


@pytest.mark.parametrize(
    ("text", "pattern", "flags", "is_open"),
    [
        ("a\rb", "a.b", "", True),
        ("a\rb", "a.b", "s", False),
        ("a\rb", r"a[.]b|\.", "", False),
        ("a\nb", "a.b", "", False),
        ("a\n", "^$", "m", True),
        ("a\n", "a$", "m", True),
        ("a\n", "a$", "", False),
        ("a\n", "[$^]", "m", False),
        ("a\nb", "^b$", "m", False),
        ("a", "^*a", "", True),
        ("a", "a$+", "", True),
        ("a", "(^)*a", "", False),
        ("a", "a**", "", False),
        ("a", "[a b]", "x", True),
        ("a", r"[a\ b]", "x", True),
        ("a", "[a-z-[b ]]", "x", True),
        ("a", r"\[ a ", "x", False),
        ("a", "[a] b", "x", False),
        ("a", "[a b]", "", False),
        ("a", "(?:a)", "", True),
        ("a", "( ?:a)", "x", True),
        ("(?:", r"\(\?:", "", False),
        ("a", "a", "q", True),
    ],
)
def test_where_the_editions_differ(text, pattern, flags, is_open):
    for apply, more in ((regex, ()), (replace, (Literal("z"),))):
        with under(PLAIN) as ledger:
            apply(Literal(text), Literal(pattern), *more, Literal(flags))
        assert (REGEX_EDITION in ledger.left_open) == is_open
