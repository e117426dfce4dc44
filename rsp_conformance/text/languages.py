"""The query languages of the protocol: how each is printed, and how it differs from RSP-QL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import signature
from typing import Any

from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.features import writes_triple_terms
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.text.durations import STYLES, WHOLE_SECONDS
from rsp_conformance.text.printer import c_sparql, cqels_ql, cqels_ql_2, rspql, sparqlstream

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
    "triples_only": (False, True),
}
"""The printing options that a driver's hello may set, with the values that each may have.

An option without values takes a text. Each language takes some of the options, and ignores the
others.
"""


@dataclass(frozen=True)
class Language:
    """A query language in which the kit sends queries to drivers, and which it reads."""

    name: str
    write: Callable[..., str]
    """Prints it: a function of a query, ``unit`` and options of the dialect."""
    suffix: str | None = None
    """The suffix of a query's file; a file with any other suffix is RSP-QL."""
    windows_in: str | None = None
    """The fixed value of the dial ``windows_in``, if the language determines it."""
    whole_seconds: bool = False
    """Whether it has no lengths below a second, whatever its dialect."""
    has_operators: bool = True
    """Whether it has streaming operators."""
    implied: StreamOperator | None = None
    """The operator that every query has without writing it."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Constructs without a place in the model: regular expressions, each with a message."""

    @property
    def grammar(self) -> str:
        """The name of its grammar, which extends that of SPARQL."""
        return self.name.removesuffix("-star").replace("-", "_")

    @cached_property
    def options(self) -> dict[str, tuple[Any, ...]]:
        """The options of ``DIALECT`` that it takes."""
        taken = signature(self.write).parameters
        return {name: values for name, values in DIALECT.items() if name in taken}

    def in_whole_seconds(self, dialect: Mapping[str, Any]) -> bool:
        """Return whether queries in `dialect` have no lengths below a second."""
        duration = dialect.get("duration") if "duration" in self.options else None
        return self.whole_seconds or duration in WHOLE_SECONDS

    def check_features(self, features: Iterable[str]) -> None:
        """Check that an engine with this language can have the features.

        Raises:
            ValueError: no such engine can have them, or one is missing that every query needs.
        """
        declared = {"rstream", "istream", "dstream"}.intersection(features)
        if declared and not self.has_operators:
            raise ValueError(
                f"{self.name} has no streaming operators: an engine whose language it is cannot "
                f"have the features {', '.join(sorted(declared))}"
            )
        name = self.implied.value if self.implied else ""
        if name and name.lower() not in declared:
            feature = f"declare the feature {name.lower()}"
            raise ValueError(f"every query in {self.name} means {name}: {feature}")


def _windows(
    size: str, words: str, counted: str, units: str, slides: str = "STEP|SLIDE|TUMBLING"
) -> dict[str, str]:
    """Return the refusals of sizes of windows that a language does not write.

    Args:
        size: the notation of windows by time.
        words: the names of windows that are refused, as a regular expression; empty for none.
        counted: the units that are refused, likewise.
        units: the notation of the windows by count that it has.
        slides: the words of slides that windows by count do not have, likewise.
    """
    start, says = r"\[\s*(?:RANGE\s+)?", f"are not supported; write {size} with lengths of time"
    instead = "a number of units alone" if "STEP" in slides else "STEP and a number of units"
    anchored = f"windows around an anchor ({{}}) {says}"
    return {
        r"\[[^\]]*?(?P<word>PARTITION\s+BY)\b": (
            "{} is not supported: a window counts the units of its whole stream"
        ),
        rf"{start}(?P<word>{counted})\b": (
            f"windows by count of {{}} are not supported; write {units}"
        ),
        rf"{start}\w+\s+\d+\s+(?P<word>{slides})\b": (
            f"windows by count have no {{}} of their own; write {instead}"
        ),
        **({rf"{start}(?P<word>{words})\s*": f"{{}} windows {says}"} if words else {}),
        r"\[\s*\w+\s+\w+\s+(?P<word>FUTURE)\b": anchored,
        r"\[\s*TRIPLES\s+(?P<word>PAST|FUTURE)\b": anchored,
    }


def _past(size: str) -> dict[str, str]:
    """Return the refusal of windows in the past, for a language whose windows end now.

    Args:
        size: the notation of windows by time.
    """
    return {
        r"\[\s*(?P<word>FROM\s+NOW)\s*-[^\]]*\bTO\s+NOW\s*-": (
            f"windows in the past ({{}}) are not supported: windows end now; write {size}"
        )
    }


_FORMS = {
    r"\{\s*SELECT\s+(?P<word>[RID]STREAM)\b": (
        "{0} in a subquery is not supported; write SELECT {0} of the whole query"
    ),
    r"\bSELECT\b[^{]*?(?P<word>(?:COUNT|SUM|MIN|MAX|AVG|SAMPLE))\s*\(": (
        "{0} without brackets is not SPARQL; write ({0}(?x) AS ?y)"
    ),
    r"(?P<word>UNDER\s+ENTAILMENT)\b": "{} regimes are not supported: only what is there matches",
    r"\}\s*(?P<word>BEGIN\s+AT|WITH\s+DURATION)\b": "{} is not supported: patterns see no times",
    r"\}\s*(?P<word>AGGREGATE)\s*\{": "{} is not supported; write GROUP BY and (SUM(?x) AS ?y)",
}
"""Constructs that texts on RSP-QL write, or write by mistake, and what to write instead."""
_SIZE = "[RANGE width STEP slide]"
_UNWRITTEN = "ROWS|ELEMENTS|BGP"
_C_SPARQL = _windows(_SIZE, r"NOW\b|UNBOUNDED\b", _UNWRITTEN, "[RANGE TRIPLES number]")
_C_SPARQL |= _past(_SIZE) | _FORMS
_RSP_QL = _windows(_SIZE, "", "BGP", "[ELEMENTS number] or [TRIPLES number]", "TUMBLING") | _FORMS
_RSP_QL |= {
    r"\[\s*(?:RANGE\s+)?[A-Z]+\s+\d+\s+(?:STEP|SLIDE)\s+(?P<word>P\w+)": (
        "windows by count slide by a number of units, not by {}"
    ),
    r"\[\s*RANGE\s+\w+\s+(?:STEP|SLIDE)\s+\d+\s+(?P<word>ELEMENTS|TRIPLES|ROWS)\b": (
        "windows by time slide by a length of time, not by {}"
    ),
    r"\bFROM\s+(?P<word>NAMED\s+STREAM)\b": (
        "FROM {} is not supported; write FROM NAMED WINDOW :w ON STREAM, or FROM STREAM"
    ),
    r"\b(?P<word>WINDOW)\s+(?:[^\s{]+\s+)?ON\s+(?:STREAM\s+)?[^\s{[]+\s+(?=FROM|WHERE|\{)": (
        f"a {{}} without a size is not supported; write {_SIZE} behind the stream"
    ),
}
_TRIPLES = "[TRIPLES number]"
_SLIDE = "[RANGE width SLIDE slide]"
_CQELS = _windows(_SLIDE, "", _UNWRITTEN, _TRIPLES) | _past(_SLIDE)
_CQELS |= {r"\bSTREAM\s+(?P<word>[?$]\w+)": "streams by variable ({}) are not supported"}
_SIZES = "[RANGE width STEP slide] or [FUTURE width STEP slide]"
_CQELS_2 = _windows(_SIZES, "", _UNWRITTEN, _TRIPLES) | _past(_SIZES)
_CQELS_2 |= {
    r"\b(?P<word>EMIT|LATENESS)\b": "{} is not supported: the profile says when answers come",
    r"\b(?P<word>WITH\s+DEPTH|CACHE)\b": "{} is not supported: there are all background data",
    r"\b(?P<word>SEQ)\s*\(": "complex event processing ({}) is not supported",
}
_STREAM = _windows("[NOW - width SLIDE slide]", "", _UNWRITTEN, _TRIPLES) | {
    r"[{.}]\s*(?P<word>STREAM)\b": "{} is not supported in patterns; write FROM NAMED STREAM"
}
_STAR = partial(rspql.print_query, star=True, duration="iso")
_NEW = StreamOperator.ISTREAM
_ALL = (
    Language("rsp-ql", rspql.print_query, refused=_RSP_QL),
    Language("rsp-ql-star", _STAR, ".rspqlstar", has_operators=False, refused=_RSP_QL),
    Language("c-sparql", c_sparql.print_query, ".csparql", "default", True, refused=_C_SPARQL),
    Language("cqels-ql", cqels_ql.print_query, ".cqels", "named", implied=_NEW, refused=_CQELS),
    Language("cqels-ql-2", cqels_ql_2.print_query, ".cqels2", "named", True, refused=_CQELS_2),
    Language("sparqlstream", sparqlstream.print_query, ".sparqlstream", "default", refused=_STREAM),
)
LANGUAGES: dict[str, Language] = {language.name: language for language in _ALL}


def language_of(suffix: str) -> str:
    """Return the name of the language in which a file with this suffix has its query."""
    return next((one.name for one in LANGUAGES.values() if one.suffix == suffix), "rsp-ql")


def check_language(language: str) -> str:
    """Return `language` if a language has that name.

    Raises:
        ValueError: the language is unknown; the message lists the names.
    """
    if language not in LANGUAGES:
        hint = did_you_mean(language, LANGUAGES)
        names = ", ".join(LANGUAGES)
        raise ValueError(f"unknown query language {language!r}{hint} (the languages are {names})")
    return language


def printer_of(language: str, dialect: Mapping[str, Any] | None = None) -> Callable[..., str]:
    """Return a function from (query, unit, layout) to text in a language.

    The function raises NotExpressible for a query that the language cannot express. Only RSP-QL
    is written by a layout; the other languages ignore it.

    Args:
        language: the name of the language.
        dialect: options of the language; options that no language has are ignored.

    Raises:
        ValueError: the language is unknown, or an option has a value that it does not take.
    """
    chosen = LANGUAGES[check_language(language)]
    options = _options(dialect or {})
    taken = {name: value for name, value in options.items() if name in chosen.options}

    def print_in_language(query: Query, unit: int = 1, layout: Layout | None = None) -> str:
        laid = {"layout": layout} if layout is not None and chosen.name == "rsp-ql" else {}
        return chosen.write(query, unit=unit, **taken, **laid)

    return print_in_language


def triple_terms(features: Iterable[str], dialect: Mapping[str, Any]) -> bool:
    """Return whether an engine is sent quoted triples as ``<<( s p o )>>``, in queries and in data.

    The dialect's option ``triple_terms`` decides. Without it the features decide: the spelling is
    RDF 1.2's if the engine has RDF 1.2's triple terms and not RDF-star.
    """
    option = _options(dialect).get("triple_terms")
    return writes_triple_terms(features) if option is None else bool(option)


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
