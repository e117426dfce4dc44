"""From text to algebra (SPARQL 1.1, section 18.2.2), point by point."""

from __future__ import annotations

import pytest

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Aggregate, Expression, Operation, Variable
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query, StreamOperator
from rsp_conformance.model.terms import (
    IRI,
    RDF,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Triple,
)
from rsp_conformance.model.windows import Duration, WindowDeclaration
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import integer, iri

x, y = Variable("x"), Variable("y")


def triple(name: str) -> TriplePattern:
    """``?x :NAME ?y``."""
    return TriplePattern(x, iri(name), y)


def query(text: str) -> Query:
    return parse_query(f"PREFIX : <http://ex.org/> {text}")


def pattern(text: str) -> Pattern:
    return query(f"SELECT * {{ {text} }}").pattern


P, Q, R = (BGP((triple(name),)) for name in "pqr")
big: Expression = Operation(">", (y, integer(1)))
small: Expression = Operation("<", (y, integer(9)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", BGP()),
        ("{} {{}}", BGP()),
        ("?x :p ?y . ?x :q ?y", BGP((triple("p"), triple("q")))),
        ("?x :p ?y FILTER(?y > 1) ?x :q ?y", Filter(big, BGP((triple("p"), triple("q"))))),
        ("?x :p ?y {} ?x :q ?y", Join(P, Q)),
        ("?x :p ?y { ?x :q ?y }", Join(P, Q)),
        ("{ ?x :p ?y } { ?x :q ?y } ?x :r ?y", Join(Join(P, Q), R)),
        ("{ ?x :p ?y { ?x :q ?y } } ?x :r ?y", Join(Join(P, Q), R)),
        ("?x :p ?y { ?x :q ?y { ?x :r ?y } }", Join(P, Join(Q, R))),
        ("FILTER(?y > 1) ?x :p ?y FILTER(?y < 9)", Filter(small, Filter(big, P))),
        ("{ FILTER(?y > 1) ?x :p ?y } FILTER(?y < 9)", Filter(small, Filter(big, P))),
        ("?x :p ?y { FILTER(?y > 1) }", Join(P, Filter(big, BGP()))),
        ("?x :p ?y OPTIONAL { ?x :q ?y }", LeftJoin(P, Q)),
        ("OPTIONAL { ?x :q ?y }", LeftJoin(BGP(), Q)),
        ("?x :p ?y OPTIONAL { ?x :q ?y FILTER(?y > 1) }", LeftJoin(P, Q, big)),
        ("?x :p ?y OPTIONAL { FILTER(?y > 1) }", LeftJoin(P, BGP(), big)),
        (
            "?x :p ?y OPTIONAL { FILTER(?y > 1) ?x :q ?y FILTER(?y < 9) }",
            LeftJoin(P, Q, Operation("&&", (big, small))),
        ),
        ("?x :p ?y OPTIONAL { { ?x :q ?y FILTER(?y > 1) } }", LeftJoin(P, Filter(big, Q))),
        (
            "?x :p ?y OPTIONAL { { ?x :q ?y FILTER(?y > 1) } FILTER(?y < 9) }",
            LeftJoin(P, Filter(big, Q), small),
        ),
        (
            "?x :p ?y OPTIONAL { ?x :q ?y OPTIONAL { ?x :r ?y } FILTER(?y > 1) }",
            LeftJoin(P, LeftJoin(Q, R), big),
        ),
        ("?x :p ?y OPTIONAL { ?x :q ?y } ?x :r ?y", Join(LeftJoin(P, Q), R)),
        ("{ ?x :p ?y } UNION { ?x :q ?y } UNION { ?x :r ?y }", Union(Union(P, Q), R)),
        ("{ ?x :p ?y } UNION { FILTER(?y > 1) }", Union(P, Filter(big, BGP()))),
        ("{} UNION { ?x :p ?y }", Union(BGP(), P)),
        ("?x :p ?y MINUS { ?x :q ?y FILTER(?y > 1) }", Minus(P, Filter(big, Q))),
        ("?x :p ?y BIND(1 AS ?z) ?x :q ?y", Join(Extend(P, Variable("z"), integer(1)), Q)),
        ("GRAPH ?g { ?x :p ?y }", Graph(Variable("g"), P)),
        (
            "WINDOW :w { ?x :p ?y } WINDOW ?v {}",
            Join(Window(iri("w"), P), Window(Variable("v"), BGP())),
        ),
        ("VALUES ?x { 1 UNDEF }", Values((x,), ((integer(1),), (None,)))),
        ("VALUES (?x ?y) { (1 UNDEF) }", Values((x, y), ((integer(1), None),))),
        ("VALUES () { () }", Values((), ((),))),
        ("{ SELECT ?x { ?x :p ?y } }", SubSelect(Query(pattern=P, projection=(Projection(x),)))),
    ],
)
def test_groups(text: str, expected: Pattern) -> None:
    assert pattern(text) == expected


def triples(text: str) -> tuple[TriplePattern, ...]:
    found = pattern(text)
    assert isinstance(found, BGP)
    return found.triples


def test_abbreviations_are_written_out_in_order() -> None:
    assert triples("?x a :C ; :p ?y , 1 .") == (
        TriplePattern(x, IRI(RDF + "type"), iri("C")),
        triple("p"),
        TriplePattern(x, iri("p"), integer(1)),
    )


def test_blank_node_property_lists() -> None:
    first, second = triples("?x :p [ :q 1 ]")
    assert isinstance(first.object, BlankNode)
    assert second == TriplePattern(first.object, iri("q"), integer(1))


def test_collections() -> None:
    cell, first, rest, first2, rest2 = triples("?x :p (1 ?y)")
    assert first == TriplePattern(cell.object, IRI(RDF + "first"), integer(1))
    assert rest.subject == cell.object
    assert rest.predicate == IRI(RDF + "rest")
    assert first2 == TriplePattern(rest.object, IRI(RDF + "first"), y)
    assert rest2 == TriplePattern(rest.object, IRI(RDF + "rest"), IRI(RDF + "nil"))


def test_fresh_blank_nodes_avoid_written_labels() -> None:
    labels = {
        term.label
        for t in triples("_:b0 :p [] . _:b2 :p []")
        for term in (t.subject, t.object)
        if isinstance(term, BlankNode)
    }
    assert len(labels) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", Literal("1", XSD_INTEGER)),
        ("-1", Literal("-1", XSD_INTEGER)),
        ("+01", Literal("+01", XSD_INTEGER)),
        (".5", Literal(".5", XSD_DECIMAL)),
        ("1e0", Literal("1e0", XSD_DOUBLE)),
        ("1.E-3", Literal("1.E-3", XSD_DOUBLE)),
        ("TRUE", Literal("true", XSD_BOOLEAN)),
        ("'a'", Literal("a")),
        (r"'\u0027\t\\'", Literal("'\t\\")),
        (r'"\\u0041\u0041"', Literal("\\u0041A")),
        (r'"\u000A"', Literal("\n")),
        ('"""a "b"\n"""', Literal('a "b"\n')),
        ("'a'@en-GB", Literal("a", language="en-GB")),
        ("'a'^^:t", Literal("a", "http://ex.org/t")),
        (":a", iri("a")),
        (r":a\~b\.", iri("a~b.")),
        (":%41", iri("%41")),
        (r"<http://ex.org/\u00e9>", iri("\u00e9")),
        ("()", IRI(RDF + "nil")),
        ("<< ?x :p 1 >>", TriplePattern(x, iri("p"), integer(1))),
        ("<<( ?x a ?y )>>", TriplePattern(x, IRI(RDF + "type"), y)),
    ],
)
def test_terms(text: str, expected: object) -> None:
    (found,) = triples(f"?x :p {text}")
    assert found.object == expected


def test_quoted_data() -> None:
    assert pattern("VALUES ?x { << :a :p << :b :q 1 >> >> }") == Values(
        (x,), ((Triple(iri("a"), iri("p"), Triple(iri("b"), iri("q"), integer(1))),),)
    )


def test_grouping_and_modifiers() -> None:
    found = query(
        "SELECT ?x (SUM(DISTINCT ?y) AS ?n) { ?x :p ?y } GROUP BY ?x (1 AS ?k) HAVING (?k > 0) "
        "ORDER BY DESC(?n) ?x LIMIT 3 OFFSET 1 VALUES ?x { :a }"
    )
    assert found == Query(
        pattern=P,
        projection=(Projection(x), Projection(Variable("n"), Aggregate("SUM", y, distinct=True))),
        group_by=(GroupKey(x), GroupKey(integer(1), Variable("k"))),
        having=(Operation(">", (Variable("k"), integer(0))),),
        order_by=(OrderKey(Variable("n"), descending=True), OrderKey(x)),
        limit=3,
        offset=1,
        values=Values((x,), ((iri("a"),),)),
    )


def test_a_variable_selected_twice_is_one_column() -> None:
    assert query("SELECT ?x ?y ?x { ?x :p ?y }") == query("SELECT ?x ?y { ?x :p ?y }")


def test_forms() -> None:
    assert query("ASK { ?x :p ?y }") == Query(pattern=P, form=Form.ASK)
    assert query("CONSTRUCT { ?x :q ?y } { ?x :p ?y }") == Query(
        pattern=P, form=Form.CONSTRUCT, template=Q.triples
    )
    assert query("CONSTRUCT WHERE { ?x :p ?y }") == Query(
        pattern=P, form=Form.CONSTRUCT, template=P.triples
    )
    assert query("DESCRIBE ?x :a { ?x :p ?y }") == Query(
        pattern=P, form=Form.DESCRIBE, described=(x, iri("a"))
    )


def test_registration_and_windows() -> None:
    found = query(
        "REGISTER IStream :out COMPUTED EVERY PT10S AS SELECT * FROM :g FROM NAMED :h "
        "FROM NAMED WINDOW :w ON STREAM :s [RANGE 5 STEP 2] "
        "FROM WINDOW :v ON :s [RANGE PT0.5S] { }"
    )
    assert found == Query(
        operator=StreamOperator.ISTREAM,
        name=iri("out"),
        computed_every=Duration(10_000),
        windows=(
            WindowDeclaration(iri("w"), iri("s"), 5, 2),
            WindowDeclaration(iri("v"), iri("s"), Duration(500), None, named=False),
        ),
        default_graphs=(iri("g"),),
        named_graphs=(iri("h"),),
    )


@pytest.mark.parametrize(
    ("text", "operator", "name"),
    [
        ("REGISTER RSTREAM AS", StreamOperator.RSTREAM, None),
        ("REGISTER STREAM :o AS", None, "o"),
        ("REGISTER QUERY :o AS", None, "o"),
        ("register dstream stream :o as", StreamOperator.DSTREAM, "o"),
        ("REGISTER STREAM DStream :o AS", StreamOperator.DSTREAM, "o"),
        ("", None, None),
    ],
)
def test_words_of_registration(
    text: str, operator: StreamOperator | None, name: str | None
) -> None:
    found = query(f"{text} SELECT * {{}}")
    assert found.operator is operator
    assert found.name == (None if name is None else iri(name))
