"""Random patterns over random datasets, small and of few names, so that solutions meet.

A pattern is made from the outside in, with so many operators within it as it is deep. Variables
are few and shared, so that one that OPTIONAL, UNION or UNDEF leaves unbound is used again beside
and around it; those that BIND, GROUP BY and aggregates introduce are new, as SPARQL wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from random import Random

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    SubSelect,
    TriplePattern,
    Union,
    Values,
)
from rsp_conformance.model.expressions import Aggregate, Exists, Expression, Operation, Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    PathElement,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.query import GroupKey, OrderKey, Projection, Query
from rsp_conformance.model.terms import (
    IRI,
    XSD_DECIMAL,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.model.variables import in_scope
from tools.jury.jurors import Data

_EX = "http://ex.org/"
_NODES: tuple[IRI | BlankNode, ...] = (*[IRI(_EX + name) for name in "abc"], BlankNode("n"))
_PROPERTIES = tuple([IRI(_EX + name) for name in "pq"])
GRAPHS = (IRI(_EX + "g"), IRI(_EX + "h"))
_NOWHERE = IRI(_EX + "nowhere")
_NUMBERS = tuple([Literal(text, XSD_INTEGER) for text in "123"])
_PALETTES: tuple[tuple[Term, ...], ...] = (
    _NODES,
    (*_NODES, *_NUMBERS),
    (*_NODES[:2], *_NUMBERS, Literal("1.5", XSD_DECIMAL)),
    (*_NODES, _NUMBERS[0], Literal("x"), Literal("x", language="en")),
)
_VARIABLES = tuple([Variable(name) for name in "xyz"])
_DEEPEST = 3


def dataset(random: Random) -> Data:
    """A default graph and two named ones, of few nodes and one palette of values.

    The named ones have triples: stores need not record a graph without any.
    """
    palette = random.choice(_PALETTES)

    def graph(least: int, most: int) -> list[Triple]:
        made = [
            Triple(random.choice(_NODES), random.choice(_PROPERTIES), random.choice(palette))
            for _ in range(random.randint(least, most))
        ]
        return list(dict.fromkeys(made))

    return Data(graph(0, 8), {name: graph(1, 4) for name in GRAPHS})


def query(random: Random, data: Data) -> Query:
    """A query over DATA whose answer, as far as it can, is determined."""
    terms = [t.object for _, graph in data.graphs() for t in graph]
    values: list[Term] = [term for term in terms if not isinstance(term, BlankNode)]
    return _Maker(random, values or [*_NUMBERS]).query(random.randint(1, _DEEPEST))


class _Maker:
    """Makes the parts of one query, whose constants are among VALUES."""

    def __init__(self, random: Random, values: list[Term]) -> None:
        self.random = random
        self.values = values
        self.fresh: Iterator[int] = count()

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def variable(self) -> Variable:
        return self.random.choice(_VARIABLES)

    def new(self) -> Variable:
        return Variable(f"v{next(self.fresh)}")

    def value(self) -> Term:
        return self.random.choice(self.values)

    # Patterns

    def pattern(self, depth: int) -> Pattern:
        if not depth:
            return self.bgp()
        kinds: list[Callable[[int], Pattern]] = [
            self.bgp,
            self.join,
            self.optional,
            self.optional,
            self.union,
            self.minus,
            self.filter,
            self.filter,
            self.bind,
            self.inline,
            self.graph,
            self.subquery,
        ]
        return self.random.choice(kinds)(depth - 1)

    def bgp(self, depth: int = 0) -> Pattern:
        return BGP(tuple([self.triple() for _ in range(self.random.choice((1, 1, 1, 2)))]))

    def triple(self) -> TriplePattern:
        subject = self.variable() if self.chance(0.85) else self.random.choice(_NODES[:3])
        object_ = self.variable() if self.chance(0.75) else self.value()
        if self.chance(0.1):
            return TriplePattern(subject, self.variable(), object_)  # type: ignore[arg-type]
        predicate = self.path(2) if self.chance(0.2) else self.random.choice(_PROPERTIES)
        return TriplePattern(subject, predicate, object_)  # type: ignore[arg-type]

    def path(self, depth: int) -> PathElement:
        match self.random.randrange(8) if depth else 0:
            case 1 | 2:
                return RepeatedPath(self.path(depth - 1), self.random.choice("*+?"))
            case 3:
                return SequencePath(self.path(depth - 1), self.path(depth - 1))
            case 4:
                return AlternativePath(self.path(depth - 1), self.path(depth - 1))
            case 5 | 6:
                return InversePath(self.path(depth - 1))
            case 7:
                return NegatedPropertySet(_PROPERTIES[:1])
        return self.random.choice(_PROPERTIES)

    def join(self, depth: int) -> Pattern:
        return Join(self.pattern(depth), self.pattern(depth))

    def union(self, depth: int) -> Pattern:
        return Union(self.pattern(depth), self.pattern(depth))

    def minus(self, depth: int) -> Pattern:
        return Minus(self.pattern(depth), self.pattern(depth))

    def optional(self, depth: int) -> Pattern:
        condition = self.test(depth) if self.chance(0.3) else None
        return LeftJoin(self.pattern(depth), self.pattern(depth), condition)

    def filter(self, depth: int) -> Pattern:
        return Filter(self.test(depth), self.pattern(depth))

    def bind(self, depth: int) -> Pattern:
        inner = self.pattern(depth)
        return Extend(inner, self.new(), self.expression())

    def inline(self, depth: int) -> Pattern:
        names = tuple(self.random.sample(_VARIABLES, self.random.randint(1, 2)))
        rows = tuple(
            [
                tuple([None if self.chance(0.25) else self.value() for _ in names])
                for _ in range(self.random.randint(1, 3))
            ]
        )
        values = Values(names, rows)
        return Join(values, self.pattern(depth)) if self.chance(0.8) else values

    def graph(self, depth: int) -> Pattern:
        inner = self.pattern(depth)
        if self.chance(0.5):
            return Graph(self.random.choice((*GRAPHS, *GRAPHS, _NOWHERE)), inner)
        # Mostly a name of its own, else one that is bound to other terms besides.
        return Graph(self.new() if self.chance(0.7) else self.variable(), inner)

    def subquery(self, depth: int) -> Pattern:
        inner = SubSelect(self.query(depth))
        return Join(self.pattern(depth), inner) if self.chance(0.6) else inner

    # Queries

    def query(self, depth: int) -> Query:
        """A SELECT of some of the variables, or of aggregates of groups; maybe cut."""
        pattern = self.pattern(depth)
        scope = [Variable(name) for name in in_scope(pattern)] or [_VARIABLES[0]]
        if self.chance(0.25):
            return self.grouped(pattern, scope)
        some = self.random.sample(scope, self.random.randint(1, len(scope)))
        shown = scope if self.chance(0.5) else some
        made = Query(pattern, projection=tuple(map(Projection, shown)), distinct=self.chance(0.25))
        return self.cut(made, shown) if self.chance(0.15) else made

    def cut(self, query: Query, shown: list[Variable]) -> Query:
        """QUERY with a LIMIT or OFFSET, in an order of all that it shows."""
        keys = tuple([OrderKey(variable, self.chance(0.3)) for variable in shown])
        limit = self.random.randint(1, 3)
        offset = self.random.choice((None, None, 1))
        return replace(query, order_by=keys, limit=limit, offset=offset)

    def grouped(self, pattern: Pattern, scope: list[Variable]) -> Query:
        keys = self.random.sample(scope, self.random.randint(0, min(2, len(scope))))
        name = self.random.choice(("COUNT", "COUNT", "SUM", "MIN", "MAX", "AVG"))
        argument = None if name == "COUNT" and self.chance(0.4) else self.random.choice(scope)
        value = Aggregate(name, argument, argument is not None and self.chance(0.3))
        return Query(
            pattern,
            projection=(*map(Projection, keys), Projection(self.new(), value)),
            group_by=tuple(map(GroupKey, keys)) or None,
            having=(Operation(">", (value, _NUMBERS[0])),) if self.chance(0.2) else (),
        )

    # Expressions

    def test(self, depth: int) -> Expression:
        match self.random.randrange(10):
            case 0 | 1 | 2:
                return Exists(self.pattern(min(depth, 1)), self.chance(0.5))
            case 3:
                return Operation(self.random.choice(("&&", "||")), (self.test(0), self.test(0)))
            case 4:
                return Operation("!", (self.test(0),))
            case 5:
                return Operation("BOUND", (self.variable(),))
            case 6:
                return Operation("IN", (self.variable(), self.operand(), self.operand()))
            case 7:
                return Operation(self.random.choice("<>"), (self.variable(), _NUMBERS[1]))
        return Operation(self.random.choice(("=", "!=")), (self.variable(), self.operand()))

    def operand(self) -> Expression:
        return self.variable() if self.chance(0.5) else self.value()  # type: ignore[return-value]

    def expression(self) -> Expression:
        match self.random.randrange(5):
            case 0:
                return Operation("+", (self.variable(), _NUMBERS[0]))
            case 1:
                return Operation("COALESCE", (self.variable(), self.operand()))
            case 2:
                return Operation("IF", (self.test(0), self.operand(), self.operand()))
            case 3:
                return self.test(1)
        return self.operand()
