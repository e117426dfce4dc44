"""The query languages of the protocol, and how the kit prints each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from inspect import signature
from typing import Any

from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.features import writes_triple_terms
from rsp_conformance.model.query import Query
from rsp_conformance.text.durations import STYLES, WHOLE_SECONDS
from rsp_conformance.text.printer import c_sparql, cqels_ql, cqels_ql_2, rspql, sparqlstream

LANGUAGES: dict[str, Callable[..., str]] = {
    "rsp-ql": rspql.print_query,
    "rsp-ql-star": partial(rspql.print_query, star=True, duration="iso"),
    "c-sparql": c_sparql.print_query,
    "cqels-ql": cqels_ql.print_query,
    "cqels-ql-2": cqels_ql_2.print_query,
    "sparqlstream": sparqlstream.print_query,
}
"""Each language with what prints it: a function of a query, ``unit`` and options of the dialect."""

SUFFIXES: dict[str, str] = {
    ".csparql": "c-sparql",
    ".cqels": "cqels-ql",
    ".cqels2": "cqels-ql-2",
    ".sparqlstream": "sparqlstream",
    ".rspqlstar": "rsp-ql-star",
}
"""The language of a query's file by its suffix; any other is RSP-QL."""

WINDOWS_IN: dict[str, str] = {
    "c-sparql": "default",
    "cqels-ql": "named",
    "cqels-ql-2": "named",
    "sparqlstream": "default",
}
"""The value of the dial ``windows_in`` that a language has built in."""

DIALECT: dict[str, tuple[Any, ...]] = {
    "duration": STYLES,
    "explicit_step": (False, True),
    "triple_terms": (False, True),
    "bare_stream": (False, True),
    "explicit_register": (False, True),
    "capital_operators": (False, True),
    "full_iris": (False, True),
    "direction": cqels_ql_2.DIRECTIONS,
    "static_graph": (),
}
"""The printing options that a driver's hello may set, with the values that each may have.

One without values is a text. Each language takes some of them, and ignores the others.
"""


def check_language(language: str) -> str:
    """LANGUAGE; ValueError where there is none of that name."""
    if language not in LANGUAGES:
        hint = did_you_mean(language, LANGUAGES)
        names = ", ".join(LANGUAGES)
        raise ValueError(f"unknown query language {language!r}{hint} (the languages are {names})")
    return language


def printer_of(language: str, dialect: Mapping[str, Any] | None = None) -> Callable[..., str]:
    """A function from (query, unit) to text in LANGUAGE, with the options of a driver's DIALECT.

    ValueError names a language or an option that there is not. The function raises NotExpressible
    for a query that the language has not.
    """
    write, taken = LANGUAGES[check_language(language)], options_of(language)
    options = {name: value for name, value in _options(dialect or {}).items() if name in taken}

    def print_in_language(query: Query, unit: int = 1) -> str:
        return write(query, unit=unit, **options)

    return print_in_language


def options_of(language: str) -> dict[str, tuple[Any, ...]]:
    """The part of DIALECT that LANGUAGE takes."""
    taken = signature(LANGUAGES[language]).parameters
    return {name: values for name, values in DIALECT.items() if name in taken}


def triple_terms(features: Iterable[str], dialect: Mapping[str, Any]) -> bool:
    """Whether an engine is sent quoted triples as ``<<( s p o )>>``, in queries and in data.

    Its dialect's option ``triple_terms`` says so, else its FEATURES do: RDF 1.2's spelling for
    what has RDF 1.2's triple terms and no RDF-star.
    """
    option = _options(dialect).get("triple_terms")
    return writes_triple_terms(features) if option is None else bool(option)


def in_whole_seconds(language: str, dialect: Mapping[str, Any]) -> bool:
    """Whether queries in LANGUAGE, in DIALECT, know no part of a second."""
    if "duration" in options_of(language):
        return dialect.get("duration") in WHOLE_SECONDS
    return language in ("c-sparql", "cqels-ql-2")


def _options(dialect: Mapping[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for option, value in dialect.items():
        if option not in DIALECT:
            # The protocol: unknown fields are ignored by both sides.
            continue
        values = DIALECT[option]
        fits = any(type(value) is type(one) and value == one for one in values)
        if not fits and (values or not isinstance(value, str)):
            wanted = "true or false" if True in values else ", ".join(values) or "a text"
            raise ValueError(f"dialect: {option} is {value!r}, expected {wanted}")
        options[option] = value
    return options
