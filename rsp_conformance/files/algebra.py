"""A query's algebra as JSON (docs/protocol.md).

    ALGEBRA.write(Query, query)

An object of the model becomes a JSON object whose ``type`` is the name of its class, with all
fields that differ from their defaults. Terms are written as in SPARQL's results, plus quoted
triples. Prefixes are left out, because they only abbreviate the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Final, get_type_hints

from rsp_conformance.files.answers import LONGEST, TERMS
from rsp_conformance.files.codec import Format, Keys
from rsp_conformance.model import algebra, expressions, paths, query, terms, windows
from rsp_conformance.model.query import Query


@cache
def _names() -> Mapping[str, Any]:
    """Return the names that the model's modules use for each other's classes."""
    found: dict[str, Any] = {}
    for module in (terms, paths, expressions, windows, algebra, query):
        found |= vars(module)
    # Unions of classes that a module does not import are strings.
    for alias in ("Expression", "PatternTerm", "PathElement"):
        holder = type(alias, (), {"__annotations__": {alias: found[alias]}})
        found |= get_type_hints(holder, localns=found)
    return found


ALGEBRA: Final = Format(
    {
        **TERMS,
        Query: Keys(" ".join(f.name for f in fields(Query) if f.name != "prefixes")),
    },
    tag="type",
    named=True,
    open=True,
    omit=True,
    longest=LONGEST,
    names=_names,
)
"""The algebra as a request has it beside the query's text."""
