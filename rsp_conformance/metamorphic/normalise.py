"""An engine's answers as relations compare them: by stamp, within the range that Z leaves open.

Only what Definition 26 compares can contradict anything: instants from t_s on, up to ``until``.
Under ``arrival`` the stamps that evaluations before t_s may carry are left out as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from rsp_conformance.compare.contents import difference, joined
from rsp_conformance.judge.engine_under_test import Observation
from rsp_conformance.model.answers import Content, Rows, is_empty
from rsp_conformance.model.dials import Dials, Numbers, Tolerance
from rsp_conformance.spec.alignment_stamps import arrival, observed_stamp, set_off_after_the_end
from rsp_conformance.spec.correctness import t_s
from rsp_conformance.spec.reporting import test_points_before

Instant: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Seen:
    """One answer that is compared; ``stamp`` None under ``answer_time = none``.

    ``late`` says that elements after the end may have set it off (decision 22).
    """

    stamp: Instant | None
    content: Content
    late: bool = False

    @property
    def at(self) -> Instant:
        """The stamp of an answer that has one."""
        assert self.stamp is not None
        return self.stamp


def first_compared(observation: Observation) -> int:
    """The earliest stamp that only evaluations from t_s on can carry."""
    case, dials = observation.stimulus.case, observation.dials
    start = t_s(case, dials)
    if dials.answer_time == "arrival" and start > case.registered:
        return max(start, arrival(start - 1, case, dials) + 1)
    return start


def seen(observation: Observation) -> list[Seen]:
    """The answers of OBSERVATION that can be compared, in the order of their stamps.

    An answer without a stamp, where the profile has it report one, comes as if after ``until``: it
    is left out, and whatever should have been there is missed. Under ``none`` all answers are here,
    in the order of emission.
    """
    case, dials = observation.stimulus.case, observation.dials
    found = []
    start = None if dials.answer_time == "none" else first_compared(observation)
    for answer in observation.observed:
        late = dials.answer_time != "evaluation" and set_off_after_the_end(answer, case, dials)
        if start is None:
            found.append(Seen(None, answer.content, late))
            continue
        stamp = observed_stamp(answer, case, dials)
        if stamp is None:
            continue
        if dials.answer_time == "arrival":
            stamp = min(stamp, case.until)
        if start <= stamp <= case.until:
            found.append(Seen(stamp, answer.content, late))
    if start is not None:
        found.sort(key=lambda item: item.at)
    if dials.answers == "rows":
        found = by_stamp(found)
    return found


def by_stamp(answers: Iterable[Seen]) -> list[Seen]:
    """The answers of each stamp put together, those without rows left out."""
    groups: dict[Instant | None, list[Seen]] = defaultdict(list)
    for answer in answers:
        groups[answer.stamp].append(answer)
    found = [
        Seen(stamp, joined([a.content for a in group]), any(a.late for a in group))
        for stamp, group in groups.items()
    ]
    return [answer for answer in found if not is_empty(answer.content)]


def between_answers(numbers: Numbers) -> Numbers:
    """How two right answers may differ in numbers: twice as much as either from what is due."""
    if isinstance(numbers, Tolerance):
        return Tolerance(2 * numbers.epsilon, f"2*{numbers.text}")
    return numbers


def same(left: Content, right: Content, dials: Dials) -> bool:
    """Whether two answers of one evaluation agree, whatever the order of their rows."""
    if isinstance(left, Rows) and left.ties is not None:
        left = replace(left, ties=None)
    return difference(left, right, between_answers(dials.numbers)) is None


def leading(observation: Observation) -> int:
    """How many answers of OBSERVATION may belong to instants before t_s, under ``none``."""
    case, dials = observation.stimulus.case, observation.dials
    return test_points_before(t_s(case, dials), case, dials)


def any_rows(observations: Iterable[Observation]) -> bool:
    """Whether some answer that is compared has rows: a trial without any tells nothing."""
    return any(not is_empty(answer.content) for e in observations for answer in seen(e))
