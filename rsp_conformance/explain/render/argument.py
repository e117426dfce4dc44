"""An argument in prose: one sentence or a few for every claim."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import assert_never

from rsp_conformance.explain import argument as arg
from rsp_conformance.explain.evidence.argued import argued
from rsp_conformance.explain.render.facts import rows, stated
from rsp_conformance.explain.render.layout import counted, listed, unglued
from rsp_conformance.explain.render.notation import SettingNotation, sentence
from rsp_conformance.explain.render.windows import evaluated, placements, windows_at
from rsp_conformance.model.answers import Observed, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Kind, Vector, Verdict


def because(case: Case, dials: Dials, observed: Sequence[Observed], verdict: Verdict) -> str:
    """Why the answer is correct or wrong, in one paragraph without line breaks."""
    found = blocks(argued(case, dials, observed, verdict))
    return unglued(" ".join(text for block in found for text in block))


def blocks(argument: arg.Argument) -> list[list[str]]:
    """The sentences: what parts and why, the other members of Z, the dials; none is empty."""
    notation = SettingNotation(argument.setting)
    if argument.correct:
        return [[_right(notation)]]
    if not argument.claims:
        return [["The answer is wrong, but nothing was found where it parts."]]
    claims = [text for claim in argument.claims for text in sentences(claim, notation)]
    others = _alternatives(argument.alternatives, notation) if argument.alternatives else ""
    turned = explained(argument.dials) if argument.dials else ""
    return [block for block in (claims, [others], [turned]) if any(block)]


def _right(notation: SettingNotation) -> str:
    setting = notation.setting
    number = len(setting.due)
    verb, pronoun = ("is", "it") if number == 1 else ("are", "they")
    due = f"{counted(number, 'answer')} {verb} due, and {pronoun} came"
    if not number:
        due = "nothing is due, and nothing else came"
    starts = notation.starts(setting.starts)
    who = f"{starts} makes the answer right" if starts else "The answer is right"
    return f"{who}: from t_s={setting.t_s} to {setting.case.until}, {due}."


def sentences(claim: arg.Claim, notation: SettingNotation) -> list[str]:
    """CLAIM in sentences."""
    match claim:
        case arg.Fact():
            return [stated(claim, notation)]
        case arg.Parting():
            return _parting(claim, notation)
        case arg.WindowsAt():
            return windows_at(claim, notation)
        case arg.Evaluated():
            return [evaluated(claim, notation)]
        case arg.WouldCome():
            return [_would_come(claim, notation)]
        case arg.ComesFrom():
            return [_comes_from(claim, notation)]
        case _:
            assert_never(claim)


def _parting(claim: arg.Parting, notation: SettingNotation) -> list[str]:
    setting, divergence, under = notation.setting, claim.divergence, notation.under
    expected, observed, kind = divergence.expected, divergence.observed, divergence.kind
    place = due = at = given = ""
    if expected is not None:
        content = expected.content
        number = 1 if isinstance(content, Truth) else max(1, len(content))
        due = f"{notation.brief(content)} {'is' if number == 1 else 'are'} due"
        place = notation.due_at(expected.t)
    if observed is not None:
        at, given = notation.answered(observed), notation.brief(observed.content)
    if kind is Kind.SILENT:
        return [_silent(claim, notation)]
    if observed is None:
        return [sentence(f"{place}, {due}{under}, and no answer comes")]
    if expected is None and kind is Kind.INSTANT:
        return [f"The engine answers {given} with no instant, and nothing more is due."]
    if expected is None:
        return [sentence(f"{at} the engine answers {given}, and nothing is due there{under}")]
    if kind is Kind.ORDER:
        rows_due = f"the rows that are due{under}"
        wrong = "in an order that ORDER BY does not allow"
        return [sentence(f"{at} the engine answers {rows_due}, {wrong}")]
    if kind is Kind.INSTANT:
        how = "with no instant" if setting.stamp(observed) is None else at
        what = "the same" if claim.same else given
        return [sentence(f"{place}, {due}{under}"), f"The engine gives {what}, but {how}."]
    verb = "gives" if setting.dials.answer_time == "none" else "answers"
    if setting.dials.answer_time != "evaluation" or observed.t != expected.t:
        due = f"{due} {place}"
    return [sentence(f"{at} the engine {verb} {given}, and {due}{under}")]


def _silent(claim: arg.Parting, notation: SettingNotation) -> str:
    setting, expected = notation.setting, claim.divergence.expected
    assert expected is not None
    came = "No answer comes"
    if number := len(setting.observed):
        came = f"None of the {number} answers given counts"
        came = "The only answer given does not count" if number == 1 else came
    verb, which = ("is", "it is") if claim.due == 1 else ("are", "the first is")
    return (
        f"{came} from t_s={setting.t_s} to {setting.case.until}, and "
        f"{counted(claim.due, 'answer')} {verb} due{notation.under}: {which} "
        f"{notation.brief(expected.content)} {notation.due_at(expected.t)}."
    )


def _would_come(claim: arg.WouldCome, notation: SettingNotation) -> str:
    row, where = rows(claim.parts, notation), placements(claim.placements, notation)
    if not claim.added or claim.dropped or not claim.monotone:
        return f"{row} would come out if {_wish(claim, notation)}; but {where}."
    source = notation.elements(sorted({index for _, index in claim.added}))
    used = notation.elements(claim.used) if claim.used else ""
    if not claim.only:
        return f"{row} would come from {source}{f' with {used}' if used else ''}, and {where}."
    # Without the elements named there is no such row; else others may give it as well.
    verb = "come" if len(claim.parts) > 1 else "comes"
    return f"{row} {verb} from {source} only, {f'with {used}, ' if used else ''}and {where}."


def _wish(claim: arg.WouldCome, notation: SettingNotation) -> str:
    """``the window of :w held (…, 7) too``, ``… did not hold (…, 8)``."""
    parts = []
    for items, verb, too in ((claim.added, "held", " too"), (claim.dropped, "did not hold", "")):
        for position in sorted({p for p, _ in items}):
            elements = notation.elements([i for p, i in items if p == position])
            parts.append(f"the window of {notation.window(position)} {verb} {elements}{too}")
    return listed(parts)


def _comes_from(claim: arg.ComesFrom, notation: SettingNotation) -> str:
    words = {"row": "it", "earlier row": "there it", "solution": "a solution"}
    row = notation.part(claim.of) if isinstance(claim.of, arg.Part) else words[claim.of]
    sources = [notation.elements(claim.elements)] if claim.elements else []
    if claim.background:
        entries = [notation.background_entry(entry) for entry in claim.background]
        sources.append(f"the background data {listed(entries, limit=3)}")
    if not sources:
        return sentence(f"{row} needs no element and no background data")
    where = placements(claim.placements, notation)
    return sentence(f"{row} comes from {listed(sources)}{f', and {where}' if where else ''}")


# --- the other members of Z, and other dials ---


def _alternatives(found: arg.Alternatives, notation: SettingNotation) -> str:
    """That no other vector makes the answer right; empty for a query without windows."""
    legal, setting = found.legal, notation.setting
    if not legal:
        return ""
    number = prod(len(own) for own in legal)
    if number == 1:
        are = "is the only start" if len(legal) == 1 else "are the only starts"
        return (
            f"However, {notation.starts(setting.starts)} {are} that dial "
            f"t0={setting.dials.text('t0')} allows: a contradiction!"
        )
    which = "×".join(_set(own) for own in legal)
    subject = f"no t0 in {which}" if len(legal) == 1 else f"none of the {number} t0 in {which}"
    details = "; ".join(_departure(*group, notation) for group in found.departures[:3])
    details += "; the others part elsewhere" if len(found.departures) > 3 else ""
    inner = f" ({details})" if details else ""
    return (
        f"However, {subject} makes the answer right from t_s={setting.t_s} on{inner}: "
        "a contradiction!"
    )


def _departure(found: arg.Departure, vectors: Sequence[Vector], notation: SettingNotation) -> str:
    names = [notation.vector(vector) for vector in vectors]
    if len(names) > 2:
        names = [", ".join(names[:2]), counted(len(names) - 2, "other")]
    who, s = " and ".join(names), "s" if len(vectors) == 1 else ""
    if found.expected is None:
        near = listed([str(t) for t in found.neighbours])
        said = f"evaluate{s} at {near}, not at {found.t}"
        return f"{who} {said if near else f'expect{s} nothing at all'}"
    t = found.expected.t
    if found.kind is Kind.ORDER:
        return f"{who} expect{s} another order at {t}"
    content = notation.content(found.expected.content, limit=2, room=50)
    tail = ", where no answer comes" if found.kind is Kind.MISSING else ""
    return f"{who} expect{s} {content} at {t}{tail}"


def _set(own: tuple[int | None, ...]) -> str:
    numbers = [t for t in own if t is not None]
    if len(numbers) > 4 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{{{numbers[0]},…,{numbers[-1]}}}"
    return "{" + ",".join(str(t) for t in own) + "}"


def explained(found: arg.Explanations) -> str:
    """Which single dial would make the answer right."""
    strict, lenient = (found.settings(lenient=lenient) for lenient in (False, True))
    be = "was" if found.untried == 1 else "were"
    untried = f" {counted(found.untried, 'more setting')} {be} too costly to try."
    rest = untried if found.untried else ""
    if strict:
        others = listed(strict[1:], limit=5, last="or")
        so = f" So it is with {others}." if others else ""
        return f"One dial explains it: with {strict[0]} the answer is right.{so}{rest}"
    if lenient:
        return (
            f"The instants alone are at fault: with {listed(lenient, last='or')} "
            f"the answer is right, and no other single dial explains it.{rest}"
        )
    if found.untried:
        return f"No single dial of the {found.tried} settings tried explains it.{rest}"
    return "No single dial explains it, so it looks like a defect."
