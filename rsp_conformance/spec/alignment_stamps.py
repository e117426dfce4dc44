"""The timestamps of answers (dials ``answer_time``, ``clock``; decisions 20 to 23)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction

from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import And, Not, Or, Policy, Strategy, mentions, strategies
from rsp_conformance.model.terms import IRI
from rsp_conformance.spec.policies import policy_of
from rsp_conformance.spec.reporting import Reporter, TestPoint


def arrival(t: int, case: Case, dials: Dials) -> int:
    """The stamp of an evaluation at T: the first arrival that triggers it, else ``until``."""
    return _instant(_trigger(t, case, dials), case)


def due_stamp(evaluation: Evaluation, case: Case, dials: Dials) -> int:
    """The stamp that EVALUATION is compared at."""
    if dials.answer_time != "arrival":
        return evaluation.t
    if evaluation.trigger is None:
        return arrival(evaluation.t, case, dials)
    return evaluation.trigger[0]


def latest_stamp(t: int, case: Case, dials: Dials) -> int:
    """The latest stamp that an evaluation at T may carry, whatever it is due to."""
    streams = case.query.streams() if dials.clock == "own" else ()
    return max(
        [arrival(t, case, dials), *(_instant(_trigger(t, case, dials, s), case) for s in streams)]
    )


def own_trigger(reporter: Reporter, point: TestPoint) -> tuple[int, int]:
    """The stamp of the evaluation at POINT, and the element in the input that gives it out.

    That is the one that triggers it, or the last that it has seen.
    """
    position = _own_trigger(reporter, point)
    return _instant(position, reporter.case), max(position, point.moment.arrived - 1)


def _own_trigger(reporter: Reporter, point: TestPoint) -> int:
    """The position in the input of the element that triggers the evaluation at POINT.

    Where windows have their own clocks, a strategy is seen to hold by the arrivals of its window's
    stream alone: a conjunction when both sides are, a disjunction when the first side is that
    holds, a negation when all in it are. COMPUTED EVERY is bound to no window.
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
    """The position of the element that triggers an evaluation at T, the first of any or of STREAM.

    Where there is none it is beyond the input, where the kit appends an element to every stream.
    """
    if mentions(policy_of(case.query, dials), "WC"):
        # A window that closed at c is what moved: c = t, but c = t − 1 for what closed before t.
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
    """When the element at POSITION comes, at most ``until``."""
    own = position < len(case.elements)
    return min(case.elements[position].t, case.until) if own else case.until


def observed_stamp(answer: Observed, case: Case, dials: Dials) -> int | Fraction | None:
    """The instant that an observed answer is compared at; None where there is none.

    Under ``arrival`` an answer without an instant has that of the element that caused it.
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
    """The first answer with a stamp out of all range (decision 50).

    Such as an engine gives that stamps one answer with the machine's clock: the stamp is beyond
    every instant of the case, and an answer from within the case comes after it. Either by itself
    is nothing to hold against an engine: what it reports for instants after ``until`` is not
    compared, and answers of windows with clocks of their own may overtake each other.
    """
    if dials.answer_time == "none":
        return None
    windows, period = case.query.sliding_windows(dials.unit), case.query.period(dials.unit)
    reach = [window.width + window.slide for window in windows]
    periods = [s.period or 0 for s in strategies(dials.report)]
    latest = max([case.until + 1, *(e.t for e in case.elements[-1:])])
    latest += max([*reach, *periods, period or 0, dials.time_tolerance])
    astray: Observed | None = None
    for answer in observed:
        if answer.t is not None and answer.t > latest:
            astray = astray or answer
        elif astray is not None and answer.t is not None and answer.t <= case.until:
            return astray
    return None


def set_off_after_the_end(answer: Observed, case: Case, dials: Dials) -> bool:
    """Whether the elements that the kit appends may have caused the answer (decision 22).

    It appends some only for an engine that learns the time from elements.
    """
    if isinstance(answer.cause, int):
        return answer.cause >= len(case.elements)
    if dials.advances == "clock":
        return False
    return answer.cause == "end" or answer.t is None or answer.t > case.until
