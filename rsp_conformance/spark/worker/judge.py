"""Definition 26 and Ans(Q_z) for whole cases, which come to a worker in shares.

**What is sought.** The same verdicts as the reference model's, for many cases at a time.

**How.** A worker judges each case of its share whole. The members of Z that nothing tells apart are
one class, and the classes that the answers' instants leave are traced, the likely ones first
(`registered.likely`). Each trace is aligned with the received answers (`alignment`). If no z makes
an answer right, the case is judged again under other readings of the open points that it has met
(`_judged`). Cases of a share that have a stream, a query or a policy in common compile and unpack
it once (`Shared`).

**What it guarantees.** A case that can't be judged is refused by itself and loses no other: a
limit, an unsupported query, a bug of this evaluator. If no z is right, the verdict is that of the z
whose instants the answers have, as the reference model has it.

**What it costs.** A trace for each class of Z until one is right; for a wrong answer that of all
classes that are as near, times the combinations of readings, `MOST_READINGS` at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeAlias

from rsp_conformance.limits import LimitExceeded, allow, limited
from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.policy import mixes_closing
from rsp_conformance.model.terms import IRI, BlankNode
from rsp_conformance.model.verdict import Divergence, Kind, Vector, Verdict
from rsp_conformance.model.walk import within
from rsp_conformance.spark.wire import ArrivedElement, PackedAnswer, PackedElement, labels
from rsp_conformance.spark.worker.alignment import Aligner, Alignment, ReceivedAnswer
from rsp_conformance.spark.worker.contents import Shared
from rsp_conformance.spark.worker.evaluations import Stretch, Trace
from rsp_conformance.spark.worker.observed import ElementTimes, PendingAnswers
from rsp_conformance.spark.worker.registered import RegisteredQuery, Registration, Starts
from rsp_conformance.spark.worker.starts import likely
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.sparql.dots import choices_about_dots
from rsp_conformance.sparql.open_data import open_data
from rsp_conformance.sparql.open_points import ELEMENT_SCOPE, is_sampled, taken, told
from rsp_conformance.sparql.readings import PLAIN, Choice, Choices, Readings, others, united

MOST_READINGS = 64
"""The most combinations of readings that are tried, as many as the reference model tries."""
SCOPE = Choice(ELEMENT_SCOPE)
"""The choice of the scope of blank nodes' labels, if the dial leaves it open."""


class InternalError(RuntimeError):
    """This evaluator itself failed on a case: a bug of the kit."""


Refusal: TypeAlias = Unsupported | ValueError | LimitExceeded | InternalError
"""Why a case was not judged; one refusal does not lose the others."""
AnswersByVector: TypeAlias = dict[Vector, tuple[Evaluation, ...]]


class CaseResult(NamedTuple):
    """The result for a case.

    Attributes:
        found: a verdict, the answers by z, or why the case was not judged.
        vectors: the members of Z that were traced.
        evaluations: the evaluations of the query.
        distinct: the different contents of windows among them.
    """

    found: Verdict | AnswersByVector | Refusal
    vectors: int = 0
    evaluations: int = 0
    distinct: int = 0


class ShippedCase(NamedTuple):
    """A case on its way to a worker.

    Attributes:
        registration: the query with its setting.
        elements: the elements of its streams.
        observed: the received answers; None asks for the expected answers.
        starts: the only z that is asked for; None for all.
    """

    registration: Registration
    elements: Sequence[PackedElement]
    observed: Sequence[PackedAnswer] | None
    starts: Vector | None


def judge_share(cases: Sequence[ShippedCase], seconds: float) -> list[CaseResult]:
    """Judge cases, which share what they have in common.

    Args:
        cases: the cases.
        seconds: the processor time that each may take.
    """
    allow(seconds)
    shared = Shared()
    results = []
    for case in cases:
        try:
            with limited():
                if case.observed is None:
                    results.append(_CaseJudgement(case, shared).answers())
                else:
                    results.append(_judged(case, shared))
        except (Unsupported, ValueError) as refusal:
            results.append(CaseResult(refusal))
        except LimitExceeded as limit:
            results.append(CaseResult(limit))
            # What was cut off may be half remembered.
            shared = Shared()
        except Exception as error:  # whatever it is, the other cases are still to be judged
            failure = InternalError(f"Spark fails: {type(error).__name__}: {error}")
            results.append(CaseResult(failure))
    return results


def _judged(case: ShippedCase, shared: Shared) -> CaseResult:
    """Definition 26 for a case, also under other readings if it is wrong under the kit's.

    If the case is wrong under all of them, the verdict is that of the nearest (`spec.correctness`).
    As in the reference model it is LeftOpen for too many combinations, and if an answer that is
    wrong under all that were tried depends on a point that has more readings.
    """
    plain = _CaseJudgement(case, shared)
    first = plain.verdict()
    if not isinstance(first.found, Verdict) or first.found.correct or plain.is_astray:
        return first
    tried, nearest = {PLAIN}, plain
    depends: str | None = None
    pending = [plain]
    for before in pending:  # grows as other points are met
        for choice, readings in others(before.readings, before.choices):
            if readings in tried:
                continue
            tried.add(readings)
            if len(tried) > MOST_READINGS:
                return first._replace(found=LeftOpen(told(choice.point)))
            other = _CaseJudgement(case, shared, readings)
            result = other.verdict()
            if not isinstance(result.found, Verdict):
                return result
            found = replace(result.found, readings=taken(readings))
            if found.correct:
                return result._replace(found=found)
            if other.is_nearer_than(nearest):
                nearest, first = other, result._replace(found=found)
            pending.append(other)
            if depends is None and is_sampled(choice.point) and before.differs(other):
                depends = choice.point
    depends = depends or open_data(plain.parts())
    return first if depends is None else first._replace(found=LeftOpen(told(depends)))


class _CaseJudgement:
    """A case that is ready to be evaluated under some readings of open points."""

    def __init__(self, case: ShippedCase, shared: Shared, readings: Readings = PLAIN) -> None:
        self._written = case.registration
        """What is registered, without the readings."""
        case = case._replace(registration=shared.resolved(case.registration, readings))
        self._case, self.readings = case, readings
        self._query = query = shared.registered(case.registration)
        elements = case.elements
        if query.dials.blank_nodes == "element" or (SCOPE, "element") in readings:
            elements = shared.apart(elements)
        elements = shared.units(elements, case.registration.query)
        arrivals = shared.prefilter.arrivals(elements, case.registration)
        self._arrivals, self._elements, self._shared = arrivals, elements, shared
        self._unpacker = shared.unpacker
        last = max([arrival.t for arrival in arrivals[-1:]], default=0)
        starts = query.starts(_first_instants(arrivals), last)
        self._t_s = query.compared_from(starts)
        if case.starts is not None:
            if len(case.starts) != len(starts):
                raise ValueError(
                    f"the t0 vector {case.starts} has {len(case.starts)} entries "
                    f"for {len(starts)} windows"
                )
            starts = tuple((t0,) for t0 in case.starts)
        self._starts = starts
        self._asked = 0
        self._moments = [arrival.t for arrival in arrivals]
        whole = (None, case.registration.until)
        self._stretch = Stretch(
            *(query, arrivals, self._moments, whole, shared), elements=elements, readings=readings
        )
        self._evaluations = 0
        self._nearest: tuple[tuple[int, int], Vector] = (0, 0), ()
        """The rank of the z nearest to a wrong answer, as `verdict` finds it, and that z."""

    @property
    def choices(self) -> Choices:
        """The points that could be read in another way, as far as they were met by now."""
        met = self._stretch.met + choices_about_dots(self._written.query, self._written.background)
        if self._query.dials.blank_nodes == "any" and self._shares_labels():
            return (*met, (SCOPE, ("case", "element")))
        return met

    def parts(self) -> Iterator[object]:
        """All terms and expressions of the case."""
        yield from within(self._query.registration.query)
        yield from within(self._query.registration.background)
        for arrival in self._unpacker.arrivals(self._case.elements):
            for triple in arrival.graph:
                yield from within(triple)

    def _shares_labels(self) -> bool:
        """Whether a label occurs in two elements, or in an element and the background data."""
        background = within(self._query.registration.background)
        seen = {part.label for part in background if isinstance(part, BlankNode)}
        for own in labels(self._case.elements):
            if not seen.isdisjoint(own):
                return True
            seen |= own
        return False

    def differs(self, other: _CaseJudgement) -> bool:
        """Whether the same case under other readings expects another answer for some z."""
        agreement = ContentAgreement(self._query.dials)
        for _, z in likely(self._query, self._arrivals, self._starts, ()):
            mine, theirs = self._stretch.trace(z).due, other._stretch.trace(z).due
            if [due.t for due in mine] != [due.t for due in theirs]:
                return True
            pairs = zip(mine, theirs, strict=True)
            if any(agreement.compared(one.content, two.content) for one, two in pairs):
                return True
        return False

    def _traced(self, z: Vector) -> Trace[Content]:
        trace = self._stretch.trace(z)
        self._asked += 1
        self._evaluations += trace.evaluations
        return trace

    def answers(self) -> CaseResult:
        """Ans(Q_z) for every z."""
        answers: AnswersByVector = {}
        for z in product(*self._starts):
            trace = self._traced(z)
            if trace.refused is not None:
                return self._result(trace.refused)
            answers[z] = tuple([Evaluation(due.t, due.content) for due in trace.due])
        return self._result(answers)

    @property
    def is_astray(self) -> bool:
        """Whether an answer is stamped out of all range, which no reading makes right."""
        assert self._case.observed is not None
        return self._astray(self._unpacker.observed(self._case.observed))

    def verdict(self) -> CaseResult:
        """The verdict: correct iff some z makes the answer right; else the nearest z (decision 49).

        That is the z whose instants the answers have: the fewest are required by one side alone. Of
        several it is the one under which most answers agree before the first difference, and then
        the first.
        """
        query = self._query
        check_stamps(query)
        assert self._case.observed is not None
        observed = self._unpacker.observed(self._case.observed)
        given, astray = self._given(observed), self._astray(observed)
        # Whether left-over answers that appended elements may have triggered are compared.
        ended = query.dials.advances != "clock" and any(one.late for one in given)
        arrivals, last = (self._ended_arrivals, self._latest) if ended else (self._arrivals, None)
        agreement = ContentAgreement(query.dials)
        aligner: Aligner[Content] = Aligner(
            query.dials, self._t_s, lambda due, one: agreement.difference(due.content, one)
        )
        nearest: tuple[tuple[int, int], Vector, Alignment, Trace[Content]] | None = None
        for missed, z in likely(query, arrivals, self._starts, given, last):
            if nearest is not None and missed > nearest[0][0]:
                break
            trace = self._traced(z)
            if trace.unsaid is not None:
                return self._result(trace.unsaid)
            found = aligner.align(trace.due, given)
            if found.right and ended:
                checked = self._checked(z, trace, given, aligner)
                found = found if checked is None else aligner.align(trace.due, checked)
            if found.right and not astray:
                return self._result(Verdict(True, z, self._t_s))
            rank = found.apart, -found.agreed
            if nearest is None or (rank, z) < nearest[:2]:
                nearest = rank, z, found, trace
        assert nearest is not None, "T⁰ is never empty"
        rank, z, found, trace = nearest
        self._nearest = rank, z
        if ended and query.dials.answers != "rows":
            # An answer at the end with a wrong row is reported as that, not as one that is missing.
            checked = self._checked(z, trace, given, aligner, named=not found.right)
            found = found if checked is None else aligner.align(trace.due, checked)
        kind, t = found.kind, found.t
        if astray:
            kind, t = Kind.INSTANT, None if kind is Kind.EXTRA else t
        assert kind is not None
        divergence = Divergence(kind, t, None, None)
        return self._result(Verdict(False, z, self._t_s, divergence))

    def is_nearer_than(self, other: _CaseJudgement) -> bool:
        """Whether a wrong answer is nearer to these readings than to another judgement's."""
        mine, theirs = self._nearest[0], other._nearest[0]
        return mine < theirs or (mine == theirs and self._strange < other._strange)

    @cached_property
    def _strange(self) -> int:
        """The number of received contents that are expected nowhere from the nearest z."""
        _, z = self._nearest
        assert self._case.observed is not None
        due, agreement = self._stretch.trace(z).due, ContentAgreement(self._query.dials)
        return sum(
            all(agreement.compared(own.content, answer.content) for own in due)
            for answer in self._unpacker.observed(self._case.observed)
        )

    def _checked(
        self,
        z: Vector,
        trace: Trace[Content],
        given: Sequence[ReceivedAnswer],
        aligner: Aligner[Content],
        *,
        named: bool = False,
    ) -> list[ReceivedAnswer] | None:
        """The received answers; as late count only those expected after until (decision 22).

        None if no answer is left over, or if the texts leave open what is expected.
        """
        assert self._case.observed is not None
        counted = self._given(self._unpacker.observed(self._case.observed), all_count=True)
        if aligner.align(trace.due, counted).right:
            return None
        after = self._expected_after(z, named=named)
        if after is None:
            return None
        until, tolerance = self._query.registration.until, self._query.dials.time_tolerance
        agreement = ContentAgreement(self._query.dials)

        def is_expected(one: ReceivedAnswer) -> bool:
            timely = one.stamp is None or until - one.stamp <= tolerance
            return timely and any(agreement.difference(due, one) is None for due in after)

        return [
            strict if one.late and not is_expected(one) else one
            for one, strict in zip(given, counted, strict=True)
        ]

    def _expected_after(self, z: Vector, *, named: bool) -> list[Content] | None:
        """The contents that are expected after until, once the kit has appended its elements.

        None if the texts leave some of them open. If a difference only needs a name, open points
        are read in the first way.
        """
        try:
            stretch, starts = self._ended
            z = tuple([own[0] if t0 is None else t0 for t0, own in zip(z, starts, strict=True)])
            trace = stretch.trace(z)
        except (Unsupported, ValueError):
            return None
        if not named:
            self._stretch.met = united(self._stretch.met, stretch.met)
            if any(is_sampled(choice.point) for choice, _ in stretch.met):
                return None
        if trace.unsaid is not None:
            return None
        return [due.content for due in trace.due if due.t > self._query.registration.until]

    @cached_property
    def _ended(self) -> tuple[Stretch, tuple[Starts, ...]]:
        """The case with the appended elements, and T⁰ of every window there."""
        query, shared, arrivals = self._query, self._shared, self._ended_arrivals
        elements = shared.ended(self._elements, self._case.registration)
        moments = [arrival.t for arrival in arrivals]
        whole = (None, self._latest)
        stretch = Stretch(
            *(query, arrivals, moments, whole, shared), elements=elements, readings=self.readings
        )
        return stretch, query.starts(_first_instants(arrivals))

    @cached_property
    def _ended_arrivals(self) -> Sequence[ArrivedElement]:
        """The arrivals of the case with the appended elements."""
        registration = self._case.registration
        elements = self._shared.ended(self._elements, registration)
        return self._shared.prefilter.arrivals(elements, registration)

    def _given(
        self, answers: Sequence[Observed], *, all_count: bool = False
    ) -> list[ReceivedAnswer]:
        """The observed answers as they are compared."""
        query, t_s, arrivals = self._query, self._t_s, self._arrivals
        times = ElementTimes([t for _, t, _, _ in self._case.elements])
        observed = PendingAnswers(query, t_s, times, all_count=all_count)
        observed.add(answers)
        if query.dials.answer_time != "evaluation":
            # What the test points in [a, t_s) may have given can be left out (decision 23).
            observed.early = t_s - query.registration.registered
            if query.stepwise:
                read = query.query.streams()
                own = [a.t for a in arrivals if a.t < t_s and a.stream in read]
                observed.early += len(own) - len(set(own))
            if query.arrival:
                clocks = [[a.t for a in arrivals if a.stream == clock] for clock in query.clocks]
                stamps = [query.stamp(t_s - 1, moments) for moments in (self._moments, *clocks)]
                observed.open_to = max(stamps)
        return observed.take(query.registration.until, end=True).given

    def _astray(self, answers: Sequence[Observed]) -> bool:
        """Whether a stamp is out of all range, and an answer from within the case comes after it.

        A stamp is out of range if no evaluation of the case's elements, or of those that the kit
        appends, can have it. An answer that is only late is not compared.
        """
        query = self._query
        until = query.registration.until
        if query.dials.answer_time == "none":
            return False
        latest = self._latest
        known = [one.t for one in answers if one.t is not None]
        first = next((place for place, stamp in enumerate(known) if stamp > latest), len(known))
        return any(stamp <= until for stamp in known[first:])

    @property
    def _latest(self) -> int:
        """The last instant that an answer may be stamped with (decision 50)."""
        return self._query.latest(max(self._moments[-1:], default=0))

    def _result(self, found: Verdict | AnswersByVector | Refusal) -> CaseResult:
        return CaseResult(found, self._asked, self._evaluations, self._stretch.distinct)


def _first_instants(arrivals: Sequence[ArrivedElement]) -> dict[IRI, int]:
    """The instant of each stream's first element."""
    first: dict[IRI, int] = {}
    for arrival in arrivals:
        first.setdefault(arrival.stream, arrival.t)
    return first


class ContentAgreement:
    """Whether expected and received contents agree; each pair is compared once."""

    def __init__(self, dials: Dials) -> None:
        self._numbers = dials.numbers
        # By identity: both are kept, for it is theirs alone as long as they live.
        self._known: dict[tuple[int, int], tuple[Content, Content, Kind | None]] = {}

    def difference(self, due: Content, given: ReceivedAnswer) -> Kind | None:
        """None if an expected content and a received answer agree, else how they differ."""
        key = (id(due), id(given.content))
        known = self._known.get(key)
        if known is None:
            compared = self.compared(due, given.content)
            known = self._known[key] = due, given.content, compared
        return known[2]

    def compared(self, due: Content, given: Content) -> Kind | None:
        """None if two contents agree, else how they differ."""
        if isinstance(due, Rows) and isinstance(given, Rows) and due.variables == given.variables:
            if due.rows == given.rows:
                return None
            if due.ties is None and Counter(due.rows) == Counter(given.rows):
                return None
        return difference(due, given, self._numbers)


def check_stamps(query: RegisteredQuery) -> None:
    """Make sure that the stamps and the order of expected answers are decided.

    Raises:
        Unsupported: they are open, although answers can be had.
    """
    if query.dials.answers == "rows":
        raise Unsupported("single rows, which the reference model alone judges (answers = rows)")
    if query.arrival and query.query.computed_every is None and mixes_closing(query.dials.report):
        raise Unsupported("arrivals under a report policy that mixes WC with other strategies")
    if query.arrival and query.mixes_closes:
        raise Unsupported("arrivals under WC of windows by time and by count")
    own = query.dials.answer_time == "none" and query.dials.clock == "own"
    if own and len({window.stream for window in query.windows}) > 1:
        raise Unsupported("answers without instants of windows with clocks of their own")
