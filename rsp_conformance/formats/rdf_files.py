"""Quads from files in RDF's formats: N-Triples, N-Quads, Turtle, TriG, JSON-LD, RDF/XML.

N-Triples and N-Quads may hold quoted triples (RDF-star). In the other formats these are refused
by name, for their parser knows RDF 1.2 only, where the same text means something else.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rsp_conformance.formats.files import FileError, read_text
from rsp_conformance.model.terms import (
    IRI,
    RDF,
    BlankNode,
    GraphName,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.syntax.ntriples import NTriplesError, parse_nquads, parse_ntriples

if TYPE_CHECKING:
    import pyoxigraph

Quad: TypeAlias = tuple[Triple, GraphName | None]
"""A triple with the name of its graph, None for the default graph."""

SUFFIXES = (".nt", ".nq", ".ttl", ".trig", ".jsonld", ".rdf")
_REIFIES = RDF + "reifies"
_QUOTED = "quoted triples are read from .nt and .nq files and .jsonl streams only"


def read_quads(path: Path) -> list[Quad]:
    """The quads of a file, in the order in which it writes them; its suffix names the format.

    Blank nodes keep their labels, for a label is one node throughout a case. Relative IRIs are
    resolved against nothing: they are errors.

    Raises:
        FileError: the file cannot be read, or not be parsed; it says where.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(path, f"cannot tell its format: name it {' '.join(SUFFIXES)}")
    text = read_text(path)
    if suffix in {".nt", ".nq"}:
        return _read_lines(path, text, named=suffix == ".nq")
    return _read_with_parser(path, text, suffix)


def _read_lines(path: Path, text: str, *, named: bool) -> list[Quad]:
    try:
        if named:
            return list(parse_nquads(text))
        return [(triple, None) for triple in parse_ntriples(text)]
    except NTriplesError as error:
        raise FileError(path, error.problem, error.line) from None


def _read_with_parser(path: Path, text: str, suffix: str) -> list[Quad]:
    import pyoxigraph

    rdf = pyoxigraph.RdfFormat
    formats = {
        ".ttl": rdf.TURTLE,
        ".trig": rdf.TRIG,
        ".jsonld": rdf.JSON_LD,
        ".rdf": rdf.RDF_XML,
    }
    try:
        found = list(pyoxigraph.parse(text, formats[suffix]))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        said = re.sub(r"^Parser error at line \d+ (between columns|column) ", r"\1 ", error.args[0])
        raise FileError(path, " ".join(said.split()), line) from None
    return [_quad(path, quad) for quad in found]


def _quad(path: Path, quad: pyoxigraph.Quad) -> Quad:
    subject, predicate = _term(path, quad.subject), _term(path, quad.predicate)
    if isinstance(predicate, IRI) and predicate.value == _REIFIES:
        raise FileError(path, _QUOTED)
    name = None if str(quad.graph_name) == "DEFAULT" else _term(path, quad.graph_name)
    assert isinstance(subject, IRI | BlankNode) and isinstance(predicate, IRI)
    assert name is None or isinstance(name, IRI | BlankNode)
    return Triple(subject, predicate, _term(path, quad.object)), name


def _term(path: Path, term: object) -> Term:
    import pyoxigraph

    match term:
        case pyoxigraph.NamedNode():
            return IRI(term.value)
        case pyoxigraph.BlankNode():
            return BlankNode(term.value)
        case pyoxigraph.Literal():
            if getattr(term, "direction", None) is not None:
                raise FileError(path, "literals with a direction (RDF 1.2) are not supported")
            return Literal(term.value, term.datatype.value, term.language)
        case _:
            raise FileError(path, _QUOTED)
