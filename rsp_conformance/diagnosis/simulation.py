"""An engine with a certain setting, simulated: would it have given an answer?

**What is sought.** An engine has answered a case. Would it have answered just so if some dials were
turned, or if it had some mutants? True, false, or None if nobody can say.

**Why this way.** Dials alone are the reference model's to judge: Definition 26 under other dials.
Nobody has written a semantics with mutants, but the engine `reference` can be built with them. So
it is run on the case from every start that Z permits, and its answers take the place of the
expected ones: they are aligned with the engine's answers by the same rules.

**What it guarantees.** A limit, an unsupported query or, for mutants, a Z with more than
`MOST_STARTS` members never makes a setting wrong: the outcome is None. Contents are compared
exactly. `reference` knows only the kit's readings of open points, so its contents are first
replaced by those of the readings that fit the engine best (`as_read`). Nobody predicts the answers
that elements after ``until`` trigger: other bugs show there, and in recorded runs of rsp-js a cause
of hundreds of answers was refuted by them.

**What it costs.** A run of `reference` is broken off at the first answer that no answer of the
engine can match. Settings of dials share the evaluations of a case (`relations_at_hand`). When each
evaluated the case and its readings anew, a search ran out of time on one large case.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product, starmap
from math import inf
from typing import TypeAlias

from rsp_conformance.adapters.reference.mutant import Mutant, TriedMutants
from rsp_conformance.diagnosis.mutants import MUTANTS, varies
from rsp_conformance.diagnosis.reference import ReferenceFailed, by_evaluation, reference_answers
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Content, Evaluation, Observed, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.usage import case_features
from rsp_conformance.model.verdict import Vector
from rsp_conformance.sparql.compare.contents import difference, same_answers
from rsp_conformance.spec.alignment import compare, refusing
from rsp_conformance.spec.correctness import judge, right_start, rspql_queries, t_s
from rsp_conformance.spec.readings import under_readings
from rsp_conformance.spec.start_classes import FEW, candidates, representatives
from rsp_conformance.spec.starts import number_of_queries
from rsp_conformance.spec.trace import Expectation, Relations, relations_at_hand

MOST_STARTS = FEW
"""The most members of Z that are tried: so many the reference model judges one by one. With more
members a mutant says nothing of the case."""
BEYOND = (Unsupported, LimitExceeded, ReferenceFailed, ValueError, SyntaxError)
"""The exceptions that say that a case is beyond the reference model or `reference`.

The SyntaxError is pyoxigraph's: a mutant has made a text that is no query any more."""

AsRead: TypeAlias = Callable[[Content], Content]
"""Maps a content to the content under other readings of open points."""


def visible(case: Case) -> frozenset[str]:
    """The mutants that may show in a case."""
    return _visible(case_features(case))


@lru_cache(maxsize=2048)
def _visible(used: frozenset[str]) -> frozenset[str]:
    """The mutants that may show in a case with these features."""
    return frozenset(name for name, mutant in MUTANTS.items() if mutant.may_show(used))


def differ(one: Setting, other: Setting, case: Case, dials: Dials) -> bool:
    """Whether two settings make an engine answer a case differently, from the first z of each.

    Args:
        one: a setting.
        other: another setting.
        case: the case.
        dials: the dials that the settings turn.

    Returns:
        False as well if `reference` does not support the case.
    """
    apart = set(one.mutants) ^ set(other.mutants)
    if one.dials == other.dials and not apart & visible(case):
        return False
    try:
        with limited():
            answers, others = _answers(one, case, dials), _answers(other, case, dials)
    except BEYOND:
        return False
    return not same_answers(answers, others, dials.numbers)


def nearer(one: Setting, other: Setting, observation: Observation) -> int | None:
    """How much nearer answers are to one setting's than to another's (`Predictions.nearer`)."""
    case, dials = observation.stimulus.case, observation.dials
    if one == other:
        return None
    try:
        with limited():
            mine, others = (
                _answers(h, case, dials, observation.stimulus.pacing) for h in (one, other)
            )
    except BEYOND:
        return None
    if same_answers(mine, others, dials.numbers):
        return None
    if all(is_empty(answer.content) for answer in observation.observed):
        return 0
    observed = observation.observed
    return _apart(others, observed, dials) - _apart(mine, observed, dials)


def _apart(predicted: Iterable[Observed], observed: Iterable[Observed], dials: Dials) -> int:
    """The number of answers with content that only one side has, whatever their stamps."""
    left = [answer.content for answer in predicted if not is_empty(answer.content)]
    apart = 0
    for answer in observed:
        if is_empty(answer.content):
            continue
        same = (c for c in left if difference(c, answer.content, dials.numbers) is None)
        if (met := next(same, None)) is not None:
            left.remove(met)
        apart += met is None
    return apart + len(left)


def _answers(
    setting: Setting, case: Case, dials: Dials, pacing: str = "burst"
) -> tuple[Observed, ...]:
    """The answers of an engine with a setting, from the first z."""
    turned = setting.turned(dials)
    starts = next(iter(rspql_queries(case, turned)))
    return reference_answers(case, _asked(turned), starts, mutants=setting.mutants, pacing=pacing)


def _asked(dials: Dials) -> Dials:
    """The dials with which `reference` stamps its answers.

    By arrivals an answer may come that belongs to another arrival, and only its stamp says so.
    Otherwise the alignment finds that out for an evaluation.
    """
    return dials if dials.answer_time == "arrival" else by_evaluation(dials)


def shown(setting: Setting, others: frozenset[str], observation: Observation) -> frozenset[str]:
    """The mutants among others that change anything in an engine with a setting, from any z."""
    trial = trial_of(others)
    case = observation.stimulus.case
    try:
        with limited():
            dials = setting.turned(observation.dials)
            for number, starts, mutants in _starts_and_variants(setting, case, dials, ()):
                if number == MOST_STARTS:
                    return others
                reference_answers(
                    case,
                    _asked(dials),
                    starts,
                    mutants=mutants,
                    pacing=observation.stimulus.pacing,
                    trial=trial,
                )
    except BEYOND:
        return others
    return frozenset(trial.shown) if number_of_queries(case, dials) <= MOST_STARTS else others


def mending(
    setting: Setting, others: frozenset[str], observation: Observation, read: AsRead | None
) -> frozenset[str]:
    """The mutants among others that show before a setting differs from the engine, from any z.

    Args:
        setting: the setting.
        others: the mutants.
        observation: the engine's answers.
        read: as for `as_mutants`.
    """
    trial = trial_of(others)
    parts = as_mutants(setting, observation, trial, read) is False
    return frozenset(trial.shown) if parts else others


def trial_of(names: Iterable[str]) -> TriedMutants:
    """Return the mutants of these names, to be tried beside a setting."""
    return TriedMutants([own for name in names for own in MUTANTS[name].variants])


def agrees(setting: Setting, observation: Observation, trial: TriedMutants) -> bool | None:
    """Whether an engine with a setting answers as observed.

    Args:
        setting: the setting.
        observation: the answers.
        trial: as for `as_mutants`.

    Returns:
        None if nobody can say.
    """
    try:
        dials = setting.turned(observation.dials)
    except ValueError:
        return None
    if not setting.mutants or not _is_compared(dials, observation):
        return judged(dials, observation)
    return as_mutants(setting, observation, trial) if observation.is_answered else None


def judged(dials: Dials, observation: Observation) -> bool | None:
    """Whether an answer is right under these dials, by the reference model; None if it is open."""
    if not observation.is_answered:
        return None
    case, observed = observation.stimulus.case, observation.observed
    if not _is_compared(dials, observation):
        return False if any(not is_empty(answer.content) for answer in observed) else None
    try:
        with limited():
            return right_from(case, dials, observed, relations_at_hand(case)) is not None
    except BEYOND:
        return None


def right_from(
    case: Case, dials: Dials, observed: Sequence[Observed], relations: Relations
) -> tuple[Expectation, Vector] | None:
    """Return the expectation under some dials, and a z from which the answers are right by it.

    Args:
        case: the case.
        dials: the dials.
        observed: the answers.
        relations: the relations of the case that were evaluated before.

    Returns:
        None if the answers are wrong.

    Raises:
        Unsupported: the reference model does not do the case.
        LeftOpen: the texts leave the answer open.
    """
    expectation = Expectation(case, dials, relations)
    starts = right_start(case, dials, observed, expectation)
    return None if starts is None else (expectation, starts)


def _is_compared(dials: Dials, observation: Observation) -> bool:
    """Whether anything is compared under some dials, if it is under those of the observation.

    Windows that start after the end give no rows.
    """
    case = observation.stimulus.case
    try:
        return t_s(case, dials) <= case.until or t_s(case, observation.dials) > case.until
    except BEYOND:
        return True


def as_read(observation: Observation) -> AsRead | None:
    """Find the readings of open points that fit an engine's answers best.

    `reference` knows only the kit's own readings. So each of its contents is looked up among the
    contents that are expected under these, and replaced by the content that is expected at the same
    evaluation under the best readings. A content that a mutant has changed is not found, and stays.

    Returns:
        The replacement; None if the kit's own readings fit best.
    """
    case, dials = observation.stimulus.case, observation.dials
    try:
        with limited():
            plain = Expectation(case, dials, relations_at_hand(case))
            vectors = [*representatives(case, dials, MOST_STARTS)]
            for starts in vectors:
                plain.answer(starts)
            if not plain.choices:  # So it is with most, and judging takes as long again.
                return None
            verdict = judge(case, dials, observation.observed, plain)
            if not verdict.readings:
                return None
            other = under_readings(plain, verdict)
            pairs: dict[Content, Content] = {}
            for starts in vectors:
                for mine, theirs in zip(plain.steps(starts), other.steps(starts), strict=True):
                    pairs.setdefault(mine.evaluation.content, theirs.evaluation.content)
    except BEYOND:
        return None
    apart = [(mine, theirs) for mine, theirs in pairs.items() if mine != theirs]

    def read(content: Content) -> Content:
        alike = (theirs for mine, theirs in apart if not difference(mine, content, dials.numbers))
        return next(alike, content)

    return read


def _starts_and_variants(
    setting: Setting, case: Case, dials: Dials, observed: Sequence[Observed]
) -> Iterator[tuple[int, Vector, tuple[Mutant, ...]]]:
    """Every z of Z by number, with every choice of variants that a setting's mutants have.

    Of a large Z one member of each class, those first from which the observed answers are likely.
    """
    variants = [*product(*(MUTANTS[name].variants for name in setting.mutants))]
    for number, (_, starts) in enumerate(candidates(case, dials, observed)):
        for mutants in variants:
            yield number, starts, mutants


def as_mutants(
    setting: Setting, observation: Observation, trial: TriedMutants, read: AsRead | None = None
) -> bool | None:
    """Whether `reference` with a setting answers as observed, from some z of Z.

    Args:
        setting: the setting.
        observation: the answers.
        trial: mutants that are tried at the same time, up to an answer that no observed one can
            match.
        read: maps each answer of `reference` to the engine's reading (`as_read`), if that is not
            the kit's own.

    Returns:
        None if nobody can say.
    """
    try:
        with limited():
            return _from_any_start(setting, observation, trial, read)
    except BEYOND:
        return None


def _from_any_start(
    setting: Setting, observation: Observation, trial: TriedMutants, read: AsRead | None
) -> bool | None:
    case, dials = observation.stimulus.case, setting.turned(observation.dials)
    start = t_s(case, dials)
    asked = _asked(dials)
    # Stamped by arrivals, an answer that an element after the end triggers has the end's stamp.
    last = case.until if asked is dials else sys.maxsize
    in_any_order = varies(setting) and observation.stimulus.pacing == "burst"
    is_refused = refusing(observation.observed, case, dials, start)

    def expected_at(place: int, answer: Observed) -> Evaluation:
        at = min(int(answer.t or 0), last)
        content = answer.content if read is None else read(answer.content)
        return Evaluation(at, content, (at, place) if asked is dials else None)

    refused: list[Observed] = []

    def is_enough(place: int, answer: Observed) -> bool:
        if is_refused(expected_at(place, answer)):
            refused.append(answer)
        return bool(refused)

    for number, starts, mutants in _starts_and_variants(setting, case, dials, observation.observed):
        if number == MOST_STARTS:
            return None
        refused.clear()
        ordered = [mutant for mutant in mutants if not mutant.unordered]
        answers = reference_answers(
            case,
            asked,
            starts,
            mutants=ordered,
            pacing=observation.stimulus.pacing,
            trial=trial,
            is_enough=is_enough,
        )
        if refused:
            continue
        expected = list(starmap(expected_at, enumerate(answers)))
        observed: Sequence[Observed] = observation.observed
        if in_any_order:
            observed = _in_order(observed, expected, dials)
        # What the appended elements set off is not predicted: there another bug shows at times,
        # and a cause of hundreds of answers was refuted by it in recorded runs of rsp-js.
        if compare(expected, observed, case, dials, start).divergence is None:
            return True
    # The reference model takes members of Z for one that mutants of windows may tell apart.
    return False if number_of_queries(case, dials) <= MOST_STARTS else None


def _in_order(
    observed: Iterable[Observed], expected: Iterable[Evaluation], dials: Dials
) -> list[Observed]:
    """The observed answers in the expected order, as far as contents are equal; the others last."""
    # Equal ones are distinguished by what triggered them.
    left, ordered = sorted(observed, key=_trigger), []
    for evaluation in expected:
        for place, answer in enumerate(left):
            if difference(evaluation.content, answer.content, dials.numbers) is None:
                ordered.append(left.pop(place))
                break
    return ordered + left


def _trigger(answer: Observed) -> float:
    return answer.cause if isinstance(answer.cause, int) else inf
