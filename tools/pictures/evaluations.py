"""Pictures of evaluations: when a query is evaluated, and what is streamed of its answers."""

from __future__ import annotations

from tools.pictures.axis import LANE, Axis
from tools.pictures.canvas import MARGIN, SMALL, Canvas
from tools.pictures.model import case, elements_of, evaluations_of, instants, timeline, windows_of

POLICIES = {
    "WC": "window close",
    "NC": "non-empty content",
    "CC": "content change: an element enters",
    "P(3)": "periodic: every 3 instants",
    "WC & NC": "a window closes and is not empty",
}
"""Report policies, and what each waits for."""
OPERATORS = {
    "RSTREAM": "all rows of the evaluation",
    "ISTREAM": "new since the previous evaluation",
    "DSTREAM": "gone since the previous evaluation",
}
"""Streaming operators, and what each gives."""
EMPTY = "{}"


def report() -> Canvas:
    """When the query is evaluated: one stream and one window under five report policies."""
    elements, size = ((1, "a"), (3, "b"), (10, "c")), "RANGE 4 STEP 4"
    drawn = {policy: timeline(case(elements, size, 12, t0=0, report=policy)) for policy in POLICIES}
    said = [
        f"{policy} ({meaning}): at {', '.join(str(t) for t, _ in evaluations_of(drawn[policy]))}."
        for policy, meaning in POLICIES.items()
    ]
    desc = f"The instants at which the query is evaluated, by report policy. {' '.join(said)}"
    canvas = Canvas("report", 446, "When the query is evaluated", desc)
    axis = Axis(canvas, instants(drawn.values()), labels=84)
    axis.header(28)
    axis.grid(42, 116)
    axis.label(58, "elements")
    axis.elements(58, elements_of(drawn["WC"]))
    axis.label(92, "windows")
    axis.windows(92, windows_of(drawn["WC"]), "(o,c]")
    for place, (policy, meaning) in enumerate(POLICIES.items()):
        y = 134 + 55 * place
        axis.label(y, f"`{policy}`")
        canvas.words(MARGIN + 84, y, meaning, size=SMALL, color="soft")
        axis.grid(y + 13, y + 37)
        found = evaluations_of(drawn[policy])
        axis.beside(y + 25, [(t, answer if answer == EMPTY else "") for t, answer in found])
    for x, answer, text in ((112, "", "evaluation"), (254, EMPTY, "with an empty answer")):
        canvas.diamond(x, 422, fill="paper", stroke="ink", half=7)
        canvas.words(x + 12, 422, f"`{answer}`", size=SMALL)
        canvas.words(x + (38 if answer else 14), 422, text, size=SMALL)
    return canvas


def r2s() -> Canvas:
    """What the streaming operators give at three evaluations."""
    elements = ((1, "a"), (3, "b"), (5, "c"), (7, "d"))
    drawn = {
        operator: timeline(case(elements, "RANGE 4 STEP 2", 8, operator=operator, t0=0))
        for operator in OPERATORS
    }
    said = [
        f"{operator} gives {', '.join(f'{answer} at {t}' for t, answer in evaluations_of(own))}."
        for operator, own in drawn.items()
    ]
    desc = f"Three evaluations under the streaming operators. {' '.join(said)}"
    canvas = Canvas("r2s", 376, "RStream, IStream and DStream", desc)
    axis = Axis(canvas, instants(drawn.values()))
    plain = drawn["RSTREAM"]
    axis.header(28)
    axis.grid(42, 92 + 2 * LANE + 16)
    axis.label(58, "elements")
    axis.elements(58, elements_of(plain))
    axis.label(92, "windows")
    for lane, instance in enumerate(windows_of(plain)):
        axis.drop(instance.closes, 92 + lane * LANE, 184)
        axis.windows(92 + lane * LANE, [instance], "(o,c]")
    axis.label(184, "evaluation")
    for t, _ in evaluations_of(plain):
        canvas.diamond(axis.x(t), 184, fill="paper", stroke="ink")
    for place, (operator, meaning) in enumerate(OPERATORS.items()):
        y = 222 + 53 * place
        axis.label(y, f"`{operator}`")
        canvas.words(MARGIN + 84, y, meaning, size=SMALL, color="soft")
        for t, answer in evaluations_of(drawn[operator]):
            canvas.words(axis.x(t), y + 23, f"`{answer}`", size=SMALL, anchor="middle")
    return canvas
