"""Values computed from several elements: what is counted, and what the engine may have counted."""

from __future__ import annotations

from rsp_conformance.compare.numbers import agree, number
from rsp_conformance.explain.argument import Change, Changed, Claim, Part, RightOver
from rsp_conformance.explain.evidence.origins import extra_origin
from rsp_conformance.explain.evidence.provenance import Provenance
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.expressions import Aggregate
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Literal, is_numeric
from rsp_conformance.model.walk import subexpressions
from rsp_conformance.spec.trace import TraceStep


def changed_value(setting: Setting, step: TraceStep, change: Change) -> list[Claim]:
    """A row is there with another value: over which elements each value comes out."""
    wanted, given = change.expected, change.observed
    right = Provenance(setting, step, wanted)
    claims: list[Claim] = [Changed(change)]
    claims += over_nothing(setting, right) or _over(right, change)
    pairs = zip(wanted.variables, wanted.row, given.row, strict=True)
    unbound = [due for name, due, term in pairs if name in change.variables and term is None]
    if unbound and all(_zero(due) for due in unbound):
        return claims
    variables = change.variables
    cells = tuple(given.row[wanted.variables.index(name)] for name in variables)
    value = Part(variables, cells, "cells")
    return claims + extra_origin(setting, Provenance(setting, step, given), value)


def _over(provenance: Provenance, change: Change) -> list[Claim]:
    held = provenance.held
    if not held or not provenance.yields(held):
        return []
    counting = [item for item in sorted(held) if not provenance.yields(held - {item})]
    elements = sorted({index for _, index in (counting or held)})
    return [RightOver(provenance.part, change.variables, tuple(elements))]


def over_nothing(setting: Setting, provenance: Provenance) -> list[Claim]:
    """That an aggregate over no solutions has a value all the same, where that is the case."""
    query, part = setting.case.query, provenance.part
    if provenance.held or query.group_by or not _aggregates(query):
        return []
    cells = zip(part.variables, part.row, strict=True)
    zero = tuple(name for name, term in cells if _zero(term))
    return [RightOver(part, zero, ())] if zero else []


def equal_numbers(setting: Setting, change: Change) -> list[Claim]:
    """That the cells that differ are equal as numbers, where the dial ``numbers`` parts them."""
    if setting.dials.numbers != "term":
        return []
    wanted, given = change.expected, change.observed
    for name, due, term in zip(wanted.variables, wanted.row, given.row, strict=True):
        alike = due is not None and term is not None and agree(due, term, "value")
        if name in change.variables and not alike:
            return []
    return [Changed(change, equal=True)]


def _aggregates(query: Query) -> bool:
    expressions = [p.expression for p in query.projection or () if p.expression is not None]
    return any(
        isinstance(part, Aggregate)
        for expression in (*expressions, *query.having)
        for part in subexpressions(expression)
    )


def _zero(term: object) -> bool:
    return isinstance(term, Literal) and is_numeric(term) and number(term) == 0
