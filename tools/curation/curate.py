"""A suite curated: candidates drawn, what each covers and kills, and as few of them as will do."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from typing import Final

from rsp_conformance.model.dials import DIALS
from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.strategies import FOCUSES
from rsp_conformance.test_suite.answered import suite_entry
from rsp_conformance.test_suite.entry import SuiteCase, SuiteEntry
from rsp_conformance.test_suite.legal import legal_answers
from rsp_conformance.test_suite.manifest import CaseSuite
from tools.curation.candidate import Candidate
from tools.curation.cover import greedy_cover, without_redundant
from tools.curation.coverage import (
    HELD_TO,
    all_points,
    is_missing,
    points,
    reporting_points,
    under_profiles,
)
from tools.curation.drawing import (
    PLAIN,
    Amount,
    by_example,
    drawn,
    drawn_for,
    drawn_under,
    killing,
)
from tools.curation.kills import ALL_MUTANTS, KILLABLE, changes, kills, may_kill
from tools.processes import results

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

    tests: tuple[SuiteEntry, ...]
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
    every = dict(zip(chosen, _all_points_of(chosen), strict=True))
    kept = [one for one in chosen if one.kept]
    left = without_redundant(chosen, every, sizes, kept)
    say("their answers under every profile")
    return _named(left, _with_untold(left, every), seed)


def titled(entry: SuiteEntry) -> SuiteEntry:
    """ENTRY with a title that says what it is about; the papers' examples have theirs."""
    return SuiteEntry(tuple(map(_titled, entry.cases)))


def _titled(entry: SuiteCase) -> SuiteCase:
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


def all_points_of(one: Candidate) -> frozenset[str]:
    """All that ONE covers, and the mutants that it kills under its own dials and the profiles'."""
    found = {*points(one)}
    if one.about in _STAMPED and one.size < LARGEST_TOLD:
        found.update(reporting_points(one))
    found.update(f"kill:{name}" for name in _killed(one.entry))
    for profile, made in under_profiles(one):
        found.add(f"for:{profile}")
        if one.has_rows:
            found.update(f"profile:{profile}, {feature}" for feature in made.features)
        found.update(f"killed under {profile}:{name}" for name in _killed(made))
    return frozenset(found)


def _all_points_of(those: Iterable[Candidate]) -> Iterator[frozenset[str]]:
    return results(all_points_of, those, os.cpu_count() or 1)


def _with_untold(
    those: Sequence[Candidate], every: Mapping[Candidate, frozenset[str]]
) -> dict[Candidate, frozenset[str]]:
    """What each of THOSE covers, and the mutants it shows, but no answer tells, under a profile."""
    told = frozenset().union(*(every[one] for one in those))
    shown = results(partial(untold, told=told), those, os.cpu_count() or 1)
    return {one: every[one] | more for one, more in zip(those, shown, strict=True)}


def untold(one: Candidate, told: Collection[str]) -> frozenset[str]:
    """The mutants that change a value in ONE under a profile, and are not TOLD under it."""
    return frozenset(
        f"changed under {profile}:{name}"
        for profile, made in under_profiles(one)
        for name in KILLABLE
        if f"killed under {profile}:{name}" not in told
        and may_kill(made, ALL_MUTANTS[name])
        and changes(made, ALL_MUTANTS[name])
    )


def _killed(case: SuiteCase) -> list[str]:
    mutants = (ALL_MUTANTS[name] for name in KILLABLE)
    return [one.name for one in mutants if may_kill(case, one) and kills(case, one)]


def _named(
    left: Sequence[Candidate], every: dict[Candidate, frozenset[str]], seed: str
) -> CuratedSuite:
    """The tests, those of one subject numbered from the smallest on."""
    numbers: Counter[str] = Counter()
    found: dict[str, frozenset[str]] = {}
    named: list[Candidate] = []
    kept = [one for one in left if one.kept]
    others = sorted((one for one in left if not one.kept), key=lambda o: (o.about, o.size))
    for one in (*kept, *others):
        numbers[one.about] += 1
        name = one.entry.name if one.kept else f"{one.about}-{numbers[one.about]}"
        named.append(replace(one, entry=replace(one.entry, name=name)))
        found[name] = every[one]
    return CuratedSuite(_wholes(named, seed), found)


def _wholes(those: Iterable[Candidate], seed: str) -> tuple[SuiteEntry, ...]:
    drawn = (one.entry for one in those)
    return tuple(results(partial(suite_entry, seed=seed), drawn, os.cpu_count() or 1))


def extended(
    suite: CaseSuite, claims: Mapping[str, frozenset[str]], amount: Amount, seed: str, say: Say
) -> CuratedSuite:
    """SUITE, whose tests cover what CLAIMS say, with what it takes to kill mutants that are new."""
    tests = [candidate_of(own, claims.get(own.name, ())) for own in suite.tests]
    tests = [one for one in tests if not _is_open(one.entry)]
    say(f"{len(suite.tests) - len(tests)} tests left out, which the texts leave open by now")
    every = {}
    for one, found in zip(tests, _all_points_of(tests), strict=True):
        every[one] = found
        if len(every) % 50 == 0:
            say(f"all that {len(every)} tests cover and kill")
    known = {point for found in every.values() for point in found}
    for name in KILLABLE:
        if f"kill:{name}" in known:
            continue
        own = killing(ALL_MUTANTS[name], amount, seed)
        say(f"{name}: {'one of its own' if own else 'not killed'}")
        if own is not None:
            _add(own, every)
    for one in (*_for_missing(every, amount, seed, say), *_for_engines(every, amount, seed, say)):
        _add(one, every)
    say(f"{len(every)} tests; those that are needed")
    sizes = {one: one.size for one in every}
    left = without_redundant([*every], every, sizes, [one for one in every if one.kept])
    say(f"{len(left)} tests; their answers under every profile")
    every = _with_untold(left, every)
    return CuratedSuite(_wholes(left, seed), {one.entry.name: every[one] for one in left})


def candidate_of(own: SuiteEntry, claimed: Iterable[str]) -> Candidate:
    """A test of a suite as the candidate that it was."""
    laws = tuple(p.removeprefix("law:") for p in claimed if p.startswith("law:"))
    drawn = replace(own.cases[0], requires=({},))
    return Candidate(drawn, re.sub(r"-\d+$", "", own.name), laws, kept=bool(drawn.source))


def _is_open(entry: SuiteCase) -> bool:
    """Whether the texts leave open what the answer to ENTRY is."""
    try:
        legal_answers(entry.case, entry.dials)
    except LeftOpen:
        return True
    return False


def _add(one: Candidate, every: dict[Candidate, frozenset[str]]) -> None:
    """Put ONE among the tests, under a name of its own, with all that it covers."""
    taken = {other.entry.name for other in every}
    names = (f"{one.about}-{number}" for number in count(1))
    name = next(name for name in names if name not in taken)
    every[replace(one, entry=replace(one.entry, name=name))] = all_points_of(one)


def _for_engines(
    every: Mapping[Candidate, frozenset[str]], amount: Amount, seed: str, say: Say
) -> Iterator[Candidate]:
    """Small candidates that kill mutants under a profile under which no test does."""
    covered = {point for found in every.values() for point in found}
    for profile in HELD_TO:
        pool = sorted(drawn_under(profile, amount.setting, seed), key=lambda one: one.size)
        for name in KILLABLE:
            mutant, point = ALL_MUTANTS[name], f"killed under {profile}:{name}"
            if point in covered:
                continue
            able = (one for one in pool if may_kill(one.entry, mutant))
            tried = (*by_example(mutant, profile), *islice(able, ASKED // 5))
            found = next((one for one in tried if kills(one.entry, mutant)), None)
            if found is not None:
                covered.update(all_points_of(found))
                yield found
        under = sum(point.startswith(f"killed under {profile}:") for point in covered)
        say(f"{under} mutants are killed under {profile}")


def _for_missing(
    every: Mapping[Candidate, frozenset[str]], amount: Amount, seed: str, say: Say
) -> Iterator[Candidate]:
    """Candidates that have what no test has yet."""
    covered = {point for found in every.values() for point in found}
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
            yield one
            covered |= found
            missing = {p for p in missing if is_missing(p, covered)}
        if not missing:
            return
    say(f"not found: {', '.join(sorted(missing))}")
