"""Shapes of queries, and overrides that ask for them (SEMANTICS 5)."""

from __future__ import annotations

import json

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import FEATURES, PARTS, SHAPES, check_shapes
from rsp_conformance.model.profiles import profile_from_json
from rsp_conformance.model.query import Query
from rsp_conformance.model.usage import query_shapes
from rsp_conformance.protocol.registry import connect
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.parse import parse_query
from tests.builders.findings import case_of, stream
from tests.builders.reference import message, observed, run
from tests.builders.terms import PREFIXES
from tests.docs.markdown import DOCS, section, tables

WINDOWS = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] "
W = "WINDOW :w { ?x :p ?y }"

SHAPED = [
    (f"SELECT ?x {WINDOWS}WHERE {{ {W} }}", "tumbling"),
    (f"SELECT ?x {WINDOWS}WHERE {{ WINDOW :w {{ ?x :p ?y . ?y :q ?z }} }}", "join tumbling"),
    (f"SELECT ?x {WINDOWS}WHERE {{ {W} WINDOW :w {{ ?y :q ?z }} }}", "join tumbling"),
    (f"SELECT ?x {WINDOWS}WHERE {{ {W} ?y :q ?z }}", "tumbling"),
    (f"SELECT ?x {WINDOWS}WHERE {{ ?x :p ?y . ?y :q ?z }}", "tumbling"),
    (f"SELECT ?x {WINDOWS}WHERE {{ GRAPH :w {{ ?x :p ?y . ?y :q ?z }} }}", "join tumbling"),
    (f"SELECT ?x {WINDOWS}WHERE {{ GRAPH :g {{ ?x :p ?y . ?y :q ?z }} }}", "tumbling"),
    (
        f"SELECT ?x {WINDOWS.replace('NAMED ', '')}WHERE {{ ?x :p ?y . ?y :q ?z }}",
        "join tumbling",
    ),
    (f"SELECT ?x {WINDOWS}WHERE {{ WINDOW :w {{ ?x ?q ?y }} }}", "variable-predicate tumbling"),
    (f"SELECT ?x {WINDOWS}WHERE {{ WINDOW :w {{ ?x :p ?x }} }}", "repeated-variable tumbling"),
    (
        f"CONSTRUCT {{ ?x ?y ?x }} {WINDOWS}WHERE {{ {W} }}",
        "tumbling",
    ),
    (
        f"SELECT ?x (COUNT(?y) AS ?n) {WINDOWS}WHERE {{ {W} }} GROUP BY ?x",
        "one-aggregate group-by tumbling",
    ),
    (
        f"SELECT (COUNT(*) AS ?n) {WINDOWS}WHERE {{ {W} }}",
        "one-aggregate ungrouped-aggregate tumbling",
    ),
    (
        f"SELECT (COUNT(?y + 1) AS ?n) {WINDOWS}WHERE {{ {W} }}",
        "one-aggregate ungrouped-aggregate aggregate-expressions tumbling",
    ),
    (
        f"SELECT (MIN(?y) AS ?n) (MAX(?y) AS ?m) {WINDOWS}WHERE {{ {W} }}",
        "one-aggregate ungrouped-aggregate several-aggregates tumbling",
    ),
    (
        f"SELECT (MIN(?y) AS ?n) {WINDOWS}WHERE {{ {W} }} HAVING (COUNT(*) > 1)",
        "one-aggregate ungrouped-aggregate several-aggregates tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ {W} OPTIONAL {{ ?y :q ?z }} }}",
        "optional-static tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ WINDOW :w {{ ?x :p ?y OPTIONAL {{ ?y :q ?z }} }} }}",
        "optional-stream join tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ ?x :p ?y OPTIONAL {{ WINDOW :w {{ ?y :q ?z }} }} }}",
        "optional-stream tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ ?x :p ?y OPTIONAL {{ GRAPH ?g {{ ?y :q ?z }} }} }}",
        "optional-stream optional-static tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ {W} FILTER EXISTS {{ ?y :q ?z }} }}",
        "exists-static tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ {W} FILTER(?y > 1 && (?x = :a || ?y < 3)) }}",
        "filter-comparisons tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ {W} FILTER(!(?y > 1)) }}",
        "filter-comparisons filter-not tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ {W} FILTER(?y NOT IN (1, 3)) }}",
        "filter-comparisons filter-in tumbling",
    ),
    (
        f'SELECT ?x {WINDOWS}WHERE {{ {W} FILTER(STR(?y) = "1") }}',
        "filter-comparisons filter-functions tumbling",
    ),
    (
        f"ASK {WINDOWS}WHERE {{ {W} OPTIONAL {{ ?x :q ?z FILTER(xsd:integer(?z) IN (1)) }} }}",
        "optional-static filter-comparisons filter-functions filter-in tumbling",
    ),
    (f"SELECT ?x {WINDOWS}WHERE {{ {W} BIND(STR(?y) AS ?z) }}", "other-functions tumbling"),
    (
        f"SELECT (STR(?y) AS ?z) {WINDOWS}WHERE {{ {W} FILTER(?y = 1) }}",
        "other-functions filter-comparisons tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ {W} {{ ?x :p ?z }} UNION {{ ?x :q ?z }} }}",
        "union-static tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ WINDOW :w {{ {{ ?x :p ?z }} UNION {{ ?x :q ?z }} }} }}",
        "union-stream join tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ {{ {W} }} UNION {{ ?x :q ?z }} }}",
        "union-stream union-static tumbling",
    ),
    (
        f"SELECT (COUNT(DISTINCT ?y) AS ?n) {WINDOWS}WHERE {{ {W} }}",
        "one-aggregate ungrouped-aggregate count-distinct tumbling",
    ),
    (f"SELECT ?x {WINDOWS}WHERE {{ {W} }} GROUP BY ?x", "group-by tumbling"),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ {W} FILTER NOT EXISTS {{ {W} }} }}",
        "exists-stream join tumbling",
    ),
    (
        f"SELECT ?x {WINDOWS}WHERE {{ {W} {{ SELECT (COUNT(*) AS ?n) WHERE {{ ?x :q ?x }} }} }}",
        "one-aggregate ungrouped-aggregate repeated-variable tumbling",
    ),
    (f"SELECT ?x {WINDOWS.replace('4]', '2]')}WHERE {{ {W} }}", "overlapping"),
    (f"SELECT ?x {WINDOWS.replace('4]', '5]')}WHERE {{ {W} }}", ""),
    (f"SELECT ?x {WINDOWS.replace(' STEP 4', '')}WHERE {{ {W} }}", "overlapping slide-one"),
    (
        f"SELECT ?x {WINDOWS.replace('4 STEP 4', '1 STEP 1')}WHERE {{ {W} }}",
        "tumbling slide-one",
    ),
    (
        f"SELECT ?x {WINDOWS.replace('4 STEP 4', 'PT2S STEP PT1S')}WHERE {{ {W} }}",
        "overlapping",
    ),
]


FINER = {part for parts in PARTS.values() for part in parts}
OF_DATA = set(PARTS["blank-nodes"])


def query(text: str) -> Query:
    return parse_query(PREFIXES + text)


@pytest.mark.parametrize(("text", "shapes"), SHAPED)
def test_the_shapes_of_a_query(text: str, shapes: str) -> None:
    used = query_shapes(query(text), Dials())
    assert used & (SHAPES.keys() | FINER) == set(shapes.split())
    for whole, parts in PARTS.items():
        assert whole == "functions" or whole in used or used.isdisjoint(parts)


def test_every_shape_is_tested_and_stands_in_the_semantics() -> None:
    tested = {shape for _, shapes in SHAPED for shape in shapes.split()}
    assert tested == SHAPES.keys() | FINER - OF_DATA
    page = section((DOCS / "semantics.md").read_text("utf-8"), "Shapes")
    listed = {name.strip(" `") for row in tables(page)[0][1:] for name in row[0].split(",")}
    assert listed == set(SHAPES)
    assert not SHAPES.keys() & FEATURES.keys()


def test_where_all_windows_are_merged_patterns_outside_read_both() -> None:
    text = f"SELECT ?x {WINDOWS}WHERE {{ ?x :p ?y OPTIONAL {{ ?y :q ?z }} }}"
    merged = Dials().with_dial("windows_in", "default")
    used = query_shapes(query(text), merged) & (SHAPES.keys() | FINER)
    assert used == {"join", "optional-static", "optional-stream", "tumbling"}


def test_the_unit_says_how_long_a_slide_is() -> None:
    text = f"SELECT ?x {WINDOWS.replace('4 STEP 4', 'PT2S STEP PT1S')}WHERE {{ {W} }}"
    seconds = Dials().with_dial("unit", 1000)
    assert query_shapes(query(text), seconds) & SHAPES.keys() == {"overlapping", "slide-one"}
    three = Dials().with_dial("unit", 3000)
    assert not query_shapes(query(text), three) & SHAPES.keys()


CQELS_2 = {
    "base": "rsp-ql",
    "report": "WC & NC",
    "overrides": [
        {"when": ["ungrouped-aggregate", "!several-aggregates"], "dials": {"bounds": "[o,c)"}},
        {"when": ["join"], "dials": {"report": "CC"}},
        {"when": ["!select"], "dials": {"empty_answers": "no"}},
        {"when": ["x-own", "select"], "dials": {"tick": "tuple"}},
    ],
}
"""CQELS 2 has a semantics of its own for several shapes."""


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        (f"SELECT ?x {WINDOWS}WHERE {{ {W} }}", {}),
        (f"SELECT (MIN(?y) AS ?n) {WINDOWS}WHERE {{ {W} }}", {"bounds": "[o,c)"}),
        (f"SELECT (MIN(?y) AS ?n) (MAX(?y) AS ?m) {WINDOWS}WHERE {{ {W} }}", {}),
        (f"SELECT ?x {WINDOWS}WHERE {{ WINDOW :w {{ ?x :p ?y . ?y :q ?z }} }}", {"report": "CC"}),
        (f"ASK {WINDOWS}WHERE {{ {W} }}", {"empty_answers": "no"}),
    ],
)
def test_overrides_hold_for_shapes_and_for_their_absence(text: str, turned: dict[str, str]) -> None:
    profile = profile_from_json(CQELS_2)
    assert profile_from_json(profile.to_json()) == profile
    assert profile.dials(query(text)) == profile.base.with_dials(turned)


def test_the_reference_engine_has_the_dials_of_the_shape() -> None:
    profile = {**CQELS_2, "t0": 0}
    dials = profile_from_json(profile)
    for text in (
        f"SELECT (MIN(?y) AS ?n) {WINDOWS}WHERE {{ {W} }}",
        f"SELECT ?x {WINDOWS}WHERE {{ WINDOW :w {{ ?x :p ?y . ?y :q ?z }} }}",
    ):
        case = case_of(text, stream("s", ("a p b; b q c", 0), ("a p 1", 4), ("c p 2", 5)), until=9)
        resolved = dials.dials(case.query)
        assert resolved != dials.base
        request = message(case, resolved)
        answers = observed(ReferenceEngine({"profile": json.dumps(profile)}).run(request), request)
        assert judge(case, resolved, answers).correct
        assert not judge(case, dials.base, answers).correct
        assert answers == run(case, resolved)


def test_a_shape_under_its_former_name() -> None:
    text = f"SELECT (MIN(?y + 1) AS ?n) {WINDOWS}WHERE {{ {W} }}"
    for name in ("aggregate-expression", "aggregate-expressions"):
        when = [{"when": [name], "dials": {"report": "CC"}}]
        profile = profile_from_json({"base": "rsp-ql", "overrides": when})
        assert profile.dials(query(text)).report != profile.base.report


@pytest.mark.parametrize("name", ["jion", "!tumblin", "!", "!!join", ""])
def test_an_unknown_shape_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match="unknown shape"):
        check_shapes([name])


def test_a_hello_says_dials_and_shapes() -> None:
    profile = {**CQELS_2, "t0": "first-aligned-open", "empty_group": "none", "clock": "own"}
    met = EngineUnderTest.meet(connect("reference", {"profile": json.dumps(profile)}))
    assert met.profile.overrides == profile_from_json(profile).overrides
    assert met.profile.base == profile_from_json(profile).base
