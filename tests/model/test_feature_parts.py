"""Features that are sums of finer ones: what a hello with them, or without, stands for."""

from __future__ import annotations

import json
import re

import pytest

from rsp_conformance.model.features import (
    FEATURES,
    PARTS,
    RESTRICTIONS,
    SIMPLEST,
    WHOLE,
    redeclared,
    with_implied,
)
from tests.docs.markdown import DOCS, section, tables

FILTERS = set(PARTS["filter"])


@pytest.mark.parametrize(
    ("declared", "taken"),
    [
        ("filter", "filter filter-comparisons filter-not filter-in"),
        ("filter functions", "filter functions other-functions " + " ".join(sorted(FILTERS))),
        ("functions", "functions other-functions"),
        ("filter filter-comparisons", "filter filter-comparisons"),
        ("filter filter-in", "filter filter-comparisons filter-in"),
        ("filter filter-functions", "filter filter-comparisons filter-functions functions"),
        ("filter-functions", "filter filter-comparisons filter-functions functions"),
        (
            "filter filter-not other-functions",
            "filter filter-comparisons filter-not functions other-functions",
        ),
        ("optional", "optional optional-static optional-stream"),
        ("optional optional-static", "optional optional-static"),
        ("aggregates", "aggregates " + " ".join(PARTS["aggregates"])),
        ("aggregates group-by", "aggregates one-aggregate group-by"),
        ("count-distinct", "aggregates one-aggregate count-distinct"),
        ("blank-nodes", "blank-nodes separate-blank-nodes shared-blank-nodes"),
        ("blank-nodes separate-blank-nodes", "blank-nodes separate-blank-nodes"),
        ("rdf-star", "rdf-star triple-terms"),
        ("without-prefixes x-mine minus", "without-prefixes minus"),
        ("", ""),
    ],
)
def test_what_a_declaration_stands_for(declared: str, taken: str) -> None:
    assert with_implied(declared.split()) == set(taken.split())


@pytest.mark.parametrize(
    ("features", "added", "left_out", "taken"),
    [
        ("select", "minus", "", "select minus"),
        ("select aggregates", "", "aggregates", "select"),
        ("select group-by having", "", "aggregates", "select having"),
        ("exists", "", "exists-static", "exists exists-stream"),
        ("minus", "", "keyword-names", "minus without-keyword-names"),
        ("minus", "without-prefixes", "minus", "without-prefixes"),
    ],
)
def test_features_are_declared_and_left_out(
    features: str, added: str, left_out: str, taken: str
) -> None:
    assert redeclared(features.split(), added.split(), left_out.split()) == set(taken.split())


@pytest.mark.parametrize("name", ["filter-nto", "optional-window", "aggregate", "Filter"])
def test_a_wrong_name_has_its_hint(name: str) -> None:
    with pytest.raises(ValueError, match=f"unknown feature '{name}'; did you mean"):
        with_implied(["select", name])


@pytest.mark.parametrize("left_out", ["", *PARTS, *(p for parts in PARTS.values() for p in parts)])
def test_what_is_implied_implies_nothing_more(left_out: str) -> None:
    for declared in (FEATURES.keys() - {left_out}, set(WHOLE) - {left_out}, {left_out} - {""}):
        once = with_implied(declared)
        assert with_implied(once) == once >= declared


def test_every_part_is_a_feature_and_the_simplest_is_one_of_them() -> None:
    for whole, parts in PARTS.items():
        assert whole in WHOLE
        assert set(parts) <= FEATURES.keys() - set(WHOLE)
        assert SIMPLEST.get(whole, parts[0]) == parts[0]
    assert with_implied(WHOLE) == FEATURES.keys()


def _told(text: str) -> list[list[str]]:
    """The lists of features in the hellos of TEXT."""
    return [json.loads(found) for found in re.findall(r'"features": (\[[^\]]*\])', text)]


def hellos() -> list[list[str]]:
    pages = ("protocol.md", "test-your-engine.md")
    told = [found for page in pages for found in _told((DOCS / page).read_text("utf-8"))]
    return [*told, ["select", "filter", "optional", "union", "bind", "aggregates"]]


@pytest.mark.parametrize("declared", hellos())
def test_a_hello_without_parts_says_what_it_always_said(declared: list[str]) -> None:
    """What the engine of such a hello takes is what its names said before they had parts."""
    taken = with_implied(declared)
    assert taken & set(WHOLE) == set(declared)
    for whole in set(declared) & PARTS.keys():
        # Functions in FILTER were asked for with `functions` only.
        others = {"filter-functions"} - ({"filter-functions"} if "functions" in declared else set())
        assert taken >= set(PARTS[whole]) - others


def test_the_page_has_the_parts() -> None:
    page = section((DOCS / "features.md").read_text("utf-8"), "Features with parts")
    table = {
        row[0].strip("`"): tuple(re.findall(r"`([\w-]+)`", row[1])) for row in tables(page)[0][1:]
    }
    assert table == PARTS
    for said, stands_for in re.findall(
        r"`(\[[^\]]*\])` (?:says the same as|is) `(\[[^\]]*\])`", page
    ):
        assert with_implied(json.loads(said)) == with_implied(json.loads(stands_for))


def test_no_restriction_is_a_feature() -> None:
    assert not RESTRICTIONS.keys() & FEATURES.keys()
