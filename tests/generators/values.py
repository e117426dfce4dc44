"""Random cases with everything that the model can hold."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI, XSD_DATETIME, XSD_INTEGER, BlankNode, Literal, Triple
from rsp_conformance.text.parse import parse_query

QUERIES = [
    parse_query(text)
    for text in (
        "ASK {}",
        "REGISTER RSTREAM AS SELECT ?x FROM NAMED WINDOW <urn:w> ON <urn:s1> [RANGE 5 STEP 2] "
        "{ WINDOW <urn:w> { ?x <urn:p> 1 FILTER(?x > 1) } }",
        "CONSTRUCT { << ?x <urn:p> _:b >> <urn:q> 'a\\n'@en } FROM <urn:g> "
        "FROM WINDOW <urn:w> ON <urn:s3> [RANGE PT0.5S] { ?x <urn:p> ?y }",
    )
]
names = st.sampled_from(["urn:a", "http://ex.org/b", "urn:\u00e9"]).map(IRI)
nodes = st.sampled_from(["b", "b0", "x-1"]).map(BlankNode)


def literals_of(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Literal]:
    """Literals with such texts, of each kind."""
    return st.one_of(
        st.builds(Literal, texts),
        st.builds(Literal, texts, language=st.sampled_from(["en", "de-AT"])),
        st.builds(Literal, texts, st.sampled_from([XSD_INTEGER, "urn:type"])),
    )


def quoting(depth: int, literals: st.SearchStrategy[Literal]) -> st.SearchStrategy[Triple]:
    """Triples with quoted ones in both places, nested up to DEPTH."""
    subjects: st.SearchStrategy[Any] = names | nodes
    objects = subjects | literals
    if depth:
        quoted = quoting(depth - 1, literals)
        subjects, objects = subjects | quoted, objects | quoted
    return st.builds(Triple, subjects, names, objects)


DELICATE = st.text('ab"\\\n<>()\u00e9', max_size=3)
"""Texts with what the syntaxes of RDF give a meaning."""
literals = literals_of(st.text(max_size=4) | DELICATE)
triples = quoting(2, literals)
terms = names | nodes | literals | triples


@st.composite
def elements(draw: Any) -> tuple[StreamElement, ...]:
    """Elements in order, their names distinct within a stream."""
    times = sorted(draw(st.lists(st.integers(3, 9), max_size=4)))
    made = []
    for number, t in enumerate(times):
        name = draw(st.sampled_from([None, IRI(f"urn:g{number}"), BlankNode(f"g{number}")]))
        graph = draw(st.lists(triples, min_size=1, max_size=3))
        stream = draw(st.sampled_from(["urn:s1", "urn:s2"]))
        made.append(StreamElement(IRI(stream), t, tuple(graph), name))
    return tuple(made)


bounds = st.none() | st.integers(0, 9)
entries = st.builds(
    BackgroundEntry,
    st.lists(triples, max_size=2).map(tuple),
    st.none() | names | nodes,
    bounds,
    bounds,
)
cases: st.SearchStrategy[Case] = st.builds(
    Case,
    query=st.sampled_from(QUERIES),
    elements=elements(),
    background=st.lists(entries, max_size=4).map(lambda made: Background(tuple(made))),
    registered=st.integers(0, 3),
    until=st.integers(0, 12),
    streams=st.lists(st.sampled_from(["urn:s2", "urn:s4"]).map(IRI), max_size=2).map(tuple),
    stamp=st.builds(Stamp, names, st.sampled_from([XSD_INTEGER, XSD_DATETIME]).map(IRI)),
)


@st.composite
def rows(draw: Any) -> Rows:
    """Rows, with or without ties."""
    columns = draw(st.lists(st.sampled_from("xyz"), max_size=3, unique=True).map(tuple))
    row = st.tuples(*[st.none() | terms for _ in columns])
    made = tuple(draw(st.lists(row, max_size=3)))
    ties = tuple(range(len(made))) if draw(st.booleans()) else None
    return Rows(columns, made, ties, draw(st.booleans()))


contents: st.SearchStrategy[Content] = st.one_of(
    rows(),
    st.builds(Truth, st.booleans()),
    st.builds(Triples, st.frozensets(triples, max_size=3)),
)
