"""What a finished query computes besides: calls on what it finds, and on terms of its own.

They come on top of what the query is about, so it tells what it told without them: columns of
SELECT, BIND and FILTER around the whole pattern, aggregates of a group, a triple of CONSTRUCT.
A few rows of VALUES beside the pattern let each call meet several kinds of terms at once. They are
drawn after everything else, and shrink to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rsp_conformance.model.algebra import Extend, Filter, Join, TriplePattern, Values
from rsp_conformance.model.expressions import (
    Aggregate,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Form, Projection, Query
from rsp_conformance.model.terms import XSD, XSD_INTEGER, XSD_STRING, Literal, Term
from rsp_conformance.model.walk import within
from rsp_conformance.sparql.values import TRUE
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.calls import AGGREGATES, Calls, menu
from rsp_conformance.strategies.query_builder import QueryBuilder
from rsp_conformance.text.printer.terms import is_bare

GIVEN = (Variable("one"), Variable("two"))
"""What VALUES bind for calls."""

_AMOUNTS = (
    *((0, 0),) * 12,
    *((0, 1), (0, 2), (0, 3), (2, 1), (2, 2), (3, 2), (4, 2)),
    *((4, 3), (0, 2), (0, 3), (4, 3), (3, 3), (4, 2), (4, 4)),
)
"""How many rows of VALUES and how many calls a query has, mostly none."""


def with_calls(
    builder: QueryBuilder, query: Query, *, shown: bool = False, crowded: bool = False
) -> Query:
    """QUERY, which BUILDER has drawn, with calls.

    Where they are to be SHOWN, they are columns of SELECT alone; where streams are CROWDED, no
    VALUES make more of their rows.
    """
    rows, number = builder.pick(_AMOUNTS)
    if not number or not builder.limits.allow("bind") or query.limit is not None or query.offset:
        return query
    scope = tuple(builder.kinds)
    given: dict[Variable, tuple[Term | None, ...]] = {}
    if rows and not shown and not crowded and builder.limits.allow("values"):
        inline = _rows(builder, rows)
        given = dict(zip(GIVEN, zip(*inline.rows, strict=True), strict=True))
        query = replace(query, pattern=Join(query.pattern, inline))
    calls = Calls(builder, scope, given)
    if query.form is Form.ASK:
        return query if shown else _filtered(query, replace(calls, filtered=True))
    if query.form is Form.CONSTRUCT:
        return query if shown else _told(query, [calls.value() for _ in range(number)])
    if builder.plan.head in ("aggregate", "having"):
        return _aggregated(builder, query, calls, number)
    return _selected(builder, query, calls, number, shown=shown)


def abbreviated(query: Query) -> Query:
    """QUERY with a prefix for the datatypes that it writes, if it writes any."""
    if any(namespace == XSD for _, namespace in query.prefixes):
        return query
    typed = any(
        isinstance(part, FunctionCall)
        or (isinstance(part, Literal) and part.datatype.startswith(XSD) and not _is_short(part))
        for part in within(query)
    )
    return replace(query, prefixes=(*query.prefixes, ("xsd", XSD))) if typed else query


def _is_short(literal: Literal) -> bool:
    return literal.datatype in (XSD_STRING, XSD_INTEGER) or is_bare(literal)


def _rows(builder: QueryBuilder, number: int) -> Values:
    terms = menu(builder.limits).terms
    rows = [tuple(builder.pick(terms) for _ in GIVEN) for _ in range(number)]
    return Values(GIVEN, tuple(rows))


def _name(number: int) -> Variable:
    return Variable(f"value{number or ''}")


def _selected(
    builder: QueryBuilder, query: Query, calls: Calls, number: int, *, shown: bool
) -> Query:
    """QUERY with NUMBER calls as columns, at times by way of BIND, and with a FILTER."""
    pattern = query.pattern
    columns = [Projection(variable) for variable in calls.given]
    for place in range(number):
        value, variable = calls.value(), _name(place)
        if shown or (query.projection is not None and builder.pick((True, True, False))):
            columns.append(Projection(variable, value))
        else:
            pattern = Extend(pattern, variable, value)
            columns.append(Projection(variable))
    projection = None if query.projection is None else (*query.projection, *columns)
    query = replace(query, pattern=pattern, projection=projection)
    if not shown and builder.pick((False,) * 7 + (True,)):
        query = _filtered(query, replace(calls, filtered=True))
    return query


def _told(query: Query, values: Sequence[Expression]) -> Query:
    """CONSTRUCT with VALUES as objects."""
    subject = vocabulary.RESOURCES[0]
    template, pattern = query.template, query.pattern
    for number, value in enumerate(values):
        pattern = Extend(pattern, _name(number), value)
        template = (*template, TriplePattern(subject, vocabulary.DERIVED, _name(number)))
    return replace(query, pattern=pattern, template=template)


def _filtered(query: Query, calls: Calls) -> Query:
    """QUERY where a call is true, or is not, or is no error."""
    allow = calls.builder.limits.allow
    if not allow("filter", "filtered-binds"):
        return query
    condition = calls.value()
    shape = calls.builder.pick(("COALESCE", "", "!", "COALESCE"))
    if shape == "COALESCE" and allow("filter-functions"):
        condition = Operation("COALESCE", (condition, TRUE))
    elif shape == "!" and allow("filter-not"):
        condition = Operation("!", (condition,))
    return replace(query, pattern=Filter(condition, query.pattern))


def _aggregated(builder: QueryBuilder, query: Query, calls: Calls, number: int) -> Query:
    """QUERY, which has groups, with NUMBER aggregates more."""
    allow = builder.limits.allow
    if not allow("several-aggregates", "aggregate-expressions"):
        return query
    options = [a for a in AGGREGATES if allow("sample") or a.name not in ("SAMPLE", "GROUP_CONCAT")]
    assert query.projection is not None
    columns = list(query.projection)
    for place in range(number):
        signature = builder.pick(options)
        distinct = allow("count-distinct") and builder.pick((False, True))
        separator = None
        if signature.name == "GROUP_CONCAT":
            separator = builder.pick((None, "", ", "))
        # Which of different values these choose is open, unless they are ordered.
        chosen = signature.name in ("MIN", "MAX", "SAMPLE", "AVG", "GROUP_CONCAT")
        argument = (replace(calls, given={}) if chosen else calls).argument(signature.places[0])
        aggregate = Aggregate(signature.name, argument, distinct, separator)
        columns.append(Projection(_name(place), calls.shown(aggregate, signature.result)))
    return replace(query, projection=tuple(columns))
