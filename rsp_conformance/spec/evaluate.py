"""eval(D(G), pattern): the solutions of patterns and queries (SPARQL 1.1, 18.6; SEMANTICS 4).

``evaluate`` has one case for each operator of the algebra, and says what the recommendation says of
it; RSP-QL adds WINDOW (Definition 16) and bags of triples. Nothing is compiled, and nothing is kept
from one evaluation to the next.

Evaluation is bottom-up: what stands inside GRAPH, WINDOW, OPTIONAL or a group sees no binding of
what stands outside. EXISTS alone looks outside, by substitution: every leaf of its pattern starts
with the solution that is tested (docs/sparql.md says why, and what SPARQL leaves open there).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
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
from rsp_conformance.model.variables import in_scope, selected
from rsp_conformance.model.walk import mentioned
from rsp_conformance.sparql import undetermined
from rsp_conformance.sparql.coverage import refuse
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.dataset import Graph as Bag
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec.bgp import matches
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.grouping import group_variables, grouped, is_grouped
from rsp_conformance.spec.modifiers import modified
from rsp_conformance.spec.solutions import (
    EMPTY_SOLUTION,
    Multiset,
    Solution,
    filtered,
    join,
    left_join,
    minus,
    projected,
    union,
)


def solutions(query: Query, dataset: Dataset) -> Relation:
    """QUERY over DATASET, before the streaming operator and the query form.

    The dataset is taken as it is: FROM and FROM NAMED, window contents and time-varying data are
    resolved by the caller. ``Unsupported`` says by name what is not evaluated.
    """
    refuse(query)
    at = Scope(dataset, dataset.default, query.base)
    found = answer(query, at)
    return replace(found, undetermined=tuple(at.open))


@dataclass(frozen=True, slots=True)
class Scope:
    """D(G): the dataset D with the active graph G, where a pattern stands.

    ``given`` is, inside EXISTS, the solution that is tested, and ``counts`` whether it matters how
    often a solution comes. ``open`` collects, for the whole evaluation, why SPARQL leaves its
    solutions open.
    """

    dataset: Dataset
    active: Bag
    base: str | None
    given: Solution = EMPTY_SOLUTION
    counts: bool = True
    open: dict[str, None] = field(default_factory=dict)

    def note(self, reason: str) -> None:
        """Take down that the solutions are open for REASON."""
        self.open[reason] = None

    @property
    def expressions(self) -> Expressions:
        """Expressions as they are evaluated here."""
        return Expressions(self.base, lambda test, mu: exists(test, mu, self), self.note)

    def graph(self, name: Term) -> Bag | None:
        """D[name]; a window and a background graph of one name are one graph (decision 12)."""
        # A literal, which EXISTS may give, names no graph.
        background = self.dataset.named.get(name)  # type: ignore[arg-type]
        window = self.dataset.windows.get(name)  # type: ignore[arg-type]
        if background is None or window is None:
            return background if window is None else window.default
        return background.merged(window.default, add=self.dataset.bags)

    def graph_names(self) -> Iterable[Term]:
        """What ``GRAPH ?g`` ranges over: named graphs and, by the dial, named windows."""
        windows = self.dataset.windows if self.dataset.graph_variable == "windows" else {}
        return dict.fromkeys((*self.dataset.named, *windows))

    def in_window(self, name: Term) -> Scope | None:
        """D(w) for the window NAME, in which no window and no background can be seen."""
        window = self.dataset.windows.get(name)  # type: ignore[arg-type]
        if window is None:
            return None
        return replace(self, dataset=Dataset(window.default, window.named), active=window.default)


def evaluate(pattern: Pattern, at: Scope) -> Multiset:
    """eval(D(G), PATTERN), for the dataset and the active graph of AT."""
    match pattern:
        case BGP(triples):
            note = at.note if at.counts else _nothing
            return matches(triples, at.active, at.given, note)
        case Join(left, right):
            found = evaluate(left, at)
            return join(found, evaluate(right, at)) if found else found
        case LeftJoin(left, right, condition):
            found = evaluate(left, at)
            return _left_join(found, right, condition, at) if found else found
        case Union(left, right):
            return union(evaluate(left, at), evaluate(right, at))
        case Minus(left, right):
            found = evaluate(left, at)
            return _minus(found, evaluate(right, at), at) if found else found
        case Filter(condition, inner):
            return filtered(partial(at.expressions.holds, condition), evaluate(inner, at))
        case Extend(inner, variable, expression):
            return extend(evaluate(inner, at), variable, expression, at)
        case Graph(name, inner):
            return _graph(name, inner, at)
        case Window(name, inner):
            return _window(name, inner, at)
        case Values():
            return join(_inline(pattern), Counter({at.given: 1}))
        case SubSelect(query):
            return subselect(query, at)
        case Service():
            raise Unsupported("SERVICE")
    assert_never(pattern)


def _left_join(
    found: Multiset, right: Pattern, condition: Expression | None, at: Scope
) -> Multiset:
    """LeftJoin(Ω1, Ω2, expr); without FILTER in the OPTIONAL, expr is true (18.2.2.6)."""
    if condition is None:
        return left_join(found, evaluate(right, at), lambda mu: True)
    return left_join(found, evaluate(right, at), partial(at.expressions.holds, condition))


def _minus(left: Multiset, right: Multiset, at: Scope) -> Multiset:
    """Minus(Ω1, Ω2); inside EXISTS both sides bind what is given, so that they share it.

    By 18.6's letter what is given is no variable any more, and is not shared (decision 40).
    """
    kept = minus(left, right)
    if at.given:

        def free(mu: Solution) -> Solution:
            return Solution({key: term for key, term in mu.items() if key not in at.given})

        if kept.total() < minus(projected(left, free), projected(right, free)).total():
            at.note(undetermined.MINUS_OF_GIVEN)
    return kept


def extend(solutions: Multiset, variable: Variable, expression: Expression, at: Scope) -> Multiset:
    """Extend(Ω, var, expr): an error leaves the variable unbound (18.5).

    A variable that already has a term can be assigned one inside EXISTS alone (18.2.1); what stays
    are the solutions in which both agree (decision 40).
    """
    expressions = at.expressions
    out: Multiset = Counter()
    for mu, count in solutions.items():
        term = expressions.value(expression, mu)
        if term is None or mu.get(variable.name) == term:
            out[mu] += count
        elif variable.name in mu:
            at.note(undetermined.ASSIGNED_GIVEN)
        else:
            out[mu.binding(variable.name, term)] += count
    return out


def _graph(name: IRI | Variable, inner: Pattern, at: Scope) -> Multiset:
    """``GRAPH name { … }``: eval(D(D[name]), inner), for a variable the union over the names.

    The union is of joins with { name ↦ graph }, so that the inner pattern does not see it.
    """
    given = at.given.get(name.name) if isinstance(name, Variable) else name
    if given is not None:
        active = at.graph(given)
        if active is None:
            return Counter()
        if isinstance(name, Variable) and given not in at.graph_names():
            at.note(undetermined.GRAPH_OF_WINDOW)
        return evaluate(inner, replace(at, active=active))
    assert isinstance(name, Variable)
    out: Multiset = Counter()
    for graph in at.graph_names():
        active = at.graph(graph)
        assert active is not None
        found = evaluate(inner, replace(at, active=active))
        out += join(found, Counter({Solution({name.name: graph}): 1}))
    return out


def _window(name: IRI | Variable, inner: Pattern, at: Scope) -> Multiset:
    """``WINDOW name { … }``: eval(DS(name), inner), for a variable as ``GRAPH ?g`` does it."""
    given = at.given.get(name.name) if isinstance(name, Variable) else name
    if given is not None:
        inside = at.in_window(given)
        return Counter() if inside is None else evaluate(inner, inside)
    assert isinstance(name, Variable)
    out: Multiset = Counter()
    for window in at.dataset.windows:
        inside = at.in_window(window)
        assert inside is not None
        out += join(evaluate(inner, inside), Counter({Solution({name.name: window}): 1}))
    return out


def _inline(values: Values) -> Multiset:
    """The inline data as a multiset: UNDEF leaves a variable unbound (10.2)."""
    names = [variable.name for variable in values.variables]
    return Counter(
        Solution({name: t for name, t in zip(names, row, strict=True) if t is not None})
        for row in values.rows
    )


def exists(test: Exists, mu: Solution, at: Scope) -> bool:
    """Whether the pattern of TEST has solutions under the substitution of MU (18.6)."""
    inside = replace(at, given=mu.variables(), counts=False)
    pattern = test.pattern
    if not isinstance(pattern, SubSelect):
        return bool(evaluate(pattern, inside))
    query = pattern.query
    if not query.offset and query.limit != 0:  # a choice among rows leaves one where there is one
        query = replace(query, limit=None, reduced=False)
    return bool(subselect(query, inside, whole=True))


def subselect(query: Query, at: Scope, *, whole: bool = False) -> Multiset:
    """ToMultiset of the solutions of a subquery: it shows what it projects (18.2.4.4, 18.6).

    Inside EXISTS what is given stands for a variable that it does not project, too ("every
    occurrence"); engines may take that for a variable of its own (decision 40). WHOLE says that it
    is all of the EXISTS, so that only whether there are solutions matters.
    """
    inside = replace(at, base=query.base or at.base, counts=True)
    found = answer(query, inside)
    hidden = set(mentioned(query)).difference(selected(query)).intersection(at.given)
    if hidden:
        shown = Solution({key: term for key, term in at.given.items() if key not in hidden})
        other = answer(query, replace(inside, given=shown))
        same = bool(found.rows) is bool(other.rows)
        if not same or not (whole or Counter(found.rows) == Counter(other.rows)):
            at.note(undetermined.HIDDEN_GIVEN)
    solutions: Multiset = Counter(
        Solution({v: t for v, t in zip(found.variables, row, strict=True) if t is not None})
        for row in found.rows
    )
    extended = join(solutions, Counter({at.given: 1}))
    if extended.total() < solutions.total():
        at.note(undetermined.ASSIGNED_GIVEN)
    return extended


def answer(query: Query, at: Scope) -> Relation:
    """The solutions of QUERY after its modifiers, clause by clause (18.2.4 and 18.2.5)."""
    expressions = at.expressions
    found = evaluate(query.pattern, at)
    if is_grouped(query):
        found = grouped(query, found, at.given, expressions)
    for condition in query.having:  # 18.2.4.2
        found = filtered(partial(expressions.holds, condition), found)
    if query.values is not None:  # 18.2.4.3
        found = join(found, evaluate(query.values, at))
    for projection in query.projection or ():  # 18.2.4.4
        if projection.expression is not None:
            found = extend(found, projection.variable, projection.expression, at)
    return modified(query, result_variables(query), found, expressions)


def result_variables(query: Query) -> tuple[str, ...]:
    """The variables of the result: those of a SELECT, all in scope for ASK and CONSTRUCT."""
    if query.form is Form.SELECT and query.projection is not None:
        return selected(query)
    names = group_variables(query) if is_grouped(query) else in_scope(query.pattern)
    values = () if query.values is None else in_scope(query.values)
    return tuple(dict.fromkeys((*names, *values)))


def _nothing(reason: str) -> None:
    """How often a solution comes does not matter here."""
