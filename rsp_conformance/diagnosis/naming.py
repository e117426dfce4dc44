"""From what a run has seen to the causes that are named: a name is a promise.

An engine's developer will look for what is named, so a part of the setting that says the answers
best (`search`) is named only if

- it explains at least half of the wrong answers on which its prediction differs from that without
  it; what it leaves of them does not concern it or speaks against it, and which it is nobody
  knows (an engine that keeps its last batch back was given "late-by-slide: explains 47 of 96");
- no right answer contradicts it. There are two exceptions. If some failures of the run are
  unstable, the engine is asked such a case again, and a right answer does not count if another one
  is wrong. If answers are left that nothing predicts, one may contradict a part for every
  `CONTRADICTED` that it explains, since the bug behind them may make up for this one;
- it was compared with a right answer. Only if the run has none does it do without, and then it has
  to leave no wrong answer unexplained, beside the other parts; its evidence says so.

Failures that no named part explains come last, by fingerprint.

**What was tried.** If a bug has no mutant, its neighbours must not be named (`python -m
tools.evidence --without-truth`). Three stricter rules were tried against that, and each lost true
names:

- A part had to explain three quarters of what it bears on. `incomparable-unequal` of CQELS explains
  42 of 76: other bugs spoil the rest, of which 13 are nearer to the prediction with it and none to
  that without it.
- A wrong answer that is nearer to the prediction without the part counted as a right answer that
  contradicts it. C-SPARQL would lose `shared-window-parameters`: it explains 148, and 7 would
  contradict it.
- Each such answer was weighed in bits, against four that the part explains. An engine that ignores
  ISTREAM was no longer said to have ``r2s=elements`` (15 and 5). But a run of rsp-rs lost
  `dstream-ignored` (24 and 8) and with it `each-window-alone`, and left 125 answers unexplained in
  place of 92.

Near ties are not told as alternatives, only exact ones are. In seven recorded runs three rivals
were less than `search.SURE` bits behind when their race ended. Over all answers two of them, rivals
of `wrong-instance` of rsp-rs, lose at least 14 of the 32 that it explains, and 4 and 5 right
answers contradict them; a right answer contradicts the third.

The other wrong names are parts of the true bug, which hardly any answer contradicts: an engine that
ignores LIMIT is said to ignore OFFSET.

Of the numbers below, `MOST_QUESTIONS`, `MOST_TRIED`, `MOST_BY_CHANCE` and `MOST_ALTERNATIVES` were
chosen, and not tuned.

If the engine can be asked, fresh cases are drawn on which the setting differs from what nothing has
told from it, or from what came close; they are clues as all others. If a part explains less than
`SUPPORTED` answers, more right answers of the run are looked at in which it shows, and the engine
is asked cases on which it matters: two answers of C-SPARQL looked as if it ignored an empty
SEPARATOR, and among the right ones that are looked at in any case none had one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from operator import or_
from typing import Final

from rsp_conformance.diagnosis.cause import SUPPORTED, Cause, text_of
from rsp_conformance.diagnosis.clues import Clue, Clues
from rsp_conformance.diagnosis.evidence import Evidence
from rsp_conformance.diagnosis.fingerprint import unexplained
from rsp_conformance.diagnosis.fresh import Fresh
from rsp_conformance.diagnosis.mutants import is_mute
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.search import MOST_RIGHT, NOTHING, Search
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.setting import Setting

BUDGET: Final = 20_000
"""Predictions, unless another budget is given: of the recorded runs the largest name no more with
twice as many."""
GROWING: Final = 0.8
"""The part of the budget that the search may take; a quarter of the rest is for checking parts
that explain few answers, the others for counting what it names. It may take as much again for what
was found before in fewer answers, after a search that begins with nothing: in a run of rsp-js two
parts that had been taken early led nowhere with 60,000 predictions, where 20,000 find eight parts
from nothing."""
MOST_QUESTIONS: Final = 8
"""Fresh cases tell at most so many pairs of settings apart."""
PER_COUNTED: Final = 3
"""Counting an answer takes up to so many predictions: with a part, without it, and beside it."""
CONTRADICTED: Final = 20
"""So many wrong answers a part explains for each right one that it contradicts, as long as answers
are left that nothing predicts: `newest-only` explains 169 of RoXi's answers and contradicts 7,
which other bugs make right. With 50, which fits rsp-js (341 and 4), RoXi's run ended without a
name. With 20 the quick evidence names the same, and without the true mutants nothing wrong."""
MOST_TRIED: Final = 4
"""Once enough answers of a part are counted, at most so many more of each property are asked
whether it shows there, too. With all of them the last of seven parts of a run of YASPER, its
broadest bug, was not counted any more, and so not named."""
MOST_BY_CHANCE: Final = 3
"""Of right answers that contradict a part at most so many may be so by chance: each is asked again,
and more of them speak against it in any case."""
MOST_ALTERNATIVES: Final = 4
"""So many settings that are as likely are named together at most."""


def find_causes(
    evidence: Evidence,
    subject: EngineUnderTest | None = None,
    *,
    budget: int = BUDGET,
    questions: int = MOST_QUESTIONS,
    known: Setting = NOTHING,
    before: Iterable[Cause] = (),
    suspected: Iterable[Setting] = (),
    predictions: Predictions | None = None,
) -> tuple[Cause, ...]:
    """Return the causes behind what a run has seen, those of most properties first.

    Args:
        evidence: what the run has seen.
        subject: the engine, if it can be asked fresh cases.
        budget: how many predictions may be asked.
        questions: how many settings may be told apart by fresh cases.
        known: what is known to be wrong with the engine; it is not named again.
        before: causes that were found in a part of the evidence. They are taken up if they say all
            of it in fewer bits than what a search finds that begins with nothing.
        suspected: parts that a search of a part of the evidence has found, the likeliest first.
            Each is taken up if it saves bits; the search may not reach them all by itself.
        predictions: what was predicted before.

    Returns:
        Answers of a wrong form, then the causes that are explained, then those that nothing
        explains, by fingerprint.
    """
    predictions = predictions or Predictions()
    clues = Clues(evidence, predictions)
    begun = {
        own.setting: own
        for own in before
        if own.is_explained and not (is_mute(own.setting) and clues.has_rows)
    }
    search = Search(clues, predictions, known)
    ends, kept = predictions.asked + budget, int((1 - GROWING) * budget)
    searching, checking = ends - kept, kept // 8
    search.improve(budget - 2 * kept)
    if begun:
        search.rivals.update((part, own.alternatives) for part, own in begun.items())
        search.consider(reduce(or_, begun), kept)
    search.suspect(suspected, min(kept, searching - predictions.asked))
    search.improve(searching - predictions.asked)
    fresh = None if subject is None else Fresh(subject, predictions)
    if fresh is not None:
        _ask(search, fresh, searching, questions)
    _check_hardly_supported(search, fresh, searching, checking, questions)
    naming = _Naming(search, ends - min(kept // 2, PER_COUNTED * len(clues.shrunk)), fresh)
    explained = [_with_earlier(own, begun) for own in naming.causes()]
    named = {own.setting for own in explained}
    explained += [
        own
        for part, own in begun.items()
        if part not in named
        and (part in naming.uncounted or (clues.is_sampled and naming.is_unseen(part)))
    ]
    explained.sort(key=lambda cause: (-len(cause.properties), -cause.explains, cause.id))
    whole = reduce(or_, (own.setting for own in explained), known)
    search.allow(ends)
    solved = {own.symptom for own in clues.shrunk if search.agrees(whole, own)}
    of_wrong_form = [own for own in evidence.symptoms if own.wrong_form]
    solved.update(of_wrong_form)
    groups = [*unexplained(own for own in evidence.symptoms if own not in solved)]
    # A failure was not made small if its cause was known when it came.
    shrunk = [cause for cause in groups if cause.file]
    return (*unexplained(of_wrong_form), *explained, *(shrunk or groups))


def _with_earlier(cause: Cause, before: Mapping[Setting, Cause]) -> Cause:
    """Give a cause the counts of an earlier look, if more answers were explained then."""
    own = before.get(cause.setting)
    if own is None or own.explains <= cause.explains:
        return cause
    return replace(cause, explains=own.explains, open=own.open)


def _ask(search: Search, fresh: Fresh, ends: int, questions: int) -> None:
    """Ask the engine what tells the best setting from those in doubt, until nothing more is."""
    asked: set[tuple[Setting, Setting]] = set()
    while len(asked) < questions and search.predictions.asked < ends:
        pair = next((own for own in _in_doubt(search) if own not in asked), None)
        if pair is None:
            return
        asked.add(pair)
        if _tell_apart(search, fresh, pair[1], ends):
            search.improve(ends - search.predictions.asked)


def _tell_apart(search: Search, fresh: Fresh, other: Setting, ends: int) -> bool:
    """Ask the engine what tells the best setting from another one, and take it for clues.

    Returns:
        Whether it answered anything.
    """
    best, predictions = search.best, search.predictions
    seen_in = [clue.property_name for clue in search.wrong() if search.agrees(other, clue)]
    properties = sorted({*seen_in}, key=lambda name: -seen_in.count(name))[:2]
    near = [o.stimulus.case for clue in _told_apart(search, other) for o in clue.observations]
    budget = max(0, ends - predictions.asked) // MOST_QUESTIONS + 1
    found = fresh.answers(best, other, properties, budget, near)
    for correct in (True, False):
        own = [o for o in found if predictions.agrees(search.known, o) is correct]
        search.add(properties[0] if properties else "", own, correct=correct)
    return bool(found)


def _check_hardly_supported(
    search: Search, fresh: Fresh | None, grown: int, budget: int, questions: int
) -> None:
    """Look for what speaks against parts that explain few answers.

    First more right answers of the run are looked at, those in whose cases such a part shows; then
    the engine is asked. The search may have taken all that it may, so both have a budget of theirs.

    Args:
        search: gets the clues.
        fresh: asks the engine, if it can be asked.
        grown: so many predictions may be asked before.
        budget: so many more may be asked for each of the two.
        questions: the most parts for which the engine is asked.
    """
    search.allow(grown + budget)
    if not (rare := _hardly_supported(search)):
        return
    search.look_first(frozenset(name for part in rare for name in part.mutants), SUPPORTED)
    if fresh is not None:
        search.allow(grown + 2 * budget)
        for part in _hardly_supported(search)[:questions]:
            _tell_apart(search, fresh, search.best.without(part), grown + 2 * budget)
    search.improve(grown + 2 * budget - search.predictions.asked)


def _in_doubt(search: Search) -> Iterator[tuple[Setting, Setting]]:
    """The best setting, and others that came close or that nothing tells from it."""
    best = search.best
    for part in search.new(best):
        for rival in search.rivals.get(part, ()):
            yield best, best.without(part) | rival
    yield from sorted((own for own in search.uncertain if own[0] == best), key=str)


def _hardly_supported(search: Search) -> list[Setting]:
    """The parts of the best setting that explain few answers."""
    best = search.best
    return [p for p in search.new(best) if len(_told_apart(search, best.without(p))) < SUPPORTED]


def _told_apart(search: Search, other: Setting) -> list[Clue]:
    """Up to `SUPPORTED` wrong answers that are as the best setting has them, and not another."""
    found = (
        clue
        for clue in search.wrong()
        if search.agrees(search.best, clue) and search.agrees(other, clue) is False
    )
    return [*islice(found, SUPPORTED)]


@dataclass(frozen=True, slots=True)
class _Counted:
    """What is counted of a part.

    Attributes:
        explained: the wrong answers that are predicted with it, and not without, ...
        asked: ... of so many that were looked at.
        left: how many of these nothing predicts, ...
        open: ... and on how many of them it bears.
        missed: on how many wrong answers to fresh cases it bears that nothing predicts.
        against: how many right answers are predicted without it, and not with it.
        passing: how many right answers it was compared with.
    """

    explained: list[Clue]
    asked: int
    left: int
    open: int
    missed: int
    against: int
    passing: int

    @property
    def explains(self) -> int:
        """How many answers of the run are explained; of two engines only small ones are judged."""
        return sum(clue.is_counted for clue in self.explained) or len(self.explained)

    def is_promise_kept(self, clues: Clues) -> bool:
        """Return whether the part may be named."""
        fresh = sum(clue.is_fresh for clue in self.explained)
        if not self.explained or self.explains + fresh < self.open + self.missed:
            return False
        if not self.passing and (clues.right or self.left):
            return False
        # What is behind the answers that nothing predicts may make up for a part.
        most = self.explains // CONTRADICTED if self.left else 0
        return self.against <= most


class _Naming:
    """The causes of a setting that was found, counted as far as the budget reaches.

    Attributes:
        uncounted: the parts of the setting that it did not reach.
    """

    def __init__(self, search: Search, ends: int, fresh: Fresh | None) -> None:
        search.allow(ends)
        self._ends = ends
        self.uncounted: frozenset[Setting] = frozenset()
        self._search = search
        self._fresh = fresh
        self._again: set[Clue] = set()
        self._left = max(0, ends - search.predictions.asked)

    def causes(self) -> list[Cause]:
        """Return the parts that keep the promise, beside all others and beside each other."""
        search = self._search
        found, counted = self._kept(search.best)
        self.uncounted = frozenset(own for own in search.new(search.best) if own not in counted)
        if found != search.best:
            again, recounted = self._kept(found)
            if not search.is_over:
                found, counted = again, recounted
        return [self._cause(part, counted[part], found) for part in search.new(found)]

    def is_unseen(self, part: Setting) -> bool:
        """Whether none of the answers that are looked at says anything of a part."""
        own = self._counted(part, self._search.best | part)
        return not (self._search.is_over or own.explained or own.open or own.against)

    def _kept(self, found: Setting) -> tuple[Setting, dict[Setting, _Counted]]:
        """The parts of a setting that keep the promise, and what was counted of all.

        Each has a share of the budget: a part that explains few answers is looked for in all of
        them, and took it from `newest-only` of rsp-js, which explains most.
        """
        search, counted, parts = self._search, dict[Setting, _Counted](), self._search.new(found)
        for right in search.right():  # All parts are compared with these.
            search.agrees(found, right)
        for number, part in enumerate(parts):
            spent = search.predictions.asked
            share = max(0, self._ends - spent) // (len(parts) - number)
            search.allow(spent + share)
            own = self._counted(part, found)
            if own.explained or not search.is_over:  # Else nothing was counted of it.
                counted[part] = own
        search.allow(self._ends)
        broken = [
            part
            for part in search.new(found)
            if part not in counted or not counted[part].is_promise_kept(search.clues)
        ]
        return reduce(Setting.without, broken, found), counted

    def _counted(self, part: Setting, found: Setting) -> _Counted:
        search, others = self._search, found.without(part)
        most = max(1, min(MOST_RIGHT, self._left // (PER_COUNTED * len(search.new(found)))))
        held = [own for own in search.right() if search.agrees(search.known, own) is True]
        contradicting = [
            own
            for own in held
            if search.agrees(found, own) is False and search.agrees(others, own) is True
        ]
        if contradicting and len(contradicting) <= MOST_BY_CHANCE:
            contradicting = [own for own in contradicting if not self._is_by_chance(own)]
        explained: list[Clue] = []
        asked = left = open = missed = 0
        names: set[str] = set()
        tried = Counter[str]()
        for clue in search.wrong():
            is_whole = len(explained) + open >= most
            name = clue.property_name
            if search.is_over or (is_whole and (name in names or tried[name] >= MOST_TRIED)):
                continue  # Some of each property are looked at all the same.
            tried[name] += is_whole
            agrees = search.agrees(found, clue)
            if agrees and search.agrees(others, clue) is False:
                names.add(name)
                explained.append(clue)
            elif not agrees and not is_whole:
                left += 1
                # A dial that only compares less strictly bears on whatever it does not make right.
                bears = part.forgives or self._bears(found, others, clue)
                open += clue.is_counted and bears
                missed += clue.is_fresh and bears
            asked += clue.is_counted and not is_whole
        against = len(contradicting)
        passing = sum(search.agrees(found, own) is not None for own in held)
        return _Counted(explained, asked, left, open, missed, against, passing)

    def _is_by_chance(self, clue: Clue) -> bool:
        """Whether an engine that can be asked answers a case rightly in some runs only.

        A run without an answer says nothing.
        """
        clues, agrees = self._search.clues, self._search.predictions.agrees
        if not clues.by_chance:
            return False
        if self._fresh is not None and clue not in self._again:
            self._again.add(clue)
            again = [own for stimulus in clue.stimuli for own in self._fresh.again(stimulus)]
            wrong = (o for o in again if o.is_answered and agrees(self._search.known, o) is False)
            clues.unsteady.update(own.stimulus for own in wrong)
        return not clues.unsteady.isdisjoint(clue.stimuli)

    def _bears(self, found: Setting, others: Setting, clue: Clue) -> bool:
        """Whether two settings predict different answers to the case of a clue."""
        nearer = self._search.predictions.nearer
        return any(nearer(found, others, own) is not None for own in clue.observations)

    def _cause(self, part: Setting, own: _Counted, found: Setting) -> Cause:
        search, clues = self._search, self._search.clues
        smallest = min(own.explained, key=lambda clue: self._illustrates(part, clue))
        names = [
            name
            for clue in own.explained
            for name in (clue.property_name, *clues.failing.get(clue.stimuli, ()))
        ]
        alternatives = tuple(self._alternatives(part, own, found))
        unjudged = [
            clue for clue in search.right()[clues.judged :] if search.agrees(search.known, clue)
        ]
        return Cause(
            id=str(part),
            setting=part,
            alternatives=alternatives,
            properties=tuple(dict.fromkeys(names)),
            explains=own.explains,
            open=own.open,
            contradicts=own.against,
            passing=own.passing,
            asked=max(own.asked, own.explains),
            wrong=clues.all_wrong,
            right=clues.all_right + len(unjudged),
            file=smallest.symptom.file if smallest.symptom else "",
            elements=smallest.size[0],
            text=text_of(part, *alternatives),
        )

    def _alternatives(self, part: Setting, own: _Counted, found: Setting) -> Iterator[Setting]:
        """The rivals of a part that are as likely.

        They predict what it explains, and no right answer tells them from it. Of the other wrong
        answers they may predict some that it doesn't.
        """
        search, named = self._search, 0
        for rival in search.rivals.get(part, ()):
            instead = found.without(part) | rival
            if search.is_over or named == MOST_ALTERNATIVES:
                return
            if all(search.agrees(instead, clue) for clue in own.explained) and not any(
                search.agrees(instead, clue) is False and search.agrees(found, clue) is True
                for clue in search.right()
            ):
                named += 1
                yield rival

    def _illustrates(self, part: Setting, clue: Clue) -> tuple[bool, bool, bool, tuple[int, int]]:
        """How well a clue shows a part, the best first: made small, without others, stable."""
        search = self._search
        is_unsteady = not search.clues.unsteady.isdisjoint(clue.stimuli)
        if clue.symptom is None or not clue.symptom.file:
            return True, False, is_unsteady, clue.size
        is_alone = search.agrees(search.known | part, clue) is True
        return False, not is_alone, is_unsteady, clue.size
