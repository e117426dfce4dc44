"""Mutants of how values of streams are read: datatypes, numbers, times, strings and names."""

from __future__ import annotations

import math
import re
import struct
import unicodedata
from collections.abc import Callable
from typing import Final, TypeAlias
from urllib.parse import unquote

import pyoxigraph as ox

from rsp_conformance.adapters.reference.mutant import ELEMENT, MutatedRun, mutant
from rsp_conformance.adapters.reference.oxigraph.terms import StoredTerm, opaque, plain
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.terms import (
    XSD,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_STRING,
)
from rsp_conformance.text.escapes import unescape

Reading: TypeAlias = Callable[[ox.Literal], "StoredTerm | None"]
"""Return the term that is read instead of a literal, or None if its triple is lost."""

_KNOWN: Final = frozenset(
    (XSD_STRING, XSD_BOOLEAN, XSD_DATETIME, XSD_DECIMAL, XSD_DOUBLE, XSD_FLOAT, XSD_INTEGER)
)
_ABSOLUTE_IRI: Final = re.compile(r'[A-Za-z][\w+.-]*:[^\s<>"{}|\\^`]*')
_WRITTEN_STRING: Final = re.compile(r'"((?:[^"\\]|\\[tbnrf"\'\\])*)"')
_LONGEST: Final = 255
"""The number of characters that a column of a database commonly has (VARCHAR(255))."""


def _read(arrival: Arrival, reading: Reading) -> Arrival:
    """`arrival` with `reading` in place of each literal that is an object."""

    def triples(given: tuple[ox.Triple, ...]) -> tuple[ox.Triple, ...]:
        found = []
        for triple in given:
            given_object = plain(triple.object)
            if not isinstance(given_object, ox.Literal):
                found.append(triple)
            elif (value := reading(given_object)) is not None:
                found.append(ox.Triple(triple.subject, triple.predicate, opaque(value)))
        return tuple(found)

    return arrival._replace(triples=triples(arrival.triples), graph=triples(arrival.graph))


def _of(*names: str, change: Callable[[str], str | None]) -> Reading:
    """`change` in place of the lexical form of literals of the datatypes `names`; None loses it."""

    def reading(literal: ox.Literal) -> ox.Literal | None:
        if literal.language or literal.datatype.value not in names:
            return literal
        text = change(literal.value)
        return None if text is None else ox.Literal(text, datatype=literal.datatype)

    return reading


def _of_text(change: Callable[[str], str]) -> Reading:
    """`change` in place of strings, those with a language tag too."""

    def reading(literal: ox.Literal) -> ox.Literal:
        if literal.language:
            return ox.Literal(change(literal.value), language=literal.language)
        is_string = literal.datatype.value == XSD_STRING
        return ox.Literal(change(literal.value)) if is_string else literal

    return reading


def _lost(_: str) -> None:
    return None


# Datatypes


@mutant(
    ELEMENT,
    "rsp4j#14: reading an xsd:float throws",
    needs="typed-literals",
    where="an xsd:float in a stream",
)
def float_unread(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A triple whose object is an xsd:float is lost."""
    return _read(arrival, _of(XSD_FLOAT, change=_lost))


@mutant(
    ELEMENT,
    "4store#26, 4store#57: dateTimes crash the store",
    needs="typed-literals",
    where="an xsd:dateTime in a stream",
)
def datetime_unread(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A triple whose object is an xsd:dateTime is lost."""
    return _read(arrival, _of(XSD_DATETIME, change=_lost))


@mutant(
    ELEMENT,
    "engines that take every truth value for text",
    needs="typed-literals",
    where="an xsd:boolean in a stream",
)
def boolean_as_text(arrival: Arrival, run: MutatedRun) -> Arrival:
    """An xsd:boolean is read as a string."""

    def reading(literal: ox.Literal) -> ox.Literal:
        return ox.Literal(literal.value) if literal.datatype.value == XSD_BOOLEAN else literal

    return _read(arrival, reading)


@mutant(
    ELEMENT,
    "engines that know the datatypes of their own tables alone",
    needs="typed-literals",
    where="a literal of a datatype beyond SPARQL's, such as xsd:byte or :unit",
)
def other_datatype_lost(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A literal of a datatype that SPARQL has no operators for is read as a string."""

    def reading(literal: ox.Literal) -> ox.Literal:
        kept = literal.language or literal.datatype.value in _KNOWN
        return literal if kept else ox.Literal(literal.value)

    return _read(arrival, reading)


@mutant(
    ELEMENT,
    "engines that keep one kind of integers",
    needs="typed-literals",
    where="an integer of a derived type, such as xsd:byte, in a stream",
)
def derived_integer_widened(arrival: Arrival, run: MutatedRun) -> Arrival:
    """An integer of a derived datatype is kept as an xsd:integer."""
    derived = {
        XSD + name
        for name in (
            "byte int long negativeInteger nonNegativeInteger nonPositiveInteger positiveInteger "
            "short unsignedByte unsignedInt unsignedLong unsignedShort"
        ).split()
    }

    def reading(literal: ox.Literal) -> ox.Literal:
        if literal.datatype.value not in derived:
            return literal
        return ox.Literal(literal.value, datatype=ox.NamedNode(XSD_INTEGER))

    return _read(arrival, reading)


# Numbers


def _wrapped(bits: int) -> Callable[[str], str]:
    def change(text: str) -> str:
        try:
            number = int(text)
        except ValueError:
            return text
        half = 1 << bits - 1
        wrapped = (number + half) % (2 * half) - half
        return text if wrapped == number else str(wrapped)

    return change


@mutant(
    ELEMENT,
    "engines in Java and Rust whose integers have 32 bits",
    needs="typed-literals",
    where="an integer beyond 2^31 in a stream",
)
def integers_of_32_bits(arrival: Arrival, run: MutatedRun) -> Arrival:
    """An integer beyond 32 bits is read as what is left of it."""
    return _read(arrival, _of(XSD_INTEGER, change=_wrapped(32)))


@mutant(
    ELEMENT,
    "engines in JavaScript, whose numbers are doubles",
    needs="typed-literals",
    where="an integer beyond 2^53 in a stream",
)
def integers_as_doubles(arrival: Arrival, run: MutatedRun) -> Arrival:
    """An integer beyond 2^53 is read as the double next to it."""

    def change(text: str) -> str:
        try:
            number = int(text)
        except ValueError:
            return text
        return str(int(float(number))) if 2**53 < abs(number) < 10**300 else text

    return _read(arrival, _of(XSD_INTEGER, change=change))


@mutant(
    ELEMENT,
    "engines that read decimals as doubles: 0.1 and 0.2 are not 0.3",
    needs="typed-literals",
    where="a decimal of more digits than a double has",
)
def decimals_as_doubles(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A decimal of more than seventeen digits is read as the double next to it."""

    def change(text: str) -> str:
        long = sum(map(str.isdigit, text)) > 17
        return f"{float(text):.17g}" if long and abs(float(text)) < 1e15 else text

    return _read(arrival, _of(XSD_DECIMAL, change=change))


@mutant(
    ELEMENT,
    "engines that keep doubles as floats",
    needs="typed-literals",
    where="a double of more than seven digits in a stream",
)
def doubles_as_floats(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A double is read with the seven digits of an xsd:float."""

    def change(text: str) -> str:
        try:
            number = float(text.replace("INF", "inf"))
            (short,) = struct.unpack("f", struct.pack("f", number))
        except (OverflowError, ValueError):
            return text
        return text if math.isnan(number) or short == number else f"{short:.7g}"

    return _read(arrival, _of(XSD_DOUBLE, change=change))


@mutant(
    ELEMENT,
    "number readers without a sign",
    needs="typed-literals",
    where="a negative number in a stream",
)
def sign_lost(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A number loses its minus sign."""
    numbers = (XSD_INTEGER, XSD_DECIMAL, XSD_DOUBLE, XSD_FLOAT)
    return _read(arrival, _of(*numbers, change=lambda text: text.removeprefix("-")))


@mutant(
    ELEMENT,
    "number readers that stop at the first letter",
    needs="typed-literals",
    where="a double or float with an exponent in a stream",
)
def exponent_lost(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A number with an exponent is read up to it: 2.5e3 as 2.5."""

    def change(text: str) -> str:
        return re.sub(r"[eE][+-]?[1-9][0-9]*\Z", "", text)

    return _read(arrival, _of(XSD_DOUBLE, XSD_FLOAT, change=change))


@mutant(
    ELEMENT,
    "number readers that know digits alone",
    needs="typed-literals",
    where="INF or NaN in a stream",
)
def special_numbers_lost(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A triple whose object is INF, -INF or NaN is lost."""

    def change(text: str) -> str | None:
        return None if text.lstrip("+-") in ("INF", "NaN") else text

    return _read(arrival, _of(XSD_DOUBLE, XSD_FLOAT, change=change))


# Dates


@mutant(
    ELEMENT,
    "engines that keep local times",
    needs="typed-literals",
    where="an xsd:dateTime with a timezone in a stream",
)
def timezone_lost(arrival: Arrival, run: MutatedRun) -> Arrival:
    """An xsd:dateTime loses its timezone."""

    def change(text: str) -> str:
        return re.sub(r"(Z|[+-][0-9]{2}:[0-9]{2})\Z", "", text)

    return _read(arrival, _of(XSD_DATETIME, change=change))


@mutant(
    ELEMENT,
    "date readers of four digits",
    needs="typed-literals",
    where="a dateTime before year 1 or after 9999 in a stream",
)
def far_years_lost(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A triple whose object is an xsd:dateTime of a year without four digits is lost."""

    def change(text: str) -> str | None:
        return text if re.match(r"[0-9]{4}-", text) else None

    return _read(arrival, _of(XSD_DATETIME, change=change))


# Strings and names


@mutant(
    ELEMENT,
    "Kolibrie: terms are trimmed as they are read",
    where="a string that begins or ends with a blank",
)
def strings_trimmed(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A string loses the blanks at its ends."""
    return _read(arrival, _of_text(lambda text: text.strip(" ")))


@mutant(
    ELEMENT,
    "Kolibrie: the text of a literal goes through the reader of terms again",
    where="a string with blanks, quotation marks or angle brackets around it",
)
def strings_read_twice(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A string is read as a term again: blanks, quotes and angle brackets around it are lost."""
    return _read(arrival, _read_again)


def _read_again(literal: ox.Literal) -> StoredTerm:
    if literal.language or literal.datatype.value != XSD_STRING:
        return literal
    text = literal.value.strip()
    if text.startswith("<") and text.endswith(">"):
        inside = text[1:-1]
        return ox.NamedNode(inside) if _ABSOLUTE_IRI.fullmatch(inside) else ox.Literal(inside)
    if written := _WRITTEN_STRING.match(text):
        return ox.Literal(unescape(written[1]))
    return ox.Literal(text.strip('"') if text.startswith('"') else text)


@mutant(ELEMENT, "engines to which an empty string is no value", where="an empty string")
def empty_strings_lost(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A triple whose object is the empty string is lost."""

    def reading(literal: ox.Literal) -> ox.Literal | None:
        return literal if literal.value else None

    return _read(arrival, reading)


@mutant(
    ELEMENT,
    "stores whose strings have three bytes a character",
    where="a string with a character beyond the basic multilingual plane",
)
def beyond_the_plane_lost(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A character beyond U+FFFF becomes a question mark."""
    return _read(arrival, _of_text(lambda text: re.sub("[\U00010000-\U0010ffff]", "?", text)))


@mutant(ELEMENT, "stores whose columns end", where="a string of more than 255 characters")
def long_strings_cut(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A string ends after 255 characters."""
    return _read(arrival, _of_text(lambda text: text[:_LONGEST]))


@mutant(
    ELEMENT,
    "parsers that normalise what they read",
    where="a string that is not in Unicode's normal form C",
)
def strings_normalised(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A string is kept in Unicode's normal form C, so that it may equal another one."""
    return _read(arrival, _of_text(lambda text: unicodedata.normalize("NFC", text)))


def _renamed(arrival: Arrival, change: Callable[[str], str]) -> Arrival:
    """`arrival` with `change` in place of the IRIs that are subjects and objects."""

    def term(given: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> object:
        if not isinstance(given, ox.NamedNode):
            return given
        return ox.NamedNode(change(given.value))

    def triples(given: tuple[ox.Triple, ...]) -> tuple[ox.Triple, ...]:
        return tuple(
            ox.Triple(term(t.subject), t.predicate, term(t.object))  # type: ignore[arg-type]
            for t in given
        )

    return arrival._replace(triples=triples(arrival.triples), graph=triples(arrival.graph))


@mutant(
    ELEMENT,
    "engines that compare names as hosts are compared",
    where="two IRIs that differ in case alone",
)
def names_case_folded(arrival: Arrival, run: MutatedRun) -> Arrival:
    """IRIs of a stream are kept in lower case."""
    return _renamed(arrival, str.lower)


@mutant(
    ELEMENT,
    "engines that decode addresses before they compare them",
    where="an IRI with a %-escape",
)
def names_decoded(arrival: Arrival, run: MutatedRun) -> Arrival:
    """The %-escapes of an IRI are decoded as it is read."""

    def change(name: str) -> str:
        decoded = unquote(name)
        return name if re.search(r'[\s<>"{}|\\^`]', decoded) else decoded

    return _renamed(arrival, change)


@mutant(
    ELEMENT,
    "engines that write names in ASCII",
    where="an IRI beyond ASCII",
)
def names_beyond_ascii_lost(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A triple with an IRI beyond ASCII as its subject or object is lost."""

    def kept(triple: ox.Triple) -> bool:
        ends = (triple.subject, triple.object)
        return all(not isinstance(end, ox.NamedNode) or end.value.isascii() for end in ends)

    return arrival._replace(
        triples=tuple(filter(kept, arrival.triples)), graph=tuple(filter(kept, arrival.graph))
    )
