"""A short stretch that errs, as small a case as delta debugging makes of it.

The algorithm is Zeller and Hildebrandt's (Simplifying and Isolating Failure-Inducing Input, IEEE
TSE 28(2), 2002), as the package picire has it. Every trial is judged by the specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lcm
from typing import Final

from rsp_conformance.burnin.locate import Trials, WrongStretch
from rsp_conformance.judge.verdict import described
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import FLOORS
from rsp_conformance.model.policy import strategies
from rsp_conformance.model.streams import StreamElement

PROPERTY: Final = "burnin"
"""What crash files and reports say the finding belongs to."""


def minimised(trials: Trials, stretch: WrongStretch) -> WrongStretch:
    """STRETCH with a case made of it: as few elements, as short a time, as near to 0 as may be.

    Once the time for trials is over, what is not known counts as not enough. The case is run once
    more on a fresh engine before it is believed.
    """
    from picire import DD, Outcome

    session = trials.session
    elements = session.source.between(stretch.since, stretch.until)
    whole = replace(session.case, elements=elements, registered=stretch.since, until=stretch.until)
    if trials.asked(whole)[1] is None:
        # In one piece it does not show: the engine minds how it is fed.
        return replace(stretch, confirmed="It shows only where the elements come in pieces.")

    def outcome(chosen: Sequence[StreamElement], _: object) -> Outcome:
        case = replace(whole, elements=tuple(chosen))
        enough = not trials.over and trials.asked(case)[1] is not None
        return Outcome.FAIL if enough else Outcome.PASS

    kept = DD(outcome)(list(elements)) if elements else []
    case = _earlier(trials, _shorter(trials, replace(whole, elements=tuple(kept))))
    session.subject.engine.restart()
    observation, verdict = trials.asked(case)
    if verdict is None:
        return replace(stretch, confirmed="A last run of the minimised case was right: unstable.")
    finding = described(PROPERTY, session.subject, observation, verdict)
    confirmed = "Judged by Spark and the specification; reproduced once."
    return replace(stretch, finding=finding, confirmed=confirmed)


def _shorter(trials: Trials, case: Case) -> Case:
    """CASE registered as late and compared as briefly as shows the divergence still."""
    if case.elements:
        changed = replace(case, registered=case.elements[0].t)
        if trials.asked(changed)[1] is not None:
            case = changed
    verdict = trials.asked(case)[1]
    place = None if verdict is None or verdict.divergence is None else verdict.divergence.t
    if place is not None and case.registered <= place < case.until:
        changed = replace(case, until=int(place))
        if trials.asked(changed)[1] is not None:
            return changed
    return case


def _earlier(trials: Trials, case: Case) -> Case:
    """CASE moved towards instant 0, where what decides its instants stays in step."""
    dials = trials.session.dials
    if isinstance(dials.t0, int):
        return case
    steps = [window.slide for window in case.query.sliding_windows(dials.unit)]
    steps += [s.period for s in strategies(dials.report) if s.period is not None]
    if (period := case.query.period(dials.unit)) is not None:
        steps.append(period)
    if isinstance(dials.t0, FLOORS):
        steps.append(dials.t0.multiple)
    step = lcm(*steps)
    by = case.registered // step * step
    moved = replace(
        case,
        registered=case.registered - by,
        until=case.until - by,
        elements=tuple(replace(element, t=element.t - by) for element in case.elements),
    )
    return moved if by and trials.asked(moved)[1] is not None else case
