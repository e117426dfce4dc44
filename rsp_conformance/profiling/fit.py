"""The setting that explains most of the answers: a coarse search, then a descent."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf

from rsp_conformance.causes.mutants import MUTANTS
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.profiles import Override, Profile
from rsp_conformance.model.usage import query_shapes
from rsp_conformance.profiling.evidence import Candidate, Evidence
from rsp_conformance.profiling.rivals import LENIENT, VALUES, coarse

FEW = 3
"""So many cases are asked of every setting of the coarse search, ..."""
KEPT = (250, 40)
"""... and so many of the best go on: to all plain cases, and from these to all designed ones."""
FINALISTS = 5
"""So many settings go through the descent, each with another start of its windows."""
MOST_PARTS = 8
"""So many overrides and mutants are added at most."""
SCREENED = 12
"""So many of the smallest unexplained cases overrides and mutants are asked about first, ..."""
TRIED = 6
"""... and so many of each kind of those that explain most of them about all cases."""


class Fit:
    """The search over settings; START decides where nothing else does.

    After UNTIL (``time.monotonic()``) what it has found by then is as good as it gets.
    """

    def __init__(self, evidence: Evidence, start: Profile, until: float = inf) -> None:
        self.evidence = evidence
        self.start = start
        self._until = until

    @property
    def is_over(self) -> bool:
        """Whether the time for the search is over."""
        return time.monotonic() > self._until

    def coarsely(self, plain: Sequence[int], *, every: bool) -> list[Candidate]:
        """The best settings of the dials that decide when and of what an answer is."""
        found = [
            Candidate(Profile(self.start.name, d)) for d in coarse(self.start.base, every=every)
        ]
        for among, kept in ((plain[:FEW], KEPT[0]), (plain, KEPT[1])):
            found.sort(key=lambda s: -self.evidence.score(s, among))
            found = found[:kept]
        return found

    def finalists(self, settings: Iterable[Candidate]) -> list[Candidate]:
        """The FINALISTS best of SETTINGS, of each value of the dial t0 one."""
        best: dict[object, Candidate] = {}
        for setting in sorted(dict.fromkeys(settings), key=self.rank):
            best.setdefault(setting.profile.base.t0, setting)
        return list(best.values())[:FINALISTS]

    def best(self, settings: Iterable[Candidate]) -> Candidate:
        """The best of SETTINGS; those that fall behind are left before all is asked of them."""
        chosen: Candidate | None = None
        least: tuple[float, ...] = (inf,)
        for setting in dict.fromkeys(settings):
            if chosen is not None and self.is_over:
                break
            rank = self.rank(setting, -least[0])
            if chosen is None or rank < least:
                chosen, least = setting, rank
        assert chosen is not None, "there is a setting to choose"
        return chosen

    def rank(self, setting: Candidate, least: float = -inf) -> tuple[float, ...]:
        """How good SETTING is, the best first: what it explains, how exact it is, how near.

        A start of windows that is left open, or an answer without instant, explains whatever an
        exact one does; of two that explain as much the exact one says more.
        """
        base = setting.profile.base
        return (
            -self.evidence.score(setting, least=least),
            setting.open_ends,
            setting.parts,
            _distance(base, self.start.base) + (setting.profile.overrides != self.start.overrides),
            _distance(base, Dials()),
        )

    def descended(self, setting: Candidate) -> Candidate:
        """SETTING with one dial turned after the other, as long as that is better."""
        improved = True
        while improved:
            improved = False
            for dial in VALUES:
                if self.is_over:
                    return setting
                turned = [
                    turned
                    for one, value, turned in setting.moves([dial])
                    if (one, value) != ("answer_time", "none") or not self.evidence.stamped
                ]
                best = self.best([setting, *turned])
                if best != setting:
                    setting, improved = best, True
        return setting

    def settled(self, setting: Candidate) -> Candidate:
        """SETTING with those dials as the start has them that no evidence clearly turns."""
        for dial in VALUES:
            as_begun = setting.with_dial_of(self.start, dial)
            less_exact = self.rank(as_begun)[1] > self.rank(setting)[1]
            if not less_exact and not self.evidence.clearly(setting, as_begun):
                setting = as_begun
        return setting

    def with_parts(self, setting: Candidate) -> Candidate:
        """SETTING with the overrides and mutants that explain what it leaves unexplained."""
        more = False
        for _ in range(MOST_PARTS):
            best = setting if self.is_over else self.best([setting, *self._next_parts(setting)])
            if best == setting:
                break
            setting, more = best, True
        if more:
            setting = self.descended(setting)
        if self.is_over:
            return setting
        fewer = self.best([setting, *_without_a_part(setting, self.start)])
        return self.descended(fewer) if fewer != setting else setting

    def beside_a_mutant(self, settings: Iterable[Candidate]) -> list[Candidate]:
        """SETTINGS, each with the one mutant that explains most of the smallest cases with rows.

        The best come first. A mutant that spoils nearly every answer hides which dials there are.
        """
        spoken = filter(self.evidence.has_rows, range(len(self.evidence.answered)))
        among = sorted(spoken, key=self.evidence.size)[:SCREENED]
        found: dict[Candidate, int] = {}
        for setting in dict.fromkeys(settings):
            for name in MUTANTS:
                if self.is_over:
                    break
                one = replace(setting, mutants=(name,))
                if self.evidence.explained(one, among[:FEW]):
                    found[one] = len(self.evidence.explained(one, among))
        return sorted(found, key=lambda one: -found[one])

    def suspects(self, setting: Candidate) -> list[Candidate]:
        """SETTING with one mutant more, of those that explain most of what it does not.

        A mutant may explain silence as well, which any dial may make right.
        """
        spoken, silent = self._unexplained(setting)
        others = (name for name in MUTANTS if name not in setting.mutants)
        defective = (
            replace(setting, mutants=tuple(sorted((*setting.mutants, name)))) for name in others
        )
        return self._most_of([*spoken, *silent], defective)

    def _next_parts(self, setting: Candidate) -> list[Candidate]:
        """SETTING with one override or mutant more, of those that explain most of the rest."""
        spoken, _ = self._unexplained(setting)
        by_shape = (
            setting.with_overrides((*setting.profile.overrides, one))
            for one in self._overrides(setting, spoken)
        )
        return [*self._most_of(spoken, by_shape), *self.suspects(setting)]

    def _unexplained(self, setting: Candidate) -> tuple[list[int], list[int]]:
        """The smallest observations that SETTING does not explain, with rows and without."""
        explained, size = self.evidence.explained(setting), self.evidence.size
        rest = [at for at in range(len(self.evidence.answered)) if at not in explained]
        groups = ([at for at in rest if self.evidence.has_rows(at) is own] for own in (True, False))
        spoken, silent = (sorted(group, key=size)[:SCREENED] for group in groups)
        return spoken, silent

    def _most_of(self, rest: Sequence[int], settings: Iterable[Candidate]) -> list[Candidate]:
        """Those of SETTINGS that explain most of REST, and something of it."""
        gains = {one: len(self.evidence.explained(one, rest)) for one in settings}
        return sorted(filter(gains.__getitem__, gains), key=lambda one: -gains[one])[:TRIED]

    def _overrides(self, setting: Candidate, rest: Sequence[int]) -> Iterator[Override]:
        """Overrides under which some of the unexplained observations REST would be explained."""
        shapes: dict[str, None] = {}
        queries = [self.evidence.answered[at].stimulus.case.query for at in rest]
        for query in queries:
            shapes |= dict.fromkeys(sorted(query_shapes(query, setting.profile.base)))
        helpful = [
            (dial, value)
            for dial, value, turned in setting.moves()
            if LENIENT.get(dial) != value and self.evidence.explained(turned, rest)
        ]
        for shape in shapes:
            for dial, value in helpful:
                yield Override(frozenset([shape]), ((dial, value),))


def _without_a_part(setting: Candidate, start: Profile) -> Iterator[Candidate]:
    """SETTING without each of its mutants and overrides that START has not: others may do."""
    for name in setting.mutants:
        yield replace(setting, mutants=tuple(n for n in setting.mutants if n != name))
    overrides = setting.profile.overrides
    for override in (o for o in overrides if o not in start.overrides):
        yield setting.with_overrides(o for o in overrides if o is not override)


def _distance(dials: Dials, other: Dials) -> int:
    return sum(getattr(dials, dial) != getattr(other, dial) for dial in DIALS)
