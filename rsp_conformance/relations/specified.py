"""The reference model in the engine's place: its answers to a trial, for each z ∈ Z.

They serve as guard and as proof: a relation holds if no z makes the reference model contradict
itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus, Trial, Variant
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.alignment_stamps import expected_stamp
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.start_classes import representatives
from rsp_conformance.spec.trace import Expectation

MOST_STARTS = 64
"""The greatest number of members of Z that are evaluated. Drawn cases have at most 12
(`strategies.windows.MOST_VECTORS`); of a case with more, representatives are evaluated."""

Settings: TypeAlias = Mapping[Stimulus, Dials]
"""The dials under which each stimulus is evaluated."""


def specified(trial: Trial, settings: Settings) -> Iterator[tuple[Observation, ...]]:
    """Yield the reference model's answers to the variants, for one z after the other.

    Args:
        trial: the variants.
        settings: the dials under which each of them is evaluated.

    Raises:
        Unsupported: the reference model does not answer some variant, or leaves it undetermined.
        ValueError: the reference model does not answer some variant.
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
    """Return the starts of a variant's windows that go with ``starts`` of the first variant's.

    A window by time whose t0 the profile leaves open starts as long after the registration as in
    the first variant, times ``scale``; with another profile there is one t0 for it. A window by
    count starts after as many units as in the first variant. A window of another kind than there
    starts by itself.

    Args:
        starts: the start of each window of the first variant; None for a window never defined.
        first: the first variant.
        variant: the variant that was made from it.
        dials: the setting of the dials of the variant.
    """
    own = next(iter(rspql_queries(variant.case, dials)))
    if not dials.leaves_starts_open:
        return own
    windows = variant.case.query.resolved_windows(dials)
    original = first.case.query.resolved_windows(dials)
    registered, scale = variant.case.registered, variant.scale
    follows = variant.follows or range(len(windows))
    found = []
    for window, legal, place in zip(windows, own, follows, strict=True):
        start = starts[place]
        timed = isinstance(window, SlidingWindow) and dials.t0 != "any"
        if timed or type(window) is not type(original[place]):
            start = legal
        elif isinstance(window, SlidingWindow) and start is not None:
            start = registered + scale * (start - first.case.registered)
        found.append(start)
    return tuple(found)


def _stamp(evaluation: Evaluation, case: Case, dials: Dials) -> int | None:
    """The stamp that an engine gives an evaluation."""
    return None if dials.answer_time == "none" else expected_stamp(evaluation, case, dials)
