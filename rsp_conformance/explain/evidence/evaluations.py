"""Answers missing, extra, all missing, or at a wrong instant: why the query is evaluated or not."""

from __future__ import annotations

from fractions import Fraction

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.argument import Claim, FirstWithRows, Hint, InstantIs, Remark
from rsp_conformance.explain.evidence.differences import parts
from rsp_conformance.explain.evidence.origins import missing_origin
from rsp_conformance.explain.evidence.provenance import Provenance
from rsp_conformance.explain.evidence.windows import evaluated, not_evaluated, windows_at
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.answers import Evaluation, Observed, Truth, is_empty
from rsp_conformance.spec.trace import TraceStep


def missing_answer(setting: Setting, expected: Evaluation) -> list[Claim]:
    """An evaluation was due and no answer came for it."""
    claims = [] if setting.step is None else _argued(setting, setting.step)
    return [*claims, *_around(setting, expected.t)]


def _argued(setting: Setting, step: TraceStep) -> list[Claim]:
    """Why there is an evaluation, and where its first row comes from."""
    claims: list[Claim] = [evaluated(setting, step)]
    content = step.evaluation.content
    if is_empty(content) or content == Truth(False):
        if content == Truth(False):
            claims.append(Remark("no solution"))
        elif setting.dials.empty_answers:
            claims.append(Remark("empty is given"))
        return [*claims, windows_at(setting, step)]
    first = parts(content)[0]
    origin = missing_origin(setting, Provenance(setting, step, first), first)
    return claims + (origin or [windows_at(setting, step)])


def _around(setting: Setting, t: int) -> list[Claim]:
    """What the engine answers next to T."""
    if setting.dials.answer_time == "none":
        return [Remark("given in all", len(setting.observed))]
    due = setting.due_stamp(t)
    stamps = [s for a in setting.observed if (s := setting.stamp(a)) is not None]
    later = min((s for s in stamps if s > due), default=None)
    earlier = max((s for s in stamps if s < due), default=None)
    if earlier is not None and later is not None:
        return [Remark("given next to it", instants=(earlier, later))]
    if later is not None:
        return [Remark("given next", instants=(later,))]
    return [] if earlier is None else [Remark("given last", instants=(earlier,))]


def extra_answer(setting: Setting, answer: Observed) -> list[Claim]:
    """An answer came where no evaluation was due."""
    stamp = setting.stamp(answer)
    claims: list[Claim]
    if setting.dials.answer_time == "none" or stamp is None:
        claims = [Remark("due in all", len(setting.due))]
    elif stamp != int(stamp):
        claims = [Remark("no whole instant", instants=(stamp,))]
    elif setting.dials.answer_time == "arrival":
        claims = [_no_stamp(setting, int(stamp))]
    else:
        claims = _no_evaluation(setting, int(stamp))
    same = tuple(
        step.t
        for step in setting.due
        if difference(step.evaluation.content, answer.content, setting.dials.numbers) is None
        and setting.due_stamp(step.t) != stamp
    )
    if same and not is_empty(answer.content):
        claims.append(Remark("same due elsewhere", instants=same))
    return claims


def _no_evaluation(setting: Setting, t: int) -> list[Claim]:
    here = [step for step in setting.steps if step.t == t]
    reported = sum(step.reported for step in here)
    if reported:
        return [Remark("as many have come", reported, (t,))]
    if here:
        return [evaluated(setting, here[0]), Remark("dropped as empty")]
    absent = not_evaluated(setting, t)
    assert absent is not None
    return [absent, Remark("due next to it", instants=neighbours(setting.due, t))]


def neighbours(steps: tuple[TraceStep, ...], t: int) -> tuple[int, ...]:
    """The evaluations next to T on either side."""
    earlier = [s.t for s in steps if s.t < t][-1:]
    later = [s.t for s in steps if s.t > t][:1]
    return (*earlier, *later)


def _no_stamp(setting: Setting, stamp: int) -> Remark:
    steps = tuple(s.t for s in setting.due if setting.due_stamp(s.t) == stamp)
    if steps:
        return Remark("carries the stamp", stamp, steps)
    stamps = sorted({setting.due_stamp(s.t) for s in setting.due})
    return Remark("stamps due", instants=tuple(stamps))


def silent(setting: Setting, expected: Evaluation) -> list[Claim]:
    """Nothing was answered in the compared range, and something was due."""
    filled = next((s for s in setting.due if not is_empty(s.evaluation.content)), None)
    if is_empty(expected.content) and filled is not None:
        return [FirstWithRows(filled.evaluation), *_argued(setting, filled)]
    return [] if setting.step is None else _argued(setting, setting.step)


def wrong_instant(setting: Setting, answer: Observed) -> list[Claim]:
    """The content that was due came, at another instant or without one."""
    step, stamp = setting.step, setting.stamp(answer)
    if step is None:
        return []
    claims: list[Claim] = [evaluated(setting, step)]
    if stamp is None:
        return claims
    if setting.dials.answer_time == "evaluation" and stamp == int(stamp):
        absent = not_evaluated(setting, int(stamp))
        claims += [absent] if absent else []
    hints = tuple(_hints(setting, step, stamp))
    return [*claims, InstantIs(stamp, hints)] if hints else claims


def _hints(setting: Setting, step: TraceStep, stamp: int | Fraction) -> list[Hint]:
    """What the instant given is, where it is something."""
    due = setting.due_stamp(step.t)
    found: list[Hint] = []
    late = stamp - due
    for position, content in enumerate(step.contents):
        if abs(late) == setting.windows[position].slide:
            found.append(("slide later" if late > 0 else "slide earlier", position))
        if content.instance is not None and stamp == content.instance.opens:
            found.append(("opens", position))
        if content.instance is not None and stamp == content.instance.closes:
            found.append(("closes", position))
    arrivals = [e.t for e in setting.case.elements]
    if stamp == next((t for t in arrivals if t > due), None):
        found.append(("next element", 0))
    if stamp == next((t for t in reversed(arrivals) if t <= due), None):
        found.append(("last element", 0))
    if setting.windows and stamp == due - setting.case.registered and late:
        found.append(("from registration", 0))
    return found
