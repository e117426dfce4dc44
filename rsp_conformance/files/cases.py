"""Cases as JSON: complete, for crash files, and in the parts that the protocol sends.

    CASES.write(Case, case)
    CASES.read(Case, document, "case")

Queries and graphs are texts in them, because people read crash files.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final

from rsp_conformance.files.codec import Format, Keys, Rule, Text, Via, at_least, raw
from rsp_conformance.files.fields import fail
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import excerpt
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, GraphName, Triple
from rsp_conformance.text.escapes import NOT_IN_IRI
from rsp_conformance.text.ntriples import (
    NTriplesError,
    parse_ntriples,
    parse_term,
    write_ntriples,
    write_term,
)
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query

VERSION: Final = 1
"""The version of the case format that is written; all versions up to it are read."""


def _iri(text: str) -> IRI:
    if NOT_IN_IRI.search(text):
        fail("", "an IRI", text)
    return IRI(text)


def _name(text: str) -> GraphName:
    if text.startswith("_:") and len(text) > 2:
        return BlankNode(text[2:])
    if text[:1].isalpha() and not NOT_IN_IRI.search(text):
        return IRI(text)
    fail("", "an IRI or _:label", text)


def _name_text(name: GraphName) -> str:
    return f"_:{name.label}" if isinstance(name, BlankNode) else name.value


def _graph_name(text: str) -> GraphName:
    name = parse_term(text)
    if not isinstance(name, IRI | BlankNode):
        fail("", "the name of a graph", text)
    return name


def _triples(text: str) -> tuple[Triple, ...]:
    try:
        return tuple(parse_ntriples(text))
    except NTriplesError as error:
        raise ValueError(error.problem) from None


def _graph(text: str) -> tuple[Triple, ...]:
    triples = _triples(text)
    if not triples:
        raise ValueError("an element holds at least one triple")
    return triples


def _version(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        fail("", "an integer of at least 1", value)
    if value > VERSION:
        raise ValueError(f"version {excerpt(value)} of cases is newer than this kit reads")
    return value


def element_rules(*, triple_terms: bool = False) -> dict[Any, Rule]:
    """Return how elements and their parts are written.

    Args:
        triple_terms: whether quoted triples are written as in RDF 1.2.
    """
    triples = Text(
        lambda triples: write_ntriples(triples, triple_terms=triple_terms), _triples, "N-Triples"
    )
    return {
        IRI: Text(lambda term: term.value, _iri, "an IRI"),
        tuple[Triple, ...]: triples,
        StreamElement: Keys(
            "stream t graph name",
            members={
                "graph": replace(triples, read=_graph),
                "name": Text(_name_text, _name, "an IRI or _:label"),
            },
            absent="name",
            open=True,
        ),
    }


ELEMENTS: Final = Format(element_rules())
"""Elements of streams, with quoted triples as ``<< … >>``."""
ELEMENTS_1_2: Final = Format(element_rules(triple_terms=True))
"""Elements with quoted triples as RDF 1.2 writes them: ``<<( … )>>``."""
CASES: Final = Format(
    {
        **element_rules(),
        Query: Text(print_query, parse_query, "a query"),
        # Entries of one interval stay separate, and empty graphs are kept.
        Background: Via(tuple[BackgroundEntry, ...], Background, lambda own: own.entries),
        BackgroundEntry: Keys(
            "from=since until graph triples",
            members={"graph": Text(write_term, _graph_name, "the name of a graph")},
            absent="graph",
        ),
        Layout: Keys(omit="*"),
        Case: Keys(
            "version query streams registered until stamp static=background elements layout",
            fixed={
                "version": (VERSION, raw(_version, int, {"minimum": 1}, "an integer", int)),
            },
            members=dict.fromkeys(("registered", "until"), Annotated[int, at_least(0)]),
            absent="layout",
            required="registered until elements",
        ),
    }
)
"""Cases as crash files keep them."""
