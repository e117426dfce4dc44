"""Relations between a case and the same case at other times, seen later, or cut at some time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, inf, lcm

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import FLOORS, Dials
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.policy import mentions, negates
from rsp_conformance.model.trial import Stimulus, Trial, Variant, pair
from rsp_conformance.model.windows import by_time
from rsp_conformance.relations.comparison import first_compared, first_difference, retimed_answer
from rsp_conformance.relations.conditions import (
    at_evaluations,
    by_declaration,
    once_an_instant,
    periods,
    settings,
    stamped,
)
from rsp_conformance.relations.drawing import ANYTHING, MIXED, cases
from rsp_conformance.relations.relation import Draws, described
from rsp_conformance.strategies.clock import (
    EPOCH_MILLISECONDS,
    SIGNED_32,
    not_scalable,
    retimed,
)
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.other_windows import COUNTED, OTHER
from rsp_conformance.strategies.windows import lag_of, slide_of, width_of
from rsp_conformance.strategies.written import changed
from rsp_conformance.text.languages import LANGUAGES

# Shift

NEAR = (1, 2, 3, 10)
"""How many common multiples later everything comes."""

FAR = (100, 1_000, 10_000, 100_000)
"""Further factors, unless windows start at a number, from which the engine would have to count."""

EPOCHS = (SIGNED_32, EPOCH_MILLISECONDS)
"""The least shifts beyond those, in instants: past 32 bits, and to milliseconds since 1970."""


def _numbered(dials: Dials) -> str | None:
    if isinstance(dials.t0, int) and dials.answer_time != "evaluation":
        return "windows start at a number, and answers do not say of which instant they are"
    return None


def _shifts(subject: EngineUnderTest) -> Draws:
    numbered = isinstance(subject.profile.base.t0, int)
    drawn = cases(subject, MIXED, ANYTHING - {"istream", "dstream"} if numbered else ANYTHING)

    def make(draw: st.DrawFn) -> Trial:
        later = pick(draw, NEAR if numbered else (*NEAR, *FAR, *EPOCHS, *EPOCHS))
        case = drawn(draw)
        multiple = common(case, subject.dials(case))
        by = -(-later // multiple) * multiple if later in EPOCHS else later * multiple
        return pair(case, retimed(case, lambda t: t + by), f"everything {by} later")

    return make


def common(case: Case, dials: Dials) -> int:
    """Return the least common multiple of all slides and periods of a case, in instants."""
    slides = [window.slide for window in by_time(case.query.resolved_windows(dials))]
    every = case.query.period(dials.unit)
    floor = [dials.t0.multiple] if isinstance(dials.t0, FLOORS) else []
    return lcm(*slides, *periods(dials), *floor, *([every] if every else []))


def _unlike_shifted(trial: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    case, other = (variant.case for variant in trial.variants)
    by = other.registered - case.registered
    labels = ("the case", f"the same case {by} later, taken back,")
    settled = _settled(case, observations[0].dials)
    return first_difference(observations, labels, retimed_answer(lambda t: t - by), low=settled)


def _settled(case: Case, dials: Dials) -> float:
    """From when on windows that start at a number coincide with those that started before it."""
    if not isinstance(dials.t0, int):
        return -inf
    windows = by_time(case.query.resolved_windows(dials))
    return dials.t0 + max((w.reach for w in windows), default=0) + 2


SHIFT = described("shift", _shifts, _unlike_shifted, conditions=(_numbered,))
"""A case shifted by n·β, where β is the common multiple of all slides and periods.

A t0 that is a number is not shifted, so the shifted windows have a past that the others lack. Then
only instants count at which each window has opened once and moved on (Theorem 1's limit), and only
operators that do not look at the evaluation before.
"""


# Prefix


def _prefixes(subject: EngineUnderTest) -> Draws:
    drawn = cases(subject)

    def make(draw: st.DrawFn) -> Trial:
        back = pick(draw, (1, 2, 3, 4, 5, 6))
        case = drawn(draw)
        return pair(case, cut(case, back), "without what comes later")

    return make


def cut(case: Case, back: int) -> Case:
    """Return a case that ends at the ``back``-th last of its elements' instants."""
    instants = sorted({element.t for element in case.elements})
    end = instants[-min(back, len(instants))] if instants else case.registered
    elements = tuple(element for element in case.elements if element.t <= end)
    return changed(case, elements=elements, until=end)


def _unlike_prefix(trial: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    end = trial.variants[1].case.until
    last = end if observations[0].dials.answer_time == "evaluation" else end - 1
    return first_difference(
        observations, ("the whole stream", f"the stream until {end}"), high=last
    )


PREFIX = described("prefix", _prefixes, _unlike_prefix, conditions=(stamped, by_declaration))
"""A case cut after an instant c, elements and ``until`` alike: no engine knows the future.

Every answer at an instant up to c depends on elements up to c alone. If answers carry the arrival
that triggered them, the answers of c itself wait for arrivals that never come in the cut case, so
only the answers before c are compared.
"""


# Units


def _whole_seconds(subject: EngineUnderTest) -> str | None:
    if LANGUAGES[subject.hello.language].in_whole_seconds(subject.hello.dialect) and any(
        unit % 1000 for unit in units(subject.profile.base)
    ):
        return "the dialect writes durations in seconds, which cannot be halved"
    return None


def units(dials: Dials) -> tuple[int, int]:
    """Return the unit of a case and that of the doubled case, which is half as long, in ms."""
    unit = dials.unit
    return (unit, unit // 2) if unit % 2 == 0 else (2 * unit, unit)


def _doublings(subject: EngineUnderTest) -> Draws:
    waits = any(dials.window != "active" for dials in settings(subject))
    counted = COUNTED if waits else frozenset()
    drawn = cases(subject, features=ANYTHING - {"now-window"} - counted)
    whole, half = units(subject.profile.base)
    label = f"all times doubled, {half} ms an instant instead of {whole}"

    def make(draw: st.DrawFn) -> Trial:
        case = drawn(draw)
        other = Variant(label, Stimulus(doubled(case), unit=half), scale=2)
        return Trial((Variant("as it is", Stimulus(case, unit=whole)), other))

    return make


def doubled(case: Case) -> Case:
    """Return a case with every number of instants doubled."""
    every = case.query.computed_every
    windows = []
    for own in case.query.windows:
        timed = own.is_by_time
        windows.append(
            replace(
                own,
                width=2 * width_of(own),
                slide=2 * slide_of(own),
                lag=None if own.lag is None else 2 * lag_of(own),
            )
            if timed
            else own
        )
    query = replace(
        case.query,
        windows=tuple(windows),
        computed_every=2 * every if isinstance(every, int) else every,
    )
    # A graph begins at a new instant, between two old ones; it stands for the later of the two.
    return retimed(changed(case, query=query), lambda t: 2 * t, since=lambda t: 2 * t - 1)


def _unlike_doubled(_: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    labels = ("the case", "the doubled case, its instants halved,")
    # Two instants stand for an old one, and the earlier of them may not be compared.
    start = ceil((first_compared(observations[1]) + 1) / 2)
    return first_difference(observations, labels, retimed_answer(lambda t: ceil(t / 2)), low=start)


UNITS = described(
    "units", _doublings, _unlike_doubled, conditions=(not_scalable,), refuses=_whole_seconds
)
"""Twice as many units of half the length are the same times.

There are new instants between the old ones, at which nothing may be evaluated. So the policy has to
wait for window closes or for the query's COMPUTED EVERY. Under ``last-closed`` the evaluation after
a close at c comes at 2c + 1, which stands for c + 1. Windows by count do not wait so: one
evaluation at c + 1 would become two, at 2c + 1 and at 2c + 2. NOW closes at every instant, at the
new ones too.
"""


# Delayed


def _early(dials: Dials) -> bool:
    """Whether a query may be evaluated before its windows in the past have started."""
    policy = dials.report
    starts = isinstance(dials.t0, int)
    return starts or negates(policy) or mentions(policy, "COMPUTED EVERY")


def _delays(subject: EngineUnderTest) -> Draws:
    early = any(map(_early, settings(subject)))
    remembering = {"istream", "dstream"} if early else set()
    drawn = cases(subject, MIXED, ANYTHING - OTHER - remembering)
    # What is evaluated before it sees anything would be so at every instant of a long lag.
    lags = NEAR if early else (*NEAR, *FAR, SIGNED_32)

    def make(draw: st.DrawFn) -> Trial:
        later = pick(draw, lags)
        case = drawn(draw)
        multiple = common(case, subject.dials(case))
        lag = -(-later // multiple) * multiple if later == SIGNED_32 else later * multiple
        delayed = retimed(case, lambda t: t + lag)
        return pair(delayed, seen_late(delayed, case, lag), f"{lag} sooner, and seen {lag} late")

    return make


def seen_late(delayed: Case, case: Case, lag: int) -> Case:
    """Return a case over windows in the past that answers as a case whose data comes later does.

    Args:
        delayed: the case whose data comes later.
        case: the same case with its elements and its registration ``lag`` instants sooner.
        lag: how long before the present the windows end.
    """
    windows = tuple(replace(window, lag=lag) for window in delayed.query.windows)
    query = replace(delayed.query, windows=windows)
    return changed(delayed, query=query, elements=case.elements, registered=case.registered)


def _unlike_delayed(trial: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    labels = ("the case", "the case with windows in the past")
    case, late = (variant.case for variant in trial.variants)
    # Evaluations begin after the registration, which the other case has behind it then.
    low = max(case.registered + 1, _settled(late, observations[0].dials))
    return first_difference(observations, labels, low=low)


DELAYED = described(
    "delayed",
    _delays,
    _unlike_delayed,
    features=("select", "past-windows"),
    conditions=(at_evaluations, once_an_instant),
)
"""A window with the lag δ over a stream is the plain window over the stream delayed by δ.

So elements and registration come δ sooner, and every window has the lag δ; answers, background data
and the end stay where they are. Windows that start on a grid, periods and COMPUTED EVERY fit if δ
is a multiple of them. An engine that evaluates a query before its windows in the past have started
has more evaluations before the first one that is compared, so it gets no ISTREAM and no DSTREAM.
Answers must carry the instants of their evaluations, because what triggers them comes sooner. An
instant must have a single evaluation, because elements that came one by one are seen together a lag
later.
"""
