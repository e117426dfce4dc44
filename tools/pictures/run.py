"""The picture of a run: from drawing a case to the report."""

from __future__ import annotations

from tools.pictures.canvas import MARGIN, SMALL, WIDTH, Canvas
from tools.pictures.flow import Box, join

STEPS = {
    "Draw a case": "a query, elements, background data",
    "Ask the engine": "its driver brings back the answers",
    "Judge": "right with some permitted start?",
    "Shrink": "to the smallest case that fails",
    "Name the cause": "which mutant or dial predicts it?",
    "Report": "timeline, reasons, how to replay it",
}
"""What happens to a case, in order."""
ASIDE = 96
"""The width of the way back."""


def run() -> Canvas:
    """The steps of a run; a correct answer leads back to the next case."""
    steps = "; ".join(f"{step}: {text}" for step, text in STEPS.items())
    canvas = Canvas("run", 566, "From drawing a case to the report", f"{steps}.")
    width = WIDTH - 2 * MARGIN - ASIDE
    boxes = [Box(MARGIN, 20 + 93 * place, width, 60) for place in range(len(STEPS))]
    for (step, text), box in zip(STEPS.items(), boxes, strict=True):
        color = {"Report": "wrong"}.get(step, "box")
        box.draw(canvas, step, text, color=color)
    join(canvas, boxes)
    draw, _, judge, shrink, *_ = boxes
    way, y, end = WIDTH - MARGIN - 44, judge.y + 30, draw.y + 30
    edge = MARGIN + width
    canvas.arrow((edge + 2, y), (way, y), (way, end), (edge + 2, end), color="right")
    canvas.words(way, y + 20, "correct", size=SMALL, anchor="middle", color="right", bold=True)
    canvas.words(
        judge.middle + 14,
        (judge.bottom + shrink.y) / 2,
        "wrong",
        size=SMALL,
        color="wrong",
        bold=True,
    )
    return canvas
