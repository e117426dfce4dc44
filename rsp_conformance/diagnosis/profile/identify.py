"""The profile of an engine: ask cases, search the setting, ask what tells rivals apart, repeat.

**What is sought.** The values of all dials, and the bugs besides, that explain the engine's
answers.

**How.** The search is that for causes (`diagnosis.search`), with two differences: no answer is
right or wrong, since the profile that would say so is sought; and a dial may be turned for queries
of one shape. It is greedy, and all dials together decide an answer. So it begins from several
settings of the dials that decide when an answer comes and over which data: those under which the
answers take the fewest bits, each with another start of its windows. Then it asks the engine fresh
cases on which the setting differs from a rival that too few cases refute, and searches again.

**What it guarantees.** `Identification.complete` says whether the search came to its end. It counts
predictions, so the same answers give the same profile on every machine, unless a time limit is set.

**What it costs.** The bundled profiles take a third of `BUDGET` at most, with what is said of each
dial (`findings`), for which a part of the budget is kept as for naming causes.

**What was tried.** A search of its own, with weights and eleven constants; measuring in bits
replaced it. Each rival was sought in each round, with a run of `reference` for each rival and case:
under plain RSP-QL a round took 18 s of processor time, as long as the search. It takes 6 s now.
The numbers below were chosen, and not tuned: with them all bundled profiles are found again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from math import inf

from rsp_conformance.diagnosis.clues import Clues
from rsp_conformance.diagnosis.naming import GROWING
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.price import CHEAPEST
from rsp_conformance.diagnosis.profile.experiments import QueryForm, designed
from rsp_conformance.diagnosis.profile.values import VALUES, coarse
from rsp_conformance.diagnosis.reference import reference_answers
from rsp_conformance.diagnosis.search import ENOUGH, NOTHING, Search
from rsp_conformance.diagnosis.simulation import BEYOND, differ
from rsp_conformance.files.profiles import bundled_profile, profile_names
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.vacuity import is_vacuous
from rsp_conformance.limits import limited
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import MANNERS, Dials
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.strategies import applicable, some_cases
from rsp_conformance.text.languages import LANGUAGES

FOCI = (
    *("windows", "report", "gaps", "silence", "contemporaneous", "duplicates", "join"),
    *("count-windows", "now-window"),
    *("multi-window", "same-stream-windows", "aggregates", "values-literals"),
    *("rstream", "istream", "dstream", "named-graphs", "static", "filter", "any"),
)
"""The foci of the random cases."""
RANDOM = 12
"""The number of random cases of a focus: those that are asked whatever they tell apart, and those
among which cases that tell rivals apart are looked for."""
ROUNDS = 3
"""How often rivals are distinguished and the setting is searched again."""
FAIR = 0.75
"""A setting that explains a smaller share of the answers contradicts nothing, nor does a value that
a smaller share of the answers supports which tell it from a rival."""
FINALISTS = 5
"""The number of settings that are improved, each with another start of its windows."""
KEPT = 40
"""The number of settings that come to the end of a race over the first answers."""
BUDGET = 100_000
"""The number of predictions; the bundled profiles take a third of them at most."""


@dataclass
class Identification:
    """The result for an engine: the setting, with all that it was found from.

    Attributes:
        subject: the engine.
        start: the profile from which the setting departs.
        said: the profile that the engine declares.
        declared: the same, with the dials that no answer tells as in `start`.
        form: how the engine takes queries.
        setting: the setting that was found.
        complete: whether the time and the budget sufficed.
        is_late: whether the time did not.
        answered: the answers that the setting was found from.
        unanswered: the cases to which the engine gave no answer.
        predictions: the predictions of settings for them.
    """

    subject: EngineUnderTest
    start: Profile
    said: Profile
    declared: Profile
    form: QueryForm
    setting: Setting = NOTHING
    complete: bool = False
    is_late: bool = False
    answered: list[Observation] = field(default_factory=list)
    unanswered: list[Observation] = field(default_factory=list)
    predictions: Predictions = field(default_factory=Predictions)

    def profile(self, setting: Setting | None = None) -> Profile:
        """Return the profile that a setting is, the found one if none is given."""
        setting = self.setting if setting is None else setting
        turned = self.start.with_dials(dict(setting.dials))
        return replace(turned, overrides=(*turned.overrides, *setting.overrides))

    def add(self, observations: Iterable[Observation]) -> list[Observation]:
        """Take in observations, and return those with an answer."""
        found = []
        for own in observations:
            if own.is_answered:
                dials = self.start.dials(own.stimulus.case.query)
                found.append(replace(own, dials=dials))
            else:
                self.unanswered.append(own)
        self.answered += found
        return found

    def explained(self, setting: Setting | None = None) -> frozenset[int]:
        """Return the numbers of the answers that a setting predicts, the found one if not given."""
        setting = self.setting if setting is None else setting
        agrees = self.predictions.agrees
        return frozenset(at for at, own in enumerate(self.answered) if agrees(setting, own))

    @property
    def judged(self) -> int:
        """The number of answers for which the setting decides whether they are right.

        The texts leave some answers open, so nobody can say.
        """
        agrees, setting = self.predictions.agrees, self.setting
        return sum(agrees(setting, own) is not None for own in self.answered)

    def told(self, rival: Setting) -> tuple[list[int], list[int]]:
        """Return the answers that the setting predicts and a rival does not, and the reverse."""
        ours, theirs = self.explained(), self.explained(rival)
        return sorted(ours - theirs), sorted(theirs - ours)

    def clearly(self, rival: Setting) -> bool:
        """Return whether the setting predicts what a rival does not, far more than the reverse."""
        ours, theirs = self.told(rival)
        return len(ours) > FAIR * (len(ours) + len(theirs))

    @property
    def contradicts(self) -> bool:
        """Whether the setting may speak against the engine's declaration.

        It may if it explains most answers; if the time was up, only if it explains all.
        """
        return len(self.explained()) >= self.judged * (FAIR if self.complete else 1)

    def moves(self, dials: Iterable[str] = VALUES) -> Iterator[tuple[str, str, Setting]]:
        """Yield the setting with one of some dials turned, to each value that it has not."""
        base = self.profile().base
        for dial in dials:
            for value in VALUES[dial]:
                if value != base.text(dial):
                    yield dial, value, self._turned(dial, value)

    def as_declared(self, dials: Iterable[str] = VALUES) -> Setting:
        """Return the setting with some dials as the engine declares them, for every shape."""
        setting = self.setting
        for dial in dials:
            theirs, own = (
                (profile.base.text(dial), profile.by_shape(dial))
                for profile in (self.declared, self.start)
            )
            setting = _without(dial, setting)
            if theirs != own:
                setting |= Setting.of({dial: theirs[0]}) | Setting(by_shape=theirs[1])
        return setting

    def _turned(self, dial: str, value: str) -> Setting:
        """The setting with a dial at a value for every query, unless that is the start's value."""
        setting = _without(dial, self.setting)
        if value == self.start.base.text(dial) and not self.start.by_shape(dial):
            return setting
        return setting | Setting.of({dial: value})


def identify(
    subject: EngineUnderTest,
    declared: Profile,
    *,
    run_seed: int = 0,
    budget: int = BUDGET,
    max_time: float | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Identification:
    """Find the profile of an engine, and its bugs besides, as mutants.

    Args:
        subject: the engine; its profile is the start, which decides if nothing else does.
        declared: the profile that it declares.
        run_seed: the seed of the random cases.
        budget: how many predictions may be asked.
        max_time: the seconds after which the current result is returned, if there is a limit.
        tell: hears what is being done.

    Raises:
        BadInput: the engine answers no query at all.
    """
    deadline = time.monotonic() + (inf if max_time is None else max_time)
    tell("asking in which form it takes queries")
    form, start = _form_of(subject, declared)
    found = Identification(subject, start, declared, with_form(declared, start), form)
    tell("asking the designed cases")
    battery = designed(form, subject.features, subject.hello.features)
    plain = _ask(found, (case for case, own in battery.items() if own.plain))
    others = _ask(found, (case for case, own in battery.items() if not own.plain))
    tell("asking random cases")
    drawn = _ask(found, _drawn(found, f"{run_seed}", RANDOM))
    clues = Clues.to_explain([plain, others, drawn], found.predictions)
    search = Search(clues, found.predictions, until=deadline)
    ends = int(GROWING * budget)
    search.allow(ends)
    tell("searching the settings that explain the answers")
    bits: dict[Setting, float] = {}
    for begin in _finalists(found, search):
        search.best = begin
        search.improve(ends - found.predictions.asked)
        if search.is_over and bits:
            break
        bits.setdefault(search.best, search.total(search.best))
        if search.left(search.best) < CHEAPEST:
            break  # Another one can't be better by more than it takes to say so.
    found.setting = search.best = min(bits, key=lambda own: (bits[own], str(own)))
    in_vain: set[tuple[Setting, Setting]] = set()
    for turn in range(ROUNDS):
        if search.is_over:
            break
        tell("asking cases that tell the rivals apart")
        fresh = _ask(found, _splitting(found, search, f"{run_seed}:{turn}", in_vain))
        if not fresh:
            found.complete = not search.is_over
            break
        search.add("", fresh, correct=False)
        tell("searching the settings that explain these answers too")
        found.setting = search.improve(ends - found.predictions.asked)
        found.complete = not search.is_over and turn == ROUNDS - 1
    found.is_late = time.monotonic() >= deadline
    return found


def _finalists(found: Identification, search: Search) -> list[Setting]:
    """The settings to begin with: the best for each start of windows."""
    start = found.start
    bundled = (with_form(bundled_profile(name), start).base for name in profile_names())
    dials = [start.base, found.declared.base, *bundled, *coarse(start.base, every=found.form.every)]
    turned = (
        Setting.of({d: own.text(d) for d in VALUES if own.text(d) != start.base.text(d)})
        for own in dials
    )
    best: dict[str, Setting] = {}
    for one in search.starts(turned, KEPT):
        best.setdefault(found.profile(one).base.text("t0"), one)
    return [*best.values()][:FINALISTS]


def _without(dial: str, setting: Setting) -> Setting:
    """The setting without its values of a dial."""
    return Setting(
        tuple(own for own in setting.dials if own[0] != dial),
        setting.mutants,
        tuple(own for own in setting.by_shape if own[0] != dial),
    )


def _form_of(subject: EngineUnderTest, declared: Profile) -> tuple[QueryForm, Profile]:
    """The form of query that the engine takes, and its profile with the dials of that form."""
    hello, profile = subject.hello, subject.profile
    written = [o.value for o in StreamOperator if o.value.lower() in subject.features]
    plain = "without-plain-queries" not in hello.features
    language = LANGUAGES[hello.language].windows_in
    merged_forms = [language == "default"] if language else [False, True]
    for every in (False, True):
        for merged in merged_forms:
            form = QueryForm(merged, every, plain, tuple(written))
            taken = [o for o in ("", *written) if (o or plain) and _takes(subject, form, o)]
            if taken:
                operators = tuple(filter(None, taken))
                asked = {o[0] for o in written}
                letters = {o[0] for o in operators} | (declared.base.stream_operators - asked)
                turned = {
                    "windows_in": "default" if merged else "named",
                    "stream_operators": "".join(sorted(letters)) or "none",
                } | ({"report": "COMPUTED EVERY"} if every else {})
                return QueryForm(merged, every, plain, operators), profile.with_dials(turned)
    raise BadInput(f"{hello.engine} answers no query: rsp-conformance engines check says why")


def _takes(subject: EngineUnderTest, form: QueryForm, operator: str) -> bool:
    """Whether the engine answers a plain query in this form with this operator."""
    only = replace(form, operators=(operator,) if operator else ())
    found = designed(only, subject.features, subject.hello.features)
    asked = [c for c in found if (c.query.operator.value if c.query.operator else "") == operator]
    seen = subject.ask_many(Stimulus(case) for case in asked[:2])
    return any(one.is_answered for one in list(seen))


def with_form(profile: Profile, start: Profile) -> Profile:
    """A profile with the dials that no answer tells as the start has them."""
    dials = list(MANNERS)
    if start.base.text("report") == "COMPUTED EVERY":
        dials.append("report")
    return profile.with_dials({dial: start.base.text(dial) for dial in dials})


def _ask(found: Identification, cases: Iterable[Case]) -> list[Observation]:
    """Ask cases, keep the observations, and return those with an answer."""
    return found.add(found.subject.ask_many([Stimulus(case) for case in cases]))


def _drawn(found: Identification, run_seed: str, count: int) -> list[Case]:
    """Random cases that the engine can be asked and that show something, so many of each focus."""
    features, profile = found.subject.features | found.subject.hello.features, found.profile()
    drawn: dict[Case, None] = {}
    for focus in FOCI:
        if applicable(focus, features, profile) is not True:
            continue
        seed = f"{run_seed}:{focus}"
        own = some_cases(features, profile, focus, count, seed=seed, max_elements=8)
        drawn.update(dict.fromkeys(own))
    asked = {own.stimulus.case for own in (*found.answered, *found.unanswered)}
    return [
        case
        for case in drawn
        if case not in asked and not is_vacuous(case, profile.dials(case.query), "answers")
    ]


def _splitting(
    found: Identification, search: Search, run_seed: str, in_vain: set[tuple[Setting, Setting]]
) -> list[Case]:
    """Fresh cases on which the setting differs from a rival that too few cases tell apart from it.

    None if the budget does not reach to find out which cases tell.

    Rivals are the setting with one dial turned, to each other value and to the declared one, and
    the settings that came close in the search.

    Args:
        found: what was found so far.
        search: the search that found it.
        run_seed: the seed of the cases.
        in_vain: settings with the rivals that no drawn case tells apart from them. They are not
            sought again, and those of this round are added.
    """
    setting = found.setting
    rivals = [turned for _, _, turned in found.moves()]
    rivals += [found.as_declared([dial]) for dial in VALUES]
    rivals += sorted((own for best, own in search.uncertain if best == setting), key=str)
    for part in setting.parts:
        rivals += [setting.without(part) | own for own in search.rivals.get(part, ())]
    agrees = found.predictions.agrees
    ours = [clue.observations[0] for clue in search.clues.wrong]
    ours = [own for own in ours if agrees(setting, own)]

    def telling(rival: Setting) -> int:
        told = (own for own in ours if not agrees(rival, own))
        return sum(1 for _ in islice(told, ENOUGH))

    rivals = [own for own in rivals if own != setting and (setting, own) not in in_vain]
    missing = {own: ENOUGH - telling(own) for own in dict.fromkeys(rivals) if not search.is_over}
    if search.is_over:
        return []
    missing = {rival: count for rival, count in missing.items() if count > 0}
    left = dict(missing)
    chosen: dict[Case, None] = {}
    drawn = _drawn(found, run_seed, RANDOM) if missing else []
    for case in sorted(drawn, key=lambda c: len(c.elements)):
        for rival in [r for r in missing if tells_apart(found, r, case)]:
            chosen[case] = None
            missing[rival] -= 1
            if not missing[rival]:
                del missing[rival]
        if not missing or search.is_over:
            break
    in_vain |= {(setting, own) for own, count in missing.items() if count == left[own]}
    return list(chosen)


def tells_apart(found: Identification, rival: Setting, case: Case) -> bool:
    """Return whether a case tells a rival apart from the setting.

    If their dials differ, `reference` answers under the setting's, and the answer is wrong under
    the rival's; otherwise their mutants make a difference.
    """
    dials = found.profile().dials(case.query)
    if dials == found.profile(rival).dials(case.query):
        mine, theirs = (Setting(mutants=own.mutants) for own in (found.setting, rival))
        return differ(mine, theirs, case, dials)
    own = _by_reference(case, dials, found.start.dials(case.query))
    return own is not None and found.predictions.agrees(replace(rival, mutants=()), own) is False


@lru_cache(maxsize=1)
def _by_reference(case: Case, dials: Dials, start: Dials) -> Observation | None:
    """The answer of `reference` under some dials; it is compared with all rivals before the next.

    Args:
        case: the case.
        dials: the dials.
        start: the dials that settings turn.
    """
    try:
        with limited():
            answers = reference_answers(case, dials, next(iter(rspql_queries(case, dials))))
    except BEYOND:
        return None
    return Observation(Stimulus(case), start, "", answers)
