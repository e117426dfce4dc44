"""The specification in the engine's place: what every z ∈ Z answers to the variants of a trial.

Serves as guard and as proof: a relation holds if no z makes the specification contradict itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from rsp_conformance.judge.engine_under_test import Observation, Stimulus
from rsp_conformance.metamorphic.relation import Trial, Variant
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.alignment_stamps import due_stamp
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.start_classes import representatives
from rsp_conformance.spec.trace import Expectation

MOST_STARTS = 64
"""So many members of Z are looked at."""

Settings: TypeAlias = Mapping[Stimulus, Dials]


def specified(trial: Trial, settings: Settings) -> Iterator[tuple[Observation, ...]]:
    """What the specification answers, for one z after the other, under the dials of SETTINGS.

    Raises Unsupported, or ValueError, where it does not answer some variant.
    """
    expectations = [Expectation(v.case, settings[v.stimulus]) for v in trial.variants]
    first = trial.variants[0]
    for starts in representatives(first.case, settings[first.stimulus], MOST_STARTS):
        observations = []
        for variant, own in zip(trial.variants, expectations, strict=True):
            dials = settings[variant.stimulus]
            evaluations = own.answer(same_starts(starts, first, variant, dials))
            if own.undetermined:
                raise Unsupported(own.undetermined)
            answers = tuple(
                Observed(_stamp(e, variant.case, dials), e.content)
                for e in sorted(evaluations, key=lambda e: e.trigger or (0, 0))
                if e.t >= variant.case.registered
            )
            observations.append(Observation(variant.stimulus, dials, "", answers))
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
    after = [None if start is None else start - first.case.registered for start in starts]
    registered, scale = variant.case.registered, variant.scale
    chosen = (after[place] for place in follows)
    return tuple(None if wait is None else registered + scale * wait for wait in chosen)


def _stamp(evaluation: Evaluation, case: Case, dials: Dials) -> int | None:
    """The stamp of EVALUATION, as an engine hands it out."""
    return None if dials.answer_time == "none" else due_stamp(evaluation, case, dials)
