"""Known causes: bugs that are known of an engine, while a run looks for others.

**What is sought.** For each wrong answer the known causes that explain it: those with which the
semantics answers just as the engine did (`prediction`), none of them needless. All causes together
often do not: a cause may show only sometimes, and two may interfere. So sets are tried.

**How.** Of n causes there are 2ⁿ sets, but few matter. The likely sets come first
(`KnownCauses._candidates`):

1. none, and the cause that has explained most answers so far;
2. the sets that explained answers in which the same causes show beside that one (`matched`);
3. other sets that have explained answers; each single cause; all together;
4. the rest, small sets first, up to `MOST_SETS` in all, each of them only if each of its causes
   changes the case beside the others.

From the set that is found, causes without which it still explains the answer are taken out.

**What it guarantees.** A set that is returned predicts the whole answer. None means that none was
found, not that there is none. While a run goes on, answers like others that nothing explained are
mostly passed over (``briefly``); the end of the run asks them in full.

**What it costs.** When the sets that had explained answers together came to be tried first, 2,399
wrong answers of rsp-rs took 8,250 predictions in place of 10,148, and 27 s in place of 36; 2,911 of
rsp-js took 12,044 in place of 14,114, and 35 s in place of 47. Six answers of both were put down to
other causes than before. The limits below were chosen, and not tuned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice
from operator import or_

from rsp_conformance.diagnosis.cause import UNEXPLAINED, Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.fingerprint import Fingerprint, fingerprint
from rsp_conformance.diagnosis.matched import Matched
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting

MOST_SETS = 40
"""The most sets of known causes that are tried on one answer."""
MOST_RIGHT = 500
"""The most right answers that are tested for whether a cause would have made them wrong."""
ENOUGH_GONE = 3
"""So many right answers that a cause would have made wrong show that it is gone."""


@dataclass(frozen=True, slots=True)
class KnownCause:
    """A known cause of wrong answers.

    Attributes:
        setting: the setting that predicts them; empty for a cause of failures with a
            fingerprint.
        reason: the user's reason.
        fingerprint: the fingerprint of its failures, if it has no setting.
        found: whether this run has found it by itself. The answers that it explains are wrong all
            the same, and only not searched again.
        file: the file that names it, if one does.
        observations: the wrong answers of the crash file that names it, if it has any.
    """

    setting: Setting = Setting()
    reason: str = ""
    fingerprint: str = ""
    found: bool = False
    file: str = field(default="", compare=False)
    observations: tuple[Observation, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(cls, cause: Cause, *, found: bool = False) -> KnownCause:
        """Return a cause that a run has found as a known cause."""
        digits = "" if cause.setting else cause.id.removeprefix(UNEXPLAINED)
        return cls(cause.setting, f"found by a run: {cause.text}", digits, found)

    @property
    def id(self) -> str:
        """The cause in a word or two, as reports name it."""
        return str(self.setting) if self.setting else f"{UNEXPLAINED}{self.fingerprint}"


class KnownCauses:
    """All known causes of one engine, held against its answers.

    Args:
        causes: the known causes.
        predictions: the predictions, which others that ask about the same answers may share.
    """

    def __init__(
        self, causes: Iterable[KnownCause] = (), predictions: Predictions | None = None
    ) -> None:
        self.causes = tuple(causes)
        self.predictions = predictions or Predictions()
        self._explained: dict[str, tuple[KnownCause, ...] | None] = {}
        self._once_explained: set[str] = set()
        self._passed_over: set[str] = set()
        self._matched = Matched[KnownCause]()
        self._covered: defaultdict[str, dict[Fingerprint, KnownCause]] = defaultdict(dict)

    def add(self, cause: KnownCause) -> None:
        """Add a cause. An answer that a single earlier cause explains stays that cause's."""
        self.causes += (cause,)
        answers = self._explained.items()
        self._explained = {own: found for own, found in answers if found and len(found) == 1}
        self._passed_over.clear()

    def forget(self) -> None:
        """Forget the results for single answers."""
        self.predictions.forget()
        self._explained.clear()
        self._once_explained.clear()
        self._passed_over.clear()

    def beside(self, causes: Iterable[KnownCause]) -> KnownCauses:
        """These and other causes, on the same predictions."""
        return KnownCauses((*self.causes, *causes), self.predictions)

    def take_back(self, id: str) -> None:
        """Remove the cause with an id, if this run has found it."""
        self.causes = tuple(own for own in self.causes if not (own.found and own.id == id))
        self._explained.clear()
        self._once_explained.clear()
        self._passed_over.clear()
        self._matched.forget_sets()

    def explain(
        self, observation: Observation, *, briefly: bool = False
    ) -> tuple[KnownCause, ...] | None:
        """Return known causes with which the semantics answers as the engine did.

        None of them is needless. The result is remembered until a cause is added, or until a brief
        question is asked again in full.

        Args:
            observation: the answer.
            briefly: whether to pass over an answer like others that nothing has explained, for
                callers that count, or ask again in the end. Causes that the run was given are never
                asked briefly.

        Returns:
            No causes if the answer is right without any. None if no known causes explain it, if
            there is no answer, and if the second of two engines gave it.
        """
        if not self.causes or not observation.is_answered or observation.stimulus.second:
            return None
        briefly = briefly and all(cause.found for cause in self.causes)
        if briefly and observation.digest in self._passed_over:
            return None
        if observation.digest not in self._explained:
            sets = islice(self._sets(observation, briefly=briefly), MOST_SETS)
            found = next((s for s in sets if self._agree(s, observation)), None)
            fewest = found and self._fewest(found, observation)
            ordered = fewest and tuple(cause for cause in self.causes if cause in fewest)
            self._count(observation, ordered)
            if briefly and found is None:
                self._passed_over.add(observation.digest)
                return None
            self._passed_over.discard(observation.digest)
            self._explained[observation.digest] = fewest
            if fewest:
                self._once_explained.add(observation.digest)
        return self._explained[observation.digest]

    def _count(self, observation: Observation, causes: tuple[KnownCause, ...] | None) -> None:
        """Count which causes explain an answer, or that nothing does, for others like it."""
        first = self._matched.first(self._with_setting)
        if first is not None and causes not in ((), (first,)):
            self._matched.note_where(self._beside(first, observation), causes)
        if causes:
            self._matched.note(causes)

    def has_explained(self, observation: Observation) -> bool:
        """Whether known causes explained an observation when it was asked for.

        They still do if others have become known, which may explain it better.
        """
        return observation.digest in self._once_explained

    def showing(self, observations: Iterable[Observation]) -> tuple[KnownCause, ...]:
        """The known causes that alone change the answer to a case, from the first z of each case.

        Causes with which `reference` does not support the case are left out.
        """
        asked, nearer = tuple(observations), self.predictions.nearer
        return tuple(
            cause
            for cause in self.causes
            if any(nearer(cause.setting, Setting(), own) is not None for own in asked)
        )

    def covering(self, finding: Finding) -> tuple[KnownCause, ...]:
        """The known cause that has the fingerprint of a finding, if there is one.

        A wrong answer has the fingerprint of its shrunk case (``cover``). A larger case counts if
        its property has shown that cause and it differs in the same way.
        """
        if not any(cause.fingerprint for cause in self.causes):
            return ()
        symptom = Symptom.of(finding)
        if not symptom.is_judged:
            return self.with_fingerprint(symptom)
        covered = self._covered[finding.property_name]
        own = fingerprint(symptom) if covered else None
        return tuple(cause for known, cause in covered.items() if own and known.covers(own))[:1]

    def cover(self, finding: Finding) -> tuple[KnownCause, ...]:
        """The known cause that has the fingerprint of a shrunk finding, if there is one.

        From now on it covers findings of the same property that differ like it.
        """
        symptom = Symptom.of(finding)
        known = self.with_fingerprint(symptom)
        if known and symptom.is_judged:
            self._covered[finding.property_name][fingerprint(symptom)] = known[0]
        return known

    def with_fingerprint(self, symptom: Symptom) -> tuple[KnownCause, ...]:
        """The known cause that has the fingerprint of a failure, if there is one.

        A crash file that another known cause explains stands for that cause.
        """
        if not any(cause.fingerprint for cause in self.causes):
            return ()
        found = fingerprint(symptom).id
        same = (cause for cause in self.causes if cause.fingerprint == found)
        return tuple(cause for cause in same if not self.explain_all(cause.observations))

    @property
    def unexplained(self) -> tuple[KnownCause, ...]:
        """The causes known by wrong answers of a crash file that no known cause explains."""
        own = (cause for cause in self.causes if cause.observations)
        return tuple(cause for cause in own if not self.explain_all(cause.observations))

    def solved_by(self, cause: Cause) -> KnownCause | None:
        """The known cause whose crash file a new cause explains, now with that cause's setting.

        Args:
            cause: a cause that a run has found.

        Returns:
            None if it explains no such crash file.
        """
        new = KnownCause.of(cause)
        if new.setting:
            beside = self.beside([new])
            for own in self.unexplained:
                if new in beside.explain_all(own.observations):
                    return KnownCause(new.setting, own.reason, file=own.file)
        return None

    @property
    def setting(self) -> Setting:
        """All known causes together."""
        return together(self.causes)

    def explain_all(
        self, observations: Iterable[Observation], *, briefly: bool = False
    ) -> tuple[KnownCause, ...]:
        """The known causes that explain several answers; empty if one of them is not explained.

        An answer that is right needs no cause.

        Args:
            observations: the answers.
            briefly: as for ``explain``.
        """
        explained = [self.explain(observation, briefly=briefly) for observation in observations]
        if None in explained:
            return ()
        return tuple(dict.fromkeys(cause for causes in explained for cause in causes or ()))

    def is_gone(self, cause: KnownCause, right: Iterable[Observation]) -> bool:
        """Whether the engine cannot have a cause any more: it would have made right answers wrong.

        Only some answers are asked, which takes a second or two at most.

        Args:
            cause: the cause.
            right: right answers.
        """
        bears = (own for own in right if self.predictions.showing(cause.setting, own))
        asked = islice(bears, MOST_RIGHT)
        agrees = self.predictions.agrees
        wrong = (own for own in asked if agrees(cause.setting, own) is False)
        return len(list(islice(wrong, ENOUGH_GONE))) == ENOUGH_GONE

    def _agree(self, causes: Sequence[KnownCause], observation: Observation) -> bool:
        # Where they do not agree it is asked next which others show beside them.
        others = frozenset(name for own in self.causes for name in own.setting.mutants)
        return self.predictions.agrees(together(causes), observation, others) is True

    def _sets(self, observation: Observation, *, briefly: bool) -> Iterator[tuple[KnownCause, ...]]:
        """The sets of known causes that may explain an observation, each once."""
        given: set[frozenset[KnownCause]] = set()
        for some in self._candidates(observation, briefly=briefly):
            if (own := frozenset(some)) not in given:
                given.add(own)
                yield some

    def _candidates(
        self, observation: Observation, *, briefly: bool
    ) -> Iterator[tuple[KnownCause, ...]]:
        """The sets in the order in which they are tried (see the essay); some come twice.

        The most frequent cause comes before it is asked whether it shows, since it mostly does.
        Asking it tells which others show beside it. If briefly, the search ends there in
        surroundings in which nothing has explained an answer so far.
        """
        causes = self._with_setting
        yield ()
        if (first := self._matched.first(causes)) is not None:
            yield (first,)
            beside = self._beside(first, observation)
            yield from self._matched.where(beside)
            if briefly and self._matched.is_in_vain(beside):
                return
            for some in self._matched.sets:
                if len(some) == 1 or (first in some and beside.issuperset(some)):
                    yield some
        given = {frozenset[KnownCause]()}
        smaller: list[tuple[KnownCause, ...]] = [()]
        while smaller:
            larger: list[tuple[KnownCause, ...]] = []
            for some in smaller:
                for cause in self._bearing(some, causes, observation):
                    more = frozenset({*some, cause})
                    if more not in given:
                        given.add(more)
                        larger.append((*some, cause))
                        yield larger[-1]
            if smaller == [()]:
                bearing = {cause for (cause,) in larger}
                often = (some for some in self._matched.sets if len(bearing.intersection(some)) > 1)
                yield from often
                yield causes
            smaller = larger

    @property
    def _with_setting(self) -> tuple[KnownCause, ...]:
        """The causes that predict answers."""
        return tuple(cause for cause in self.causes if cause.setting)

    def _beside(self, first: KnownCause, observation: Observation) -> frozenset[KnownCause]:
        """A cause, and those that show beside it in an observation that it does not explain."""
        return frozenset({first, *self._bearing((first,), self._with_setting, observation)})

    def _bearing(
        self, some: Sequence[KnownCause], causes: Iterable[KnownCause], observation: Observation
    ) -> list[KnownCause]:
        """Those of the causes that show in an engine with some others, the most frequent first."""
        others = [cause for cause in causes if cause not in some]
        among = frozenset(name for cause in others for name in cause.setting.mutants)
        shown = self.predictions.mending(together(some), observation, among)
        bearing = (c for c in others if c.setting.dials or shown & {*c.setting.mutants})
        return sorted(bearing, key=lambda cause: -self._matched.often(cause))

    def _fewest(
        self, causes: tuple[KnownCause, ...], observation: Observation
    ) -> tuple[KnownCause, ...]:
        """The causes without those that the answer does not need; the last ones go first."""
        for cause in reversed(causes):
            rest = tuple(other for other in causes if other is not cause)
            if rest and self._agree(rest, observation):
                causes = rest
        return causes


def together(causes: Iterable[KnownCause]) -> Setting:
    """The setting of an engine that has all of these causes."""
    return reduce(or_, (cause.setting for cause in causes), Setting())
