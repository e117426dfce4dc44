"""The profile that experiments have found of an engine, beside the declared one, as a chapter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rsp_conformance.diagnosis.profile.findings import DialFinding, FoundJson
from rsp_conformance.explain.document import Chapter, Column, Prose, Row, Span, Table
from rsp_conformance.explain.render.layout import counted, listed
from rsp_conformance.model.dials import forgives

FOUND: Final = "profile"
"""The anchor of the chapter."""
COMPARING: Final = ("unit", "answers", "advances", "time_tolerance", "numbers")
"""The dials of how answers are compared, which no semantics is about."""
FORMS: Final = ("stream_operators", "windows_in")
"""The dials that the form of a query settles, without an answer."""


def found_profile(found: FoundJson) -> Chapter:
    """The chapter of what `rsp-conformance profile` has found of an engine.

    Args:
        found: what it has found.
    """
    said = [
        f" judged {counted(found.cases, 'answer')}; the values found explain "
        f"{found.explained:,} of them."
    ]
    if found.mutants:
        said.append(f"They do so together with the known bugs {listed(found.mutants)}.")
    if not found.complete:
        said.append("The search was cut short.")
    heads = (Column("dial"), Column("declared"), Column("found"), Column("sure", wide=True))
    return Chapter(
        "Profile by experiment",
        FOUND,
        (
            Prose(((Span("rsp-conformance profile", code=True), " ".join(said)),)),
            Table(heads, tuple(_rows(found)), "Profile by experiment", leads=True),
        ),
    )


def _rows(found: FoundJson) -> Iterator[Row]:
    for own in found.dials:
        if own.dial in COMPARING or is_idle(own):
            continue
        value = Span(own.whole, code=True, tone="bad" if own.contradicted else "")
        declared = Span(own.declared, code=True)
        yield Row((Span(own.dial, code=True), declared, value, sureness(own)))


def is_idle(own: DialFinding) -> bool:
    """Whether no answer depends on a dial, or none was asked."""
    return bool(own.note) and own.dial not in FORMS


def alike(own: DialFinding) -> tuple[str, ...]:
    """The values that no answer tells from the value of a dial; laxer comparisons don't count."""
    return tuple(value for value in own.not_told_apart if not forgives(own.dial, value))


def sureness(own: DialFinding) -> str:
    """How sure the value of a dial is, in a few words."""
    if own.contradicted:
        return "not what is declared"
    if others := alike(own):
        return f"no answer tells it from {', '.join(others)}"
    return ""
