"""One recording judged: by the papers' profile, by its best reading, and by the oracle's criterion.

The best reading is the one under which the recording is correct, or under which it is least wrong.
Searched are the bounds of the windows, every legal t0, and every reading of stamps and relations
(``readings``). Of readings that make the recording correct the one wins that departs least from
the profile and from the recording; of a wrong recording's, the one with the fewest rows that
differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import ceil
from typing import Any, TypeAlias

from rsp_conformance.corpora.csrbench.agreement import (
    RecordingAgreement,
    agreement,
    content_bag,
)
from rsp_conformance.corpora.csrbench.benchmark import (
    SECOND,
    Benchmark,
    Recording,
    operator_of,
    read_data,
)
from rsp_conformance.corpora.csrbench.containment import Containment, contained
from rsp_conformance.corpora.csrbench.queries import BenchmarkQuery
from rsp_conformance.corpora.csrbench.readings import Reading, read, readings
from rsp_conformance.model.answers import Evaluation, Observed, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import BOUNDS, Bounds, Dials
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.alignment import compare
from rsp_conformance.spec.correctness import judge, rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation, Relations

_PRINTED: dict[Bounds, Bounds] = {"(o,c]": "[o,c)", "[o,c)": "(o,c]"}
"""The bounds of RSP-QL and those of SECRET and CSRBench, each beside the other."""

_Answers: TypeAlias = dict[tuple[Evaluation, ...], tuple[Vector, ...]]


@dataclass(frozen=True, slots=True)
class Fit:
    """A recording under one reading: the dials, all t0 that serve equally, and what is observed.

    ``agreement`` is None where the recording is correct. ``counterpart`` is, for a wrong
    one, the best with the same reading of stamps and the other bounds that the papers print.
    """

    dials: Dials
    starts: tuple[Vector, ...]
    reading: Reading
    observed: tuple[Observed, ...]
    departures: int = 0
    agreement: RecordingAgreement | None = None
    counterpart: Fit | None = None

    @property
    def correct(self) -> bool:
        """Whether the recording is correct under this reading."""
        return self.agreement is None

    @property
    def rank(self) -> tuple[int, ...]:
        """Less is better."""
        differing = 0 if self.agreement is None else self.agreement.cost
        return differing, self.departures, self.reading.tolerance


@dataclass(frozen=True, slots=True)
class JudgedRecording:
    """What is said of one engine's recorded answers to one query.

    ``strict`` is Definition 26's verdict under the profile and the recording as it is, with the
    nearest z; ``fit`` is the best reading; ``containment`` what csrbench-oracle's criterion says.
    """

    engine: str
    query: BenchmarkQuery
    case: Case
    strict: Fit
    fit: Fit
    containment: Containment


def case_of(
    benchmark: Benchmark, query: BenchmarkQuery, profile: Profile, recording: Recording
) -> tuple[Case, Dials]:
    """The case of QUERY over the benchmark's stream for an engine under PROFILE, and its dials.

    It ends when no window can hold an element of the stream any more (a width and a slide after the
    last), or with the recording if that is later. So an engine that stops with the stream lacks the
    answers of the windows that close after it, and nothing that it gives goes uncompared.

    Raises:
        FileError: the stream cannot be read, or not in the profile's unit.
    """
    base = profile.base
    algebra = query.rspql(named=base.windows_in == "named", operator=operator_of(base))
    dials = profile.dials(algebra)
    elements = read_data(benchmark.data, dials.unit)
    stamps = [ceil(answer.t / dials.unit) for answer in recording if answer.t is not None]
    last = max((element.t for element in elements), default=0)
    reach = max(w.reach for w in algebra.sliding_windows(dials.unit))
    return Case(algebra, elements, until=max([last + reach, *stamps])), dials


def judge_recording(
    benchmark: Benchmark, engine: str, query: BenchmarkQuery, profile: Profile, recording: Recording
) -> JudgedRecording:
    """RECORDING, what ENGINE answered to QUERY, in every way that the benchmark is judged here.

    Raises:
        FileError: the stream cannot be read.
        Unsupported: an answer that cannot be judged under PROFILE.
    """
    case, dials = case_of(benchmark, query, profile, recording)
    search = _Search(case, dials, recording)
    stream = read_data(benchmark.data)
    found = contained(query, stream=stream, dials=dials, recording=recording)
    return JudgedRecording(engine, query, case, search.strict(), search.best(), found)


class _Search:
    """The readings of RECORDING, an answer to CASE by an engine with DIALS.

    Ans(Q_z) under each bounds is evaluated when it is first asked for.
    """

    def __init__(self, case: Case, dials: Dials, recording: Recording) -> None:
        self._case = case
        self._dials = dials
        self._recording = recording
        self._relations: Relations = {}
        self._answers = cache(self._answers_by)
        self._counts = cache(self._expects_rows)
        self._rows_expected = cache(partial(_rows, dials=dials))

    def strict(self) -> Fit:
        """The profile's verdict on the recording as it is."""
        dials = self._dials
        expectation = Expectation(self._case, dials, self._relations)
        reading, observed = read(self._recording, Reading(), dials.unit)
        verdict = judge(self._case, dials, observed, expectation)
        fit = Fit(dials, (verdict.t0,), reading, observed)
        if verdict.correct:
            return fit
        due = expectation.answer(verdict.t0)
        return replace(fit, agreement=agreement(due, observed, self._case, dials))

    def best(self) -> Fit:
        """The best-fitting reading."""
        unit = self._dials.unit
        right = self._tried(range(0, SECOND + unit, unit))
        # Of equals the first is kept: the profile's bounds, and the plainest reading.
        for tried in sorted(right, key=lambda fit: fit.rank):
            if self._counts(tried.dials.bounds) and (starts := self._starts(tried)):
                return replace(tried, starts=starts)
        best: Fit | None = None
        for tried in self._tried((0, SECOND)):
            if self._counts(tried.dials.bounds):
                best = self._less_wrong(tried, best)
        assert best is not None, "there are bounds, a t0, and a reading"
        if best.dials.bounds not in _PRINTED:
            return best
        turned = replace(best.dials, bounds=_PRINTED[best.dials.bounds])
        return replace(best, counterpart=self._less_wrong(replace(best, dials=turned)))

    def _tried(self, tolerances: Sequence[int]) -> list[Fit]:
        """Every reading under all bounds, with the TOLERANCES of milliseconds."""
        return [
            Fit(
                self._turned(bounds, tolerance),
                (),
                replace(reading, tolerance=tolerance),
                observed,
                (bounds != self._dials.bounds) + reading.departures + bool(tolerance),
            )
            for bounds in sorted(BOUNDS, key=lambda bounds: bounds != self._dials.bounds)
            for reading, observed in readings(self._recording, self._dials.unit)
            for tolerance in tolerances
        ]

    def _turned(self, bounds: Bounds, tolerance: int) -> Dials:
        instants = max(self._dials.time_tolerance, tolerance // self._dials.unit)
        return replace(self._dials, bounds=bounds, time_tolerance=instants)

    def _answers_by(self, bounds: Bounds) -> _Answers:
        """The vectors z under BOUNDS by Ans(Q_z)."""
        turned = replace(self._dials, bounds=bounds)
        expectation = Expectation(self._case, turned, self._relations)
        answers: _Answers = {}
        for vector in rspql_queries(self._case, turned):
            expected = expectation.answer(vector)
            answers[expected] = (*answers.get(expected, ()), vector)
        return answers

    def _expects_rows(self, bounds: Bounds) -> bool:
        """Whether rows are due under BOUNDS for some z, if they are under the profile's.

        A window (o,c) of one instant holds nothing: silence must not fit that way.
        """
        some, own = (
            any(not is_empty(e.content) for expected in self._answers(of) for e in expected)
            for of in (bounds, self._dials.bounds)
        )
        return some or not own

    def _starts(self, tried: Fit) -> tuple[Vector, ...]:
        """Every z under which the recording is correct as TRIED."""
        case, dials, observed = self._case, tried.dials, tried.observed
        start, slack = t_s(case, dials), dials.time_tolerance
        first, last = start + slack, case.until - slack
        compared = [own for own in observed if own.t is not None and first <= own.t <= last]
        rows = _rows(compared, dials)
        found = [
            vector
            for expected, vectors in self._answers(dials.bounds).items()
            if rows <= self._rows_expected(expected)
            and compare(expected, observed, case, dials, start).divergence is None
            for vector in vectors
        ]
        return tuple(sorted(found, key=lambda vector: tuple(t or 0 for t in vector)))

    def _less_wrong(self, tried: Fit, best: Fit | None = None) -> Fit | None:
        """TRIED with the z under which it agrees best, or BEST where that is as good."""
        start, until = t_s(self._case, tried.dials), self._case.until
        given = _rows(
            [o for o in tried.observed if o.t is None or start <= o.t <= until], self._dials
        )
        for expected, vectors in self._answers(tried.dials.bounds).items():
            if best is not None:
                due = self._rows_expected(tuple([e for e in expected if start <= e.t <= until]))
                # A pairing costs at least the rows that one side alone has, at whatever instant.
                least = ((due - given) + (given - due)).total()
                if (least, *tried.rank[1:]) >= best.rank:
                    continue
            parted = agreement(expected, tried.observed, self._case, tried.dials)
            fit = replace(tried, starts=vectors, agreement=parted)
            best = fit if best is None or fit.rank < best.rank else best
        return best


def _rows(answers: Iterable[Evaluation | Observed], dials: Dials) -> Counter[Any]:
    """All rows of some answers: a recording with others than those due is wrong at any instant."""
    rows = Counter[Any]()
    for own in answers:
        rows.update(content_bag(own.content, dials.numbers))
    return rows
