"""Mutants of the terms in triple patterns, of strings and of names."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pyoxigraph as ox

from rsp_conformance.adapters.reference.mutant import (
    CONDITION,
    ELEMENT,
    PATTERN,
    QUERY,
    TERM,
    MutatedRun,
    mutant,
)
from rsp_conformance.adapters.reference.oxigraph.terms import StoredTerm
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.algebra import BGP, Filter, Pattern, SubSelect, TriplePattern
from rsp_conformance.model.expressions import Expression, Operation, Variable
from rsp_conformance.model.query import Projection, Query, abbreviated
from rsp_conformance.model.terms import IRI, XSD_STRING, Literal
from rsp_conformance.model.variables import in_scope
from rsp_conformance.model.walk import rewritten, within

_WORDS = frozenset("select where a window graph filter stream order true from".split())


@mutant(
    PATTERN,
    "CQELS 1 and 2: ?x :p ?x matches any triple",
    where="a variable twice in one triple pattern",
)
def repeated_variable_free(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A variable twice in one triple pattern matches two terms, and has the second as its value."""
    if not isinstance(pattern, BGP):
        return pattern

    def free(place: int, triple: TriplePattern) -> TriplePattern:
        if not isinstance(triple.subject, Variable) or triple.subject != triple.object:
            return triple
        if triple.subject in within(BGP(pattern.triples[:place])):
            return triple  # What another triple has bound before is compared with both.
        return replace(triple, subject=Variable(f"repeated_{place}"))

    return BGP(tuple(itertools.starmap(free, enumerate(pattern.triples))))


@mutant(
    PATTERN,
    "CQELS 2: a constant is compared with an element's terms as text",
    where="a literal in a triple pattern, and another of its text in the data",
)
def pattern_literal_as_text(pattern: Pattern, run: MutatedRun) -> Pattern:
    """A literal in a triple pattern matches every term of its text: 1 matches "1"."""
    if not isinstance(pattern, BGP):
        return pattern
    found: Pattern = BGP(
        tuple(
            replace(triple, object=Variable(f"literal_{place}"))
            if isinstance(triple.object, Literal)
            else triple
            for place, triple in enumerate(pattern.triples)
        )
    )
    if found == pattern:
        return pattern
    for place, triple in enumerate(pattern.triples):
        if isinstance(triple.object, Literal):
            text = Operation("STR", (Variable(f"literal_{place}"),))
            found = Filter(Operation("=", (text, Literal(triple.object.lexical))), found)
    shown = tuple(Projection(Variable(name)) for name in in_scope(pattern))
    return SubSelect(Query(found, projection=shown))


@mutant(PATTERN, "RSP4J: ?s :p 5 never matches", where="a literal in a triple pattern")
def pattern_literal_unmatched(pattern: Pattern, run: MutatedRun) -> Pattern:
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


@mutant(TERM, "engines that write an answer's strings by hand", where="a string to be escaped")
def strings_escaped_twice(term: StoredTerm, run: MutatedRun) -> StoredTerm:
    """Quotes, backslashes and line ends of an answer's strings come out with their escapes."""
    if not isinstance(term, ox.Literal) or term.language or term.datatype.value != XSD_STRING:
        return term
    text = term.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return ox.Literal(text)


@mutant(
    CONDITION,
    "CQELS 2: prefixed names in FILTER never match",
    needs="filter",
    where="a name with a prefix in a FILTER",
)
def filter_prefix_unexpanded(condition: Expression, run: MutatedRun) -> Expression:
    """A name with a prefix that is not the empty one is not expanded in a FILTER."""

    def read(part: object) -> object:
        if not isinstance(part, IRI):
            return part
        name = abbreviated(part.value, run.query.prefixes)
        return part if name.startswith(("<", ":")) else IRI(name)

    return rewritten(condition, read)


@mutant(
    QUERY, "Kolibrie: names that are keywords are taken for them", where="a variable ?select or ?a"
)
def keyword_variable_lost(query: Query, run: MutatedRun) -> Query:
    """A variable that is called as a keyword of the language comes out under another name."""
    shown = tuple(
        replace(each, variable=Variable(f"{each.variable.name}_"))
        if each.expression is None and each.variable.name in _WORDS
        else each
        for each in query.projection or ()
    )
    return replace(query, projection=shown or None)


@mutant(
    ELEMENT,
    "C-SPARQL: literals are cut out of texts by their quotes and carets",
    where='a string with ^^ or " in it',
)
def strings_cut(arrival: Arrival, run: MutatedRun) -> Arrival:
    """A string loses its quotation marks, and all that follows ``^^`` in it."""
    return arrival._replace(triples=tuple(map(_with_string_cut, arrival.triples)))


def _with_string_cut(triple: ox.Triple) -> ox.Triple:
    term = triple.object
    if not isinstance(term, ox.Literal) or term.language or term.datatype.value != XSD_STRING:
        return triple
    text = term.value.partition("^^")[0].replace('"', "")
    return ox.Triple(triple.subject, triple.predicate, ox.Literal(text))
