"""The trace of Q_z, and what an engine may answer at all (RSP-QL Definitions 20 to 26)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from rsp_conformance.model.algebra import Window
from rsp_conformance.model.answers import Evaluation, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.model.walk import subpatterns
from rsp_conformance.sparql.canonical import canonical
from rsp_conformance.sparql.coverage import refuse
from rsp_conformance.sparql.open_points import ELEMENT_SCOPE, told
from rsp_conformance.sparql.readings import PLAIN, Choice, Choices, Readings
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec.alignment_stamps import own_trigger
from rsp_conformance.spec.blank_nodes import scoped_to_elements, shares_labels
from rsp_conformance.spec.content import Moment, WindowContent, in_both
from rsp_conformance.spec.dataset import dataset, dials_read
from rsp_conformance.spec.evaluate import solutions_of_covered
from rsp_conformance.spec.forms import content as form_content
from rsp_conformance.spec.listener import Listener
from rsp_conformance.spec.r2s import streamed
from rsp_conformance.spec.reporting import Reporter
from rsp_conformance.spec.starts import rspql_queries, t_s

Relations: TypeAlias = dict[tuple[object, ...], Relation]
"""The solutions of a query, by all that its dataset depends on."""
SCOPE = Choice(ELEMENT_SCOPE)
"""What the labels of blank nodes are scoped to, where the dial leaves it open."""
KEPT = 20_000
"""An expectation keeps the traces of so many evaluations; those of further z are not kept."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One member of ET, with all that its answer rests on.

    ``contents`` are those of the windows, ``relation`` the solutions before the streaming operator,
    ``evaluation`` the answer. It is not ``reported`` where the dial ``empty_answers`` drops it.
    """

    moment: Moment
    contents: tuple[WindowContent, ...]
    relation: Relation
    evaluation: Evaluation
    reported: bool

    @property
    def t(self) -> int:
        """The instant of the evaluation."""
        return self.moment.t


class Expectation:
    """What an engine may answer to a case under a profile: Ans(Q_z) for every z ∈ Z.

    The trace of a z is made when it is first asked for, once; equal contents of all windows are
    evaluated once for all z.

    Raises Unsupported where the query goes beyond the evaluator or the profile; the trace raises
    ValueError where query and dials do not fit together (a duration that is no whole instant, a
    report policy that names an unknown window).
    """

    def __init__(
        self,
        case: Case,
        dials: Dials,
        relations: Relations | None = None,
        listener: Listener | None = None,
        *,
        readings: Readings = PLAIN,
    ) -> None:
        """RELATIONS are shared with expectations of the same case under other dials.

        A LISTENER hears each evaluation once.
        """
        check(case, dials)
        self.case = canonical(case) if dials.literals == "canonical" else case
        if dials.blank_nodes == "element" or (SCOPE, "element") in readings:
            self.case = scoped_to_elements(self.case)
        self.dials = dials
        self.readings = readings
        """What is taken where the texts leave a point open; else the kit's own readings."""
        self.undetermined: str | None = None
        """Why the texts leave some answer open, once one has been met: it is not judged."""
        self._given = case
        self._met: dict[Choice, dict[str, None]] = {}
        self._relations: Relations = {} if relations is None else relations
        self._listener = listener
        self._traces: dict[Vector, tuple[TraceStep, ...]] = {}
        self._kept = 0
        self._changes = case.background.changes()

    def under(self, readings: Readings) -> Expectation:
        """The same under other READINGS."""
        return Expectation(self._given, self.dials, self._relations, readings=readings)

    @property
    def choices(self) -> Choices:
        """What could be read in another way, as far as it was met by now, with all options."""
        met = tuple((choice, tuple(options)) for choice, options in self._met.items())
        if self.dials.blank_nodes == "any" and shares_labels(self._given):
            met += ((SCOPE, ("case", "element")),)
        return met

    @property
    def t_s(self) -> int:
        """The instant from which answers are compared."""
        return t_s(self.case, self.dials)

    def queries(self) -> Iterator[Vector]:
        """Z: one member for every RSP-QL query that the engine's query may mean."""
        return rspql_queries(self.case, self.dials)

    def answer(self, starts: Vector) -> tuple[Evaluation, ...]:
        """Ans(Q_z) up to ``until``, for z = STARTS, one t0 a window in the order of declaration."""
        return tuple(step.evaluation for step in self.trace(starts) if step.reported)

    def trace(self, starts: Vector) -> tuple[TraceStep, ...]:
        """ET of Q_z for z = STARTS, in order."""
        known = self._traces.get(starts)
        if known is not None:
            return known
        steps = tuple(self.steps(starts))
        if self._kept + len(steps) <= KEPT:
            self._kept += len(steps)
            self._traces[starts] = steps
        return steps

    def steps(self, starts: Vector) -> Iterator[TraceStep]:
        """The trace of z = STARTS, each step made when it is taken: for who may stop before."""
        query, dials = self.case.query, self.dials
        before: Relation | None = None
        contents_before: tuple[WindowContent, ...] | None = None
        differs = query.operator in (StreamOperator.ISTREAM, StreamOperator.DSTREAM)
        by_elements = differs and dials.r2s == "elements"
        own = dials.clock == "own" and dials.answer_time == "arrival"
        reporter = Reporter(self.case, dials, starts)
        for point in reporter.evaluations():
            moment, contents, _ = point
            relation = self._relation(moment.t, contents)
            stayed = None
            if by_elements and contents_before is not None:
                stayed = self._relation(moment.t, in_both(contents, contents_before)).rows
            shown = form_content(
                query, streamed(query.operator, relation, before, dials.r2s, stayed)
            )
            before, contents_before = relation, contents
            reported = dials.empty_answers or not is_empty(shown)
            trigger = own_trigger(reporter, point) if own else None
            evaluation = Evaluation(moment.t, shown, trigger)
            yield TraceStep(moment, contents, relation, evaluation, reported)

    def _relation(self, t: int, contents: tuple[WindowContent, ...]) -> Relation:
        period = bisect_right(self._changes, t)
        query = self.case.query  # its base is no part of what makes queries equal
        read = query.base, dials_read(self.dials), self.readings
        key = (*read, period, *(content.elements for content in contents))
        if key not in self._relations:
            data = dataset(self.case, self.dials, t, contents)
            self._relations[key] = solutions_of_covered(query, data, self.readings, self._listener)
        relation = self._relations[key]
        if relation.undetermined:
            self.undetermined = told(relation.undetermined[0])
        for choice, options in relation.choices:
            self._met.setdefault(choice, {}).update(dict.fromkeys(options))
        return relation


@lru_cache(maxsize=256)
def relations_at_hand(case: Case) -> Relations:
    """The solutions of CASE's query that are known by now, for `Expectation`.

    A case is asked in turn whether it is vacuous, and what is right.
    """
    return {}


def answer(case: Case, dials: Dials, starts: Vector) -> tuple[Evaluation, ...]:
    """Ans(Q_z) up to ``until`` for z = STARTS (Definition 24); raises what ``Expectation`` does."""
    return Expectation(case, dials).answer(starts)


def check(case: Case, dials: Dials) -> None:
    """Raise Unsupported where the evaluator or the profile does not take the query."""
    query = case.query
    refuse(query)
    if query.operator is not None and query.operator.letter not in dials.stream_operators:
        raise Unsupported(f"{query.operator.value} under this profile")
    if dials.windows_in == "default" and any(
        isinstance(part, Window) for part in subpatterns(query.pattern)
    ):
        raise Unsupported("WINDOW under a profile that merges windows into the default graph")


def expectation_of(verdict: Verdict, case: Case, dials: Dials) -> Expectation:
    """The expectation that VERDICT on CASE rests on, or a new one where it came without."""
    found = verdict.expectation
    return found if isinstance(found, Expectation) else Expectation(case, dials)
