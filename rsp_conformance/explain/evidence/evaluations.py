"""Answers missing, extra, all missing, or at a wrong instant: why the query is evaluated or not."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rsp_conformance.explain.argument import Fact, FactKind, Hint
from rsp_conformance.explain.evidence.differences import parts
from rsp_conformance.explain.evidence.provenance import Provenance, named_in_having
from rsp_conformance.explain.evidence.windows import evaluated, not_evaluated, windows_at
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.answers import Evaluation, Observed, Truth, is_empty
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.alignment_stamps import set_off_after_the_end
from rsp_conformance.spec.trace import TraceStep


def missing_answer(situation: Situation, expected: Evaluation) -> list[Fact]:
    """Why an evaluation is expected for which no answer came."""
    return [*_why_expected(situation, situation.step), *_around(situation, expected.t)]


def _why_expected(situation: Situation, step: TraceStep | None) -> list[Fact]:
    """Why there is an evaluation, and from which elements its first row comes."""
    if step is None:
        return []
    content, false = step.evaluation.content, step.evaluation.content == Truth(False)
    claims = [evaluated(situation, step)]
    if false or is_empty(content):
        if false or situation.dials.empty_answers:
            claims.append(Fact("no solution" if false else "empty is given"))
        return [*claims, windows_at(situation, step)]
    first = parts(content)[0]
    return claims + (
        Provenance(situation, step, first).origin(first) or [windows_at(situation, step)]
    )


def _around(situation: Situation, t: int) -> list[Fact]:
    """The answers of the engine next to an instant."""
    if situation.dials.answer_time == "none":
        return [Fact("given in all", count=len(situation.observed))]
    expected = situation.stamp_of(t)
    stamps = [s for a in situation.observed if (s := situation.stamp(a)) is not None]
    earlier = max((s for s in stamps if s <= expected), default=None)
    later = min((s for s in stamps if s > expected), default=None)
    near = tuple(s for s in (earlier, later) if s is not None)
    kind: FactKind = "given last" if later is None else "given next"
    return [Fact("given next to it" if len(near) == 2 else kind, instants=near)] if near else []


def extra_answer(situation: Situation, answer: Observed) -> list[Fact]:
    """Why no evaluation is expected for an answer that came."""
    stamp = situation.stamp(answer)
    if situation.dials.answer_time == "none" or stamp is None:
        number = len(situation.expected)
        claims = [Fact("expected in all" if number else "none expected in all", count=number)]
    elif stamp != int(stamp):
        claims = [Fact("no whole instant", instants=(stamp,))]
    elif situation.dials.answer_time == "arrival":
        claims = [_no_stamp(situation, int(stamp))]
    else:
        claims = _no_evaluation(situation, int(stamp))
    if _is_not_expected_later(situation, answer):
        claims.append(Fact("not expected later"))
    same = dict.fromkeys(
        situation.stamp_of(step.t)
        for step in situation.expected
        if difference(step.evaluation.content, answer.content, situation.dials.numbers) is None
        and situation.stamp_of(step.t) != stamp
    )
    if same and not is_empty(answer.content):
        claims.append(Fact("same expected elsewhere", instants=tuple(same)))
    return claims


def _is_not_expected_later(situation: Situation, answer: Observed) -> bool:
    """Whether appended elements may have triggered an answer that is not expected then either."""
    dials = situation.dials
    if dials.advances == "clock" or dials.answer_time == "evaluation":
        return False
    if not set_off_after_the_end(answer, situation.case, dials) or situation.later is None:
        return False
    return all(difference(e.content, answer.content, dials.numbers) for e in situation.later)


def _no_evaluation(situation: Situation, t: int) -> list[Fact]:
    here = [step for step in situation.steps if step.t == t]
    reported = sum(step.reported for step in here)
    if reported:
        return [Fact("as many have come", count=reported, instants=(t,))]
    if here:
        named = named_in_having(situation, t, here[0].contents)
        unbound = [] if named is None or is_empty(named) else [Fact("unbound in HAVING", t=t)]
        return [evaluated(situation, here[0]), Fact("dropped as empty"), *unbound]
    near = neighbours(situation.expected, t)
    kind: FactKind = "expected next to it" if near else "nothing expected"
    return [*not_evaluated(situation, t), Fact(kind, instants=near)]


def neighbours(steps: tuple[TraceStep, ...], t: int) -> tuple[int, ...]:
    """The instants of the evaluations next to t on either side."""
    earlier = [s.t for s in steps if s.t < t][-1:]
    later = [s.t for s in steps if s.t > t][:1]
    return (*earlier, *later)


def _no_stamp(situation: Situation, stamp: int) -> Fact:
    steps = tuple(s.t for s in situation.expected if situation.stamp_of(s.t) == stamp)
    if steps:
        return Fact("carries the stamp", t=stamp, instants=steps)
    stamps = tuple(sorted({situation.stamp_of(s.t) for s in situation.expected}))
    return Fact("stamps expected" if stamps else "no stamp expected", instants=stamps)


def silent(situation: Situation, expected: Evaluation) -> list[Fact]:
    """Why answers are expected in the compared range, in which none came."""
    filled = next((s for s in situation.expected if not is_empty(s.evaluation.content)), None)
    if is_empty(expected.content) and filled is not None:
        due = Fact("first with rows", expected=filled.evaluation)
        return [due, *_why_expected(situation, filled)]
    return _why_expected(situation, situation.step)


def wrong_instant(situation: Situation, answer: Observed) -> list[Fact]:
    """Why the expected content is expected at another instant than the one at which it came."""
    step, stamp = situation.step, situation.stamp(answer)
    if step is None:
        return []
    claims = [evaluated(situation, step)]
    if stamp is None:
        return claims
    if situation.dials.answer_time == "evaluation" and stamp == int(stamp):
        claims += not_evaluated(situation, int(stamp))
    hints = tuple(_hints(situation, step, stamp))
    return [*claims, Fact("instant is", instants=(stamp,), hints=hints)] if hints else claims


def stamped_astray(situation: Situation, answer: Observed) -> list[Fact]:
    """Why a stamp can mean no instant of the case (`out_of_range`)."""
    place = next(i for i, own in enumerate(situation.observed) if own is answer)
    following = (own.t for own in situation.observed[place:] if own.t is not None)
    later = next(t for t in following if t <= situation.case.until)
    assert answer.t is not None
    claims = [] if situation.step is None else [evaluated(situation, situation.step)]
    beyond = Fact("out of range", instants=(answer.t,))
    return [*claims, beyond, Fact("before an earlier one", instants=(later,))]


def _hints(situation: Situation, step: TraceStep, stamp: int | Fraction) -> Iterator[Hint]:
    """The meanings of the received instant, such as the end of a window."""
    expected = situation.stamp_of(step.t)
    late = stamp - expected
    for position, content in enumerate(step.contents):
        window = situation.windows[position]
        if not isinstance(window, SlidingWindow):
            continue
        if abs(late) == window.slide:
            yield "slide later" if late > 0 else "slide earlier", position
        if content.instance is not None and stamp == content.instance.opens:
            yield "opens", position
        if content.instance is not None and stamp == content.instance.closes:
            yield "closes", position
    arrivals = [e.t for e in situation.case.elements]
    if stamp == next((t for t in arrivals if t > expected), None):
        yield "next element", 0
    if stamp == next((t for t in reversed(arrivals) if t <= expected), None):
        yield "last element", 0
    if situation.windows and stamp == expected - situation.case.registered and late:
        yield "from registration", 0
