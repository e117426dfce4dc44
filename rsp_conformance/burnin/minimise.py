"""A short stretch that errs, as small as delta debugging makes it, shown as a run shows a failure.

The algorithm is Zeller and Hildebrandt's (Simplifying and Isolating Failure-Inducing Input, IEEE
TSE 28(2), 2002), as the package picire has it. The run's own shrinker needs a case that was drawn:
of one that draws which of 400 elements stay it left 145 after a minute, where 2 were enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lcm

from rsp_conformance.burnin.locate import Trials, WrongStretch
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import FLOORS
from rsp_conformance.model.policy import strategies
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.windows import by_time
from rsp_conformance.run.events import CauseDiscovered
from rsp_conformance.run.properties import LONG_STREAM


def minimised(trials: Trials, stretch: WrongStretch) -> WrongStretch:
    """Make a case of a stretch: few elements, a short time, as near to instant 0 as may be.

    Once the time for trials is over, what is not known counts as not enough. The case is confirmed
    on a fresh engine before it is believed, and searched for its cause.
    """
    from picire import DD, Outcome

    session = trials.session
    elements = session.source.between(stretch.since, stretch.until)
    whole = replace(session.case, elements=elements, registered=stretch.since, until=stretch.until)
    if trials.if_wrong(whole) is None:
        # In one piece it does not show: the engine minds how it is fed.
        return replace(stretch, said="It shows only where the elements come in pieces.")

    def outcome(chosen: Sequence[StreamElement], _: object) -> Outcome:
        case = replace(whole, elements=tuple(chosen))
        enough = not trials.over and trials.if_wrong(case) is not None
        return Outcome.FAIL if enough else Outcome.PASS

    kept = DD(outcome)(list(elements)) if elements else []
    case = _earlier(trials, _shorter(trials, replace(whole, elements=tuple(kept))))
    session.say("confirming it, and looking for its cause")
    session.subject.engine.restart()
    return _shown(trials, stretch, case)


def _shown(trials: Trials, stretch: WrongStretch, case: Case) -> WrongStretch:
    """Return the stretch with what a report shows of its case, as of a failure of a run."""
    naming, name = trials.naming, LONG_STREAM.name
    naming.add(LONG_STREAM, [replace(trials.asked(case), why="drawn")])
    naming.name(name, None, 1)
    shown, dispute = tuple(naming.ledger.shown(name)), naming.ledger.disputes.get(name, "")
    if not shown and not dispute:
        return replace(stretch, said="Its minimised case could not be confirmed.")
    told = (own.cause for own in naming.ledger.entries if isinstance(own, CauseDiscovered))
    return replace(stretch, shown=shown, causes=tuple(told), dispute=dispute)


def _shorter(trials: Trials, case: Case) -> Case:
    """Return a case registered as late, and compared as briefly, as shows the divergence still."""
    if case.elements:
        changed = replace(case, registered=case.elements[0].t)
        if trials.if_wrong(changed) is not None:
            case = changed
    verdict = trials.if_wrong(case)
    place = None if verdict is None or verdict.divergence is None else verdict.divergence.t
    if place is not None and case.registered <= place < case.until:
        changed = replace(case, until=int(place))
        if trials.if_wrong(changed) is not None:
            return changed
    return case


def _earlier(trials: Trials, case: Case) -> Case:
    """Return the case moved towards instant 0 if what decides its instants stays in step."""
    dials = trials.session.dials
    if isinstance(dials.t0, int):
        return case
    steps = [window.slide for window in by_time(case.query.resolved_windows(dials))]
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
    return moved if by and trials.if_wrong(moved) is not None else case
