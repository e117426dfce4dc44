"""Random data and patterns, small and from few names so that joins happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, product
from typing import Any

from hypothesis import strategies as st

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
    Window,
)
from rsp_conformance.model.expressions import Aggregate, Exists, Expression, Operation, Variable
from rsp_conformance.model.query import GroupKey, Projection, Query
from rsp_conformance.model.terms import XSD_DECIMAL, BlankNode, Literal, Term, Triple
from rsp_conformance.model.variables import in_scope
from tests.builders.terms import integer, iri

SUBJECTS = (iri("a"), iri("b"), BlankNode("n"))
PREDICATES = (iri("p"), iri("q"))
OBJECTS: tuple[Term, ...] = (
    iri("a"),
    iri("b"),
    BlankNode("n"),
    integer(1),
    integer(2),
    Literal("1.5", XSD_DECIMAL),
    Literal("x"),
    Literal("x", language="en"),
)
GRAPHS = (iri("g1"), iri("g2"))
WINDOWS = (iri("w1"), iri("w2"))
VARIABLES = tuple(Variable(name) for name in "abc")

TRIPLES = tuple(Triple(*parts) for parts in product(SUBJECTS, PREDICATES, OBJECTS))

triples = st.sampled_from(TRIPLES)
graphs = st.lists(triples, min_size=4, max_size=12, unique=True) | st.just([])
bags = st.dictionaries(triples, st.integers(1, 3), max_size=4)
flags = st.booleans()
fuller_graphs = st.lists(
    st.sampled_from([t for t in TRIPLES if t.object in OBJECTS[:4]]), min_size=5, unique=True
)


def _variable_or(
    values: tuple[Term, ...], weight: int, variables: tuple[Variable, ...] = VARIABLES
) -> st.SearchStrategy[object]:
    """One of VALUES, WEIGHT times less often than one of VARIABLES."""
    choices = [st.sampled_from(variables)] * weight
    return st.one_of(*choices, st.sampled_from([v for v in values if not isinstance(v, BlankNode)]))


triple_patterns = st.builds(
    TriplePattern,
    st.one_of(_variable_or(SUBJECTS, 8, VARIABLES[:2]), st.just(BlankNode("h"))),
    st.one_of(*[st.sampled_from(PREDICATES)] * 5, st.sampled_from(VARIABLES)),
    _variable_or(OBJECTS, 8, VARIABLES[1:]),
)
bgps = st.builds(lambda ts: BGP(tuple(ts)), st.lists(triple_patterns, min_size=1, max_size=2))


def _relabelled(pattern: BGP, label: str) -> BGP:
    """PATTERN with its blank node called LABEL; SPARQL allows a label in one BGP only."""
    return BGP(
        tuple(
            TriplePattern(BlankNode(label), t.predicate, t.object)
            if isinstance(t.subject, BlankNode)
            else t
            for t in pattern.triples
        )
    )


def _operation(name: str, *arguments: Expression) -> Operation:
    return Operation(name, arguments)


operands = st.one_of(
    *[st.sampled_from(VARIABLES)] * 3,
    st.sampled_from([o for o in OBJECTS if not isinstance(o, BlankNode)]),
)
tests: st.SearchStrategy[Expression] = st.recursive(
    st.one_of(
        st.builds(_operation, st.sampled_from(["=", "!="]), operands, operands),
        # pyoxigraph takes x <= x for true also where < compares no such terms (17.3 has no
        # operator for them); a number on one side leaves that out.
        st.builds(_operation, st.sampled_from(["<", ">="]), operands, st.just(integer(2))),
        st.builds(lambda v: _operation("BOUND", v), st.sampled_from(VARIABLES)),
        st.builds(lambda v: _operation("ISIRI", v), st.sampled_from(VARIABLES)),
        st.builds(lambda a, b, c: _operation("IN", a, b, c), operands, operands, operands),
    ),
    lambda inner: st.one_of(
        st.builds(_operation, st.sampled_from(["&&", "||"]), inner, inner),
        st.builds(lambda e: _operation("!", e), inner),
    ),
    max_leaves=3,
)


@st.composite
def _tested_patterns(draw: Callable[..., object], variable: Variable, windows: bool) -> Pattern:
    """One triple pattern, mostly with solutions, maybe in GRAPH or WINDOW of VARIABLE."""
    some = draw(st.sampled_from(PREDICATES))
    bgp = BGP((TriplePattern(VARIABLES[0], some, VARIABLES[1]),))  # type: ignore[arg-type]
    places: list[Callable[[Pattern], Pattern]] = [lambda p: p, lambda p: Graph(variable, p)]
    if windows:
        places += [lambda p: Window(variable, p), lambda p: Window(WINDOWS[0], p)]
    place: Callable[[Pattern], Pattern] = draw(st.sampled_from(places))  # type: ignore[assignment]
    return place(bgp)


@dataclass
class _Drawn:
    """A pattern that is being drawn; the options are those of ``patterns``."""

    draw: Callable[..., Any]
    windows: bool
    nested: bool
    rich: bool
    unknown: bool
    fresh: Iterator[int] = field(default_factory=count)
    names: list[Variable] = field(default_factory=list)

    def name(self, prefix: str) -> Variable:
        """A variable for GRAPH or WINDOW, often one that another of them has."""
        if not self.names or self.draw(st.booleans()):
            self.names.append(Variable(f"{prefix}{next(self.fresh)}"))
        return self.draw(st.sampled_from(self.names))

    def condition(self, level: int, inside: bool) -> Expression:
        plain: Expression = self.draw(tests)
        if not self.rich or not level or not self.draw(st.integers(0, 2)):
            return plain
        exists = Exists(self.build(level - 1, inside), bool(self.draw(st.booleans())))
        shapes = [exists, exists, _operation("&&", plain, exists), _operation("||", plain, exists)]
        return self.draw(st.sampled_from(shapes))

    def kinds(self, level: int, inside: bool) -> list[str]:
        """What a pattern may be that has LEVEL more within it."""
        kinds = ["bgp"]
        if level:
            kinds += ["bgp", "join", "join", "optional", "union", "filter", "bind", "values"]
            if self.rich:
                kinds += ["filter", "filter", "minus", "minus", "subquery", "subquery"]
            if self.nested or not inside:
                kinds += ["graph", "graph?"] + (["window", "window?"] * 2 if self.windows else [])
        return kinds

    def build(self, level: int, inside: bool, kind: str | None = None) -> Pattern:
        """A pattern; INSIDE says that it stands within GRAPH or WINDOW."""
        kind = kind or self.draw(st.sampled_from(self.kinds(level, inside)))
        if kind in ("graph", "graph?", "window", "window?"):
            return self.placed(kind, level)
        if kind == "bgp":
            return _relabelled(self.draw(bgps), f"h{next(self.fresh)}")
        if kind == "filter":
            return Filter(self.condition(level, inside), self.build(level - 1, inside))
        first = self.build(level - 1, inside)
        match kind:
            case "subquery":
                inner = self.draw(subqueries(first, Variable(f"n{next(self.fresh)}")))
                return Join(self.build(level - 1, inside), SubSelect(inner))
            case "optional":
                right = self.build(level - 1, inside)
                condition = self.condition(level, inside) if self.draw(flags) else None
                return LeftJoin(first, right, condition)
            case "bind":
                return Extend(first, Variable(f"v{next(self.fresh)}"), self.draw(_VALUES))
            case "values":
                data = self.draw(st.lists(st.tuples(_CELLS, _CELLS), min_size=1, max_size=2))
                return Join(first, Values(VARIABLES[:2], tuple(data)))
        operator: Callable[..., Pattern] = {"minus": Minus, "join": Join, "union": Union}[kind]
        return operator(first, self.build(level - 1, inside))

    def placed(self, kind: str, level: int) -> Pattern:
        """A pattern in a graph or a window, by its name or by a variable."""
        match kind:
            case "graph":
                others = [iri("g9") if self.unknown else GRAPHS[0]]
                known = self.draw(st.sampled_from([*GRAPHS * 3, *others]))
                return Graph(known, self.build(level - 1, True))
            case "graph?":
                return Graph(self.name("g"), self.build(level - 1, True))
            case "window":
                known = self.draw(st.sampled_from([*WINDOWS * 3, iri("w9")]))
                return Window(known, self.build(level - 1, True))
            case _:
                return Window(self.name("w"), self.build(level - 1, True))


_VALUES = st.one_of(operands, st.builds(_operation, st.sampled_from("+-"), operands, operands))
_CELLS = st.one_of(st.none(), st.sampled_from([o for o in OBJECTS if not isinstance(o, BlankNode)]))


@st.composite
def patterns(
    draw: Callable[..., Any],
    depth: int = 2,
    *,
    windows: bool = False,
    nested: bool = False,
    rich: bool = False,
    unknown: bool = True,
    tested: bool = False,
) -> Pattern:
    """A pattern; with WINDOWS it may use WINDOW. BIND and subqueries introduce fresh variables.

    NESTED allows GRAPH and WINDOW within each other, RICH adds MINUS, EXISTS and subqueries,
    UNKNOWN names that no graph has. TESTED is one triple pattern, whose solutions EXISTS tests.
    """
    drawn = _Drawn(draw, windows, nested, rich, unknown)
    if not tested:
        return drawn.build(depth, False)
    kinds = ["minus", "minus", "subquery", "subquery", "graph?", "filter", "optional", "values"]
    left = draw(_tested_patterns(drawn.name("g"), windows))
    inner = drawn.build(depth, False, draw(st.sampled_from(kinds + ["window?"] * windows)))
    filtered = Filter(Exists(inner, bool(draw(flags))), left)
    return Graph(GRAPHS[0], filtered) if draw(flags) and draw(flags) else filtered


@st.composite
def subqueries(draw: Callable[..., object], pattern: Pattern, number: Variable) -> Query:
    """A subquery over PATTERN: projected, DISTINCT, with VALUES, or counted as NUMBER by group."""
    scope = [Variable(v) for v in in_scope(pattern)]
    if not scope:
        return Query(pattern)
    chosen: list[Variable] = draw(  # type: ignore[assignment]
        st.lists(st.sampled_from(scope), min_size=1, max_size=3, unique=True)
    )
    values = None
    if draw(flags) and draw(flags):
        cells = st.none() | st.sampled_from([o for o in OBJECTS if not isinstance(o, BlankNode)])
        rows = draw(st.lists(st.tuples(cells), min_size=1, max_size=3))
        values = Values(VARIABLES[:1], tuple(rows))  # type: ignore[arg-type]
    if draw(flags):
        projection = None if draw(flags) else tuple(map(Projection, chosen))
        return Query(pattern, projection=projection, distinct=bool(draw(flags)), values=values)
    argument: Variable | None = draw(st.none() | st.sampled_from(scope))  # type: ignore[assignment]
    # pyoxigraph's COUNT(DISTINCT *) tells solutions apart by blank nodes of the pattern.
    count = Aggregate("COUNT", argument, argument is not None and bool(draw(flags)))
    keys = chosen[: draw(st.integers(0, 2))]  # type: ignore[misc]
    return Query(
        pattern,
        projection=(*map(Projection, keys), Projection(number, count)),
        group_by=tuple(map(GroupKey, keys)) or None,
        having=(_operation(">", count, integer(1)),) if draw(flags) else (),
        values=values if keys else None,
    )
