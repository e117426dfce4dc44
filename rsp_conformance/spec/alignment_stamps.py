"""The stamps at which answers are compared (decisions 20 to 23).

The dial ``answer_time`` decides what the instant of an answer means: the instant of its evaluation,
or that of the element whose arrival triggered it. Under ``clock = own`` the windows of each stream
have a clock of their own, driven by the elements of that stream.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.appended import appended
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import (
    And,
    Not,
    Or,
    Policy,
    Strategy,
    StrategyKind,
    mentions,
    strategies,
)
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import by_time
from rsp_conformance.spec.policies import closes_by_count, looked_at, policy_of
from rsp_conformance.spec.reporting import Reporter, TestPoint

_LOOKING: Final[tuple[StrategyKind, ...]] = ("WC", "NC", "CC", "P")
"""The strategies that look at windows."""


def arrival(t: int, case: Case, dials: Dials) -> int:
    """The stamp of an evaluation at `t`: the first arrival that triggers it, else ``until``.

    Args:
        t: the instant of the evaluation.
        case: the query and its data.
        dials: the setting of the dials that is judged by.
    """
    return _instant(_trigger(t, case, dials), case)


def expected_stamp(evaluation: Evaluation, case: Case, dials: Dials) -> int:
    """The instant at which an expected evaluation is compared.

    Args:
        evaluation: the expected evaluation; its own trigger counts, if it has one.
        case: the query and its data.
        dials: the setting whose dial ``answer_time`` decides.
    """
    if dials.answer_time != "arrival":
        return evaluation.t
    if evaluation.trigger is None:
        return arrival(evaluation.t, case, dials)
    return evaluation.trigger[0]


def latest_stamp(t: int, case: Case, dials: Dials) -> int:
    """The latest stamp that an evaluation at `t` may have, whichever element triggers it.

    If windows have their own clocks, it may be triggered on the streams of the windows that the
    policy looks at.

    Args:
        t: the instant of the evaluation.
        case: the query and its data.
        dials: the setting whose dial ``clock`` says which arrivals trigger an evaluation.
    """
    stamps = [arrival(t, case, dials)]
    if dials.clock == "own":
        windows = looked_at(case.query, policy_of(case.query, dials), dials, *_LOOKING)
        streams = {window.stream for window in windows}
        stamps += [_instant(_trigger(t, case, dials, stream), case) for stream in streams]
    return max(stamps)


def own_trigger(reporter: Reporter, point: TestPoint) -> tuple[int, int]:
    """The stamp of an evaluation, and the position of the element at which its answer is sent.

    The element is the one that triggers the evaluation, or the last that has arrived by then if
    that is later.
    """
    position = _own_trigger(reporter, point)
    return _instant(position, reporter.case), max(position, point.moment.arrived - 1)


def _own_trigger(reporter: Reporter, point: TestPoint) -> int:
    """The position in the input of the element that triggers the evaluation at a test point.

    If windows have their own clocks, only arrivals on its window's stream show that a strategy
    holds. A conjunction is seen to hold with the later of its sides, a disjunction with the first
    side that holds, a negation when all strategies in it have been seen. COMPUTED EVERY is bound to
    no window.
    """
    case, dials, t = reporter.case, reporter.dials, point.moment.t

    def seen(policy: Policy, at: int | None) -> int:
        match policy:
            case And(left, right):
                return max(seen(left, at), seen(right, at))
            case Or(left, right):
                return min(seen(p, at) for p in (left, right) if reporter.holds(p, point, at))
            case Not(operand):
                return max(seen(strategy, at) for strategy in strategies(operand))
            case Strategy("COMPUTED EVERY"):
                return _trigger(t, case, dials)
            case Strategy():
                own = reporter.windows[reporter.position(policy, at)]
                return _trigger(t, case, dials, own.stream)

    if reporter.whole:
        return seen(reporter.policy, None)
    if dials.report_windows == "first":
        return seen(reporter.policy, 0)
    windows = range(len(reporter.windows))
    held = [at for at in windows if reporter.holds(reporter.policy, point, at)]
    return (min if dials.report_windows == "any" else max)(seen(reporter.policy, at) for at in held)


def _trigger(t: int, case: Case, dials: Dials, stream: IRI | None = None) -> int:
    """The position of the first element, of any stream or of `stream`, that triggers at `t`.

    A window by count closes with an element, and that triggers.

    If there is no such element, the position is beyond the input, where the kit appends an element
    to every stream.
    """
    policy = policy_of(case.query, dials)
    if mentions(policy, "WC") and not closes_by_count(case.query, policy, dials):
        # A window that closed at c triggers: c = t, or c = t − 1 if windows close before t.
        closed = t - 1 if dials.window == "last-closed" else t
        earliest = closed if dials.trigger == ">=" else closed + 1
    else:
        earliest = t
    first = bisect_left(case.elements, earliest, key=lambda element: element.t)
    for position in range(first, len(case.elements)):
        if stream in (None, case.elements[position].stream):
            return position
    return len(case.elements) + (case.streams.index(stream) if stream else 0)


def _instant(position: int, case: Case) -> int:
    """The instant of the element at a position, at most ``until``."""
    own = position < len(case.elements)
    return min(case.elements[position].t, case.until) if own else case.until


def observed_stamp(answer: Observed, case: Case, dials: Dials) -> int | Fraction | None:
    """The instant at which a received answer is compared; None if it has no instant.

    Under ``arrival`` an answer without an instant gets that of the element that triggered it.

    Args:
        answer: an answer of the engine.
        case: the query and its data.
        dials: the setting whose dial ``answer_time`` decides.
    """
    if dials.answer_time == "evaluation" or answer.t is not None:
        return answer.t
    if answer.cause == "end":
        return case.until
    if isinstance(answer.cause, int):
        own = answer.cause < len(case.elements)
        return case.elements[answer.cause].t if own else case.until
    return None


def out_of_range(observed: Sequence[Observed], case: Case, dials: Dials) -> Observed | None:
    """The first answer with a stamp out of all range, or None (decision 50).

    An engine that stamps an answer with the clock of the machine gives such answers. Two conditions
    must hold: the stamp is beyond every instant of the case, and a later answer has an instant
    within the case. Neither condition alone is an error, because answers for instants after
    ``until`` are not compared, and answers of windows with clocks of their own may come out of
    order.

    Args:
        observed: all answers of the engine, in the order received.
        case: the query and its data.
        dials: the setting of the dials; its ``time_tolerance`` widens the range.
    """
    if dials.answer_time == "none":
        return None
    latest = latest_instant(case, dials)
    astray: Observed | None = None
    for answer in observed:
        if answer.t is not None and answer.t > latest:
            astray = astray or answer
        elif astray is not None and answer.t is not None and answer.t <= case.until:
            return astray
    return None


def latest_instant(case: Case, dials: Dials) -> int:
    """The last instant that an answer to a case can mean (decision 50).

    It is as much later than the last element, and than those that the kit appends, as windows look
    back and periods last.

    Args:
        case: the query and its data.
        dials: the setting of the dials; its ``time_tolerance`` widens the range.
    """
    windows = by_time(case.query.resolved_windows(dials))
    period = case.query.period(dials.unit)
    reach = [window.reach for window in windows]
    periods = [s.period or 0 for s in strategies(dials.report)]
    latest = max([case.until + 1, *(e.t for e in case.elements[-1:])])
    return latest + max([*reach, *periods, period or 0, dials.time_tolerance])


def ended(case: Case, dials: Dials) -> Case:
    """A case with the elements that the kit appends, up to the latest instant (decision 22).

    Args:
        case: the query and its data.
        dials: the setting of the dials.

    Raises:
        ValueError: the instant is later than any may be.
    """
    elements = case.elements + appended(case)
    return replace(case, elements=elements, until=latest_instant(case, dials))


def set_off_after_the_end(answer: Observed, case: Case, dials: Dials) -> bool:
    """Whether the elements that the kit appends may have triggered an answer (decision 22).

    The kit appends elements only for an engine that learns the time from elements.

    Args:
        answer: an answer of the engine.
        case: the query and its data.
        dials: the setting whose dial ``advances`` says how the engine learns the time.
    """
    if isinstance(answer.cause, int):
        return answer.cause >= len(case.elements)
    if dials.advances == "clock":
        return False
    return answer.cause == "end" or answer.t is None or answer.t > case.until
