"""Terms, triples and graphs from the vocabulary, for tests that build their own cases."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from rsp_conformance.model.features import with_implied
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.written import WrittenGraph

DATA = frozenset({"typed-literals", "language-tags", "blank-nodes"})
"""The features that decide which terms are drawn."""


def subjects(features: Iterable[str] = DATA) -> tuple[IRI | BlankNode, ...]:
    """Return the resources that data may contain under ``features``, the simplest first."""
    known = with_implied(features)
    blank = vocabulary.BLANK_NODES if "blank-nodes" in known else ()
    return (*vocabulary.RESOURCES, *blank)


def literals(features: Iterable[str] = DATA) -> tuple[Literal, ...]:
    """Return the literals that data may contain under ``features``, the simplest first.

    Some of the numbers are equal but differ in lexical form or datatype.
    """
    known = with_implied(features)
    texts = (*vocabulary.TEXTS, *(vocabulary.TAGGED if "language-tags" in known else ()))
    numbers = (*vocabulary.INTEGERS, *vocabulary.UNEQUAL_NUMBERS, *vocabulary.UNEQUAL_INTEGERS)
    return tuple(dict.fromkeys((*texts, *(numbers if "typed-literals" in known else ()))))


def terms(features: Iterable[str] = DATA) -> st.SearchStrategy[Term]:
    """Draw IRIs, and the literals and blank nodes that ``features`` allow.

    Shrinks to ``:a``.
    """
    known = with_implied(features)
    options: tuple[Term, ...] = (*subjects(known), *literals(known))
    return st.sampled_from(options)


def triples(features: Iterable[str] = DATA) -> st.SearchStrategy[Triple]:
    """Draw triples that often share subjects and predicates, so that joins find matches.

    The objects of a predicate are all resources, all numbers or all texts. Shrinks to ``:a :p :a``.
    """
    known = with_implied(features)
    resources = subjects(known)
    links = [(link, resource) for link in vocabulary.LINKS[:3] for resource in resources]
    values: list[tuple[IRI, Term]] = []
    for literal in literals(known):
        number = literal.language is None and literal not in vocabulary.TEXTS
        values.append(((vocabulary.VALUES if number else vocabulary.LABELS)[0], literal))
    return st.builds(
        lambda subject, rest: Triple(subject, *rest),
        st.sampled_from(resources),
        st.sampled_from((*links, *values)),
    )


def graphs(
    features: Iterable[str] = DATA, *, max_triples: int = 4
) -> st.SearchStrategy[tuple[Triple, ...]]:
    """Draw graphs of one to ``max_triples`` distinct triples, like those in stream elements.

    Shrinks to one triple.
    """
    return st.lists(triples(features), min_size=1, max_size=max_triples, unique=True).map(
        WrittenGraph
    )
