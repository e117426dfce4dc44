"""Pictures of windows: which ends belong to one, and where they start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from rsp_conformance.model.dials import Bounds
from tools.pictures.axis import LANE, Axis
from tools.pictures.canvas import MARGIN, SMALL, Canvas
from tools.pictures.model import case, elements_of, evaluations_of, instants, timeline, windows_of

CONDITIONS: Mapping[Bounds, str] = {"(o,c]": "o < t ≤ c", "[o,c)": "o ≤ t < c"}
"""What bounds ask of an element's instant t: those of RSP-QL, and those of SECRET."""


def window() -> Canvas:
    """A window and its ends: which elements count under either of the usual bounds."""
    elements = ((2, "a"), (4, "b"), (6, "c"), (7, "d"))
    drawn = {
        bounds: timeline(case(elements, "RANGE 4 STEP 4", 7, t0=2, bounds=bounds))
        for bounds in CONDITIONS
    }
    opens, closes = windows_of(drawn["(o,c]"])[0]
    said = [
        f"With bounds {bounds}, the evaluation at {t} answers {answer}."
        for bounds, own in drawn.items()
        for t, answer in evaluations_of(own)
    ]
    desc = f"A window opens at o = {opens} and closes at c = {closes}. {' '.join(said)}"
    canvas = Canvas("window", 378, "A window and its ends", desc)
    times = instants(drawn.values())
    axis = Axis(canvas, range(times[0] - 1, times[-1] + 2), labels=124)
    axis.header(28)
    for t, name in ((opens, "opens: o"), (closes, "closes: c")):
        canvas.words(axis.x(t), 53, name, size=SMALL, anchor="middle", color="window-edge")
    for place, (bounds, own) in enumerate(drawn.items()):
        y = 88 + 136 * place
        axis.drop(opens, y - 22, y + 34)
        axis.drop(closes, y - 22, y + 64)
        axis.label(y, "elements")
        axis.elements(y, elements_of(own), partial(windows_of(own)[0].holds, bounds=bounds))
        axis.label(y + 34, f"`bounds={bounds}`")
        axis.windows(y + 34, windows_of(own), bounds, text=CONDITIONS[bounds])
        axis.label(y + 66, "evaluation")
        axis.label(y + 90, "answer")
        axis.expected(y + 66, evaluations_of(own))
    for x, fill, text in ((130, "element", "in the window"), (300, "paper", "not in the window")):
        canvas.circle(x, 350, 8, fill=fill, stroke="element")
        canvas.words(x + 16, 350, text, size=SMALL)
    return canvas


def slides() -> Canvas:
    """Overlapping windows, and the same query with a later start."""
    size, elements = "RANGE 4 STEP 2", ((1, "a"), (4, "b"), (6, "c"))
    drawn = {t0: timeline(case(elements, size, 9, t0=t0)) for t0 in (0, 1)}
    said = [
        f"With t0 = {t0}, they are {_listed(w.text('(o,c]') for w in windows_of(own))}, and the "
        f"answers are {_listed(f'{answer} at {t}' for t, answer in evaluations_of(own))}."
        for t0, own in drawn.items()
    ]
    desc = f"Windows of {size} overlap. {' '.join(said)}"
    canvas = Canvas("slides", 440, "Overlapping windows, and how t0 shifts them", desc)
    canvas.words(MARGIN, 26, "`RANGE 4`: each window is 4 instants wide.", size=SMALL)
    canvas.words(MARGIN, 50, "`STEP 2`: a window opens every 2 instants.", size=SMALL)
    axis = Axis(canvas, instants(drawn.values()))
    axis.header(82)
    for place, (t0, own) in enumerate(drawn.items()):
        y = 146 + 154 * place
        axis.grid(y - (18 if place else 50), y + 3 * LANE)
        axis.label(y, f"`t0={t0}`")
        for lane, instance in enumerate(windows_of(own)):
            axis.drop(instance.closes, y + lane * LANE, y + 3 * LANE)
            axis.windows(y + lane * LANE, [instance], "(o,c]")
        axis.label(y + 3 * LANE + 6, "evaluation")
        axis.label(y + 3 * LANE + 30, "answer")
        axis.expected(y + 3 * LANE + 6, evaluations_of(own))
    axis.label(110, "elements")
    axis.elements(110, elements_of(drawn[0]))
    return canvas


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)
