"""What settings predict of an engine's answers, found out once and with few runs.

A search asks for thousands of predictions, so most are answered without a run (`simulation`):

* Nothing is predicted twice, and dials that cannot matter for a case are left out (`mattering`).
* Most mutants change nothing in most cases. A run of `reference` with all of them at its side tells
  which would (`Predictions.shown`), and which of these before its answers differ from the engine's
  (`Predictions.mending`): of a hundred two or three. Only they are tried.

Searches count predictions (`Predictions.asked`) and not seconds, so that they find the same on
every machine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from rsp_conformance.adapters.reference.mutant import TriedMutants
from rsp_conformance.diagnosis import simulation
from rsp_conformance.diagnosis.mattering import decided
from rsp_conformance.diagnosis.mutants import varies
from rsp_conformance.diagnosis.simulation import AsRead
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.usage import query_shapes


@dataclass(frozen=True, slots=True)
class _Tried:
    """The mutants that were tried beside a setting on a case, and those of them that have shown."""

    mutants: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()

    def more(self, mutants: frozenset[str], shown: Iterable[str]) -> _Tried:
        """These mutants and others, with those that have shown among the others."""
        return _Tried(self.mutants | mutants, self.shown.union(shown))


_NOTHING_TRIED: Final = _Tried()
_ByCase: TypeAlias = defaultdict[str, dict[Setting, _Tried]]
"""The mutants that were tried beside settings, by the digest of the observation."""


class Predictions:
    """Predictions of settings, remembered by the digests of observations.

    Nothing is predicted twice.

    Attributes:
        asked: how many predictions were made.
    """

    def __init__(self) -> None:
        self.asked = 0
        self._agree: dict[tuple[Setting, str], bool | None] = {}
        self._judged: dict[tuple[Dials, str], bool | None] = {}
        self._shapes: dict[str, frozenset[str]] = {}
        self._visible: dict[str, frozenset[str]] = {}
        self._nearer: dict[tuple[Setting, Setting, str], int | None] = {}
        self._shown: _ByCase = defaultdict(dict)
        self._mending: _ByCase = defaultdict(dict)
        self._as_read: dict[str, AsRead | None] = {}

    def forget(self) -> None:
        """Forget everything. Without this a run of hours would grow without bound."""
        memos = (self._agree, self._judged, self._shapes, self._visible, self._nearer)
        for memo in (*memos, self._shown, self._mending):
            memo.clear()
        self._as_read.clear()

    def agrees(
        self,
        setting: Setting,
        observation: Observation,
        among: frozenset[str] = frozenset(),
    ) -> bool | None:
        """Whether the engine answered exactly as it would under a setting.

        Mutants that cannot change the answer are left out first.

        Args:
            setting: the setting.
            observation: the answer, with its case.
            among: mutants of which to find out at the same time, at little cost, whether they are
                ``mending`` the setting if it does not agree.

        Returns:
            None if nobody can say: the engine gave no answer, or the case is beyond `reference`,
            the reference model or its limits.
        """
        setting = self._narrowed(self.resolved(setting, observation), observation, among)
        key = setting, observation.digest
        if key not in self._agree and setting.dials and not setting.mutants:
            self._agree[key] = self._by_dials(setting, observation)
        elif key not in self._agree:
            self.asked += 1
            others = (among & self.visible(observation)) - {*setting.mutants}
            trial = simulation.trial_of(others)
            agree = simulation.agrees(setting, observation, trial)
            if agree is False and setting.mutants and (read := self._reading(observation)):
                # It goes as far as the answers agree as they are read.
                trial = simulation.trial_of(others)
                agree = simulation.as_mutants(setting, observation, trial, read)
            self._agree[key] = agree
            if agree is False and setting.mutants and not varies(setting):
                self._note(setting, observation, others, trial)
        return self._agree[key]

    def resolved(self, setting: Setting, observation: Observation) -> Setting:
        """The setting as it is for the query of an observation, whatever shapes that query has."""
        return setting.resolved(self.shapes(observation)) if setting.by_shape else setting

    def shapes(self, observation: Observation) -> frozenset[str]:
        """The shapes of the query of an observation, its features included."""
        if observation.digest not in self._shapes:
            query = observation.stimulus.case.query
            self._shapes[observation.digest] = query_shapes(query, observation.dials)
        return self._shapes[observation.digest]

    def _by_dials(self, setting: Setting, observation: Observation) -> bool | None:
        """Whether the answer is right under the dials of a setting that matter for the case.

        A dial that cannot matter may matter to an engine with mutants, so they are run with all
        dials.
        """
        own, case = observation.dials, observation.stimulus.case
        try:
            turned = decided(setting.turned(own), case)
        except ValueError:  # A policy that the query has no period or no window for.
            return None
        key = turned, observation.digest
        if key not in self._judged and turned == decided(own, case):
            self._judged[key] = self.agrees(Setting(), observation)
        if key not in self._judged:
            self.asked += 1
            self._judged[key] = simulation.judged(turned, observation)
        return self._judged[key]

    def _narrowed(
        self, setting: Setting, observation: Observation, among: frozenset[str]
    ) -> Setting:
        """The setting without the mutants that change nothing up to the first difference.

        One run finds them for all mutants, the other ones included: of a hundred mutants two or
        three change something, and the others need no run of their own.
        """
        wanted = self._least(setting, observation, (self._shown, self._mending))
        if not among or not wanted.mutants or (wanted, observation.digest) in self._agree:
            return wanted
        here, names = Setting(wanted.dials), frozenset(wanted.mutants)
        while left := names.difference(here.mutants):
            tried = self._mending[observation.digest].get(here, _NOTHING_TRIED)
            others = left | (among & self.visible(observation))
            if left <= tried.mutants or len(others) > 1:
                left &= self.mending(here, observation, others)
            if not left:
                break
            here = Setting(here.dials, tuple(sorted({*here.mutants, *left})))
        return here

    def _reading(self, observation: Observation) -> AsRead | None:
        """The readings that fit an observation best (`as_read`), looked for once."""
        if observation.digest not in self._as_read:
            self._as_read[observation.digest] = simulation.as_read(observation)
        return self._as_read[observation.digest]

    def _note(
        self,
        setting: Setting,
        observation: Observation,
        names: frozenset[str],
        trial: TriedMutants,
    ) -> None:
        """Remember which mutants have shown beside a setting that does not agree."""
        for known in (self._mending,) if trial.is_broken_off else (self._mending, self._shown):
            own = known[observation.digest]
            own[setting] = own.get(setting, _NOTHING_TRIED).more(names, trial.shown)

    def showing(self, setting: Setting, observation: Observation) -> Setting:
        """The setting without the mutants that cannot show in the case of an observation."""
        setting = self.resolved(setting, observation)
        return self._least(setting, observation, (self._shown,))

    def _least(
        self,
        setting: Setting,
        observation: Observation,
        known: Sequence[_ByCase],
    ) -> Setting:
        """The setting without the mutants that are known not to have shown beside the others."""
        visible = self.visible(observation)
        mutants = tuple(name for name in setting.mutants if name in visible)
        if len(mutants) < len(setting.mutants):
            setting = Setting(setting.dials, mutants)
        here = [own[observation.digest] for own in known if observation.digest in own]
        for name in setting.mutants if here else ():
            others = Setting(setting.dials, tuple(n for n in mutants if n != name))
            for tried in (own[others] for own in here if others in own):
                if name in tried.mutants and name not in tried.shown:
                    return self._least(others, observation, known)
        return setting

    def mending(
        self,
        setting: Setting,
        observation: Observation,
        among: frozenset[str] | None = None,
    ) -> frozenset[str]:
        """The mutants that may make a setting agree if they are added.

        They show before the setting differs from the engine's answers. If it agrees, they are
        the mutants that ``shown`` returns.

        Args:
            setting: a setting that does not agree.
            observation: the answer.
            among: as for ``shown``.
        """
        if self.agrees(setting, observation, among or frozenset()) is not False:
            return self.shown(setting, observation, among)
        setting = self.resolved(setting, observation)
        setting = self._least(setting, observation, (self._shown, self._mending))
        if varies(setting):
            return self.shown(setting, observation, among)
        ask = partial(simulation.mending, read=self._reading(observation))
        return self._tried(self._mending, ask, setting, observation, among)

    def shown(
        self,
        setting: Setting,
        observation: Observation,
        among: frozenset[str] | None = None,
    ) -> frozenset[str]:
        """The mutants that make an engine with a setting do anything else in a case.

        Args:
            setting: the setting.
            observation: the answer, with its case.
            among: the mutants that are asked for; None for all. Each takes its time.
        """
        setting = self.showing(setting, observation)
        return self._tried(self._shown, simulation.shown, setting, observation, among)

    def _tried(
        self,
        known: _ByCase,
        ask: Callable[[Setting, frozenset[str], Observation], frozenset[str]],
        setting: Setting,
        observation: Observation,
        among: frozenset[str] | None,
    ) -> frozenset[str]:
        """The mutants that show beside a setting, with what is found out added to the memory.

        Args:
            known: the memory.
            ask: finds out which of some mutants show.
            setting: the setting.
            observation: the answer.
            among: the mutants that are asked for; None for all.
        """
        own = known[observation.digest]
        others = self.visible(observation) - {*setting.mutants}
        tried = own.get(setting, _NOTHING_TRIED)
        left = (others if among is None else others & among) - tried.mutants
        if left:
            self.asked += 1
            own[setting] = tried = tried.more(left, ask(setting, left, observation))
        return tried.shown

    def visible(self, observation: Observation) -> frozenset[str]:
        """The mutants that may show in the case of an observation, by the features that it uses."""
        digest = observation.stimulus.case.digest
        if digest not in self._visible:
            self._visible[digest] = simulation.visible(observation.stimulus.case)
        return self._visible[digest]

    def nearer(self, one: Setting, other: Setting, observation: Observation) -> int | None:
        """How much nearer the engine's answers are to one setting's prediction than to another's.

        It is of use if neither predicts all answers: another bug may have spoilt some of them.

        Args:
            one: a setting.
            other: another setting.
            observation: the answers.

        Returns:
            The number of differing answers that it has less; 0 if the engine gave no rows; None if
            both settings predict the same or nobody can say.
        """
        one, other = self.showing(one, observation), self.showing(other, observation)
        key = one, other, observation.digest
        if key not in self._nearer:
            self.asked += 1
            self._nearer[key] = simulation.nearer(one, other, observation)
        return self._nearer[key]

    def know(self, observation: Observation, correct: bool | None) -> None:
        """Take over the reference model's verdict on an observation, if there is one."""
        if correct is not None:
            self._agree[Setting(), observation.digest] = correct
