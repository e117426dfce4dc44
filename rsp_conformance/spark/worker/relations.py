"""R2R inside Spark: the pattern evaluator over distinct window contents, as one Arrow function.

Of a piece every content is evaluated once, however many evaluations see it, and of pieces whose
questions are equal every content that they share. Elements of which the query can use nothing are
passed over, so windows that differ in these alone hold the same.
"""

from __future__ import annotations

import pickle
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from typing import Any, TypeAlias

import pyarrow as pa

from rsp_conformance.model.answers import Triples
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Form
from rsp_conformance.model.terms import BlankNode, Term, Triple, blank_nodes
from rsp_conformance.spark.codec import (
    decode_element,
    encode_answer_triple,
    encode_rows,
)
from rsp_conformance.spark.worker.evaluate import solutions
from rsp_conformance.spark.worker.forms import content
from rsp_conformance.spark.worker.query_context import Element, Question
from rsp_conformance.sparql.dataset import WindowDataset
from rsp_conformance.sparql.relation import Relation

_TEXTS = pa.list_(pa.string())
RELATION = pa.struct(
    [
        ("rows", _TEXTS),
        ("triples", pa.list_(_TEXTS)),
        ("ties", pa.list_(pa.int32())),
        ("open", pa.string()),
        ("refused", pa.string()),
    ]
)
RELATION_SQL = (
    "struct<rows: array<string>, triples: array<array<string>>, ties: array<int>, "
    "open: string, refused: string>"
)
"""The solutions of a question over one content, as text.

``rows``: the solutions (``codec.encode_row``); the second and later occurrences of one carry their
number after a line end, so that bag difference is set difference. ``triples``: those that a
CONSTRUCT makes of each row, NULL for other forms. ``ties``: of every row the group of tied rows
under ORDER BY, NULL without one. ``open``: why SPARQL leaves the solutions open. ``refused``: what
is not evaluated.
"""

SOLUTIONS = pa.struct(
    [("rows", pa.list_(pa.string())), ("triples", pa.list_(pa.list_(pa.string())))]
)
SOLUTIONS_SQL = "struct<rows: array<string>, triples: array<array<string>>>"
"""Solutions as text, and the triples that a CONSTRUCT makes of each (``RELATION``)."""

_NUMBERS = pa.list_(pa.list_(pa.int32()))
RELATIONS_SQL = (
    f"relations array<{RELATION_SQL}>, variables string, "
    "found array<array<int>>, at array<array<int>>"
)
"""What ``evaluate`` finds of a piece.

``relations`` are those of its distinct contents, all over the same ``variables``. ``found`` tells
which of them every evaluation of every vector has, and ``at`` which answer: every evaluation one of
its own where the query has Istream or Dstream, else every relation.
"""

USED_UP = ("question_bytes", "question", "backgrounds", "times", "hashes", "elements")
"""The columns that are read here and by nothing after."""

_REMEMBERED = 4096
"""So many relations are remembered for pieces of equal questions at most."""

_Runs: TypeAlias = "tuple[int, ...]"
"""The version of the background, and of every window where its run starts and ends."""


def evaluate(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """BATCHES of pieces with their ``vectors``, with what ``RELATIONS_SQL`` tells of them."""
    known: dict[Hashable, dict[str, Any]] = {}
    for batch in batches:
        rows = batch.select([*USED_UP]).to_pylist()
        vectors = _Vectors(batch.column("vectors"))
        relations: list[list[dict[str, Any]]] = []
        variables: list[str] = []
        found: list[int] = []
        at: list[int] = []
        for row, runs in zip(rows, vectors.runs(), strict=True):
            if len(known) > _REMEMBERED:
                known.clear()
            piece = _Piece(row, known)
            places = [piece.relation(run) for run in runs]
            found += places
            at += range(len(places)) if piece.differs else places
            relations.append(piece.relations)
            variables.append(piece.variables)
        kept = [name for name in batch.schema.names if name not in USED_UP]
        yield pa.RecordBatch.from_arrays(
            [
                *[batch.column(name) for name in kept],
                pa.array(relations, pa.list_(RELATION)),
                pa.array(variables, pa.string()),
                vectors.nested(found),
                vectors.nested(at),
            ],
            names=[*kept, "relations", "variables", "found", "at"],
        )


class _Vectors:
    """The column ``vectors`` of a batch (``plan.evaluations``)."""

    def __init__(self, column: pa.ListArray) -> None:
        self._vectors = column
        self._by_vector = column.flatten().field("evaluations")

    def runs(self) -> Iterator[Iterator[_Runs]]:
        """Of every piece the runs of all its evaluations, vector by vector."""
        evaluations = self._by_vector.flatten()
        versions = evaluations.field("version").to_pylist()
        runs = evaluations.field("runs")
        widths = runs.value_lengths().to_pylist()
        lo, hi = [runs.flatten().field(end).to_pylist() for end in ("lo", "hi")]
        place = edge = vector = 0
        lengths = self._by_vector.value_lengths().to_pylist()
        for vectors in self._vectors.value_lengths().to_pylist():
            number = sum(lengths[vector : vector + vectors])
            vector += vectors
            width = widths[place] if number else 0
            end = edge + number * width
            columns = [side[edge + i : end : width] for i in range(width) for side in (lo, hi)]
            yield zip(versions[place : place + number], *columns, strict=True)
            place, edge = place + number, end

    def nested(self, numbers: Sequence[int]) -> pa.ListArray:
        """NUMBERS, one for each evaluation, by piece and vector."""
        inner = pa.ListArray.from_arrays(_offsets(self._by_vector), pa.array(numbers, pa.int32()))
        return pa.ListArray.from_arrays(_offsets(self._vectors), inner)


def _offsets(lists: pa.ListArray) -> pa.Array:
    return pa.array(list(accumulate(lists.value_lengths().to_pylist(), initial=0)), pa.int32())


@lru_cache(maxsize=4096)
def _question(text: bytes) -> Question:
    question = pickle.loads(text)
    assert isinstance(question, Question)
    return question


class _Piece:
    """A piece, whose ``relations`` are found as they are asked for."""

    def __init__(self, row: dict[str, Any], known: dict[Hashable, dict[str, Any]]) -> None:
        self._question = question = _question(row["question_bytes"])
        operator = question.query.operator
        self.differs = operator is not None and operator.letter in "ID"
        self.relations: list[dict[str, Any]] = []
        self.variables = ""
        self._row = row
        self._known = known
        self._streams = [
            _Elements(*columns)
            for columns in zip(row["times"], row["elements"], row["hashes"], strict=True)
        ]
        self._by_runs: dict[_Runs, int] = {}
        self._by_content: dict[Hashable, int] = {}
        self._windows: dict[tuple[int, int, int], WindowDataset] = {}

    def relation(self, runs: _Runs) -> int:
        """The number of the relation of an evaluation with RUNS."""
        number = self._by_runs.get(runs)
        if number is None:
            version, *edges = runs
            number = self._by_runs[runs] = self._of_content(
                version,
                [
                    stream.said(lo, hi)
                    for stream, lo, hi in zip(self._streams, edges[::2], edges[1::2], strict=True)
                ],
            )
        return number

    def _of_content(self, version: int, runs: Sequence[tuple[int, int]]) -> int:
        bags = self._question.bags
        content = (
            self._row["question"],
            self._row["backgrounds"][version],
            *[
                stream.content(run, bags=bags)
                for stream, run in zip(self._streams, runs, strict=True)
            ],
        )
        number = self._by_content.get(content)
        if number is None:
            number = self._by_content[content] = len(self.relations)
            relation = self._known.get(content)
            if relation is None:
                relation = self._known[content] = self._evaluated(version, runs)
            self.relations.append(relation)
            self.variables = relation["variables"] or self.variables
        return number

    def _evaluated(self, version: int, runs: Sequence[tuple[int, int]]) -> dict[str, Any]:
        question = self._question
        windows = [self._window(number, *run) for number, run in enumerate(runs)]
        try:
            data = question.dataset(version, windows)
            return _encode(question, solutions(question.query, data))
        except Unsupported as refusal:
            return {"variables": "", "rows": [], "refused": refusal.what}

    def _window(self, number: int, lo: int, hi: int) -> WindowDataset:
        run = (number, lo, hi)
        if run not in self._windows:
            elements = self._streams[number].elements(lo, hi)
            self._windows[run] = self._question.window_dataset(elements)
        return self._windows[run]


class _Elements:
    """Those elements of a window's stream that say something, decoded where first read."""

    def __init__(self, times: Sequence[int], texts: Sequence[str], hashes: Sequence[int]) -> None:
        said = [place for place, text in enumerate(texts) if text]
        self._before = list(accumulate(map(bool, texts), initial=0))
        self._times = [times[place] for place in said]
        self._texts = [texts[place] for place in said]
        self._hashes = [hashes[place] for place in said]
        self._decoded: list[Element | None] = [None] * len(said)

    def said(self, lo: int, hi: int) -> tuple[int, int]:
        """The run of those that say something within the run [LO, HI) of all elements."""
        start, end = self._before[lo], self._before[hi]
        return (start, end) if start < end else (0, 0)

    def content(self, run: tuple[int, int], *, bags: bool) -> Hashable:
        """What stands for the content of RUN: equal where the elements say the same."""
        hashes = self._hashes[slice(*run)]
        return tuple(sorted(hashes)) if bags else frozenset(hashes)

    def elements(self, lo: int, hi: int) -> list[Element]:
        for place in range(lo, hi):
            if self._decoded[place] is None:
                self._decoded[place] = (self._times[place], *decode_element(self._texts[place]))
        return self._decoded[lo:hi]  # type: ignore[return-value]


def _encode(question: Question, relation: Relation) -> dict[str, Any]:
    query = question.query
    differs = query.operator is not None and query.operator.letter in "ID"
    seen: dict[str, int] = {}
    rows = encode_rows(relation.variables, relation.rows)
    for place, text in enumerate(rows):
        number = seen.get(text, 0)
        seen[text] = number + 1
        if number:
            rows[place] = f"{text}\n{number}"
    return {
        "variables": "\t".join(relation.variables),
        "rows": rows,
        "triples": _constructed(question, relation, rows) if query.form is Form.CONSTRUCT else None,
        "ties": None if differs else relation.ties,
        "open": relation.undetermined[0] if relation.undetermined else None,
    }


def _constructed(question: Question, relation: Relation, texts: Sequence[str]) -> list[list[str]]:
    """What CONSTRUCT makes of every row; its fresh blank nodes are named after the row."""

    def construct(row: tuple[Term | None, ...], text: str) -> list[str]:
        graph = content(question.query, Relation(relation.variables, [row]))
        assert isinstance(graph, Triples)
        given = {node for term in row if term is not None for node in blank_nodes(term)}
        return [encode_answer_triple(_renamed(triple, given, text)) for triple in graph.graph]

    return [construct(row, text) for row, text in zip(relation.rows, texts, strict=True)]


def _renamed(triple: Triple, given: set[BlankNode], row: str) -> Triple:
    def part(term: Term) -> Term:
        if isinstance(term, BlankNode) and term not in given:
            return BlankNode(f"{term.label}.{blake2b(row.encode(), digest_size=8).hexdigest()}")
        if isinstance(term, Triple):
            return _renamed(term, given, row)
        return term

    return Triple(*[part(term) for term in triple])  # type: ignore[arg-type]
