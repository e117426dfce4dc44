"""Queries, what they are asked of, and what either evaluator finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rsp_conformance.model.answers import Content
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import Term
from rsp_conformance.spark.worker import forms as compiled_forms
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec import evaluate as specification
from rsp_conformance.spec import forms
from rsp_conformance.text.parse import parse_query
from tests.builders import compiled
from tests.builders.terms import PREFIXES, triple

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


def graph(*triples: tuple[object, object, object]) -> GraphBag:
    return GraphBag([triple(*parts) for parts in triples])


def query(text: str) -> Query:
    return parse_query(PREFIXES + text)


def evaluate(text: str, dataset: Dataset | GraphBag | None = None) -> Relation:
    if isinstance(dataset, GraphBag):
        dataset = Dataset(dataset)
    return solutions(query(text), dataset or Dataset())


def answer(text: str, dataset: Dataset | GraphBag | None = None) -> Content:
    if isinstance(dataset, GraphBag):
        dataset = Dataset(dataset)
    parsed = query(text)
    return content(parsed, solutions(parsed, dataset or Dataset()))


def rows(text: str, dataset: Dataset | GraphBag | None = None) -> list[tuple[Term | None, ...]]:
    return evaluate(text, dataset).rows


def bag(found: Relation) -> Counter[frozenset[tuple[str, Term]]]:
    """Solutions without unbound variables, with their counts."""
    return Counter(
        frozenset((v, t) for v, t in zip(found.variables, row, strict=True) if t is not None)
        for row in found.rows
    )
