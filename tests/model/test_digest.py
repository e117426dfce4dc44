"""Digests name values by their content, in every process alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from rsp_conformance.files.cases import CASES
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.model.answers import Observed, Rows, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, FirstElementFloor
from rsp_conformance.model.digest import DIGITS, digest_of
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.strategies import FOCUSES, some_cases
from tests.builders.command_line import ROOT, python

PROFILE = bundled_profile("yasper")


def cases() -> Iterator[Case]:
    """Cases of all foci, equal ones among them."""
    for focus in FOCUSES:
        yield from some_cases(frozenset(FEATURES), PROFILE, focus, 3, seed="digest")


def of_all() -> str:
    """One digest of many values that hold sets, mappings, fractions and enumerations."""
    return digest_of(
        *cases(),
        Observation(Stimulus(Case(Query())), replace(Dials(), t0=FirstElementFloor(2)), ""),
        {"b": 1, "a": frozenset({"x", "y", "z"})},
    )


def test_it_is_the_same_in_every_process() -> None:
    asked = "from model.test_digest import of_all; print(of_all())"
    another = python("-c", asked, cwd=ROOT / "tests", env={"PYTHONHASHSEED": "7"})
    assert another.well.strip() == of_all()


def test_cases_with_one_digest_are_equal_and_only_those() -> None:
    drawn = [*cases()]
    read = [CASES.read(Case, CASES.write(Case, case), "case") for case in drawn]
    assert read == drawn and [own.digest for own in read] == [own.digest for own in drawn]
    by_digest = {case.digest: case for case in drawn}
    assert len(by_digest) == len({*drawn})
    assert all(by_digest[case.digest] == case and len(case.digest) == DIGITS for case in drawn)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", ()),
        ("1", 1),
        (True, 1),
        (None, "None"),
        ((1, 23), (12, 3)),
        (("a", "b"), ("ab",)),
        (("a", ("b",)), (("a",), "b")),
        (IRI("a"), BlankNode("a")),
        (IRI("a"), Literal("a")),
        (Fraction(1, 2), (1, 2)),
        (Observed(1, Truth(True)), Observed(1, Truth(False))),
        (Observed(1, Rows(("x",), ())), Observed(None, Rows(("x",), ()))),
        (Dials(), replace(Dials(), unit=2)),
    ],
)
def test_other_values_have_other_digests(one: object, other: object) -> None:
    assert digest_of(one) != digest_of(other)


def test_equal_literals_have_one_digest_whichever_was_met_first() -> None:
    tags = ("en", "EN", "En")
    assert len({digest_of(Literal("a", language=tag)) for tag in tags}) == 1


def test_the_order_counts_in_sequences_alone() -> None:
    assert digest_of((1, 2)) != digest_of((2, 1))
    assert digest_of({1, 2}) == digest_of(frozenset({2, 1}))
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})


def test_standard_error_makes_no_other_observation() -> None:
    said = [
        Observation(
            Stimulus(Case(Query())),
            Dials(),
            "",
            failure=EngineFailure("died", "it died", stderr=lines),
            stderr=lines,
        )
        for lines in ((), ("at 12:03:04",))
    ]
    assert said[0].digest == said[1].digest and said[0] == said[1]
    assert said[0].digest != replace(said[0], failure=EngineFailure("died", "")).digest


def test_dials_that_are_younger_than_digests_are_part_of_them_only_if_they_are_turned() -> None:
    assert digest_of(Dials()) == "8315260ca3877f2413e4fbbdbeec3e3c"
    turned = [Dials().with_dials({dial: value}) for dial, value in (("n0", "1"), ("n0", "any"))]
    turned += [Dials(count_slide="width"), Dials(now="last"), Dials(ties="open"), Dials()]
    assert len({digest_of(own) for own in turned}) == len(turned)


def test_a_value_without_a_content_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no digest"):
        digest_of(object())


def test_a_changed_copy_has_a_digest_of_its_own() -> None:
    case = Case(Query(), until=7)
    assert case.digest != replace(case, until=8).digest
    assert case.digest == replace(case, until=7).digest
