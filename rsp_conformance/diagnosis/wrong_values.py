"""Wrong values: answers in which some computed columns are wrong, and all else is right.

**What is sought.** The operators and functions whose values an engine computes wrongly. Windows,
reporting and patterns are right in such an answer; so it says nothing about them, and shrinking and
naming it like any other would tell one wrong function once for each window and pattern around it.

**How.** An answer is read *without* some columns. SELECT loses these columns, or CONSTRUCT's
template loses their triples, and the engine's answers lose them too. What is left is an answer to a
smaller query, and Definition 26 judges it like any other. If it is right without all computed
columns, the wrong ones are those that can't be put back.

**What it guarantees.** A column is taken out only if the rest of the row shows that the row is the
right one: its expression reads nothing but columns that stay, and an aggregate has another one
beside it, which stays. Where leaving out a column changes how often rows come (DISTINCT, IStream,
LIMIT), nothing is taken out. So a wrong window is taken for a wrong value only if it changes one
aggregate and happens to leave another as it is: one of 404 wrong answers of `reference` with four
mutants of windows.

**What it costs.** One judgement for an answer that is wrong in other ways too, else one more for
each computed column: 6 ms each for 2,676 wrong answers of rsp-js.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from rsp_conformance.diagnosis.simulation import judged
from rsp_conformance.model.algebra import Extend, TriplePattern
from rsp_conformance.model.answers import Content, Rows, Triples
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.query import Form, Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import selected
from rsp_conformance.model.walk import mentioned, subpatterns, within

Columns = frozenset[str]
"""The names of some columns."""
Operators = frozenset[str]
"""The operators and functions that compute a column."""


@lru_cache(maxsize=1024)
def computed(query: Query) -> Mapping[str, Operators]:
    """Return the columns that may be taken out of a query, each with the operators that compute it.

    Args:
        query: a query; of one whose rows would come more or less often there are none.
    """
    if query.distinct or query.reduced or query.limit is not None or query.offset is not None:
        return {}
    if query.operator not in (None, StreamOperator.RSTREAM):
        return {}
    told = {
        part.variable.name: part.expression
        for part in subpatterns(query.pattern)
        if isinstance(part, Extend)
    }
    if query.form is Form.SELECT and query.projection is not None:
        own = {p.variable.name: p.expression for p in query.projection if p.expression is not None}
        shown = Columns(selected(query))
        conditions = (*(key.expression for key in query.order_by), *query.having)
        elsewhere = Columns(chain.from_iterable(map(mentioned, conditions)))
        return _taken({**told, **own}, shown - elsewhere, shown)
    if query.form is Form.CONSTRUCT:
        shown = Columns(name for own in query.template for name in mentioned(own))
        alone = (own.object for own in query.template if _is_alone(own, query))
        return _taken(told, Columns(own.name for own in alone if isinstance(own, Variable)), shown)
    return {}


def _taken(
    expressions: Mapping[str, Expression], columns: Columns, shown: Columns
) -> Mapping[str, Operators]:
    """Return those of some columns whose rows the others hold fast, with their operators."""
    found = {name: own for name, own in expressions.items() if name in columns}
    stay = shown - found.keys()
    aggregates = {name for name, own in found.items() if _aggregates(own)}
    counted = min(aggregates, default="")  # It stays, and shows that its group is the right one.
    return {
        name: operators
        for name, own in found.items()
        if name != counted and (operators := _operators(own))
        if name in aggregates or stay.issuperset(mentioned(own))
    }


def _is_alone(own: TriplePattern, query: Query) -> bool:
    """Whether answers show which triples a triple of the template gives: by its predicate."""
    others = [other.predicate for other in query.template if other is not own]
    return isinstance(own.predicate, IRI) and all(
        isinstance(p, IRI) and p != own.predicate for p in others
    )


def _aggregates(expression: Expression) -> bool:
    return any(isinstance(part, Aggregate) for part in within(expression))


def _operators(expression: Expression) -> Operators:
    """Return the operators and functions of an expression; none if it asks for data (EXISTS)."""
    found = set[str]()
    for part in within(expression):
        match part:
            case Exists():
                return frozenset()
            case Operation(name=name) | Aggregate(name=name):
                found.add(name)
            case FunctionCall(function=function):
                found.add(function.value.rpartition("#")[2])
    return frozenset(found)


@lru_cache(maxsize=1024)  # A run asks again each time it looks for what waits.
def without(observation: Observation, columns: Columns) -> Observation:
    """Return an observation as if its query did not have some columns.

    Args:
        observation: the observation.
        columns: some of its `computed` columns.
    """
    if not columns:
        return observation
    stimulus = observation.stimulus
    case = stimulus.case
    query, gone = _smaller(case.query, columns)

    def rest(content: Content) -> Content:
        match content:
            case Rows(variables, rows):
                kept = [i for i, name in enumerate(variables) if name not in columns]
                names = tuple(variables[i] for i in kept)
                return replace(
                    content,
                    variables=names,
                    rows=tuple(tuple(row[i] for i in kept) for row in rows),
                )
            case Triples(graph):
                return replace(
                    content, graph=frozenset(own for own in graph if own.predicate not in gone)
                )
            case _:
                return content

    observed = tuple(replace(own, content=rest(own.content)) for own in observation.observed)
    return replace(
        observation,
        stimulus=replace(stimulus, case=replace(case, query=query)),
        observed=observed,
    )


def without_operators(
    observation: Observation, wrong: Collection[Operators]
) -> tuple[Observation, frozenset[Operators]]:
    """Return an observation without the columns that given operators compute.

    Args:
        observation: the observation.
        wrong: sets of operators; a column goes if its own include all of such a set.

    Returns:
        The observation, the same if no column goes; and those sets by which columns go.
    """
    columns = computed(observation.stimulus.case.query) if wrong else {}
    found = frozenset(some for some in wrong if any(some <= own for own in columns.values()))
    if not found:
        return observation, found
    gone = Columns(name for name, own in columns.items() if any(some <= own for some in found))
    return without(observation, gone), found


def _smaller(query: Query, columns: Columns) -> tuple[Query, frozenset[object]]:
    """Return a query without some columns, and the predicates of triples that go with them."""
    if query.form is Form.SELECT:
        kept = tuple(p for p in query.projection or () if p.variable.name not in columns)
        return replace(query, projection=kept), frozenset()
    gone = [own for own in query.template if not {*mentioned(own.object)}.isdisjoint(columns)]
    left = tuple(own for own in query.template if own not in gone)
    return replace(query, template=left), frozenset(own.predicate for own in gone)


def wrong_columns(
    observation: Observation, is_right: Callable[[Observation], bool]
) -> Mapping[str, Operators]:
    """Return the computed columns that are wrong in an answer, with the operators of each.

    Args:
        observation: a wrong answer.
        is_right: whether an answer is right, or wrong in a known way only.

    Returns:
        No columns if something else is wrong as well, or nothing tells.
    """
    case = observation.stimulus.case
    columns = computed(case.query) if observation.is_answered else {}
    wrong = Columns(columns)
    if not wrong or not is_right(without(observation, wrong)):
        return {}
    for name in columns:
        if is_right(without(observation, wrong - {name})):
            wrong -= {name}
    return {name: own for name, own in columns.items() if name in wrong}


@lru_cache(maxsize=1024)
def wrong_values(observation: Observation) -> Mapping[str, Operators]:
    """Return the wrong columns of an answer that is right but for these, under its dials alone."""
    return wrong_columns(observation, lambda own: judged(own.dials, own) is True)
