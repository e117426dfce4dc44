"""A query as plain SPARQL for any library: GRAPH and WINDOW become stored graphs (SEMANTICS 4).

This is ``library.translate`` for a library that has RDF's own idea of a term; the two share no code
but for paths over bags, so that one checks the other. Literals of the query are put aside under
IRIs, because a library's parser may rewrite them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import count

import pyoxigraph as ox

from rsp_conformance.library.names import GRAPH_TERMS, KNOWN_AS, GraphTerm, Names, StoredGraph
from rsp_conformance.library.paths import is_path, unfolded
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
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    Path,
    PathElement,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.query import GroupKey, Projection, Query
from rsp_conformance.model.terms import IRI, XSD_INTEGER, BlankNode, Literal, Term, Triple
from rsp_conformance.model.uncertainty import is_uncertain
from rsp_conformance.model.variables import selected

NOTHING: Pattern = Filter(Operation("=", (IRI("urn:x-rsp:a"), IRI("urn:x-rsp:b"))), BGP())
"""A pattern without solutions."""


@dataclass
class Resolver:
    """Resolves one query; ``aside`` are its literals, by the IRI that stands for each."""

    aside: dict[str, Literal] = field(default_factory=dict)
    _fresh: count[int] = field(default_factory=count)

    def query(self, query: Query, names: Names, active: StoredGraph) -> Query:
        """A SELECT over NAMES, its default graph being ACTIVE."""
        within = _Place(self, names, active)
        columns = query.projection
        if columns is None:
            columns = tuple(Projection(Variable(name)) for name in selected(query))
        return Query(
            within.pattern(query.pattern),
            projection=tuple(
                replace(c, expression=None if c.expression is None else within.value(c.expression))
                for c in columns
            )
            or (Projection(Variable(self.name("nothing")), self.literal(Literal(""))),),
            distinct=query.distinct,
            reduced=query.reduced,
            group_by=None
            if query.group_by is None
            else tuple(GroupKey(within.value(k.expression), k.variable) for k in query.group_by),
            having=(
                *(within.value(condition) for condition in query.having),
                *(() if query.group_by is None else (self._some(),)),
            ),
            order_by=tuple(
                replace(key, expression=within.value(key.expression)) for key in query.order_by
            ),
            limit=query.limit,
            offset=query.offset,
            values=None if query.values is None else self.values(query.values),
        )

    def _some(self) -> Expression:
        """True of every group, and not of the one that rdflib makes of no solutions at all."""
        none = self.literal(Literal("0", XSD_INTEGER))
        return Operation(">", (Aggregate("COUNT", None), none))

    def name(self, kind: str) -> str:
        """A name that nothing else has."""
        return f"rsp_{kind}_{next(self._fresh)}"

    def literal(self, literal: Literal) -> IRI:
        """The IRI that stands for LITERAL."""
        iri = f"urn:x-rsp:literal:{next(self._fresh)}"
        self.aside[iri] = literal
        return IRI(iri)

    def values(self, values: Values) -> Values:
        """Inline data, literals put aside."""

        def cell(term: Term | None) -> Term | None:
            if isinstance(term, Triple):
                raise Unsupported("quoted triples")
            return self.literal(term) if isinstance(term, Literal) else term

        return Values(values.variables, tuple(tuple(map(cell, row)) for row in values.rows))


@dataclass(frozen=True)
class _Place:
    """Where a pattern stands: what names mean there, and the graph that is active."""

    resolver: Resolver
    names: Names
    active: StoredGraph

    def pattern(self, pattern: Pattern) -> Pattern:
        match pattern:
            case BGP(triples):
                return self._bgp(triples)
            case Join(left, right):
                return Join(self.pattern(left), self.pattern(right))
            case Union(left, right):
                return Union(self.pattern(left), self.pattern(right))
            case Minus(left, right):
                return Minus(self.pattern(left), self.pattern(right))
            case LeftJoin(left, right, condition):
                tested = None if condition is None else self.value(condition)
                return LeftJoin(self.pattern(left), self.pattern(right), tested)
            case Filter(condition, inner):
                return Filter(self.value(condition), self.pattern(inner))
            case Extend(inner, variable, expression):
                return Extend(self.pattern(inner), variable, self.value(expression))
            case Values():
                return self.resolver.values(pattern)
            case SubSelect(query):
                return SubSelect(self.resolver.query(query, self.names, self.active))
            case Graph(IRI(value=name), inner):
                graph = self.names.graph(ox.NamedNode(name))
                return NOTHING if graph is None else self._in(graph).pattern(inner)
            case Graph(Variable() as variable, inner):
                return _union(self._ranging(variable, inner))
            case Window(IRI(value=name), inner):
                inside = self.names.window(name)
                return NOTHING if inside is None else self._inside(inside).pattern(inner)
            case Window(Variable() as variable, inner):
                return _union(
                    Join(self._inside(inside).pattern(inner), _is(variable, IRI(name)))
                    for name, inside in self.names.windows
                )
        raise Unsupported(type(pattern).__name__.upper())

    def _in(self, graph: StoredGraph) -> _Place:
        return replace(self, active=graph)

    def _inside(self, names: Names) -> _Place:
        return replace(self, names=names, active=names.default)

    def _ranging(self, variable: Variable, inner: Pattern) -> Iterable[Pattern]:
        for term in self.names.ranged:
            graph = self.names.graph(term)
            assert graph is not None
            yield Join(self._in(graph).pattern(inner), _called(variable, term, graph))

    def _bgp(self, triples: tuple[TriplePattern, ...]) -> Pattern:
        label = self.resolver.name("blank")

        def term(part: PatternTerm) -> PatternTerm:
            match part:
                case BlankNode(label=name):
                    return Variable(f"{label}_{name}")
                case Literal():
                    return self.resolver.literal(part)
                case TriplePattern() | Triple():
                    raise Unsupported("quoted triples")
                case _:
                    return part

        plain = [
            TriplePattern(term(t.subject), _predicate(t.predicate), term(t.object)) for t in triples
        ]
        if not plain:
            return BGP()
        layers = [IRI(name) for name in self.active.names()]
        if len(layers) == 1:
            return Graph(layers[0], BGP(tuple(plain)))

        def counted(triple: TriplePattern) -> Pattern:
            return _union(Graph(layer, BGP((triple,))) for layer in layers)

        def once(triple: TriplePattern) -> Pattern:
            return Graph(layers[0], BGP((triple,)))

        def between() -> Variable:
            return Variable(self.resolver.name("between"))

        return reduce(
            Join,
            (unfolded(t, between, counted, once) if is_path(t) else counted(t) for t in plain),
        )

    def value(self, expression: Expression) -> Expression:
        match expression:
            case Literal():
                return self.resolver.literal(expression)
            case Operation(name, arguments):
                return Operation(name, tuple(map(self.value, arguments)))
            case FunctionCall() if is_uncertain(expression):
                return translate_call(expression, self.value)
            case FunctionCall(function, arguments, distinct):
                return FunctionCall(function, tuple(map(self.value, arguments)), distinct)
            case Aggregate(argument=None):
                return expression
            case Aggregate(argument=argument):
                assert argument is not None
                return replace(expression, argument=self.value(argument))
            case Exists(pattern, negated):
                return Exists(self.pattern(pattern), negated)
            case TriplePattern():
                raise Unsupported("quoted triples")
            case _:
                return expression


def _predicate(predicate: IRI | Variable | Path) -> IRI | Variable | Path:
    return predicate if isinstance(predicate, Variable) else _parted(predicate)


def _parted(path: PathElement) -> PathElement:
    """PATH with ``!(a|^b)`` as ``!a|^(!b)`` (18.2.2.4), for rdflib takes no ``^`` within ``!``."""
    match path:
        case NegatedPropertySet(forward, backward) if backward:
            back = InversePath(NegatedPropertySet(backward))
            return AlternativePath(NegatedPropertySet(forward), back) if forward else back
        case InversePath(inner):
            return InversePath(_parted(inner))
        case SequencePath(left, right):
            return SequencePath(_parted(left), _parted(right))
        case AlternativePath(left, right):
            return AlternativePath(_parted(left), _parted(right))
        case RepeatedPath(inner, modifier):
            return RepeatedPath(_parted(inner), modifier)
        case _:
            return path


def _is(variable: Variable, name: IRI) -> Pattern:
    return Values((variable,), ((name,),))


def _called(variable: Variable, term: GraphTerm, graph: StoredGraph) -> Pattern:
    """VARIABLE is TERM. A blank node cannot be written, so the data are asked for it."""
    if isinstance(term, ox.NamedNode):
        return _is(variable, IRI(term.value))
    known_as = TriplePattern(IRI(graph.names()[0]), IRI(KNOWN_AS), variable)
    return Graph(IRI(GRAPH_TERMS), BGP((known_as,)))


def _union(branches: Iterable[Pattern]) -> Pattern:
    patterns = list(branches)
    return reduce(Union, patterns) if patterns else NOTHING
