"""Random instances of laws: any small patterns for operands, over datasets of sets or of bags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.laws import BAGS, SETS, Binding, Law
from rsp_conformance.laws.binding import MetavariableValue
from rsp_conformance.laws.conditions import mentioned
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Expression, FunctionCall, Operation, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, XSD_DECIMAL, Literal, Term, Triple
from rsp_conformance.model.uncertainty import DISTRIBUTION, RSPU
from rsp_conformance.model.variables import in_scope
from rsp_conformance.sparql import dataset as data
from rsp_conformance.sparql.relation import Relation
from tests.builders.sparql import bag
from tests.builders.terms import integer, iri

Solutions = Counter[frozenset[tuple[str, Term]]]
Evaluate = Callable[[Query, data.Dataset], Relation]

NEW = Variable("new")
VARIABLES = tuple(Variable(name) for name in "abc")
GRAPHS = (iri("g1"), iri("g2"))
WINDOWS = (iri("w1"), iri("w2"))
SUBJECTS, PREDICATES = (iri("a"), iri("b")), (iri("p"), iri("q"))
OBJECTS = (iri("a"), iri("b"), integer(1), integer(2))
TRIPLES = tuple(Triple(*parts) for parts in product(SUBJECTS, PREDICATES, OBJECTS))

terms = st.sampled_from((*VARIABLES, *VARIABLES, *OBJECTS, Literal("x")))
cells = st.sampled_from((None, *OBJECTS))
triple_patterns = st.builds(
    TriplePattern,
    st.sampled_from((*VARIABLES[:2] * 3, iri("a"))),
    st.sampled_from((*PREDICATES * 3, Variable("b"))),
    st.sampled_from((*VARIABLES[1:] * 3, iri("b"))),
)
variables = st.sampled_from(VARIABLES)


def _test(kind: int, variable: Variable, term: Expression) -> Expression:
    """A condition on VARIABLE; some are errors for some terms, and true all the same."""
    differs = Operation("!=", (variable, term))
    match kind:
        case 0 | 1:
            return differs
        case 2:
            return Operation(">=", (variable, integer(1)))
        case 3:
            return Operation("||", (Operation("<", (variable, integer(2))), differs))
        case 4:
            return Operation("!", (Operation("BOUND", (variable,)),))
        case 5:
            return Operation("=", (variable, term))
        case _:
            return Operation("BOUND", (variable,))


tests = st.builds(_test, st.integers(0, 7), variables, terms)
values = st.one_of(
    variables, variables, terms, tests, st.builds(lambda a, b: Operation("+", (a, b)), terms, terms)
)


@st.composite
def operands(draw: st.DrawFn, inside: bool, depth: int = 1) -> Pattern:
    """A small pattern over ?a, ?b and ?c; INSIDE a window or graph there is no other."""
    kinds = ["bgp"] * 3
    if depth:
        kinds += ["join", "optional", "union", "filter", "bind", "values"]
        kinds += [] if inside else ["window", "window", "graph"]

    def part() -> Pattern:
        return draw(operands(inside, depth - 1))

    match draw(st.sampled_from(kinds)):
        case "join":
            return Join(part(), part())
        case "optional":
            return LeftJoin(part(), part(), draw(st.one_of(st.none(), tests)))
        case "union":
            return Union(part(), part())
        case "filter":
            return Filter(draw(tests), part())
        case "bind":
            return Extend(part(), Variable("d"), draw(values))
        case "values":
            rows = draw(st.lists(st.tuples(cells, cells), min_size=1, max_size=2))
            return Join(part(), Values(VARIABLES[:2], tuple(rows)))
        case "window":
            return Window(draw(st.sampled_from((*WINDOWS, Variable("w")))), part())
        case "graph":
            return Graph(draw(st.sampled_from((*GRAPHS, Variable("g")))), part())
        case _:
            return BGP((draw(triple_patterns),))


def renamed(expression: Expression, to: dict[str, Variable]) -> Expression:
    """EXPRESSION about other variables."""
    match expression:
        case Variable(name):
            return to[name]
        case Operation(name, arguments):
            return Operation(name, tuple(renamed(a, to) for a in arguments))
        case _:
            return expression


@st.composite
def bindings(draw: st.DrawFn, law: Law, semantics: str) -> Binding:
    """What satisfies LAW's condition under SEMANTICS, out of arbitrary small patterns."""
    bound: dict[str, MetavariableValue] = {}
    outside = Window not in law.operators and Graph not in law.operators
    for name in law.metavariables:
        if law.name == "H2" and name in ("n", "m"):
            bound[name] = Variable("m") if name == "m" else draw(st.sampled_from(GRAPHS))
        elif name in ("n", "m"):
            constants = GRAPHS if Graph in law.operators else WINDOWS
            bound[name] = draw(st.sampled_from((*constants, Variable(name))))
        elif name.startswith("P"):
            bound[name] = draw(operands(not outside))
        elif name.startswith("t"):
            bound[name] = draw(triple_patterns)
    bound |= {"v": NEW, "k": draw(st.sampled_from(OBJECTS))}
    for name in law.metavariables:
        if name.startswith("R") or name == "C":
            expression = draw(tests if name.startswith("R") else values)
            bound[name] = _fitted(draw, law, {**bound, name: expression}, name)
    binding = Binding(**{name: bound[name] for name in law.metavariables})
    assume(law.holds_for(binding, semantics))
    return binding


def _fitted(
    draw: st.DrawFn, law: Law, bound: dict[str, MetavariableValue], name: str
) -> Expression:
    """The expression NAME, about variables that LAW's condition lets it mention."""
    expression = Binding(**bound).expression(name)
    patterns = [value for name, value in bound.items() if name.startswith("P")]
    visible = [v for pattern in patterns for v in in_scope(pattern)]  # type: ignore[arg-type]
    candidates = [Variable(v) for v in dict.fromkeys((*visible, "c", "n"))]

    unset = [f"vars({m})" for m in law.metavariables if m not in bound]
    conditions = [c for c in law.printed + law.missing if not any(m in c.text for m in unset)]

    def allowed(variable: Variable) -> bool:
        probe = Binding(**{**bound, name: _uncertain(variable)})
        return all(condition.holds(probe) for condition in conditions)

    fitting = [v for v in candidates if allowed(v)]
    assume(fitting or not mentioned(expression))
    if law.name == "H4":
        assume(fitting)
        return _uncertain(draw(st.sampled_from(fitting)))
    return renamed(expression, {v: draw(st.sampled_from(fitting)) for v in mentioned(expression)})


def _uncertain(variable: Variable) -> Expression:
    distribution = Literal("N(1.7,1)", DISTRIBUTION)
    greater = FunctionCall(IRI(RSPU + "greaterThan"), (distribution, variable))
    return Operation(">", (greater, Literal("0.5", XSD_DECIMAL)))


@st.composite
def datasets(draw: st.DrawFn, semantics: str) -> data.Dataset:
    """Background data and two windows; counters above 1 where SEMANTICS are bags."""
    random = Random(draw(st.integers(0, 2**32)))

    def graph() -> data.GraphBag:
        held = random.sample(TRIPLES, random.choice((0, 6, 8, 10, 12)))
        return data.GraphBag(held + (held[:3] if semantics == BAGS else []))

    return data.Dataset(
        graph(),
        {name: graph() for name in GRAPHS},
        {name: data.WindowDataset(graph(), {GRAPHS[0]: graph()}) for name in WINDOWS},
        bags=semantics == BAGS,
    )


def solved(
    evaluate: Evaluate, pattern: Pattern, dataset: data.Dataset, semantics: str
) -> Solutions:
    """The solutions of PATTERN, each once where SEMANTICS are sets."""
    found = bag(evaluate(Query(pattern), dataset))
    return Counter(dict.fromkeys(found, 1)) if semantics == SETS else found
