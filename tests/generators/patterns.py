"""Random data and patterns, small and from few names so that joins happen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

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
fuller_bags = st.dictionaries(
    st.sampled_from([t for t in TRIPLES if t.object in OBJECTS[:4]]),
    st.integers(1, 2),
    min_size=6,
    max_size=10,
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


@st.composite
def patterns(
    draw: Callable[..., object],
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
    fresh = iter(range(100))
    names: list[Variable] = []

    def name(prefix: str) -> Variable:
        """A variable for GRAPH or WINDOW, often one that another of them has."""
        if not names or draw(st.booleans()):
            names.append(Variable(f"{prefix}{next(fresh)}"))
        return draw(st.sampled_from(names))  # type: ignore[return-value]

    def condition(level: int, inside: bool) -> Expression:
        plain: Expression = draw(tests)  # type: ignore[assignment]
        if not rich or not level or not draw(st.integers(0, 2)):
            return plain
        exists = Exists(build(level - 1, inside), bool(draw(st.booleans())))
        shapes = [exists, exists, _operation("&&", plain, exists), _operation("||", plain, exists)]
        return draw(st.sampled_from(shapes))  # type: ignore[return-value]

    def build(level: int, inside: bool, kind: str | None = None) -> Pattern:
        kinds = ["bgp"]
        if level:
            kinds += ["bgp", "join", "join", "optional", "union", "filter", "bind", "values"]
            if rich:
                kinds += ["filter", "filter", "minus", "minus", "subquery", "subquery"]
            if nested or not inside:
                kinds += ["graph", "graph?"] + (["window", "window?"] * 2 if windows else [])
        match kind or draw(st.sampled_from(kinds)):
            case "minus":
                return Minus(build(level - 1, inside), build(level - 1, inside))
            case "subquery":
                inner = draw(subqueries(build(level - 1, inside), Variable(f"n{next(fresh)}")))
                return Join(build(level - 1, inside), SubSelect(inner))  # type: ignore[arg-type]
            case "join":
                return Join(build(level - 1, inside), build(level - 1, inside))
            case "optional":
                left, right = build(level - 1, inside), build(level - 1, inside)
                return LeftJoin(left, right, condition(level, inside) if draw(flags) else None)
            case "union":
                return Union(build(level - 1, inside), build(level - 1, inside))
            case "filter":
                return Filter(condition(level, inside), build(level - 1, inside))
            case "bind":
                variable = Variable(f"v{next(fresh)}")
                expression = draw(
                    st.one_of(
                        operands, st.builds(_operation, st.sampled_from("+-"), operands, operands)
                    )
                )
                return Extend(build(level - 1, inside), variable, expression)  # type: ignore[arg-type]
            case "values":
                cells = st.one_of(
                    st.none(), st.sampled_from([o for o in OBJECTS if not isinstance(o, BlankNode)])
                )
                data = draw(st.lists(st.tuples(cells, cells), min_size=1, max_size=2))
                return Join(build(level - 1, inside), Values(VARIABLES[:2], tuple(data)))  # type: ignore[arg-type]
            case "graph":
                known = draw(st.sampled_from([*GRAPHS * 3, iri("g9") if unknown else GRAPHS[0]]))
                return Graph(known, build(level - 1, True))  # type: ignore[arg-type]
            case "graph?":
                return Graph(name("g"), build(level - 1, True))
            case "window":
                return Window(
                    draw(st.sampled_from([*WINDOWS * 3, iri("w9")])), build(level - 1, True)
                )  # type: ignore[arg-type]
            case "window?":
                return Window(name("w"), build(level - 1, True))
            case _:
                return _relabelled(draw(bgps), f"h{next(fresh)}")  # type: ignore[arg-type]

    if not tested:
        return build(depth, False)
    kinds = ["minus", "minus", "subquery", "subquery", "graph?", "filter", "optional", "values"]
    left = draw(_tested_patterns(name("g"), windows))
    inner = build(depth, False, draw(st.sampled_from(kinds + ["window?"] * windows)))  # type: ignore[arg-type]
    filtered = Filter(Exists(inner, bool(draw(flags))), left)  # type: ignore[arg-type]
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
