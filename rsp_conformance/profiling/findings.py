"""What an identification says dial by dial: value, rivals, evidence, and what was declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rsp_conformance.causes.reference import ReferenceFailed, reference_answers
from rsp_conformance.explain.render.answers import listed_answers
from rsp_conformance.explain.render.layout import listed, unglued
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.explain.render.timeline import timeline
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.observation import Observation
from rsp_conformance.profiling.evidence import Candidate
from rsp_conformance.profiling.identify import Identification
from rsp_conformance.profiling.rivals import NEEDED, SETTLED, matters
from rsp_conformance.spec.correctness import judge, rspql_queries


@dataclass(frozen=True, slots=True)
class RivalValue:
    """A value that a dial does not have: how many cases say so, and how many speak for it."""

    value: str
    told: int
    against: int


@dataclass(frozen=True, slots=True)
class ByShape:
    """The value of a dial for queries with the shapes WHEN, with blanks between them."""

    when: str
    value: str


@dataclass(frozen=True, slots=True)
class DialFinding:
    """What was found of one dial.

    ``value`` is what holds in general, ``overrides`` by shape of query; ``note`` says why nothing
    was asked, where that is so. ``contradicted``: what the engine declares explains fewer answers.
    ``evidence`` is a case to read, in lines: what was asked and answered, and what an engine with
    the nearest rival, or the declared value, would have answered.
    """

    dial: str
    value: str
    declared: str
    contradicted: bool
    overrides: tuple[ByShape, ...] = ()
    note: str = ""
    rivals: tuple[RivalValue, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """The value, with those that it has by shape: ``membership, and set with istream``."""
        return ", and ".join([self.value, *(f"{o.value} with {o.when}" for o in self.overrides)])

    @property
    def not_told_apart(self) -> tuple[str, ...]:
        """The values that explain all that the found one does."""
        return tuple(rival.value for rival in self.rivals if not rival.told)


def findings(found: Identification) -> tuple[DialFinding, ...]:
    """What was FOUND of each dial."""
    return tuple(_finding(found, dial) for dial in DIALS)


def unanswered(found: Identification) -> dict[str, int]:
    """How many cases have no answer to judge, by kind of failure."""
    kinds = Counter(
        "unsupported" if one.failure is None else one.failure.kind
        for one in found.evidence.unanswered
    )
    return dict(kinds.most_common())


def profile_of(found: Identification, engine: str) -> dict[str, Any]:
    """The profile that was found of ENGINE, as profiles are read, with how much it explains."""
    evidence, hello = found.evidence, found.subject.hello
    explained = len(evidence.explained(found.setting))
    said = f"found by experiments on {hello.engine} {hello.version or ''}".strip()
    description = f"{said}: explains {explained} of {len(evidence.answered)} answers"
    if found.setting.mutants:
        description += f", with the defects {', '.join(found.setting.mutants)}"
    name = f"{engine.partition(':')[0]}-found"
    return {**found.setting.profile.to_json(), "name": name, "description": f"{description}."}


def to_json(found: Identification, dials: Sequence[DialFinding], engine: str) -> dict[str, Any]:
    """All that was FOUND of ENGINE, DIALS among it."""
    return {
        "engine": engine,
        "version": found.subject.hello.version,
        "profile": profile_of(found, engine),
        "mutants": list(found.setting.mutants),
        "cases": len(found.evidence.answered),
        "explained": len(found.evidence.explained(found.setting)),
        "unanswered": unanswered(found),
        "complete": found.complete,
        "dials": [asdict(one) for one in dials],
    }


def _finding(found: Identification, dial: str) -> DialFinding:
    profile = found.setting.profile
    value, declared = profile.base.text(dial), found.declared.base.text(dial)
    if dial in SETTLED:
        if dial in ("windows_in", "stream_operators"):
            declared = found.said.base.text(dial)
        return DialFinding(dial, value, declared, value != declared, note=SETTLED[dial])
    overrides = tuple(
        ByShape(" ".join(sorted(o.when)), str(dict(o.dials)[dial]))
        for o in profile.overrides
        if dial in dict(o.dials)
    )
    as_declared = found.setting.with_dial_of(found.declared, dial)
    note = _note(found, dial)
    if note:
        return DialFinding(dial, value, declared, False, overrides, note)
    rivals, nearest = [], None
    for _, other, setting in found.setting.moves([dial]):
        gained, lost = found.evidence.told(found.setting, setting)
        rivals.append(RivalValue(other, len(gained), len(lost)))
        if gained and (nearest is None or len(gained) < len(nearest[1])):
            nearest = other, gained, setting
    contradicted = found.contradicts and found.evidence.clearly(found.setting, as_declared)
    if contradicted:
        told, _ = found.evidence.told(found.setting, as_declared)
        nearest = declared, told, as_declared
    evidence = tuple(_experience(found, *nearest)) if nearest else ()
    rivals.sort(key=lambda rival: rival.told)
    return DialFinding(dial, value, declared, contradicted, overrides, "", tuple(rivals), evidence)


def _note(found: Identification, dial: str) -> str:
    """Why no case says anything of DIAL; empty where some do."""
    profile = found.setting.profile
    for observation in found.evidence.answered:
        case = observation.stimulus.case
        if matters(dial, case, profile.dials(case.query)):
            return ""
    needed = NEEDED.get(dial, ())
    if needed and not found.subject.features.intersection(needed):
        return f"not asked: the engine declares no feature {listed(needed, last='or')}"
    return "of no consequence, the other dials being as they are"


def _experience(
    found: Identification, value: str, among: frozenset[int], rival: Candidate
) -> Iterator[str]:
    """The shortest of the cases AMONG, with what RIVAL, a dial at VALUE, would have answered."""
    evidence = found.evidence
    at = min(sorted(among), key=lambda n: (not evidence.has_rows(n), evidence.size(n)))
    observation = evidence.answered[at]
    case, notation = observation.stimulus.case, Notation(observation.stimulus.case)
    ours, theirs = (s.profile.dials(case.query) for s in (found.setting, rival))
    yield from filter(None, map(str.rstrip, observation.query_text.splitlines()))
    yield f"(registered at {case.registered}, compared until {case.until})"
    yield from (f"  {unglued(notation.element(element))}" for element in case.elements)
    yield from _drawn(observation, ours).splitlines()
    yield "It answered"
    yield from listed_answers(case, observation.observed, _WIDTH)
    yield f"Under {value} it would have answered"
    yield from _otherwise(observation, theirs, rival.mutants)


_WIDTH = 96


def _drawn(observation: Observation, dials: Dials) -> str:
    case = observation.stimulus.case
    starts = next(iter(rspql_queries(case, dials)))
    try:
        starts = judge(case, dials, observation.observed).t0 or starts
        return timeline(case, dials, starts, observation.observed, _WIDTH)
    except (Unsupported, LimitExceeded, ValueError):
        return ""


def _otherwise(observation: Observation, dials: Dials, mutants: tuple[str, ...]) -> list[str]:
    """What an engine with DIALS and MUTANTS answers where it comes nearest, a line each."""
    case = observation.stimulus.case
    try:
        with limited():
            starts = judge(case, dials, observation.observed).t0
            answers = reference_answers(case, dials, starts, mutants=mutants)
    except (Unsupported, LimitExceeded, ReferenceFailed, ValueError, SyntaxError) as error:
        return [f"  nothing that can be said ({error})"]
    return listed_answers(case, answers, _WIDTH)
