"""Solutions as the protocol sends them: bindings of SPARQL 1.1 Query Results JSON.

Checked for their shape and kept as plain JSON; a term that is a triple has the type `triple`
(section "run", `solutions`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsp_conformance.protocol.fields import (
    MISSING,
    as_choice,
    as_list,
    as_object,
    as_text,
    fail,
    get,
)

Term = Mapping[str, Any]
"""One bound term: `{"type": …, "value": …}`."""

Solution = Mapping[str, Term]
"""One solution mapping: variable name (without `?`) to term; unbound variables are absent."""

_TYPES = ("uri", "bnode", "literal", "triple")
_LANG_STRINGS = (
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString",
)


def check_solutions(value: object, where: str) -> tuple[Solution, ...]:
    """The list of solutions, each checked.

    Raises:
        ProtocolError: it names the solution, the variable and what is wrong with the term.
    """
    rows = as_list(value, where)
    for number, row in enumerate(rows):
        place = f"{where}[{number}]"
        for variable, term in as_object(row, place).items():
            if not variable or variable[0] in "?$":
                fail(place, "variable names without ? or $", variable)
            check_term(term, f"{place}.{variable}")
    return tuple(rows)


def check_term(value: object, where: str) -> None:
    """Check one term; raises `ProtocolError` as `check_solutions` does."""
    term = as_object(value, where)
    kind = as_choice(get(term, "type"), f"{where}.type", _TYPES)
    content = get(term, "value")
    if kind == "triple":
        parts = as_object(content, f"{where}.value")
        for part in ("subject", "predicate", "object"):
            check_term(get(parts, part), f"{where}.value.{part}")
        return
    as_text(content, f"{where}.value")
    if kind == "literal":
        _check_literal(term, where)


def _check_literal(term: Term, where: str) -> None:
    datatype, language = get(term, "datatype"), get(term, "xml:lang")
    if datatype is not MISSING:
        as_text(datatype, f"{where}.datatype")
    if language is MISSING:
        return
    if not as_text(language, f"{where}.xml:lang"):
        fail(f"{where}.xml:lang", "a language tag", language)
    if datatype is not MISSING and datatype not in _LANG_STRINGS:
        fail(f"{where}.datatype", "no datatype beside xml:lang", datatype)
