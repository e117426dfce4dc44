"""The specification in the engine's place: what every z ∈ Z answers to the variants of a trial.

Serves as guard and as proof: a relation holds if no z makes the specification contradict itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from rsp_conformance.judge.engine_under_test import Observation, Stimulus
from rsp_conformance.metamorphic.trial import Trial, Variant
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.alignment_stamps import arrival
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.trace import Expectation

MOST_STARTS = 64
"""So many members of Z are looked at."""

Settings: TypeAlias = Mapping[Stimulus, Dials]


def specified(trial: Trial, settings: Settings) -> Iterator[tuple[Observation, ...]]:
    """What the specification answers, for one z after the other, under the dials of SETTINGS.

    Raises Unsupported, or ValueError, where it does not answer some variant.
    """
    expectation = [Expectation(v.case, settings[v.stimulus]) for v in trial.variants]
    first = trial.variants[0]
    for starts in islice(rspql_queries(first.case, settings[first.stimulus]), MOST_STARTS):
        observations = []
        for variant, own in zip(trial.variants, expectation, strict=True):
            dials = settings[variant.stimulus]
            vector = same_starts(starts, first, variant, dials)
            evaluations = own.answer(vector)
            if own.undetermined:
                raise Unsupported(own.undetermined)
            observations.append(as_observation(variant.stimulus, dials, evaluations))
        yield tuple(observations)


def same_starts(starts: Vector, first: Variant, variant: Variant, dials: Dials) -> Vector:
    """The member of the VARIANT's Z that an engine chooses which chose STARTS for the FIRST.

    Where the profile leaves t0 open, its windows start as long after the registration, by the
    variant's own measure; else there is but one.
    """
    if dials.t0 != "any":
        (only,) = rspql_queries(variant.case, dials)
        return only
    follows = variant.follows
    if follows is None:
        follows = tuple(range(len(variant.case.query.windows)))
    return tuple(
        None
        if starts[place] is None
        else variant.case.registered
        + variant.scale * ((starts[place] or 0) - first.case.registered)
        for place in follows
    )


def as_observation(
    stimulus: Stimulus, dials: Dials, evaluations: tuple[Evaluation, ...]
) -> Observation:
    """EVALUATIONS as an engine hands them out that stamps its answers as DIALS say."""
    answers = [
        Observed(_stamp(e.t, stimulus.case, dials), e.content)
        for e in evaluations
        if e.t >= stimulus.case.registered
    ]
    return Observation(stimulus, dials, "", tuple(answers))


def _stamp(t: int, case: Case, dials: Dials) -> int | None:
    match dials.answer_time:
        case "evaluation":
            return t
        case "arrival":
            return arrival(t, case, dials)
        case _:
            return None
