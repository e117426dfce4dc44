"""A case as a document: streams, background data, query, and its windows as the papers write them.

A window by time is (α, β, t0), its width, its slide, and the instant at which its first instance
opens (docs/semantics.md); then its first instances follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rsp_conformance.explain.document import Document, Fit, Items, Section
from rsp_conformance.explain.render.argument import measure, set_of
from rsp_conformance.explain.render.failure import case_sections
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.windows import AnyWindow, SlidingWindow
from rsp_conformance.spec.starts import legal_starts
from rsp_conformance.spec.windows import Instance

FIRST: Final = 2
"""The instances of a window that are written: the second shows how far it slides."""


def case_document(case: Case, dials: Dials, profile: str) -> Document:
    """A case under a profile.

    Args:
        case: the case.
        dials: the dials in force.
        profile: the profile, and which of its dials are turned.

    Returns:
        A document of sections alone.
    """
    sections = [*case_sections(case)]
    if windows := case.query.resolved_windows(dials):
        told = tuple(_window(own, case, dials) for own in windows)
        shown = Section("Windows", Items(told), Fit("window", 2, last=1), of_case=True, joined=True)
        sections.append(shown)
    return Document(f"Case under profile {profile}", tuple(_fitting(sections)))


def _fitting(sections: list[Section]) -> Iterator[Section]:
    """The sections below a title, without a gap."""
    for own in sections:
        yield replace(own, joined=True)


def _window(window: AnyWindow, case: Case, dials: Dials) -> str:
    """A window, such as ``:w on :s: (α, β, t0) = (3, 2, 0), so (0,3], (2,5], …``."""
    notation = Notation(case)
    named = f"{notation.iri(window.name)} on {notation.iri(window.stream)}: "
    if not isinstance(window, SlidingWindow):
        return named + measure(window)
    starts = legal_starts(window, case, dials)
    lag = f", lag {window.lag}" if window.lag else ""
    if len(starts) > 1:
        shape = f"({window.width}, {window.slide}, t0)"
        return f"{named}(α, β, t0) = {shape}{lag}, with t0 in {set_of(starts)}"
    t0 = starts[0]
    if t0 is None:
        return f"{named}(α, β, t0) = ({window.width}, {window.slide}, undefined){lag}"
    opens = (t0 + number * window.slide for number in range(FIRST))
    spans = (Instance(start, start + window.width).text(dials.bounds) for start in opens)
    shape = f"({window.width}, {window.slide}, {t0})"
    return f"{named}(α, β, t0) = {shape}{lag}, so {', '.join(spans)}, …"
