"""A suite curated: candidates drawn, what each covers and kills, and as few of them as will do."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import Final

from rsp_conformance.model.dials import DIALS
from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.strategies import FOCUSES
from rsp_conformance.test_suite.entry import SuiteCase
from rsp_conformance.test_suite.legal import legal_answers
from rsp_conformance.test_suite.manifest import CaseSuite
from tools.curation.candidate import Candidate
from tools.curation.cover import greedy_cover, without_redundant
from tools.curation.coverage import (
    OF_ENGINES,
    all_points,
    is_missing,
    points,
    profile_points,
    profiles_of,
    reporting_points,
)
from tools.curation.drawing import PLAIN, Amount, by_example, drawn, drawn_for, drawn_under, killing
from tools.curation.kills import ALL_MUTANTS, KILLABLE, kills, may_kill

KILLERS: Final = 3
"""So many killers of a mutant are looked for among what is drawn, small ones first."""
ASKED: Final = 250
"""So many candidates at most are asked about one mutant."""
LARGEST_TOLD: Final = 28
"""Candidates of such a size are asked which ways of handing out answers they tell apart."""
_STAMPED: Final = ("multi-window", "aggregates", "contemporaneous", "silence")
RIVALS: Final = 3
"""So many candidates, the smallest, are kept for each point."""

_DEFINING: Final = ("named-elements", "time-varying")
_PLAIN: Final = {dial: PLAIN.text(dial) for dial in DIALS}

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CuratedSuite:
    """The tests of a suite, and what each of them covers and kills, as points by name."""

    tests: tuple[SuiteCase, ...]
    points: dict[str, frozenset[str]]


def curate(given: Sequence[Candidate], amount: Amount, seed: str, say: Say) -> CuratedSuite:
    """Choose a suite, with all that are GIVEN in it; an equal SEED chooses the same one."""
    pool = [*given]
    for one in drawn(amount, seed):
        pool.append(one)
        if len(pool) % 500 == 0:
            say(f"{len(pool)} candidates")
    known = {one: set(_cheap_points(one)) for one in pool}
    rivals = _smallest(pool, known)
    say(f"{len(pool)} candidates, {len(rivals)} of them for {len(_all(known))} points")
    killers = _killers(pool, rivals, amount, seed, say)
    for one, names in killers.items():
        known.setdefault(one, set()).update(f"kill:{name}" for name in names)
    shortlist = list(dict.fromkeys([*given, *rivals, *killers]))
    say(f"{len(shortlist)} candidates on the list")
    for one in shortlist:
        if one.about in _STAMPED and one.size < LARGEST_TOLD:
            known[one].update(reporting_points(one))
    whole = {one: known[one] for one in shortlist}
    sizes = {one: one.size for one in shortlist}
    chosen = greedy_cover(whole, sizes, given)
    say(f"{len(chosen)} chosen; all that they cover and kill")
    settled = [with_requirements(one, seed) for one in chosen]
    say("what they need")
    every = {one: frozenset(all_points_of(one)) for one in settled}
    kept = [one for one in settled if one.kept]
    left = without_redundant(settled, every, {one: one.size for one in settled}, kept)
    return _named(left, every)


def titled(entry: SuiteCase) -> SuiteCase:
    """ENTRY with a title that says what it is about; the papers' examples have theirs."""
    about = re.sub(r"-\d+$", "", entry.name)
    mutant = ALL_MUTANTS.get(about.removeprefix("mutant-"))
    if entry.source:
        return entry
    if about in FOCUSES:
        return replace(entry, title=FOCUSES[about].description)
    if mutant is not None:
        return replace(entry, title=f"Tells an engine of which this is true: {mutant.summary}")
    return replace(entry, title=_TITLES.get(about, about))


_TITLES: Final = {
    "law": "A query that a law of the algebra rewrites",
    "merged": "A named window that the profile merges into the default graph",
    "operators": "Operators of paths and expressions",
}


def _all(known: dict[Candidate, set[str]]) -> set[str]:
    return set().union(*known.values())


def _cheap_points(one: Candidate) -> Iterable[str]:
    """What ONE covers, of definitions and dials only what it was drawn for."""
    turned = tuple(d for d in DIALS if one.entry.dials.text(d) != _PLAIN[d])
    plain = one.about in ("windows", "report") and not turned
    dials = DIALS if plain else turned if len(turned) < 3 else ()
    yield from points(one, dials=dials, definitions=not turned or one.about in _DEFINING)
    yield from profile_points(one, equal=True)


def _smallest(pool: Iterable[Candidate], known: dict[Candidate, set[str]]) -> list[Candidate]:
    """The candidates that are among the smallest for one of their points."""
    by_point: defaultdict[str, list[Candidate]] = defaultdict(list)
    for one in pool:
        for point in known[one]:
            by_point[point].append(one)
    near = {
        one for found in by_point.values() for one in sorted(found, key=lambda c: c.size)[:RIVALS]
    }
    return [one for one in pool if one in near]


def _killers(
    pool: Sequence[Candidate],
    rivals: Sequence[Candidate],
    amount: Amount,
    seed: str,
    say: Say,
) -> dict[Candidate, list[str]]:
    """Candidates with the mutants that they kill: small ones that were drawn, or one of its own."""
    found: defaultdict[Candidate, list[str]] = defaultdict(list)
    small = sorted(pool, key=lambda one: one.size)
    order = list(dict.fromkeys([*sorted(rivals, key=lambda one: one.size), *small]))
    for name in KILLABLE:
        mutant, killers = ALL_MUTANTS[name], 0
        able = [one for one in order if may_kill(one.entry, mutant)]
        if (own := next(by_example(mutant), None)) is not None:
            found[own].append(name)
            killers += 1
        for one in able[: ASKED if not killers else 0]:
            if kills(one.entry, mutant):
                found[one].append(name)
                killers += 1
            if killers == KILLERS:
                break
        if not killers:
            own = killing(mutant, amount, seed)
            say(f"{name}: {'one of its own' if own else 'not killed'}")
            if own is not None:
                found[own].append(name)
    return found


def with_requirements(one: Candidate, seed: str) -> Candidate:
    """ONE with the dials that its legal answers depend on."""
    return replace(one, entry=replace(one.entry, requires=one.dependence.requires(seed)))


def all_points_of(one: Candidate) -> Iterable[str]:
    """All that ONE, whose ``requires`` are known, covers and kills."""
    yield from points(one)
    if one.about in _STAMPED and one.size < LARGEST_TOLD:
        yield from reporting_points(one)
    yield from profile_points(one)
    mutants = (ALL_MUTANTS[name] for name in KILLABLE)
    killed = [f.name for f in mutants if may_kill(one.entry, f) and kills(one.entry, f)]
    yield from (f"kill:{name}" for name in killed)
    for profile in profiles_of(one):
        yield from (f"killed under {profile}:{name}" for name in killed)


def _named(left: Sequence[Candidate], every: dict[Candidate, frozenset[str]]) -> CuratedSuite:
    """The tests, those of one subject numbered from the smallest on."""
    numbers: Counter[str] = Counter()
    tests, found = [], {}
    kept = [one for one in left if one.kept]
    others = sorted((one for one in left if not one.kept), key=lambda o: (o.about, o.size))
    for one in (*kept, *others):
        numbers[one.about] += 1
        name = one.entry.name if one.kept else f"{one.about}-{numbers[one.about]}"
        tests.append(replace(one.entry, name=name))
        found[name] = every[one]
    return CuratedSuite(tuple(tests), found)


def extended(
    suite: CaseSuite, claims: Mapping[str, frozenset[str]], amount: Amount, seed: str, say: Say
) -> CuratedSuite:
    """SUITE, whose tests cover what CLAIMS say, with what it takes to kill mutants that are new."""
    tests = [entry for entry in suite.tests if not _is_open(entry)]
    say(f"{len(suite.tests) - len(tests)} tests left out, which the texts leave open by now")
    known = {point for entry in tests for point in claims[entry.name]}
    new = [ALL_MUTANTS[name] for name in KILLABLE if f"kill:{name}" not in known]
    gone = {p for p in known if p.startswith("kill:") and p.removeprefix("kill:") not in KILLABLE}
    points = {entry.name: claims[entry.name] - gone for entry in tests}
    for mutant in new:
        killers = [e for e in tests if may_kill(e, mutant) and kills(e, mutant)]
        own = None if killers else killing(mutant, amount, seed)
        say(f"{mutant.name}: {len(killers)} tests kill it{', and one of its own' if own else ''}")
        if own is not None:
            _add(with_requirements(own, seed), tests, points)
        for entry in killers:
            points[entry.name] |= {f"kill:{mutant.name}"}
    for one in (*_for_missing(points, amount, seed, say), *_for_engines(points, amount, seed, say)):
        _add(one, tests, points)
    say("all that they cover and kill, again")
    for entry in tests:
        laws = [p.removeprefix("law:") for p in points[entry.name] if p.startswith("law:")]
        about = re.sub(r"-\d+$", "", entry.name)
        points[entry.name] = frozenset(all_points_of(Candidate(entry, about, tuple(laws))))
    sizes = {entry.name: Candidate(entry, entry.name).size for entry in tests}
    kept = [entry.name for entry in tests if entry.source]
    left = without_redundant([e.name for e in tests], points, sizes, kept)
    return CuratedSuite(
        tuple(e for e in tests if e.name in left), {name: points[name] for name in left}
    )


def _is_open(entry: SuiteCase) -> bool:
    """Whether the texts leave open what the answer to ENTRY is."""
    try:
        legal_answers(entry.case, entry.dials)
    except LeftOpen:
        return True
    return False


def _add(one: Candidate, tests: list[SuiteCase], points: dict[str, frozenset[str]]) -> None:
    """Put ONE among TESTS, under a name of its own."""
    names = (f"{one.about}-{number}" for number in count(1))
    name = next(name for name in names if name not in points)
    tests.append(replace(one.entry, name=name))
    points[name] = frozenset(all_points_of(one))


def _for_engines(
    claims: Mapping[str, frozenset[str]], amount: Amount, seed: str, say: Say
) -> Iterator[Candidate]:
    """Small candidates that kill mutants under the profiles of engines, where no test does."""
    covered = {point for found in claims.values() for point in found}
    for profile in OF_ENGINES:
        pool = sorted(drawn_under(profile, amount.setting, seed), key=lambda one: one.size)
        for name in KILLABLE:
            mutant, point = ALL_MUTANTS[name], f"killed under {profile}:{name}"
            if point in covered:
                continue
            able = (one for one in pool if may_kill(one.entry, mutant))
            examples = by_example(mutant, profile)
            tried = (*examples, *islice(able, ASKED // 5))
            found = next((one for one in tried if kills(one.entry, mutant)), None)
            if found is not None:
                found = with_requirements(found, seed)
                covered.update(all_points_of(found))
                yield found
        under = sum(point.startswith(f"killed under {profile}:") for point in covered)
        say(f"{under} mutants are killed under {profile}")


def _for_missing(
    claims: Mapping[str, frozenset[str]], amount: Amount, seed: str, say: Say
) -> Iterator[Candidate]:
    """Candidates that have what no test has yet, with what they require."""
    covered = {point for found in claims.values() for point in found}
    wanted = [point for found in all_points().values() for point in found]
    missing = {p for p in wanted if not p.startswith("profile:") and is_missing(p, covered)}
    say(f"{len(missing)} points are missing")
    for one in drawn_for(missing, 5 * amount.plain, seed):
        turned = {d for d in DIALS if one.entry.dials.text(d) != _PLAIN[d]}
        turned |= {
            point.partition(":")[2].partition("=")[0] for point in missing if "dial:" in point
        }
        found = {p for p in points(one, dials=tuple(turned), definitions=False) if p in missing}
        if found:
            say(f"{', '.join(sorted(found))[:100]}: {one.about}")
            yield with_requirements(one, seed)
            covered |= found
            missing = {p for p in missing if is_missing(p, covered)}
        if not missing:
            return
    say(f"not found: {', '.join(sorted(missing))}")
