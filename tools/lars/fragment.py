"""The fragment that RSP-QL and LARS share: how its cases are drawn, and the dials that match."""

from __future__ import annotations

from dataclasses import replace
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
from rsp_conformance.strategies import cases

FOCUSES = ("windows", "union", "optional", "minus", "filter", "static", "multi-window", "any")

PLAIN = Dials().with_dials(
    {"bounds": "[o,c]", "stream_operators": "R", "graph_variable": "background"}
)
"""Windows [t-L, t], before a mode says when they are evaluated."""


def dials_of(case: Case, mode: Mode, translation: TranslationName) -> Dials:
    """The dials under which RSP-QL means what LARS does in MODE, for a case ``fitted`` to it."""
    widest = max(window.width for window in case.query.sliding_windows(1))
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
    that its width is one as well.
    """
    windows = []
    for declared, window in zip(case.query.windows, case.query.sliding_windows(1), strict=True):
        slide = window.slide if isinstance(mode, Pull) else 1
        width = -(-window.width // slide) * slide
        windows.append(replace(declared, width=width, slide=slide))
    query = replace(case.query, windows=tuple(windows))
    return replace(case, query=cs(query) if translation == "tau1" else query)


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
    slides = lcm(*(window.slide for window in case.query.sliding_windows(1)))
    pull = Pull(slides * draw(st.sampled_from((1, 2, 3))))
    return fitted(case, pull, chosen), pull, chosen
