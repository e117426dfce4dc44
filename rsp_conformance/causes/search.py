"""From the evidence of a run to its causes: the smallest hypothesis that explains the most.

A hypothesis grows part by part, a dial or a mutant at a time. The smallest case that it does not
explain is put to every simple part; those that explain it are held against all other cases: a
**gain** is an answer that it predicts with the part and not without, a **loss** the other way
round. The part with the most gains and hardly a loss is taken. Where nothing more is found each
part is looked at again beside all others: a rival that explains more takes its place, and it goes
where nothing is lost with it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations, islice
from operator import or_
from typing import Final

from rsp_conformance.causes.cause import CONTRADICTED, CONTRADICTED_YET, Cause, text_of
from rsp_conformance.causes.evidence import Evidence
from rsp_conformance.causes.fingerprint import unexplained
from rsp_conformance.causes.mutants import is_mute
from rsp_conformance.causes.prediction import Predictions, differ
from rsp_conformance.causes.probes import FEW_PROBES, MOST_PROBES, Probe, Probes
from rsp_conformance.causes.rivals import Rivals
from rsp_conformance.causes.score import FEW_STAGES, STAGES, Contest, Score
from rsp_conformance.explain.evidence.dials import settings
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting

NOTHING: Final = Setting()
"""The engine follows its profile."""
MOST_PARTS = 16
"""A hypothesis has so many parts at most."""
AT_ONCE = 6
"""From the parts that explain any of so many cases the best one is taken."""
GROWING = 0.7
"""The part of the time that is for finding parts; the rest is for weighing them in the end."""
PATIENCE = 0.5
"""The search ends where in so large a part of the time for finding parts none is found, ..."""
LEAST_PATIENCE = 4.0
"""... and, if it is not brief, in so many seconds."""
USUAL = 0.002
"""So many seconds a prediction takes; where it takes longer patience is longer, ..."""
SLOWEST = 3
"""... so many times at most."""
MOST_HARD = 10 * AT_ONCE
"""So many cases may be explained by no part, until the search ends."""
MOST_PAIRED = 3
"""For so many of them pairs of parts are tried."""
FEWEST, FEWEST_UNSTABLE = 2, 5
"""So many wrong answers a part has to explain, as one may be chance, or as answers are unstable."""
NO_CHANCE = 5
"""What explained so many before keeps its place by one of those that are asked again."""
MOST_ALTERNATIVES = 4
"""So many rivals that nothing tells apart are named at most."""


def find_causes(
    evidence: Evidence,
    subject: EngineUnderTest | None = None,
    *,
    seconds: float = 30.0,
    briefly: bool = False,
    known: Setting = NOTHING,
    before: Iterable[Cause] = (),
    predictions: Predictions | None = None,
    clock: Callable[[], float] = time.process_time,
) -> tuple[Cause, ...]:
    """The causes behind the symptoms of EVIDENCE, those of most properties first.

    What nothing explains comes last, grouped by fingerprint. SUBJECT, where it can be asked, tells
    rivals apart by fresh cases. SECONDS of processor time may be spent. KNOWN are causes that were
    found before: what they explain is no symptom, and they are not named again. BEFORE are causes
    that were found in a part of EVIDENCE, with which the search begins. If BRIEFLY, fewer answers
    are asked of each rival, which is enough for what explains most, and some may contradict what
    is found. PREDICTIONS are what was predicted before, on the same observations. CLOCK is what
    SECONDS are measured by: with one that counts predictions, a search without SUBJECT repeats
    exactly.
    """
    growing = GROWING * seconds
    probes = Probes(evidence, predictions or Predictions(), FEW_PROBES if briefly else MOST_PROBES)
    begun = {
        cause.hypothesis: cause
        for cause in before
        if cause.is_explained and not (is_mute(cause.hypothesis) and evidence.has_rows)
    }
    rivals = {part: cause.alternatives for part, cause in begun.items()}
    search = _Search(
        evidence,
        subject,
        known,
        growing,
        probes.predictions,
        probes,
        briefly,
        rivals,
        begun,
        clock=clock,
    )
    return search.causes()


@dataclass(slots=True)
class _Search:
    evidence: Evidence
    subject: EngineUnderTest | None
    known: Setting
    growing: float
    predictions: Predictions
    probes: Probes
    briefly: bool = False
    rivals: dict[Setting, tuple[Setting, ...]] = field(default_factory=dict)
    begun: Mapping[Setting, Cause] = field(default_factory=dict)
    dismissed: set[Setting] = field(default_factory=set)
    refused: set[Setting] = field(default_factory=set)
    exchanged: set[tuple[Setting, Setting]] = field(default_factory=set)
    foretold: set[Setting] = field(default_factory=set)
    has_rows: bool = field(init=False)
    ends: float = field(init=False)
    began: tuple[float, int] = field(init=False)
    last: float = 0.0
    clock: Callable[[], float] = time.process_time
    contest: Contest = field(init=False)

    def __post_init__(self) -> None:
        """Parts are scored on the same answers, as long as there is time."""
        self.has_rows = self.evidence.has_rows
        self.began = self.clock(), self.predictions.asked
        self.ends = self.began[0] + self.growing * (SLOWEST if self.briefly else 1)
        self.contest = Contest(self.probes, FEW_STAGES if self.briefly else STAGES, self._is_over)

    def causes(self) -> tuple[Cause, ...]:
        """The causes, as ``find_causes`` gives them."""
        self.probes.fill(self.known)
        found = self._found()
        explained = [self._cause(part, found) for part in self._new(found)]
        explained.sort(key=lambda cause: (-len(cause.properties), -cause.explains, cause.id))
        rest = [
            s
            for s in self.evidence.symptoms
            if not s.is_answered or not self.probes.explains(found, Probe.of(s))
        ]
        groups = [*unexplained(rest)]
        # What was not shrunk stands for a cause that was known when it came.
        shrunk = [cause for cause in groups if cause.file]
        return (*explained, *(shrunk or groups))

    # --- growing ---------------------------------------------------------------------------

    def _found(self) -> Setting:
        """KNOWN, and what explains most beside it, until no wrong answer waits any more.

        A part that is dismissed in the end may have stood in the way of true ones: what is left
        grows on.
        """
        found = reduce(or_, self.rivals, self.known)
        while True:
            before = len(self.dismissed)
            found = self._pruned(self._full_grown(found))
            if self._is_over():
                return found
            goes_on = len(self.dismissed) > before or self._filled(found)
            if not (goes_on or self._asked_for_more(found)):
                return found

    def _filled(self, found: Setting) -> bool:
        """Whether more wrong answers wait that FOUND does not explain; they are looked at next.

        What the run has explained by causes that have stood the test is left out.
        """
        stands = {*self.begun}.issubset(found.parts)
        return self.probes.fill(found, self._is_over, unexplained=stands)

    def _exchanged(self, found: Setting) -> Setting:
        """FOUND, or what explains more: with a rival in place of a part, and nothing that forgives.

        A part was taken beside those that were found before it. Beside those found later its rival
        may explain what else only a dial would that compares less, or nothing.
        """
        firm = reduce(Setting.without, (p for p in self._new(found) if p.forgives), found)
        left = self.probes.left(firm)
        for part in self._new(firm):
            others = firm.without(part)
            bearing = islice((p for p in left if self._tells(firm, others, p)), AT_ONCE)
            rivals = [
                rival
                for rival in self._able(bearing, others, forgiving=False)
                if (part, rival) not in self.exchanged
            ]
            if not rivals or self._is_over():
                continue
            self.exchanged.update((part, rival) for rival in rivals)
            best = self._best(others, [part, *rivals], self.probes.left(others))
            if best is not None and best != firm:
                return best
        return found

    def _asked_for_more(self, found: Setting) -> bool:
        """Whether fresh cases show what a single wrong answer does; they are to be explained, too.

        That a mutant explains one answer may be chance; that it foretells others is none.
        """
        if self.subject is None:
            return False
        there = len(self.probes.wrong)
        lone = [p for p in self.probes.left(found)[:AT_ONCE] if p.speaks and not p.is_fresh]
        for probe, part in ((p, part) for p in lone for part in self._parts(p, found)):
            whole = found | part
            if part.dials or whole in self.foretold or self._is_over():
                continue
            if self.probes.explains(whole, probe):
                self.foretold.add(whole)
                self.refused.discard(whole)
                _, fresh = self._told_apart(found, [whole], [probe.property_name])
                self.probes.wrong += [
                    Probe(probe.property_name, (own,), is_fresh=True) for own in fresh
                ]
        return len(self.probes.wrong) > there

    def _told_apart(
        self, found: Setting, rivals: list[Setting], properties: Sequence[str]
    ) -> tuple[list[Setting], list[Observation]]:
        """What fresh cases leave of RIVALS beside FOUND, with those that speak for one of them."""
        # What a brief search finds is held against all that the run asks from then on.
        if self.subject is None or (self.briefly and len(rivals) == 1):
            return rivals, []
        asker = Rivals(self.subject, self.predictions, self.ends)
        return asker.left(found, rivals, properties)

    def _full_grown(self, found: Setting) -> Setting:
        """FOUND, and all that explains more.

        What only compares less is never contradicted: it is asked where nothing else explains more,
        and not in a brief search, after which the run goes on finding better ones.
        """
        while True:
            grown = self._grown(found)
            if grown == found:
                grown = self._exchanged(found)
            if grown == found and not self.briefly:
                grown = self._grown(found, forgiving=True)
            if grown == found:
                return found
            found = grown

    def _grown(self, found: Setting, *, forgiving: bool = False) -> Setting:
        """FOUND, and part by part what explains most: FORGIVING dials only, or all others."""
        hard: Counter[tuple[str, ...]] = Counter()
        while len(found) < MOST_PARTS and not self._is_over():
            left = self.probes.left(found)
            # What nothing explained before comes last: another part may be missing first.
            left.sort(key=lambda p: hard[p.digests])
            for group in _groups(left[:MOST_HARD], AT_ONCE):
                best = self._best(found, self._able(group, found, forgiving), left)
                if best is None and not forgiving and group[0] in left[: MOST_PAIRED * AT_ONCE]:
                    best = self._best(found, list(self._pairs(group[0], found)), left)
                if best is not None or self._is_over():
                    break
                hard.update(probe.digests for probe in group)
            else:
                return found
            found = best or found
        return found

    def _able(self, probes: Iterable[Probe], found: Setting, forgiving: bool) -> list[Setting]:
        """The parts that explain any of PROBES beside FOUND, and were not refused beside it."""
        able = dict.fromkeys(
            part
            for probe in probes
            for part in self._parts(probe, found)
            if part.forgives is forgiving and found | part not in self.refused
            if not self._is_over() and self.probes.explains(found | part, probe)
        )
        return [*able]

    def _parts(self, probe: Probe, found: Setting) -> Iterator[Setting]:
        """Every simple part that FOUND has not, was not dismissed and may show in PROBE.

        None with which the engine would never give a row, if it has given one.
        """
        for part in self._all_parts(probe, found):
            if part not in self.dismissed and not (self.has_rows and is_mute(part)):
                yield part

    def _all_parts(self, probe: Probe, found: Setting) -> Iterator[Setting]:
        cases = [own.stimulus.case for own in probe.observations]
        shown = (self.predictions.mending(found, own) for own in probe.observations)
        seen = set().union(*shown)
        yield from (Setting(mutants=(n,)) for n in sorted(seen) if n not in found.mutants)
        if not probe.speaks:
            return  # A dial may make any silence right.
        turned, first = {dial for dial, _ in found.dials}, probe.observations[0]
        for dial, value in dict.fromkeys(settings(cases[0], first.dials)):
            if dial not in turned and str(first.dials.text(dial)) != value:
                yield Setting.of({dial: value})

    def _pairs(self, probe: Probe, found: Setting) -> Iterator[Setting]:
        """Pairs of parts that explain PROBE together; each makes a difference by itself."""
        first = probe.observations[0]
        case, dials = first.stimulus.case, first.dials
        able = (p for p in self._parts(probe, found) if not p.forgives)
        moving = [p for p in able if differ(found, found | p, case, dials)]
        for one, other in combinations(moving, 2):
            if self._is_over():
                return
            if not set(dict(one.dials)) & set(dict(other.dials)):
                pair = one | other
                if self.probes.explains(found | pair, probe):
                    yield pair

    def _best(
        self, found: Setting, parts: Sequence[Setting], left: Sequence[Probe]
    ) -> Setting | None:
        """FOUND with the one of PARTS that explains most of LEFT; None where none is credible.

        None as well where the time is over before all were heard: the best so far may be a rival.
        """
        scores = self.contest.contenders(found, parts, left)
        if scores is None:
            return None
        scores = sorted((s for s in scores if self._credible(s, found)), key=lambda s: s.order)
        if not scores:
            self.refused.update(found | part for part in parts)
            return None
        equal = [s.hypothesis for s in scores if s.is_equal_to(scores[0])]
        seen_in = [name for name, _ in scores[0].properties.most_common(2)]
        equal, _ = self._told_apart(found, equal, seen_in)
        if not equal:
            rest = [s.part for s in scores if not s.is_equal_to(scores[0])]
            return self._best(found, rest, left)
        self.last = self._spent()
        best, *others = [s for s in scores if s.hypothesis in equal]
        self.rivals[best.part] = tuple(s.part for s in others if len(s.part) == len(best.part))
        return best.hypothesis

    def _credible(self, score: Score, found: Setting) -> bool:
        """Whether a hypothesis says more than that the engine is silent, and not only by chance."""
        if score.gains < self._fewest or score.value <= 0 or score.losses > score.gains // 10:
            return False
        if score.told:
            return True
        # All that it explains is silence: then the engine speaks wherever else it errs.
        silent = [p for p in self.probes.wrong if not p.speaks]
        unexplained_silence = sum(not self.probes.explains(score.hypothesis, p) for p in silent)
        return not score.losses and score.gains >= 3 and unexplained_silence < score.gains

    # --- the whole -------------------------------------------------------------------------

    def _new(self, found: Setting) -> list[Setting]:
        return [part for part in found.parts if part not in self.known.parts]

    def _pruned(self, found: Setting) -> Setting:
        """FOUND without the parts that beside the others explain nothing or contradict much."""
        while True:
            for part in self._new(found):
                others = found.without(part)
                losses = self._losses(found, others)
                against = self._against(part, found)
                # A defect not found may make up for one that is: right answers against it. What
                # more and more answers of the run spoke for is not given up for one of them.
                unfinished = self.briefly or part in self.begun
                weight = CONTRADICTED_YET if unfinished else CONTRADICTED
                fewest = 1 if self._was_shown(part) else self._fewest
                least = max(fewest, weight * (losses - self._is_unstable), against)
                gains = sum(1 for _ in islice(self._own(found, others), least))
                if gains < fewest or losses > gains // weight + self._is_unstable:
                    found = others
                    break
                if against > gains:
                    self.dismissed.add(part)
                    found = others
                    break
            else:
                return found

    def _was_shown(self, part: Setting) -> bool:
        """Whether PART has explained enough before, of which not all may be asked again."""
        before = self.begun.get(part)
        return before is not None and before.explains >= NO_CHANCE and not self.probes.all_met

    def _losses(self, found: Setting, others: Setting) -> int:
        """How many right answers FOUND does not predict, and OTHERS do."""
        # What FOUND predicts is asked once for all its parts.
        agrees = self.predictions.agrees
        return sum(
            self.contest.is_lost(others, found, o)
            for o in self.probes.held
            if agrees(found, o) is False
        )

    def _own(self, found: Setting, others: Setting) -> Iterator[Probe]:
        """The probes that FOUND explains, and OTHERS do not."""
        return (p for p in self.probes.wrong if self._gained(found, others, p))

    def _against(self, part: Setting, found: Setting) -> int:
        """On how many answers that FOUND does not predict the engine sides with FOUND less PART.

        On those that other defects have spoilt so far that they side with neither, it does not.
        """
        left = self.probes.left(found)
        if part.forgives:
            return sum(p.speaks for p in left)
        others, nearer = found.without(part), self.predictions.nearer
        sides = [nearer(found, others, own) for p in left for own in p.observations]
        return sum(side is not None and side < 0 for side in sides)

    def _gained(self, found: Setting, others: Setting, probe: Probe) -> bool:
        if not self._may_tell(found, others, probe):
            return False
        return self.probes.explains(found, probe) and not self.probes.explains(others, probe)

    def _tells(self, one: Setting, other: Setting, probe: Probe) -> bool:
        return self._may_tell(one, other, probe) and probe.tells_apart(one, other)

    def _may_tell(self, one: Setting, other: Setting, probe: Probe) -> bool:
        """Whether ONE and OTHER may predict different answers, as far as that was asked."""
        showing = self.predictions.showing
        return any(showing(one, own) != showing(other, own) for own in probe.observations)

    @property
    def _is_unstable(self) -> bool:
        return any(symptom.kind == "unstable" for symptom in self.evidence.symptoms)

    @property
    def _fewest(self) -> int:
        return FEWEST_UNSTABLE if self._is_unstable else FEWEST

    def _is_over(self) -> bool:
        patience = max(0.0 if self.briefly else LEAST_PATIENCE, PATIENCE * self.growing)
        if self.clock() >= self.ends:
            return True
        return self._spent() >= min(self.growing, self.last + patience)

    def _spent(self) -> float:
        """Seconds of processor time so far, as they are on a machine that is not slow or busy.

        So it depends little on the machine what is found.
        """
        started, asked = self.began
        spent = self.clock() - started
        return max(spent / SLOWEST, min(spent, (self.predictions.asked - asked) * USUAL))

    def _cause(self, part: Setting, found: Setting) -> Cause:
        others = found.without(part)
        own = [*self._own(found, others)]
        smallest = min(own, key=lambda probe: self._illustrates(part, probe))
        agrees = self.predictions.agrees
        fits = [
            agrees(self.known, o) is True and agrees(found, o) is not None for o in self.probes.held
        ]
        names = [n for p in own for n in (p.property_name, *self.probes.failing.get(p.stimuli, ()))]
        correct = [own.correct for own in self.evidence.answered]
        wrong = self._wrong()
        alternatives = self.rivals.get(part, ())[:MOST_ALTERNATIVES]
        cause = Cause(
            id=str(part),
            hypothesis=part,
            alternatives=alternatives,
            properties=tuple(dict.fromkeys(names)),
            # Of two engines only what was shrunk is judged.
            explains=sum(p.is_counted for p in own) or len(own),
            open=sum(
                self._tells(found, others, p) for p in self.probes.left(found) if p.is_counted
            ),
            contradicts=self._losses(found, others),
            passing=sum(fits),
            asked=wrong if self.probes.all_met else sum(p.is_counted for p in self.probes.wrong),
            wrong=wrong,
            # Those of laws and relations are judged here, as far as they are asked.
            right=correct.count(True) + sum(fits[self.probes.judged :]),
            file=smallest.symptom.file if smallest.symptom else "",
            elements=smallest.size[0],
            text=text_of(part, *alternatives),
            unshrunk=smallest.alone,
        )
        # Where all answers cannot be asked, the part in which it was found may hold more of them.
        before = self.begun.get(part, cause)
        if before.explains > cause.explains:
            cause = replace(cause, explains=before.explains, open=before.open)
        return cause

    def _illustrates(self, part: Setting, probe: Probe) -> tuple[bool, bool, tuple[int, int]]:
        """How well PROBE shows PART, the best first: shrunk, with no other cause in it, small."""
        if probe.symptom is None or not probe.symptom.file:
            return True, False, probe.size
        return False, not self.probes.explains(self.known | part, probe), probe.size

    def _wrong(self) -> int:
        """The wrong answers of the run that are not as KNOWN causes predict."""
        wrong = (own.observation for own in self.evidence.answered if own.correct is False)
        return sum(not (self.known and self.predictions.agrees(self.known, o)) for o in wrong)


def _groups(probes: Sequence[Probe], size: int) -> Iterator[Sequence[Probe]]:
    return (probes[start : start + size] for start in range(0, len(probes), size))
