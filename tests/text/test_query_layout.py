"""A query written otherwise is the same query."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rsp_conformance.model.algebra import BGP, TriplePattern
from rsp_conformance.model.layout import CHOICES, PLAIN, Layout, chosen
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import RDF, BlankNode
from rsp_conformance.model.walk import rewritten, within
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query
from tests.generators.queries import queries
from tests.text.corpus import ALL

layouts = st.builds(
    Layout,
    **{name: st.integers(0, most) if most > 1 else st.booleans() for name, most in CHOICES.items()},
)
QUERIES = [parse_query(text) for text in ALL.values()]
P = "PREFIX : <http://ex.org/>\n"


def relabelled(query: Query) -> Query:
    """QUERY with its blank nodes named in the order in which they are met, pattern by pattern."""

    def triples(own: tuple[TriplePattern, ...]) -> tuple[TriplePattern, ...]:
        nodes = (part for triple in own for part in within(triple) if isinstance(part, BlankNode))
        names = {node: BlankNode(f"n{number}") for number, node in enumerate(dict.fromkeys(nodes))}
        change = lambda part: names.get(part, part) if isinstance(part, BlankNode) else part  # noqa: E731
        return tuple(rewritten(triple, change) for triple in own)

    def change(part: Any) -> Any:
        if isinstance(part, BGP):
            return BGP(triples(part.triples))
        return replace(part, template=triples(part.template)) if isinstance(part, Query) else part

    return rewritten(query, change, BGP)


@settings(
    max_examples=250,
    phases=(Phase.explicit, Phase.generate),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
@given(st.one_of(st.sampled_from(QUERIES), queries()), layouts, st.booleans())
def test_another_layout_is_the_same_query(query: Query, layout: Layout, lines: bool) -> None:
    text = print_query(query, layout=layout, one_clause_a_line=lines)
    assert relabelled(parse_query(text)) == relabelled(query), text


@pytest.mark.parametrize("choice", [field.name for field in fields(Layout)])
def test_each_choice_writes_something_otherwise(choice: str) -> None:
    for value in range(1, CHOICES[choice] + 1):
        layout = Layout(**{choice: value if CHOICES[choice] > 1 else True})
        assert chosen(layout) == {choice: value}
        texts = [print_query(query, layout=layout) for query in QUERIES]
        assert texts != [print_query(query) for query in QUERIES]
    assert print_query(QUERIES[0], layout=PLAIN) == print_query(QUERIES[0])


@pytest.mark.parametrize(
    ("layout", "written", "laid"),
    [
        (Layout(lists=2), ":a :p 1 . :a :q 2, 3 . :b :q 2", ":a :p 1 ; :q 2, 3 .|:b :q 2 ."),
        (Layout(anonymous=True), "_:x :q 2 . _:y :r _:z . _:z :s 3", "[] :q 2 .|[] :r [ :s 3 ] ."),
        (Layout(collections=True), "(1 (?x ())) :p 1 . (2) .", "( 1 ( ?x () ) ) :p 1 .|( 2 ) ."),
        # A list of which more is said, or less, is none.
        (
            Layout(collections=True),
            ":a :p _:l . _:l rdf:first 1 ; rdf:rest () . :b :p _:l",
            ":a :p _:l .|_:l rdf:first 1 .|_:l rdf:rest () .|:b :p _:l .",
        ),
        (Layout(semicolons=True), ":a :p 1 . :b :q 2", ":a :p 1 ; .|:b :q 2 ; ."),
        (
            Layout(names=True),
            "<http://ex.org/> <http://ex.org/a.b> <http://ex.org/a/é.>, <http://ex.org/-%2F%>",
            r": :a.b :a\/é\. .|: :a.b :\-%2F\% .",
        ),
        # What follows an accent is still within the name.
        (
            Layout(names=True, lower=True, dollar=True),
            "?x\u0301 :p <http://ex.org/e\u0301#X>, <http://ex.org/e\u0301?x>",
            "$x\u0301 :p :e\u0301\\#X .|$x\u0301 :p :e\u0301\\?x .",
        ),
        # What is said elsewhere as well keeps its label.
        (Layout(anonymous=True), ":a :p _:x . ?y :q _:x", ":a :p _:x .|?y :q _:x ."),
        (Layout(anonymous=True), "<< _:x :p 1 >> :q _:x", "<< _:x :p 1 >> :q _:x ."),
        (Layout(quotes=1), ":a :p 'it\\'s \"so\"'", ":a :p 'it\\'s \"so\"' ."),
        (Layout(quotes=2), ':a :p \'l\\n"""\'', ':a :p """l\n\\"\\"\\"""" .'),
        (Layout(quotes=3, escapes=True), ":a :p 'é', '1'", ":a :p '''\\u00E9''' .|:a :p '''1''' ."),
        (Layout(dollar=True), "?x :p* ?y", "$x :p* $y ."),
        (Layout(brackets=True), "?x :p/^:q ?y", "?x (:p)/(^(:q)) ?y ."),
        (Layout(signs=True), "FILTER(?x - 1 * ?y + 2 > 0)", "FILTER(?x -1 * ?y +2 > 0)"),
        (Layout(lower=True), "FILTER(STRLEN(?SELECT) > 1)", "filter(strlen(?SELECT) > 1)"),
        (Layout(dots=2), "{ ?x :p 1 } BIND(1 AS ?y)", "BIND(1 AS ?y) .|} .|}"),
    ],
)
def test_what_is_written(layout: Layout, written: str, laid: str) -> None:
    query = parse_query(
        f"PREFIX rdf: <{RDF}>\n"
        f"{P}SELECT * {{ ?s ?p ?o OPTIONAL {{ ?b ?b ?b }} {{ {{ {written} }} {{ }} }} }}"
    )
    text = print_query(query, layout=layout)
    lines = re.sub(r"\n *", "|", text) if "\n\\" not in text and "l\n" not in text else text
    assert laid in lines.replace("{ ", "").replace(" }", " ."), text


@pytest.mark.parametrize(
    ("layout", "written", "laid"),
    [
        (
            Layout(where=True),
            "CONSTRUCT { ?s :p [] } WHERE { ?s :p ?o }",
            "CONSTRUCT {\n  ?s :p _:b0 .\n}\n{\n  ?s :p ?o .\n}\n",
        ),
        (
            Layout(modifiers=True),
            "SELECT * { ?s :p ?o } ORDER BY ?s DESC(?o) LIMIT 1 OFFSET 2",
            "ORDER BY ASC(?s) DESC(?o)\nOFFSET 2\nLIMIT 1\n",
        ),
        (
            Layout(relative=True),
            "SELECT * { <http://ex.org/a/b> <urn:p> <http://ex.org/./a>, 'http://ex.org/a' }",
            "BASE <http://ex.org/>\nPREFIX : <http://ex.org/>\nSELECT *\nWHERE {\n"
            '  <a/b> <urn:p> <http://ex.org/./a> .\n  <a/b> <urn:p> "http://ex.org/a" .\n}\n',
        ),
        # What IRI() makes of a relative one would be another one.
        (
            Layout(relative=True),
            "SELECT (IRI('a') AS ?i) { ?s <http://ex.org/a/b> ?o }",
            f'{P}SELECT (IRI("a") AS ?i)\nWHERE {{\n  ?s <http://ex.org/a/b> ?o .\n}}\n',
        ),
        (
            Layout(comments=True),
            "ASK { ?s :p ?o }",
            f'{P.strip()} # {{ ?x }} .\nASK #\nWHERE {{ # "it\'s" <http://\n'
            "  ?s :p ?o . # } WHERE {\n} # { ?x } .\n",
        ),
    ],
)
def test_what_is_written_of_a_query(layout: Layout, written: str, laid: str) -> None:
    query = parse_query(P + written)
    assert print_query(query, layout=layout).endswith(laid)


@pytest.mark.parametrize("wrong", [{"lists": 3}, {"quotes": -1}, {"dollar": 1}, {"lists": True}])
def test_a_choice_that_there_is_not_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"layout: {next(iter(wrong))} is "):
        Layout(**wrong)


@pytest.mark.parametrize("capital", [True, False])
def test_keywords_are_written_in_lower_case_but_for_stream_operators(capital: bool) -> None:
    query = parse_query(
        f"{P}REGISTER RSTREAM :q AS SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE PT2S] "
        "{ WINDOW :w { ?x :p ?y } }"
    )
    laid = print_query(query, layout=Layout(lower=True), capital_operators=capital)
    operator = "RSTREAM" if capital else "RStream"
    assert f"register {operator} :q as\nselect ?x\nfrom named window :w on stream :s [range" in laid
    assert parse_query(laid) == query
