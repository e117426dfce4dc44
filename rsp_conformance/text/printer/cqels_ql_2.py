"""Print CQELS-QL 2, as CQELS 2 reads it (its CQELS-QL_SPEC.md, and its parser).

The language evaluates the parts of a group in an order of its own: stream patterns, static ones,
UNION, OPTIONAL, NOT EXISTS, and at last BIND and FILTER. So the printer sorts the parts of a group
into that order, and refuses a group whose answer the order would change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import count
from typing import Any, ClassVar

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    PatternTerm,
    TriplePattern,
    Union,
    Window,
)
from rsp_conformance.model.expressions import Aggregate, Exists, Expression, Operation, Variable
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query
from rsp_conformance.model.slips import names_in_having
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term
from rsp_conformance.model.variables import certain, in_scope, is_grouped, selected
from rsp_conformance.model.walk import mentioned, rewritten, substituted, within
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.text.escapes import escape
from rsp_conformance.text.printer.continuous import ContinuousQueryPrinter, bare_name
from rsp_conformance.text.printer.terms import is_bare

DIRECTIONS = ("future", "range")
"""How windows are written: FUTURE, which extends forward from each anchor, or RANGE."""
_KEYWORDS = frozenset(
    "prefix register query as select distinct from named stream window on static graph where with "
    "depth cache group by order asc desc true false filter bind optional bound if having "
    "group_concat separator union exists not seq minus".split()
)
"""Words that the lexer does not take as the name of a stream, in upper or lower case."""
_ORDER = "clauses in this order: OPTIONAL, NOT EXISTS, BIND and FILTER come after all joins"
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false")
"""Matches the numbers and truth values that the lexer takes without quotes."""


def print_query(
    query: Query, *, unit: int = 1, direction: str = "future", explicit_step: bool = False
) -> str:
    """Return a query as CQELS-QL 2.

    A stream is named by the last word of its IRI (``continuous.bare_name``).

    Args:
        query: the query.
        unit: milliseconds per instant.
        direction: how windows are written, one of ``DIRECTIONS``.
        explicit_step: writes STEP also if RANGE alone means the same tumbling window.

    Raises:
        NotExpressible: the language cannot express the query.
    """
    printer = CqelsQl2Printer(
        unit=unit, direction=direction, windows=query.windows, step=explicit_step
    )
    if names_in_having(query):  # it would be the value there
        printer.refuse("variable in HAVING that SELECT names later")
    query = _with_aliases(_with_bare_projection(_without_blank_nodes(query)))
    return "\n".join(printer.query_lines(query)) + "\n"


def _without_blank_nodes(query: Query) -> Query:
    """Return `query` with new variables in place of blank nodes, and without ``*``."""
    if query.projection is None and query.form is Form.SELECT:
        shown = tuple(Projection(Variable(name)) for name in selected(query))
        query = replace(query, projection=shown)
    taken = set(mentioned(query))
    fresh = (Variable(name) for name in map("b{}".format, count()) if name not in taken)
    named: dict[BlankNode, Variable] = {}

    def variable(part: Any) -> Any:
        if not isinstance(part, BlankNode):
            return part
        if part not in named:
            named[part] = next(fresh)
        return named[part]

    return rewritten(query, variable)


def _with_bare_projection(query: Query) -> Query:
    """Replace expressions in SELECT by BIND, and drop variables that cannot be bound.

    Only queries without groups change. Under FUTURE, CQELS 2 has such expressions in no other
    way, and refuses other variables.
    """
    if is_grouped(query):
        return query
    pattern = query.pattern
    for item in query.projection or ():
        if item.expression is not None:
            pattern = Extend(pattern, item.variable, item.expression)
    bound = in_scope(pattern)
    shown = (Projection(i.variable) for i in query.projection or () if i.variable.name in bound)
    return replace(query, pattern=pattern, projection=tuple(shown))


def _with_aliases(query: Query) -> Query:
    """Replace expressions of SELECT by their variables in HAVING and ORDER BY.

    The conditions of HAVING become one, joined by ``&&``.
    """
    aliases = {
        item.expression: item.variable
        for item in query.projection or ()
        if isinstance(item.expression, (Aggregate, Operation))
    }
    having = tuple(substituted(condition, aliases) for condition in query.having)
    if having:
        having = (reduce(lambda left, right: Operation("&&", (left, right)), having),)
    keys = tuple(substituted(key, aliases) for key in query.order_by)
    return replace(query, having=having, order_by=keys)


@dataclass(slots=True)
class _Parts:
    """The parts of a group, in the order in which the language evaluates them."""

    streams: dict[IRI, list[TriplePattern]] = field(default_factory=dict)
    static: list[TriplePattern] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    """The lines of GRAPH and UNION."""
    optional: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    binds: list[str] = field(default_factory=list)
    filters: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class CqelsQl2Printer(ContinuousQueryPrinter):
    """Writes CQELS-QL 2; WINDOW is STREAM, with only triple patterns in its braces."""

    language = "CQELS-QL 2"
    units = ((1000, "s"),)
    operators = "I"
    reaches: ClassVar[Mapping[Reach, str]] = {Reach.NOW: "NOW"}
    direction: str = "future"
    step: bool = False
    windows: tuple[WindowDeclaration, ...] = ()

    # Queries

    def check(self, query: Query) -> None:
        """Refuse forms other than SELECT, and parts of SELECT that the language lacks."""
        super().check(query)
        refused = {
            query.form.value: query.form is not Form.SELECT,
            "SELECT of variables that are nowhere bound": not query.projection,
            "BASE": query.base is not None,
            "REDUCED": query.reduced,
            "OFFSET": query.offset is not None,
            "VALUES": query.values is not None,
            "GROUP BY an expression": any(key.variable is not None for key in query.group_by or ()),
            "ISTREAM under FUTURE": query.operator is not None and self.direction == "future",
        }
        for what, used in refused.items():
            if used:
                self.refuse(what)
        read = {part.name for part in within(query.pattern) if isinstance(part, Window)}
        if not read.issuperset(window.name for window in query.windows):
            self.refuse("windows that no pattern reads")
        names = [self._name(window.name) for window in query.windows]
        if len(set(names)) < len(names):
            self.refuse("two windows over one stream, or over streams of one name")

    def _registration(self, query: Query) -> list[str]:
        name = bare_name(query.name) if query.name else None
        return [f"REGISTER QUERY {name if name and name.lower() not in _KEYWORDS else 'q'} AS"]

    def _select(self, query: Query) -> str:
        if query.operator is None:
            return super()._select(query)
        if query.distinct:
            self.refuse("ISTREAM of DISTINCT")
        shown = super()._select(query).removeprefix("SELECT ")
        return f"SELECT {query.operator.value}({shown})"

    def _name(self, window: IRI | Variable) -> str:
        """Return the name of a window's stream."""
        stream = next((w.stream for w in self.windows if w.name == window), None)
        if stream is None:
            self.refuse("WINDOW ?x" if isinstance(window, Variable) else "undeclared windows")
        name = bare_name(stream)
        if name is None or name.lower() in _KEYWORDS:
            self.refuse(f"name for the stream {stream.value}")
        return name

    def _window(self, window: WindowDeclaration) -> str:
        if not window.named:
            self.refuse("windows in the default graph")
        if isinstance(window.width, Count | Reach):
            return f"FROM STREAM {self._name(window.name)} [{self.unmeasured(window)}]"
        width, slide = self.length(window.width), self.length(self.slide(window))
        size = f"{self.direction.upper()} {width}"
        if self.direction == "future" or self.step or width != slide:
            size += f" STEP {slide}"
        return f"FROM STREAM {self._name(window.name)} [{size}]"

    def _group_key(self, key: GroupKey) -> str:
        if not isinstance(key.expression, Variable):
            self.refuse("GROUP BY an expression")
        return self.term(key.expression)

    def _order_key(self, key: OrderKey) -> str:
        if not isinstance(key.expression, Variable):
            self.refuse("ORDER BY an expression")
        return super()._order_key(key)

    # Expressions and terms

    def constraint(self, expression: Expression) -> str:
        """Return an expression, always in brackets."""
        return f"({self.expression(expression)})"

    def _expression(self, expression: Expression) -> tuple[str, int]:
        match expression:
            case Exists():
                self.refuse("EXISTS but for FILTER NOT EXISTS")
            case Operation("IN" | "NOT IN" as name):
                self.refuse(name)
            case Aggregate("SAMPLE" as name):
                self.refuse(name)
            case Aggregate(name, distinct=True):
                self.refuse(f"{name}(DISTINCT …)")
        return super()._expression(expression)

    def term(self, term: PatternTerm | Term) -> str:
        """Return a term; a number with a sign, or without a digit first, is in quotes."""
        if isinstance(term, Literal) and is_bare(term) and not _NUMBER.fullmatch(term.lexical):
            return f'"{escape(term.lexical)}"^^{self.iri(term.datatype)}'
        return super().term(term)

    # Patterns

    def group_lines(self, pattern: Pattern) -> list[str]:
        """Return the lines between the braces of a group, in the language's order of evaluation."""
        parts = _Parts()
        self._collect(pattern, None, parts)
        lines = [
            line
            for window, triples in parts.streams.items()
            for line in self.group(f"STREAM {self._name(window)}", BGP(tuple(triples)))
        ]
        lines += [f"{self.triple(triple)} ." for triple in parts.static]
        lines += parts.lines + parts.optional + parts.absent + parts.binds + parts.filters
        if not lines:
            self.refuse("empty groups")
        return lines

    def _collect(self, pattern: Pattern, window: IRI | None, parts: _Parts) -> frozenset[str]:
        """Sort `pattern`, which is within `window`, into `parts`.

        Return the variables of all its parts that the language evaluates after the joins.
        """
        match pattern:
            case BGP(triples):
                if any(not isinstance(t.predicate, (IRI, Variable)) for t in triples):
                    self.refuse("property paths")
                block = parts.static if window is None else parts.streams.setdefault(window, [])
                block += triples
                return frozenset()
            case Window(IRI() as name, inner) if window is None:
                return self._collect(inner, name, parts)
            case Graph(IRI(), BGP()) if window is None:
                parts.lines += super()._element(pattern)
                return frozenset()
            case Union(left, right):
                first, second = (self.group("", _within(window, side)) for side in (left, right))
                first[-1] += f" UNION {second[0]}"
                parts.lines += first + second[1:]
                return frozenset()
            case Join(left, right):
                before = self._collect(left, window, parts)
                after = self._collect(right, window, parts)
                self._check_order(before, left, right)
                self._check_order(after, right, left)
                return before | after
            case LeftJoin(left, right, condition):
                before = self._collect(left, window, parts)
                self._check_order(before, left, right)
                self._check_order(self._collect(right, window, _Parts()), right, left)
                inner = right if condition is None else Filter(condition, right)
                parts.optional += self.group("OPTIONAL", _within(window, inner))
                return before | frozenset(mentioned(inner))
            case Filter(condition, inner):
                return self._filter(condition, inner, window, parts)
            case Extend(inner, variable, expression):
                late = self._collect(inner, window, parts)
                if variable.name in late:
                    self.refuse(_ORDER)
                parts.binds.append(f"BIND({self.expression(expression)} AS ?{variable.name})")
                return late | {variable.name, *mentioned(expression)}
        what = type(pattern).__name__.upper()
        self.refuse({"SUBSELECT": "subqueries"}.get(what, f"{what} here"))

    def _filter(
        self, condition: Expression, inner: Pattern, window: IRI | None, parts: _Parts
    ) -> frozenset[str]:
        late = self._collect(inner, window, parts)
        used = frozenset(mentioned(condition))
        if isinstance(condition, Exists) and condition.negated:
            absent = _within(window, condition.pattern)
            parts.absent += self.group("FILTER NOT EXISTS", absent)
        else:
            parts.filters.append(f"FILTER({self.expression(condition)})")
        return late | used

    def _check_order(self, late: frozenset[str], part: Pattern, other: Pattern) -> None:
        """Refuse `part`, joined with `other`, if its late parts would see more variables."""
        if not late.isdisjoint(frozenset(in_scope(other)) - certain(part)):
            self.refuse(_ORDER)


def _within(window: IRI | None, pattern: Pattern) -> Pattern:
    return pattern if window is None else Window(window, pattern)
