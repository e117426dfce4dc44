"""The trace of Q_z, and the answers that an engine may give (RSP-QL Definitions 20 to 26).

For a vector z of window starts, the trace lists every evaluation of the query: the instant, the
contents of the windows, the solutions and the answer. `Expectation` makes the trace of a z when it
is first asked for. Evaluations with equal contents of all windows share their solutions, so
patterns are evaluated once for all z.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
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
from rsp_conformance.sparql.dots import as_resolved, choices_about_dots
from rsp_conformance.sparql.open_points import CUT_INSTANT, ELEMENT_SCOPE, is_sampled, told
from rsp_conformance.sparql.readings import PLAIN, Choice, Choices, Readings
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec.alignment_stamps import ended, own_trigger
from rsp_conformance.spec.blank_nodes import scoped_to_elements, shares_labels
from rsp_conformance.spec.content import Moment, WindowContent, in_both
from rsp_conformance.spec.dataset import dataset, dials_read
from rsp_conformance.spec.evaluate import solutions_of_covered
from rsp_conformance.spec.forms import content as form_content
from rsp_conformance.spec.listener import Listener
from rsp_conformance.spec.r2s import streamed
from rsp_conformance.spec.reporting import Reporter
from rsp_conformance.spec.starts import legal_starts, rspql_queries, t_s
from rsp_conformance.spec.units import in_units

Relations: TypeAlias = dict[tuple[object, ...], Relation]
"""The solutions of a query; the key holds everything that its dataset depends on."""
SCOPE = Choice(ELEMENT_SCOPE)
"""The scope of blank node labels, a choice if the dial ``blank_nodes`` leaves it open."""
KEPT = 20_000
"""An expectation stores traces up to this number of evaluations; traces of further z are made
again each time."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One evaluation of the query (a member of ET), with everything that its answer rests on.

    ``contents`` are the contents of the windows, ``relation`` the solutions before the streaming
    operator, ``evaluation`` the answer. ``reported`` is false if the dial ``empty_answers`` drops
    the answer.
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
    """The answers that an engine may give to a case under a profile: Ans(Q_z) for every z ∈ Z.

    The trace of a z is made when it is first asked for. Equal contents of all windows are evaluated
    once for all z.

    Raises:
        Unsupported: The query goes beyond the evaluator or the profile.
        ValueError: Query and dials do not fit together, for example because a duration is not a
            whole number of instants or the report policy names an unknown window. The trace raises
            this error, not the constructor.
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
        """Prepare the expectation; nothing is evaluated yet.

        Args:
            case: The query with its streams and background data.
            dials: The semantics of the engine.
            relations: Solutions to share with expectations of the same case under other dials.
            listener: Hears each evaluation once.
            readings: The readings to take if the texts leave a point open.
        """
        check(case, dials)
        self.case = canonical(case) if dials.literals == "canonical" else case
        query, background = as_resolved(self.case.query, self.case.background, readings)
        if query is not self.case.query or background is not self.case.background:
            self.case = replace(self.case, query=query, background=background)
        if dials.blank_nodes == "element" or (SCOPE, "element") in readings:
            self.case = scoped_to_elements(self.case)
        self.case_in_units = in_units(self.case)
        """The case as its windows read it: the elements of some streams by single triples."""
        self.dials = dials
        self.readings = readings
        """The readings of open points; for a point not named here, the kit's own reading."""
        self.undetermined: str | None = None
        """Why the texts leave some answer open, and so unjudged; None if no such answer was met."""
        self._given = case
        self._met: dict[Choice, dict[str, None]] = {}
        self._relations: Relations = {} if relations is None else relations
        self._listener = listener
        self._traces: dict[Vector, tuple[TraceStep, ...]] = {}
        self._kept = 0
        self._changes = case.background.changes()

    def under(self, readings: Readings) -> Expectation:
        """The expectation of the same case and dials under other readings."""
        return type(self)(self._given, self.dials, self._relations, readings=readings)

    @property
    def choices(self) -> Choices:
        """The open points that evaluations have met so far, each with all its options."""
        met = tuple((choice, tuple(options)) for choice, options in self._met.items())
        if self.dials.blank_nodes == "any" and shares_labels(self._given):
            met += ((SCOPE, ("case", "element")),)
        return met + choices_about_dots(self._given.query, self._given.background)

    @property
    def t_s(self) -> int:
        """The instant from which answers are compared."""
        return t_s(self.case, self.dials)

    def queries(self) -> Iterator[Vector]:
        """Z: one vector of starts for every RSP-QL query that the engine's query may mean."""
        return rspql_queries(self.case, self.dials)

    def answer(self, starts: Vector) -> tuple[Evaluation, ...]:
        """Ans(Q_z) up to ``until``, without the answers that the profile does not report.

        Args:
            starts: z, one t0 per window in the order of declaration; None if a window is never
                defined.
        """
        return tuple(step.evaluation for step in self.trace(starts) if step.reported)

    def later(self, starts: Vector, named: bool = False) -> tuple[Evaluation, ...] | None:
        """The evaluations after ``until`` to which answers may belong (decision 22).

        They are those of the case with the elements that the kit appends, up to the last instant
        that an answer may mean: an engine may report the windows that are open at its end.

        Args:
            starts: z; a window that the case never defines starts by the appended elements.
            named: Whether a difference is only to be named. Then open points are read in the first
                way, also those of which only samples are known, and ask for no other reading.

        Returns:
            The evaluations that the profile reports; None if the texts leave some of them open.
        """
        try:
            own = self._ended
            windows = own.case.query.resolved_windows(self.dials)
            z = tuple(
                legal_starts(window, own.case, self.dials)[0] if t0 is None else t0
                for window, t0 in zip(windows, starts, strict=True)
            )
            found = own.answer(z)
        except (Unsupported, ValueError):
            return None
        if not named:
            for choice, options in own._met.items():
                self._met.setdefault(choice, {}).update(options)
            if any(is_sampled(choice.point) for choice in own._met):
                return None
        if own.undetermined:
            return None
        return tuple(e for e in found if e.t > self.case.until)

    @cached_property
    def _ended(self) -> Expectation:
        """The expectation of the case with the appended elements, up to the latest instant."""
        case = ended(self._given, self.dials)
        return Expectation(case, self.dials, self._relations, readings=self.readings)

    def trace(self, starts: Vector) -> tuple[TraceStep, ...]:
        """All evaluations (ET) of Q_z for z = `starts`, in order."""
        known = self._traces.get(starts)
        if known is not None:
            return known
        steps = tuple(self.steps(starts))
        if self._kept + len(steps) <= KEPT:
            self._kept += len(steps)
            self._traces[starts] = steps
        return steps

    def steps(self, starts: Vector) -> Iterator[TraceStep]:
        """Yield the trace of z = `starts` step by step, for a caller that may stop early."""
        query, dials = self.case.query, self.dials
        before: Relation | None = None
        contents_before: tuple[WindowContent, ...] | None = None
        differs = query.operator in (StreamOperator.ISTREAM, StreamOperator.DSTREAM)
        by_elements = differs and dials.r2s == "elements"
        own = dials.clock == "own" and dials.answer_time == "arrival"
        reporter = Reporter(self.case_in_units, dials, starts)
        for point in reporter.evaluations():
            moment, contents, _ = point
            if dials.ties == "open" and reporter.is_cut(point):
                self.undetermined = told(CUT_INSTANT)
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
        query = self.case.query  # Queries that differ only in their base are equal.
        read = query.base, dials_read(self.dials), self.readings
        key = (*read, period, *(content.elements for content in contents))
        if key not in self._relations:
            data = dataset(self.case_in_units, self.dials, t, contents)
            self._relations[key] = solutions_of_covered(query, data, self.readings, self._listener)
        relation = self._relations[key]
        if relation.undetermined:
            self.undetermined = told(relation.undetermined[0])
        for choice, options in relation.choices:
            self._met.setdefault(choice, {}).update(dict.fromkeys(options))
        return relation


@lru_cache(maxsize=256)
def relations_at_hand(case: Case) -> Relations:
    """The store of solutions that all expectations of a case share.

    The same case is evaluated several times in a row, for example to see whether it is vacuous and
    then to judge answers to it.
    """
    return {}


def answer(case: Case, dials: Dials, starts: Vector) -> tuple[Evaluation, ...]:
    """Ans(Q_z) up to ``until`` (Definition 24).

    Args:
        case: the query and its data.
        dials: the setting of the dials.
        starts: z, the t0 of each declared window.

    Raises:
        Unsupported: the query goes beyond the evaluator or the profile.
        ValueError: query and dials do not fit together.
    """
    return Expectation(case, dials).answer(starts)


def check(case: Case, dials: Dials) -> None:
    """Refuse a query that the evaluator or the profile does not support.

    Args:
        case: the case with the query.
        dials: the setting of the dials; ``stream_operators`` and ``windows_in`` limit the query.

    Raises:
        Unsupported: the query has an unsupported feature; the message names it.
    """
    query = case.query
    refuse(query)
    if query.operator is not None and query.operator.letter not in dials.stream_operators:
        raise Unsupported(f"{query.operator.value} under this profile")
    if dials.windows_in == "default" and any(
        isinstance(part, Window) for part in subpatterns(query.pattern)
    ):
        raise Unsupported("WINDOW under a profile that merges windows into the default graph")


def expectation_of(verdict: Verdict, case: Case, dials: Dials) -> Expectation:
    """The expectation that a verdict rests on, or a new one if the verdict carries none.

    Args:
        verdict: the verdict of some judge.
        case: the case that was judged.
        dials: the setting of the dials that it was judged by.
    """
    found = verdict.expectation
    return found if isinstance(found, Expectation) else Expectation(case, dials)
