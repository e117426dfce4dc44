"""Faults of what stands in triple patterns, in strings and in names."""

from __future__ import annotations

from dataclasses import replace

import pyoxigraph as ox

from rsp_conformance.adapters.reference.fault import (
    CONDITION,
    PATTERN,
    QUERY,
    TERM,
    FaultyRun,
    seeded,
)
from rsp_conformance.adapters.reference.oxigraph.terms import StoredTerm
from rsp_conformance.model.algebra import BGP, Pattern, TriplePattern
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.query import Query, abbreviated
from rsp_conformance.model.terms import IRI, XSD_STRING, Literal
from rsp_conformance.model.walk import rewritten

_WORDS = frozenset("select where a window graph filter stream order true from".split())


@seeded(
    PATTERN,
    "CQELS 2: ?x :p ?x matches any triple",
    where="a variable twice in one triple pattern",
)
def repeated_variable_free(pattern: Pattern, run: FaultyRun) -> Pattern:
    """A variable that stands twice in one triple pattern matches two terms there."""
    if not isinstance(pattern, BGP):
        return pattern
    return BGP(tuple(map(_with_another_object, pattern.triples)))


def _with_another_object(triple: TriplePattern) -> TriplePattern:
    if not isinstance(triple.object, Variable) or triple.object != triple.subject:
        return triple
    return replace(triple, object=Variable(f"{triple.object.name}_too"))


@seeded(PATTERN, "RSP4J: ?s :p 5 never matches", where="a literal in a triple pattern")
def pattern_literal_unmatched(pattern: Pattern, run: FaultyRun) -> Pattern:
    """A literal in a triple pattern is taken for a resource, and never matches."""
    if not isinstance(pattern, BGP):
        return pattern
    return BGP(
        tuple(
            replace(triple, object=IRI(f"urn:literal:{number}"))
            if isinstance(triple.object, Literal)
            else triple
            for number, triple in enumerate(pattern.triples)
        )
    )


@seeded(TERM, "engines that write an answer's strings by hand", where="a string to be escaped")
def strings_escaped_twice(term: StoredTerm, run: FaultyRun) -> StoredTerm:
    """Quotes, backslashes and line ends of an answer's strings come out with their escapes."""
    if not isinstance(term, ox.Literal) or term.language or term.datatype.value != XSD_STRING:
        return term
    text = term.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return ox.Literal(text)


@seeded(
    CONDITION,
    "CQELS 2: prefixed names in FILTER never match",
    needs="filter",
    where="a name with a prefix in a FILTER",
)
def filter_prefix_unexpanded(condition: Expression, run: FaultyRun) -> Expression:
    """A name with a prefix that is not the empty one is not expanded in a FILTER."""

    def read(part: object) -> object:
        if not isinstance(part, IRI):
            return part
        name = abbreviated(part.value, run.query.prefixes)
        return part if name.startswith(("<", ":")) else IRI(name)

    return rewritten(condition, read)


@seeded(
    QUERY, "Kolibrie: names that are keywords are taken for them", where="a variable ?select or ?a"
)
def keyword_variable_lost(query: Query, run: FaultyRun) -> Query:
    """A variable that is called as a keyword of the language comes out under another name."""
    shown = tuple(
        replace(each, variable=Variable(f"{each.variable.name}_"))
        if each.expression is None and each.variable.name in _WORDS
        else each
        for each in query.projection or ()
    )
    return replace(query, projection=shown or None)
