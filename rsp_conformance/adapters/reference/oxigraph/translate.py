"""From a continuous query to the SPARQL that the store is asked at one instant (SEMANTICS 4).

Every triple pattern names the stored graph that it reads; GRAPH and WINDOW are resolved here and
their variables become unions over the names they range over, which is their definition in SPARQL
1.1 (18.6) and binds the variable outside the pattern only. Expressions get the values of opaque
literals where they compute, and the terms themselves where they pass them on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from itertools import count
from typing import Any

from rsp_conformance.adapters.reference.oxigraph.expressions import Expressions
from rsp_conformance.adapters.reference.oxigraph.iris import node
from rsp_conformance.adapters.reference.oxigraph.names import (
    GRAPH_TERMS,
    KNOWN_AS,
    GraphTerm,
    Names,
    Scope,
    StoredGraph,
    is_written,
)
from rsp_conformance.adapters.reference.oxigraph.paths import is_path, stayed, step, unfolded
from rsp_conformance.adapters.reference.oxigraph.quoted import unquote
from rsp_conformance.adapters.reference.oxigraph.terms import opaque_term, opaque_values
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    PatternTerm,
    Service,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Aggregate, Expression, Variable
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.query import Projection as Column
from rsp_conformance.model.terms import IRI, BlankNode, Literal
from rsp_conformance.model.variables import group_variables, in_scope, is_grouped, selected
from rsp_conformance.model.walk import children, rewritten, substituted, with_children, within

NOTHING = Values((), ())
"""The pattern without solutions."""


class Translation:
    """A query, as SPARQL over the stored graphs.

    ``query`` is a plain SELECT; its columns are those of ``columns`` if there are any.
    ``aggregates`` are the custom aggregates that it calls.

    Args:
        query: the query.
        names: the stored graph of each name.
        library: a point that is left as pyoxigraph reads it by itself (``readings``); None for
            none.

    Raises:
        Unsupported: a part of the query is not translated, such as a function whose value differs
            from call to call, as RAND's does.
    """

    def __init__(self, query: Query, names: Names, library: str | None = None) -> None:
        self._library = library
        self._fresh = count()
        self._exprs = Expressions(self._tested, self._fresh, library, query.base)
        self.aggregates = self._exprs.aggregates
        self._tests = 0
        self._seen: frozenset[str] = frozenset()
        self._counts_solutions = library != "count-distinct" and _counts_distinct_solutions(query)
        self.columns = columns(query)
        self.query = self._select(query, Scope(names, names.default))

    def _select(self, query: Query, scope: Scope) -> Query:
        pattern = self._pattern(query.pattern, scope)
        with self._seeing((*in_scope(query.pattern), *columns(query), *group_variables(query))):
            return self._selected(query, pattern, scope)

    def _selected(self, query: Query, pattern: Pattern, scope: Scope) -> Query:
        projection = query.projection
        if projection is None or query.form is not Form.SELECT:
            projection = tuple(Column(Variable(name)) for name in columns(query))
        if not projection:
            projection = (self._constant(),)
        if is_grouped(query):
            projection = _unnamed(projection)
        shown = tuple(
            Column(
                column.variable,
                None if column.expression is None else self._exprs.term(column.expression, scope),
            )
            for column in projection
        )
        return Query(
            pattern=pattern,
            projection=shown,
            distinct=query.distinct,
            reduced=query.reduced,
            group_by=query.group_by
            and tuple(
                replace(key, expression=self._exprs.term(key.expression, scope))
                for key in query.group_by
            ),
            having=tuple(self._exprs.truth(condition, scope) for condition in query.having),
            order_by=tuple(
                replace(key, expression=self._exprs.sort_key(key.expression, scope))
                for key in query.order_by
            ),
            limit=query.limit,
            offset=query.offset,
            values=query.values and opaque_values(query.values),
        )

    # Patterns.

    def _pattern(self, pattern: Pattern, scope: Scope) -> Pattern:
        match pattern:
            case BGP(triples):
                return self._bgp(triples, scope.active)
            case Values():
                return opaque_values(pattern)
            case SubSelect(query):
                return SubSelect(self._select(query, scope))
            case Graph(name, inner):
                return self._graph(name, inner, scope)
            case Window(name, inner):
                return self._window(name, inner, scope)
            case Service():
                raise Unsupported("SERVICE")
        operands = tuple(self._pattern(operand, scope) for operand in children(pattern))
        translated = with_children(pattern, operands)
        match translated:
            case Extend(expression=expression):
                with self._seeing(in_scope(pattern)):
                    return replace(translated, expression=self._exprs.term(expression, scope))
            case Filter(condition) | LeftJoin(condition=condition) if condition is not None:
                with self._seeing(in_scope(pattern)):
                    return replace(translated, condition=self._exprs.truth(condition, scope))
        return translated

    @contextmanager
    def _seeing(self, names: Iterable[str]) -> Iterator[None]:
        """Expressions see the variables of these `names`, and what an EXISTS around them sees."""
        before = self._seen
        self._seen = before.union(names)
        yield
        self._seen = before

    def _graph(self, name: IRI | Variable, inner: Pattern, scope: Scope) -> Pattern:
        graphs = dict(scope.names.graphs)
        if isinstance(name, IRI):
            found = graphs.get(node(name.value))
            return NOTHING if found is None else self._pattern(inner, Scope(scope.names, found))
        return _union(
            Join(
                self._pattern(inner, Scope(scope.names, graphs[term])),
                self._is(name, term, graphs[term]),
            )
            for term in scope.names.ranged
        )

    def _window(self, name: IRI | Variable, inner: Pattern, scope: Scope) -> Pattern:
        windows = dict(scope.names.windows)
        if isinstance(name, IRI):
            found = windows.get(name.value)
            return NOTHING if found is None else self._inside(inner, found)
        return _union(
            Join(self._inside(inner, names), self._is(name, node(window), names.default))
            for window, names in windows.items()
        )

    def _inside(self, inner: Pattern, names: Names) -> Pattern:
        return self._pattern(inner, Scope(names, names.default))

    def _is(self, variable: Variable, term: GraphTerm, graph: StoredGraph) -> Pattern:
        """`variable` is `term`. What cannot be written the store is asked for."""
        if is_written(term):
            return Values((variable,), ((IRI(term.value),),))
        known_as = TriplePattern(IRI(graph.names()[0]), IRI(KNOWN_AS), variable)
        return Graph(IRI(GRAPH_TERMS), BGP((known_as,)))

    def _bgp(self, triples: tuple[TriplePattern, ...], graph: StoredGraph) -> Pattern:
        if not triples:
            return BGP()
        label = next(self._fresh)

        def term(part: PatternTerm) -> PatternTerm:
            match part:
                case BlankNode(label=name):
                    return Variable(f"rsp_blank_{label}_{name}")
                case Literal() | IRI():
                    return opaque_term(part)
                case _:
                    return part

        def fresh() -> Variable:
            return Variable(f"rsp_quoted_{next(self._fresh)}")

        stored = [unquote(triple, fresh, term) for triple in triples]
        plain = [part.triple for part in stored if not part.tests]
        groups = [self._matches(plain, graph)] if plain else []
        groups += [part.over(self._matches([part.triple], graph)) for part in stored if part.tests]
        found = reduce(Join, groups)
        if self._tests and any(part.binds for part in stored):
            # pyoxigraph lets a BIND within EXISTS bind anew what the solution outside has bound;
            # what a subquery selects it compares.
            return self._showing(BGP(triples), found)
        if self._counts_solutions and any(_hides(t) or is_path(t) for t in triples):
            return self._showing(BGP(triples), found)
        return found

    def _tested(self, pattern: Pattern, scope: Scope) -> Pattern:
        """Return the pattern of an EXISTS.

        What the solution that is tested cannot bind gets names of its own: pyoxigraph lets a
        variable of the same name, bound beside the group of the FILTER, reach into its EXISTS.
        """
        self._tests += 1
        own, seen = next(self._fresh), self._seen

        def apart(part: Any) -> Any:
            is_own = isinstance(part, Variable) and part.name not in seen
            return Variable(f"rsp_own_{own}_{part.name}") if is_own else part

        translated = self._pattern(rewritten(pattern, apart), scope)
        self._tests -= 1
        return translated

    def _showing(self, pattern: BGP, found: Pattern) -> Pattern:
        """`found`, with the variables of `pattern` alone: blank nodes are no part of a solution."""
        shown = tuple(Column(Variable(name)) for name in sorted(in_scope(pattern)))
        return SubSelect(Query(found, projection=shown or (self._constant(),)))

    def _constant(self) -> Column:
        """Return a column for a SELECT of nothing, which SPARQL does not have."""
        return Column(Variable(f"rsp_nothing_{next(self._fresh)}"), Literal(""))

    def _matches(self, stored: list[TriplePattern], graph: StoredGraph) -> Pattern:
        layers = graph.names()
        steps = [t for t in stored if not is_path(t)]

        def counted(triple: TriplePattern) -> Pattern:
            return _union(step(IRI(layer), triple, between) for layer in layers)

        def once(triple: TriplePattern) -> Pattern:
            return Graph(IRI(layers[0]), BGP((triple,)))

        def repeated(triple: TriplePattern) -> Pattern:
            return stayed(triple, once)

        def between() -> Variable:
            return Variable(f"rsp_between_{next(self._fresh)}")

        paths = [t for t in stored if is_path(t)]
        if self._library == "paths":
            parts = [*map(once, paths)]
        else:
            parts = [unfolded(t, between, counted, repeated) for t in paths]
        if len(layers) > 1:
            parts = [*map(counted, steps), *parts]
        elif steps:
            parts.insert(0, Graph(IRI(layers[0]), BGP(tuple(steps))))
        return reduce(Join, parts)


def columns(query: Query) -> tuple[str, ...]:
    """Return the variables that a solution of `query` shows; all in scope for ASK and CONSTRUCT."""
    if query.projection is not None and query.form is Form.SELECT:
        return tuple(column.variable.name for column in query.projection)
    if is_grouped(query):
        return group_variables(query)
    return tuple(sorted(selected(replace(query, projection=None))))


def _unnamed(projection: Iterable[Column]) -> tuple[Column, ...]:
    """`projection` with no name used again in it: pyoxigraph takes none of a SELECT with groups.

    ``(COUNT(*) AS ?n) (?n + 1 AS ?m)`` is ``(COUNT(*) AS ?n) (COUNT(*) + 1 AS ?m)``.
    """
    named: dict[Variable, Expression] = {}
    found: list[Column] = []
    for column in projection:
        if column.expression is None:
            found.append(column)
            continue
        expression = substituted(column.expression, named)
        named[column.variable] = expression
        found.append(replace(column, expression=expression))
    return tuple(found)


def _counts_distinct_solutions(query: Query) -> bool:
    return any(
        isinstance(part, Aggregate) and part.argument is None and part.distinct
        for part in within(query)
    )


def _hides(part: PatternTerm) -> bool:
    """Return whether `part` holds a blank node, a variable that no solution shows."""
    if isinstance(part, TriplePattern):
        return _hides(part.subject) or _hides(part.object)
    return isinstance(part, BlankNode)


def _union(branches: Iterable[Pattern]) -> Pattern:
    patterns = list(branches)
    return reduce(Union, patterns) if patterns else NOTHING
