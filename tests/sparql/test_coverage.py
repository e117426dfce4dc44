"""What is refused, wherever in a query it stands."""

from __future__ import annotations

import pickle

import pytest

from rsp_conformance.model.algebra import BGP, Extend
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Operation, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.sparql.coverage import refuse
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.spec.evaluate import solutions
from tests.builders import compiled
from tests.builders.sparql import query

SERVICE = "SERVICE :x { ?s :p ?o }"
PLACES = [
    "SELECT * {{ {} }}",
    "SELECT * {{ ?a :r ?b OPTIONAL {{ {} }} }}",
    "SELECT * {{ {{ ?a :r ?b }} UNION {{ {} }} }}",
    "SELECT * {{ GRAPH ?g {{ {} }} }}",
    "SELECT * {{ WINDOW :w {{ ?a :r ?b {{ {} }} FILTER(?a = 1) }} }}",
    "SELECT * {{ ?a :r ?b MINUS {{ {} }} }}",
    "SELECT * {{ ?a :r ?b FILTER(1 = 1 || NOT EXISTS {{ {} }}) }}",
    "SELECT ?b {{ ?a :r ?b {{ SELECT ?a {{ {} }} LIMIT 1 }} }}",
    "SELECT (EXISTS {{ {} }} AS ?e) {{ ?a :r ?b }} ",
    "ASK {{ {{ {} }} BIND(1 AS ?x) }}",
    "CONSTRUCT {{ ?s :r ?o }} {{ {} }}",
]
EXPRESSIONS = {
    "RAND, whose value is not determined": "RAND()",
    "UUID, whose value is not determined": "UUID()",
    "STRUUID, whose value is not determined": "STRUUID()",
    "NOW, whose value is not determined": "NOW()",
    "BNODE, whose value is not determined": 'BNODE("a")',
    "the extension function <http://ex.org/f>": ":f(1)",
    "the extension function <http://www.w3.org/2001/XMLSchema#date>": 'xsd:date("2011-01-10")',
}
POSITIONS = [
    "SELECT * {{ ?s :p ?o FILTER({}) }}",
    "SELECT * {{ ?s :p ?o FILTER(true || IF(COALESCE(1 IN (2, {})), 1, 2)) }}",
    "SELECT * {{ ?s :p ?o OPTIONAL {{ ?s :q ?r FILTER(1 = {}) }} }}",
    "SELECT * {{ BIND(STR({}) AS ?x) }}",
    "SELECT * {{ ?s :p ?o FILTER EXISTS {{ ?s :q ?r MINUS {{ ?s :q ?r FILTER({}) }} }} }}",
    "SELECT * {{ {{ SELECT ?s {{ ?s :p ?o }} GROUP BY ?s HAVING({} = 1) }} }}",
    "SELECT * {{ {{ SELECT ({} AS ?x) {{}} }} }}",
    "SELECT (1 + {} AS ?x) {{}}",
    "SELECT (SUM(xsd:integer({})) AS ?x) {{}}",
    "SELECT (COUNT(*) AS ?n) {{ ?s :p ?o }} GROUP BY ({} AS ?k)",
    "SELECT (COUNT(*) AS ?n) {{ ?s :p ?o }} HAVING (!{})",
    "SELECT * {{ ?s :p ?o }} ORDER BY DESC({})",
]


def refused(text: str) -> str:
    parsed = query(text)
    with pytest.raises(Unsupported) as caught:
        refuse(parsed)
    for evaluate in (solutions, compiled.solutions):
        with pytest.raises(Unsupported) as again:
            evaluate(parsed, Dataset())
        assert again.value.what == caught.value.what
    assert str(caught.value) == f"not evaluated by this kit: {caught.value.what}"
    return caught.value.what


@pytest.mark.parametrize("place", PLACES)
def test_a_pattern_in_every_place(place):
    assert refused(place.format(SERVICE)) == "SERVICE"


@pytest.mark.parametrize("position", POSITIONS)
def test_an_expression_in_every_position(position):
    assert refused(position.format("RAND()")) == "RAND, whose value is not determined"


@pytest.mark.parametrize("what", EXPRESSIONS)
def test_every_such_expression(what):
    assert refused(POSITIONS[0].format(EXPRESSIONS[what])) == what


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("DESCRIBE :a", "DESCRIBE"),
        ("SELECT * { << ?s :p ?o >> :p*/:q ?x }", None),
        ('SELECT (REGEX("a", "\\\\i") AS ?x) {}', None),
        ("SELECT * { ?s :p ?o FILTER(?o > 1 && ?s != :a) } ORDER BY ?o LIMIT 3", None),
    ],
)
def test_others(text, what):
    if what is None:
        refuse(query(text))
    else:
        assert refused(text) == what


def test_an_operation_that_no_text_can_name():
    pattern = Extend(BGP(), Variable("x"), Operation("SHRUG", ()))
    with pytest.raises(Unsupported, match="the function SHRUG"):
        refuse(Query(pattern))


def test_the_error_survives_a_process_border():
    error = pickle.loads(pickle.dumps(Unsupported("SERVICE")))
    assert (error.what, str(error)) == ("SERVICE", "not evaluated by this kit: SERVICE")
