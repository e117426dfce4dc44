"""The query languages of the protocol, and which of them the kit can print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.features import writes_triple_terms
from rsp_conformance.model.query import Query
from rsp_conformance.text.durations import STYLES, WHOLE_SECONDS
from rsp_conformance.text.printer.rspql import print_query

LANGUAGES: dict[str, dict[str, Any] | None] = {
    "rsp-ql": {},
    "rsp-ql-star": {"star": True, "duration": "iso"},
    "c-sparql": None,
    "cqels-ql": None,
    "cqels-ql-2": None,
    "sparqlstream": None,
}
"""Each language with its printing options; None is one that is known and not printed yet."""

DIALECT: dict[str, tuple[Any, ...]] = {
    "duration": STYLES,
    "explicit_step": (False, True),
    "triple_terms": (False, True),
    "bare_stream": (False, True),
    "explicit_register": (False, True),
    "capital_operators": (False, True),
    "full_iris": (False, True),
}
"""The printing options that a driver's hello may set, with the values that each may have."""


def printer_of(language: str, dialect: Mapping[str, Any] | None = None) -> Callable[..., str]:
    """A function from (query, unit) to text in LANGUAGE, with the options of a driver's DIALECT.

    ValueError names a language or an option that there is not, or a language not printed yet.
    """
    if language not in LANGUAGES:
        hint = did_you_mean(language, LANGUAGES)
        names = ", ".join(LANGUAGES)
        raise ValueError(f"unknown query language {language!r}{hint} (the languages are {names})")
    own = LANGUAGES[language]
    if own is None:
        raise ValueError(
            f"queries in {language} are not printed yet; the kit prints rsp-ql and rsp-ql-star"
        )
    options = own | _options(dialect or {})

    def print_in_language(query: Query, unit: int = 1) -> str:
        return print_query(query, unit=unit, **options)

    return print_in_language


def triple_terms(features: Iterable[str], dialect: Mapping[str, Any]) -> bool:
    """Whether an engine is sent quoted triples as ``<<( s p o )>>``, in queries and in data.

    Its dialect's option ``triple_terms`` says so, else its FEATURES do: RDF 1.2's spelling for
    what has RDF 1.2's triple terms and no RDF-star.
    """
    option = _options(dialect).get("triple_terms")
    return writes_triple_terms(features) if option is None else bool(option)


def in_whole_seconds(dialect: Mapping[str, Any]) -> bool:
    """Whether queries in DIALECT know no part of a second."""
    return dialect.get("duration") in WHOLE_SECONDS


def _options(dialect: Mapping[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for option, value in dialect.items():
        if option not in DIALECT:
            # The protocol: unknown fields are ignored by both sides.
            continue
        if option == "duration" and value not in STYLES:
            raise ValueError(f"dialect: duration is {value!r}, expected {', '.join(STYLES)}")
        if option != "duration" and not isinstance(value, bool):
            raise ValueError(f"dialect: {option} is {value!r}, expected true or false")
        options[option] = value
    return options
