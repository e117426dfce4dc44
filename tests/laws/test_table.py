"""The table as data: names, statements, conditions, matching, and what can be written in SPARQL."""

from __future__ import annotations

import pytest

from rsp_conformance.laws import BAGS, HEURISTICS, LAWS, SETS, Binding, Law, law_named, rewritings
from rsp_conformance.laws.conditions import mentioned, selectivity, well_formed
from rsp_conformance.laws.schemes import match
from rsp_conformance.model.algebra import BGP, Extend, Filter, LeftJoin, Pattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.uncertainty import RSPU
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query
from tests.builders.terms import PREFIXES
from tools.mutation.laws.instances import Row, instances

STATEMENTS = """
UAss: (P1 UNION P2) UNION P3 ≡ P1 UNION (P2 UNION P3)
JAss: (P1 AND P2) AND P3 ≡ P1 AND (P2 AND P3)
UComm: P1 UNION P2 ≡ P2 UNION P1
JComm: P1 AND P2 ≡ P2 AND P1
JUDistR: (P1 UNION P2) AND P3 ≡ (P1 AND P3) UNION (P2 AND P3)
LUDistR: (P1 UNION P2) OPT P3 ≡ (P1 OPT P3) UNION (P2 OPT P3)
FDecompI: P FILTER (R1 ∧ R2) ≡ (P FILTER R1) FILTER R2
FDecompII: P FILTER (R1 ∨ R2) ≡ (P FILTER R1) UNION (P FILTER R2)
FReordI: P FILTER (R1 ∧ R2) ≡ P FILTER (R2 ∧ R1)
FReordII: P FILTER (R1 ∨ R2) ≡ P FILTER (R2 ∨ R1)
FUPush: (P1 UNION P2) FILTER R ≡ (P1 FILTER R) UNION (P2 FILTER R)
FJPush: (P1 AND P2) FILTER R ≡ (P1 FILTER R) AND P2
FLPush: (P1 OPT P2) FILTER R ≡ (P1 FILTER R) OPT P2
FWPush: (WINDOW n P) FILTER R ≡ WINDOW n (P FILTER R)
BGPush: (GRAPH n P) BIND C AS ?v ≡ GRAPH n (P BIND C AS ?v)
BWPush: (WINDOW n P) BIND C AS ?v ≡ WINDOW n (P BIND C AS ?v)
BJPush: (P1 AND P2) BIND C AS ?v ≡ (P1 BIND C AS ?v) AND P2
BLPush: (P1 OPT P2) BIND C AS ?v ≡ (P1 BIND C AS ?v) OPT P2
""".strip().splitlines()

every_law = pytest.mark.parametrize("law", (*LAWS, *HEURISTICS), ids=lambda law: law.name)


def bindings(law: Law, semantics: str, number: int) -> list[Binding]:
    return [case.binding for case in instances(Row(law), semantics, number)]


def group(text: str) -> Pattern:
    return parse_query(f"{PREFIXES} SELECT * WHERE {{ {text} }}").pattern


def condition(text: str) -> object:
    pattern = group(f"FILTER({text})")
    assert isinstance(pattern, Filter)
    return pattern.condition


def test_the_table_has_its_eighteen_laws_and_says_where_they_are_false() -> None:
    assert [f"{law.name}: {law.statement}" for law in LAWS] == STATEMENTS
    assert [law_named(law.name) for law in LAWS] == list(LAWS)
    assert [law.name for law in LAWS if law.holds_on != {SETS, BAGS}] == ["FDecompII"]
    assert [law.name for law in LAWS if not law.printed_holds_on] == ["BGPush", "BWPush"]
    assert [law.name for law in LAWS if law.missing] == ["FWPush", "BGPush", "BWPush"]


@every_law
def test_both_sides_parse_back_and_matching_undoes_building(law: Law) -> None:
    semantics = BAGS if BAGS in law.holds_on else SETS
    for binding in bindings(law, semantics, 25):
        for side in (law.left(binding), law.right(binding)):
            query = Query(side)
            assert parse_query(print_query(query)) == query, print_query(query)
        left = law.match(law.left(binding))
        right = match(law.right_side, law.right(binding))
        assert left is not None
        assert right is not None
        assert {name: left[name] for name in binding} == binding
        assert {name: right[name] for name in binding} == binding


def test_opt_keeps_the_filter_of_its_right_operand_and_has_no_condition() -> None:
    """Pérez' ``P1 OPT (P2 FILTER R)``: R does not see P1, so it prints in braces of its own."""
    filtered = LeftJoin(group("?x :p ?y"), group("?x :q ?z FILTER(?y = 1)"))
    text = print_query(Query(filtered))
    assert "OPTIONAL {\n    {\n" in text
    assert parse_query(text).pattern == filtered
    assert group("?x :p ?y OPTIONAL { ?x :q ?z FILTER(?y = 1) }") != filtered
    pattern = group("?x :p ?y OPTIONAL { ?x :q ?z FILTER(?y = 1) } FILTER(?y = 1)")
    assert law_named("FLPush").match(pattern) is None
    pattern = group("?x :p ?y OPTIONAL { { ?x :q ?z FILTER(?y = 1) } } FILTER(?y = 1)")
    assert law_named("FLPush").match(pattern) is not None


CONDITIONS = [
    ("FJPush", "?x :p ?y { ?x :q ?z } FILTER(?y = 1)", True),
    ("FJPush", "?x :p ?y { ?x :q ?z } FILTER(?x = 1)", False),
    ("FJPush", "?x :p ?y { ?x :q ?z } FILTER(?z = 1)", False),
    ("H1", "?x :p ?y . ?x :q :a", True),
    ("H1", "?x :q :a . ?x :p ?y", False),
    ("H1", "?x :p ?y . ?x :q ?z", True),
    ("H1", ":a :p ?y . << ?y :p :a >> :q ?z", False),
    ("H1", ":a :p ?y . << :b :p :a >> :q ?z", True),
    ("H1", "?y ?q ?z . << :a :p :a >> ?q ?y", True),
    ("H2", "{ GRAPH ?g { ?x :p ?y } } { GRAPH :g { ?x :q ?z } }", True),
    ("H2", "{ GRAPH :g { ?x :p ?y } } { GRAPH ?g { ?x :q ?z } }", False),
    ("H2", "{ GRAPH :g { ?x :p ?y } } { GRAPH :h { ?x :q ?z } }", False),
    ("H3", "?x :p ?y { ?x :q ?z } FILTER(?y = 1 && ?z = 1)", True),
    ("H3", "?x :p ?y { ?x :q ?z } FILTER(?z = 1 && ?y = 1)", False),
    ("H3", "?x :p ?y { ?x :q ?z } FILTER(?x = 1 && ?z = 1)", False),
    ("H4", f"{{ ?x :p ?y FILTER(<{RSPU}greaterThan>(?y, 1) > 0.5) }} {{ ?x :q ?z }}", True),
    ("H4", "{ ?x :p ?y FILTER(?y > 1) } { ?x :q ?z }", False),
    ("FLPush", "?x :p ?y OPTIONAL { ?x :q ?z } FILTER(?y = 1)", True),
    ("FLPush", "?x :p ?y OPTIONAL { ?x :q ?z } FILTER(BOUND(?z))", False),
    ("FWPush", "WINDOW ?w { ?x :p ?y } FILTER(?y = 1)", True),
    ("FWPush", "WINDOW ?w { ?x :p ?y } FILTER(?w = :w1)", False),
    ("FWPush", "WINDOW ?w { ?x :p ?w } FILTER(?w = :w1)", True),
    ("FWPush", "WINDOW :w { ?x :p ?y BIND(1 AS ?z) } FILTER(?z = 1)", False),
    ("FWPush", "WINDOW :w { ?x :p ?y } FILTER(EXISTS { ?x :p ?y })", False),
    ("BGPush", "GRAPH ?g { ?x :p ?y } BIND(?y AS ?v)", True),
    ("BGPush", "GRAPH ?g { ?x :p ?y } BIND(?g AS ?v)", False),
    ("BGPush", "GRAPH ?g { ?g :p ?y } BIND(?g AS ?v)", True),
    ("BGPush", "GRAPH ?g { ?x :p ?y OPTIONAL { ?g :q ?x } } BIND(?g AS ?v)", False),
    ("BWPush", "WINDOW ?w { ?x :p ?y } BIND(?w AS ?v)", False),
    ("BWPush", "WINDOW :w { ?x :p ?y } BIND(?z AS ?v)", True),
    ("BJPush", "?x :p ?y { ?x :q ?z } BIND(?y AS ?v)", True),
    ("BJPush", "?x :p ?y { ?x :q ?z } BIND(?z AS ?v)", False),
    ("BLPush", "?x :p ?y OPTIONAL { ?x :q ?z } BIND(?z AS ?v)", False),
    ("FReordI", "?x :p ?y FILTER(RAND() < 0.5 && ?y = 1)", False),
    ("FReordII", "?x :p ?y FILTER(RAND() < 0.5 || ?y = 1)", False),
]


@pytest.mark.parametrize(("name", "text", "holds"), CONDITIONS)
def test_side_conditions(name: str, text: str, holds: bool) -> None:
    law, pattern = law_named(name), group(text)
    binding = law.match(pattern)
    assert binding is not None
    assert law.holds_for(binding) is holds
    expected = [law.right(binding)] if holds else []
    assert list(rewritings(law, pattern)) == expected


ORDER = (":a :p :b", ":a ?q :b", "?x :p :b", ":a :p ?y", "?x ?q :b", ":a ?q ?y", "?x :p ?y")


def test_the_order_of_selectivity_is_the_printed_one() -> None:
    """(s,p,o) ≺ (s,?,o) ≺ (?,p,o) ≺ (s,p,?) ≺ (?,?,o) ≺ (s,?,?) ≺ (?,p,?) ≺ (?,?,?)."""
    patterns = [group(text) for text in (*ORDER, "?x ?q ?y")]
    triples = [pattern.triples[0] for pattern in patterns if isinstance(pattern, BGP)]
    assert [selectivity(triple) for triple in triples] == [*range(8)]


def test_what_is_well_formed() -> None:
    law = law_named("BJPush")
    binding = Binding(P1=group("?x :p ?y"), P2=group("?x :q ?v"), C=Variable("y"), v=Variable("v"))
    assert not law.well_formed(binding)
    assert not law.holds_for(binding)
    assert well_formed(Extend(BGP(), Variable("x"), Variable("y")))
    assert not well_formed(Extend(group("?x :p ?y"), Variable("x"), Variable("y")))
    # JUDistR writes P3 twice, which no blank node label allows.
    law = law_named("JUDistR")
    operands = {"P1": group("?x :p ?y"), "P2": group("?x :q ?y")}
    assert law.holds_for(Binding(**operands, P3=group("?x :r ?z")))
    assert not law.holds_for(Binding(**operands, P3=group("?x :r _:b")))
    expression = condition("?a = 1 && EXISTS { ?b :p ?c FILTER(?d = 1) }")
    assert mentioned(expression) == set("abcd")  # type: ignore[arg-type]


def test_where_a_law_is_applied() -> None:
    pattern = group("WINDOW :w { { ?x :p ?y } UNION { ?x :q ?y } } { ?z :p ?y } UNION { ?z :q ?y }")
    found = list(rewritings(law_named("UComm"), pattern))
    assert found == [
        group("WINDOW :w { { ?x :q ?y } UNION { ?x :p ?y } } { ?z :p ?y } UNION { ?z :q ?y }"),
        group("WINDOW :w { { ?x :p ?y } UNION { ?x :q ?y } } { ?z :q ?y } UNION { ?z :p ?y }"),
    ]
    pattern = group("?x :p ?y FILTER(?y = 0 || ?y < 1)")
    law = law_named("FDecompII")
    assert list(rewritings(law, pattern)) == []
    assert len(list(rewritings(law, pattern, SETS))) == 1
    law = law_named("FDecompII")
    sides = group("{ ?x :p ?y FILTER(?y = 0) } UNION { ?x :p ?z FILTER(?y < 1) }")
    assert match(law.right_side, sides) is None
    with pytest.raises(KeyError):
        law.left(Binding(R1=IRI("http://ex.org/a")))
