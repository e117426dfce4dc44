"""Known causes: bugs that are known of an engine, while a run looks for others.

**What is sought.** For each wrong answer the known causes that explain it: those with which the
semantics answers just as the engine did (`prediction`), none of them needless.

**How.** A known cause is a part that is given, so the search for causes serves (`search.grown`):
the setting grows by one known cause at a time until it predicts the answer. Three guesses come
first, because most answers have the same causes: none, the sets that have explained answers, the
most frequent first, and all causes together. From the set that is found, causes without which it
still explains the answer are taken out.

**What it guarantees.** A set that is returned predicts the whole answer. None means that none was
found, not that there is none: an answer is worth as many predictions as it is to the search, which
are `IN_VAIN` for each of its bits. While a run goes on, single causes and what has explained others
are tried (``briefly``); the end of the run asks in full.

**What was tried.** Before, sets were counted by the causes that show beside the most frequent one,
with three limits and a rule of its own when to stop. Recorded wrong answers, with the causes that
are named of their run, explained by so many predictions:

                    answers    in full before, now           briefly before, now
    rsp-js-0            468    372 by 1,504, 372 by 1,502    372 by 1,494, 371 by 1,403
    rsp-rs-1             96     87 by   479,  87 by   520     87 by   479,  87 by   454
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import chain, islice
from operator import or_

from rsp_conformance.diagnosis.cause import UNEXPLAINED, Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.fingerprint import Fingerprint, fingerprint
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.price import unpredicted
from rsp_conformance.diagnosis.search import ENOUGH, IN_VAIN, MOST_RIGHT, NOTHING, grown
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting


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

    Attributes:
        setting: all known causes together.
    """

    def __init__(
        self, causes: Iterable[KnownCause] = (), predictions: Predictions | None = None
    ) -> None:
        self._know(causes)
        self.predictions = predictions or Predictions()
        self._explained: dict[str, tuple[KnownCause, ...] | None] = {}
        self._once_explained: set[str] = set()
        self._passed_over: set[str] = set()
        self._sets = Counter[tuple[KnownCause, ...]]()
        self._covered: defaultdict[str, dict[Fingerprint, KnownCause]] = defaultdict(dict)

    def _know(self, causes: Iterable[KnownCause]) -> None:
        self.causes = tuple(causes)
        self.setting = together(self.causes)
        self._among = frozenset(self.setting.mutants)

    def add(self, cause: KnownCause) -> None:
        """Add a cause. An answer that a single earlier cause explains stays that cause's."""
        self._know((*self.causes, cause))
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
        self._know(own for own in self.causes if not (own.found and own.id == id))
        self._explained.clear()
        self._once_explained.clear()
        self._passed_over.clear()
        self._sets.clear()

    def explain(
        self, observation: Observation, *, briefly: bool = False
    ) -> tuple[KnownCause, ...] | None:
        """Return known causes with which the semantics answers as the engine did.

        None of them is needless. The result is remembered until a cause is added, or until a brief
        question is asked again in full.

        Args:
            observation: the answer.
            briefly: whether to pass over an answer that only sets of causes explain which have
                explained no other, for callers that count, or ask again in the end. Causes that
                the run was given are never asked briefly.

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
            found = self._found(observation, briefly=briefly)
            if briefly and found is None:
                self._passed_over.add(observation.digest)
                return None
            self._passed_over.discard(observation.digest)
            self._explained[observation.digest] = found
            if found:
                self._once_explained.add(observation.digest)
                self._sets[found] += 1
        return self._explained[observation.digest]

    def predict(self, observation: Observation) -> bool | None:
        """Whether an engine with all of these causes would answer so; None if nothing can say."""
        return self.predictions.agrees(self.setting, observation)

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
        return len(list(islice(wrong, ENOUGH))) == ENOUGH

    def _found(self, observation: Observation, *, briefly: bool) -> tuple[KnownCause, ...] | None:
        """The known causes that explain an answer, none of them needless; None if none are found.

        Args:
            observation: the answer.
            briefly: whether sets of causes that have explained no answer are passed over.
        """
        agrees = partial(self._agrees, observation=observation)
        ends = self.predictions.asked + IN_VAIN * unpredicted(observation, by_chance=0.0)

        def is_over() -> bool:
            return self.predictions.asked >= ends

        often = (together(some) for some, _ in self._sets.most_common())
        for setting in chain([NOTHING], often, [self.setting]):
            if agrees(setting):
                return self._fewest(setting, observation)
            if is_over():
                return None
        beside = partial(self._beside, observation=observation)
        found = grown(NOTHING, beside, agrees, is_over, most=1 if briefly else len(self.causes))
        return next((self._fewest(setting, observation) for setting in found), None)

    def _agrees(self, setting: Setting, observation: Observation) -> bool:
        # If they do not agree it is asked next which others show beside them.
        return self.predictions.agrees(setting, observation, self._among) is True

    def _beside(self, setting: Setting, observation: Observation) -> Iterator[Setting]:
        """The settings of the known causes that may make a setting agree if they are added."""
        shown = self.predictions.mending(setting, observation, self._among)
        for cause in self.causes:
            if cause.setting.dials or not shown.isdisjoint(cause.setting.mutants):
                yield cause.setting

    def _fewest(self, setting: Setting, observation: Observation) -> tuple[KnownCause, ...]:
        """The causes that a setting puts together, without those that an answer does not need.

        The last ones go first.
        """
        parts = frozenset(setting.parts)
        found = [own for own in self.causes if own.setting and parts.issuperset(own.setting.parts)]
        for cause in found[::-1]:
            rest = [other for other in found if other is not cause]
            if rest and self._agrees(together(rest), observation):
                found = rest
        return tuple(found)


def together(causes: Iterable[KnownCause]) -> Setting:
    """The setting of an engine that has all of these causes."""
    return reduce(or_, (cause.setting for cause in causes), Setting())
