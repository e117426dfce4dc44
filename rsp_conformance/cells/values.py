"""Table 5: the values in streams, in background data and in the query.

A value is a cell by its kind and by each of its traits, as "stream: decimal like 0.1"; several
values of a case may be one together, as "background: NFC beside NFD".
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final, TypeAlias

from rsp_conformance.cells.cell import Cells, never
from rsp_conformance.cells.kinds import KINDS, LITERALS, kind_of
from rsp_conformance.cells.labels import everything
from rsp_conformance.model.case import Case
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import (
    IRI,
    NUMERIC_DATATYPES,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.model.walk import within
from rsp_conformance.sparql.values import value_of

LONG_TEXT: Final = 10_000
"""Characters of a long text; the issue of a fixed buffer shows beyond 4,096 and 8,192."""
LONG_IRI: Final = 1_000
MANY_DIGITS: Final = 18
"""Digits that every implementation of xsd:decimal has to have (XML Schema 1.1 Part 2, 5.4)."""

_RELATIVE: Final = "IRIs in RDF are absolute (RDF 1.1 Concepts, 3.2); a query's may be relative"

Traits: TypeAlias = Mapping[str, Callable[[str, Any], object]]
"""Tests of a lexical form and its value, by the cell that they are."""

_IRIS: Final[Traits] = {
    "IRI with %-escape": lambda text, _: re.search("%[0-9A-Fa-f]{2}", text),
    "IRI beyond ASCII": lambda text, _: not text.isascii(),
    "IRI relative": lambda text, _: ":" not in text,
    "IRI urn: or other": lambda text, _: ":" in text and "://" not in text,
    "IRI with query": lambda text, _: "?" in text,
    "IRI with fragment": lambda text, _: "#" in text,
    "IRI long (1000)": lambda text, _: len(text) >= LONG_IRI,
}
_TEXTS: Final[Traits] = {
    "text empty": lambda text, _: not text,
    "text long (10^4)": lambda text, _: len(text) >= LONG_TEXT,
    "text blank at an end": lambda text, _: text != text.strip(),
    "text beyond ASCII": lambda text, _: not text.isascii(),
    "text beyond the BMP": lambda text, _: text and max(text) > "\uffff",
    "text NFC, composed": lambda text, _: (
        not text.isascii() and text != unicodedata.normalize("NFD", text)
    ),
    "text NFD, decomposed": lambda text, _: (
        not text.isascii() and text != unicodedata.normalize("NFC", text)
    ),
    "text with quote": lambda text, _: '"' in text,
    "text with backslash": lambda text, _: "\\" in text,
    "text with line end": lambda text, _: "\n" in text or "\r" in text,
    "text with control": lambda text, _: re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", text),
    "text like a number": lambda text, _: re.fullmatch(r"[+-]?\d+(\.\d+)?", text),
    "text right to left": lambda text, _: re.search("[\u0590-\u08ff]", text),
    "text with İ, ß or ı": lambda text, _: re.search("[İßıſ]", text),
}
_TAGS: Final[Traits] = {
    "tag in upper case": lambda tag, _: tag != tag.lower(),
    "tag with region": lambda tag, _: "-" in tag,
}
_INTEGERS: Final[Traits] = {
    "integer negative": lambda _, value: value < 0,
    "integer 0": lambda _, value: value == 0,
    "integer not canonical": lambda text, value: len(text) < 4_000 and text != str(value),
    "integer beyond 2^31": lambda _, value: value > 2**31,
    "integer beyond 2^53": lambda _, value: value > 2**53,
    "integer beyond 2^63": lambda _, value: value > 2**63,
    "integer - beyond 2^31": lambda _, value: value < -(2**31),
    "integer - beyond 2^53": lambda _, value: value < -(2**53),
    "integer - beyond 2^63": lambda _, value: value < -(2**63),
}
_DECIMALS: Final[Traits] = {
    "decimal negative": lambda _, value: value < 0,
    "decimal many digits (18)": lambda text, _: (
        len(text.strip("+-").replace(".", "").lstrip("0")) > MANY_DIGITS
    ),
    "decimal like 0.1": lambda _, value: (value * 2**20) % 1 != 0,
    "decimal not canonical": lambda text, _: (
        text[0] == "+"
        or "." not in text
        or re.match(r"-?(0\d|\.)", text)
        or (text.endswith("0") and not text.endswith(".0"))
    ),
    "decimal whole": lambda _, value: value == int(value),
    "decimal 0": lambda _, value: value == 0,
    "decimal -0.0": lambda text, value: value == 0 and text[0] == "-",
}
_FLOATING: Final[Traits] = {
    "NaN": lambda text, _: text == "NaN",
    "INF": lambda text, _: text.lstrip("+") == "INF",
    "-INF": lambda text, _: text == "-INF",
    "-0": lambda text, _: re.fullmatch(r"-0+(\.0*)?([eE].*)?", text),
    "with exponent": lambda text, _: re.search(r"[eE][+-]?\d", text),
    "negative": lambda text, _: text[0] == "-",
    "not canonical": lambda text, _: (
        text not in ("NaN", "INF", "-INF") and not re.fullmatch(r"-?\d\.\d+E-?\d+", text)
    ),
    "beyond 10^300 or below": lambda text, _: re.search(r"[eE][+-]?[3]\d\d", text),
    "like 0.1": lambda text, _: re.search(r"\.[13479]", text),
}
_BOOLEANS: Final[Traits] = {
    f"boolean {own}": lambda text, _, own=own: text == own  # type: ignore[misc]
    for own in ("true", "false", "1", "0")
}
_DATETIMES: Final[Traits] = {
    "dateTime before 1900": lambda text, _: re.match(r"-|0|1[0-8]", text),
    "dateTime after 9999": lambda text, _: re.match(r"-?\d{5}", text),
    "dateTime before year 0": lambda text, _: text[0] == "-",
    "dateTime with fraction": lambda text, _: "." in text,
    "dateTime leap day": lambda text, _: "-02-29" in text,
    "dateTime at 24:00": lambda text, _: "T24" in text,
    "dateTime with offset": lambda text, _: re.search(r"[+-]\d\d:\d\d$", text),
}


def _of(kind: str, traits: Traits) -> Traits:
    return {f"{kind} {name}": test for name, test in traits.items()}


_FLOATS, _DOUBLES = _of("float", _FLOATING), _of("double", _FLOATING)
_BY_KIND: Final[dict[str, Traits]] = {
    "plain": _TEXTS,
    "tagged": _TEXTS,
    "integer": _INTEGERS,
    "derived integer": _INTEGERS,
    "decimal": _DECIMALS,
    "float": _FLOATS,
    "double": _DOUBLES,
    "boolean": _BOOLEANS,
    "dateTime with timezone": _DATETIMES,
    "dateTime without": _DATETIMES,
}


@lru_cache(maxsize=1 << 14)
def value_traits(term: Term) -> tuple[str, ...]:
    """Return the kind of a term, and the traits that it has but for those of its tag."""
    kind = kind_of(term)
    if isinstance(term, IRI):
        return kind, *_fitting(_IRIS, term.value, None)
    if not isinstance(term, Literal) or kind not in _BY_KIND:
        return (kind,)
    value = None if term.language else value_of(term)
    return kind, *_fitting(_BY_KIND[kind], term.lexical, value)


def tag_traits(tag: str) -> list[str]:
    """Return the traits of a language tag."""
    return _fitting(_TAGS, tag, None)


def _fitting(traits: Traits, text: str, value: Any) -> list[str]:
    return [name for name, test in traits.items() if test(text, value)]


# --- several values ---------------------------------------------------------------------------


def _several(groups: Mapping[Any, set[Any]]) -> bool:
    return any(len(members) > 1 for members in groups.values())


def _grouped(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, set[Any]]:
    groups: dict[Any, set[Any]] = defaultdict(set)
    for key, member in pairs:
        groups[key].add(member)
    return groups


def _tags(terms: set[Term], graphs: Sequence[Iterable[Triple]]) -> set[str]:
    """Return the language tags in graphs, in which terms stand, each as it is written.

    Terms whose tags differ in case alone are equal, so that a set of terms has one of them.
    """
    if not any(isinstance(term, Literal) and term.language for term in terms):
        return set()
    every = (part for graph in graphs for triple in graph for part in within(triple))
    return {part.language for part in every if isinstance(part, Literal) and part.language}


def _together(
    terms: set[Term], tags: set[str], graphs: Sequence[Iterable[Triple]]
) -> Iterator[str]:
    """Return what terms with tags, which are in graphs, have together."""
    iris = [term.value for term in terms if isinstance(term, IRI)]
    literals = [term for term in terms if isinstance(term, Literal)]
    texts = [t for t in literals if t.language or t.datatype == XSD_STRING]
    numbers = [(t, value_of(t)) for t in literals if t.datatype in NUMERIC_DATATYPES]
    values = [(t, value) for t, value in numbers if value is not None]
    by_text = _grouped((t.lexical, t.language and t.language.lower()) for t in texts)
    composed = _grouped((unicodedata.normalize("NFC", text), text) for text in by_text)
    nodes = {term for term in terms if isinstance(term, BlankNode)}
    counted = Counter(
        node
        for graph in (graphs if nodes else ())
        for node in nodes.intersection(*[chain.from_iterable(map(_terms, graph))])
    )
    traits = {
        "names that differ in case alone": len({iri.lower() for iri in iris}) < len(iris),
        "tags that differ in case alone": len({tag.lower() for tag in tags}) < len(tags),
        "NFC beside NFD": _several(composed),
        "equal numbers of several datatypes": _several(
            _grouped((value, t.datatype) for t, value in values)
        ),
        "equal numbers of several lexical forms": _several(
            _grouped(((value, t.datatype), t.lexical) for t, value in values)
        ),
        "one text with several tags": any(len(own - {None}) > 1 for own in by_text.values()),
        "one text plain and tagged": any(None in own and len(own) > 1 for own in by_text.values()),
        "one blank node in several elements": any(times > 1 for times in counted.values()),
    }
    yield from (name for name, has in traits.items() if has)


_TOGETHER: Final = (
    *("names that differ in case alone", "tags that differ in case alone", "NFC beside NFD"),
    *("equal numbers of several datatypes", "equal numbers of several lexical forms"),
    *("one text with several tags", "one text plain and tagged"),
    "one blank node in several elements",
)
_ONE_NODE: Final = "stream and background: one blank node"


@cache
def value_cells() -> Cells:
    """All kinds, traits and what values have together, by where they stand."""
    kinds = [kind for kind in KINDS if kind not in ("unbound", "error")]
    traits = [name for own in (_IRIS, _TAGS, *_BY_KIND.values()) for name in own]
    own = [*kinds, "quoted triple", "ill-typed", *dict.fromkeys(traits), *_TOGETHER]
    found = never([f"{where}: {what}" for where in ("stream", "background") for what in own])
    found |= dict.fromkeys(
        (f"{where}: IRI relative" for where in ("stream", "background")), _RELATIVE
    )
    found |= never([f"query: {kind}" for kind in ("IRI", *LITERALS, "ill-typed")])
    return found | {_ONE_NODE: ""}


def values_met(case: Case) -> set[str]:
    """Return the cells that a case meets."""
    places = {
        "stream": [element.graph for element in case.elements],
        "background": [entry.triples for entry in case.background.entries],
    }
    found = {f"query: {kind}" for kind in _constants(case.query)}
    nodes: list[set[Term]] = []
    for where, graphs in places.items():
        terms: set[Term] = set()
        for triple in {triple for graph in graphs for triple in graph}:
            terms.update(_terms(triple))
        nodes.append({term for term in terms if isinstance(term, BlankNode)})
        found.update(f"{where}: {trait}" for term in terms for trait in value_traits(term))
        tags = _tags(terms, graphs)
        found.update(f"{where}: {trait}" for tag in tags for trait in tag_traits(tag))
        found.update(f"{where}: {what}" for what in _together(terms, tags, graphs))
    return found | {_ONE_NODE} if nodes[0] & nodes[1] else found


@lru_cache(maxsize=1 << 14)
def _terms(triple: Triple) -> tuple[Term, ...]:
    """Yield the terms of a triple, quoted triples among them with theirs."""
    return tuple(part for own in triple for part in within(own))


@lru_cache(maxsize=256)
def _constants(query: Query) -> frozenset[str]:
    return frozenset(kind_of(p) for p in everything(query) if isinstance(p, IRI | Literal))
