"""N-Triples and N-Quads, held against pyoxigraph."""

from __future__ import annotations

import pickle

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsp_conformance.model.terms import IRI, XSD_INTEGER, BlankNode, Literal, Term, Triple
from rsp_conformance.text.ntriples import (
    NTriplesError,
    parse_nquads,
    parse_ntriples,
    parse_term,
    write_nquads,
    write_ntriples,
    write_term,
    write_triple,
)

p = IRI("http://ex.org/p")
iris = st.sampled_from(
    ["http://ex.org/a", "urn:x", "http://ex.org/\u00e9", "http://ex.org/a%20b", "mailto:a@b.c"]
).map(IRI)
labels = st.from_regex(r"[a-z0-9_\u00e9]([a-z.\-\u00b7]{0,2}[a-z0-9\-])?", fullmatch=True)
nodes = labels.map(BlankNode)
texts = st.text(max_size=6) | st.text(
    st.sampled_from("\"\\'\n\r\t\b\f\x00\x7fu0\u2028"), max_size=6
)
literals = st.one_of(
    texts.map(Literal),
    st.builds(Literal, texts, iris.map(lambda iri: iri.value)),
    st.builds(Literal, texts, language=st.sampled_from(["en", "en-GB", "x-1a"])),
)


def terms(depth: int) -> st.SearchStrategy[Term]:
    flat = iris | nodes | literals
    if not depth:
        return flat
    # RDF 1.2 has triple terms as objects only.
    return flat | st.builds(Triple, iris | nodes, iris, terms(depth - 1))


triples = st.builds(Triple, iris | nodes, iris, terms(2))
stars = st.builds(Triple, iris | triples, iris, terms(2))


def from_oxigraph(term: object) -> Term:
    match term:
        case pyoxigraph.NamedNode():
            return IRI(term.value)
        case pyoxigraph.BlankNode():
            return BlankNode(term.value)
        case pyoxigraph.Triple():
            return Triple(*map(from_oxigraph, (term.subject, term.predicate, term.object)))  # type: ignore[arg-type]
        case pyoxigraph.Literal():
            return Literal(term.value, term.datatype.value, term.language)
    raise AssertionError(term)


def by_oxigraph(text: str) -> list[Triple]:
    found = pyoxigraph.parse(text, pyoxigraph.RdfFormat.N_TRIPLES)
    return [
        Triple(*map(from_oxigraph, (q.subject, q.predicate, q.object)))  # type: ignore[arg-type]
        for q in found
    ]


@given(st.lists(triples, max_size=4))
def test_oxigraph_reads_what_is_written(written: list[Triple]) -> None:
    assert by_oxigraph(write_ntriples(written, triple_terms=True)) == written


@given(st.lists(triples, max_size=4))
def test_what_oxigraph_writes_is_read(written: list[Triple]) -> None:
    quads = [
        pyoxigraph.Quad(q.subject, q.predicate, q.object)
        for q in pyoxigraph.parse(
            write_ntriples(written, triple_terms=True), pyoxigraph.RdfFormat.N_TRIPLES
        )
    ]
    text = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert parse_ntriples(text.decode()) == written


@given(st.lists(stars, max_size=4), st.booleans())
def test_round_trip(written: list[Triple], triple_terms: bool) -> None:
    assert parse_ntriples(write_ntriples(written, triple_terms=triple_terms)) == written


@given(st.lists(st.tuples(stars, st.none() | iris | nodes), max_size=4))
def test_quads_round_trip(written: list[tuple[Triple, IRI | BlankNode | None]]) -> None:
    assert parse_nquads(write_nquads(written)) == written


@given(terms(2))
def test_terms_round_trip(term: Term) -> None:
    assert parse_term(write_term(term)) == term


A, B = "<http://ex.org/a>", "<http://ex.org/b>"
LEGAL = [
    f"{A} {B} {A} .",
    f"{A}{B}{A}.",
    f"\t{A} {B} 'a' .".replace("'", '"'),
    f'{A} {B} "a".# comment',
    f"_:a {B} _:b.c .",
    f'{A} {B} "\\t\\b\\n\\r\\f\\"\\\'\\\\\\u00e9\\U0001F600" .',
    f'{A} {B} "\u2028" .',
    f"{A} {B} <http://ex.org/\\u00e9> .",
    f'{A} {B} "a"@en-x-1 .',
    f'{A} {B} "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    f"{A} {B} <<( {A} {B} _:a )>> .",
    f"{A} {B} <<({A}{B}<<({A} {B} {A})>>)>>.",
    "",
]
ILLEGAL = [
    f"{A} {B} {A}",
    f"{A} {B} .",
    f"{A} {B} {A} . {A}",
    f'"a" {B} {A} .',
    f'{A} "b" {A} .',
    f'{A} {B} "a .',
    f'{A} {B} "a\\q" .',
    f'{A} {B} "\\uD800" .',
    f'{A} {B} "a"@ .',
    f'{A} {B} "a"^^xsd:int .',
    f"{A} {B} <a b> .",
    f"{A} {B} <relative> .",
    f"{A} {B} <http://ex.org/\\u0020> .",
    f"{A} {B} 1 .",
    f"{A} {B} _:-a .",
    f"{A} a {A} .",
    f"{A} {B} <<( {A} {B} )>> .",
]


@pytest.mark.parametrize("line", LEGAL)
def test_legal_lines(line: str) -> None:
    assert parse_ntriples(line + "\n") == by_oxigraph(line + "\n")


@pytest.mark.parametrize("line", ILLEGAL)
def test_illegal_lines(line: str) -> None:
    with pytest.raises(SyntaxError):
        by_oxigraph(line + "\n")
    with pytest.raises(NTriplesError):
        parse_ntriples(line + "\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"\n{A} {B} .", "line 2: expected an object at column 37, found '.'"),
        (f"{A} {B} {A}", "line 1: expected '.' at column 54, found the end of the line"),
        (f"{A} {B} {A} {B} .", "line 1: a triple has no fourth term, found <http://ex.org/b>"),
        (f'"a" {B} {A} .', "line 1: expected an IRI, a blank node or a quoted triple as the subj"),
        (f"{A} _:b {A} .", "line 1: expected an IRI as the predicate at column 19, found '_:b"),
        ("<a> <b> <c> .", "line 1: the IRI <a> is not absolute"),
        (f"<< {A} {B} {A} > {B} {A} .", "line 1: expected '>>' at column 58, found '>"),
        (f'{A} {B} "\\uD800" .', "line 1: U+D800 is no character"),
    ],
)
def test_errors_say_where(text: str, message: str) -> None:
    with pytest.raises(NTriplesError) as caught:
        parse_ntriples(text)
    assert str(caught.value).startswith(message)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_graph_is_no_literal() -> None:
    with pytest.raises(NTriplesError, match="expected an IRI or a blank node as the graph"):
        parse_nquads(f'{A} {B} {A} "g" .')


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    line = f'{A} {B} "\u2028\x85" .'
    assert len(parse_ntriples(f"{line}{end}{end}{line}")) == 2


def test_order_and_repetitions_are_kept() -> None:
    text = f"{B} {A} {A} .\n{A} {A} {A} .\n{B} {A} {A} .\n"
    assert write_ntriples(parse_ntriples(text)) == text


def test_written_lines() -> None:
    triple = Triple(IRI("urn:a b"), p, Literal("1", XSD_INTEGER))
    assert write_triple(triple) == (f'<urn:a\\u0020b> <http://ex.org/p> "1"^^<{XSD_INTEGER}> .')
    assert write_triple(Triple(Triple(p, p, p), p, Literal("a\n", language="en"))) == (
        '<< <http://ex.org/p> <http://ex.org/p> <http://ex.org/p> >> <http://ex.org/p> "a\\n"@en .'
    )


@pytest.mark.parametrize("text", ["", "<urn:a> <urn:b>", "?x", "1", "a", '"a', "<< <urn:a> >>"])
def test_what_is_no_term(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_term(text)


@settings(max_examples=50)
@given(st.text(st.sampled_from('<>"\\_:ab .#@^u0(\n'), max_size=30))
def test_noise_is_read_as_oxigraph_reads_it(noise: str) -> None:
    text = f"{A} {B} {noise} .\n"
    try:
        expected: list[Triple] | None = by_oxigraph(text)
    except SyntaxError:
        expected = None
    try:
        found: list[Triple] | None = parse_ntriples(text)
    except NTriplesError:
        found = None
    assert found == expected
