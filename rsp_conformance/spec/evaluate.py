"""eval(D(G), pattern): the solutions of patterns and queries (SPARQL 1.1, 18.6; SEMANTICS 4).

``evaluate`` has one case for each operator of the algebra, written as the recommendation defines
the operator. RSP-QL adds WINDOW (Definition 16) and bags of triples. Nothing is compiled, and no
state is kept from one evaluation to the next.

Evaluation is bottom-up: a pattern inside GRAPH, WINDOW, OPTIONAL or a group sees no binding from
outside. Only EXISTS looks outside, by substitution: every leaf of its pattern starts with the
solution that is tested (docs/semantics.md explains why, and lists the points that SPARQL leaves
open).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    Service,
    SubSelect,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Exists, Expression, Variable
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import IRI, Term
from rsp_conformance.model.variables import (
    group_variables,
    in_scope,
    is_grouped,
    selected,
)
from rsp_conformance.model.walk import mentioned
from rsp_conformance.sparql import dataset as data
from rsp_conformance.sparql import open_points
from rsp_conformance.sparql.coverage import refuse
from rsp_conformance.sparql.readings import PLAIN, Readings, aside, leave_open, reading, under
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.sparql.substitution import substitutions
from rsp_conformance.spec.bgp import loosened, matches
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.grouping import grouped
from rsp_conformance.spec.listener import Listener
from rsp_conformance.spec.listening import ListenedExpressions
from rsp_conformance.spec.modifiers import modified
from rsp_conformance.spec.solutions import (
    EMPTY_SOLUTION,
    Multiset,
    Solution,
    filtered,
    join,
    left_join,
    minus,
    one,
    projected,
)


def solutions(query: Query, dataset: data.Dataset) -> Relation:
    """Evaluate a query over a dataset, before the streaming operator and the query form.

    The dataset is taken as it is: the caller resolves FROM and FROM NAMED, window contents and
    time-varying data.

    Raises:
        Unsupported: The query uses a feature that is not evaluated; the message names it.
    """
    refuse(query)
    return solutions_of_covered(query, dataset)


def solutions_of_covered(
    query: Query,
    dataset: data.Dataset,
    readings: Readings = PLAIN,
    listener: Listener | None = None,
) -> Relation:
    """Evaluate a query like `solutions`, without checking that its features are supported.

    Args:
        query: A query that `refuse` accepts.
        dataset: The data, taken as they are.
        readings: The readings to take of points that SPARQL leaves open.
        listener: Hears each operator, aggregate and ORDER BY with the values it is applied to.
    """
    at = Scope(dataset, dataset.default, query.base, listener=listener)
    with under(readings) as ledger:
        found = answer(query, at).noted(ledger)
    if listener is not None:
        listener.evaluated(found)
    return found


@dataclass(frozen=True, slots=True)
class Scope:
    """D(G): the dataset D with the active graph G, over which a pattern is evaluated.

    Attributes:
        dataset: D.
        active: G.
        base: The IRI that relative IRIs are resolved by.
        given: Inside EXISTS, the solution that is tested; else empty.
        counts: Whether it matters how often a solution comes.
        listener: Hears what is evaluated.
        aside: Whether another reading of an EXISTS is being tried.
        loose: Whether a given blank node is taken for a blank node of the pattern.
    """

    dataset: data.Dataset
    active: data.GraphBag
    base: str | None
    given: Solution = EMPTY_SOLUTION
    counts: bool = True
    listener: Listener | None = None
    aside: bool = False
    loose: bool = False

    @property
    def expressions(self) -> Expressions:
        """The evaluator of expressions in this scope."""
        kind = Expressions if self.listener is None else ListenedExpressions
        tested = partial(exists, at=self)
        return kind(self.base, tested, self.listener)

    def graph_names(self) -> Collection[Term]:
        """The names that ``GRAPH ?g`` ranges over: named graphs and, by the dial, named windows."""
        windows = self.dataset.windows if self.dataset.graph_variable == "windows" else {}
        return dict.fromkeys((*self.dataset.named, *windows))

    def has(self, name: Term) -> bool:
        """Whether ``GRAPH ?g`` ranges over `name`; a store may forget a graph without triples."""
        graph = self.dataset.named.get(name)  # type: ignore[arg-type]
        if graph is None or graph.counts or name in self.dataset.windows:
            return True
        return reading(open_points.EMPTY_GRAPHS, "there", "not there") == "there"

    def in_graph(self, name: Term) -> Scope | None:
        """D(D[name]), or None if there is no such graph.

        A window and a background graph of the same name are one graph (decision 12).
        """
        # A literal, which EXISTS may give, names no graph.
        background = self.dataset.named.get(name)  # type: ignore[arg-type]
        window = self.dataset.windows.get(name)  # type: ignore[arg-type]
        graph = background if window is None else window.default
        if background is not None and window is not None:
            graph = background.merged(window.default, add=self.dataset.bags)
        return None if graph is None else replace(self, active=graph)

    def in_window(self, name: Term) -> Scope | None:
        """D(w) for the window `name`, or None; no other window and no background is seen in it."""
        window = self.dataset.windows.get(name)  # type: ignore[arg-type]
        if window is None:
            return None
        group = self.dataset.empty_group
        inside = data.Dataset(window.default, window.named, empty_group=group)
        return replace(self, dataset=inside, active=window.default)


def evaluate(pattern: Pattern, at: Scope) -> Multiset:
    """eval(D(G), pattern), with the dataset and the active graph of `at` for D(G).

    If the left side of a join, an OPTIONAL or a MINUS has no solutions, the result is empty and the
    right side is not evaluated.

    Raises:
        Unsupported: the pattern contains SERVICE, or an expression that is not evaluated.
    """
    match pattern:
        case BGP(triples):
            # SPARQL leaves open how often some paths count; EXISTS does not depend on it.
            meant = loosened(triples, at.given) if at.loose else triples
            return matches(meant, at.active, at.given, leave_open if at.counts else _ignore)
        case Join(left, right):
            found = evaluate(left, at)
            return join(found, evaluate(right, at)) if found else found
        case LeftJoin(left, right, condition):
            found = evaluate(left, at)
            return left_join(found, evaluate(right, at), _true(condition, at)) if found else found
        case Union(left, right):
            return evaluate(left, at) + evaluate(right, at)
        case Minus(left, right):
            found = evaluate(left, at)
            return _minus(found, evaluate(right, at), at) if found else found
        case Filter(condition, inner):
            return filtered(_true(condition, at), evaluate(inner, at))
        case Extend(inner, variable, expression):
            return extend(evaluate(inner, at), variable, expression, at)
        case Graph(name, inner):
            given = at.given.get(name.name) if isinstance(name, Variable) else None
            if given in at.dataset.windows and given not in at.graph_names():
                leave_open(open_points.GRAPH_OF_WINDOW)
            return _ranging(name, inner, at, at.graph_names(), at.in_graph)
        case Window(name, inner):
            return _ranging(name, inner, at, at.dataset.windows, at.in_window)
        case Values(variables, rows):
            names = [variable.name for variable in variables]
            return join(_multiset(names, rows), one(at.given))
        case SubSelect(query):
            return subselect(query, at)
        case Service():
            raise Unsupported("SERVICE")
    assert_never(pattern)


def _true(condition: Expression | None, at: Scope) -> Callable[[Solution], bool]:
    """The test whether `condition` is true; an OPTIONAL without a condition is (18.2.2.6)."""
    return (lambda mu: True) if condition is None else partial(at.expressions.holds, condition)


def _minus(left: Multiset, right: Multiset, at: Scope) -> Multiset:
    """Minus(Ω1, Ω2); inside EXISTS both sides bind the given variables, and so share them.

    By the letter of 18.6 a given variable is replaced by its term, and is not shared (decision 40).
    If that makes a difference, it is noted.
    """
    kept = minus(left, right)
    if at.given:
        free = [projected(side, at.given.__contains__) for side in (left, right)]
        if kept.total() < minus(*free).total():
            leave_open(open_points.MINUS_OF_GIVEN)
    return kept


def extend(found: Multiset, variable: Variable, expression: Expression, at: Scope) -> Multiset:
    """Extend(Ω, var, expr): bind the variable in every solution; an error leaves it unbound (18.5).

    Only inside EXISTS can the variable have a term already (18.2.1). Then the solutions in which
    both terms are equal stay, and the others are noted and dropped (decision 40).

    Args:
        found: the solutions Ω.
        variable: the variable that is bound.
        expression: computes its value.
        at: the dataset and the active graph, which EXISTS in the expression reads.
    """
    expressions = at.expressions
    out: Multiset = Counter()
    for mu, count in found.items():
        term = expressions.value(expression, mu)
        if term is not None and mu.get(variable.name, term) != term:
            leave_open(open_points.ASSIGNED_GIVEN)
        else:
            out[mu.binding(variable.name, term)] += count
    return out


def _ranging(
    name: IRI | Variable,
    inner: Pattern,
    at: Scope,
    names: Iterable[Term],
    within: Callable[[Term], Scope | None],
) -> Multiset:
    """GRAPH and WINDOW: `inner` within the graph or window `name`; empty if unknown (18.6).

    For a variable the result is the union over `names` of the joins with { variable ↦ name }, so
    `inner` does not see the variable. If EXISTS gives the variable a term, that term is the name.
    """
    term = at.given.get(name.name) if isinstance(name, Variable) else name
    if isinstance(name, Variable) and term is None:
        out: Multiset = Counter()
        for each in names:
            found = _inside(inner, within(each))
            if not found or at.has(each):
                out += join(found, one(Solution({name.name: each})))
        return out
    assert term is not None
    return _inside(inner, within(term))


def _inside(pattern: Pattern, at: Scope | None) -> Multiset:
    return Counter() if at is None else evaluate(pattern, at)


def _multiset(names: Iterable[str], rows: Iterable[tuple[Term | None, ...]]) -> Multiset:
    """Rows as solutions of the variables `names`; None (UNDEF) leaves one unbound (10.2)."""
    return Counter(
        Solution({name: t for name, t in zip(names, row, strict=True) if t is not None})
        for row in rows
    )


def exists(test: Exists, mu: Solution, at: Scope) -> bool:
    """Whether the pattern of EXISTS has solutions after substitution of the solution `mu` (18.6).

    If another reading of the substitution decides otherwise, this is noted.

    Args:
        test: the EXISTS or NOT EXISTS; its negation is not applied here.
        mu: the solution whose terms are substituted.
        at: the dataset and the active graph.
    """
    given = mu.without(lambda key: not isinstance(key, str))
    inside = replace(at, given=given, counts=False)
    known = substitutions(_sufficient(test.pattern))
    found = _has_solutions(known.patterns[0], inside)
    if at.aside:
        return found
    with aside():
        quiet = replace(inside, listener=None, aside=True)
        others = (
            _has_solutions(known.patterns[number], replace(quiet, loose=loose))
            for number, loose in known.others(given)  # type: ignore[arg-type]
        )
        differs = any(other is not found for other in others)
    if differs:
        leave_open(open_points.SUBSTITUTED)
    return found


def _sufficient(pattern: Pattern) -> Pattern:
    """The pattern without a choice among rows (LIMIT, REDUCED), which never removes all rows."""
    if not isinstance(pattern, SubSelect) or pattern.query.offset or pattern.query.limit == 0:
        return pattern
    return SubSelect(replace(pattern.query, limit=None, reduced=False))


def _has_solutions(pattern: Pattern, at: Scope) -> bool:
    if isinstance(pattern, SubSelect):
        return bool(subselect(pattern.query, at, whole=True))
    return bool(evaluate(pattern, at))


def subselect(query: Query, at: Scope, *, whole: bool = False) -> Multiset:
    """ToMultiset of the solutions of a subquery, with the variables it projects (18.2.4.4, 18.6).

    Inside EXISTS a given term also replaces a variable that the subquery does not project ("every
    occurrence"). Engines may take it for a separate variable (decision 40); if that makes a
    difference, it is noted.

    Args:
        query: The subquery.
        at: The scope that the subquery is in.
        whole: Whether the subquery is the whole pattern of EXISTS, so that only the existence of
            solutions matters.
    """
    inside = replace(at, base=query.base or at.base, counts=True)
    found = answer(query, inside)
    hidden = at.given.keys() & set(mentioned(query)).difference(selected(query))
    if hidden:
        shown = at.given.without(hidden.__contains__)
        other = answer(query, replace(inside, given=shown))
        same = bool(found.rows) is bool(other.rows)
        if not same or not (whole or Counter(found.rows) == Counter(other.rows)):
            leave_open(open_points.HIDDEN_GIVEN)
    extended = join(_multiset(found.variables, found.rows), one(at.given))
    if extended.total() < len(found.rows):
        leave_open(open_points.ASSIGNED_GIVEN)
    return extended


def answer(query: Query, at: Scope) -> Relation:
    """The solutions of a query after its modifiers, clause by clause (18.2.4 and 18.2.5)."""
    expressions = at.expressions
    found = evaluate(query.pattern, at)
    if is_grouped(query):
        nothing = query.group_by is None and not found and at.dataset.empty_group == "none"
        found = found if nothing else grouped(query, found, at.given, expressions)
    for point in open_points.open_by_itself(query):
        leave_open(point)
    for condition in query.having:  # 18.2.4.2
        found = filtered(_true(condition, at), found)
    if query.values is not None:  # 18.2.4.3
        found = join(found, evaluate(query.values, at))
    for projection in query.projection or ():  # 18.2.4.4
        if projection.expression is not None:
            found = extend(found, projection.variable, projection.expression, at)
    return modified(query, result_variables(query), found, expressions)


def result_variables(query: Query) -> tuple[str, ...]:
    """The variables of the result: the projected ones of a SELECT, else all that are in scope."""
    if query.form is Form.SELECT and query.projection is not None:
        return selected(query)
    names = group_variables(query) if is_grouped(query) else in_scope(query.pattern)
    values = () if query.values is None else in_scope(query.values)
    return tuple(dict.fromkeys((*names, *values)))


def _ignore(reason: str) -> None:
    """Record nothing."""
