"""Windows: tumbling, sliding, with gaps, over one stream and over several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from rsp_conformance.model.features import with_implied
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import Count, Reach, Unit, WindowDeclaration
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.clause_weights import EXTRAS, SLIDES
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.written import WrittenWindow

KINDS = frozenset({"multi-window", "same-stream-windows", "gap-windows"})
"""The features that decide which windows are drawn."""

MOST_VECTORS = 12
"""The greatest |Z|, which is the product of the slides: an answer is computed for each vector."""


def width_of(window: WindowDeclaration) -> int:
    """Return the width α in instants; generated windows are not measured otherwise."""
    assert isinstance(window.width, int)
    return window.width


def slide_of(window: WindowDeclaration) -> int:
    """Return the slide β in instants: 1 if there is RANGE without STEP."""
    assert window.slide is None or isinstance(window.slide, int)
    return window.slide or 1


def lag_of(window: WindowDeclaration) -> int:
    """Return the lag δ in instants: 0 of a window that ends at the present."""
    assert window.lag is None or isinstance(window.lag, int)
    return window.lag or 0


def counts(draw: st.DrawFn, numbers: Sequence[int], units: Sequence[Unit]) -> tuple[Count, ...]:
    """Draw the unit of a query's windows by count, and return their sizes.

    It is one unit: over elements of several triples, elements and triples of one stream cannot
    both be counted.

    Args:
        draw: Hypothesis' draw function.
        numbers: how many units a window may hold, the simplest first; none for no windows by count.
        units: the units to choose from, the simplest first.
    """
    if not numbers or not units:
        return ()
    unit = pick(draw, units)
    return tuple(Count(unit, number) for number in numbers)


def draw_windows(
    draw: st.DrawFn,
    frames: Sequence[tuple[IRI, IRI, bool]],
    slides: Sequence[int | None] = SLIDES,
    extras: Sequence[int] = EXTRAS,
    sizes: Sequence[Count | Reach] = (),
    *,
    steps: Sequence[int | None] = (),
    lags: Sequence[int] = (),
) -> tuple[WindowDeclaration, ...]:
    """Draw a window for every frame, with a product of the slides of at most ``MOST_VECTORS``.

    If there are ``sizes``, the first window has one of them, and so have half of the others. So it
    is with ``lags``.

    Args:
        draw: Hypothesis' draw function.
        frames: the name, the stream, and whether it is a NAMED WINDOW, of each window.
        slides: the slides to choose from, the simplest first; None is RANGE without STEP.
        extras: what a width may exceed its slide by, the simplest first; a negative number leaves
            gaps between windows.
        sizes: sizes other than by time to choose from, the simplest first.
        steps: the slides of windows by count to choose from; None is no slide of their own.
        lags: the lags of windows in the past to choose from, the simplest first.
    """
    windows: list[WindowDeclaration] = []
    vectors = 1
    for name, stream, named in frames:
        size = None
        if sizes:
            size = pick(draw, (*sizes, *(None for _ in sizes)) if windows else sizes)
        if size is not None:
            step = pick(draw, steps) if steps and isinstance(size, Count) else None
            if step is not None:
                step = min(step, MOST_VECTORS // vectors)
                if isinstance(size, Count) and min(extras) >= 0:
                    step = min(step, size.number)
            windows.append(WindowDeclaration(name, stream, size, step, named))
            vectors *= step or 1
            continue
        slide = pick(draw, slides)
        if slide is not None:
            slide = min(slide, MOST_VECTORS // vectors)
        width = max(1, (slide or 1) + pick(draw, extras))
        lag = None
        if lags:
            lag = pick(draw, (*lags, *(None for _ in lags)) if windows else lags)
        windows.append(WindowDeclaration(name, stream, width, slide, named, lag))
        vectors *= slide or 1
    return tuple(windows)


def windows(
    features: Iterable[str] = KINDS, *, count: int = 1, named: bool = True
) -> st.SearchStrategy[tuple[WindowDeclaration, ...]]:
    """Draw ``count`` sliding windows ``:w1``, ``:w2`` … within ``features``.

    They are tumbling or sliding, a width need not be a multiple of the slide, and RANGE may come
    without STEP. With the feature ``gap-windows`` the slide may exceed the width. Several windows
    are over several streams or, with ``same-stream-windows``, over one. Shrinks to ``[RANGE 1 STEP
    1]``.

    Args:
        features: the features that the windows may need (see ``KINDS``).
        count: how many windows there are.
        named: whether they are all NAMED WINDOWs, or none is.

    Raises:
        ValueError: ``count`` is above 1, and ``features`` allow a single window only.
    """
    known = with_implied(features)
    if count > 1 and not known & {"multi-window", "same-stream-windows"}:
        raise ValueError(f"{count} windows need the feature multi-window or same-stream-windows")
    return _windows(known, count, named)


@st.composite
def _windows(
    draw: st.DrawFn, features: frozenset[str], count: int, named: bool
) -> tuple[WindowDeclaration, ...]:
    ways = [way for way in ("multi-window", "same-stream-windows") if way in features]
    one = count == 1 or pick(draw, ways) == "same-stream-windows"
    frames = [
        (vocabulary.window(number), vocabulary.stream(1 if one else number), named)
        for number in range(1, count + 1)
    ]
    extras = (*EXTRAS, -1, -2) if "gap-windows" in features else EXTRAS
    drawn = draw_windows(draw, frames, (*SLIDES, None), extras)
    return tuple(WrittenWindow(w.name, w.stream, w.width, w.slide, w.named) for w in drawn)
