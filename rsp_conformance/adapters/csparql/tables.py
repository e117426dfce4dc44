"""The engine's input and output: terms as its texts, its tables as answers.

The engine takes a term as a text, an IRI as it is and a literal as ``"lexical"^^datatype`` without
escapes, and writes its own tables so. A plain literal has the datatype ``null`` there.
"""

from __future__ import annotations

import json
import re
from typing import Any

from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.answers import Content, Triples
from rsp_conformance.model.terms import IRI, XSD_STRING, BlankNode, Literal, Term, Triple

_NODE = re.compile(r"-?[0-9a-f]+(:-?[0-9a-f]+){2}")
"""How Jena writes a blank node of its own making: three numbers, of which no scheme is one."""


def text_of(term: Term) -> str:
    """Return a term as the engine takes it.

    Raises:
        Refused: the engine has no text for terms of this kind.
    """
    match term:
        case IRI():
            return term.value
        case Literal(language=None):
            datatype = "null" if term.datatype == XSD_STRING else term.datatype
            return f'"{term.lexical}"^^{datatype}'
        case Literal():
            raise Refused("unsupported", "language tags")
        case BlankNode():
            raise Refused("unsupported", "blank nodes in the data")
    raise Refused("unsupported", "quoted triples")


def term_of(text: str) -> Any:
    """Return the term that `text`, of a table of the engine's, stands for."""
    if text.startswith('"'):
        lexical, _, datatype = text[1:].rpartition('"^^')
        return Literal(lexical) if datatype == "null" else Literal(lexical, datatype)
    if _NODE.fullmatch(text):
        return BlankNode("n" + re.sub(r"\W", "n", text))
    return IRI(text)


def content_of(table: Any) -> dict[str, Any]:
    """Return an ``RDFTable`` as the member of an answer that the protocol has for it.

    Solutions are in the table's JSON. The JSON of a graph is JSON-LD, which writes numbers anew, so
    graphs are read from the tuples; the answer to ASK has no JSON at all.
    """
    serialised = str(table.getJsonSerialization())
    if not serialised:
        (row,) = table
        return {"boolean": str(row.get(0)) == "true"}
    read = json.loads(serialised)
    if read.keys() == {"head", "results"}:
        return {"solutions": [_solution(row) for row in read["results"]["bindings"]]}
    triples = (Triple(*(term_of(str(row.get(place))) for place in range(3))) for row in table)
    graph: dict[str, Any] = ANSWERS.write(Content, Triples(frozenset(triples)))
    return graph


def _solution(row: dict[str, Any]) -> dict[str, Any]:
    """`row` with the type that SPARQL 1.1 gives literals; its drafts had ``typed-literal``."""
    return {
        name: {**term, "type": "literal"} if term["type"] == "typed-literal" else term
        for name, term in row.items()
    }
