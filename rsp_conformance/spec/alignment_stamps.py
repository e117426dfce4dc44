"""The timestamps of answers (dial ``answer_time``; decisions 20 to 23)."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import mentions
from rsp_conformance.spec.reporting import policy_of


def arrival(t: int, case: Case, dials: Dials) -> int:
    """The stamp of an evaluation at T: the first arrival that triggers it, else ``until``."""
    if mentions(policy_of(case.query, dials), "WC"):
        # A window that closed at c is what moved: c = t, and for the last closed one c = t − 1.
        closed = t if dials.window == "active" else t - 1
        earliest = closed if dials.trigger == ">=" else closed + 1
    else:
        earliest = t
    following = bisect_left(case.elements, earliest, key=lambda element: element.t)
    if following == len(case.elements):
        return case.until
    return min(case.elements[following].t, case.until)


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


def set_off_after_the_end(answer: Observed, case: Case, dials: Dials) -> bool:
    """Whether the elements that the kit appends may have caused the answer (decision 22).

    It appends some only for an engine that learns the time from elements.
    """
    if isinstance(answer.cause, int):
        return answer.cause >= len(case.elements)
    if dials.advances == "clock":
        return False
    return answer.cause == "end" or answer.t is None or answer.t > case.until
