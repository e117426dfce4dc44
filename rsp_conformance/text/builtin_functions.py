"""SPARQL's built-in functions: how they are written, and how many arguments they take.

SPARQL 1.1, section 17.4, and the functions on triples of RDF-star and SPARQL 1.2.
"""

from __future__ import annotations

MANY = 1_000_000
"""More arguments than anybody writes: the upper limit of functions without a limit."""

_ARGUMENTS: dict[tuple[int, int], str] = {
    (0, 0): "RAND NOW UUID STRUUID",
    (0, 1): "BNODE",
    (0, MANY): "CONCAT COALESCE",
    (1, 1): (
        "STR LANG DATATYPE BOUND IRI URI ABS CEIL FLOOR ROUND STRLEN UCASE LCASE ENCODE_FOR_URI "
        "YEAR MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ MD5 SHA1 SHA256 SHA384 SHA512 "
        "isIRI isURI isBLANK isLITERAL isNUMERIC isTRIPLE SUBJECT PREDICATE OBJECT"
    ),
    (2, 2): ("langMatches CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER STRLANG STRDT sameTerm"),
    (2, 3): "SUBSTR REGEX",
    (3, 3): "IF TRIPLE",
    (3, 4): "REPLACE",
}

SPELLING: dict[str, str] = {
    name.upper(): name for names in _ARGUMENTS.values() for name in names.split()
}
"""SPARQL's spelling of every built-in, by its name in the algebra (upper case)."""

ARGUMENTS: dict[str, tuple[int, int]] = {
    name.upper(): limits for limits, names in _ARGUMENTS.items() for name in names.split()
}
"""The least and the greatest number of arguments, by the name in the algebra."""


def says_arguments(name: str) -> str:
    """Return how many arguments a function takes, in words: ``2 or 3 arguments``."""
    least, most = ARGUMENTS[name]
    if least == most:
        return "no argument" if most == 0 else f"{most} argument{'s' if most > 1 else ''}"
    return f"{least} or more arguments" if most == MANY else f"{least} or {most} arguments"


TERMINAL = "|".join(sorted(SPELLING, key=lambda name: (-len(name), name)))
"""A regular expression of all names, longer ones first."""
