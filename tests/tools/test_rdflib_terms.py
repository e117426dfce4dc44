"""rdflib's terms for ours keep what is written."""

from __future__ import annotations

import pytest
import rdflib

from rsp_conformance.model.terms import IRI, XSD_INTEGER, BlankNode, Literal, Triple
from tools.jury.rdflib_terms import to_rdflib


def test_terms_are_as_written() -> None:
    assert to_rdflib(IRI("urn:a")) == rdflib.URIRef("urn:a")
    assert to_rdflib(BlankNode("b")) == rdflib.BNode("b")
    assert to_rdflib(Literal("x")) == rdflib.Literal("x")
    assert to_rdflib(Literal("x", language="en")) == rdflib.Literal("x", lang="en")
    padded = to_rdflib(Literal("01", XSD_INTEGER))
    assert isinstance(padded, rdflib.Literal)
    assert (str(padded), padded.datatype) == ("01", rdflib.XSD.integer)


def test_there_are_no_quoted_triples() -> None:
    a = IRI("urn:a")
    with pytest.raises(ValueError, match="rdflib has no quoted triples"):
        to_rdflib(Triple(a, a, a))
