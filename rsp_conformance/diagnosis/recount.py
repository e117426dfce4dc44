"""What known causes come to, counted over the answers of a run when it is over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.known import KnownCause, KnownCauses, together
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.search import MOST_RIGHT
from rsp_conformance.model.observation import Observation


def gone(
    causes: Iterable[KnownCause], right: Iterable[Observation], predictions: Predictions
) -> tuple[str, ...]:
    """Return the ids of the causes that should have shown in right answers."""
    known, asked = KnownCauses(causes, predictions), [*right]
    return tuple(cause.id for cause in known.causes if known.is_gone(cause, asked))


def behind(
    symptoms: Iterable[Symptom],
    given: Iterable[KnownCause],
    named: Iterable[Cause],
    predictions: Predictions,
) -> dict[str, tuple[str, ...]]:
    """Return the ids of the causes that explain failures, by the crash files of these.

    Args:
        symptoms: the failures.
        given: the causes that the user knows.
        named: the causes that the run has named.
        predictions: what was predicted before.
    """
    explained = (KnownCause.of(cause) for cause in named if cause.is_explained)
    known = KnownCauses([*given, *explained], predictions)
    found = {own.file: known.explain_all(own.observations) for own in symptoms}
    return {file: tuple(cause.id for cause in causes) for file, causes in found.items() if causes}


def held(
    cause: Cause,
    known: Iterable[KnownCause],
    right: Iterable[Observation],
    predictions: Predictions,
    came: int,
) -> Cause:
    """Return a cause with its counts on right answers, if there are more than it was checked with.

    Args:
        cause: the cause.
        known: all known causes.
        right: right answers.
        predictions: what was predicted before.
        came: how many right answers there are in all.
    """
    if not cause.setting:
        return cause
    agrees, others = predictions.agrees, together(known).without(cause.setting)
    said = [(agrees(cause.setting, own), own) for own in islice(right, MOST_RIGHT)]
    passing = sum(fits is not None for fits, _ in said)
    if passing < cause.passing:
        return cause
    against = sum(fits is False and agrees(others, own) is True for fits, own in said)
    return replace(cause, contradicts=against, passing=passing, right=came)
