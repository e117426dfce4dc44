"""Cases for engines that may hold any of simultaneous elements: a judge can judge them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.model.profiles import Override, Profile
from rsp_conformance.model.terms import BlankNode, Triple
from rsp_conformance.model.windows import Count
from rsp_conformance.spec.correctness import judge
from rsp_conformance.strategies.cases import case_from_bytes, random_bytes, some_cases
from rsp_conformance.strategies.ties import untied
from tests.judges.test_ties import counted, cut_evaluations, random_case

FEATURES = {"select", "filter", "distinct", "multi-triple-elements", "multi-window"}
COUNTING = FEATURES | {"element-windows", "triple-windows", "count-steps"}
TURNED = [
    {"report": "WC"},
    {"report": "CC"},
    {"report": "CC", "tick": "tuple", "count_slide": "width"},
    {"report": "NC", "window": "last-closed"},
    {"report": "WC", "n0": "fill"},
    {"report": "CC", "n0": "any"},
    {"report": "CC", "n0": "3", "window": "last-closed-inclusive"},
]


def under(turned: dict[str, str], ties: str = "open") -> Dials:
    return Dials().with_dials({"t0": "0", **turned, "ties": ties})


def is_judged(case: Case, dials: Dials) -> bool:
    try:
        judge(case, dials, ())
    except LeftOpen:
        return False
    return True


def counted_in(case: Case) -> set[str]:
    """What the windows by count of CASE count."""
    return {own.width.unit for own in case.query.windows if isinstance(own.width, Count)}


def has_ties(case: Case) -> bool:
    return len({(own.stream, own.t) for own in case.elements}) < len(case.elements)


@pytest.mark.parametrize("turned", TURNED, ids=str)
def test_cases_about_windows_by_count_are_judged(turned: dict[str, str]) -> None:
    """Of those drawn for the other value most would be left open."""
    drawn = some_cases(COUNTING, under(turned), "count-windows", 40, seed=1)
    assert all(is_judged(case, under(turned)) for case in drawn)
    assert sum(map(has_ties, drawn)) >= len(drawn) // 8
    tied = some_cases(COUNTING, under(turned, "arrival"), "count-windows", 40, seed=1)
    assert sum(is_judged(case, under(turned)) for case in tied) < 0.7 * len(tied)


def test_cases_of_the_mix_are_judged_too() -> None:
    dials = under({"report": "CC"})
    drawn = some_cases(COUNTING, dials, "any", 100, seed=2)
    counting = [case for case in drawn if counted_in(case)]
    assert len(counting) > 8
    assert sum(is_judged(case, dials) for case in counting) > 0.8 * len(counting)


def test_only_elements_of_cut_instants_are_left_out() -> None:
    """Query, instants and the end are as under the other value, and the rest of the elements."""
    less = 0
    for data in random_bytes(5, 60):
        drawn = (
            case_from_bytes(data, COUNTING, under({}, ties), focus="count-windows")
            for ties in ("open", "arrival")
        )
        mine, other = drawn
        assert mine is not None and other is not None
        assert replace(mine, elements=other.elements) == other
        left = iter(other.elements)
        assert all(any(like(own, was) for was in left) for own in mine.elements)
        assert {(e.stream, e.t) for e in mine.elements} == {(e.stream, e.t) for e in other.elements}
        less += mine != other
        assert untied(other, under({}, "arrival")) is other
    assert less > 20


def like(own: object, was: object) -> bool:
    """Whether an element is another one, or its first triple."""
    return own == was or own == replace(was, graph=was.graph[:1])  # type: ignore[type-var, attr-defined]


def test_an_override_decides_by_the_query() -> None:
    """Windows of elements are counted in order here, those of triples in any."""
    opened = Override(frozenset({"triple-windows"}), (("ties", "open"),))
    profile = Profile("mine", under({}, "arrival"), (opened,))
    changed = set()
    for data in random_bytes(5, 60):
        drawn = case_from_bytes(data, COUNTING, profile, focus="count-windows")
        other = case_from_bytes(data, COUNTING, under({}, "arrival"), focus="count-windows")
        if drawn is not None and drawn != other:
            changed.add("triples" in counted_in(drawn))
    assert changed == {True}


def random_cases() -> Iterator[tuple[Case, Dials]]:
    for number in range(200):
        yield random_case(Random(number))


def test_no_instant_is_cut_and_what_is_not_cut_stays() -> None:
    """By the specification, over all evaluations: most of what may stay does."""
    stays, cut = 0, 0
    for case, dials in random_cases():
        found = untied(case, dials)
        assert not cut_evaluations(found, dials)
        cut += bool(cut_evaluations(case, dials))
        stays += found is case
    assert cut + stays >= 170 and min(cut, stays) > 40


@pytest.mark.parametrize(
    ("size", "stream", "left"),
    [
        ("[ELEMENTS 2]", "a1 b2 c2", "a1 b2 c2"),
        ("[ELEMENTS 2]", "a1 b2 c2 d3", "a1 b2 d3"),
        ("[ELEMENTS 2]", "a1 b2 b2 c3", "a1 b2 b2 c3"),
        ("[ELEMENTS 2 STEP 2]", "a1 b1 c2 d2 e3", "a1 b1 c2 d2 e3"),
        ("[ELEMENTS 2 STEP 2]", "a1 b2 c2 d3 e4", "a1 b2 d3 e4"),
        ("[TRIPLES 2]", "a+b1 c2", "a1 c2"),
        ("[TRIPLES 3]", "a+b1 c2", "a+b1 c2"),
        ("[ELEMENTS 2]", "a+b1 c2", "a+b1 c2"),
        ("[RANGE 2]", "a1 b2 c2 d3", "a1 b2 c2 d3"),
    ],
)
def test_of_an_instant_that_would_be_cut_the_first_unit_stays(
    size: str, stream: str, left: str
) -> None:
    dials = under({"report": "CC"})
    assert untied(counted(size, stream), dials).elements == counted(size, left).elements


@pytest.mark.parametrize("nodes", ["any", "element", "case"])
def test_equal_texts_are_different_elements_if_their_blank_nodes_are(nodes: str) -> None:
    """Two of an instant, and one of the next: the window then holds one of the two."""
    case, dials = (
        counted("[ELEMENTS 2]", "a1 b2 b2 c3"),
        under({"report": "CC", "blank_nodes": nodes}),
    )
    anonymous = tuple(
        replace(own, graph=tuple(Triple(BlankNode("n"), p, o) for _, p, o in own.graph))
        for own in case.elements
    )
    case = replace(case, elements=anonymous)
    equal = nodes == "case"
    assert is_judged(case, dials) == equal
    assert len(untied(case, dials).elements) == (4 if equal else 3)
    assert is_judged(untied(case, dials), dials)
