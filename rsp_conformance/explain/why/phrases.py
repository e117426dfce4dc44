"""Phrases that several kinds of argument share."""

from __future__ import annotations

from rsp_conformance.explain.evidence import Evidence, Step
from rsp_conformance.explain.layout import listed, ordinal
from rsp_conformance.explain.membership import interval, window_at
from rsp_conformance.explain.notation import instant
from rsp_conformance.explain.policy import phrase, reasons
from rsp_conformance.model.answers import Content, Observed, Truth


def under(evidence: Evidence) -> str:
    """`` under t0(:w)=1``, the nearest vector; empty for a query without windows."""
    starts = evidence.notation.starts(evidence.starts)
    return f" under {starts}" if starts else ""


def answered(evidence: Evidence, answer: Observed) -> str:
    """How an observed answer is pointed at: ``at t=10``, ``as answer 3``, ``with no instant``."""
    if evidence.dials.answer_time == "none":
        position = next(i for i, other in enumerate(evidence.observed) if other is answer)
        return f"as its {ordinal(position + 1)} answer"
    stamp = evidence.stamp(answer)
    return "with no instant" if stamp is None else f"at t={instant(stamp)}"


def are_due(evidence: Evidence, content: Content) -> str:
    """An answer as a subject with its verb: ``{?who=:carl} is due``, ``12 rows are due``."""
    number = 1 if isinstance(content, Truth) else max(1, len(content))
    return f"{evidence.notation.brief(content)} {'is' if number == 1 else 'are'} due"


def due_at(evidence: Evidence, t: int) -> str:
    """Where an evaluation at T is due: ``at t=10``, with the stamp where that is another one."""
    if evidence.dials.answer_time == "arrival":
        stamp = evidence.due_stamp(t)
        if stamp != t:
            return f"for the evaluation at t={t} (stamp {stamp})"
    return f"for the evaluation at t={t}" if evidence.dials.answer_time == "none" else f"at t={t}"


def windows_at(evidence: Evidence, step: Step) -> list[str]:
    """What every window is at an evaluation; of one or two windows also what they hold."""
    if len(step.contents) > 2:
        spans = [
            f"{evidence.notation.iri(window.name)} {interval(evidence, content)}"
            for window, content in zip(evidence.windows, step.contents, strict=True)
            if content.instance is not None
        ]
        absent = len(step.contents) - len(spans)
        if not spans:
            return [f"At {step.t} all {absent} windows are undefined and hold nothing."]
        rest = f" ({absent} undefined)" if absent else ""
        return [f"The windows evaluated at {step.t} are {listed(spans, limit=6)}{rest}."]
    return [
        sentence(window_at(evidence, position, step.moment, content))
        for position, content in enumerate(step.contents)
    ]


def evaluated(evidence: Evidence, step: Step) -> str:
    """Why the query is evaluated at STEP, as a sentence."""
    for moment, preceding in evidence.moments_at(step.t):
        if moment == step.moment:
            clause = phrase(reasons(evidence, moment, preceding))
            if clause:
                return f"The query is evaluated at {step.t}{by_policy(evidence)}: {clause}."
    return f"The query is evaluated at {step.t}."


def not_evaluated(evidence: Evidence, t: int) -> str:
    """Why the query is not evaluated at T, as a sentence; empty where it is."""
    if any(step.t == t for step in evidence.steps):
        return ""
    clauses = []
    for moment, preceding in evidence.moments_at(t):
        clause = phrase(reasons(evidence, moment, preceding))
        if clause:
            clauses.append(clause)
    if not clauses:
        early = ": no window is open yet" if evidence.windows else ""
        return f"The query is not evaluated at {t}{early}."
    return f"The query is not evaluated at {t}{by_policy(evidence)}: {clauses[-1]}."


def by_policy(evidence: Evidence) -> str:
    """The report policy, where its strategies alone do not say what they do."""
    plain = all(part not in str(evidence.policy) for part in "!|")
    return "" if plain else f" by report {evidence.policy}"


def neighbours(steps: tuple[Step, ...], t: int) -> str:
    """``evaluates at 8 and 10``: the evaluations next to T on either side; empty if none."""
    earlier = [s.t for s in steps if s.t < t][-1:]
    later = [s.t for s in steps if s.t > t][:1]
    near = [str(x) for x in (*earlier, *later)]
    return f"evaluates at {listed(near)}" if near else ""


def sentence(clause: str) -> str:
    """CLAUSE with a capital letter and a full stop, unless it begins with notation."""
    first = clause[:1]
    start = first.upper() if first.isalpha() else first
    return f"{start}{clause[1:]}."
