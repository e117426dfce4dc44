"""The fragment that RSP-QL and LARS share: how its cases are drawn, and the dials that match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby
from math import lcm

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.lars.answers import TranslationName
from rsp_conformance.lars.modes import Mode, Pull, Push
from rsp_conformance.lars.program import GREATEST
from rsp_conformance.lars.queries import cs
from rsp_conformance.lars.translation import FRAGMENT
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.windows import Count, SlidingWindow, by_time
from rsp_conformance.strategies import cases

FOCUSES = (
    *("windows", "union", "optional", "minus", "filter", "static", "multi-window", "any"),
    *("count-windows", "now-window", "unbounded-window"),
)

PLAIN = Dials().with_dials(
    {"bounds": "[o,c]", "stream_operators": "R", "graph_variable": "background"}
)
"""Windows [t-L, t], before a mode says when they are evaluated."""


def dials_of(case: Case, mode: Mode, translation: TranslationName) -> Dials:
    """The dials under which RSP-QL means what LARS does in MODE, for a case ``fitted`` to it."""
    windows = by_time(case.query.resolved_windows(PLAIN))
    widest = max((window.width for window in windows), default=1)
    period = mode.period if isinstance(mode, Pull) else 1
    start = -(-widest // period) * period
    report = f"P({period})" if isinstance(mode, Pull) else "CC"
    return PLAIN.with_dials(
        {
            "t0": -start,
            "report": report,
            "windows_in": "default" if translation == "tau1" else "named",
        }
    )


def fitted(case: Case, mode: Mode, translation: TranslationName) -> Case:
    """CASE with windows that RSP-QL and LARS have in MODE, for the query as TRANSLATION has it.

    A pushed window slides by one instant; a pulled one closes at the multiples of its slide, so
    that its width is one as well. P of windows of other kinds counts from the registration, so that
    is a multiple of a pull's period. Triples that are counted come as LARS has them.
    """
    windows = []
    resolved = case.query.resolved_windows(PLAIN)
    for declared, window in zip(case.query.windows, resolved, strict=True):
        if isinstance(window, SlidingWindow):
            slide = window.slide if isinstance(mode, Pull) else 1
            width = -(-window.width // slide) * slide
            windows.append(replace(declared, width=width, slide=slide))
        else:
            windows.append(declared)
    query = replace(case.query, windows=tuple(windows))
    registered = case.registered
    if isinstance(mode, Pull) and not all(own.is_by_time for own in windows):
        registered -= registered % mode.period
    counted = {own.stream for own in windows if isinstance(own.width, Count)}
    return replace(
        case,
        query=cs(query) if translation == "tau1" else query,
        elements=tuple(in_order(case.elements, counted)),
        registered=registered,
    )


def in_order(elements: Sequence[StreamElement], counted: Set[IRI]) -> Iterator[StreamElement]:
    """Yield the elements; of an instant, streams that are counted have each triple once, in order.

    A window by count may cut through an instant. LARS leaves open what it keeps then, and takes
    what comes last in the order of the text; there a triple is one however often it comes.
    """
    for _, together in groupby(elements, key=lambda own: own.t):
        at_once = [*together]
        left = {
            stream: sorted({s for e in at_once if e.stream == stream for s in e.graph}, key=_text)
            for stream in counted
        }
        for own in at_once:
            if own.stream not in counted:
                yield own
                continue
            triples = left[own.stream]
            taken, left[own.stream] = triples[: len(own.graph)], triples[len(own.graph) :]
            if taken:
                yield replace(own, graph=tuple(taken))


def _text(triple: Triple) -> str:
    return repr(tuple(triple))


def compared_from(case: Case, mode: Mode) -> int:
    """The first instant at which both answer.

    A pull comes at the registration too, if that is one of its instants, and P after it: P counts
    from there, or from the start of a window by time, which is earlier.
    """
    timed = any(own.is_by_time for own in case.query.windows)
    return case.registered + (isinstance(mode, Pull) and not timed)


@st.composite
def fitting(
    draw: st.DrawFn, translation: TranslationName | None = None
) -> tuple[Case, Mode, TranslationName]:
    """A case of the fragment, a mode and a translation."""
    both: tuple[TranslationName, ...] = ("tau2", "tau1")
    chosen = draw(st.sampled_from(both)) if translation is None else translation
    case = draw(cases(FRAGMENT, PLAIN, focus=draw(st.sampled_from(FOCUSES)), max_elements=8))
    assume(case.until <= GREATEST)
    if draw(st.booleans()):
        return fitted(case, Push(), chosen), Push(), chosen
    slides = lcm(*(own.slide for own in by_time(case.query.resolved_windows(PLAIN))))
    pull = Pull(slides * draw(st.sampled_from((1, 2, 3))))
    return fitted(case, pull, chosen), pull, chosen
