"""Extra computations of a finished query: calls on its variables, and on terms of their own.

They are added to the query, which keeps showing what it showed without them: columns of SELECT,
BIND and FILTER around the whole pattern, aggregates of a group, a triple of CONSTRUCT. With a few
rows of VALUES beside the pattern each call meets several kinds of terms at once. They are drawn
after everything else, and shrink to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rsp_conformance.model.algebra import Extend, Filter, Join, TriplePattern, Values
from rsp_conformance.model.expressions import (
    Aggregate,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Form, Projection, Query
from rsp_conformance.model.terms import XSD, XSD_INTEGER, XSD_STRING, Literal
from rsp_conformance.model.variables import is_grouped
from rsp_conformance.model.walk import within
from rsp_conformance.sparql.values import TRUE
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.calls import AGGREGATES, Calls, is_moment, menu
from rsp_conformance.strategies.draws import Row, picks
from rsp_conformance.strategies.query_builder import RESOURCE, QueryBuilder
from rsp_conformance.text.printer.terms import is_bare

GIVEN = (Variable("one"), Variable("two"))
"""The variables that VALUES bind for calls."""

_BESIDES = (*("",) * 7, *("calls",) * 2, *("values",) * 7)
"""What is added to a query: mostly nothing, otherwise calls, alone or on VALUES."""

_BESIDES_NODES = ("", "calls", *("values",) * 4)

_LENGTH = 13
"""The number of picks for a call, more than most calls need."""

_PLACES = (*("column",) * 14, *("BIND",) * 7, *("FILTER",) * 3)


def with_calls(
    builder: QueryBuilder,
    query: Query,
    *,
    shown: bool = False,
    crowded: bool = False,
    nodes: bool = False,
    moments: bool = False,
) -> Query:
    """Draw calls, and add them to a query.

    If an engine takes joins of windows only, the calls are columns, without VALUES.

    Args:
        builder: the builder that has drawn the query.
        query: the query.
        shown: whether the calls may be columns of SELECT only.
        crowded: whether streams have so many elements that VALUES must not multiply their rows.
        nodes: whether data have blank nodes, which no query can write. Then calls are more
            frequent, and take a variable that may be bound to a blank node.
        moments: whether some variable may be bound to a dateTime.
    """
    besides = builder.pick(_BESIDES_NODES if nodes else _BESIDES)
    if not besides:
        return query
    calls = picks(builder.draw, _LENGTH, least=1, most=8)
    inline: list[Row] = []
    if besides == "values":
        inline = picks(builder.draw, 3, least=1, most=12)
    if not builder.limits.allow("bind") or query.limit is not None or query.offset:
        return query
    if query.is_its_own_template:
        return query
    alone = len(query.windows) > 1 and not builder.limits.allow("compound-window-joins")
    shown |= alone
    if alone or crowded or query.values is not None or not builder.limits.allow("values"):
        inline = []
    given: tuple[Variable, ...] = ()
    if inline:
        given = GIVEN
        moments |= (some := inline[0].pick((False, False, False, False, False, True, True, True)))
        values = _inline(builder, inline, moments=some)
        # VALUES at the end leave the pattern as it is.
        end = {"values": values} if shown else {"pattern": Join(query.pattern, values)}
        query = replace(query, **end)
    columns = given
    if nodes and (found := builder.of_kind(RESOURCE)):
        # Of two variables both may be bound to blank nodes, to different ones in most rows.
        given = (found[-1], *(given[:1] or found[-2:-1]))
    with_ = _With(builder, columns, given, not moments, dict(builder.kinds), shown)
    return with_.calls(query, calls)


def _inline(builder: QueryBuilder, drawn: Iterable[Row], *, moments: bool) -> Values:
    """VALUES for calls: with ``moments`` about a third of the terms are dateTimes, else none."""
    terms = menu(builder.limits).terms
    found = tuple(term for term in terms if is_moment(term))
    terms = (*terms, *found, *found) if moments else tuple(t for t in terms if not is_moment(t))
    return Values(GIVEN, tuple((row.pick(terms), row.pick(terms)) for row in drawn))


@dataclass(frozen=True, slots=True)
class _With:
    """Puts calls where a query shows them, over the builder's variables and ``given`` ones.

    ``columns`` are further variables that SELECT has to show.
    """

    builder: QueryBuilder
    columns: tuple[Variable, ...]
    given: tuple[Variable, ...]
    arithmetic: bool
    scope: Mapping[Variable, str]
    shown: bool

    def calls(self, query: Query, rows: Sequence[Row]) -> Query:
        """Return the query with a call for each row."""
        grouped = is_grouped(query)
        if query.form is Form.SELECT and query.projection is not None and not grouped:
            columns = tuple(map(Projection, self.columns))
            query = replace(query, projection=(*query.projection, *columns))
        for number, row in enumerate(rows):
            name = Variable(f"value{number or ''}")
            if query.form is Form.ASK:
                # Among many FILTERs there is mostly one that drops everything.
                query = query if self.shown or number else self.filtered(query, row)
            elif query.form is Form.CONSTRUCT:
                # Of groups a template may show the keys alone (`open_points.TEMPLATE_OF_GROUPS`).
                query = query if self.shown or grouped else self.told(query, row, name)
            elif grouped:
                query = self.aggregated(query, row, name)
            else:
                query = self.selected(query, row, name)
        return query

    def over(self, row: Row, *, filtered: bool = False, given: bool = True) -> Calls:
        """Return the calls that a row picks.

        Args:
            row: the picks.
            filtered: whether the calls are the condition of a FILTER.
            given: whether the calls may use the variables that VALUES gives.
        """
        variables = self.given if given else ()
        limits = self.builder.limits
        return Calls(row, limits, self.scope, variables, self.arithmetic, filtered=filtered)

    def selected(self, query: Query, row: Row, name: Variable) -> Query:
        """Return the query with a call as a column, in a BIND or in a FILTER.

        Args:
            query: the SELECT.
            row: the picks for the call and for its place.
            name: the variable of the column.
        """
        place = row.pick(_PLACES)
        # If FILTER and BIND are kept apart, BIND does not follow a FILTER either.
        columns_only = place == "column" or not self.builder.limits.allow("filtered-binds")
        if self.shown or (columns_only and query.projection is not None):
            column = Projection(name, self.over(row).value())
            return replace(query, projection=(*(query.projection or ()), column))
        if place == "FILTER":
            return self.filtered(query, row)
        columns = query.projection and (*query.projection, Projection(name))
        pattern = Extend(query.pattern, name, self.over(row).value())
        return replace(query, pattern=pattern, projection=columns)

    def told(self, query: Query, row: Row, name: Variable) -> Query:
        """Return a CONSTRUCT with a call as an object.

        Args:
            query: the CONSTRUCT.
            row: the picks for the call.
            name: the variable that is the object.
        """
        told = TriplePattern(vocabulary.RESOURCES[0], vocabulary.DERIVED, name)
        pattern = Extend(query.pattern, name, self.over(row).value())
        return replace(query, pattern=pattern, template=(*query.template, told))

    def filtered(self, query: Query, row: Row) -> Query:
        """Return the query with a FILTER: a call is true, is false, or is no error."""
        allow = self.builder.limits.allow
        if not allow("filter", "filtered-binds"):
            return query
        shape = row.pick(("COALESCE", "", "!", "COALESCE"))
        condition = self.over(row, filtered=True).value()
        if shape == "COALESCE" and allow("filter-functions", "typed-literals"):
            condition = Operation("COALESCE", (condition, TRUE))
        elif shape == "!" and allow("filter-not"):
            condition = Operation("!", (condition,))
        return replace(query, pattern=Filter(condition, query.pattern))

    def aggregated(self, query: Query, row: Row, name: Variable) -> Query:
        """Return a grouped query with one more aggregate.

        Args:
            query: the grouped query.
            row: the picks for the aggregate and its argument.
            name: the variable of the column.
        """
        allow = self.builder.limits.allow
        if not allow("several-aggregates", "aggregate-expressions"):
            return query
        options = AGGREGATES if allow("sample") else _WITHOUT_CHOICE
        signature = row.pick(options)
        distinct = allow("count-distinct", "distinct") and row.pick((False, True))
        separator = row.pick((None, "", ", ")) if signature.name == "GROUP_CONCAT" else None
        # An aggregate of a name that SELECT itself gives is open (`open_points.GROUP_NAMES`).
        own = {c.variable for c in query.projection or () if c.expression is not None}
        known = replace(self, scope={v: kind for v, kind in self.scope.items() if v not in own})
        # Other aggregates choose among different values, which is open unless these are ordered.
        calls = known.over(row, given=signature.name in ("COUNT", "SUM"))
        argument = calls.argument(signature)
        aggregate = Aggregate(signature.name, argument, distinct, separator)
        column = Projection(name, calls.shown(aggregate, signature.result))
        return replace(query, projection=(*(query.projection or ()), column))


_WITHOUT_CHOICE = tuple(a for a in AGGREGATES if a.name not in ("SAMPLE", "GROUP_CONCAT"))


def abbreviated(query: Query) -> Query:
    """Return the query with a prefix for XSD if it writes any such datatype."""
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
