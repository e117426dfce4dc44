"""What an identification says dial by dial: value, rivals, evidence, and what was declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from rsp_conformance.diagnosis.profile.identify import Identification
from rsp_conformance.diagnosis.profile.values import NEEDED, SETTLED, matters
from rsp_conformance.diagnosis.reference import ReferenceFailed, reference_answers
from rsp_conformance.explain.render.answers import listed_answers
from rsp_conformance.explain.render.layout import listed, unglued
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.explain.render.terminal import answer_lines
from rsp_conformance.explain.render.timeline import timeline
from rsp_conformance.files.codec import Format
from rsp_conformance.files.fields import FieldError
from rsp_conformance.files.files import FileError, parse_json, read_text
from rsp_conformance.files.profiles import PROFILE_RULES, ProfileJson
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials, forgives
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.setting import Setting
from rsp_conformance.spec.correctness import judge, rspql_queries

SPELLING: Final = ("bounds", "window", "t0", "report", "tick")
"""The dials of which two together may be another spelling: they say of what an answer is."""


@dataclass(frozen=True, slots=True)
class RivalValue:
    """A value that a dial does not have: how many cases say so, and how many support it."""

    value: str
    told: int
    against: int


@dataclass(frozen=True, slots=True)
class ByShape:
    """The value of a dial for queries of some shapes; their names have blanks between them."""

    when: str
    value: str


@dataclass(frozen=True, slots=True)
class DialFinding:
    """What was found of one dial.

    ``value`` is what holds in general, ``overrides`` by shape of query, and ``declared`` all that
    the engine declares, as `whole` has it. If this is something else, it is among the ``rivals``.
    ``note`` says why nothing was asked, where that is so; there are no rivals then.
    ``contradicted``: what the engine declares explains fewer answers.
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
        return _whole(self.value, self.overrides)

    @property
    def rival(self) -> RivalValue | None:
        """What the engine declares, if that is something else and was compared."""
        return next((own for own in self.rivals if own.value == self.declared), None)

    @property
    def not_told_apart(self) -> tuple[str, ...]:
        """The values that explain all that the found one does."""
        return tuple(rival.value for rival in self.rivals if not rival.told)


def findings(found: Identification) -> tuple[DialFinding, ...]:
    """Return what an identification says of each dial."""
    return tuple(_finding(found, dial) for dial in DIALS)


def conclusion(dials: Sequence[DialFinding], *, complete: bool) -> str:
    """Say in a sentence or two whether the answers contradict what the engine declares.

    If a dial was found to have another value than the declared one, in general or by shape, this is
    said of it, whether or not an answer tells the two apart.

    Args:
        dials: what was found of each dial.
        complete: whether the search was not cut short.
    """

    def named(found: Iterable[DialFinding]) -> str:
        return "; ".join(f"{own.dial} is {own.whole}, not {own.declared}" for own in found)

    so_far = "" if complete else ", as far as was asked"
    if wrong := [own for own in dials if own.contradicted]:
        return f"The answers contradict the engine's declaration{so_far}: {named(wrong)}."
    others = [own for own in dials if own.whole != own.declared]
    said = {
        "Some answers suggest another value than the declared one, but not enough": [
            own for own in others if own.rival and own.rival.told
        ],
        "No answer supports what was found against what is declared": [
            own for own in others if own.rival and not own.rival.told
        ],
        "The declared value was not tried": [own for own in others if not own.rival],
    }
    told = [f"{start}{so_far}: {named(found)}." for start, found in said.items() if found]
    return " ".join(told) or f"The answers contradict nothing that the engine declares{so_far}."


def spellings(found: Identification) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Return the pairs of dials that, both turned, predict whatever the setting does.

    One of them alone does not: the last closed window with (o,c] is another spelling of [o,c) with
    the active window, if each evaluation waits for a close.

    Args:
        found: what was found.
    """
    agrees, setting = found.predictions.agrees, found.setting
    expected = [(own, agrees(setting, own)) for own in found.answered]
    turns = [
        (dial, value)
        for dial, value, turned in found.moves(SPELLING)
        if not forgives(dial, value) and any(found.told(turned))
    ]
    pairs = []
    for one, other in combinations(turns, 2):
        rival = setting | Setting.of(dict((one, other)))
        if one[0] == other[0]:
            continue
        for at, (own, ours) in enumerate(expected):
            if agrees(rival, own) is not ours:
                expected.insert(0, expected.pop(at))  # It tells most others, too.
                break
        else:
            pairs.append((one, other))
    return pairs


def unanswered(found: Identification) -> dict[str, int]:
    """How many cases have no answer to judge, by kind of failure."""
    kinds = Counter(
        "unsupported" if one.failure is None else one.failure.kind for one in found.unanswered
    )
    return dict(kinds.most_common())


def profile_of(found: Identification, engine: str) -> ProfileJson:
    """Return the profile that was found of an engine, with how much it explains."""
    hello = found.subject.hello
    explained = len(found.explained())
    said = f"found by experiments on {hello.engine} {hello.version or ''}".strip()
    description = f"{said}: explains {explained} of {found.judged} answers"
    if found.setting.mutants:
        description += f", with the mutants {', '.join(found.setting.mutants)}"
    name = f"{engine.partition(':')[0]}-found"
    return ProfileJson.of(found.profile(), name=name, description=f"{description}.")


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundJson:
    """All that was found of an engine."""

    engine: str
    version: str
    profile: ProfileJson
    mutants: tuple[str, ...]
    cases: int
    """The answers that were judged."""
    explained: int
    """Those that the profile, with the mutants, explains."""
    unanswered: Mapping[str, int]
    complete: bool
    """Whether the search was finished."""
    dials: tuple[DialFinding, ...]
    spellings: tuple[Mapping[str, str], ...] = ()
    """Pairs of dials that, both turned, predict the same."""


FOUND: Final = Format(PROFILE_RULES)
"""What was found, as `--format json` shows it."""


def to_json(found: Identification, dials: Sequence[DialFinding], engine: str) -> dict[str, Any]:
    """Return all that was found of an engine, with its dials."""
    document = FoundJson(
        engine=engine,
        version=found.subject.hello.version,
        profile=profile_of(found, engine),
        mutants=found.setting.mutants,
        cases=found.judged,
        explained=len(found.explained()),
        unanswered=unanswered(found),
        complete=found.complete,
        dials=tuple(dials),
        spellings=tuple(dict(one) for one in spellings(found)),
    )
    return FOUND.write(FoundJson, document)  # type: ignore[no-any-return]


def read_found(path: Path) -> FoundJson:
    """Read what was found of an engine from a file.

    Raises:
        FileError: the file holds no such thing.
    """
    try:
        found: FoundJson = FOUND.read(FoundJson, parse_json(read_text(path), path))
        return found
    except FieldError as error:
        raise FileError(path, f"not what `profile --format json` writes: {error}") from None


def _finding(found: Identification, dial: str) -> DialFinding:
    profile = found.profile()
    value, declared = profile.base.text(dial), found.declared.base.text(dial)
    if dial in SETTLED:
        if dial in ("windows_in", "stream_operators"):
            declared = found.said.base.text(dial)
        return DialFinding(dial, value, declared, value != declared, note=SETTLED[dial])
    overrides = _overrides(profile, dial)
    declared = _whole(declared, _overrides(found.declared, dial))
    as_declared = found.as_declared([dial])
    note = _note(found, dial)
    if note:
        return DialFinding(dial, value, declared, False, overrides, note)
    rivals, nearest = [], None
    others = {other: setting for _, other, setting in found.moves([dial])}
    if declared != _whole(value, overrides):
        others.setdefault(declared, as_declared)  # By shape, or none of the values that are tried.
    for other, setting in others.items():
        gained, lost = found.told(setting)
        rivals.append(RivalValue(other, len(gained), len(lost)))
        if gained and (nearest is None or len(gained) < len(nearest[1])):
            nearest = other, gained, setting
    contradicted = found.contradicts and found.clearly(as_declared)
    if contradicted:
        nearest = declared, found.told(as_declared)[0], as_declared
    evidence = tuple(_experience(found, *nearest)) if nearest else ()
    rivals.sort(key=lambda rival: rival.told)
    return DialFinding(dial, value, declared, contradicted, overrides, "", tuple(rivals), evidence)


def _overrides(profile: Profile, dial: str) -> tuple[ByShape, ...]:
    """The values of a dial by shape; of several for the same shapes, the last one holds.

    None if all are what holds in general.
    """
    found = {when: value for _, value, when in profile.by_shape(dial)}
    if {*found.values()} <= {profile.base.text(dial)}:
        return ()
    return tuple(ByShape(when, value) for when, value in sorted(found.items()))


def _whole(value: str, overrides: Iterable[ByShape]) -> str:
    return ", and ".join([value, *(f"{own.value} with {own.when}" for own in overrides)])


def _note(found: Identification, dial: str) -> str:
    """Say why no case tells anything of a dial; empty if some do."""
    profile = found.profile()
    for observation in found.answered:
        case = observation.stimulus.case
        if matters(dial, case, profile.dials(case.query)):
            return ""
    needed = NEEDED.get(dial, ())
    if needed and not found.subject.features.intersection(needed):
        return f"not asked: the engine declares no feature {listed(needed, last='or')}"
    return "of no consequence, the other dials being as they are"


def _experience(
    found: Identification, value: str, among: Sequence[int], rival: Setting
) -> Iterator[str]:
    """Show the shortest of some cases, with what another value of a dial would have answered."""
    told = (found.answered[at] for at in among)
    observation = min(told, key=lambda own: (not own.speaks, _length(own)))
    case, notation = observation.stimulus.case, Notation(observation.stimulus.case)
    ours, theirs = (found.profile(own).dials(case.query) for own in (found.setting, rival))
    yield from filter(None, map(str.rstrip, observation.query_text.splitlines()))
    yield f"(registered at {case.registered}, compared until {case.until})"
    yield from (f"  {unglued(notation.element(element))}" for element in case.elements)
    yield from _drawn(observation, ours).splitlines()
    yield "It answered"
    yield from _listed(case, observation.observed)
    yield f"Under {value} it would have answered"
    yield from _otherwise(observation, theirs, rival.mutants)


def _length(own: Observation) -> tuple[int, int]:
    """How long an observation is to read."""
    return len(own.stimulus.case.elements) + len(own.observed), len(own.query_text)


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
    """List what an engine with these dials and mutants answers at the nearest start."""
    case = observation.stimulus.case
    try:
        with limited():
            starts = judge(case, dials, observation.observed).t0
            answers = reference_answers(case, dials, starts, mutants=mutants)
    except (Unsupported, LimitExceeded, ReferenceFailed, ValueError, SyntaxError) as error:
        return [f"  nothing that can be said ({error})"]
    return _listed(case, answers)


def _listed(case: Case, answers: Sequence[Observed]) -> list[str]:
    return answer_lines(listed_answers(case, answers), _WIDTH) or ["  no answer"]
