"""What known causes come to, counted over the answers of a run when it is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.known import KnownCause, KnownCauses, together
from rsp_conformance.diagnosis.seam import Diagnosis, Record
from rsp_conformance.diagnosis.search import MOST_RIGHT
from rsp_conformance.model.observation import Observation


def gone(
    diagnosis: Diagnosis[Record], causes: Iterable[KnownCause], right: Iterable[Observation]
) -> tuple[str, ...]:
    """Return the ids of the causes that should have shown in right answers."""
    known, asked = KnownCauses(causes, diagnosis.predictions), [*right]
    return tuple(cause.id for cause in known.causes if known.is_gone(cause, asked))


def behind(
    diagnosis: Diagnosis[Record],
    symptoms: Iterable[Symptom],
    given: Iterable[KnownCause],
    named: Iterable[Cause],
) -> dict[str, tuple[str, ...]]:
    """Return the ids of the causes that explain failures, by the crash files of these.

    Args:
        diagnosis: the diagnosis of the run.
        symptoms: the failures.
        given: the causes that the user knows.
        named: the causes that the run has named.
    """
    explained = (KnownCause.of(cause) for cause in named if cause.is_explained)
    known = KnownCauses([*given, *explained], diagnosis.predictions)
    found = {own.file: known.explain_all(own.observations) for own in symptoms}
    return {file: tuple(cause.id for cause in causes) for file, causes in found.items() if causes}


def held(
    diagnosis: Diagnosis[Record],
    causes: Iterable[Cause],
    right: Iterable[Observation],
) -> Iterator[Cause]:
    """Yield causes with their counts on right answers, if there are more than before.

    Args:
        diagnosis: the diagnosis of the run.
        causes: the causes.
        right: right answers; so many are compared as a search looks at.
    """
    agrees, known = diagnosis.predictions.agrees, diagnosis.known.causes
    asked = [*islice(right, MOST_RIGHT)]
    for cause in causes:
        others = together(known).without(cause.setting)
        said = [(agrees(cause.setting, own), own) for own in asked] if cause.setting else []
        passing = sum(fits is not None for fits, _ in said)
        if not cause.setting or passing < cause.passing:
            yield cause
            continue
        against = sum(fits is False and agrees(others, own) is True for fits, own in said)
        yield replace(cause, contradicts=against, passing=passing)
