"""Definition 26 for one long stream whose elements and answers come in chunks.

**What is sought.** The verdict on a stream of any length, in memory that does not grow with it.

**How.** Each chunk is one Spark job: the evaluations of the chunk for every z of Z that is still
right, compared with the answers of their instants. A z that has been wrong once is never evaluated
again. At the end of a chunk Istream and Dstream keep the solutions of each z's last evaluation.

**What it guarantees.** The verdict is that of judging everything at once, except for two things
that are seen only from afar: an answer whose instant was judged before it came counts as an extra
one, and if an expected answer and the one received in its place are on two sides of a chunk's end,
the finding is a missing or an extra answer, not one at a wrong instant. Of the points that the
texts leave open one reading is tried: where another one would change what counts, there is no
verdict.

**What it costs.** Most members of Z are wrong at once if the engine is right for one. So of a long
chunk a little is judged first (`PROBE`), and the rest only for those that are left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from rsp_conformance.model.answers import Content, Observed
from rsp_conformance.model.appended import appended
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, starts_with_an_element
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.verdict import Divergence, Kind, Vector, Verdict
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spark.job import run, shares_of
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream.buffer import StreamBuffer
from rsp_conformance.spark.worker.alignment import Aligner, Alignment, ReceivedAnswer
from rsp_conformance.spark.worker.contents import counted_streams
from rsp_conformance.spark.worker.evaluations import Trace
from rsp_conformance.spark.worker.judge import ContentAgreement, check_stamps
from rsp_conformance.spark.worker.observed import ElementTimes, PendingAnswers
from rsp_conformance.spark.worker.registered import RegisteredQuery, Registration
from rsp_conformance.spark.worker.slices import Matcher, Matches, joined, trace_share
from rsp_conformance.sparql.dots import choices_about_dots
from rsp_conformance.sparql.open_points import DOTS, ELEMENT_SCOPE, told
from rsp_conformance.sparql.relation import Relation

PROBE = 4
"""The first stretch is so many times the reach of a window; it tells most of Z apart."""

SLICES = 4
"""The slices per core, so that none waits long for another."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a case after a chunk.

    Attributes:
        upto: the instant up to which it is judged.
        alive: the members of Z that are right up to there.
        verdict: correct if there is one; else the difference for the one that agreed longest.
        evaluations: the number of evaluations of Q_z so far, over all z.
    """

    upto: int
    alive: tuple[Vector, ...]
    verdict: Verdict
    evaluations: int


class LongJudge:
    """The judge of one case; its memory does not grow with the stream.

    Args:
        spark: the session.
        case: the case, without elements: they come with ``take``, in order, as do the answers.
        dials: the dials in force.
        first: every stream's first instant, for a dial ``t0`` that starts windows there.
        last: the last element's instant, if that is after ``until``: none that the kit appends is
            earlier.

    Raises:
        Unsupported: the case can't be judged in chunks, or not at all.
        ValueError: query and dials do not fit together.
    """

    def __init__(
        self,
        spark: SparkHandle,
        case: Case,
        dials: Dials,
        *,
        first: Mapping[IRI, int] | None = None,
        last: int = 0,
    ) -> None:
        _check(case, dials, first)
        query = RegisteredQuery(Registration.of(case, dials))
        if len(query.clocks) > 1 or (query.clocks and mentions(query.policy, "COMPUTED EVERY")):
            raise Unsupported("several clocks over streams in chunks (clock = own)")
        # Where one stream's clock triggers everything, its arrivals are all that counts.
        dials = replace(dials, clock="any")
        registration = query.registration._replace(dials=dials)
        self._spark = spark
        self._case = case
        self._dials = dials
        self._query = RegisteredQuery(registration, query.plan)
        check_stamps(self._query)
        if self._query.by_elements:
            raise Unsupported("new elements of a stream in chunks (r2s = elements)")
        self._first = dict(first or {})
        starts = self._query.starts(self._first, last)
        self._t_s = t_s = self._query.compared_from(starts)
        self._vectors: list[Vector] = list(product(*starts))
        self._alive = list(range(len(self._vectors)))
        self._ends: dict[int, Alignment] = {}
        """Where a z has parted from the answers, and how many answers agreed before."""
        self._agreed = dict.fromkeys(self._alive, 0)
        self._flags: dict[int, Unsupported] = {}
        self._evaluations = 0
        self._held = StreamBuffer(self._query, query.clocks)
        self._labelled = False
        """Whether the answer may be right under another scope of blank nodes."""
        self._singly, _ = counted_streams(case.query)
        self._times = ElementTimes()
        self._answers = PendingAnswers(self._query, t_s, self._times)
        timed = [isinstance(window, SlidingWindow) for window in self._query.windows]
        options = [t0 for own, by_time in zip(starts, timed, strict=True) if by_time for t0 in own]
        # What comes as the query is registered may be new to windows of other kinds (decision 1).
        origins = [case.registered - (not all(timed)), *options]
        self._origin = min([t for t in origins if t is not None])
        self._evaluated = self._origin
        """Up to where Q_z has been evaluated."""
        self._upto = self._judged = case.registered - 1
        """Up to where all is known, and up to where it is judged."""
        self._last_t = case.registered
        self._tests = (t_s - case.registered, -1)
        """Test points before t_s, and the last instant that had an element among them."""
        self._carried: dict[int, Relation | None] = {}
        """The solutions of the last evaluation of z, where the next answer depends on them."""
        self._finished = False

    def take(
        self, elements: Sequence[StreamElement], observed: Sequence[Observed], upto: int
    ) -> Standing:
        """Judge up to an instant.

        Args:
            elements: further elements.
            observed: further answers.
            upto: the instant. All elements up to it have been given now or before, and so have all
                answers for evaluations with stamps up to it; later ones may be among them.

        Raises:
            ValueError: time runs backwards.
            Unsupported: the evaluator does not cover the query, or SPARQL leaves its answer open.
        """
        self._add(elements, observed)
        if upto < self._upto:
            raise ValueError(f"judged up to {upto}, after {self._upto}: time never runs backwards")
        # Where nothing follows an evaluation its stamp is until, and that is known at the end only.
        self._upto = min(upto, self._case.until - (self._dials.answer_time == "arrival"))
        if self._opening_known():
            self._judge_up_to(self._upto, end=False)
        return self.standing

    def finish(
        self, elements: Sequence[StreamElement] = (), observed: Sequence[Observed] = ()
    ) -> Standing:
        """Judge up to the case's ``until``, with the last elements and answers.

        Elements that were appended to the case are not its elements; answers that they trigger
        are given here.

        Args:
            elements: the last elements.
            observed: the last answers.

        Raises:
            ValueError, Unsupported: as ``take`` does.
        """
        self._add(elements, observed)
        self._upto = self._case.until
        self._finished = True
        self._open(end=True)
        self._judge_up_to(self._upto, end=True)
        return self.standing

    @property
    def standing(self) -> Standing:
        """The state of the case."""
        return Standing(
            self._judged,
            tuple(self._vectors[z] for z in self._alive),
            self._verdict(),
            self._evaluations,
        )

    def _add(self, elements: Sequence[StreamElement], observed: Sequence[Observed]) -> None:
        if self._finished:
            raise ValueError("the case is judged to its end; nothing can be added")
        read = {w.stream for w in self._query.windows}
        for element in elements:
            if element.t < self._last_t or element.t <= self._upto:
                raise ValueError(
                    f"an element of {element.stream!r} at {element.t} comes after all up to "
                    f"{max(self._last_t - 1, self._upto)} was given: time never runs backwards"
                )
            self._last_t = element.t
            if self._query.stepwise and element.t < self._t_s:
                tests, last = self._tests
                if element.stream in read:
                    # An instant has a test point after each unit, and one if it has none.
                    units = len(element.graph) if element.stream.value in self._singly else 1
                    self._tests = (tests + units - (element.t != last), element.t)
        if self._alive:
            self._held.add(elements)
            self._labelled = self._held.labelled and self._dials.blank_nodes == "any"
        self._times.add([element.t for element in elements])
        self._answers.add(observed)

    def _opening_known(self) -> bool:
        """Whether it is known up to where answers from before t_s may come (decision 21)."""
        return not self._alive or self._upto < self._t_s or self._open(end=False)

    def _open(self, *, end: bool) -> bool:
        t_s, until = self._t_s, self._case.until
        waiting = self._answers
        if self._dials.answer_time != "arrival" or t_s <= self._case.registered:
            return True
        if waiting.open_to is None:
            moments = self._held.moments
            next_moment = bisect_left(moments, t_s - 1 + self._query.delay)
            if next_moment == len(moments) and not end:
                return False
            later = [*moments[next_moment : next_moment + 1], until]
            if not end and min(later) > self._upto:
                return False
            waiting.open_to = min(later)
            waiting.early = self._tests[0]
        return True

    def _judge_up_to(self, upto: int, *, end: bool) -> None:
        """Judge up to an instant; if much is new, a little of it first.

        Most members of Z are wrong at once if the engine is right for one. They need not be
        evaluated over a long chunk.
        """
        opening = max(self._t_s, self._answers.open_to or 0)
        little = opening + PROBE * self._held.reach
        if len(self._alive) > 1 and self._judged < opening and little * 2 < opening + upto:
            self._judge(little, self._range_end(little), end=False)
        self._judge(upto, self._case.until if end else self._range_end(upto), end=end)

    def _range_end(self, upto: int) -> int:
        """The last instant whose evaluations have stamps up to another."""
        if self._dials.answer_time != "arrival":
            return upto
        moments = self._held.moments
        come = bisect_right(moments, upto)
        if come == 0:
            return self._evaluated
        # An evaluation at t bears the first arrival at t plus the delay.
        last: int = moments[come - 1] - self._query.delay
        return max(self._evaluated, min(last, self._case.until))

    def _judge(self, upto: int, until: int, *, end: bool) -> None:
        """Evaluate up to ``until``, and compare with the answers stamped up to ``upto``."""
        taken = self._answers.take(upto, end=end)
        if self._alive:
            self._compare(taken.given, until, end=end)
            self._evaluated, self._judged = until, upto
            self._held.drop(until)
            if not self._alive:
                self._held = StreamBuffer(self._query)
        if taken.late:
            self._add_late(min(taken.late))
        self._times.drop(upto)
        self._check_flags()

    def _compare(self, given: Sequence[ReceivedAnswer], until: int, *, end: bool) -> None:
        """Compare every z that is alive with the answers up to an instant."""
        matcher = Matcher(self._dials, given)
        aligner = Aligner(self._dials, self._t_s, matcher.difference)
        vectors = [self._vectors[z] for z in self._alive]
        traces = self._traced(vectors, (self._evaluated, until), given, matcher)
        for z, trace in traces.items():
            self._carried[z] = trace.last
            self._evaluations += trace.evaluations
            if trace.unsaid is not None:
                self._flags[z] = trace.unsaid
        later: dict[int, list[Content]] = {}
        if end and self._dials.advances == "elements" and any(one.late for one in given):
            later = self._expected_later()
        for z, trace in traces.items():
            received = given
            if z in later:
                received = [*self._checked(given, later[z])]
            self._note(z, aligner.align(trace.due, received))
        self._alive = [z for z in self._alive if z not in self._ends]

    def _traced(
        self,
        vectors: Sequence[Vector],
        stretch: tuple[int, int],
        given: Sequence[ReceivedAnswer],
        matcher: Matcher,
    ) -> dict[int, Trace[Matches]]:
        """Trace every z that is alive, on Spark.

        Args:
            vectors: the starts of each.
            stretch: after which instant and until which one.
            given: the received answers of its stamps.
            matcher: finds those that agree.
        """
        slices = list(
            self._held.slices(
                *stretch,
                vectors,
                given,
                first=stretch[0] == self._origin,
                parts=SLICES * self._spark.partitions,
            )
        )
        shares = shares_of(slices, self._spark.partitions)
        found = run(self._spark, trace_share, shares) if slices else []
        traces: dict[int, Trace[Matches]] = {}
        for number, z in enumerate(self._alive):
            of_z = [of_slice[number] for of_slice in found]
            traces[z] = joined(self._query, of_z, self._carried.get(z), matcher)
        return traces

    def _expected_later(self) -> dict[int, list[Content]]:
        """What is expected after ``until`` of every z, once the kit has appended its elements.

        Left out is every z for which the texts leave that open.
        """
        ends = appended(self._case, self._last_t)
        self._held.add(ends)
        starts = self._query.starts({own.stream: own.t for own in ends} | self._first)
        vectors = [
            tuple([own[0] if t0 is None else t0 for t0, own in zip(z, starts, strict=True)])
            for z in (self._vectors[number] for number in self._alive)
        ]
        after = self._case.until, self._query.latest(self._last_t)
        traces = self._traced(vectors, after, (), Matcher(self._dials, ()))
        return {
            z: [due.content.content for due in trace.due if due.content.content is not None]
            for z, trace in traces.items()
            if trace.unsaid is None
        }

    def _checked(
        self, given: Sequence[ReceivedAnswer], later: Sequence[Content]
    ) -> Iterator[ReceivedAnswer]:
        """The received answers; as late count only those expected after ``until`` (decision 22)."""
        agreement = ContentAgreement(self._dials)
        for one in given:
            timely = one.stamp is None or one.stamp >= self._case.until
            if one.late and not (timely and any(not agreement.difference(d, one) for d in later)):
                yield one._replace(late=False)
            else:
                yield one

    def _note(self, z: int, outcome: Alignment) -> None:
        self._agreed[z] += outcome.agreed
        if not outcome.right:
            self._ends[z] = outcome._replace(agreed=self._agreed[z])
            del self._carried[z]

    def _add_late(self, t: int) -> None:
        """Take in an answer whose instant was judged before it came: no z has a use for it."""
        for z in range(len(self._vectors)):
            end = self._ends.get(z)
            if end is None or end.t is None or end.t > t:
                self._ends[z] = Alignment(False, self._agreed[z], t, Kind.EXTRA)
        self._alive = []

    def _check_flags(self) -> None:
        """Refuse a case if its first z that may be right has an answer that is left open."""
        standing = sorted({*self._alive, *self._flags})
        if standing and standing[0] in self._flags:
            raise self._flags[standing[0]]
        if not self._alive and self._labelled:
            raise LeftOpen(told(ELEMENT_SCOPE))
        if not self._alive and choices_about_dots(self._case.query, self._case.background):
            raise LeftOpen(told(DOTS))

    def _verdict(self) -> Verdict:
        if self._alive:
            return Verdict(True, self._vectors[self._alive[0]], self._t_s)

        def rank(z: int) -> tuple[int, int, int]:
            end = self._ends[z]
            return self._case.until + 1 if end.t is None else end.t, end.agreed, -z

        nearest = max(self._ends, key=rank)
        end = self._ends[nearest]
        divergence = Divergence(self._kind(end), end.t, None, None)
        return Verdict(False, self._vectors[nearest], self._t_s, divergence)

    def _kind(self, end: Alignment) -> Kind:
        """The kind of a chunk's difference, seen from the whole."""
        assert end.kind is not None
        if self._answers.untimed:
            return Kind.INSTANT
        if end.kind in (Kind.SILENT, Kind.MISSING):
            return Kind.MISSING if self._answers.required else Kind.SILENT
        return end.kind


def _check(case: Case, dials: Dials, first: Mapping[IRI, int] | None) -> None:
    """Refuse a case that is not judged in chunks."""
    if case.elements:
        raise ValueError("the elements of a long case come in chunks, not with the case")
    if dials.answers == "rows":
        raise Unsupported("single rows over a stream in chunks (answers = rows)")
    if dials.answer_time == "none":
        raise Unsupported("answers without instants over a stream in chunks (answer_time = none)")
    if dials.time_tolerance:
        raise Unsupported("a stream in chunks judged with a time_tolerance")
    if starts_with_an_element(dials.t0) and first is None:
        raise ValueError(f"t0 = {dials.t0}: give the first instant of every stream")
