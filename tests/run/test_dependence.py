"""On what a wrong answer depends: right for bugs of a known condition, and nothing by chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from rsp_conformance.judge.vacuity import is_vacuous
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dependence import Dependence, Experiment
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.usage import case_features, query_shapes
from rsp_conformance.run.changes import richer, simpler
from rsp_conformance.run.conditions import Conditions, in_words, weakest
from rsp_conformance.run.dependence import (
    CHANCE,
    MOST_ASKED,
    Answer,
    Change,
    Experiments,
    Found,
    chance,
)
from rsp_conformance.text.parse import parse_query
from tests.builders.cases import element
from tests.builders.terms import iri

DIALS = Dials(t0=0)
HEAD = "PREFIX : <http://ex.org/> "
Defect = Callable[[Case], bool]
"""Whether an engine with the bug is wrong on a case."""


def case(text: str, *elements: StreamElement, until: int = 12) -> Case:
    """A case over elements of the stream :s and background data in which :a is a :Place."""
    facts = (Triple(iri("a"), iri("type"), iri("Place")), Triple(iri("b"), iri("type"), iri("Hut")))
    background = Background((BackgroundEntry(facts),))
    return Case(parse_query(HEAD + text), elements, background, until=until)


def near(t: int, who: str, where: str, stream: str = "s") -> StreamElement:
    return element(t, who, "near", where, stream)


PEOPLE = (
    near(2, "diana", "a"),
    near(2, "eve", "b"),
    near(5, "carl", "a"),
    near(7, "eve", "a"),
    near(10, "diana", "b"),
)
WHOLE = case(
    """REGISTER ISTREAM :out AS SELECT ?who ?where ?kind
    FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2] WHERE {
      VALUES ?where { :a :b }
      WINDOW :w { ?who :near ?where }
      OPTIONAL { ?where :type ?kind }
      FILTER(?who != :nobody)
    }""",
    *PEOPLE,
)
"""A case with much in it that a bug may need."""
TWO = case(
    """SELECT ?who ?other FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4]
    FROM NAMED WINDOW :v ON STREAM :r [RANGE 4 STEP 4] WHERE {
      WINDOW :w { ?who :near ?where }
      WINDOW :v { ?other :near ?place }
    }""",
    *sorted(
        (*PEOPLE, near(3, "fred", "a", "r"), near(6, "gina", "b", "r"), near(11, "hugo", "a", "r")),
        key=lambda own: own.t,
    ),
)
"""A case with two windows."""


def uses(name: str) -> Defect:
    return lambda own: name in case_features(own) | query_shapes(own.query, DIALS)


def meets(condition: str) -> Defect:
    return lambda own: Conditions(own, DIALS).meet(condition)


def found_by(
    defect: Defect, own: Case = WHOLE, *, flaky: Callable[[Case], bool] = lambda _: False
) -> tuple[Found, int]:
    """What is found about a defect, and how many cases were asked."""
    asked = 0

    def ask(other: Case) -> Answer | None:
        nonlocal asked
        asked += 1
        if is_vacuous(other, DIALS, "answers"):
            return None
        return Answer.SAME if defect(other) is not flaky(other) else Answer.RIGHT

    return Experiments(ask, lambda _: DIALS).find(own), asked


ALONE: Mapping[str, tuple[Case, Defect]] = {
    "windows overlap": (WHOLE, uses("overlapping")),
    "the case has VALUES": (WHOLE, uses("values")),
    "the case has FILTER": (WHOLE, uses("filter")),
    "the case has OPTIONAL": (WHOLE, uses("optional")),
    "the case has ISTREAM written in the query": (WHOLE, uses("istream")),
    "elements arrive together": (WHOLE, meets("elements arrive together")),
    "some instant has no arrival": (WHOLE, meets("some instant has no arrival")),
    "an evaluation follows one with rows": (WHOLE, meets("an evaluation follows one with rows")),
    "the query has several windows": (TWO, lambda own: len(own.query.windows) > 1),
}


@pytest.mark.parametrize("condition", ALONE)
def test_a_bug_depends_on_its_condition_alone(condition: str) -> None:
    own, defect = ALONE[condition]
    found, asked = found_by(defect, own)
    assert found.dependence.only_if == (condition,)
    assert asked <= MOST_ASKED
    assert found.meets(own, DIALS)
    assert not any(found.meets(other, DIALS) for other in simpler(own, DIALS) if not defect(other))


def test_a_bug_may_depend_on_two_conditions() -> None:
    found, _ = found_by(lambda own: uses("overlapping")(own) and uses("values")(own))
    assert {*found.dependence.only_if} == {"windows overlap", "the case has VALUES"}
    assert str(found.dependence) == f"only if {' and '.join(found.dependence.only_if)}"


def test_a_bug_that_is_there_always_depends_on_nothing() -> None:
    found, _ = found_by(lambda _: True)
    assert found == Found((), found.dependence)
    assert not found.dependence.only_if and not found.meets(WHOLE, DIALS)


@pytest.mark.parametrize(
    "defect",
    [
        lambda own: len(own.elements) >= 3,
        lambda own: any(e.t % 2 for e in own.elements),
        lambda own: any("eve" in repr(e.graph) for e in own.elements),
        lambda own: own.until - own.registered >= 10,
    ],
    ids=["three elements", "an odd instant", "a name", "ten instants"],
)
def test_of_a_condition_that_has_no_name_no_other_is_said(defect: Defect) -> None:
    assert found_by(defect)[0].dependence.only_if == ()


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8, 0.95])
def test_an_engine_that_errs_at_random_is_told_nothing(part: float) -> None:
    for seed in range(15):
        chance_of = random.Random(seed)
        assert not found_by(lambda _: chance_of.random() < part)[0].dependence.only_if  # noqa: B023


@pytest.mark.parametrize("part", [0.5, 0.8, 0.95])
def test_an_engine_that_errs_by_the_digest_of_a_case_is_told_nothing(part: float) -> None:
    for seed in range(15):

        def errs(own: Case, seed: int = seed) -> bool:
            return random.Random(f"{seed}{own.digest}").random() < part

        assert not found_by(errs)[0].dependence.only_if


def test_a_bug_that_sometimes_does_not_show_is_told_nothing() -> None:
    chance_of = random.Random(2)
    found, _ = found_by(uses("overlapping"), flaky=lambda _: chance_of.random() < 0.3)
    assert not found.dependence.only_if


def test_a_condition_that_a_larger_case_does_without_is_not_said() -> None:
    def ask(own: Case) -> Answer | None:
        few = len(own.elements) < 6
        return Answer.SAME if uses("overlapping")(own) or not few else Answer.RIGHT

    smaller = Experiments(ask, lambda _: DIALS).find(WHOLE)
    assert "windows overlap" not in smaller.dependence.only_if


ROWS_BEFORE = "an evaluation follows one with rows"
"""Of the changes of `TWO` that take it away, four add no condition and four do."""


def changes_of(own: Case) -> list[Change]:
    return [*Experiments(lambda _: None, lambda _: DIALS).changes(own)]


def test_right_answers_to_changes_that_add_a_condition_do_not_confirm() -> None:
    """With them there would be enough, and other names, under which the bug shows, not be asked."""

    def defect(own: Case) -> bool:
        subjects = {triple.subject for e in own.elements for triple in e.graph}
        return meets(ROWS_BEFORE)(own) or iri("diana") not in subjects

    right = [own.gained for own in changes_of(TWO) if own.lost == {ROWS_BEFORE}]
    assert chance(12, len(right)) <= CHANCE < chance(12, right.count(frozenset()))
    assert not found_by(defect, TWO)[0].dependence.only_if


def test_a_right_answer_to_a_change_that_adds_a_condition_is_no_evidence() -> None:
    judged: list[Case] = []

    def ask(own: Case) -> Answer | None:
        if is_vacuous(own, DIALS, "answers"):
            return None
        judged.append(own)
        return Answer.SAME if meets(ROWS_BEFORE)(own) else Answer.RIGHT

    dependence = Experiments(ask, lambda _: DIALS).find(TWO).dependence
    assert dependence.only_if == (ROWS_BEFORE,)
    shows_nothing = {own.case for own in changes_of(TWO) if own.gained and ROWS_BEFORE in own.lost}
    counted = [own for own in judged if own not in shows_nothing]
    assert sum(own.asked for own in dependence.experiments) == len(counted) < len(judged)


def test_what_counts_is_kept() -> None:
    found, asked = found_by(uses("overlapping"))
    like = [own for own in found.dependence.experiments if not own.without]
    without = [own for own in found.dependence.experiments if own.without == ("windows overlap",)]
    assert like == [Experiment(asked=12)]
    assert without[0].asked == without[0].right >= 6
    assert sum(own.asked for own in found.dependence.experiments) <= asked
    assert found.dependence.evidence == (
        f"{without[0].right} of {without[0].asked} cases are right without this condition, "
        "none of 12 with."
    )


def test_six_right_answers_beside_twelve_wrong_ones_are_enough() -> None:
    assert chance(12, 6) <= CHANCE < chance(12, 5)


def test_evidence_of_conditions_that_no_experiment_names_is_empty() -> None:
    assert Dependence(("windows overlap",)).evidence == ""


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        (("FILTER",), "only if FILTER"),
        (("! or IN",), "only if ! or IN"),
        (("FILTER", "! or IN"), "only if FILTER and either ! or IN"),
        ((), ""),
    ],
)
def test_conditions_of_which_one_must_hold_are_told_from_those_that_all_must(
    conditions: tuple[str, ...], said: str
) -> None:
    assert str(Dependence(conditions)) == said


def test_a_part_of_a_feature_is_not_said_beside_the_whole() -> None:
    assert in_words(weakest({"filter", "filter-in", "optional"})) == (
        "the case has FILTER",
        "the case has OPTIONAL",
    )


def test_changes_take_one_thing_away() -> None:
    whole = Conditions(WHOLE, DIALS).all
    lost = [whole - Conditions(own, DIALS).all for own in simpler(WHOLE, DIALS)]
    for name in ("overlapping", "values", "istream", "elements arrive together"):
        assert frozenset({name}) in lost, name


def test_a_richer_case_has_all_that_a_case_has() -> None:
    for own in richer(WHOLE):
        assert Conditions(own, DIALS).all >= Conditions(WHOLE, DIALS).all - {"together"}
        assert len(own.elements) >= len(WHOLE.elements)
