"""R2R inside Spark: the pattern evaluator over distinct window contents, as one Arrow function."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import pyarrow as pa

from rsp_conformance.model.answers import Triples
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Form
from rsp_conformance.model.terms import BlankNode, Term, Triple, blank_nodes
from rsp_conformance.spark.codec import (
    decode_element,
    encode_answer_triple,
    encode_row,
)
from rsp_conformance.spark.query_context import Element, Question
from rsp_conformance.spark.worker.evaluate import solutions
from rsp_conformance.spark.worker.forms import content
from rsp_conformance.sparql.dataset import WindowDataset
from rsp_conformance.sparql.relation import Relation

ROW = pa.struct([("r", pa.string()), ("g", pa.int32()), ("c", pa.list_(pa.string()))])
ROWS_SQL = "array<struct<r: string, g: int, c: array<string>>>"
RELATION = pa.schema(
    [
        ("key", pa.int64()),
        ("variables", pa.string()),
        ("rows", pa.list_(ROW)),
        ("open", pa.string()),
        ("refused", pa.string()),
        ("library", pa.bool_()),
    ]
)
RELATION_SQL = (
    f"key bigint, variables string, rows {ROWS_SQL}, open string, refused string, library boolean"
)
"""A relation as text.

``rows``: ``r`` a solution (``codec.encode_row``); the second and later occurrences of one solution
carry their number after a line end, so that bag difference is set difference. ``g`` is the group
of tied rows under ORDER BY, −1 without one. ``c``: the triples that a CONSTRUCT makes of it.
``open``: why SPARQL leaves the solutions open. ``refused``: what is not evaluated.
``library``: whether a library evaluated it.
"""


def evaluate(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Solutions of every request of BATCHES.

    A row is a piece of one case: ``question_bytes``, per window ``element_times`` and
    ``elements``, and ``requests``: which part [lo, hi) of every window's elements to evaluate
    over which version of the background, each under a key.
    """
    for batch in batches:
        found: list[dict[str, Any]] = []
        for row in batch.to_pylist():
            found.extend(_piece(row))
        yield pa.RecordBatch.from_pylist(found, schema=RELATION)


@lru_cache(maxsize=4096)
def _question(text: bytes) -> Question:
    question = pickle.loads(text)
    assert isinstance(question, Question)
    return question


def _piece(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    question = _question(row["question_bytes"])
    streams = [
        _Elements(times, texts)
        for times, texts in zip(row["element_times"], row["elements"], strict=True)
    ]
    held: dict[tuple[int, int, int], WindowDataset] = {}

    def window(number: int, lo: int, hi: int) -> WindowDataset:
        run = (number, lo, hi)
        if run not in held:
            held[run] = question.window_dataset(streams[number].run(lo, hi))
        return held[run]

    for request in row["requests"]:
        contents = [window(n, run["lo"], run["hi"]) for n, run in enumerate(request["runs"])]
        result = {"key": request["key"], "variables": "", "rows": [], "open": None}
        try:
            data = question.dataset(request["version"], contents)
            relation = solutions(question.query, data)
            result |= _encode(question, relation)
            result["refused"] = None
        except Unsupported as refusal:
            result["refused"] = refusal.what
        yield result


class _Elements:
    """A window's stream over the piece, decoded where it is first read."""

    def __init__(self, times: Sequence[int], texts: Sequence[str]) -> None:
        self._times = times
        self._texts = texts
        self._decoded: list[Element | None] = [None] * len(texts)

    def run(self, lo: int, hi: int) -> list[Element]:
        for place in range(lo, hi):
            if self._decoded[place] is None:
                self._decoded[place] = (self._times[place], *decode_element(self._texts[place]))
        return self._decoded[lo:hi]  # type: ignore[return-value]


def _encode(question: Question, relation: Relation) -> dict[str, Any]:
    query = question.query
    differs = query.operator is not None and query.operator.letter in "ID"
    ties = None if differs else relation.ties
    construct = _constructor(question, relation) if query.form is Form.CONSTRUCT else None
    seen: dict[str, int] = {}
    rows = []
    for place, row in enumerate(relation.rows):
        text = encode_row(relation.variables, row)
        number = seen.get(text, 0)
        seen[text] = number + 1
        if number:
            text = f"{text}\n{number}"
        rows.append(
            {
                "r": text,
                "g": -1 if ties is None else ties[place],
                "c": None if construct is None else construct(row, text),
            }
        )
    return {
        "variables": "\t".join(relation.variables),
        "rows": rows,
        "open": relation.undetermined[0] if relation.undetermined else None,
        "library": False,
    }


def _constructor(
    question: Question, relation: Relation
) -> Callable[[tuple[Term | None, ...], str], list[str]]:
    """What CONSTRUCT makes of one row; its fresh blank nodes are named after the row."""

    def construct(row: tuple[Term | None, ...], text: str) -> list[str]:
        graph = content(question.query, Relation(relation.variables, [row]))
        assert isinstance(graph, Triples)
        given = {node for term in row if term is not None for node in blank_nodes(term)}
        return [encode_answer_triple(_renamed(triple, given, text)) for triple in graph.graph]

    return construct


def _renamed(triple: Triple, given: set[BlankNode], row: str) -> Triple:
    def part(term: Term) -> Term:
        if isinstance(term, BlankNode) and term not in given:
            return BlankNode(f"{term.label}.{blake2b(row.encode(), digest_size=8).hexdigest()}")
        if isinstance(term, Triple):
            return _renamed(term, given, row)
        return term

    return Triple(*[part(term) for term in triple])  # type: ignore[arg-type]
