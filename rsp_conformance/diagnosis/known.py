"""Known causes: what is known to be wrong with an engine, while the search is for what else is.

A wrong answer is **known** where the semantics with the known causes gives it: with all of them
together, or with some of them where one shows only sometimes.
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
from rsp_conformance.diagnosis.met import Met
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting

MOST_SETS = 40
"""So many sets of known causes are tried on one answer."""
MOST_RIGHT = 500
"""So many right answers are asked at most whether a cause would have made them wrong."""
ENOUGH_GONE = 3
"""So many right answers that a cause would have made wrong show that it is gone."""


@dataclass(frozen=True, slots=True)
class KnownCause:
    """A cause of wrong answers that is known.

    ``hypothesis`` predicts them; without one it is the cause of failures with the ``fingerprint``.
    ``reason`` is the user's. ``found`` says that this run has found it by itself: what it explains
    is wrong all the same, and only not searched again. ``file`` is where it stands, if in a file.
    ``observations`` are the answers of the crash file that names it, if it has wrong ones.
    """

    hypothesis: Setting = Setting()
    reason: str = ""
    fingerprint: str = ""
    found: bool = False
    file: str = field(default="", compare=False)
    observations: tuple[Observation, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(cls, cause: Cause, *, found: bool = False) -> KnownCause:
        """CAUSE, which a run has found, as one that is known."""
        digits = "" if cause.hypothesis else cause.id.removeprefix(UNEXPLAINED)
        return cls(cause.hypothesis, f"found by a run: {cause.text}", digits, found)

    @property
    def id(self) -> str:
        """The cause in a word or two, as reports name it."""
        return str(self.hypothesis) if self.hypothesis else f"{UNEXPLAINED}{self.fingerprint}"


class KnownCauses:
    """All that is known of one engine, held against what it answers.

    ``predictions`` are remembered for whoever asks about the same answers.
    """

    def __init__(
        self, causes: Iterable[KnownCause] = (), predictions: Predictions | None = None
    ) -> None:
        self.causes = tuple(causes)
        self.predictions = predictions or Predictions()
        self._explained: dict[str, tuple[KnownCause, ...] | None] = {}
        self._once_explained: set[str] = set()
        self._passed_over: set[str] = set()
        self._met = Met[KnownCause]()
        self._covered: defaultdict[str, dict[Fingerprint, KnownCause]] = defaultdict(dict)

    def add(self, cause: KnownCause) -> None:
        """Know CAUSE from now on; what one known before explains alone is its all the same."""
        self.causes += (cause,)
        answers = self._explained.items()
        self._explained = {own: found for own, found in answers if found and len(found) == 1}
        self._passed_over.clear()

    def forget(self) -> None:
        """Remember nothing of single answers."""
        self.predictions.forget()
        self._explained.clear()
        self._once_explained.clear()
        self._passed_over.clear()

    def beside(self, causes: Iterable[KnownCause]) -> KnownCauses:
        """These and CAUSES, on the same predictions."""
        return KnownCauses((*self.causes, *causes), self.predictions)

    def take_back(self, id: str) -> None:
        """Know the cause ID no more, which this run has found."""
        self.causes = tuple(own for own in self.causes if not (own.found and own.id == id))
        self._explained.clear()
        self._once_explained.clear()
        self._passed_over.clear()
        self._met.forget_sets()

    def explain(
        self, observation: Observation, *, briefly: bool = False
    ) -> tuple[KnownCause, ...] | None:
        """Known causes with which the semantics answers as the engine did, none of them needless.

        Empty where the answer is right without any; None where nothing known explains it, for
        want of causes or of an answer too, and where the other one of two engines has answered.
        If BRIEFLY, as well where nothing has explained others like it: for whoever counts, or
        asks again in the end. Until a cause is added, or more than briefly asked, it stays so.
        Causes that the run was given are never asked briefly.
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
            self._meet(observation, ordered)
            if briefly and found is None:
                self._passed_over.add(observation.digest)
                return None
            self._passed_over.discard(observation.digest)
            self._explained[observation.digest] = fewest
            if fewest:
                self._once_explained.add(observation.digest)
        return self._explained[observation.digest]

    def _meet(self, observation: Observation, causes: tuple[KnownCause, ...] | None) -> None:
        """Take note that CAUSES explain OBSERVATION, or nothing: so it may be of others like it."""
        first = self._met.first(self._hypotheses)
        if first is not None and causes not in ((), (first,)):
            self._met.note_where(self._beside(first, observation), causes)
        if causes:
            self._met.note(causes)

    def has_explained(self, observation: Observation) -> bool:
        """Whether ``explain`` was asked of OBSERVATION, and known causes explain it.

        So they do when others are known as well, which may explain it better.
        """
        return observation.digest in self._once_explained

    def showing(self, observations: Iterable[Observation]) -> tuple[KnownCause, ...]:
        """The known causes with which alone an engine answers any of the cases otherwise.

        Asked from the first z of each; not those with which `reference` does not do the case.
        """
        asked, nearer = tuple(observations), self.predictions.nearer
        return tuple(
            cause
            for cause in self.causes
            if any(nearer(cause.hypothesis, Setting(), own) is not None for own in asked)
        )

    def covering(self, finding: Finding) -> tuple[KnownCause, ...]:
        """The known cause that has the fingerprint of FINDING, if there is one.

        That of a wrong answer is of its shrunk case (``cover``): a larger one has it where its
        property has shown that, and where it departs in the same way.
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
        """The known cause that has the fingerprint of FINDING, which is shrunk, if there is one.

        From now on it covers answers of the property that are wrong in the same way.
        """
        symptom = Symptom.of(finding)
        known = self.with_fingerprint(symptom)
        if known and symptom.is_judged:
            self._covered[finding.property_name][fingerprint(symptom)] = known[0]
        return known

    def with_fingerprint(self, symptom: Symptom) -> tuple[KnownCause, ...]:
        """The known cause that has the fingerprint of SYMPTOM, if there is one.

        A crash file that another cause explains, which is known as well, stands for that one.
        """
        if not any(cause.fingerprint for cause in self.causes):
            return ()
        found = fingerprint(symptom).id
        same = (cause for cause in self.causes if cause.fingerprint == found)
        return tuple(cause for cause in same if not self.explain_all(cause.observations))

    @property
    def riddles(self) -> tuple[KnownCause, ...]:
        """Those that are known by wrong answers of a crash file, which nothing known explains."""
        own = (cause for cause in self.causes if cause.observations)
        return tuple(cause for cause in own if not self.explain_all(cause.observations))

    def solved_by(self, cause: Cause) -> KnownCause | None:
        """The unexplained failure whose crash file CAUSE explains, now known as CAUSE, if any."""
        new = KnownCause.of(cause)
        if new.hypothesis:
            beside = self.beside([new])
            for own in self.riddles:
                if new in beside.explain_all(own.observations):
                    return KnownCause(new.hypothesis, own.reason, file=own.file)
        return None

    @property
    def hypothesis(self) -> Setting:
        """All that is known together."""
        return together(self.causes)

    def explain_all(
        self, observations: Iterable[Observation], *, briefly: bool = False
    ) -> tuple[KnownCause, ...]:
        """The known causes that explain several answers; empty where one of them is not explained.

        An answer that is right needs no cause. BRIEFLY is as for ``explain``.
        """
        explained = [self.explain(observation, briefly=briefly) for observation in observations]
        if None in explained:
            return ()
        return tuple(dict.fromkeys(cause for causes in explained for cause in causes or ()))

    def is_gone(self, cause: KnownCause, right: Iterable[Observation]) -> bool:
        """Whether the engine cannot have CAUSE any more, which would have made RIGHT answers wrong.

        Only of some is it asked, which takes a second or two at most.
        """
        bears = (own for own in right if self.predictions.showing(cause.hypothesis, own))
        asked = islice(bears, MOST_RIGHT)
        agrees = self.predictions.agrees
        wrong = (own for own in asked if agrees(cause.hypothesis, own) is False)
        return len(list(islice(wrong, ENOUGH_GONE))) == ENOUGH_GONE

    def _agree(self, causes: Sequence[KnownCause], observation: Observation) -> bool:
        # Where they do not agree it is asked next which others show beside them.
        others = frozenset(name for own in self.causes for name in own.hypothesis.mutants)
        return self.predictions.agrees(together(causes), observation, others) is True

    def _sets(self, observation: Observation, *, briefly: bool) -> Iterator[tuple[KnownCause, ...]]:
        """Sets of known causes that may explain OBSERVATION, each once."""
        given: set[frozenset[KnownCause]] = set()
        for some in self._candidates(observation, briefly=briefly):
            if (own := frozenset(some)) not in given:
                given.add(own)
                yield some

    def _candidates(
        self, observation: Observation, *, briefly: bool
    ) -> Iterator[tuple[KnownCause, ...]]:
        """None, each alone, what was met together, all, and then the smaller ones first.

        Of equals those met most.

        Only such as have the engine do something else on OBSERVATION than with one cause less; but
        the one met most comes before that is asked, as it is mostly the one. Which causes show
        beside it is known since it was asked: then comes what was met where the same ones do, and
        then what was met alone or with it. If BRIEFLY that is mostly all, where it found nothing.
        """
        causes = self._hypotheses
        yield ()
        if (first := self._met.first(causes)) is not None:
            yield (first,)
            beside = self._beside(first, observation)
            yield from self._met.where(beside)
            if briefly and self._met.is_in_vain(beside):
                return
            for some in self._met.sets:
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
                often = (some for some in self._met.sets if len(bearing.intersection(some)) > 1)
                yield from often
                yield causes
            smaller = larger

    @property
    def _hypotheses(self) -> tuple[KnownCause, ...]:
        """The causes that predict answers."""
        return tuple(cause for cause in self.causes if cause.hypothesis)

    def _beside(self, first: KnownCause, observation: Observation) -> frozenset[KnownCause]:
        """FIRST, and the causes that show beside it in an OBSERVATION that it does not explain."""
        return frozenset({first, *self._bearing((first,), self._hypotheses, observation)})

    def _bearing(
        self, some: Sequence[KnownCause], causes: Iterable[KnownCause], observation: Observation
    ) -> list[KnownCause]:
        """Those of CAUSES, met most first, that show in an engine which has SOME."""
        others = [cause for cause in causes if cause not in some]
        among = frozenset(name for cause in others for name in cause.hypothesis.mutants)
        shown = self.predictions.mending(together(some), observation, among)
        bearing = (c for c in others if c.hypothesis.dials or shown & {*c.hypothesis.mutants})
        return sorted(bearing, key=lambda cause: -self._met.often(cause))

    def _fewest(
        self, causes: tuple[KnownCause, ...], observation: Observation
    ) -> tuple[KnownCause, ...]:
        """CAUSES without those that the answer does not need, the last ones first."""
        for cause in reversed(causes):
            rest = tuple(other for other in causes if other is not cause)
            if rest and self._agree(rest, observation):
                causes = rest
        return causes


def together(causes: Iterable[KnownCause]) -> Setting:
    """What an engine does that has all of CAUSES."""
    return reduce(or_, (cause.hypothesis for cause in causes), Setting())
