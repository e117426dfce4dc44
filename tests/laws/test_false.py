"""Table 1 by the specification, and where it is false: the smallest counterexamples, pinned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, find, settings

from rsp_conformance.laws import BAGS, SETS, Binding, Law, law_named
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query
from rsp_conformance.sparql.dataset import Dataset, WindowDataset
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.starts import rspql_queries
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies.laws import LawCase, law_cases
from rsp_conformance.text.parse import parse_query
from tests.builders import compiled
from tests.builders.sparql import bag, graph
from tests.builders.terms import PREFIXES, iri
from tests.oracles import oxigraph
from tools.mutation.laws.instances import ROWS, instances
from tools.mutation.laws.measuring import Case as Instance
from tools.mutation.laws.measuring import Cell, by_specification

DIALS = Dials()


def rows(case: Case) -> list[list[tuple[int, Counter[object]]]]:
    """What every z answers, as multisets of rows."""
    expectation = Expectation(case, DIALS)
    return [
        [(e.t, Counter(e.content.rows)) for e in expectation.answer(z)]  # type: ignore[union-attr]
        for z in rspql_queries(case, DIALS)
    ]


def differs(case: LawCase) -> bool:
    return rows(case.left) != rows(case.right)


def counterexample(name: str, distinct: bool, satisfied: bool) -> LawCase:
    return find(
        law_cases(law_named(name), distinct=distinct, satisfied=satisfied),
        differs,
        settings=settings(
            max_examples=2000, database=None, suppress_health_check=list(HealthCheck)
        ),
    )


FALSE = [("FDecompII", False, True), ("BGPush", True, False), ("FWPush", False, False)]
"""Law, whether sets are asked for, and whether its condition is satisfied."""


def holds_as_printed(law: Law, binding: Binding) -> bool:
    stated = law.printed + law.assumed
    return law.well_formed(binding) and all(condition.holds(binding) for condition in stated)


@pytest.mark.parametrize(("name", "distinct", "satisfied"), FALSE)
def test_hypothesis_finds_a_small_counterexample(
    name: str, distinct: bool, satisfied: bool
) -> None:
    law = law_named(name)
    found = counterexample(name, distinct, satisfied)
    assert not law.holds_for(found.binding, SETS if distinct else BAGS)
    if not law.printed_holds_on:
        assert holds_as_printed(law, found.binding)
    assert len(found.left.elements) <= 2, found


A_0 = graph((":a", ":p", 0))
A_B = graph((":a", ":p", ":b"))
INSIDE = Dataset(A_0, {iri("g"): A_B}, {iri("w"): WindowDataset(A_B)}, "background")
WAYS: dict[str, Callable[[Query, Dataset], Relation]] = {
    "specification": solutions,
    "compiled": compiled.solutions,
    "oxigraph": oxigraph.solutions,
}
PINNED = [
    # SEMANTICS 8: {a p 0}, R1 y=0, R2 y<1 gives one row against two.
    ("FDecompII", "?x :p ?y FILTER(?y = 0 || ?y < 1)", 1, 2),
    ("BGPush", "GRAPH ?g { ?x :p ?y } BIND(?g AS ?v)", 1, 1),
    ("BWPush", "WINDOW ?w { ?x :p ?y } BIND(?w AS ?v)", 1, 1),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("name", "text", "left", "right"), PINNED)
def test_the_smallest_counterexamples(
    name: str, text: str, left: int, right: int, way: str
) -> None:
    law = law_named(name)
    pattern = parse_query(f"{PREFIXES} SELECT * WHERE {{ {text} }}").pattern
    binding = law.match(pattern)
    assert binding is not None
    assert holds_as_printed(law, binding)
    assert not law.holds_for(binding)
    sides = [law.left(binding), law.right(binding)]
    bags = [bag(WAYS[way](Query(side), INSIDE)) for side in sides]
    assert [found.total() for found in bags] == [left, right]
    assert bags[0] != bags[1]
    sets = [set(found) for found in bags]
    assert (sets[0] == sets[1]) is (SETS in law.printed_holds_on)


def test_what_binds_inside_does_not_see_the_name() -> None:
    """``GRAPH ?g { ?x :p ?y BIND(?g AS ?v) }`` leaves ?v unbound; outside, ?v is the graph."""
    law = law_named("BGPush")
    text = "GRAPH ?g { ?x :p ?y } BIND(?g AS ?v)"
    pattern = parse_query(f"{PREFIXES} SELECT * WHERE {{ {text} }}").pattern
    binding = law.match(pattern)
    assert binding is not None
    (outside,) = bag(solutions(Query(law.left(binding)), INSIDE))
    (inside,) = bag(solutions(Query(law.right(binding)), INSIDE))
    assert outside - inside == {("v", iri("g"))}
    assert inside < outside


# --- Cases of all laws, whole queries over streams, by the specification --------------------------

CASES = [
    Instance(row, semantics, pair)
    for row in ROWS
    for semantics in (SETS, BAGS)
    for pair in instances(row, semantics, 6 if row.claimed(semantics) else 60)
]


def expected(cells: dict[tuple[str, str], Cell]) -> None:
    for row in ROWS:
        for semantics in (SETS, BAGS):
            cell = cells[row.title, semantics]
            assert cell.holds is row.claimed(semantics), (row.title, semantics, cell)


def test_by_the_specification() -> None:
    cells = by_specification(CASES)
    expected(cells)
    told = sum(cell.with_rows for cell in cells.values())
    assert told > sum(cell.cases for cell in cells.values()) / 2


def test_a_cell_is_drawn_the_same_every_time() -> None:
    (row, *_) = ROWS
    assert instances(row, SETS, 6) == [c.pair for c in CASES if c.row == row][:6]
