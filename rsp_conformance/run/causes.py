"""The causes of a run, as a terminal names and shows them."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

from rsp_conformance.diagnosis.cause import Cause, is_named
from rsp_conformance.explain.document import Block, Items, Prose, Span
from rsp_conformance.explain.render.layout import counted, glued, listed
from rsp_conformance.files.files import from_here
from rsp_conformance.model.errors import printable
from rsp_conformance.run.events import AS_BEFORE

AGAINST: Final = "against["
"""The properties of two engines begin with this; no setting of one of them is tried for these."""
MOST_NAMED: Final = 3
"""The most causes that the end of a report names."""


def labels(causes: Sequence[Cause], before: Iterable[str] = ()) -> dict[str, str]:
    """Name each cause by its id: ``1 newest-only``, or ``unexplained``.

    Args:
        causes: the causes.
        before: the ids of causes that were told before, in that order; they keep their numbers.
    """
    names = _numbered([*before, *(cause.id for cause in causes if cause.is_explained)])
    return {cause.id: names.get(cause.id, "unexplained") for cause in causes}


def _numbered(ids: Iterable[str]) -> dict[str, str]:
    explained = (id for id in dict.fromkeys(ids) if is_named(id))
    return {id: f"{number} {id}" for number, id in enumerate(explained, 1)}


def given_up(causes: Collection[str], told: Iterable[str]) -> str:
    """Say which causes were told on the way and given up in the end; empty if none was.

    Args:
        causes: the ids of the causes in the end.
        told: the ids of the causes that were told.
    """
    left = [label for id, label in _numbered(told).items() if id not in causes]
    return f"Suspected on the way, and not borne out in the end: {listed(left)}." if left else ""


def behind(property_name: str, causes: Sequence[Cause]) -> list[Cause]:
    """The causes of a property's failures, among all causes."""
    return [cause for cause in causes if property_name in cause.properties]


def note(property_name: str, causes: Sequence[Cause], before: Iterable[str] = ()) -> str:
    """The causes of a property's failures, for a table; empty if none was looked for.

    Args:
        property_name: the property.
        causes: all causes.
        before: as for `labels`.
    """
    called = labels(causes, before)
    own = behind(property_name, causes)
    found = [called[cause.id] for cause in own if cause.is_explained]
    # Beside what is explained a mark says that there is more.
    rest = ["?" if found else called[cause.id] for cause in own if not cause.is_explained]
    return ", ".join([*found, *rest[:1]])


def briefly(note: str) -> str:
    """A note on a property, short enough that a list shows the names of causes in it."""
    return note.replace(AS_BEFORE, "again", 1)


def evidence_for(cause: Cause) -> str:
    """A sentence on how far the answers of the run show a cause."""
    if not cause.is_explained:
        if all(name.startswith(AGAINST) for name in cause.properties):
            return "Two engines answer otherwise: a run of each alone names its causes."
        unknown = "No dial and no known bug explains it."
        return " ".join(filter(None, (unknown, cause.dependence.evidence)))
    shows = cause.explains + cause.open
    all_wrong = counted(max(shows, cause.asked), "wrong answer")
    against = f"{cause.contradicts:,}" if cause.contradicts else "none"
    compared = f"would make {against} of {counted(cause.passing, 'right answer')} wrong"
    if not cause.passing:
        compared = "there was no right answer to compare it with"
    if cause.explains < shows or not shows:
        explained = f"Shows in {shows:,} of {all_wrong} and explains {cause.explains:,} of them"
    elif shows < cause.asked:
        explained = f"Explains {shows:,} of {all_wrong}, all those in which it shows"
    else:
        explained = f"Explains {'all' if shows > 1 else 'the'} {all_wrong} in which it shows"
    return f"{explained}; {compared}."


def closing(
    property_name: str,
    causes: Sequence[Cause],
    files: Sequence[str] = (),
    before: Iterable[str] = (),
) -> list[Block]:
    """The end of a failed property's report: the causes that all cases of the run show.

    The evidence for a cause is given once, at the end of the run.

    Args:
        property_name: the property.
        causes: all causes.
        files: the property's crash files, the one that is shown first. If another property has a
            smaller case of a cause, its file is named.
        before: as for `labels`.
    """
    called = labels(causes, before)
    blocks: list[Block] = []
    own = behind(property_name, causes)
    beside = [c for c in own if not c.is_explained and c.file in files[1:]]
    for cause in [*(c for c in own if c not in beside), *beside][:MOST_NAMED]:
        known = called[cause.id] if cause.is_explained else "unknown"
        name = f"{'Beside it, cause' if cause in beside else 'Cause'} {known}"
        said = fault(cause.text) if cause.is_explained else sentences_on(cause)
        if cause.file in files[:1] and (together := in_one_case(cause.together)):
            said += f" {together}"
        blocks.append(Prose((f"{name}: {said}",)))
        if cause.file and cause.file not in files:
            file = Span(glued(shlex.quote(str(from_here(Path(cause.file))))), code=True)
            blocks.append(Items((("Smallest case of this cause: ", file),)))
    return blocks


def in_one_case(causes: Sequence[str]) -> str:
    """Say which causes a case shows together; empty if it shows only one.

    Args:
        causes: the ids of the causes that explain it.
    """
    if len(causes) < 2:
        return ""
    return f"This case shows {len(causes)} causes: {', '.join(map(printable, causes))}."


def sentences_on(cause: Cause) -> str:
    """What is wrong, and how far the answers of the run show it."""
    return f"{fault(cause.text)} {evidence_for(cause)}"


def fault(said: str) -> str:
    """What is wrong, as a sentence; it may have an engine's own words in it."""
    text = printable(said).strip().rstrip(". ")
    return f"{text[:1].upper()}{text[1:]}."
