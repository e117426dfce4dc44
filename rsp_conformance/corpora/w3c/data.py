"""The suites' RDF files as triples of the model."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from rsp_conformance.corpora.w3c.layout import Document
from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term, Triple

if TYPE_CHECKING:
    from pyoxigraph import RdfFormat

_CACHED = 512
_NO_LETTER = re.compile(r"[^A-Za-z0-9]")


@lru_cache(maxsize=_CACHED)
def read_triples(document: Document) -> tuple[Triple, ...]:
    """The triples of a file, in its order; relative IRIs are resolved against its own IRI.

    A blank node is one node throughout the file, and no node of another file.

    Raises:
        FileError: the file cannot be read or parsed.
    """
    import pyoxigraph

    text = read_text(document.path)
    try:
        found = list(pyoxigraph.parse(text, _format(document), base_iri=document.iri))
    except (SyntaxError, ValueError) as error:
        raise FileError(document.path, " ".join(str(error).split())) from None
    nodes: dict[str, BlankNode] = {}
    return tuple(
        Triple(
            term_of(quad.subject, document, nodes),  # type: ignore[arg-type]
            term_of(quad.predicate, document, nodes),  # type: ignore[arg-type]
            term_of(quad.object, document, nodes),
        )
        for quad in found
    )


def _format(document: Document) -> RdfFormat:
    import pyoxigraph

    known = {
        ".ttl": pyoxigraph.RdfFormat.TURTLE,
        ".nt": pyoxigraph.RdfFormat.N_TRIPLES,
        ".rdf": pyoxigraph.RdfFormat.RDF_XML,
    }
    suffix = document.path.suffix.lower()
    if suffix not in known:
        raise FileError(document.path, f"cannot tell its format: expected {' '.join(known)}")
    return known[suffix]


def term_of(term: object, document: Document, nodes: dict[str, BlankNode]) -> Term:
    """The parser's TERM as the model's, its lexical form as written.

    NODES are the blank nodes of DOCUMENT met so far; their labels here are those of the file,
    with its name.
    """
    import pyoxigraph

    match term:
        case pyoxigraph.NamedNode():
            return IRI(term.value)
        case pyoxigraph.BlankNode():
            label = f"{_NO_LETTER.sub('-', document.path.stem)}-{len(nodes)}"
            return nodes.setdefault(term.value, BlankNode(label))
        case pyoxigraph.Literal():
            return Literal(term.value, term.datatype.value, term.language)
    raise FileError(document.path, f"holds a term that SPARQL 1.1 does not have: {term}")
