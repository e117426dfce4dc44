"""Relations over windows other than by time at the present: which draw them, what they find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from rsp_conformance.adapters.reference.mutants import MUTANTS
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.trial import Stimulus, Trial, Variant
from rsp_conformance.model.usage import case_features
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.relations.queries import LAW_RELATIONS
from rsp_conformance.relations.registry import BETWEEN_CASES, RELATIONS
from rsp_conformance.relations.relation import MetamorphicRelation
from rsp_conformance.relations.specified import same_starts
from rsp_conformance.run.properties import property_named
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.limits import limits
from rsp_conformance.strategies.other_windows import COUNTED, OTHER, other_windows
from tests.builders.drawing import draw_apart, draw_many
from tests.generators.profiles import subject
from tools.mutation.faults.hunt import LIMIT, first_failing, mutated

INSTANCES = 60
LAWS = {relation.name: relation for relation in LAW_RELATIONS}
PAST, ENDLESS = frozenset({"past-windows"}), frozenset({"unbounded-window"})
KINDS = {
    **dict.fromkeys(("partition", "renaming", "shift", "r2s", "prefix"), OTHER),
    # What is put in changes what is counted, but not where it is put into the background.
    "junk": OTHER,
    # The order of an instant's elements decides which of them are the last.
    "permuted": OTHER - COUNTED,
    # These make windows of their own: a half of a stream has other last elements.
    "split": PAST,
    "tumbling": frozenset({"element-windows", "triple-windows", "count-steps"}) | PAST,
    # NOW closes at the new instants too.
    "units": OTHER - {"now-window"},
    # The first case has windows of the present.
    "delayed": frozenset(),
    "newest": ENDLESS,
    "unfilled": ENDLESS,
    # The first case has windows by time.
    "counted": frozenset(),
    "JComm": OTHER,
    "FWPush": OTHER,
}


def engines(relation: MetamorphicRelation) -> Iterator[EngineUnderTest]:
    """Engines to which RELATION applies, between them under policies that admit every kind."""
    for dials in ({}, {"report": "CC"}, {"report": "P(2)"}, {"report": "COMPUTED EVERY"}):
        tested = subject(dials)
        if relation.not_applicable(tested) is None:
            yield tested


@pytest.mark.parametrize(
    "relation", [*BETWEEN_CASES, LAWS["JComm"], LAWS["FWPush"]], ids=lambda relation: relation.name
)
def test_a_relation_draws_the_windows_over_which_it_holds(relation: MetamorphicRelation) -> None:
    found = set[str]()
    for tested in engines(relation):
        for trial in draw_apart(relation.trials(tested), INSTANCES):
            found |= case_features(trial.variants[0].case) & OTHER
    # Where elements and triples are counted alike, elements are.
    assert found | {"triple-windows"} & KINDS[relation.name] == KINDS[relation.name]


def test_every_relation_is_in_the_table() -> None:
    assert {relation.name for relation in BETWEEN_CASES} == KINDS.keys() - {"JComm", "FWPush"}


FINDS: list[tuple[str, dict[str, str], str]] = [
    ("one-too-many", {}, "relation[tumbling]"),
    ("eviction-silent", {}, "relation[r2s]"),
    ("now-one", {"report": "CC"}, "relation[newest]"),
    ("unbounded-emptied", {"report": "CC"}, "relation[unfilled]"),
    ("full-only", {"report": "CC"}, "relation[unfilled]"),
    ("count-never-evicts", {}, "relation[counted]"),
    ("one-too-many", {"report": "CC"}, "relation[counted]"),
]
"""Mutants, with dials and the relation that finds them."""


@pytest.mark.parametrize(("mutant", "dials", "name"), FINDS)
def test_a_relation_finds_what_is_wrong_with_them(
    mutant: str, dials: dict[str, str], name: str
) -> None:
    tested = mutated(replace(MUTANTS[mutant], dials=dials))
    property = property_named(name)
    assert any(first_failing(tested, property, seed, LIMIT) for seed in range(4))


def test_an_engine_without_such_windows_is_never_asked_about_them() -> None:
    tested = subject({}, without=",".join(sorted(OTHER)))
    asked = [own for own in RELATIONS if own.not_applicable(tested) is None]
    assert len(asked) > len(RELATIONS) // 2
    for relation in asked[::5]:
        for trial in draw_many(relation.trials(tested), 10):
            assert not case_features(trial.variants[0].case) & OTHER


def allowed(dials: dict[str, str], *features: str) -> frozenset[object]:
    """The other windows under DIALS, and whether all windows have to be of one kind."""
    profile = subject(dials).profile
    found = other_windows(limits({"select", *features}, profile), profile)
    return frozenset({*found.options, found.together} - {None})


def test_what_is_refused_by_name_is_not_drawn() -> None:
    now, unbounded = Reach.NOW, Reach.UNBOUNDED
    both = "now-window", "unbounded-window"
    assert allowed({"report": "CC"}, *both) == {now, unbounded, False}
    assert allowed({"report": "WC"}, *both) == {now, False}
    assert allowed({"report": "WC", "answer_time": "arrival"}, *both) == {now, True}
    assert allowed({"report": "CC", "answer_time": "arrival"}, *both) == {now, unbounded, False}
    assert allowed({}) == {False}
    units = {own.unit for own in allowed({}, "count-windows") if isinstance(own, Count)}
    assert units == {"elements"}
    units = {own.unit for own in allowed({}, "triple-windows") if isinstance(own, Count)}
    assert units == {"triples"}


DELAYED = next(relation for relation in BETWEEN_CASES if relation.name == "delayed")
LATE: list[tuple[dict[str, str], bool]] = [
    ({}, True),
    ({"t0": "any"}, True),
    ({"report": "CC", "tick": "time"}, True),
    # Whatever is evaluated before it sees anything would be so at every instant of a long lag.
    ({"report": "COMPUTED EVERY"}, False),
    ({"report": "!NC"}, False),
    ({"t0": "0"}, False),
]


@pytest.mark.parametrize(("dials", "far"), LATE)
def test_data_that_comes_sooner_is_seen_as_much_later(dials: dict[str, str], far: bool) -> None:
    lags = set[int]()
    for trial in draw_many(DELAYED.trials(subject(dials)), INSTANCES):
        plain, late = (variant.case for variant in trial.variants)
        (lag,) = {window.lag for window in late.query.windows}
        assert (
            isinstance(lag, int)
            and plain.query.windows
            and plain.query.operator
            in ((*StreamOperator, None) if far else (StreamOperator.RSTREAM, None))
        )
        assert [replace(e, t=e.t + lag) for e in late.elements] == [*plain.elements]
        assert late.registered + lag == plain.registered
        assert (late.until, late.background) == (plain.until, plain.background)
        lags.add(lag)
    assert (max(lags) >= 2**31) is far and min(lags) < 10


@pytest.mark.parametrize(
    ("dials", "why"),
    [
        ({"answer_time": "arrival", "report": "CC"}, "answers do not say of which instant"),
        ({"answer_time": "none"}, "answers do not say of which instant"),
        ({"report": "CC", "tick": "tuple"}, "evaluates after each element"),
    ],
)
def test_what_comes_sooner_may_be_answered_otherwise(dials: dict[str, str], why: str) -> None:
    assert why in (DELAYED.not_applicable(subject(dials)) or "")


@pytest.mark.parametrize(
    ("dials", "starts", "due"),
    [
        ({"t0": "any", "n0": "any"}, (2, 1, 0), (12, 1, 0)),
        # t0 follows from the registration; only the number of units is a choice.
        ({"t0": "registration", "n0": "any"}, (0, 1, 0), (10, 1, 0)),
        ({"t0": "any", "n0": "0"}, (2, 0, 0), (12, 0, 0)),
    ],
)
def test_windows_by_count_start_with_those_of_the_case_whatever_the_time(
    dials: dict[str, str], starts: tuple[int, ...], due: tuple[int, ...]
) -> None:
    sizes = [(3, 3), (Count("elements", 2), 2), (Reach.NOW, None)]
    windows = tuple(
        WindowDeclaration(vocabulary.window(n), vocabulary.stream(n), size, slide)
        for n, (size, slide) in enumerate(sizes, 1)
    )
    query = Query(windows=windows)
    first, later = (Variant("", Stimulus(Case(query, registered=t, until=20))) for t in (0, 10))
    trial = Trial((first, later))
    own = subject(dials).dials_of(trial.stimuli[1])
    assert same_starts(starts, first, later, own) == due


def test_a_window_of_another_kind_starts_by_itself() -> None:
    window = WindowDeclaration(vocabulary.window(1), vocabulary.stream(1), 3, 1)
    by_time = Case(Query(windows=(window,)), registered=5, until=20)
    counted = replace(window, width=Count("elements", 3))
    by_count = replace(by_time, query=Query(windows=(counted,)))
    first, other = (Variant("", Stimulus(case)) for case in (by_time, by_count))
    own = subject({"t0": "any", "n0": "fill"}).dials(by_time)
    assert same_starts((5,), first, other, own) == (-2,)
    assert same_starts((-2,), other, first, own) == (5,)
