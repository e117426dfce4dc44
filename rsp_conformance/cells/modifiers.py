"""Table 4: solution modifiers in pairs, query forms, what clauses hold, CONSTRUCT templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain, combinations_with_replacement, product
from typing import Final

from rsp_conformance.cells.cell import REFUSED, Cells, never, open_by
from rsp_conformance.cells.labels import everything
from rsp_conformance.model.algebra import Extend
from rsp_conformance.model.expressions import (
    Aggregate,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Form, Query, StreamOperator
from rsp_conformance.model.terms import BlankNode, Literal, Term
from rsp_conformance.model.variables import (
    group_aggregates,
    group_variables,
    in_scope,
    is_grouped,
    reads_own_names,
    unaggregated,
)
from rsp_conformance.model.walk import mentioned, parts, within
from rsp_conformance.sparql import open_points
from rsp_conformance.sparql.relation import Relation

Test = Callable[[Query], bool]

MODIFIERS: Final[dict[str, Test]] = {
    "DISTINCT": lambda query: query.distinct,
    "REDUCED": lambda query: query.reduced,
    "ORDER BY": lambda query: bool(query.order_by),
    "LIMIT": lambda query: query.limit is not None,
    "OFFSET": lambda query: bool(query.offset),
    "HAVING": lambda query: bool(query.having),
    "SELECT *": lambda query: query.form is Form.SELECT and query.projection is None,
    "SELECT (expr AS ?v)": lambda query: bool(_computed(query)),
    "VALUES": lambda query: query.values is not None,
}
STREAMED: Final = (*(operator.value for operator in StreamOperator), "no operator")


def _names(expressions: Iterable[object]) -> set[str]:
    return {*chain.from_iterable(map(mentioned, expressions))}


def _any(kind: type, expressions: Iterable[Expression]) -> bool:
    return any(isinstance(part, kind) for own in expressions for part in within(own))


def _computed(query: Query) -> list[Expression]:
    return [p.expression for p in query.projection or () if p.expression is not None]


def _new_names(query: Query) -> set[str]:
    """The names that SELECT gives to expressions."""
    return {p.variable.name for p in query.projection or () if p.expression is not None}


def _shown(query: Query) -> set[str]:
    return {projection.variable.name for projection in query.projection or ()}


def _keys(query: Query) -> list[Expression]:
    return [key.expression for key in query.order_by]


def _sampled(query: Query) -> bool:
    """Whether a variable that is neither a key nor aggregated stands for SAMPLE of it."""
    if not is_grouped(query):
        return False
    free = {*unaggregated(query)} - {*group_variables(query)}
    return not free.isdisjoint(in_scope(query.pattern))


def _shows_unbound(query: Query) -> bool:
    if is_grouped(query):
        return False
    plain = {p.variable.name for p in query.projection or () if p.expression is None}
    return not plain <= {*in_scope(query.pattern)}


_ORDER: Final[dict[str, Test]] = {
    "ORDER BY a variable": lambda query: any(isinstance(k, Variable) for k in _keys(query)),
    "ORDER BY an expression": lambda query: any(
        not isinstance(key, Variable | Aggregate) for key in _keys(query)
    ),
    "ORDER BY an aggregate": lambda query: _any(Aggregate, _keys(query)),
    "ORDER BY a name of SELECT": lambda query: (
        not _names(_keys(query)).isdisjoint(_new_names(query))
    ),
    "ORDER BY what is not shown": lambda query: (
        query.projection is not None and not _names(_keys(query)) <= _shown(query)
    ),
    "ORDER BY DESC": lambda query: any(key.descending for key in query.order_by),
    "ORDER BY two keys": lambda query: len(query.order_by) == 2,
    "ORDER BY three keys or more": lambda query: len(query.order_by) > 2,
    "LIMIT 0": lambda query: query.limit == 0,
    "LIMIT 1": lambda query: query.limit == 1,
    "LIMIT 2 or more": lambda query: (query.limit or 0) > 1,
    "OFFSET 0": lambda query: query.offset == 0,
    "OFFSET 1": lambda query: query.offset == 1,
    "OFFSET 2 or more": lambda query: (query.offset or 0) > 1,
}
_GROUPS: Final[dict[str, Test]] = {
    "HAVING by an aggregate": lambda query: _any(Aggregate, query.having),
    "HAVING by a name of SELECT": lambda query: (
        not _names(query.having).isdisjoint(_new_names(query))
    ),
    "HAVING by a key": lambda query: not _names(query.having).isdisjoint(group_variables(query)),
    "two HAVING": lambda query: len(query.having) > 1,
    "GROUP BY one key": lambda query: len(query.group_by or ()) == 1,
    "GROUP BY two keys": lambda query: len(query.group_by or ()) == 2,
    "GROUP BY three keys or more": lambda query: len(query.group_by or ()) > 2,
    "GROUP BY an expression": lambda query: any(
        not isinstance(key.expression, Variable) and key.variable is None
        for key in query.group_by or ()
    ),
    "GROUP BY (expr AS ?v)": lambda query: any(k.variable for k in query.group_by or ()),
    "GROUP BY without an aggregate": lambda query: (
        query.group_by is not None and not group_aggregates(query)
    ),
    "aggregate without GROUP BY": lambda query: (
        query.group_by is None and bool(group_aggregates(query))
    ),
    "two aggregates": lambda query: len(group_aggregates(query)) == 2,
    "three aggregates or more": lambda query: len(group_aggregates(query)) > 2,
    "expression of an aggregate": lambda query: any(
        isinstance(own, Operation | FunctionCall) and _any(Aggregate, [own])
        for own in _computed(query)
    ),
    "a key is not shown": lambda query: (
        query.projection is not None and not {*group_variables(query)} <= _shown(query)
    ),
    "variable outside the group (SAMPLE)": _sampled,
}
CLAUSES: Final[dict[str, Test]] = {
    "name used again in the SELECT": reads_own_names,
    "SELECT what the pattern never binds": _shows_unbound,
    **_ORDER,
    **_GROUPS,
}
"""What clauses hold, each in a query and in a subquery."""

_FORMS: Final = ("ASK", "CONSTRUCT")
_OF_FORMS: Final = ("ORDER BY", "LIMIT", "OFFSET", "GROUP BY", "HAVING", "VALUES")
_TEMPLATE: Final = (
    *("1 triple", "2 triples", "3 triples or more", "blank node", "one blank node twice"),
    *("unbound variable", "no RDF triple", "constant triple", "variable predicate", "literal"),
    "variable of BIND",
)
_ORDERED: Final = (
    *("values of several kinds", "unbound and values", "errors and values", "IRIs"),
    *("blank nodes", "tagged texts", "dateTimes", "booleans"),
)


@cache
def modifier_cells() -> Cells:
    """All pairs of modifiers, clauses, forms and templates."""
    found: Cells = {}
    groupings = ("grouped", "not grouped")
    for one, other in combinations_with_replacement(MODIFIERS, 2):
        for grouping, where, stream in product(groupings, ("query", "subquery"), STREAMED):
            reason = _reason({one, other}, grouping)
            found[_pair(one, other, grouping, where, stream)] = reason
    for clause, where in product(CLAUSES, ("query", "subquery")):
        found[f"{clause}, {where}"] = ""
    for form, stream in product(Form, STREAMED):
        found[f"{form.value} {stream}"] = REFUSED if form is Form.DESCRIBE else ""
    found |= never([f"{form} with {own}" for form, own in product(_FORMS, _OF_FORMS)])
    found |= never([f"template: {what}" for what in _TEMPLATE])
    return found | never([f"ORDER BY {what}" for what in _ORDERED])


def _pair(one: str, other: str, grouping: str, where: str, stream: str) -> str:
    both = one if one == other else f"{one} & {other}"
    return f"{both}, {grouping}, {where}, {stream}"


def _reason(both: set[str], grouping: str) -> str:
    if both == {"DISTINCT", "REDUCED"}:
        return "no such text: DISTINCT or REDUCED"
    if "SELECT *" in both and ("SELECT (expr AS ?v)" in both or grouping == "grouped"):
        return "no such text: SELECT * stands alone, and with no groups"
    return (
        open_by(open_points.HAVING_ALONE) if "HAVING" in both and grouping == "not grouped" else ""
    )


@lru_cache(maxsize=256)
def modifiers_met(query: Query) -> frozenset[str]:
    """Return the cells that a query meets."""
    return frozenset(_modifiers_met(query))


def _modifiers_met(query: Query) -> Iterator[str]:
    stream = query.operator.value if query.operator else "no operator"
    yield f"{query.form.value} {stream}"
    for part in everything(query):
        if isinstance(part, Query):
            where = "query" if part is query else "subquery"
            grouping = "grouped" if is_grouped(part) else "not grouped"
            own = [name for name, test in MODIFIERS.items() if test(part)]
            for one, other in combinations_with_replacement(own, 2):
                yield _pair(one, other, grouping, where, stream)
            yield from (f"{name}, {where}" for name, test in CLAUSES.items() if test(part))
    if query.form.value in _FORMS:
        own = [name for name in MODIFIERS if name in _OF_FORMS and MODIFIERS[name](query)]
        if query.group_by is not None:
            own.append("GROUP BY")
        yield from (f"{query.form.value} with {name}" for name in own)
    if query.template:
        yield from (f"template: {what}" for what in _of_template(query))


def _of_template(query: Query) -> Iterator[str]:
    template = query.template
    yield ("1 triple", "2 triples", "3 triples or more")[min(len(template), 3) - 1]
    inner = [part for triple in template for part in within(triple)]
    nodes = [part for part in inner if isinstance(part, BlankNode)]
    bound = {p.variable.name for p in within(query.pattern) if isinstance(p, Extend)}
    traits = {
        "blank node": nodes,
        "one blank node twice": len(nodes) > len({*nodes}),
        "constant triple": any(not [*mentioned(triple)] for triple in template),
        "variable predicate": any(isinstance(t.predicate, Variable) for t in template),
        "literal": any(isinstance(part, Literal) for part in inner),
        "variable of BIND": not bound.isdisjoint(_names(template)),
    }
    yield from (what for what, has in traits.items() if has)


def instantiated(query: Query, relation: Relation) -> set[str]:
    """Return the cells that a query's CONSTRUCT meets over the solutions of a relation."""
    places = {name: place for place, name in enumerate(relation.variables)}
    found: set[str] = set()
    for row, triple in product(relation.rows, query.template):
        for role, part in zip(("subject", "predicate", "object"), parts(triple), strict=True):
            if isinstance(part, Variable):
                term = row[places[part.name]] if part.name in places else None
                if term is None:
                    found.add("template: unbound variable")
                elif not _fits(role, term):
                    found.add("template: no RDF triple")
    return found


def _fits(role: str, term: Term) -> bool:
    """Return whether RDF allows a term in a role (RDF 1.1 Concepts, 3.1)."""
    if isinstance(term, Literal):
        return role == "object"
    return role != "predicate" or not isinstance(term, BlankNode)


def aggregates_met(query: Query) -> Iterator[str]:
    """Return the cells of table 3 that are read off the groups of a query."""
    for part in everything(query):
        if isinstance(part, Query):
            grouping = "grouped" if part.group_by is not None else "ungrouped"
            for own in group_aggregates(part):
                yield f"{own.name} {grouping}"
                if own.argument is None:
                    yield "COUNT(DISTINCT *)" if own.distinct else "COUNT(*)"
