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
from collections.abc import Callable, Collection, Iterable
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
from rsp_conformance.sparql.readings import PLAIN, Readings, aside, reading, under
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
    """QUERY over DATASET, before the streaming operator and the query form.

    The dataset is taken as it is: FROM and FROM NAMED, window contents and time-varying data are
    resolved by the caller. ``Unsupported`` says by name what is not evaluated.
    """
    refuse(query)
    return solutions_of_covered(query, dataset)


def solutions_of_covered(
    query: Query,
    dataset: data.Dataset,
    readings: Readings = PLAIN,
    listener: Listener | None = None,
) -> Relation:
    """What ``solutions`` says, of a query that ``refuse`` has let pass, under READINGS.

    A LISTENER hears how.
    """
    at = Scope(dataset, dataset.default, query.base, listener=listener)
    with under(readings) as ledger:
        found = replace(answer(query, at), undetermined=tuple(at.open)).noted(ledger)
    if listener is not None:
        listener.evaluated(found)
    return found


@dataclass(frozen=True, slots=True)
class Scope:
    """D(G): the dataset D with the active graph G, where a pattern stands.

    ``given`` is, inside EXISTS, the solution that is tested, and ``counts`` whether it matters how
    often a solution comes. ``open`` collects, for the whole evaluation, which points leave its
    solutions open, and ``listener`` hears what is evaluated. ``aside`` says that another reading of
    an EXISTS is tried, ``loose`` that a blank node that is given is one of the pattern.
    """

    dataset: data.Dataset
    active: data.GraphBag
    base: str | None
    given: Solution = EMPTY_SOLUTION
    counts: bool = True
    open: dict[str, None] = field(default_factory=dict)
    listener: Listener | None = None
    aside: bool = False
    loose: bool = False

    def note(self, point: str) -> None:
        """Take down that POINT leaves the solutions open."""
        self.open[point] = None

    @property
    def expressions(self) -> Expressions:
        """Expressions as they are evaluated here."""
        kind = Expressions if self.listener is None else ListenedExpressions
        tested = partial(exists, at=self)
        return kind(self.base, tested, self.note, self.listener)

    def graph_names(self) -> Collection[Term]:
        """What ``GRAPH ?g`` ranges over: named graphs and, by the dial, named windows."""
        windows = self.dataset.windows if self.dataset.graph_variable == "windows" else {}
        return dict.fromkeys((*self.dataset.named, *windows))

    def has(self, name: Term) -> bool:
        """Whether ``GRAPH ?g`` ranges over NAME, which a store without its triples may forget."""
        graph = self.dataset.named.get(name)  # type: ignore[arg-type]
        if graph is None or graph.counts or name in self.dataset.windows:
            return True
        return reading(open_points.EMPTY_GRAPHS, "there", "not there") == "there"

    def in_graph(self, name: Term) -> Scope | None:
        """D(D[name]); a window and a background graph of one name are one graph (decision 12)."""
        # A literal, which EXISTS may give, names no graph.
        background = self.dataset.named.get(name)  # type: ignore[arg-type]
        window = self.dataset.windows.get(name)  # type: ignore[arg-type]
        graph = background if window is None else window.default
        if background is not None and window is not None:
            graph = background.merged(window.default, add=self.dataset.bags)
        return None if graph is None else replace(self, active=graph)

    def in_window(self, name: Term) -> Scope | None:
        """D(w) for the window NAME, in which no window and no background can be seen."""
        window = self.dataset.windows.get(name)  # type: ignore[arg-type]
        if window is None:
            return None
        group = self.dataset.empty_group
        inside = data.Dataset(window.default, window.named, empty_group=group)
        return replace(self, dataset=inside, active=window.default)


def evaluate(pattern: Pattern, at: Scope) -> Multiset:
    """eval(D(G), PATTERN), for the dataset and the active graph of AT.

    Where the left side of an operator is empty, so is the whole, and the right side is not asked.
    """
    match pattern:
        case BGP(triples):
            # Whether a path counts once or twice is open, and does not matter to EXISTS.
            meant = loosened(triples, at.given) if at.loose else triples
            return matches(meant, at.active, at.given, at.note if at.counts else _ignore)
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
                at.note(open_points.GRAPH_OF_WINDOW)
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
    """Whether CONDITION is true; where an OPTIONAL has none it is (18.2.2.6)."""
    return (lambda mu: True) if condition is None else partial(at.expressions.holds, condition)


def _minus(left: Multiset, right: Multiset, at: Scope) -> Multiset:
    """Minus(Ω1, Ω2); inside EXISTS both sides bind what is given, so that they share it.

    By 18.6's letter what is given is no variable any more, and is not shared (decision 40).
    """
    kept = minus(left, right)
    if at.given:
        free = [projected(side, at.given.__contains__) for side in (left, right)]
        if kept.total() < minus(*free).total():
            at.note(open_points.MINUS_OF_GIVEN)
    return kept


def extend(found: Multiset, variable: Variable, expression: Expression, at: Scope) -> Multiset:
    """Extend(Ω, var, expr): an error leaves the variable unbound (18.5).

    A variable that already has a term can be assigned one inside EXISTS alone (18.2.1); what stays
    are the solutions in which both agree (decision 40).
    """
    expressions = at.expressions
    out: Multiset = Counter()
    for mu, count in found.items():
        term = expressions.value(expression, mu)
        if term is not None and mu.get(variable.name, term) != term:
            at.note(open_points.ASSIGNED_GIVEN)
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
    """GRAPH and WINDOW: INNER within what NAME names, of which an unknown one is empty (18.6).

    For a variable it is the union over NAMES of the joins with { variable ↦ name }, so that INNER
    does not see it; but a term that EXISTS gives stands for the variable.
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
    """ROWS of NAMES as solutions: None, or UNDEF, leaves a variable unbound (10.2)."""
    return Counter(
        Solution({name: t for name, t in zip(names, row, strict=True) if t is not None})
        for row in rows
    )


def exists(test: Exists, mu: Solution, at: Scope) -> bool:
    """Whether the pattern of TEST has solutions under the substitution of MU (18.6).

    Where other readings of the substitution say otherwise, that is noted.
    """
    given = mu.without(lambda key: not isinstance(key, str))
    inside = replace(at, given=given, counts=False)
    known = substitutions(_sufficient(test.pattern))
    found = _has_solutions(known.patterns[0], inside)
    if at.aside:
        return found
    with aside():
        quiet = replace(inside, open={}, listener=None, aside=True)
        others = (
            _has_solutions(known.patterns[number], replace(quiet, loose=loose))
            for number, loose in known.others(given)  # type: ignore[arg-type]
        )
        differs = any(other is not found for other in others)
    if differs:
        at.note(open_points.SUBSTITUTED)
    return found


def _sufficient(pattern: Pattern) -> Pattern:
    """PATTERN without a choice among rows, which leaves one where there is one."""
    if not isinstance(pattern, SubSelect) or pattern.query.offset or pattern.query.limit == 0:
        return pattern
    return SubSelect(replace(pattern.query, limit=None, reduced=False))


def _has_solutions(pattern: Pattern, at: Scope) -> bool:
    if isinstance(pattern, SubSelect):
        return bool(subselect(pattern.query, at, whole=True))
    return bool(evaluate(pattern, at))


def subselect(query: Query, at: Scope, *, whole: bool = False) -> Multiset:
    """ToMultiset of the solutions of a subquery: it shows what it projects (18.2.4.4, 18.6).

    Inside EXISTS what is given stands for a variable that it does not project, too ("every
    occurrence"); engines may take that for a variable of its own (decision 40). WHOLE says that it
    is all of the EXISTS, so that only whether there are solutions matters.
    """
    inside = replace(at, base=query.base or at.base, counts=True)
    found = answer(query, inside)
    hidden = at.given.keys() & set(mentioned(query)).difference(selected(query))
    if hidden:
        shown = at.given.without(hidden.__contains__)
        other = answer(query, replace(inside, given=shown))
        same = bool(found.rows) is bool(other.rows)
        if not same or not (whole or Counter(found.rows) == Counter(other.rows)):
            at.note(open_points.HIDDEN_GIVEN)
    extended = join(_multiset(found.variables, found.rows), one(at.given))
    if extended.total() < len(found.rows):
        at.note(open_points.ASSIGNED_GIVEN)
    return extended


def answer(query: Query, at: Scope) -> Relation:
    """The solutions of QUERY after its modifiers, clause by clause (18.2.4 and 18.2.5)."""
    expressions = at.expressions
    found = evaluate(query.pattern, at)
    if is_grouped(query):
        nothing = query.group_by is None and not found and at.dataset.empty_group == "none"
        found = found if nothing else grouped(query, found, at.given, expressions)
    for point in open_points.open_by_itself(query):
        at.note(point)
    for condition in query.having:  # 18.2.4.2
        found = filtered(_true(condition, at), found)
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


def _ignore(reason: str) -> None:
    """Not to be taken down."""
