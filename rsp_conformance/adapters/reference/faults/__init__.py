"""Seeded faults: each the defect of a real engine, to be found by the kit.

A fault works only where it applies: an engine with the fault ``optional-as-join`` answers a query
without OPTIONAL rightly. Faults of relations hardly show in any small case: relations between
cases find them. Rare faults the properties find by chance alone. Late faults need long streams: a
burn-in finds them, the properties do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from rsp_conformance.adapters.reference.fault import Fault
from rsp_conformance.adapters.reference.faults import (
    answers,
    buffers,
    clauses,
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


def _table(*modules: ModuleType) -> Mapping[str, Fault]:
    found = [each for module in modules for each in vars(module).values()]
    return MappingProxyType({fault.name: fault for fault in found if isinstance(fault, Fault)})


REPORTED_FAULTS = _table(literals, expressions, clauses, instants)
"""What people have reported of engines: values, operators, clauses that meet, late instants."""

FAULTS: Mapping[str, Fault] = MappingProxyType(
    {
        **_table(buffers, windows, reporting, patterns, answers, sparql, terms, uncertainty),
        **REPORTED_FAULTS,
    }
)
"""All faults that a small case shows, by name."""

RARE_FAULTS = _table(optimisers, rare)
"""All faults that the properties find by chance alone, by name."""

LATE_FAULTS = _table(late)
"""All faults that only a long stream shows, by name."""

RELATION_FAULTS = _table(relations)
"""All faults that hardly any small case shows, and a relation between cases does, by name."""

_ALL = {**FAULTS, **RARE_FAULTS, **RELATION_FAULTS, **LATE_FAULTS}


def fault_named(name: str) -> Fault:
    """The fault NAME, of whichever kind; ValueError with one like it, or where they stand."""
    fault = _ALL.get(name)
    if fault is None:
        hint = did_you_mean(name, _ALL) or f" (docs/faults.md has all {len(_ALL)})"
        raise ValueError(f"unknown fault {name!r}{hint}")
    return fault
