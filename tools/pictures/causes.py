"""The picture of a cause: it predicts the wrong answers of a run, and contradicts no right one."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.diagnosis.reference import reference_answers
from rsp_conformance.model.setting import Setting
from rsp_conformance.results import ProfiledCase
from rsp_conformance.spec.trace import Expectation
from tools.pictures.axis import Axis
from tools.pictures.canvas import MARGIN, SMALL, WIDTH, Canvas
from tools.pictures.model import case, elements_of, instants, shown, timeline, windows_of

CASES = (((4, "b"),), ((2, "a"), (4, "b")), ((0, "a"), (4, "b"), (5, "c")))
"""The elements of three cases, each with one evaluation."""
SOUND = Setting()
ENGINE = Setting.of(mutants=["newest-element-missing"])
"""What is wrong with the engine that is asked."""
TRIED = (Setting.of(mutants=["always-empty"]), Setting.of({"bounds": "[o,c)"}), ENGINE)
"""What may be the cause."""
LABELS, COLUMN = 90, 130
"""The widths of the names of rows and of a case."""


def cause() -> Canvas:
    """Three answers of an engine, and what a dial and two mutants predict in their place."""
    cases = [case(elements, "RANGE 4 STEP 4", 5, t0=0) for elements in CASES]
    expected, received = predicted(SOUND, cases), predicted(ENGINE, cases)
    found = {tried: predicted(tried, cases) for tried in TRIED}
    said = [f"Expected: {', '.join(expected)}.", f"Received: {', '.join(received)}."]
    for tried, own in found.items():
        told = standing(own, expected, received)
        said.append(f"{kind_of(tried)} {tried}: {', '.join(own)}. {told} {_word(own, received)}.")
    canvas = Canvas("cause", 506, "What a cause is", " ".join(said))
    _cases(canvas, cases, expected, received)
    for row, (tried, own) in enumerate(found.items()):
        y = 220 + 98 * row
        fits = own == received
        fill, stroke = ("right-box", "right") if fits else ("paper", "edge")
        canvas.box(12, y - 18, WIDTH - 24, 88, fill=fill, stroke=stroke, radius=6)
        canvas.words(MARGIN, y, f"{kind_of(tried)} `{tried}`", size=SMALL, bold=True)
        word = _word(own, received)
        canvas.words(WIDTH - MARGIN, y, word, size=SMALL, anchor="end", bold=fits)
        canvas.words(MARGIN, y + 26, "predicts", size=SMALL)
        for place, answer in enumerate(own):
            canvas.words(_middle(place) - 14, y + 26, f"`{answer}`", size=SMALL, anchor="middle")
            sign = canvas.right if answer == received[place] else canvas.wrong
            sign(_middle(place) + 30, y + 26)
        canvas.words(MARGIN, y + 52, standing(own, expected, received), size=SMALL, color="soft")
    return canvas


def _cases(
    canvas: Canvas,
    cases: Sequence[ProfiledCase],
    expected: Sequence[str],
    received: Sequence[str],
) -> None:
    """Draw the cases beside each other, with what is expected and what is received."""
    timelines = [timeline(own) for own in cases]
    rows = {28: "time", 56: "elements", 90: "window", 124: "expected", 150: "received"}
    for y, label in rows.items():
        canvas.words(MARGIN, y, label, size=SMALL, color="soft" if label == "time" else "ink")
    for place, own in enumerate(timelines):
        left = _middle(place) - COLUMN / 2 + 6
        axis = Axis(canvas, instants(timelines), left - MARGIN, WIDTH - MARGIN - left - COLUMN + 12)
        axis.times(28)
        axis.elements(56, elements_of(own), radius=9.5)
        axis.windows(90, windows_of(own), "(o,c]")
        word = "right" if expected[place] == received[place] else "wrong"
        for y, text in ((124, f"`{expected[place]}`"), (150, f"`{received[place]}`")):
            canvas.words(_middle(place), y, text, size=SMALL, anchor="middle")
        canvas.words(_middle(place), 176, word, size=SMALL, anchor="middle", bold=True, color=word)


def _middle(place: int) -> float:
    return MARGIN + LABELS + COLUMN * (place + 0.5)


def predicted(tried: Setting, cases: Sequence[ProfiledCase]) -> list[str]:
    """The answer to each of CASES, which have one evaluation, by an engine that is as TRIED."""
    found = []
    for own in cases:
        dials, starts = tried.turned(own.dials), own.starts({})
        (answer,) = (
            reference_answers(own.case, dials, starts, mutants=tried.mutants)
            if tried.mutants
            else Expectation(own.case, dials).answer(starts)
        )
        found.append(shown(answer.content))
    return found


def kind_of(tried: Setting) -> str:
    """What a setting names, in a word."""
    return "Mutant" if tried.mutants else "Dial"


def standing(own: Sequence[str], expected: Sequence[str], received: Sequence[str]) -> str:
    """How many wrong answers a prediction explains, and how many right ones it contradicts."""
    of = [*zip(own, expected, received, strict=True)]
    wrong = [mine == given for mine, due, given in of if given != due]
    right = [mine == given for mine, due, given in of if given == due]
    lost = right.count(False)
    return f"Explains {sum(wrong)} of {len(wrong)} wrong, contradicts {lost} of {len(right)} right."


def _word(own: Sequence[str], received: Sequence[str]) -> str:
    return "the cause" if own == received else "not the cause"
