"""Two ways to evaluate a pattern, chosen by query and by size.

The definitions' own evaluator is the arbiter of what it covers. What goes beyond it is evaluated
by the library, and so are datasets of so many triples that the library is faster (``crossover``,
as measured by ``make bench``; docs/evaluation.md has the table).
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Literal, TypeAlias

from rsp_conformance.evaluation import by_library
from rsp_conformance.evaluation.crossover import crossover
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.paths import Path
from rsp_conformance.model.query import Query
from rsp_conformance.r2r import evaluate
from rsp_conformance.r2r.evaluator import DEFINITIONS, Evaluator
from rsp_conformance.r2r.identity_cache import Remembered
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation

Way: TypeAlias = Literal["auto", "definitions", "library"]
"""Which way is taken: the one that fits query and size, or always the one that is named."""


def solutions(query: Query, dataset: Dataset, way: Way = "auto") -> Relation:
    """QUERY over DATASET, before the streaming operator and the query form.

    ``Relation.way`` says which way was taken. ``Unsupported`` says by name what is not evaluated
    that way; under ``auto``, what neither way evaluates.
    """
    if way == "definitions" or (way == "auto" and not takes_library(query, dataset)):
        return evaluate.solutions(query, dataset)
    return by_library.solutions(query, dataset)


def refuse(query: Query, way: Way = "auto") -> None:
    """Raise ``Unsupported`` with the name of what is not evaluated that way, whatever the data."""
    if way == "definitions":
        evaluate.refuse(query)
    elif way == "library" or not defined(query):
        by_library.refuse(query)


def defined(query: Query) -> bool:
    """Whether the definitions' own evaluator covers QUERY."""
    return _defined.of(query)


def takes_library(query: Query, dataset: Dataset) -> bool:
    """Whether ``auto`` takes the library: the definitions do not cover QUERY, or it is faster."""
    if not defined(query):
        return True
    least = _crossovers.of(query)
    return least is not None and dataset_size(dataset) >= least and _evaluated(query)


def dataset_size(dataset: Dataset) -> int:
    """The triples of all graphs and windows of DATASET; one that a bag repeats counts once."""
    size = len(dataset.default) + sum(map(len, dataset.named.values()))
    for window in dataset.windows.values():
        size += len(window.default) + sum(map(len, window.named.values()))
    return size


def evaluator(way: Way = "auto") -> Evaluator:
    """The evaluator that goes WAY, for the specification."""
    return DEFINITIONS if way == "definitions" else _EVALUATORS[way]


def _covered(query: Query) -> bool:
    try:
        evaluate.refuse(query)
    except Unsupported:
        return False
    return not _walks(query)


def _walks(part: object) -> bool:
    """Whether a property path stands in PART of a query."""
    if isinstance(part, Path):
        return True
    if isinstance(part, tuple):
        return any(map(_walks, part))
    return is_dataclass(part) and any(_walks(getattr(part, item.name)) for item in fields(part))


def _by_library(query: Query) -> bool:
    try:
        by_library.refuse(query)
    except Unsupported:
        return False
    return True


_defined = Remembered(_covered)
_evaluated = Remembered(_by_library).of
_crossovers = Remembered(crossover)

AUTO = Evaluator(refuse, solutions)
"""The evaluator that users' queries get."""

_LIBRARY = Evaluator(by_library.refuse, by_library.solutions)
_EVALUATORS = {"auto": AUTO, "library": _LIBRARY}
