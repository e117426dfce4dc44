"""What settings predict of a whole answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import chain, islice, permutations

import pytest

from rsp_conformance.adapters.reference.evaluate import QueryEvaluator, cached_solutions
from rsp_conformance.adapters.reference.mutants import MUTANTS
from rsp_conformance.diagnosis import simulation
from rsp_conformance.diagnosis.clues import Clue, Clues
from rsp_conformance.diagnosis.evidence import Evidence, Symptom
from rsp_conformance.diagnosis.known import KnownCause, KnownCauses
from rsp_conformance.diagnosis.prediction import Predictions
from rsp_conformance.diagnosis.reference import reference_answers
from rsp_conformance.diagnosis.search import Search
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.verdict import unstable
from rsp_conformance.model.answers import Evaluation, Observed, Rows, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Kind
from rsp_conformance.protocol.registry import connect
from rsp_conformance.spec.alignment import refusing
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.strategies import GENERATED, some_cases
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import PREFIXES, iri
from tools.curation.mutant_examples import EXAMPLES

ONE = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2]"
TWO = f"{ONE} FROM NAMED WINDOW :v ON STREAM :r [RANGE 4 STEP 1]"
ALONE = f"SELECT * {ONE} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}"
JOIN = f"SELECT * {TWO} WHERE {{ WINDOW :w {{ ?x :p ?y }} WINDOW :v {{ ?x :p ?z }} }}"


def observed(profile: str, query: str, elements: str, mutants: str, **options: str) -> Observation:
    """What `reference` with MUTANTS answers; ELEMENTS are subjects, as ``a@1`` or ``r:a@1``."""
    options |= {"profile": profile, "advances": "elements", "fault": mutants}
    fed = []
    for each in elements.split():
        name, _, t = each.partition("@")
        stream, _, subject = name.rpartition(":")
        triple = Triple(iri(subject), iri("p"), iri(f"o{len(fed)}"))
        fed.append(StreamElement(iri(stream or "s"), int(t), (triple,)))
    case = Case(parse_query(PREFIXES + query), tuple(fed), until=8)
    with connect("reference", options) as engine:
        return EngineUnderTest.meet(engine).ask(Stimulus(case))


@pytest.mark.parametrize(
    ("profile", "query", "elements", "mutants"),
    [
        ("yasper", ALONE, "a@1 z@4", "read-at-arrival"),
        ("yasper", ALONE, "a@1 b@2 c@4 d@5", "newest-only,read-at-arrival"),
        ("rsp-rs", ALONE, "a@0 b@1 x@6", "zero-is-no-start"),
        ("rsp-rs", ALONE.replace("*", "(COUNT(*) AS ?c)"), "a@1 b@2", "opened-by-arrivals"),
        ("rsp-rs", JOIN, "a@1 r:a@2 b@3 b@4 b@5", "newest-only,wrong-instance"),
        ("rsp-rs", JOIN, "a@1 r:a@1 a@4 r:a@4", "each-window-alone"),
    ],
)
def test_mutants_that_go_by_arrivals_are_predicted_with_their_stamps(
    profile: str, query: str, elements: str, mutants: str
) -> None:
    seen = observed(profile, query, elements, mutants)
    predictions = Predictions()
    assert predictions.agrees(Setting.of({}, mutants.split(",")), seen) is True
    assert predictions.agrees(Setting(), seen) is False


def test_of_several_closed_windows_the_newest_is_lost_with_its_rows() -> None:
    """The newest one is evaluated, though it has no answer."""
    query = ALONE.replace("2 STEP 2", "4 STEP 1").replace("?y }", "?y FILTER(?x = :a) }")
    seen = observed("rsp-js", query, "a@1 b@2", "newest-only")
    assert seen.observed == ()
    assert Predictions().agrees(Setting.of({}, ["newest-only"]), seen) is True


BOTH = f"""SELECT * {TWO}
WHERE {{ {{ WINDOW :w {{ ?x :p ?y }} }} UNION {{ WINDOW :v {{ ?x :p ?y }} }} }}"""


def test_answers_that_overtake_come_in_any_order() -> None:
    """Of the windows that arrivals at 7 report one has a row more than the other."""
    seen = observed(
        "rsp-js", BOTH, "a@1 r:b@2 r:c@6 z@7 r:z@7", "each-window-alone,answers-overtake"
    )
    assert len({*seen.observed}) > 2
    predictions, others = Predictions(), Setting.of({}, ["each-window-alone"])
    overtaken = others | Setting.of({}, ["answers-overtake"])
    assert predictions.agrees(others, seen) is False
    orders = islice(permutations(seen.observed), 0, None, 4001)
    seen_so = [replace(seen, observed=order) for order in orders]
    assert all(predictions.agrees(overtaken, each) for each in seen_so)
    lost = replace(seen, observed=seen.observed[1:])
    assert predictions.agrees(overtaken, lost) is False
    awaited = replace(seen, stimulus=replace(seen.stimulus, pacing="settled"))
    assert predictions.agrees(overtaken, awaited) is False


def test_what_predicts_two_answers_to_one_case_has_to_leave_their_order_open() -> None:
    """By their stamps both are right; that they differ is no less wrong."""
    overtaken = Setting.of({}, ["answers-overtake"])
    seen = observed("rsp-js", ALONE, "a@1 b@3 c@6", "answers-overtake")
    assert Predictions().agrees(Setting(), seen) is True
    case, profile = seen.stimulus.case, Profile("rsp-js", seen.dials)
    finding = Finding("repeat", "engine", "1", profile, seen.dials, case, "burst", "")
    again = replace(seen, observed=seen.observed[::-1])
    symptom = Symptom.of(unstable(replace(finding, observed=seen.observed), again))
    assert symptom.is_answered
    predictions = Predictions()
    search = Search(Clues(Evidence.of([symptom], []), predictions), predictions)
    search.allow(100)
    clue = Clue.of(symptom)
    assert search.agrees(overtaken, clue)
    assert not search.agrees(Setting(), clue)
    assert not search.agrees(Setting.of({}, ["union-dedup"]), clue)


SHARED = "shared-window-parameters"


@pytest.mark.parametrize("variant", MUTANTS[SHARED].variants, ids=["first", "last"])
def test_a_mutant_predicts_whatever_its_bug_may_do(variant: object) -> None:
    """The engine goes by either window's parameters, and nothing in the case says by which."""
    case = EXAMPLES[SHARED].case()
    dials = Dials().with_dials({"t0": "registration"})
    (starts,) = rspql_queries(case, dials)
    answers = reference_answers(case, dials, starts, mutants=(variant,))  # type: ignore[arg-type]
    observation = Observation(Stimulus(case, "burst"), dials, "", answers)
    predictions = Predictions()
    assert predictions.agrees(Setting.of(mutants=[SHARED]), observation)
    assert not predictions.agrees(Setting(), observation)
    assert not predictions.agrees(Setting.of(mutants=["bounds-end"]), observation)


def test_what_shares_parameters_starts_as_its_own_would_let_it() -> None:
    """The second window, which slides by 1, has no start but 0; by 2 it would have two."""
    seen = observed("rsp-ql", JOIN, "a@1 r:a@1 a@2 r:a@2 a@3 r:a@3 a@4", SHARED, t0="1,1")
    assert Predictions().agrees(Setting(), seen) is False
    assert Predictions().agrees(Setting.of(mutants=[SHARED]), seen) is True


def test_a_setting_is_nearer_to_what_another_bug_has_spoilt_in_part() -> None:
    spoilt = observed("yasper", ALONE, "a@1 b@2 c@4 d@5 e@9", "newest-only,read-at-arrival")
    true, other = Setting.of({}, ["read-at-arrival"]), Setting.of({}, ["union-dedup"])
    predictions = Predictions()
    assert predictions.agrees(true, spoilt) is False
    nearer = predictions.nearer(true, Setting(), spoilt)
    assert nearer is not None and nearer > 0
    assert predictions.nearer(Setting(), true, spoilt) == -nearer
    assert predictions.nearer(other, Setting(), spoilt) is None


def test_what_was_met_together_is_asked_before_all_that_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So the next answer with the same two causes needs no more than sets of two."""
    sizes: list[int] = []
    agrees = KnownCauses._agrees
    monkeypatch.setattr(
        KnownCauses,
        "_agrees",
        lambda self, setting, observation: (
            sizes.append(len(setting)) or agrees(self, setting, observation)
        ),
    )
    pair = ("newest-only", "wrong-instance")
    others = ("each-window-alone", "zero-is-no-start", "opened-by-arrivals", "t0-drift")
    known = KnownCauses(KnownCause(Setting.of(mutants=[name])) for name in (*others, *pair))
    for elements, most in (
        ("a@2 r:a@2 b@4 r:b@5 r:a@6 a@6", len(known.causes)),
        ("b@2 r:b@2 a@4 r:a@5 r:b@6 b@6", 2),
    ):
        sizes.clear()
        answer = observed("rsp-rs", JOIN, elements, ",".join(pair))
        assert {cause.id for cause in known.explain(answer) or ()} == {*pair}
        assert max(sizes) == most
    assert sizes[:2] == [0, 2], "none, and what was met together"


def test_what_reference_has_evaluated_is_there_under_other_dials_and_at_other_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evaluated = []
    evaluate = QueryEvaluator._evaluate
    monkeypatch.setattr(
        QueryEvaluator, "_evaluate", lambda *given: evaluated.append(1) or evaluate(*given)
    )
    cached_solutions.cache_clear()
    query = parse_query(PREFIXES + ALONE)
    for first, dials in ((1, Dials()), (3, Dials()), (1, Dials(empty_answers=False))):
        fed = tuple(
            StreamElement(iri("s"), t, (Triple(iri("a"), iri("p"), iri("b")),))
            for t in (first, first + 4)
        )
        case = Case(query, fed, until=12)
        (starts, *_) = rspql_queries(case, dials)
        assert any(map(has_rows, reference_answers(case, dials, starts)))
    assert len(evaluated) == 2, "the content without elements, and that with one"


def has_rows(answer: Observed) -> bool:
    """Whether ANSWER holds anything."""
    return not is_empty(answer.content)


def test_the_order_of_rows_is_predicted() -> None:
    """A mutant that loses the order shows beside another one, which keeps it."""
    query = f"SELECT ?x {ONE} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} ORDER BY ?x LIMIT 1"
    seen = observed("rsp-ql", query, "a@1 b@1 a@2 b@2", "order-lost,limit-ignored")
    predictions = Predictions()
    assert predictions.agrees(Setting.of({}, ["limit-ignored", "order-lost"]), seen) is True
    assert predictions.agrees(Setting.of({}, ["limit-ignored"]), seen) is False
    kept = observed("rsp-ql", query, "a@1 b@1 a@2 b@2", "limit-ignored")
    assert predictions.agrees(Setting.of({}, ["limit-ignored"]), kept) is True
    assert predictions.agrees(Setting.of({}, ["limit-ignored", "order-lost"]), kept) is False


@pytest.mark.parametrize("mutants", [("newest-only",), ("wrong-instance", "union-dedup")])
def test_what_is_tried_beside_a_setting_changes_none_of_its_answers(
    mutants: tuple[str, ...],
) -> None:
    """So one run says whether it agrees, and which others would show beside it."""
    profile, setting = bundled_profile("rsp-ql"), Setting(mutants=mutants)
    cases = some_cases(GENERATED, profile, "any", 30, seed=1)
    with connect("reference", {"fault": "empty-windows-skipped"}) as engine:
        seen = [EngineUnderTest.meet(engine).ask(Stimulus(case)) for case in cases]
    wrong = 0
    for own in seen:
        if simulation.judged(own.dials, own) is None:
            continue  # Evidence has no answers that the texts leave open.
        apart, together = Predictions(), Predictions()
        others = together.visible(own)
        agrees = together.agrees(setting, own, others)
        assert agrees == apart.agrees(setting, own)
        wrong += agrees is False
        assert together.shown(setting, own, others) == apart.shown(setting, own, others)
    assert wrong > 5


ENGINES = [
    ("rsp-ql", "wrong-instance", "empty-windows-skipped"),
    ("rsp-rs", "newest-only", "wrong-instance"),
    ("c-sparql", "empty-windows-skipped", "wrong-instance"),
    ("yasper", "newest-only", "wrong-instance"),
]
"""Profiles, and the two bugs of an engine that follows them otherwise."""


@pytest.mark.parametrize(("profile", "first", "second"), ENGINES)
def test_a_prediction_that_is_broken_off_says_what_the_whole_one_does(
    profile: str, first: str, second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that nothing observed can be decides, whatever comes after it."""
    tried = [Setting(mutants=(name,)) for name in (first, second, "each-window-alone")]
    seen = answers_of(profile, first, second)
    short, whole, refused = Predictions(), Predictions(), Counter[bool]()
    wanted = [[short.agrees(own, answer) for own in tried] for answer in seen]

    def never(*given: object) -> Callable[[Evaluation], bool]:
        is_refused = refusing(*given)  # type: ignore[arg-type]  # as it is called
        return lambda evaluation: refused.update([is_refused(evaluation)]) is not None

    monkeypatch.setattr("rsp_conformance.diagnosis.simulation.refusing", never)
    assert [[whole.agrees(own, answer) for own in tried] for answer in seen] == wanted
    assert {True, False} <= {*chain(*wanted)}
    # Where engines give rows alone, what is due beside an answer at the same stamp decides.
    assert refused[True] > 5 or bundled_profile(profile).base.answers == "rows"


@pytest.mark.parametrize(("profile", "first", "second"), ENGINES)
def test_whatever_mends_a_setting_shows_before_it_is_refused(
    profile: str, first: str, second: str
) -> None:
    setting = Setting(mutants=(first,))
    mended = 0
    for answer in answers_of(profile, first, second):
        predictions = Predictions()
        if predictions.agrees(setting, answer) is False:
            mending = predictions.mending(setting, answer)
            shown = predictions.shown(setting, answer) | {"answers-overtake"}
            assert mending <= shown, "but for what may change a whole burst"
            assert Predictions().agrees(setting | Setting(mutants=(second,)), answer)
            assert second in mending
            mended += mending < shown
    assert mended > 2


@cache
def answers_of(profile: str, *mutants: str) -> list[Observation]:
    """What `reference` with MUTANTS answers to some cases under PROFILE."""
    held = bundled_profile(profile)
    foci = ("any", "multi-window")
    cases = chain.from_iterable(some_cases(GENERATED, held, own, 20, seed=3) for own in foci)
    with connect("reference", {"profile": profile, "fault": ",".join(mutants)}) as engine:
        subject = EngineUnderTest.meet(engine)
        return [subject.ask(Stimulus(case)) for case in cases]


def test_windows_that_start_after_the_end_explain_no_rows() -> None:
    """Nothing is compared then, so that whatever an engine answers would agree."""
    late, predictions = Setting.of({"t0": "1699999999996"}), Predictions()
    right = observed("rsp-js", ALONE, "a@1 z@4", "always-silent")
    right = replace(right, observed=_due(right))
    silent = replace(right, observed=())
    assert predictions.agrees(Setting(), right) is True
    assert predictions.agrees(late, right) is False
    assert predictions.agrees(Setting(), silent) is False
    assert predictions.agrees(late, silent) is None


def _due(observation: Observation) -> tuple[Observed, ...]:
    """What is due for the case of OBSERVATION."""
    case, dials = observation.stimulus.case, observation.dials
    (starts,) = rspql_queries(case, dials)
    answers = reference_answers(case, dials, starts)
    return tuple(Observed(None, own.content, own.cause) for own in answers)


@pytest.mark.parametrize(
    ("width", "elements", "other"), [(4, "a@1 z@5", "bounds-end"), (2, "a@1 z@3", "always-silent")]
)
def test_a_mutant_is_seen_behind_another_reading_of_what_the_texts_leave_open(
    width: int, elements: str, other: str
) -> None:
    """An engine may call 1 = "x" an error: where it loses windows it is wrong for that, too.

    Where it does not, its right answer refutes none but a mutant that changes it.
    """
    query = ALONE.replace("*", '?x (1 = "x" AS ?same)').replace("2 STEP", f"{width} STEP")
    seen = observed("rsp-js", query, elements, "newest-only")
    unread = []
    for answer in seen.observed:
        assert isinstance(answer.content, Rows)
        rows = tuple((x, None) for x, _ in answer.content.rows)
        unread.append(replace(answer, content=replace(answer.content, rows=rows)))
    read = replace(seen, observed=tuple(unread))
    verdict = judge(read.stimulus.case, read.dials, read.observed)
    assert unread and verdict.readings and verdict.correct is (width == 2)
    if verdict.divergence is not None:
        assert verdict.divergence.kind in (Kind.MISSING, Kind.INSTANT)
    predictions, newest = Predictions(), Setting.of({}, ["newest-only"])
    assert predictions.agrees(newest, seen) is True
    assert predictions.agrees(newest, read) is True
    assert predictions.agrees(Setting.of({}, [other]), read) is False
