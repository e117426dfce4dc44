"""Quads from files in RDF's formats: N-Triples, N-Quads, Turtle, TriG, JSON-LD, RDF/XML.

Quoted triples are RDF-star's, as RSP-QL* has them: `<< s p o >> :q 1` says something of the triple
itself. The parser of Turtle and TriG reads RDF 1.2, where the same text makes a node that reifies
the triple; where that node has no name of its own the triple takes its place again. Annotations,
`s p o {| :q 1 |}`, become the triple and what is said of it. `<<( s p o )>>` is a triple as it is.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.model.terms import (
    IRI,
    RDF,
    BlankNode,
    GraphName,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.text.ntriples import NTriplesError, parse_nquads, parse_ntriples

if TYPE_CHECKING:
    import pyoxigraph

Quad: TypeAlias = tuple[Triple, GraphName | None]
"""A triple with the name of its graph, None for the default graph."""

SUFFIXES = (".nt", ".nq", ".ttl", ".trig", ".jsonld", ".rdf")
_REIFIES = RDF + "reifies"
_LABEL = re.compile(r"_:([\w.\-\u00b7]*[\w\-\u00b7])")


def read_quads(path: Path, base: str | None = None) -> list[Quad]:
    """The quads of a file, in the order in which it writes them; its suffix names the format.

    Blank nodes keep their labels, for a label is one node throughout a case. Relative IRIs are
    resolved against BASE; without it they are errors.

    Raises:
        FileError: the file cannot be read, or not be parsed; it says where.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(path, f"cannot tell its format: name it {' '.join(SUFFIXES)}")
    text = read_text(path)
    try:
        if suffix == ".nt":
            return [(triple, None) for triple in parse_ntriples(text)]
        return parse_nquads(text) if suffix == ".nq" else parse_quads(path, text, suffix, base)
    except NTriplesError as error:
        raise FileError(path, error.problem, error.line) from None


def parse_quads(path: Path, text: str, suffix: str, base: str | None = None) -> list[Quad]:
    """The quads of TEXT, whose format is that of files with SUFFIX; PATH stands in errors."""
    import pyoxigraph

    rdf = pyoxigraph.RdfFormat
    formats = {
        ".ttl": rdf.TURTLE,
        ".trig": rdf.TRIG,
        ".jsonld": rdf.JSON_LD,
        ".rdf": rdf.RDF_XML,
    }
    try:
        found = list(pyoxigraph.parse(text, formats[suffix], base_iri=base))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        said = re.sub(r"^Parser error at line \d+ (between columns|column) ", r"\1 ", error.args[0])
        raise FileError(path, " ".join(said.split()), line) from None
    written = frozenset(_LABEL.findall(text)) if suffix in {".ttl", ".trig"} else None
    return ParsedTerms(path, written).quads(found)


class ParsedTerms:
    """The terms of pyoxigraph's parsers as ours, lexical forms as written.

    ``written`` are the labels that the text may hold, None where it has no labels to tell from
    those that the parser invents.
    """

    def __init__(self, path: Path, written: frozenset[str] | None = None) -> None:
        self._path = path
        self._written = written
        self._reified: dict[str, Triple] = {}
        self._said: set[str] = set()
        self._invented: dict[str, BlankNode] = {}
        # Nodes without a label in different files are different nodes.
        self._file = sha256(str(path).encode()).hexdigest()[:6]

    def quads(self, found: list[pyoxigraph.Quad]) -> list[Quad]:
        """All quads, quoted triples in the place of their reifiers."""
        kept: list[pyoxigraph.Quad] = []
        for quad in found:
            # A reifier within the quoted triple was written, and read, before.
            if quad.predicate.value == _REIFIES and self._is_invented(quad.subject):
                reified = self.term(quad.object)
                if isinstance(reified, Triple):
                    self._reified[quad.subject.value] = reified
                    continue
            kept.append(quad)
        result = [self._quad(quad) for quad in kept]
        if silent := self._reified.keys() - self._said:
            triple = self._reified[min(silent, key=list(self._reified).index)]
            raise FileError(self._path, f"nothing is said of the quoted triple {triple!r}")
        return result

    def _quad(self, quad: pyoxigraph.Quad) -> Quad:
        subject, predicate = self.term(quad.subject), self.term(quad.predicate)
        name = None if str(quad.graph_name) == "DEFAULT" else self.term(quad.graph_name)
        assert not isinstance(subject, Literal) and isinstance(predicate, IRI)
        assert name is None or isinstance(name, IRI | BlankNode)
        return Triple(subject, predicate, self.term(quad.object)), name

    def _is_invented(self, term: object) -> TypeGuard[pyoxigraph.BlankNode]:
        import pyoxigraph

        return (
            self._written is not None
            and isinstance(term, pyoxigraph.BlankNode)
            and term.value not in self._written
        )

    def term(self, term: object) -> Term:
        """One term; FileError for one that the model does not have."""
        import pyoxigraph

        match term:
            case pyoxigraph.NamedNode():
                return IRI(term.value)
            case pyoxigraph.BlankNode():
                return self._node(term)
            case pyoxigraph.Literal():
                if getattr(term, "direction", None) is not None:
                    said = "literals with a direction (RDF 1.2) are not supported"
                    raise FileError(self._path, said)
                return Literal(term.value, term.datatype.value, term.language)
            case pyoxigraph.Triple():
                subject, predicate = self.term(term.subject), self.term(term.predicate)
                assert not isinstance(subject, Literal) and isinstance(predicate, IRI)
                return Triple(subject, predicate, self.term(term.object))
        raise FileError(self._path, f"holds a term of an unknown kind: {term}")

    def _node(self, node: pyoxigraph.BlankNode) -> BlankNode | Triple:
        label = node.value
        if label in self._reified:
            self._said.add(label)
            return self._reified[label]
        if not self._is_invented(node):
            return BlankNode(label)
        # The parser's labels are other ones in each run.
        number = len(self._invented)
        return self._invented.setdefault(label, BlankNode(f"anon-{self._file}-{number}"))
