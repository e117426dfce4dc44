"""Short ways to write terms, graphs and queries, and pyoxigraph as a second opinion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import pyoxigraph as ox

from rsp_conformance.model.answers import Content
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import (
    IRI,
    XSD,
    XSD_INTEGER,
    BlankNode,
    GraphName,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.spark.worker import evaluate as compiled
from rsp_conformance.spark.worker import forms as compiled_forms
from rsp_conformance.sparql.dataset import Dataset, Graph
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec import evaluate as specification
from rsp_conformance.spec import forms
from rsp_conformance.text.ntriples import parse_term
from rsp_conformance.text.parse import parse_query

EX = "http://ex.org/"
PREFIXES = f"PREFIX : <{EX}> PREFIX xsd: <{XSD}> "


EVALUATORS = {
    "specification": (specification.solutions, forms.content),
    "compiled": (compiled.solutions, compiled_forms.content),
}
_chosen = ["specification"]


@contextmanager
def evaluated_by(name: str) -> Iterator[None]:
    """Have what stands below evaluate by the evaluator NAME."""
    _chosen.append(name)
    yield
    _chosen.pop()


def solutions(query: Query, dataset: Dataset) -> Relation:
    return EVALUATORS[_chosen[-1]][0](query, dataset)


def content(query: Query, relation: Relation) -> Content:
    return EVALUATORS[_chosen[-1]][1](query, relation)


def iri(name: str) -> IRI:
    return IRI(EX + name)


def integer(number: int) -> Literal:
    return Literal(str(number), XSD_INTEGER)


def term(text: object) -> Term:
    """A term from ``:a``, ``_:b``, a Python int, N-Triples, or a plain string."""
    if isinstance(text, int):
        return integer(text)
    if not isinstance(text, str):
        return text  # type: ignore[return-value]
    if text.startswith(":"):
        return iri(text[1:])
    if text.startswith("_:"):
        return BlankNode(text[2:])
    if text.startswith(("<", '"')):
        return parse_term(
            text.replace("^^xsd:", f"^^<{XSD}").replace("^^:", f"^^<{EX}")
            + (">" if "^^xsd:" in text or "^^:" in text else "")
        )
    return Literal(text)


def triple(subject: object, predicate: object, object_: object) -> Triple:
    return Triple(term(subject), term(predicate), term(object_))  # type: ignore[arg-type]


def graph(*triples: tuple[object, object, object]) -> Graph:
    return Graph([triple(*parts) for parts in triples])


def query(text: str) -> Query:
    return parse_query(PREFIXES + text)


def evaluate(text: str, dataset: Dataset | Graph | None = None) -> Relation:
    if isinstance(dataset, Graph):
        dataset = Dataset(dataset)
    return solutions(query(text), dataset or Dataset())


def answer(text: str, dataset: Dataset | Graph | None = None) -> Content:
    if isinstance(dataset, Graph):
        dataset = Dataset(dataset)
    parsed = query(text)
    return content(parsed, solutions(parsed, dataset or Dataset()))


def rows(text: str, dataset: Dataset | Graph | None = None) -> list[tuple[Term | None, ...]]:
    return evaluate(text, dataset).rows


def bag(found: Relation) -> Counter[frozenset[tuple[str, Term]]]:
    """Solutions without unbound variables, with their counts."""
    return Counter(
        frozenset((v, t) for v, t in zip(found.variables, row, strict=True) if t is not None)
        for row in found.rows
    )


def to_ox(value: Term) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    if isinstance(value, IRI):
        return ox.NamedNode(value.value)
    if isinstance(value, BlankNode):
        return ox.BlankNode(value.label)
    assert isinstance(value, Literal)
    if value.language:
        return ox.Literal(value.lexical, language=value.language)
    return ox.Literal(value.lexical, datatype=ox.NamedNode(value.datatype))


def from_ox(value: object) -> Term:
    if isinstance(value, ox.NamedNode):
        return IRI(value.value)
    if isinstance(value, ox.BlankNode):
        return BlankNode(value.value)
    assert isinstance(value, ox.Literal)
    return Literal(value.value, value.datatype.value, value.language)


def store(default: Iterable[Triple], named: Mapping[GraphName, Iterable[Triple]]) -> ox.Store:
    result = ox.Store()
    for name, members in [(None, default), *named.items()]:
        target = ox.DefaultGraph() if name is None else to_ox(name)
        if name is not None:
            result.add_graph(target)
        for t in members:
            result.add(ox.Quad(to_ox(t.subject), to_ox(t.predicate), to_ox(t.object), target))
    return result


def ox_bag(
    text: str, default: Iterable[Triple], named: Mapping[GraphName, Iterable[Triple]]
) -> Counter[frozenset[tuple[str, Term]]]:
    """Pyoxigraph's solutions of a SELECT."""
    found = store(default, named).query(text)
    names = [variable.value for variable in found.variables]
    return Counter(frozenset((v, from_ox(s[v])) for v in names if s[v] is not None) for s in found)
