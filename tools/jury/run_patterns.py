"""Many random patterns asked of all jurors, and their differences in groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, GraphName, Triple
from rsp_conformance.model.variables import selected
from rsp_conformance.sparql.compare.rows import same_rows
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.sparql.readings import PLAIN, others
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec.evaluate import solutions, solutions_of_covered
from rsp_conformance.text.ntriples import write_term
from rsp_conformance.text.printer.rspql import print_query
from tools.jury.classes import (
    ALLOWED,
    GAVE_UP,
    SPECIFICATION,
    Allowed,
    GaveUp,
    Partition,
    partition,
)
from tools.jury.groups import Example, Groups, Key
from tools.jury.jurors import Data, Juror, RDFLib, Row
from tools.jury.patterns import dataset, query
from tools.jury.shapes import shape
from tools.jury.shrink import shrunk

QUERIES = 50
"""Queries about one dataset: filling five stores takes longer than one query."""
ATTEMPTS = 150
"""How often a difference is asked again to make its query smaller."""
OTHER = "a pattern"
"""What a difference is about that needs no decision, and is not made smaller."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What all say to one query, by their classes; ``left_open`` is as in ``groups.Key``."""

    parted: Partition
    left_open: str
    rows: dict[str, list[Row] | GaveUp]


def run(
    jurors: Sequence[Juror], seed: int, wanted: int, groups: Groups, tell: Callable[[int], None]
) -> int:
    """WANTED patterns, differences added to GROUPS; how many there were."""
    done = 0
    while done < wanted:
        random = Random(f"{seed} patterns {done}")
        data = dataset(random)
        _load(jurors, data)
        for _ in range(min(QUERIES, wanted - done)):
            _compare(jurors, query(random, data), data, groups)
            done += 1
        tell(done)
    return done


def _load(jurors: Sequence[Juror], data: Data) -> None:
    for juror in jurors:
        juror.load(data)


def dataset_of(data: Data) -> Dataset:
    """DATA as the specification takes it."""
    named: dict[GraphName, GraphBag] = {n: GraphBag(graph) for n, graph in data.named.items()}
    return Dataset(GraphBag(data.default), named)


def answered(jurors: Sequence[Juror], asked: Query, data: Data) -> Answered | None:
    """What JURORS, who have DATA, and the specification say; None where it refuses the query."""
    try:
        ours = solutions(asked, dataset_of(data))
        allowed = _other_readings(asked, data, ours)
    except Unsupported:
        return None
    rows: dict[str, list[Row] | GaveUp] = {SPECIFICATION: ours.rows}
    text, names = print_query(asked), selected(asked)
    for juror in jurors:
        try:
            rows[juror.name] = juror.select(text, names)
        except Exception:  # of any class, as `Juror.select` says
            rows[juror.name] = GaveUp()
    # Who answers as another reading of an open point has it says what may be said.
    judged: dict[str, _Said] = {
        n: Allowed() if not _same(ours.rows, r) and any(_same(a, r) for a in allowed) else r
        for n, r in rows.items()
    }
    return Answered(partition(judged, _same, _said), "; ".join(ours.undetermined), rows)


def _other_readings(asked: Query, data: Data, ours: Relation) -> list[list[Row]]:
    """The solutions of ASKED under other readings of the open points that OURS has met."""
    return [
        solutions_of_covered(asked, dataset_of(data), readings).rows
        for _, readings in others(PLAIN, ours.choices)
    ]


_Said: TypeAlias = "list[Row] | GaveUp | Allowed"


def _same(one: _Said, other: _Said) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return same_rows(one, other, "value")
    return one == other


def _said(rows: _Said) -> str:
    if isinstance(rows, list):
        return "rows"
    return GAVE_UP if isinstance(rows, GaveUp) else ALLOWED


def _compare(jurors: Sequence[Juror], asked: Query, data: Data, groups: Groups) -> None:
    found = answered(jurors, asked, data)
    if found is None or found.parted.agreed:
        return
    key = Key(OTHER, (), found.parted, found.left_open)
    if not key.to_be_decided:
        groups.add(key, _example(asked, data, found))
        return

    small = shrunk(asked, lambda smaller: _parts(jurors, smaller, data, key.parted), ATTEMPTS)
    least = _fewer_triples(jurors, small, data, key.parted)
    _load(jurors, least)
    again = answered(jurors, small, least)
    _load(jurors, data)
    assert again is not None
    groups.add(Key(shape(small), (), key.parted), _example(small, least, again))


def _parts(jurors: Sequence[Juror], asked: Query, data: Data, parted: Partition) -> bool:
    """Whether ASKED parts JURORS as PARTED says.

    rdflib takes longer than all others together, so it is asked if they are parted so.
    """
    quick = [juror for juror in jurors if juror.name != RDFLib.name]
    for some, wanted in ((quick, parted.without(RDFLib.name)), (jurors, parted)):
        again = _attempted(some, asked, data)
        if again is None or again.left_open or again.parted != wanted:
            return False
    return True


def _attempted(jurors: Sequence[Juror], asked: Query, data: Data) -> Answered | None:
    try:
        return answered(jurors, asked, data)
    except ValueError:  # what shrinking makes need not be a query that can be written
        return None


def _fewer_triples(jurors: Sequence[Juror], asked: Query, data: Data, parted: Partition) -> Data:
    """DATA without what the difference does not need, a triple at a time."""
    for name, graph in data.graphs():
        # The last triple of a named graph stays: stores need not record a graph without any.
        for triple in graph if name is None else graph[1:]:
            fewer = _without(data, name, triple)
            _load(jurors, fewer)
            if _parts(jurors, asked, fewer, parted):
                data = fewer
    return data


def _without(data: Data, name: IRI | None, triple: Triple) -> Data:
    def kept(key: IRI | None) -> list[Triple]:
        graph = data.default if key is None else data.named[key]
        return [t for t in graph if key != name or t != triple]

    return Data(kept(None), {key: kept(key) for key in data.named})


def _example(asked: Query, data: Data, found: Answered) -> Example:
    graphs = [
        f"{'' if name is None else name.value + ' '}{{ "
        + " ".join(f"{' '.join(map(write_term, triple))} ." for triple in graph)
        + " }"
        for name, graph in data.graphs()
        if graph
    ]
    text = f"{print_query(asked, one_clause_a_line=False)} over {' '.join(graphs) or 'nothing'}"
    return Example(text, {name: _text(rows) for name, rows in found.rows.items()})


def _text(rows: list[Row] | GaveUp) -> str:
    if isinstance(rows, GaveUp):
        return GAVE_UP
    lines = sorted(" ".join("–" if t is None else write_term(t) for t in row) for row in rows)
    return "; ".join(lines) or "none"
