"""rdflib's terms and ours."""

from __future__ import annotations

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib.compare import to_isomorphic

from rsp_conformance.files.rdflib_terms import (
    from_rdflib,
    to_rdflib,
    triples_from_rdflib,
    triples_to_rdflib,
)
from rsp_conformance.model.terms import (
    IRI,
    XSD,
    XSD_INTEGER,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from tests.generators.values import literals, names, nodes, plain

typed = st.builds(
    Literal,
    st.sampled_from(["01", "1.0", "x", "2026-11-21", ""]),
    st.sampled_from("integer decimal double date string".split()).map(XSD.__add__),
)


@given(names | nodes | literals | typed)
def test_terms_come_back_as_written(term: Term) -> None:
    assert from_rdflib(to_rdflib(term)) == term


def test_single_terms() -> None:
    assert to_rdflib(IRI("urn:a")) == rdflib.URIRef("urn:a")
    assert to_rdflib(BlankNode("b")) == rdflib.BNode("b")
    assert to_rdflib(Literal("x")) == rdflib.Literal("x")
    assert from_rdflib(rdflib.Literal(1)) == Literal("1", XSD_INTEGER)
    assert from_rdflib(rdflib.Literal("x", datatype=rdflib.XSD.string)) == Literal("x", XSD_STRING)
    assert from_rdflib(rdflib.Literal("x", lang="en")) == Literal("x", language="en")
    assert str(to_rdflib(Literal("01", XSD_INTEGER))) == "01"


@given(st.frozensets(plain, max_size=4))
def test_graphs_come_back(triples: frozenset[Triple]) -> None:
    assert triples_from_rdflib(triples_to_rdflib(triples)) == triples


def test_graphs_of_rdflib() -> None:
    graph = rdflib.Graph().parse(data="<urn:a> <urn:p> 1, 'x'@en, [ <urn:q> 2.5 ] .", format="ttl")
    again = triples_to_rdflib(triples_from_rdflib(graph))
    assert to_isomorphic(again) == to_isomorphic(graph)


def test_what_does_not_pass() -> None:
    a = IRI("urn:a")
    with pytest.raises(ValueError, match="rdflib has no quoted triples"):
        to_rdflib(Triple(a, a, a))
    with pytest.raises(ValueError, match="is no RDF term"):
        from_rdflib(rdflib.Variable("x"))
    with pytest.raises(ValueError, match="is no triple"):
        triples_from_rdflib([(rdflib.Literal("x"), rdflib.URIRef("urn:a"), rdflib.BNode())])
