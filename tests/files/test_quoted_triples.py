"""Quoted triples, nested in both places, come back from every format of files.

Of JSON `test_json.py` says so for all terms, answers and cases.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rsp_conformance.adapters.reference.oxigraph.terms import from_model, to_model
from rsp_conformance.files.files import FileError
from rsp_conformance.files.rdf_files import read_background, read_quads
from rsp_conformance.files.stream_files import read_stream
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Literal, Triple
from rsp_conformance.text.ntriples import write_ntriples
from tests.generators.values import DELICATE, literals_of, quoting

S = IRI("urn:s")
STAMPED = "http://www.w3.org/ns/prov#generatedAtTime"

MANY = settings(max_examples=50, deadline=None)
FILES = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
QUOTED = quoting(3, literals_of(DELICATE))
graphs = st.lists(QUOTED, min_size=1, max_size=3, unique=True).map(tuple)


@MANY
@given(QUOTED, QUOTED)
def test_encodings_are_injective(a: Triple, b: Triple) -> None:
    assert to_model(from_model(a)) == a
    assert (from_model(a) == from_model(b)) is (a == b)


def test_language_tags_do_not_tell_quoted_triples_apart() -> None:
    spellings = [Triple(S, S, Literal("x", language=tag)) for tag in ("en-GB", "EN-gb")]
    assert len({from_model(triple) for triple in spellings}) == 1
    assert len(set(spellings)) == 1


@FILES
@given(graph=graphs)
def test_background_and_stream_files(tmp_path: Path, graph: tuple[Triple, ...]) -> None:
    text = write_ntriples(graph)
    for name in ("d.nt", "d.nq", "d.ttl", "d.trig"):
        (tmp_path / name).write_text(text, "utf-8")
        (entry,) = read_background(str(tmp_path / name))
        assert entry.triples == graph
    for name in ("d.nt", "d.nq"):
        (tmp_path / name).write_text(write_ntriples(graph, triple_terms=True), "utf-8")
        assert read_quads(tmp_path / name) == [(triple, None) for triple in graph]
    (tmp_path / "s.jsonl").write_text(json.dumps({"t": 3, "graph": text}), "utf-8")
    assert read_stream(tmp_path / "s.jsonl", S).elements == (StreamElement(S, 3, graph),)
    (tmp_path / "s.trig").write_text(f"<urn:g> {{ {text} }} <urn:g> <{STAMPED}> 3 .", "utf-8")
    named = StreamElement(S, 3, graph, IRI("urn:g"))
    assert read_stream(tmp_path / "s.trig", S).elements == (named,)
    lines = [line.removesuffix(" .") + " 3 .\n" for line in text.splitlines()]
    (tmp_path / "s.n3t").write_text("".join(lines), "utf-8")
    assert read_stream(tmp_path / "s.n3t", S).elements == tuple(
        StreamElement(S, 3, (triple,)) for triple in graph
    )


def test_turtle_takes_triple_terms_where_rdf_1_2_has_them(tmp_path: Path) -> None:
    path = tmp_path / "d.ttl"
    said = Triple(S, S, Triple(S, S, Triple(S, S, S)))
    path.write_text(write_ntriples([said], triple_terms=True))
    assert read_quads(path) == [(said, None)]
    path.write_text(write_ntriples([Triple(said, S, S)], triple_terms=True))
    with pytest.raises(FileError, match=r"d\.ttl, line 1"):
        read_quads(path)
