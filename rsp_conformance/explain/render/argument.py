"""An argument in prose: one sentence or a few for every claim."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rsp_conformance.explain import argument as arg
from rsp_conformance.explain.evidence.argued import argued
from rsp_conformance.explain.render.facts import stated
from rsp_conformance.explain.render.layout import counted, listed, unglued
from rsp_conformance.explain.render.notation import SettingNotation
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Verdict


def because(case: Case, dials: Dials, observed: Sequence[Observed], verdict: Verdict) -> str:
    """Why the answer is correct or wrong, in one paragraph without line breaks."""
    found = blocks(argued(case, dials, observed, verdict))
    return unglued(" ".join(text for block in found for text in block))


def blocks(argument: arg.Argument) -> list[list[str]]:
    """The sentences: what parts and why, the other members of Z, the dials; none is empty."""
    notation = SettingNotation(argument.setting)
    if argument.correct:
        return [[_right(notation)]]
    if not argument.facts:
        return [["The answer is wrong, but nothing was found where it parts."]]
    facts = [stated(fact, notation) for fact in argument.facts]
    others = _alternatives(argument.alternatives, notation) if argument.alternatives else ""
    turned = explained(argument.dials) if argument.dials else ""
    return [block for block in (facts, [others], [turned]) if any(block)]


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
    details = "; ".join(stated(own, notation) for own in found.departures[:3])
    details += "; the others part elsewhere" if len(found.departures) > 3 else ""
    inner = f" ({details})" if details else ""
    return (
        f"However, {subject} makes the answer right from t_s={setting.t_s} on{inner}: "
        "a contradiction!"
    )


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
