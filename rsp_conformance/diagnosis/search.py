"""The search for the setting that says an engine's answers in the fewest bits.

**How.** The search holds one setting, the best so far, and takes steps to better ones. A step
begins with a wrong answer that the best one does not predict. Each single part that predicts it
beside the others is a rival. A part that was taken early may be a near neighbour of the true one,
so a rival that also explains the first answer of such a part is tried in its place as well. The
rivals **race**: over more and more answers, wrong and right by turns, each saves bits against the
best one or loses some. From heat to heat the better half goes on, until one leads by `SURE` bits.
The leader then runs to the end alone: rivals explain the answers that the race begins with, and may
lose those behind. If no single part explains an answer, the search tries harder: first dear parts
(`price.is_dear`), and another part in place of each that was taken, then pairs of parts. A part
that no longer saves what it costs is dropped.

The search looks at the first `FIRST` wrong answers, of as many kinds of cases as there are, then at
twice as many, up to all. So the parts that explain most are found first, and it can be stopped at
any time.

**What it guarantees.** Every step takes fewer bits on all that is looked at, so the search ends. It
counts predictions, not seconds: the same evidence and the same budget give the same setting on any
machine. It overruns its budget by what it takes to say what one setting predicts of one answer.

**What it costs.** A few hundred predictions for each part that is found: most mutants change
nothing in most cases, which one run of `reference` with all of them at its side tells
(`Predictions.mending`). Each time that it tries harder, up to `IN_VAIN` more for each bit that the
answers left would save.

**What it does not find.** It is greedy: three parts none of which saves anything without the two
others stay hidden. None of the recorded runs needs more than pairs.

**What was tried.** Before, a part was taken by the most gains for the fewest losses, with sixteen
constants and four rules when to stop. On the 46 recorded runs of engines with known mutants this
search names 74 of 74 parts that show, none wrongly (73, and 2 wrongly), with 40,700 predictions in
place of 72,600. A race once ended with a clear lead: in a run of rsp-js with 2,900 wrong answers
`read-at-arrival` won beside `newest-only` by the first answers, and lost fifty behind. With the
leader run to the end 20,000 predictions find eight parts there in place of two, and all recorded
runs together take a sixth less processor time.

Shrunk cases were once looked at before all others. In a run over an engine with many bugs most of
them are cases that nothing had explained, so the search began with what it can't explain; and one
unstable failure of 59 once made every answer say as little as if all were. A live run of rsp-js
with 1,171 wrong answers (27,000 predictions) and the nine recorded runs of engines that have the
most bugs (20,000 each), with the second fixed:

    shrunk cases             rsp-js: named, left   nine runs: named, left, predictions
    first                                 2, 264               49, 1,657, 147,453
    by turns with others                  5, 216               53, 1,622, 151,624
    by size, as any other                 9, 103               49, 2,553, 155,841

Size alone loses a run of YASPER: its smallest wrong answers show what has no mutant, and 896
answers more are left. So they take turns.

The numbers that set the pace of a search (`SURE` to `IN_VAIN`) were chosen and not tuned. With all
of them a third lower, and again with all a third higher, the recorded runs `triple-04` and
`cqels1-1` have the same names and leave as many answers. They take 1,098 and 1,777 predictions in
place of 1,390, and 1,135 and 2,317 in place of 1,772. Of a race's constants two are left of five,
with the same pace: heats of as many answers as all before them were tried in place of `HEAT`, and
16 of 17 recorded runs had the same names, but the largest, one of rsp-js, ended with six in place
of eight.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Final, TypeAlias

from rsp_conformance.diagnosis.clues import Clue, Clues
from rsp_conformance.diagnosis.mattering import settings
from rsp_conformance.diagnosis.mutants import is_mute, varies
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.price import (
    CHEAPEST,
    RIGHT,
    is_dear,
    left_open,
    price,
    unpredicted,
)
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting

NOTHING: Final = Setting()
"""The setting of an engine that follows its profile."""
SURE: Final = 20.0
"""A lead of so many bits decides a race: odds of a million to one."""
FIRST: Final = 64
"""The number of wrong answers that are looked at first."""
MOST_RIGHT: Final = 256
"""The most right answers that are looked at, and the most wrong ones that are counted of a part:
those of the most shapes, since more say the same."""
HEAT: Final = 24
"""The predictions of the first heat of a race, about; each further heat has twice as many, up to
twice `FIRST`."""
FEW: Final = 8
"""With so few rivals none is dropped for its rank alone, and half as many answers make the least
heat. If a race must keep some settings, one in so many goes on from heat to heat, since thousands
begin."""
ENOUGH: Final = 3
"""So many answers suffice to say that an engine does not have a part: one or two may be chance."""
IN_VAIN: Final = 5
"""The predictions that are spent without gain for each bit at stake."""
PAIRS, DEAR = 2, 1
"""How hard is tried to explain an answer."""
EQUAL: Final = 1e-6
"""Two sums of the same bits differ by less than this."""


_Track: TypeAlias = Sequence[tuple[Clue, Callable[[Setting, Clue], float]]]
"""The clues over which settings race, each with its cost under a setting."""


class Search:
    """The search for one engine's setting.

    Args:
        clues: the answers to explain.
        predictions: what settings predict.
        known: parts that are given: they cost nothing and stay.
        until: the instant (``time.monotonic()``) after which nothing is asked, if there is one.

    Attributes:
        best: the best setting so far.
        rivals: for a part of it, others that the race could not tell from it.
        uncertain: settings that came close to being better than the best.
    """

    def __init__(
        self,
        clues: Clues,
        predictions: Predictions,
        known: Setting = NOTHING,
        until: float = inf,
    ) -> None:
        self.clues = clues
        self.predictions = predictions
        self.known = known
        self.best = known
        self.rivals: dict[Setting, tuple[Setting, ...]] = {}
        self.uncertain: set[tuple[Setting, Setting]] = set()
        self._ends = self._spent = 0
        self._until = until
        self._window = FIRST if clues.is_held_to else len(clues.wrong)
        self._witness: dict[Setting, Clue] = {}
        self._refused: set[tuple[Setting, Setting]] = set()
        self._tried: defaultdict[Clue, int] = defaultdict(int)
        self._among: frozenset[str] = frozenset()
        self._agree: dict[tuple[Setting, Clue], bool | None] = {}

    # --- the objective -----------------------------------------------------------------------

    def agrees(self, setting: Setting, clue: Clue) -> bool | None:
        """Return whether the engine answered as a setting has it; None if nobody can say.

        Once the budget is spent nobody can say more than was asked before.
        """
        key = setting, clue
        if key not in self._agree:
            if self.is_over:
                return None
            self._agree[key] = self._agrees(setting, clue)
        return self._agree[key]

    def _agrees(self, setting: Setting, clue: Clue) -> bool | None:
        if clue.varies and not varies(setting):
            return False
        found: bool | None = True
        dials = None if self.clues.is_held_to else replace(setting, mutants=())
        for own in clue.observations:
            if dials is not None and self.predictions.agrees(dials, own) is None:
                return None  # What the texts leave open supports no mutant.
            agree = self.predictions.agrees(setting, own, self._among)
            if agree is False:
                return False
            found = found and agree
        return found

    def loss(self, setting: Setting, clue: Clue) -> float:
        """Return the bits of a wrong answer under a setting."""
        most = unpredicted(clue, by_chance=self.clues.by_chance)
        if not self.agrees(setting, clue):
            return most
        return min(most, sum(self._left_open(setting, own) for own in clue.observations))

    def _left_open(self, setting: Setting, own: Observation) -> float:
        """The bits that an answer says beyond what a setting leaves open and the profile does not.

        If the profile is sought, it has nothing ahead of other settings.
        """
        is_held_to = self.clues.is_held_to
        if is_held_to and not setting.dials:
            return 0.0
        turned = self.predictions.resolved(setting, own).turned(own.dials)
        before = left_open(own.dials, own) if is_held_to else 0.0
        return max(0.0, left_open(turned, own) - before)

    def _price(self, setting: Setting) -> float:
        return price(setting, is_held_to=self.clues.is_held_to)

    def total(self, setting: Setting) -> float:
        """Return the bits of a setting and of the answers that are looked at under it."""
        wrong = sum(self.loss(setting, own) for own in self.wrong())
        against = sum(self.is_against(setting, own) for own in self.right())
        return wrong + RIGHT * against + self._price(setting)

    def left(self, setting: Setting) -> float:
        """Return the bits of the wrong answers of which a setting says something else."""
        wrong = (own for own in self.clues.wrong if self.agrees(setting, own) is False)
        return sum(self.loss(setting, own) for own in wrong)

    def is_against(self, setting: Setting, clue: Clue) -> bool:
        """Return whether a right answer is not as a setting has it, and would be without."""
        return self.agrees(setting, clue) is False and self.agrees(self.known, clue) is True

    def new(self, setting: Setting) -> list[Setting]:
        """Return the parts of a setting that are not given."""
        return [part for part in setting.parts if part not in self.known.parts]

    def right(self) -> list[Clue]:
        """Return the right answers that are looked at."""
        return self.clues.right[: min(self._window, MOST_RIGHT)]

    def wrong(self) -> list[Clue]:
        """Return the wrong answers that are looked at."""
        return self.clues.wrong[: self._window]

    def parted(self, setting: Setting) -> tuple[list[Clue], list[Clue]]:
        """Return the wrong answers that a setting leaves, and those that it explains."""
        left: list[Clue] = []
        explained: list[Clue] = []
        for clue in self.wrong():
            (explained if self.agrees(setting, clue) else left).append(clue)
        return left, explained

    # --- the search --------------------------------------------------------------------------

    def improve(self, budget: int) -> Setting:
        """Return the best setting that a number of predictions finds; it can be called again."""
        self.allow(self.predictions.asked + budget)
        while not self.is_over:
            better = self._step()
            if better is not None:
                self.best, self._spent = better, 0
                self._tried.clear()
            elif self.is_over or self._is_whole:
                break
            else:
                self._window *= 2
                self._refused.clear()
        return self.best

    def consider(self, setting: Setting, budget: int) -> None:
        """Take up a setting found elsewhere, alone or beside the best, if it takes fewer bits.

        Args:
            setting: the setting.
            budget: how many predictions may be asked.
        """
        self.allow(self.predictions.asked + budget)
        for other in (self.known | setting, self.best | setting):
            said = self.total(other), self.total(self.best)
            if not self.is_over and said[0] < said[1] - EQUAL:
                self.best, self._spent = other, 0
                self._look_again()

    def suspect(self, parts: Iterable[Setting], budget: int) -> None:
        """Take up parts found in a part of the evidence that save bits beside the best setting.

        All answers are looked at: few of them may show such a part, and the search may end before
        it reaches these.

        Args:
            parts: the parts.
            budget: how many predictions may be asked.
        """
        self.allow(self.predictions.asked + budget)
        window, self._window = self._window, len(self.clues.wrong)
        for part in parts:
            if part not in self.best.parts and self.saves(self.best | part, part) > EQUAL:
                if self.is_over:
                    break
                self.best, self._spent = self.best | part, 0
        self._window = window
        self._look_again()

    def allow(self, ends: int) -> None:
        """Let so many predictions be asked in all, by whoever goes on with what was found."""
        self._ends = ends

    def add(self, property_name: str, answered: Sequence[Observation], *, correct: bool) -> None:
        """Add answers that the diagnosis has asked for; settings lost without them may win now.

        Args:
            property_name: the property for which they were asked.
            answered: the answers.
            correct: whether they are right.
        """
        self.clues.add(property_name, answered, correct=correct)
        self._look_again()

    def look_first(self, mutants: frozenset[str], each: int) -> None:
        """Look first at right answers in whose cases some mutants show.

        Only a part of all right answers is looked at. Once the budget is spent the others stay
        where they are.

        Args:
            mutants: the names of the mutants.
            each: how many such answers are enough for each of them.
        """
        clues, left = self.clues, Counter(dict.fromkeys(mutants, each))
        first: dict[Clue, None] = {}
        for clue in clues.right[: clues.judged]:
            among = frozenset(+left)
            if self.is_over or not among:
                break
            shown = self.predictions.shown
            found = [name for own in clue.observations for name in shown(self.known, own, among)]
            if found:
                first[clue] = None
                left.subtract(found)
        clues.right[:] = [*first, *(clue for clue in clues.right if clue not in first)]

    def _look_again(self) -> None:
        """Try each setting on each wrong answer once more."""
        self._refused.clear()
        self._tried.clear()

    @property
    def is_over(self) -> bool:
        """Whether the budget is spent, or the time up."""
        return self.predictions.asked >= self._ends or time.monotonic() >= self._until

    @property
    def _is_whole(self) -> bool:
        return self._window >= len(self.clues.wrong)

    def _is_in_vain(self, at_stake: float) -> bool:
        return self._spent > IN_VAIN * at_stake

    def _step(self) -> Setting | None:
        """A setting that is better than the best; None if none is found."""
        best = self.best
        self._among = frozenset(best.mutants)
        left, _ = self.parted(best)
        at_stake = sum(self.loss(best, clue) for clue in left)
        for effort in self._efforts():
            # If the profile is sought, a part in place of another one may be had for less.
            if at_stake < effort * (CHEAPEST if self.clues.is_held_to else CHEAPEST / PAIRS):
                break
            for clue in left:
                if self.is_over or self._is_in_vain(at_stake * (effort + 1)):
                    break
                if self._tried[clue] <= effort:
                    before = self.predictions.asked
                    found = self._explaining(clue, effort, at_stake)
                    if found is not None:
                        return found
                    self._spent += self.predictions.asked - before
                    self._tried[clue] = effort + 1
        for part in self.new(best):
            if not self.is_over and self.saves(best, part) <= -EQUAL:
                self._refused.add((best.without(part), best))
                return best.without(part)
        return None

    def _efforts(self) -> range:
        """How hard is tried: a profile is sought among so many dials that pairs are too many."""
        if not self._is_whole:
            return range(DEAR)
        return range(PAIRS + 1 if self.clues.is_held_to else PAIRS)

    def _explaining(self, clue: Clue, effort: int, at_stake: float) -> Setting | None:
        """A better setting that predicts a wrong answer, by a cheap part, a dear one or by two."""
        best = self.best
        if effort == PAIRS:
            ends = min(self._ends, self.predictions.asked + int(IN_VAIN * at_stake))
            able = [
                *grown(
                    best,
                    lambda own: (part for part in self._parts(own, clue) if not is_dear(part)),
                    lambda own: bool(self.agrees(own, clue)),
                    lambda: self.predictions.asked >= ends,
                    most=PAIRS,
                )
            ]
        else:
            able = [
                best | part
                for part in self._parts(best, clue)
                if is_dear(part) is (effort == DEAR) and not self.is_over
                if self.agrees(best | part, clue)
            ]
            if effort == DEAR:
                able += self._by_shape(clue)
                able += self._instead(clue)
        return self._race(self._exchanged(able), clue) if able else None

    def saves(self, setting: Setting, part: Setting) -> float:
        """Return how many bits a part of a setting saves beside the others."""
        others = setting.without(part)
        left, explained = self.parted(setting)
        saved = sum(self.loss(others, own) - self.loss(setting, own) for own in (*explained, *left))
        against = [own for own in self.right() if self.is_against(setting, own)]
        saved -= sum(RIGHT for own in against if not self.is_against(others, own))
        return saved - self._price(part)

    # --- what may be turned ------------------------------------------------------------------

    def _parts(self, setting: Setting, clue: Clue) -> Iterator[Setting]:
        """The parts that may change what a setting makes of a wrong answer; none at the end."""
        if self.is_over:
            return
        showing = (self.predictions.mending(setting, own) for own in clue.observations)
        for name in sorted(frozenset[str]().union(*showing).difference(setting.mutants)):
            part = Setting(mutants=(name,))
            if not (self.clues.has_rows and is_mute(part)):
                yield part
        if not clue.speaks and self.clues.is_held_to:
            return  # A dial may make any silence right.
        first = clue.observations[0]
        own = first.dials
        turned = self.predictions.resolved(setting, first).turned(own)
        for dial, value in dict.fromkeys(settings(first.stimulus.case, turned)):
            if value not in (own.text(dial), turned.text(dial)):
                yield Setting.of({dial: value})

    def _by_shape(self, clue: Clue) -> Iterator[Setting]:
        """The best setting with a dial turned for queries of one shape, if that predicts an answer.

        A run is checked against a profile that has its shapes; they are sought with the profile.
        """
        if self.clues.is_held_to:
            return
        shapes = self.predictions.shapes(clue.observations[0])
        for part in self._parts(self.best, clue):
            if part.dials and not part.forgives and self.agrees(self.best | part, clue):
                turned = part.dials[0]
                yield from (
                    self.best | Setting(by_shape=((*turned, own),)) for own in sorted(shapes)
                )

    def _instead(self, clue: Clue) -> Iterator[Setting]:
        """The best setting with another part in place of one, if that predicts a wrong answer."""
        for part in self.new(self.best):
            others = self.best.without(part)
            for rival in self._parts(others, clue):
                if rival == part or is_dear(rival) or self.is_over:
                    continue
                if self.agrees(others | rival, clue):
                    yield others | rival

    def _exchanged(self, able: Iterable[Setting]) -> list[Setting]:
        """Settings, and each in place of a part whose own first answer it explains as well."""
        found: dict[Setting, None] = {}
        for one in able:
            found[one] = None
            for part in self.new(self.best):
                witness = self._witness.get(part)
                if witness is not None and self.agrees(one.without(part), witness):
                    found[one.without(part)] = None
        return [*found]

    # --- a race ------------------------------------------------------------------------------

    def _race(self, rivals: Sequence[Setting], clue: Clue) -> Setting | None:
        """The one of several settings that takes the fewest bits, if it is better than the best."""
        best = self.best
        rivals = [own for own in rivals if (best, own) not in self._refused and own != best]
        saved = self._heats(rivals) if rivals else None
        if not saved:
            return None
        winner = next(iter(saved))
        self.uncertain |= {(best, own) for own, bits in saved.items() if -SURE < bits <= 0}
        if saved[winner] <= EQUAL:  # Of two that say as much the best stays.
            self._refused |= {(best, own) for own in rivals}
            return None
        self._refused.add((winner, best))
        said = {own: bits + self._price(own) for own, bits in saved.items()}
        equal = [own for own in saved if own != winner and abs(said[own] - said[winner]) < EQUAL]
        for part in self._more(winner):
            self._witness[part] = clue
            self.rivals[part] = tuple(p for own in equal for p in own.without(winner).parts)
        return winner

    def _more(self, setting: Setting) -> tuple[Setting, ...]:
        return tuple(part for part in setting.parts if part not in self.best.parts)

    def starts(self, settings: Iterable[Setting], keep: int) -> list[Setting]:
        """Return the settings from which to begin, at least so many, those of fewest bits first.

        They race over the first `FIRST` answers.
        """
        settings, window = [*dict.fromkeys(settings)], self._window
        self._window = min(FIRST, window)
        found = self._heats(settings, keep) or settings
        self._window = window
        return [*found]

    def _heats(self, rivals: Sequence[Setting], keep: int = 0) -> dict[Setting, float] | None:
        """The bits that rivals save against the best, the most first; None if the budget is spent.

        Args:
            rivals: the settings.
            keep: at least so many run to the end, however far behind they are.
        """
        best, at, size = self.best, 0, HEAT
        track = self._track()
        saved = {own: self._price(best) - self._price(own) for own in rivals}
        lost: dict[Setting, float] = {}
        while at < len(track):
            heat = track[at : at + max(FEW // 2, size // len(saved))]
            at, size = at + len(heat), min(2 * size, 2 * FIRST)
            self._among = frozenset(name for own in saved for name in own.mutants)
            for clue, loss in heat:
                before = loss(best, clue)
                for own in saved:
                    saved[own] += before - loss(own, clue)
            if self.is_over:
                return None
            ranked = sorted(
                saved, key=lambda own: (-saved[own], len(own), len(own.dials), str(own))
            )
            if keep:
                most = max(keep, len(ranked) // FEW)
                saved = {own: saved[own] for own in ranked[:most]}
                continue
            first, *others = (saved[own] for own in ranked)
            if first < -SURE:
                saved = {own: saved[own] for own in ranked}
                break
            if first - max([0.0, *others]) > SURE:
                leader = ranked.pop(0)
                saved[leader] += self._rest(leader, first, track[at:])
                if self.is_over:
                    return None
                if saved[leader] > EQUAL or not ranked:
                    saved = {own: saved[own] for own in (leader, *ranked)}
                    break
                lost[leader] = saved.pop(leader)
                continue
            half = ranked if len(ranked) <= FEW else ranked[: (len(ranked) + 1) // 2]
            least = max(first - SURE, saved[half[-1]])
            saved = {own: saved[own] for own in ranked if saved[own] >= least}
        self._among = frozenset(best.mutants)
        return saved | lost

    def _rest(self, leader: Setting, ahead: float, track: _Track) -> float:
        """The bits that the leader of a race saves on the rest of the track, alone.

        It stops as soon as it has lost its lead, and a clear lead besides.
        """
        saved = 0.0
        for clue, loss in track:
            saved += loss(self.best, clue) - loss(leader, clue)
            if saved < -ahead - SURE:
                break
        return saved

    def _track(self) -> _Track:
        """The clues over which settings race: answers left, right and explained ones by turns."""
        left, explained = self.parted(self.best)
        right = [own for own in self.right() if not self.is_against(self.best, own)]
        groups = ((left, self.loss), (right, self._loss_of_right), (explained, self.loss))
        longest = max(len(clues) for clues, _ in groups)
        return [
            (clues[at], loss) for at in range(longest) for clues, loss in groups if at < len(clues)
        ]

    def _loss_of_right(self, setting: Setting, clue: Clue) -> float:
        return RIGHT if self.is_against(setting, clue) else 0.0


def grown(
    begin: Setting,
    parts: Callable[[Setting], Iterable[Setting]],
    agrees: Callable[[Setting], bool],
    is_over: Callable[[], bool],
    *,
    most: int,
) -> Iterator[Setting]:
    """Yield settings that predict an answer, grown part by part; those of fewer parts come first.

    A setting that holds one that was yielded is left out.

    Args:
        begin: the setting to begin with, which does not predict it.
        parts: returns the parts that may be added to a setting.
        agrees: returns whether a setting predicts the answer.
        is_over: returns whether to stop.
        most: how many parts may be added.
    """
    seen, smaller, found = {begin}, [begin], list[frozenset[Setting]]()
    for _ in range(most):
        larger: list[Setting] = []
        for setting in smaller:
            for part in parts(setting):
                more = setting | part
                if more in seen or any(own.issubset(more.parts) for own in found):
                    continue
                if is_over():
                    return
                seen.add(more)
                if agrees(more):
                    found.append(frozenset(more.parts))
                    yield more
                else:
                    larger.append(more)
        smaller = larger
