"""Mutants that small cases hardly show, and that two cases beside each other do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyoxigraph as ox

from rsp_conformance.adapters.reference import mutant as seams
from rsp_conformance.adapters.reference.mutant import MutatedRun, mutant
from rsp_conformance.adapters.reference.oxigraph.terms import QUOTED, StoredTerm
from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.adapters.reference.window import Arrival
from rsp_conformance.model.algebra import Pattern, Union, Window
from rsp_conformance.model.expressions import Expression, Operation
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.terms import XSD_BOOLEAN, Literal

Content = tuple[Arrival, ...]

_FALSE = Literal("false", XSD_BOOLEAN)


@mutant(
    seams.CONDITION,
    "engines whose conditions are true or false",
    needs="filter",
    where="a negation of what is an error",
    relation="relation[partition]",
)
def error_negated(condition: Expression, run: MutatedRun) -> Expression:
    """A comparison that is an error is false, and its negation true."""
    return _two_valued(condition)


@mutant(
    seams.CONTENT,
    "engines with buffers of a fixed size",
    where="more than twelve elements in a window",
    relation="relation[junk]",
)
def load_shedding(content: Content, run: MutatedRun) -> Content:
    """Of a window that holds more than twelve elements the oldest ones are not evaluated."""
    return content[-12:]


@mutant(
    seams.ELEMENT,
    "engines whose dictionary has a column of a fixed width",
    where="IRIs longer than 48 characters",
    relation="relation[renaming]",
)
def names_cut(arrival: Arrival, run: MutatedRun) -> Arrival:
    """Of an IRI only the first 48 characters are kept."""
    triples = tuple(
        ox.Triple(_cut(t.subject), _cut(t.predicate), _cut(t.object)) for t in arrival.triples
    )
    return arrival._replace(triples=triples)


@mutant(
    seams.ELEMENT,
    "engines that keep time in a number of few digits",
    where="instants from 1000 on",
    relation="relation[shift]",
)
def short_clock(arrival: Arrival, run: MutatedRun) -> Arrival:
    """From instant 1000 on the last digit of an element's time is lost."""
    return arrival if arrival.t < 1_000 else arrival._replace(t=arrival.t - arrival.t % 10)


@mutant(
    seams.CONTENT,
    "engines that take disorder within an instant for lateness",
    where="three elements at one instant, in a certain order",
    relation="relation[permuted]",
)
def falling_run_cut(content: Content, run: MutatedRun) -> Content:
    """Of three elements of one instant whose triples fall in order the last one is lost."""
    kept = []
    for place, arrival in enumerate(content):
        last_three = content[max(0, place - 2) : place + 1]
        triples = [str(a.triples[0]) for a in last_three if a.t == arrival.t and a.triples]
        if len(triples) < 3 or triples != sorted(set(triples), reverse=True):
            kept.append(arrival)
    return tuple(kept)


@mutant(
    seams.PATTERN,
    "planners that share equal subplans without looking at their windows",
    needs="multi-window union",
    where="a UNION of one pattern in two windows",
    relation="relation[split]",
)
def twin_branches(pattern: Pattern, run: MutatedRun) -> Pattern:
    """Of a UNION whose branches ask two windows for the same pattern one branch is evaluated."""
    match pattern:
        case Union(Window(_, inside) as branch, Window(_, other)) if inside == other:
            return branch
        case _:
            return pattern


@mutant(
    seams.CONTENT,
    "engines with a way of their own for tumbling windows",
    where="a tumbling window of six instants or more",
    by_time=True,
    relation="relation[tumbling]",
)
def wide_tumbling(content: Content, run: MutatedRun) -> Content:
    """A tumbling window of six instants or more loses what comes at the instant of its close."""
    window, instance = run.window.window, run.window.instance
    if instance is None or window.width != window.slide or window.width < 6:
        return content
    return tuple(arrival for arrival in content if arrival.t != instance[1])


@mutant(
    seams.STREAMED,
    "engines with a flag in place of a counter",
    needs="istream",
    where="a row that is new three times at once",
    relation="relation[r2s]",
)
def istream_counts_to_two(rows: Sequence[Row], run: MutatedRun) -> Sequence[Row]:
    """ISTREAM shows a row at most twice, however often it is new."""
    if run.query.operator is not StreamOperator.ISTREAM:
        return rows
    shown: Counter[Row] = Counter()
    kept = []
    for row in rows:
        shown[row] += 1
        if shown[row] <= 2:
            kept.append(row)
    return kept


@mutant(
    seams.ANSWERS,
    "engines that evaluate an instant when a later one begins",
    where="an end at the instant of the last element",
    relation="relation[prefix]",
)
def last_instant_waits(answers: list[dict[str, Any]], run: MutatedRun) -> list[dict[str, Any]]:
    """The instant of the last element is answered only if the clock runs on beyond it."""
    clock = run.windows[0].t if run.windows else None
    if run.newest is None or clock is None or clock - 1 != run.newest.t:
        return answers
    return [a for a in answers if a["cause"] != "end" or a["t"] != run.newest.t]


@mutant(
    seams.CONTENT,
    "engines with counters that are too small",
    where="a window of more than ten instants",
    by_time=True,
    relation="relation[units]",
)
def widest_short(content: Content, run: MutatedRun) -> Content:
    """A window of more than ten instants opens one instant too late."""
    instance = run.window.instance
    if run.window.window.width <= 10 or instance is None:
        return content
    return tuple(arrival for arrival in content if arrival.t > instance[0] + 1)


_REMEMBERED = 100
"""How many instants `short_memory` keeps an element."""


@mutant(
    seams.CONTENT,
    "engines that keep what has come for a fixed time",
    needs="past-windows",
    where="elements of a hundred instants ago",
    relation="relation[delayed]",
)
def short_memory(content: Content, run: MutatedRun) -> Content:
    """What came a hundred instants ago is forgotten before a window in the past shows it."""
    clock, lag = run.window.t, run.window.window.lag
    if clock is None or not lag:
        return content
    return tuple(arrival for arrival in content if arrival.t > clock + lag - _REMEMBERED)


def _two_valued(condition: Expression) -> Expression:
    if not isinstance(condition, Operation):
        return condition
    operands = tuple(_two_valued(argument) for argument in condition.arguments)
    if condition.name == "!":
        return Operation("!", (Operation("COALESCE", (*operands, _FALSE)),))
    return Operation(condition.name, operands)


def _cut(term: StoredTerm) -> Any:
    # A quoted triple is stored under an IRI that only the engine sees.
    if isinstance(term, ox.NamedNode) and not term.value.startswith(QUOTED):
        return ox.NamedNode(term.value[:48])
    return term
