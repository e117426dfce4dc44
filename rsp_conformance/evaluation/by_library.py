"""Solutions by pyoxigraph: SPARQL 1.1 over the graphs that windows and background data become."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pyoxigraph as ox

from rsp_conformance.evaluation.solving import cores, solved
from rsp_conformance.evaluation.stored import Stored, graph_term, stored
from rsp_conformance.library.functions import FUNCTIONS, Accumulator
from rsp_conformance.library.names import GRAPH_TERMS, KNOWN_AS, GraphTerm, Names, StoredGraph
from rsp_conformance.library.refusals import refusals_raised
from rsp_conformance.library.terms import StoredTerm, from_model, to_model
from rsp_conformance.library.translate import Translation
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.terms import Term
from rsp_conformance.r2r.identity_cache import Remembered
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation, Row
from rsp_conformance.text.printer.rspql import print_query

MOST_PREPARED = 256
"""So many texts are kept; a query has another text where names mean other graphs."""


def solutions(query: Query, dataset: Dataset) -> Relation:
    """QUERY over DATASET, as ``r2r.evaluate.solutions``; ``Unsupported`` names what is not done."""
    refuse(query)
    return solved(query, dataset, _ask)


def refuse(query: Query) -> None:
    """Raise ``Unsupported`` with the name of what the library does not evaluate."""
    refusal = _refusals.of(query)
    if refusal is not None:
        raise Unsupported(refusal)


class _EveryName(Names):
    """A scope in which every name means something, so that a translation leaves nothing out."""

    def graph(self, name: GraphTerm) -> StoredGraph | None:
        return self.default

    def window(self, name: str) -> Names | None:
        return _EVERY_NAME


_ANY = ox.NamedNode("urn:x-rsp:any")
_EVERY_NAME = _EveryName(StoredGraph("default"), ranged=(_ANY,))


def _refusal(query: Query) -> str | None:
    if query.form is Form.DESCRIBE:
        return "DESCRIBE"
    names = _EveryName(StoredGraph("default"), ranged=(_ANY,), windows=((_ANY.value, _EVERY_NAME),))
    try:
        _query(ox.Store(), _translated(cores.of(query).query, names))
    except Unsupported as refusal:
        return refusal.what
    return None


_refusals: Remembered[str | None] = Remembered(_refusal)


class _Prepared(NamedTuple):
    """A translated query. ``query`` is kept for its identity."""

    query: Query
    text: str
    aggregates: dict[ox.NamedNode, Callable[[], Accumulator]]


_prepared: OrderedDict[tuple[int, Names], _Prepared] = OrderedDict()


def _translated(query: Query, names: Names) -> _Prepared:
    translation = Translation(query, names, differing=True)
    return _Prepared(query, print_query(translation.query), translation.aggregates)


def _ask(query: Query, dataset: Dataset) -> list[Row]:
    try:
        data = stored(dataset)
        key = (id(query), data.names)
        prepared = _prepared.get(key)
        if prepared is None:
            prepared = _prepared[key] = _translated(query, data.names)
            if len(_prepared) > MOST_PREPARED:
                _prepared.popitem(last=False)
        store = ox.Store()
        store.extend(_quads(data, prepared.text))
    except ValueError as error:
        raise Unsupported(f"by pyoxigraph: {error}") from error
    found = _query(store, prepared)
    known: dict[StoredTerm | None, Term | None] = {None: None}

    def term(part: StoredTerm | None) -> Term | None:
        if part not in known:
            assert part is not None
            known[part] = to_model(part)
        return known[part]

    places = range(len(query.projection or ()))
    return [tuple([term(row[place]) for place in places]) for row in found]


def _query(store: ox.Store, prepared: _Prepared) -> list[ox.QuerySolution]:
    """What pyoxigraph answers; its own refusals become ``Unsupported``."""
    try:
        with refusals_raised():
            results = store.query(
                prepared.text,
                base_iri=prepared.query.base,
                custom_functions=FUNCTIONS,
                custom_aggregate_functions=prepared.aggregates,
            )
            assert isinstance(results, ox.QuerySolutions)
            return list(results)
    except (SyntaxError, ValueError, RuntimeError, OSError) as error:
        raise Unsupported(f"by pyoxigraph: {' '.join(str(error).split())}") from error


def _quads(data: Stored, text: str) -> Iterator[ox.Quad]:
    """The triples of the graphs that TEXT mentions."""
    known: dict[Term, StoredTerm] = {}

    def term(part: Term) -> StoredTerm:
        if part not in known:
            known[part] = from_model(part)
        return known[part]

    for name, triples in data.layers.items():
        if f"<{name}>" not in text:
            continue
        graph = ox.NamedNode(name)
        for t in triples:
            yield ox.Quad(term(t.subject), term(t.predicate), term(t.object), graph)  # type: ignore[arg-type]
    names, known_as = ox.NamedNode(GRAPH_TERMS), ox.NamedNode(KNOWN_AS)
    for layer, called in data.called:
        yield ox.Quad(ox.NamedNode(layer), known_as, graph_term(called), names)
