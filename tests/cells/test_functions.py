"""Functions by kinds of arguments: what is heard of an evaluation, and what is always open."""

from __future__ import annotations

import pytest

from rsp_conformance.cells.functions import function_cells, pair_cells
from rsp_conformance.cells.heard import FUNCTIONS, MODIFIERS, PAIRS, Heard
from rsp_conformance.cells.kinds import SAMPLES, kind_of
from rsp_conformance.cells.modifiers import aggregates_met, modifier_cells
from rsp_conformance.model.terms import XSD, Literal
from rsp_conformance.spec.trace import Expectation
from tests.builders.cases import dials
from tests.builders.findings import case_of, stream

WINDOW = "FROM WINDOW :w ON STREAM :s [RANGE 2 STEP 2]"


def heard(pattern: str, *objects: str, select: str = "*", rest: str = "") -> Heard:
    """What is heard of a window in which ``:a :p`` and each of OBJECTS stand."""
    prologue = f"BASE <http://b.org/> PREFIX xsd: <{XSD}>"
    query = f"{prologue} SELECT {select} {WINDOW} WHERE {{ {pattern} }} {rest}"
    case = case_of(query, stream("s", ("; ".join(f"a p {o}" for o in objects), 1)), until=2)
    listener = Heard(case.query)
    Expectation(case, dials(), listener=listener).answer((0,))
    return listener


@pytest.mark.parametrize(
    ("expression", "cell"),
    [
        ("STRLEN(?x)", "STRLEN(1: integer)"),
        ("STRLEN(?nothing)", "STRLEN(1: unbound)"),
        ("STRLEN(STRLEN(?x))", "STRLEN(1: error)"),
        ("?x + STRLEN(?x)", "+(2: error)"),
        ("xsd:string(?x)", "xsd:string(1: integer)"),
        ("REGEX('a', 'A', 'i')", "REGEX flag i"),
        ("REGEX('a', 'A')", "REGEX flag none"),
        ("REGEX('a', 'A')", "REGEX of 2"),
        ("REPLACE('a', 'A', 'b', 'sx')", "REPLACE flag several"),
        ("?x IN ()", "IN of 0"),
        ("?x IN (1, 2, 3)", "IN(candidate: integer)"),
        ("COALESCE(?nothing, ?x)", "COALESCE(later: integer)"),
        ("IF(?x, 'a'@en, 1)", "IF(2: tagged)"),
        ("IRI('b')", "IRI of a relative reference"),
        ("?x && ?nothing", "&&(2: unbound)"),
        ("BOUND(?nothing)", "BOUND(1: unbound)"),
    ],
)
def test_arguments_are_heard_by_their_kinds(expression: str, cell: str) -> None:
    assert (FUNCTIONS, cell) in heard(f"?s :p ?x BIND({expression} AS ?y)", "1").judged
    assert cell in function_cells()


def test_what_is_not_asked_for_is_not_heard() -> None:
    own = heard("?s :p ?x BIND(IF(?x, 'a'@en, ?s) AS ?y)", "1").judged
    assert (FUNCTIONS, "IF(3: IRI)") not in own


@pytest.mark.parametrize(
    ("expression", "cell"),
    [("?x < 1.5", "integer < decimal"), ("?s * 'a'@en", "IRI * tagged")],
)
def test_pairs_are_heard(expression: str, cell: str) -> None:
    assert (PAIRS, cell) in heard(f"?s :p ?x BIND({expression} AS ?y)", "1").judged
    assert pair_cells()[cell] == ""


@pytest.mark.parametrize(
    ("aggregate", "cells"),
    [
        ("MIN(?x)", {"MIN(integer)", "MIN(IRI)", "MIN of several kinds", "MIN ALL"}),
        ("SUM(DISTINCT ?x + 1)", {"SUM of an error and values", "SUM DISTINCT"}),
        ("SUM(?nothing)", {"SUM(unbound)", "SUM of a variable"}),
        ("GROUP_CONCAT(STR(?s) ; SEPARATOR='')", {"GROUP_CONCAT separator empty"}),
    ],
)
def test_groups_are_heard(aggregate: str, cells: set[str]) -> None:
    own = heard("?s :p ?x", "1", "b", select=f"({aggregate} AS ?y)")
    assert {(FUNCTIONS, cell) for cell in cells} <= own.judged
    assert cells <= function_cells().keys()


def test_what_the_texts_leave_open_is_not_judged() -> None:
    own = heard("?s :p ?x", "1", "b", select="(SAMPLE(?x) AS ?y)")
    cell = FUNCTIONS, "SAMPLE of several kinds"
    assert cell in own.met and cell not in own.judged
    assert not own.is_judged
    assert function_cells()[cell[1]].startswith("open: ")


def test_order_and_groups_are_heard() -> None:
    own = heard("?s :p ?x OPTIONAL { ?x :q ?y }", "1", "b", rest="ORDER BY ?x").judged
    assert {(MODIFIERS, "ORDER BY values of several kinds"), (MODIFIERS, "ORDER BY IRIs")} <= own
    assert "ORDER BY values of several kinds" in modifier_cells()
    query = case_of(f"SELECT (COUNT(*) AS ?n) {WINDOW} {{ ?s :p ?x }} GROUP BY ?s", until=2).query
    assert {*aggregates_met(query)} == {"COUNT grouped", "COUNT(*)"}


@pytest.mark.parametrize(("kind", "terms"), SAMPLES.items())
def test_samples_are_of_their_kind(kind: str, terms: tuple[Literal, ...]) -> None:
    assert {kind_of(term) for term in terms} == {kind}


def test_ill_typed_literals_are_no_cells_of_functions() -> None:
    assert kind_of(Literal("x", XSD + "integer")) == "ill-typed"
    assert kind_of(Literal("300", XSD + "byte")) == "ill-typed"
    own = heard("?s :p ?x BIND(STR('x'^^xsd:integer) = 'x'^^xsd:integer AS ?y)", "1")
    assert own.met and {cell for table, cell in own.met if table == PAIRS} == set()
    assert {cell for table, cell in own.met if table == FUNCTIONS} == {"=(1: plain)"}


@pytest.mark.parametrize(
    ("cell", "is_open"),
    [
        ("integer + dateTime with timezone", True),
        ("dateTime without - dateTime without", True),
        ("dateTime without = dateTime without", False),
        ("IRI + integer", False),
        ("error + dateTime without", False),
    ],
)
def test_pairs_that_are_always_open(cell: str, is_open: bool) -> None:
    assert pair_cells()[cell].startswith("open: ") is is_open
