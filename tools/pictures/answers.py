"""Pictures of judging: the permitted starts, and whether a wrong answer is a dial or a bug."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.model.answers import Observed
from rsp_conformance.results import ProfiledCase
from rsp_conformance.spec.starts import legal_starts
from rsp_conformance.spec.trace import Expectation
from tools.pictures.axis import Axis
from tools.pictures.canvas import MARGIN, SMALL, WIDTH, Canvas
from tools.pictures.flow import Box, join
from tools.pictures.model import (
    answers,
    answers_of,
    case,
    elements_of,
    evaluations_of,
    instants,
    situation,
    timeline,
    windows_of,
)

ENGINES = {"A": answers((4, "ab"), (7, "c")), "B": answers((3, "a"), (7, "c"))}
"""What two engines answer to the case of `judging`."""
WRONG = {"A": answers((6, "ab")), "B": answers((6, "c"))}
"""What two engines answer to the case of `dial_or_bug`."""


def judging() -> Canvas:
    """The answers of two engines, each compared with those from every permitted start."""
    asked = case(((2, "a"), (4, "b"), (6, "c")), "RANGE 3 STEP 3", 8)
    fitting = {name: fitting_starts(asked, received) for name, received in ENGINES.items()}
    assert all(asked.judge(own).correct == bool(fitting[name]) for name, own in ENGINES.items())
    desc = " ".join(
        f"Engine {name} answers {_listed(received)}: {_verdict(fitting[name])}."
        for name, received in ENGINES.items()
    )
    drawn = {t0: timeline(asked, t0) for t0 in starts_of(asked)}
    canvas = Canvas("judging", 456, "Two answers compared with every permitted start", desc)
    axis = Axis(canvas, instants(drawn.values()), labels=92, aside=84)
    columns = dict(zip(ENGINES, (WIDTH - MARGIN - 62, WIDTH - MARGIN - 16), strict=True))
    axis.header(28)
    axis.label(56, "elements")
    axis.elements(56, elements_of(drawn[0]))
    for place, (name, received) in enumerate(ENGINES.items()):
        axis.label(90 + 28 * place, f"received {name}")
        axis.beside(90 + 28 * place, answers_of(received), fill="ink")
    canvas.words(MARGIN, 156, "Permitted starts:", size=SMALL, color="soft")
    for name, x in columns.items():
        canvas.words(x, 156, name, anchor="middle", bold=True)
    for place, (t0, own) in enumerate(drawn.items()):
        y = 188 + 66 * place
        axis.label(y, f"`t0={t0}`")
        axis.windows(y, windows_of(own), "(o,c]")
        axis.label(y + 27, "expected")
        axis.beside(y + 27, evaluations_of(own))
        for name, x in columns.items():
            (canvas.right if t0 in fitting[name] else canvas.wrong)(x, y)
    for x, (name, starts) in zip((MARGIN, 270), fitting.items(), strict=True):
        found = ", ".join(f"`t0={t0}`" for t0 in starts)
        Box(x, 376, 230, 60).draw(
            canvas,
            f"{name} is {'correct' if starts else 'wrong'}",
            f"right with {found}" if found else "right with none of them",
            color="right" if starts else "wrong",
        )
    return canvas


def starts_of(asked: ProfiledCase) -> list[int]:
    """The permitted starts of the one window of a case."""
    (window,) = asked.case.query.sliding_windows(asked.dials.unit)
    return [t0 for t0 in legal_starts(window, asked.case, asked.dials) if t0 is not None]


def fitting_starts(asked: ProfiledCase, received: Sequence[Observed]) -> list[int]:
    """The permitted starts with which an answer is right from t_s on, by Definition 26."""
    expectation = Expectation(asked.case, asked.dials)
    return [
        t0
        for t0 in starts_of(asked)
        if situation(asked, t0, received, expectation).divergence is None
    ]


def dial_or_bug() -> Canvas:
    """Two wrong answers: a setting of a dial explains one of them, and none the other."""
    asked = case(((2, "a"), (4, "b"), (6, "c")), "RANGE 4 STEP 4", 7, t0=2)
    assert not any(asked.judge(received).correct for received in WRONG.values())
    explained = {
        name: [f"{dial}={value}" for dial, value in by_dial(asked.case, asked.dials, own).found]
        for name, own in WRONG.items()
    }
    drawn = timeline(asked)
    desc = " ".join(
        f"Engine {name} answers {_listed(received)}: "
        + (f"right with {', '.join(explained[name])}." if explained[name] else "no setting fits.")
        for name, received in WRONG.items()
    )
    canvas = Canvas("dial-or-bug", 422, "A dial or a bug?", desc)
    axis = Axis(canvas, range(instants([drawn])[0] - 1, instants([drawn])[-1] + 2))
    axis.header(28)
    axis.label(56, "elements")
    axis.elements(56, elements_of(drawn))
    axis.label(90, "window")
    axis.windows(90, windows_of(drawn), "(o,c]")
    axis.label(120, "expected")
    axis.beside(120, evaluations_of(drawn))
    for x, (name, received) in zip((MARGIN, 270), WRONG.items(), strict=True):
        dials = explained[name]
        boxes = [Box(x, y, 230, 60) for y in (150, 246, 342)]
        (answer,) = [shown for _, shown in answers_of(received)]
        boxes[0].draw(canvas, f"Engine {name}: wrong", f"received `{answer}`")
        boxes[1].draw(canvas, "Explained by", f"`{dials[0]}`" if dials else "no setting of a dial")
        if dials:
            boxes[2].draw(canvas, "Declare the dial", "in the engine’s profile", color="right")
        else:
            boxes[2].draw(canvas, "Report the bug", "to the engine’s authors", color="wrong")
        join(canvas, boxes)
    return canvas


def _listed(received: Sequence[Observed]) -> str:
    return ", ".join(f"{answer} at {t}" for t, answer in answers_of(received))


def _verdict(starts: Sequence[int]) -> str:
    if not starts:
        return "right with no permitted start, so it is wrong"
    return f"right with t0 = {', '.join(map(str, starts))}, so it is correct"
