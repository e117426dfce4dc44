"""What an engine has answered, and which of it a setting explains."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from math import inf

from rsp_conformance.causes.prediction import Predictions
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.profiles import Override, Profile, bundled_profile, profile_names
from rsp_conformance.model.query import Query
from rsp_conformance.model.setting import Setting
from rsp_conformance.profiling.rivals import VALUES, decided
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation, Relations

COST = 4
"""What an override or a mutant must explain more than, in weights: two answers with rows."""

OPEN_COST = 6 * COST
"""So much more must an open start of windows explain than an exact one, or answers without instant.

They forgive what defects bring about.
"""
SURE = 3
"""So many times more cases must speak for a value than for its rival, where both have some."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an engine may be: a profile, and what is wrong with it besides, as mutants."""

    profile: Profile
    mutants: tuple[str, ...] = ()

    @property
    def parts(self) -> int:
        """How many things there are to say of it beside its dials.

        An override says two, unless it is one that engines are known to have.
        """
        return len(self.mutants) + 2 * len({*self.profile.overrides} - bundled_overrides())

    @property
    def open_ends(self) -> int:
        """How many of its dials explain whatever an exact value does."""
        base = self.profile.base
        return (base.t0 == "any") + (base.answer_time == "none")

    def turned(self, dial: str, value: str) -> Candidate:
        """The same with DIAL at VALUE."""
        return replace(self, profile=self.profile.with_dials({dial: value}))

    def moves(self, dials: Iterable[str] = VALUES) -> Iterator[tuple[str, str, Candidate]]:
        """The same with one of DIALS turned, to each value that it has not, with both."""
        for dial in dials:
            for value in VALUES[dial]:
                if value != self.profile.base.text(dial):
                    yield dial, value, self.turned(dial, value)

    def with_overrides(self, overrides: Iterable[Override]) -> Candidate:
        """The same with OVERRIDES in place of its own."""
        return replace(self, profile=replace(self.profile, overrides=tuple(overrides)))

    def with_dial_of(self, other: Profile, dial: str) -> Candidate:
        """The same with DIAL as OTHER has it, for every shape of query."""
        turned = self.turned(dial, other.base.text(dial))
        theirs = (
            Override(o.when, tuple((d, v) for d, v in o.dials if d == dial))
            for o in other.overrides
        )
        return turned.with_overrides(o for o in (*turned.profile.overrides, *theirs) if o.dials)


@dataclass
class Evidence:
    """The observations of one engine; those without an answer to judge stand apart."""

    answered: list[Observation] = field(default_factory=list)
    unanswered: list[Observation] = field(default_factory=list)
    _predictions: Predictions = field(default_factory=Predictions)
    _order: list[int] = field(default_factory=list)
    _relations: defaultdict[int, Relations] = field(default_factory=lambda: defaultdict(dict))
    _agree: dict[tuple[int, Dials, tuple[str, ...]], bool] = field(default_factory=dict)

    def add(self, observations: Iterable[Observation]) -> None:
        """Take OBSERVATIONS in."""
        for observation in observations:
            lost = observation.failure is not None or observation.unsupported is not None
            if lost:
                self.unanswered.append(observation)
            else:
                self._order.append(len(self.answered))
                self.answered.append(observation)

    def explains(self, setting: Candidate, at: int) -> bool:
        """Whether the engine has answered observation AT just as under SETTING."""
        observation = self.answered[at]
        case = observation.stimulus.case
        try:
            dials = _dials(setting.profile, case.query)
            # What cannot matter for the case may matter to an engine with a defect.
            dials = dials if setting.mutants else decided(dials, case)
        except ValueError:
            return False  # a policy that the query has no period or no window for
        key = at, dials, setting.mutants
        if key not in self._agree:
            self._agree[key] = self._explains(observation, at, dials, setting.mutants)
        return self._agree[key]

    def _explains(
        self, observation: Observation, at: int, dials: Dials, mutants: tuple[str, ...]
    ) -> bool:
        if mutants:
            theirs = observation.dials
            differing = (d for d in DIALS if getattr(dials, d) != getattr(theirs, d))
            turned = {dial: dials.text(dial) for dial in differing}
            return self._predictions.agrees(Setting.of(turned, mutants), observation) is True
        case = observation.stimulus.case
        try:
            with limited():
                expectation = Expectation(case, dials, self._relations[at])
                return judge(case, dials, observation.observed, expectation).correct
        except (Unsupported, LimitExceeded, ValueError):
            return False

    def explained(self, setting: Candidate, among: Iterable[int] | None = None) -> frozenset[int]:
        """The observations, AMONG some or of all, that SETTING explains."""
        asked = range(len(self.answered)) if among is None else among
        return frozenset(at for at in asked if self.explains(setting, at))

    def share(self, setting: Candidate) -> float:
        """The share of all observations that SETTING explains; 1 where there is none."""
        return len(self.explained(setting)) / len(self.answered) if self.answered else 1.0

    def told(self, setting: Candidate, rival: Candidate) -> tuple[frozenset[int], frozenset[int]]:
        """The observations that SETTING explains and RIVAL does not, and the reverse."""
        ours, theirs = self.explained(setting), self.explained(rival)
        return ours - theirs, theirs - ours

    def clearly(self, setting: Candidate, rival: Candidate) -> bool:
        """Whether SETTING explains what RIVAL does not, by far more cases than the reverse."""
        ours, theirs = self.told(setting, rival)
        return len(ours) > SURE * len(theirs)

    @property
    def stamped(self) -> bool:
        """Whether any answer came with its instant."""
        return any(a.t is not None for one in self.answered for a in one.observed)

    def weight(self, at: int) -> int:
        """What observation AT weighs: without a row half as much, for any silence explains it."""
        return 1 + self.has_rows(at)

    def has_rows(self, at: int) -> bool:
        """Whether the engine has answered observation AT with something."""
        return self.answered[at].speaks

    def score(
        self, setting: Candidate, among: Iterable[int] | None = None, least: float = -inf
    ) -> float:
        """The weight of what SETTING explains, less what it costs; -inf below LEAST.

        It is asked first about what others have failed at: most settings are then soon left.
        """
        asked = list(self._order) if among is None else list(among)
        costs = COST * setting.parts + OPEN_COST * setting.open_ends
        score = sum(map(self.weight, asked)) - costs
        for at in asked:
            if score < least:
                return -inf
            if not self.explains(setting, at):
                score -= self.weight(at)
                if among is None:
                    self._order.remove(at)
                    self._order.insert(0, at)
        return score if score >= least else -inf

    def size(self, at: int) -> tuple[int, int]:
        """How long observation AT is to read."""
        case = self.answered[at].stimulus.case
        return len(case.elements) + len(self.answered[at].observed), len(
            self.answered[at].query_text
        )


@cache
def bundled_overrides() -> frozenset[Override]:
    """The overrides of all bundled profiles."""
    return frozenset(o for name in profile_names() for o in bundled_profile(name).overrides)


@lru_cache(maxsize=65536)
def _dials(profile: Profile, query: Query) -> Dials:
    return profile.dials(query)
