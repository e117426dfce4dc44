"""The catalogue of mutants: each is the bug of a real engine, which the kit must find.

A mutant changes an answer only if it applies: an engine with ``optional-as-join`` answers a query
without OPTIONAL correctly. There are four kinds, by what finds them:

- the mutants that a small case shows, which the properties find;
- rare mutants, which the properties find only by chance;
- relation mutants, which hardly any small case shows: metamorphic tests find them;
- late mutants, which need a long stream: a burn-in finds them.

`rsp-conformance mutants` lists them all, with the engine in which each bug was seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.adapters.reference.mutants import (
    answers,
    buffers,
    clauses,
    counts,
    expressions,
    instants,
    late,
    literals,
    optimisers,
    patterns,
    rare,
    relations,
    reporting,
    sparql,
    terms,
    uncertainty,
    windows,
)
from rsp_conformance.model.errors import did_you_mean


def _table(*modules: ModuleType) -> Mapping[str, Mutant]:
    found = [each for module in modules for each in vars(module).values()]
    return MappingProxyType({mutant.name: mutant for mutant in found if isinstance(mutant, Mutant)})


REPORTED_MUTANTS = _table(literals, expressions, clauses, instants)
"""Mutants of bugs that users have reported: values, operators, combined clauses, late instants."""

MUTANTS: Mapping[str, Mutant] = MappingProxyType(
    {
        **_table(
            buffers, windows, counts, reporting, patterns, answers, sparql, terms, uncertainty
        ),
        **REPORTED_MUTANTS,
    }
)
"""All mutants that a small case shows, by name."""

RARE_MUTANTS = _table(optimisers, rare)
"""All mutants that the properties find only by chance, by name."""

LATE_MUTANTS = _table(late)
"""All mutants that only a long stream shows, by name."""

RELATION_MUTANTS = _table(relations)
"""All mutants that hardly any small case shows, but a metamorphic test does, by name."""

_ALL = {**MUTANTS, **RARE_MUTANTS, **RELATION_MUTANTS, **LATE_MUTANTS}


def all_mutants() -> Mapping[str, Mutant]:
    """Return all mutants, by name."""
    return _ALL


def mutant_named(name: str) -> Mutant:
    """Return the mutant of this name, of any kind.

    Raises:
        ValueError: there is no such mutant; the message has the most similar name, or the page
            command that lists all.
    """
    mutant = _ALL.get(name)
    if mutant is None:
        hint = did_you_mean(name, _ALL) or f" (rsp-conformance mutants lists all {len(_ALL)})"
        raise ValueError(f"unknown mutant {name!r}{hint}")
    return mutant
