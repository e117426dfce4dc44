"""The other members of Z: why they fit no better (RSP-QL Definition 26)."""

from __future__ import annotations

from itertools import islice
from math import prod

from rsp_conformance.explain.evidence import Evidence, Step
from rsp_conformance.explain.layout import counted
from rsp_conformance.explain.why.phrases import neighbours
from rsp_conformance.model.verdict import Divergence, Kind, Vector
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.starts import legal_starts


def alternatives(evidence: Evidence) -> str:
    """What the other vectors expect, and that none makes the answer right.

    Empty for a query without windows.
    """
    if not evidence.windows:
        return ""
    legal = [legal_starts(w, evidence.case, evidence.dials) for w in evidence.windows]
    number = prod(len(own) for own in legal)
    if number == 1:
        return (
            f"However, {evidence.notation.starts(evidence.starts)} "
            f"{'is the only start' if len(legal) == 1 else 'are the only starts'} that dial "
            f"t0={evidence.dials.text('t0')} allows: a contradiction!"
        )
    details = _details(evidence)
    inner = f" ({details})" if details else ""
    which = _set(legal[0]) if len(legal) == 1 else "×".join(_set(own) for own in legal)
    subject = f"no t0 in {which}" if len(legal) == 1 else f"none of the {number} t0 in {which}"
    return (
        f"However, {subject} makes the answer right from t_s={evidence.t_s} on{inner}: "
        "a contradiction!"
    )


def several(evidence: Evidence) -> bool:
    """Whether Z has more than one member."""
    legal = [legal_starts(w, evidence.case, evidence.dials) for w in evidence.windows]
    return prod(len(own) for own in legal) > 1


def _set(own: tuple[int | None, ...]) -> str:
    numbers = [t for t in own if t is not None]
    if len(numbers) > 4 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{{{numbers[0]},…,{numbers[-1]}}}"
    return "{" + ",".join(str(t) for t in own) + "}"


def _details(evidence: Evidence) -> str:
    """What the first of the other vectors expect, those that expect the same together."""
    groups: dict[str, list[Vector]] = {}
    vectors = rspql_queries(evidence.case, evidence.dials)
    for vector in islice(vectors, evidence.affordable):
        if vector == evidence.starts:
            continue
        steps = evidence.steps_for(vector)
        divergence = evidence.divergence_for(steps)
        if divergence is not None:
            groups.setdefault(_short(evidence, steps, divergence), []).append(vector)
    shown = []
    for text, members in list(groups.items())[:3]:
        names = [evidence.notation.vector(v) for v in members]
        who = names[0]
        if len(names) > 1:
            who = f"{names[0]} and {names[1]}" if len(names) == 2 else f"{names[0]}, {names[1]}"
        if len(names) > 2:
            who += f" and {counted(len(names) - 2, 'other')}"
        verb = text if len(names) == 1 else text.replace("expects", "expect", 1)
        verb = verb if len(names) == 1 else verb.replace("evaluates", "evaluate", 1)
        shown.append(f"{who} {verb}")
    rest = len(groups) - len(shown)
    return "; ".join(shown) + ("; the others part elsewhere" if rest > 0 else "")


def _short(evidence: Evidence, steps: tuple[Step, ...], divergence: Divergence) -> str:
    """How one vector departs from the answer, as a predicate."""
    notation = evidence.notation
    expected = divergence.expected
    if expected is not None:
        content = notation.content(expected.content, limit=2, room=50)
        if divergence.kind is Kind.ORDER:
            return f"expects another order at {expected.t}"
        unanswered = divergence.kind in {Kind.MISSING, Kind.SILENT}
        return f"expects {content} at {expected.t}" + (
            ", where no answer comes" if unanswered else ""
        )
    at = evidence.place if divergence.t is None else divergence.t
    due = tuple(s for s in steps if s.reported and evidence.t_s <= s.t <= evidence.case.until)
    near = neighbours(due, at)
    return f"{near}, not at {at}" if near else "expects nothing at all"
