"""Windows: tumbling, sliding, with gaps, over one stream and over several."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.focus import EXTRAS, SLIDES

MOST_VECTORS = 12
"""The greatest |Z|, the product of the slides: each vector is an answer to be computed."""


def width_of(window: WindowDeclaration) -> int:
    """α in instants; generated windows are measured in instants only."""
    assert isinstance(window.width, int)
    return window.width


def slide_of(window: WindowDeclaration) -> int:
    """β in instants, 1 for RANGE without STEP."""
    assert window.slide is None or isinstance(window.slide, int)
    return window.slide or 1


def draw_windows(
    draw: st.DrawFn,
    frames: Sequence[tuple[IRI, IRI, bool]],
    slides: Sequence[int | None] = SLIDES,
    extras: Sequence[int] = EXTRAS,
) -> tuple[WindowDeclaration, ...]:
    """A window for every (name, stream, named) of FRAMES.

    Slides come from SLIDES, None being RANGE without STEP, and widths exceed them by one of
    EXTRAS; a negative one leaves gaps. Both list the simplest first. The slides' product stays
    within MOST_VECTORS.
    """
    windows: list[WindowDeclaration] = []
    vectors = 1
    for name, stream, named in frames:
        slide = pick(draw, slides)
        if slide is not None:
            slide = min(slide, MOST_VECTORS // vectors)
        width = max(1, (slide or 1) + pick(draw, extras))
        windows.append(WindowDeclaration(name, stream, width, slide, named))
        vectors *= slide or 1
    return tuple(windows)


def frames_for(count: int, *, same_stream: bool, named: bool) -> list[tuple[IRI, IRI, bool]]:
    """Names for COUNT windows, over one stream or over as many."""
    return [
        (
            vocabulary.window(number),
            vocabulary.stream(1 if same_stream else number),
            named,
        )
        for number in range(1, count + 1)
    ]
