"""Shapes of queries, and overrides that ask for them (SEMANTICS 5)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import FEATURES, PARTS, SHAPES, check_shapes
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Query
from rsp_conformance.model.usage import query_features, query_shapes
from rsp_conformance.protocol.registry import connect
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.parse import parse_query
from tests.builders.findings import case_of, stream
from tests.builders.reference import message, observed, run
from tests.builders.terms import PREFIXES
from tests.docs.markdown import DOCS, section, tables

WINDOWS = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] "
W = "WINDOW :w { ?x :p ?y }"

SHAPED = """
W → tumbling
WINDOW :w { ?x :p ?y . ?y :q ?z } → join tumbling
W WINDOW :w { ?y :q ?z } → join tumbling
W ?y :q ?z → tumbling
?x :p ?y . ?y :q ?z → tumbling
GRAPH :w { ?x :p ?y . ?y :q ?z } → join tumbling
GRAPH :g { ?x :p ?y . ?y :q ?z } → tumbling
?x :p ?y . ?y :q ?z |  | merged → join tumbling
WINDOW :w { ?x ?q ?y } → variable-predicate tumbling
WINDOW :w { ?x :p ?x } → repeated-variable tumbling
W | CONSTRUCT { ?x ?y ?x } → tumbling
W | SELECT ?x (COUNT(?y) AS ?n) |  | GROUP BY ?x → one-aggregate group-by tumbling
W | SELECT (COUNT(*) AS ?n) → one-aggregate ungrouped-aggregate tumbling
W | SELECT (COUNT(?y + 1) AS ?n) → one-aggregate ungrouped-aggregate aggregate-expressions tumbling
W | SELECT (MIN(?y) AS ?n) (MAX(?y) AS ?m) →
  one-aggregate ungrouped-aggregate several-aggregates tumbling
W | SELECT (MIN(?y) AS ?n) |  | HAVING (COUNT(*) > 1) →
  one-aggregate ungrouped-aggregate several-aggregates tumbling
W OPTIONAL { ?y :q ?z } → optional-static tumbling
WINDOW :w { ?x :p ?y OPTIONAL { ?y :q ?z } } → optional-stream join tumbling
?x :p ?y OPTIONAL { WINDOW :w { ?y :q ?z } } → optional-stream tumbling
?x :p ?y OPTIONAL { GRAPH ?g { ?y :q ?z } } → optional-stream optional-static tumbling
W FILTER EXISTS { ?y :q ?z } → exists-static tumbling
W FILTER(?y > 1 && (?x = :a || ?y < 3)) → filter-comparisons tumbling
W FILTER(!(?y > 1)) → filter-comparisons filter-not tumbling
W FILTER(?y NOT IN (1, 3)) → filter-comparisons filter-in tumbling
W FILTER(STR(?y) = "1") → filter-comparisons filter-functions tumbling
W OPTIONAL { ?x :q ?z FILTER(xsd:integer(?z) IN (1)) } | ASK →
  optional-static filter-comparisons filter-functions filter-in tumbling
W BIND(STR(?y) AS ?z) → other-functions tumbling
W FILTER(?y = 1) | SELECT (STR(?y) AS ?z) → other-functions filter-comparisons tumbling
W { ?x :p ?z } UNION { ?x :q ?z } → union-static tumbling
WINDOW :w { { ?x :p ?z } UNION { ?x :q ?z } } → union-stream join tumbling
{ W } UNION { ?x :q ?z } → union-stream union-static tumbling
W | SELECT (COUNT(DISTINCT ?y) AS ?n) → one-aggregate ungrouped-aggregate count-distinct tumbling
W |  |  | GROUP BY ?x → group-by tumbling
W FILTER NOT EXISTS { W } → exists-stream join tumbling
W { SELECT (COUNT(*) AS ?n) WHERE { ?x :q ?x } } →
  one-aggregate ungrouped-aggregate repeated-variable tumbling
W |  | 4 STEP 2 → overlapping
W |  | 4 STEP 5 →
W |  | 4 → overlapping slide-one
W |  | 1 STEP 1 → tumbling slide-one
W |  | PT2S STEP PT1S → overlapping
W |  | counted ELEMENTS 2 → element-windows
W |  | counted TRIPLES 2 → triple-windows
W |  | counted ELEMENTS 2 STEP 2 → element-windows tumbling
W |  | counted TRIPLES 3 STEP 2 → overlapping triple-windows
W |  | counted ELEMENTS 2 STEP 3 → element-windows
W |  | counted NOW →
"""
"""Patterns and shapes; behind bars a head, a window and a tail that are not the usual ones."""


def shaped() -> Iterator[tuple[str, str]]:
    """The rows of the table: a query, and its shapes."""
    for row in SHAPED.replace("→\n  ", "→").splitlines()[1:]:
        written, _, shapes = row.partition("→")
        pattern, head, size, tail = (*map(str.strip, written.split(" | ")), "", "", "")[:4]
        windows = WINDOWS if size != "merged" else WINDOWS.replace("NAMED ", "")
        if size not in ("", "merged"):
            windows = WINDOWS.replace("4 STEP 4", size).replace("RANGE counted ", "")
        where = re.sub(r"\bW\b", W, pattern)
        yield f"{head or 'SELECT ?x'} {windows}WHERE {{ {where} }} {tail}".strip(), shapes.strip()


FINER = {part for parts in PARTS.values() for part in parts}
OF_DATA = set(PARTS["blank-nodes"])


def query(text: str) -> Query:
    return parse_query(PREFIXES + text)


@pytest.mark.parametrize(("text", "shapes"), shaped())
def test_the_shapes_of_a_query(text: str, shapes: str) -> None:
    used = query_shapes(query(text), Dials())
    assert used & (SHAPES.keys() | FINER) == set(shapes.split())
    for whole, parts in PARTS.items():
        assert whole == "functions" or whole in used or used.isdisjoint(parts)


@pytest.mark.parametrize(
    ("size", "features"),
    [
        ("ELEMENTS 2", set()),
        ("ELEMENTS 2 STEP 2", {"count-steps"}),
        ("TRIPLES 2 STEP 3", {"count-steps", "gap-windows"}),
        ("RANGE 2 STEP 3", {"gap-windows"}),
    ],
)
def test_a_slide_that_is_written_is_a_feature(size: str, features: set[str]) -> None:
    text = f"SELECT ?x {WINDOWS.replace('RANGE 4 STEP 4', size)}WHERE {{ {W} }}"
    assert query_features(query(text)) & {"count-steps", "gap-windows"} == features


def test_every_shape_is_tested_and_stands_in_the_semantics() -> None:
    tested = {shape for _, shapes in shaped() for shape in shapes.split()}
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
    profile = PROFILES.read(Profile, CQELS_2)
    assert PROFILES.read(Profile, PROFILES.write(Profile, profile)) == profile
    assert profile.dials(query(text)) == profile.base.with_dials(turned)


def test_the_reference_engine_has_the_dials_of_the_shape() -> None:
    profile = {**CQELS_2, "t0": 0}
    dials = PROFILES.read(Profile, profile)
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
        profile = PROFILES.read(Profile, {"base": "rsp-ql", "overrides": when})
        assert profile.dials(query(text)).report != profile.base.report


@pytest.mark.parametrize("name", ["jion", "!tumblin", "!", "!!join", ""])
def test_an_unknown_shape_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match="unknown shape"):
        check_shapes([name])


def test_a_hello_says_dials_and_shapes() -> None:
    profile = {**CQELS_2, "t0": "first-aligned-open", "empty_group": "none", "clock": "own"}
    met = EngineUnderTest.meet(connect("reference", {"profile": json.dumps(profile)}))
    assert met.profile.overrides == PROFILES.read(Profile, profile).overrides
    assert met.profile.base == PROFILES.read(Profile, profile).base
