"""The properties of a pair of engines: for each focus, that they give the same answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

from hypothesis import reject
from hypothesis import strategies as st

from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.verdict import left_open, verdict_on
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus, Trial, Variant
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.relations.agreement import Asked, agreement, is_agreement
from rsp_conformance.relations.comparison import answered, first_difference
from rsp_conformance.relations.pair import EnginePair
from rsp_conformance.relations.relation import Draws, MetamorphicRelation
from rsp_conformance.strategies import applicable, cases

# The statement, the source and the family of each of these relations.
STATEMENT = "Two engines answer alike where the profile of each demands it."
SOURCE = "RSP-QL Def. 26; LARS, agreement"
FAMILY = "against"


def against(focus: str, name: str, title: str) -> MetamorphicRelation:
    """Make the relation that two engines give the same answers in cases of a focus.

    Args:
        focus: the focus of the cases.
        name: the relation's name; its test is ``rsp::test_against[<name>]``.
        title: the relation in a few words.
    """
    return MetamorphicRelation(
        name=name,
        title=title,
        statement=STATEMENT,
        source=SOURCE,
        draws=partial(_draws, focus),
        contradiction=_contradiction,
        refuses=partial(_refuses, focus),
        family=FAMILY,
        incomparable=_incomparable,
        ground=_ground,
    )


def _refuses(focus: str, subject: EngineUnderTest) -> str | None:
    assert isinstance(subject, EnginePair)
    able = applicable(focus, subject.features, subject.drawer.profile)
    return able if isinstance(able, str) else None


def _draws(focus: str, subject: EngineUnderTest) -> Draws:
    assert isinstance(subject, EnginePair)
    pair, drawn = subject, cases(subject.features, subject.drawer.profile, focus=focus)
    labels = [engine.hello.engine for engine in (pair.first, pair.other)]
    if labels[0] == labels[1]:
        labels[1] += " (the other)"

    def make(draw: st.DrawFn) -> Trial:
        case = draw(drawn)
        written = [pair.as_asked(case, engine) for engine in (pair.first, pair.other)]
        variants = [
            Variant(label, Stimulus(own, second=place > 0))
            for place, (label, own) in enumerate(zip(labels, written, strict=True))
            if own is not None
        ]
        if len(variants) < 2:
            reject()
        return Trial(tuple(variants))

    return make


_agreement = lru_cache(maxsize=8)(agreement)
"""Cached: it is called twice per case, for whether answers are comparable and on what ground."""


def _ground(observations: Sequence[Observation]) -> str:
    """Why the two answers must agree, or why the profiles do not demand it."""
    return _agreement(*(Asked(o.stimulus.case, o.dials) for o in observations))


def _incomparable(observations: Sequence[Observation]) -> str | None:
    """Why the two answers must not be compared, or None."""
    found = _ground(observations)
    return None if is_agreement(found) else found


def _contradiction(trial: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    """How the two answers differ; the verdict on each, by its own profile, says which is wrong."""
    labels = [variant.label for variant in trial.variants]
    verdicts = [verdict_on(observation) for observation in observations]
    if None in verdicts:
        if any(map(left_open, observations)):
            return None
        return first_difference(observations, labels) if _stamped_alike(observations) else None
    wrong = {at: v for at, v in enumerate(verdicts) if v is not None and not v.correct}
    if len(wrong) == 2 and _stamped_alike(observations):
        found = first_difference(observations, labels)
        # If both are wrong in the same way they agree, and their own properties report them.
        return found and Contradiction(found.t, f"{found.says} By its own profile each is wrong.")
    return _accused(labels, observations, wrong) if wrong else None


def _stamped_alike(observations: Sequence[Observation]) -> bool:
    """Whether two answers to one query can be compared stamp by stamp."""
    one, other = (
        (o.stimulus.case, o.dials.answer_time, o.dials.trigger, o.dials.clock, o.dials.answers)
        for o in observations
    )
    return one == other


def _accused(
    labels: Sequence[str], observations: Sequence[Observation], wrong: Mapping[int, Verdict]
) -> Contradiction:
    """The answer of the first engine that is wrong by its own profile, and the expected answer."""
    place, verdict = next(iter(wrong.items()))
    found = verdict.divergence
    given = None if found is None or found.observed is None else found.observed.content
    due = None if found is None or found.expected is None else found.expected.content
    t = None if found is None else found.t
    when = "" if t is None else f"At t={t} "
    said = f"{when}{labels[place]} {answered(given, observations[place])}"
    right = [label for at, label in enumerate(labels) if at not in wrong]
    by = f", as {right[0]} answers" if right else "; both are wrong"
    if due is None:
        said += f", where nothing is expected{by}."
    else:
        notation = Notation(observations[place].stimulus.case)
        said += f", where {notation.content(due)} is expected{by}."
    return Contradiction(t, said[0].upper() + said[1:])
