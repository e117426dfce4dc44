"""Solutions by rdflib: the second library, asked before an engine is accused.

rdflib rewrites lexical forms where it makes literals of text (``"05"^^xsd:integer`` to ``"5"``),
unless a global switch of it is turned. That switch is left alone: the data's literals and the
query's are made here, one by one and as written, and the query's text has none.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rsp_conformance.evaluation.rdflib_functions import register_functions
from rsp_conformance.evaluation.resolving import Resolver
from rsp_conformance.evaluation.solving import solved
from rsp_conformance.evaluation.stored import stored
from rsp_conformance.library.names import GRAPH_TERMS, KNOWN_AS
from rsp_conformance.library.refusals import refusals_raised
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import (
    IRI,
    RDF_LANGSTRING,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation, Row
from rsp_conformance.text.printer.rspql import print_query

if TYPE_CHECKING:
    import rdflib


def solutions(query: Query, dataset: Dataset) -> Relation:
    """QUERY over DATASET by rdflib, as ``by_library.solutions`` by pyoxigraph.

    Raises Unsupported where rdflib does not evaluate it, for whatever reason.
    """
    if query.form is Form.DESCRIBE:
        raise Unsupported("DESCRIBE")
    return solved(query, dataset, _ask)


def _ask(query: Query, dataset: Dataset) -> list[Row]:
    import rdflib
    from rdflib.plugins.sparql import prepareQuery
    from rdflib.plugins.sparql.evaluate import evalQuery

    data = stored(dataset)
    resolver = Resolver()
    resolved = resolver.query(query, data.names, data.names.default)
    text = print_query(resolved)
    try:
        with _quietly(), refusals_raised():
            register_functions()
            prepared = prepareQuery(text, base=query.base)
            literals = {iri: to_rdflib(literal) for iri, literal in resolver.aside.items()}
            _put_back(prepared.algebra, literals)
            graphs = rdflib.Dataset()
            for name, triples in data.layers.items():
                if f"<{name}>" in text:
                    graph = graphs.graph(rdflib.URIRef(name))
                    for triple in triples:
                        graph.add(_triple(triple))
            names = graphs.graph(rdflib.URIRef(GRAPH_TERMS))
            for layer, called in data.called:
                names.add((rdflib.URIRef(layer), rdflib.URIRef(KNOWN_AS), to_rdflib(called)))
            # ``Dataset.query`` does no more than this, and warns of itself.
            found = [dict(binding) for binding in evalQuery(graphs, prepared, {})["bindings"]]
    except Unsupported:
        raise
    except Exception as error:
        # A library's own failure, of whatever class, is no answer.
        said = " ".join(str(error).split()) or type(error).__name__
        raise Unsupported(f"by rdflib: {said}") from error
    columns = [rdflib.Variable(c.variable.name) for c in query.projection or ()]
    return [tuple([_from(binding.get(column)) for column in columns]) for binding in found]


def to_rdflib(term: Term) -> Any:
    """TERM as rdflib has it, its lexical form as it is; Unsupported for a quoted triple."""
    import rdflib

    match term:
        case IRI():
            return rdflib.URIRef(term.value)
        case BlankNode():
            return rdflib.BNode(term.label)
        case Literal(language=str(language)):
            return rdflib.Literal(term.lexical, lang=language)
        case Literal():
            plain = term.datatype in {XSD_STRING, RDF_LANGSTRING}
            datatype = None if plain else rdflib.URIRef(term.datatype)
            return rdflib.Literal(term.lexical, datatype=datatype, normalize=False)
    raise Unsupported("quoted triples by rdflib")


def _triple(triple: Triple) -> tuple[Any, Any, Any]:
    return to_rdflib(triple.subject), to_rdflib(triple.predicate), to_rdflib(triple.object)


def _from(node: rdflib.term.Node | None) -> Term | None:
    import rdflib

    match node:
        case None:
            return None
        case rdflib.URIRef():
            return IRI(str(node))
        case rdflib.BNode():
            return BlankNode(str(node))
        case rdflib.Literal():
            datatype = XSD_STRING if node.datatype is None else str(node.datatype)
            return Literal(str(node), datatype, node.language)
    raise Unsupported(f"by rdflib: {node!r} is no term")


def _put_back(part: Any, literals: dict[str, Any]) -> Any:
    """PART of rdflib's algebra with the literals that were put aside; containers are changed."""
    if isinstance(part, str):
        return literals.get(str(part), part) if literals else part
    if isinstance(part, dict):
        for key, value in list(part.items()):
            part[key] = _put_back(value, literals)
        return part
    if isinstance(part, list):
        part[:] = [_put_back(item, literals) for item in part]
        return part
    if isinstance(part, tuple):
        return tuple(_put_back(item, literals) for item in part)
    return part


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep what rdflib says of this thread's literals from standard error."""
    own = threading.get_ident()
    logger = logging.getLogger("rdflib.term")

    def others(record: logging.LogRecord) -> bool:
        return record.thread != own

    logger.addFilter(others)
    try:
        yield
    finally:
        logger.removeFilter(others)
