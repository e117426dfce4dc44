"""Where the library overtakes the definitions' evaluator: a window of growing size, by shape.

Each side is given a dataset whose indexes nobody has built yet, as every evaluation of a window is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rsp_conformance.evaluation import by_library
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, XSD_INTEGER, Literal, Triple
from rsp_conformance.r2r.evaluate import solutions
from rsp_conformance.sparql.dataset import Dataset, Graph, WindowDataset
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.text.parse import parse_query

EX: Final = "http://ex.org/"
SIZES: Final = (10, 100, 1_000, 10_000)
PRODUCT_SIZES: Final = (10, 100, 300, 1_000)
"""Products have a quarter of the square of these as solutions."""

SECONDS: Final = 0.15
"""How long each side of a cell is measured for, at least once."""

WINDOW: Final = IRI(EX + "w")

SHAPES: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "one pattern": ("SELECT * { WINDOW :w { ?s :v ?o } }", SIZES),
    "one subject": ("SELECT * { WINDOW :w { :s1 :v ?o } }", SIZES),
    "star": ("SELECT ?s ?o ?r { WINDOW :w { ?s :v ?o ; :in ?r } }", SIZES),
    "chain": ("SELECT ?s ?t { WINDOW :w { ?s :in ?r . ?t :in ?r } }", SIZES),
    "FILTER": ("SELECT ?s { WINDOW :w { ?s :v ?o FILTER(?o > 990) } }", SIZES),
    "OPTIONAL": ("SELECT * { WINDOW :w { ?s :v ?o OPTIONAL { ?s :in :r1 } } }", SIZES),
    "NOT EXISTS": (
        "SELECT ?s { WINDOW :w { ?s :v ?o FILTER NOT EXISTS { ?s :in :r1 } } }",
        SIZES,
    ),
    "AVG by group": (
        "SELECT ?r (AVG(?o) AS ?a) { WINDOW :w { ?s :v ?o ; :in ?r } } GROUP BY ?r",
        SIZES,
    ),
    "ORDER BY": ("SELECT ?s ?o { WINDOW :w { ?s :v ?o } } ORDER BY ?o ?s", SIZES),
    "product, rows": ("SELECT ?s ?t { WINDOW :w { ?s :v ?o . ?t :in ?r } }", PRODUCT_SIZES),
    "product, FILTER": (
        "SELECT ?s { WINDOW :w { ?s :v ?o . ?t :v ?r FILTER(?o < ?r) } }",
        PRODUCT_SIZES,
    ),
    "product, counted": (
        "SELECT (COUNT(*) AS ?n) { WINDOW :w { ?s :v ?o . ?t :in ?r } }",
        PRODUCT_SIZES,
    ),
    "product, counted by group": (
        "SELECT ?r (COUNT(*) AS ?n) { WINDOW :w { ?s :v ?o . ?t :in ?r } } GROUP BY ?r",
        PRODUCT_SIZES,
    ),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One shape at one size: the best milliseconds of each side."""

    shape: str
    triples: int
    definitions: float
    library: float

    @property
    def ratio(self) -> float:
        """The library's time by the definitions'; below 1 the library is faster."""
        return self.library / self.definitions


def measure() -> list[Cell]:
    """Every shape at each of its sizes."""
    return [
        _cell(shape, parse_query(f"PREFIX : <{EX}> {text}"), size)
        for shape, (text, sizes) in SHAPES.items()
        for size in sizes
    ]


def _cell(shape: str, query: Query, size: int) -> Cell:
    triples = _triples(size)
    return Cell(
        shape,
        size,
        _milliseconds(solutions, query, triples),
        _milliseconds(by_library.solutions, query, triples),
    )


def _triples(size: int) -> list[Triple]:
    """Readings of as many sensors as half of SIZE, each in one of a twentieth as many rooms."""
    found: list[Triple] = []
    for i in range(size // 2):
        sensor = IRI(f"{EX}s{i}")
        room = IRI(f"{EX}r{i * 7919 % max(2, size // 20)}")
        reading = Literal(str(i * 7919 % 1000), XSD_INTEGER)
        found += [Triple(sensor, IRI(EX + "v"), reading), Triple(sensor, IRI(EX + "in"), room)]
    return found


def _milliseconds(
    evaluate: Callable[[Query, Dataset], Relation], query: Query, triples: list[Triple]
) -> float:
    """The best of several evaluations, in processor time, the query being known already."""
    evaluate(query, Dataset(windows={WINDOW: WindowDataset(Graph(triples[:2]))}))
    best, until = float("inf"), time.perf_counter() + SECONDS
    while best == float("inf") or time.perf_counter() < until:
        dataset = Dataset(windows={WINDOW: WindowDataset(Graph(triples))})
        started = time.process_time()
        evaluate(query, dataset)
        best = min(best, time.process_time() - started)
    return 1000 * best
