"""From an engine to its profile: ask designed cases, fit, ask what tells rivals apart, again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rsp_conformance.causes.prediction import BEYOND, differ
from rsp_conformance.causes.reference import reference_answers
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.vacuity import is_vacuous
from rsp_conformance.limits import limited
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import MANNERS
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.profiles import Profile, bundled_profile, profile_names
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.profiling.evidence import Candidate, Evidence
from rsp_conformance.profiling.experiments import Experiment, QueryForm, designed
from rsp_conformance.profiling.fit import Fit
from rsp_conformance.profiling.rivals import VALUES
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.strategies import applicable, some_cases
from rsp_conformance.text.languages import LANGUAGES

FOCI = (
    *("windows", "report", "gaps", "silence", "contemporaneous", "duplicates", "join"),
    *("multi-window", "same-stream-windows", "aggregates", "values-literals"),
    *("rstream", "istream", "dstream", "named-graphs", "static", "filter", "any"),
)
"""What the random cases are about."""
RANDOM = 12
"""Random cases a focus that are asked, whatever they tell apart."""
POOL = 15
"""Random cases a focus among which those are looked for that tell rivals apart."""
ENOUGH = 3
"""A rival is told apart by so many cases, if there are."""
ROUNDS = 3
"""So often rivals are told apart and the setting is sought again."""
FAIR = 0.75
"""Where dials first and mutants then explain a smaller share, mutants are tried first; a setting
that explains a smaller one contradicts nothing."""
MENDED = 3
"""For so many of the finalists overrides and mutants are sought at first, then for the best."""


@dataclass
class Identification:
    """What was found of an engine: the setting, with all that it was found from.

    ``said`` is the profile that the engine declares, ``declared`` the same with the dials that no
    answer tells as they were found (``start`` too); ``complete`` says that the time sufficed.
    """

    subject: EngineUnderTest
    start: Profile
    said: Profile
    declared: Profile
    form: QueryForm
    evidence: Evidence
    setting: Candidate
    complete: bool

    @property
    def contradicts(self) -> bool:
        """Whether what was found may speak against what the engine declares.

        So it may where it explains most, and all where the time was up.
        """
        return self.evidence.share(self.setting) >= (FAIR if self.complete else 1)


def identify(
    subject: EngineUnderTest,
    declared: Profile,
    *,
    run_seed: int = 0,
    max_time: float = 600.0,
    tell: Callable[[str], None] = lambda _: None,
) -> Identification:
    """The setting of SUBJECT, which says of itself that it is DECLARED; its profile is the start.

    After MAX_TIME seconds what is known then is given; TELL hears what is being done. Raises
    BadInput where the engine answers no query at all.
    """
    deadline = time.monotonic() + max_time
    tell("asking in which form it takes queries")
    form, start = _form_of(subject, declared)
    as_found = with_form(declared, start)
    evidence, setting = Evidence(), Candidate(start)
    found = Identification(
        subject, start, declared, as_found, form, evidence, setting, complete=False
    )
    tell("asking the designed cases")
    battery = designed(form, subject.features, subject.hello.features)
    plain = _ask(found, battery)
    fit = Fit(found.evidence, start, deadline)
    tell("searching the settings that explain the answers")
    bundled = (with_form(bundled_profile(name), start) for name in profile_names())
    settings = [Candidate(p) for p in (start, found.declared, *bundled)]
    settings += fit.coarsely(plain, every=form.every)
    finalists = [fit.descended(one) for one in fit.finalists(settings)]
    found.setting = fit.best(finalists)
    if fit.is_over:
        return found
    tell("asking random cases")
    _ask(found, _drawn(found, f"{run_seed}", RANDOM))
    for turn in range(ROUNDS):
        if fit.is_over:
            return found
        finalists = fit.finalists([*map(fit.descended, finalists), Candidate(start)])
        if found.evidence.share(finalists[0]) < 1:
            tell("searching what the dials do not explain among the known defects")
            more = [fit.with_parts(one) for one in finalists[: 1 if turn else MENDED]]
            if turn == 0 and found.evidence.share(fit.best(more)) < FAIR:
                tell("searching the dials beside a defect that spoils most answers")
                beside = fit.beside_a_mutant(settings)[:MENDED]
                more += [fit.with_parts(fit.descended(one)) for one in beside]
            finalists = fit.finalists([*more, *finalists])
        found.setting = fit.settled(finalists[0])
        if fit.is_over:
            return found
        tell("asking cases that tell the rivals apart")
        rivals = [*rivals_of(found), *finalists[1:], *fit.suspects(found.setting)]
        if not _ask(found, _splitting(found, rivals, f"{run_seed}:{turn}")):
            break
    found.setting = fit.settled(fit.best(map(fit.descended, finalists)))
    if found.evidence.share(found.setting) < 1:
        # The cases that were asked last may show what those before did not.
        found.setting = fit.settled(fit.with_parts(found.setting))
    tell("searching what known defects explain beside the dials that are declared")
    found.setting = fit.best([found.setting, fit.with_parts(Candidate(as_found))])
    found.complete = not fit.is_over
    return found


def _form_of(subject: EngineUnderTest, declared: Profile) -> tuple[QueryForm, Profile]:
    """The form of query that the engine takes, and its profile with what that decides."""
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
    """Whether the engine answers some plain query in FORM with OPERATOR."""
    only = replace(form, operators=(operator,) if operator else ())
    found = designed(only, subject.features, subject.hello.features)
    asked = [c for c in found if (c.query.operator.value if c.query.operator else "") == operator]
    seen = subject.ask_many(Stimulus(case) for case in asked[:2])
    return any(one.failure is None and one.unsupported is None for one in list(seen))


def with_form(profile: Profile, start: Profile) -> Profile:
    """PROFILE with the dials that no answer tells as START has them, which was found."""
    dials = list(MANNERS)
    if start.base.text("report") == "COMPUTED EVERY":
        dials.append("report")
    return profile.with_dials({dial: start.base.text(dial) for dial in dials})


def _ask(found: Identification, asked: Mapping[Case, Experiment] | Iterable[Case]) -> list[int]:
    """Ask cases and keep what comes; the numbers of the plain ones, of random cases of all."""
    plain = asked if isinstance(asked, Mapping) else None
    before = len(found.evidence.answered)
    stimuli = [Stimulus(case) for case in asked]
    found.evidence.add(found.subject.ask_many(stimuli))
    answered = found.evidence.answered
    return [
        at
        for at in range(before, len(answered))
        if plain is None or plain[answered[at].stimulus.case].plain
    ]


def _drawn(found: Identification, run_seed: str, count: int) -> list[Case]:
    """COUNT random cases a focus that the engine can be asked, without those that show nothing."""
    features, profile = found.subject.features | found.subject.hello.features, found.setting.profile
    drawn: dict[Case, None] = {}
    for focus in FOCI:
        if applicable(focus, features, profile) is not True:
            continue
        seed = f"{run_seed}:{focus}"
        own = some_cases(features, profile, focus, count, seed=seed, max_elements=8)
        drawn.update(dict.fromkeys(own))
    asked = {observation.stimulus.case for observation in found.evidence.answered}
    return [
        case
        for case in drawn
        if case not in asked and not is_vacuous(case, profile.dials(case.query), "answers")
    ]


def rivals_of(found: Identification) -> Iterator[Candidate]:
    """The found setting with one dial turned, to each other value, and as it was declared."""
    yield from (turned for _, _, turned in found.setting.moves())
    yield from (found.setting.with_dial_of(found.declared, dial) for dial in VALUES)


def _splitting(found: Identification, rivals: Iterable[Candidate], run_seed: str) -> list[Case]:
    """Fresh cases on which the found setting and a rival part that too few cases tell from it."""
    setting = found.setting
    missing = {
        rival: ENOUGH - len(found.evidence.told(setting, rival)[0])
        for rival in dict.fromkeys(rivals)
        if rival != setting
    }
    missing = {rival: count for rival, count in missing.items() if count > 0}
    chosen: dict[Case, None] = {}
    for case in sorted(_drawn(found, run_seed, POOL), key=lambda c: len(c.elements)):
        for rival in [r for r in missing if parts(setting, r, case)]:
            chosen[case] = None
            missing[rival] -= 1
            if not missing[rival]:
                del missing[rival]
        if not missing:
            break
    return list(chosen)


def parts(setting: Candidate, rival: Candidate, case: Case) -> bool:
    """Whether what an engine of SETTING would answer to CASE is wrong under RIVAL's dials.

    Where their dials are the same: whether their mutants make a difference.
    """
    dials, others = (one.profile.dials(case.query) for one in (setting, rival))
    if dials == others:
        mine, theirs = (Setting(mutants=one.mutants) for one in (setting, rival))
        return differ(mine, theirs, case, dials)
    try:
        with limited():
            starts = next(iter(rspql_queries(case, dials)))
            answers = reference_answers(case, dials, starts)
            return not judge(case, others, answers).correct
    except BEYOND:
        return False
