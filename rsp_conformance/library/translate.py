"""From a continuous query to the SPARQL that the store is asked at one instant (SEMANTICS 4).

Every triple pattern names the stored graph that it reads; GRAPH and WINDOW are resolved here and
their variables become unions over the names they range over, which is their definition in SPARQL
1.1 (18.6) and binds the variable outside the pattern only. Expressions get the values of opaque
literals where they compute, and the terms themselves where they pass them on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import reduce
from itertools import count
from typing import NamedTuple

import pyoxigraph as ox

from rsp_conformance.library import functions
from rsp_conformance.library.names import (
    GRAPH_TERMS,
    KNOWN_AS,
    GraphTerm,
    Names,
    StoredGraph,
)
from rsp_conformance.library.paths import is_path, stayed, step, unfolded
from rsp_conformance.library.quoted import iri_of
from rsp_conformance.library.quoted_functions import EQUATED, UNQUOTED
from rsp_conformance.library.quoted_patterns import (
    FUNCTIONS as TRIPLE_FUNCTIONS,
)
from rsp_conformance.library.quoted_patterns import (
    as_call,
    equals,
    may_be_quoted,
    unquote,
)
from rsp_conformance.library.terms import is_operand, opaque_datatype
from rsp_conformance.library.uncertainty import translate_call
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
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
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.query import Form, GroupKey, Query
from rsp_conformance.model.query import Projection as Column
from rsp_conformance.model.terms import IRI, XSD, XSD_INTEGER, BlankNode, Literal, Term, Triple
from rsp_conformance.model.traversal import subexpressions, subpatterns
from rsp_conformance.model.uncertainty import RSPU, SUMS, function_name
from rsp_conformance.model.variables import in_scope, selected

NOTHING = Values((), ())
"""The pattern without solutions."""

_TERM_ARGUMENTS = frozenset(
    {"BOUND", "STR", "LANG", "ISIRI", "ISURI", "ISBLANK", "ISLITERAL", "SAMETERM"}
)
_CONNECTIVES = frozenset({"&&", "||", "!"})
_ORDERINGS = frozenset({"<", ">", "<=", ">="})
_BOOLEAN = _CONNECTIVES | _ORDERINGS | {"=", "!=", "IN", "NOT IN", "BOUND", "SAMETERM"}
_PASSES_ON = frozenset({"IF", "COALESCE"})
DIFFERING = frozenset({"RAND", "NOW", "UUID", "STRUUID", "BNODE"})
"""Functions whose value SPARQL does not determine, even by all data that there are."""

_EQUALITIES = frozenset({"=", "!=", "IN", "NOT IN"})
_QUOTED_ARE_NO_IRIS = frozenset({"STR", "ISIRI", "ISURI"})

_ZERO, _ONE = (Literal(digit, XSD_INTEGER) for digit in "01")
_ERROR = "urn:x-rsp:error"


class Scope(NamedTuple):
    """Where a pattern stands: what names mean there, and the graph that is active."""

    names: Names
    active: StoredGraph


class Translation:
    """A query, as SPARQL over the stored graphs that NAMES speaks of.

    ``query`` is a plain SELECT; its columns are those of ``columns`` where there are any.
    ``aggregates`` are the custom aggregates that it calls. ``differing`` says whether functions
    whose value differs from call to call, as RAND's does, are translated instead of refused.
    """

    def __init__(self, query: Query, names: Names, *, differing: bool = False) -> None:
        self._differing = differing
        self._mark: Variable | None = None
        self.aggregates = dict(functions.AGGREGATES)
        self._fresh = count()
        self._tests = 0
        self._counts_solutions = _counts_distinct_solutions(query)
        self.columns = columns(query)
        self.query = self._select(query, Scope(names, names.default))

    def _select(self, query: Query, scope: Scope) -> Query:
        projection = query.projection
        if projection is None or query.form is not Form.SELECT:
            projection = tuple(Column(Variable(name)) for name in columns(query))
        if not projection:
            projection = (self._constant(),)
        pattern = self._pattern(query.pattern, scope)
        around, self._mark = self._mark, None
        if self._differing and not query.having and query.group_by is None and _names(projection):
            # What SELECT's BNODE("a") names is one node in a solution and another in the next.
            self._mark = Variable(f"rsp_solution_{next(self._fresh)}")
            pattern = Extend(pattern, self._mark, Operation("STRUUID", ()))
        shown = tuple(
            Column(
                column.variable,
                None if column.expression is None else self._term(column.expression, scope),
            )
            for column in projection
        )
        self._mark = around
        return Query(
            pattern=pattern,
            projection=shown,
            distinct=query.distinct,
            reduced=query.reduced,
            group_by=None
            if query.group_by is None
            else tuple(self._group_key(key, scope) for key in query.group_by),
            having=tuple(self._truth(condition, scope) for condition in query.having),
            order_by=tuple(
                replace(key, expression=self._equated(key.expression, scope))
                for key in query.order_by
            ),
            limit=query.limit,
            offset=query.offset,
            values=None if query.values is None else _opaque_values(query.values),
        )

    def _group_key(self, key: GroupKey, scope: Scope) -> GroupKey:
        return GroupKey(self._term(key.expression, scope), key.variable)

    # Patterns.

    def _pattern(self, pattern: Pattern, scope: Scope) -> Pattern:
        match pattern:
            case BGP(triples):
                return self._bgp(triples, scope.active)
            case Join(left, right):
                return Join(self._pattern(left, scope), self._pattern(right, scope))
            case Union(left, right):
                return Union(self._pattern(left, scope), self._pattern(right, scope))
            case Minus(left, right):
                return Minus(self._pattern(left, scope), self._pattern(right, scope))
            case LeftJoin(left, right, condition):
                return LeftJoin(
                    self._pattern(left, scope),
                    self._pattern(right, scope),
                    None if condition is None else self._truth(condition, scope),
                )
            case Filter(condition, inner):
                return Filter(self._truth(condition, scope), self._pattern(inner, scope))
            case Extend(inner, variable, expression):
                return Extend(self._pattern(inner, scope), variable, self._term(expression, scope))
            case Values():
                return _opaque_values(pattern)
            case SubSelect(query):
                return SubSelect(self._select(query, scope))
            case Graph(name, inner):
                return self._graph(name, inner, scope)
            case Window(name, inner):
                return self._window(name, inner, scope)
            case Service():
                raise Unsupported("SERVICE")

    def _graph(self, name: IRI | Variable, inner: Pattern, scope: Scope) -> Pattern:
        if isinstance(name, IRI):
            found = scope.names.graph(ox.NamedNode(name.value))
            return NOTHING if found is None else self._pattern(inner, Scope(scope.names, found))
        branches = []
        for term in scope.names.ranged:
            graph = scope.names.graph(term)
            assert graph is not None
            branch = self._pattern(inner, Scope(scope.names, graph))
            branches.append(Join(branch, self._is(name, term, graph)))
        return _union(branches)

    def _window(self, name: IRI | Variable, inner: Pattern, scope: Scope) -> Pattern:
        if isinstance(name, IRI):
            found = scope.names.window(name.value)
            return NOTHING if found is None else self._inside(inner, found)
        return _union(
            Join(self._inside(inner, names), Values((name,), ((IRI(window),),)))
            for window, names in scope.names.windows
        )

    def _inside(self, inner: Pattern, names: Names) -> Pattern:
        return self._pattern(inner, Scope(names, names.default))

    def _is(self, variable: Variable, term: GraphTerm, graph: StoredGraph) -> Pattern:
        """VARIABLE is TERM. A blank node cannot be written, so the store is asked for it."""
        if isinstance(term, ox.NamedNode):
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
                    return _opaque(part)
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
        """The pattern of an EXISTS."""
        self._tests += 1
        translated = self._pattern(pattern, scope)
        self._tests -= 1
        return translated

    def _showing(self, pattern: BGP, found: Pattern) -> Pattern:
        """FOUND, with the variables of PATTERN alone: blank nodes are no part of a solution."""
        shown = tuple(Column(Variable(name)) for name in sorted(in_scope(pattern)))
        return SubSelect(Query(found, projection=shown or (self._constant(),)))

    def _constant(self) -> Column:
        """A column for a SELECT of nothing, which SPARQL does not have."""
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

        parts = [unfolded(t, between, counted, repeated) for t in stored if is_path(t)]
        if len(layers) > 1:
            parts = [*map(counted, steps), *parts]
        elif steps:
            parts.insert(0, Graph(IRI(layers[0]), BGP(tuple(steps))))
        return reduce(Join, parts)

    # Expressions. ``_value`` is for whoever computes with the result, ``_term`` for whoever
    # passes it on.

    def _value(self, expression: Expression, scope: Scope) -> Expression:
        match expression:
            case Variable():
                return _call(functions.VALUE, expression)
            case IRI() | Literal():
                return expression
            case TriplePattern():
                return _call(functions.VALUE, self._term(expression, scope))
            case Exists(pattern, negated):
                return Exists(self._tested(pattern, scope), negated)
            case Aggregate():
                return self._aggregate(expression, scope)
            case FunctionCall(function, arguments):
                return self._cast(function, arguments, scope)
            case Operation("DATATYPE", arguments):
                return _call(functions.DATATYPE, *(self._term(a, scope) for a in arguments))
            case Operation(name, arguments):
                return self._operation(name, arguments, scope)
        raise AssertionError(expression)

    def _term(self, expression: Expression, scope: Scope) -> Expression:
        match expression:
            case Variable() | IRI():
                return expression
            case Literal():
                return _opaque(expression)
            case Operation("IF", (condition, *branches)):
                kept = (self._term(branch, scope) for branch in branches)
                return Operation("IF", (self._truth(condition, scope), *kept))
            case Operation("COALESCE", arguments):
                return Operation("COALESCE", tuple(self._term(a, scope) for a in arguments))
            case TriplePattern():
                return self._term(as_call(expression), scope)
            case Operation(name, arguments) if name in TRIPLE_FUNCTIONS:
                parts = tuple(self._term(a, scope) for a in arguments)
                return FunctionCall(TRIPLE_FUNCTIONS[name], parts)
            case Aggregate("MIN" | "MAX" | "SAMPLE", _, _, _):
                return self._aggregate_term(expression, scope)
            case _:
                return _call(functions.TERM, self._value(expression, scope))

    def _truth(self, condition: Expression, scope: Scope) -> Expression:
        """CONDITION where its effective boolean value is asked for."""
        value = self._value(condition, scope)
        yields_boolean = isinstance(condition, Exists) or (
            isinstance(condition, Operation) and condition.name in _BOOLEAN
        )
        return value if yields_boolean else _call(functions.TRUTH, value)

    def _comparable(self, expression: Expression, scope: Scope) -> Expression:
        return _call(functions.COMPARABLE, self._term(expression, scope))

    def _operation(self, name: str, arguments: tuple[Expression, ...], scope: Scope) -> Expression:
        if name in DIFFERING and not self._differing:
            raise Unsupported(f"{name}, whose value differs from call to call")
        if name == "BNODE" and arguments:
            if self._mark is None:
                raise Unsupported("BNODE of a string anywhere but in SELECT without groups")
            return _call(functions.NODE_OF, self._mark, self._value(arguments[0], scope))
        if name in _PASSES_ON or name in TRIPLE_FUNCTIONS:
            return _call(functions.VALUE, self._term(Operation(name, arguments), scope))
        if name in _EQUALITIES:
            return self._equality(name, arguments, scope)
        if name in _QUOTED_ARE_NO_IRIS and may_be_quoted(arguments[0]):
            return self._of_plain_term(name, self._term(arguments[0], scope))
        if name == "BOUND":
            return Operation(name, arguments)
        argument: Callable[[Expression, Scope], Expression] = self._value
        if name in _TERM_ARGUMENTS:
            argument = self._term
        elif name in _CONNECTIVES:
            argument = self._truth
        elif name in _ORDERINGS:
            argument = self._comparable
        elif name == "ISNUMERIC":
            argument = self._equated
        return Operation(name, tuple(argument(a, scope) for a in arguments))

    def _equality(self, name: str, arguments: tuple[Expression, ...], scope: Scope) -> Expression:
        if name in {"IN", "NOT IN"} and may_be_quoted(arguments[0]):
            first, *others = arguments
            if any(map(may_be_quoted, others)):
                # a IN (b, c) is (a = b) || (a = c) (SPARQL 1.1, 17.4.1.9).
                equal = (self._equality("=", (first, other), scope) for other in others)
                found = reduce(lambda a, b: Operation("||", (a, b)), equal)
                return found if name == "IN" else Operation("!", (found,))
        values = tuple(self._equated(argument, scope) for argument in arguments)
        if name in {"IN", "NOT IN"} or not all(map(may_be_quoted, arguments)):
            return Operation(name, values)
        a, b = (self._term(argument, scope) for argument in arguments)
        equal_ = equals(a, b, Operation("=", values))
        return equal_ if name == "=" else Operation("!", (equal_,))

    def _equated(self, expression: Expression, scope: Scope) -> Expression:
        match expression:
            case Literal(datatype=datatype) if not is_operand(datatype):
                return _opaque(expression)
            case FunctionCall() if function_name(expression) in SUMS:
                return _call(EQUATED, self._term(expression, scope))
            case Operation("STRDT"):
                return _call(EQUATED, self._term(expression, scope))
            case _ if may_be_quoted(expression):
                return _call(EQUATED, self._term(expression, scope))
        return self._value(expression, scope)

    def _of_plain_term(self, name: str, term: Expression) -> Expression:
        """A function that takes a quoted triple for no IRI."""
        if name == "STR":
            return Operation(name, (_call(UNQUOTED, term),))
        is_triple = FunctionCall(TRIPLE_FUNCTIONS["ISTRIPLE"], (term,))
        return Operation("&&", (Operation(name, (term,)), Operation("!", (is_triple,))))

    def _cast(self, function: IRI, arguments: tuple[Expression, ...], scope: Scope) -> Expression:
        if function.value.startswith(RSPU):
            call = FunctionCall(function, arguments)
            return translate_call(call, lambda part: self._term(part, scope))
        if not function.value.startswith(XSD):
            raise Unsupported(f"the function <{function.value}>")
        return FunctionCall(function, tuple(self._value(a, scope) for a in arguments))

    def _aggregate(self, aggregate: Aggregate, scope: Scope) -> Expression:
        name, argument = aggregate.name, aggregate.argument
        if argument is None:
            return aggregate
        match name, aggregate.distinct:
            case (("SUM" | "AVG"), False):
                return replace(aggregate, argument=self._value(argument, scope))
            case "SUM", True:
                return _call(functions.DISTINCT_SUM, self._term(argument, scope))
            case "AVG", True:
                return _call(functions.DISTINCT_AVERAGE, self._term(argument, scope))
            case (("MIN" | "MAX" | "SAMPLE"), _):
                return _call(functions.VALUE, self._aggregate_term(aggregate, scope))
            case "GROUP_CONCAT", True:
                return self._distinct_concatenation(argument, aggregate.separator, scope)
            case "GROUP_CONCAT", False:
                text = _call(functions.TEXT, self._term(argument, scope))
                return replace(aggregate, argument=text)
            case "COUNT", _ if not isinstance(argument, Variable):
                return self._count(argument, aggregate.distinct, scope)
            case _:
                return replace(aggregate, argument=self._term(argument, scope))

    def _count(self, argument: Expression, distinct: bool, scope: Scope) -> Expression:
        """How many values ARGUMENT has (SPARQL 1.1, 18.5.1.2), errors left out.

        pyoxigraph takes one error for an error of the whole aggregate, so errors become numbers.
        """
        term = self._term(argument, scope)

        def add(value: Literal, error: Literal) -> Expression:
            always = Operation("SAMETERM", (term, term))
            counted = Operation("COALESCE", (Operation("IF", (always, value, value)), error))
            return Aggregate("SUM", counted)

        if not distinct:
            return add(_ONE, _ZERO)
        errors = Operation(">", (add(_ZERO, _ONE), _ZERO))
        values = Aggregate("COUNT", Operation("COALESCE", (term, IRI(_ERROR))), distinct=True)
        return Operation("-", (values, Operation("IF", (errors, _ONE, _ZERO))))

    def _aggregate_term(self, aggregate: Aggregate, scope: Scope) -> Expression:
        assert aggregate.argument is not None
        argument = self._term(aggregate.argument, scope)
        match aggregate.name:
            case "MIN":
                return _call(functions.MINIMUM, argument)
            case "MAX":
                return _call(functions.MAXIMUM, argument)
            case _:
                return replace(aggregate, argument=argument)

    def _distinct_concatenation(
        self, argument: Expression, separator: str | None, scope: Scope
    ) -> Expression:
        between = " " if separator is None else separator
        name = f"{functions.DISTINCT_CONCATENATION}:{next(self._fresh)}"
        self.aggregates[ox.NamedNode(name)] = lambda: functions.DistinctConcatenation(between)
        return _call(name, self._term(argument, scope))


def columns(query: Query) -> tuple[str, ...]:
    """The variables that a solution of QUERY shows; all in scope for ASK and CONSTRUCT."""
    if query.projection is not None and query.form is Form.SELECT:
        return tuple(column.variable.name for column in query.projection)
    if query.group_by is not None:
        keys = (key.variable or key.expression for key in query.group_by)
        return tuple(key.name for key in keys if isinstance(key, Variable))
    return tuple(sorted(selected(replace(query, projection=None))))


def _counts_distinct_solutions(query: Query) -> bool:
    expressions = [column.expression for column in query.projection or () if column.expression]
    expressions += [*query.having, *(key.expression for key in query.order_by)]
    inner = [part.query for part in subpatterns(query.pattern) if isinstance(part, SubSelect)]
    return any(
        isinstance(part, Aggregate) and part.argument is None and part.distinct
        for expression in expressions
        for part in subexpressions(expression)
    ) or any(map(_counts_distinct_solutions, inner))


def _names(projection: Iterable[Column]) -> bool:
    """Whether PROJECTION names blank nodes by strings, and has no aggregates."""
    expressions = [c.expression for c in projection if c.expression is not None]
    parts = [part for expression in expressions for part in subexpressions(expression)]
    if any(isinstance(part, Aggregate) for part in parts):
        return False
    return any(isinstance(p, Operation) and p.name == "BNODE" and p.arguments for p in parts)


def _hides(part: PatternTerm) -> bool:
    """Whether PART holds a blank node, a variable that no solution shows."""
    if isinstance(part, TriplePattern):
        return _hides(part.subject) or _hides(part.object)
    return isinstance(part, BlankNode)


def _opaque(term: IRI | Literal) -> IRI | Literal:
    if isinstance(term, Literal) and term.language is None:
        return Literal(term.lexical, opaque_datatype(term.datatype))
    return term


def _opaque_values(values: Values) -> Values:
    def cell(term: Term | None) -> Term | None:
        if isinstance(term, Triple):
            return IRI(iri_of(term))
        return _opaque(term) if isinstance(term, Literal) else term

    return Values(values.variables, tuple(tuple(cell(t) for t in row) for row in values.rows))


def _union(branches: Iterable[Pattern]) -> Pattern:
    patterns = list(branches)
    return reduce(Union, patterns) if patterns else NOTHING


def _call(name: str, *arguments: Expression) -> FunctionCall:
    return FunctionCall(IRI(name), tuple(arguments))
