"""Values computed from several elements: what is counted, and what the engine may have counted."""

from __future__ import annotations

from rsp_conformance.compare.numbers import agree, number
from rsp_conformance.explain.differences import Change
from rsp_conformance.explain.evidence import Evidence, Step
from rsp_conformance.explain.layout import listed
from rsp_conformance.explain.provenance import Provenance
from rsp_conformance.explain.why.origins import extra_origin
from rsp_conformance.model.expressions import Aggregate
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Literal, Term, is_numeric
from rsp_conformance.model.walk import subexpressions


def aggregating(query: Query) -> bool:
    """Whether the query's SELECT or HAVING has an aggregate."""
    expressions = [p.expression for p in query.projection or () if p.expression is not None]
    return any(
        isinstance(part, Aggregate)
        for expression in (*expressions, *query.having)
        for part in subexpressions(expression)
    )


def changed_value(evidence: Evidence, step: Step, change: Change) -> list[str]:
    """A row is there with another value: over which elements each value comes out."""
    wanted, given = change.expected, change.observed
    cells = dict(zip(wanted.variables, zip(wanted.row, given.row, strict=True), strict=True))
    notation = evidence.notation
    differing = [
        f"?{name} is {notation.term(cells[name][1])} where {notation.term(cells[name][0])} is due"
        for name in change.variables
    ]
    shared = [name for name in wanted.variables if name not in change.variables]
    of = ""
    if shared:
        of = f"In the row of {notation.row(shared, [cells[name][0] for name in shared])} "
    sentences = [f"{of}{listed(differing)}."]
    right = Provenance(evidence, step.moment, step.contents, wanted)
    sentences += over_nothing(evidence, right) or _over(evidence, right, change)
    unbound = [name for name in change.variables if cells[name][1] is None]
    if unbound and all(_zero(cells[name][0]) for name in unbound):
        return sentences
    wrong = Provenance(evidence, step.moment, step.contents, given)
    value = listed([f"?{name}={notation.term(cells[name][1])}" for name in change.variables])
    return sentences + extra_origin(evidence, wrong, value)


def _over(evidence: Evidence, provenance: Provenance, change: Change) -> list[str]:
    held = provenance.held
    if not held or not provenance.yields(held):
        return []
    counting = [item for item in sorted(held) if not provenance.yields(held - {item})]
    indices = sorted({index for _, index in (counting or held)})
    value = listed(
        [
            f"?{name}={evidence.notation.term(term)}"
            for name, term in zip(provenance.part.variables, provenance.part.row, strict=True)
            if name in change.variables
        ]
    )
    return [f"{value} is right over {evidence.notation.elements(indices)}."]


def over_nothing(evidence: Evidence, provenance: Provenance) -> list[str]:
    """That an aggregate over no solutions has a value all the same, where that is the case."""
    query = evidence.case.query
    if provenance.held or not aggregating(query) or query.group_by:
        return []
    zero = [
        f"?{name}"
        for name, term in zip(provenance.part.variables, provenance.part.row, strict=True)
        if _zero(term)
    ]
    if not zero:
        return []
    return [
        f"An aggregate without GROUP BY has a row over an empty window too: "
        f"{listed(zero)} of nothing is 0."
    ]


def equal_numbers(evidence: Evidence, change: Change) -> list[str]:
    """That the cells that differ are equal as numbers, where the dial ``numbers`` parts them."""
    cells = dict(
        zip(
            change.expected.variables,
            zip(change.expected.row, change.observed.row, strict=True),
            strict=True,
        )
    )
    if evidence.dials.numbers != "term" or not all(
        _equal(*cells[name]) for name in change.variables
    ):
        return []
    notation = evidence.notation
    pairs = [
        f"?{name}={notation.term(cells[name][1])} is given for {notation.term(cells[name][0])}"
        for name in change.variables
    ]
    return [f"{listed(pairs)}: equal as numbers, but numbers term compares terms."]


def _equal(left: Term | None, right: Term | None) -> bool:
    return left is not None and right is not None and agree(left, right, "value")


def _zero(term: object) -> bool:
    return isinstance(term, Literal) and is_numeric(term) and number(term) == 0
