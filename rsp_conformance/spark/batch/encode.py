"""Tasks as Arrow tables: pieces of streams with what the plan needs to know of their cases.

A *piece* is a case's stream over a stretch of time, with as much of the past as a window can look
back. A case of a batch is one piece; a long stream is many (``pieces``).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Form
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spark.batch.coverage import check
from rsp_conformance.spark.batch.element_texts import ElementTexts
from rsp_conformance.spark.batch.policies import Report, compile_report
from rsp_conformance.spark.batch.starts import Starts, compared_from, first_instants, window_starts
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.query_context import Question, background_versions, pickled

_LONGS = pa.list_(pa.int64())
_LISTS = pa.list_(_LONGS)
_PERIODIC = pa.struct([("window", pa.int32()), ("offset", pa.int64()), ("period", pa.int64())])
_CONDITION = pa.struct(
    [
        ("window", pa.int32()),
        ("kind", pa.string()),
        ("period", pa.int64()),
        ("wanted", pa.bool_()),
    ]
)

CASE_FIELDS: list[tuple[str, pa.DataType]] = [
    ("task", pa.int32()),
    ("a", pa.int64()),
    ("case_until", pa.int64()),
    ("starts", _LISTS),
    ("alpha", _LONGS),
    ("beta", _LONGS),
    ("closed_left", pa.bool_()),
    ("closed_right", pa.bool_()),
    ("active", pa.bool_()),
    ("stepwise", pa.bool_()),
    ("changes", pa.bool_()),
    ("insertions", pa.bool_()),
    ("on_content", pa.bool_()),
    ("policy", pa.list_(pa.list_(_CONDITION))),
    ("periodic", pa.list_(_PERIODIC)),
    ("by_content", pa.list_(pa.int32())),
    ("question", pa.int64()),
    ("question_bytes", pa.binary()),
    ("background_changes", _LONGS),
    ("backgrounds", _LONGS),
    ("answer_time", pa.string()),
    ("delay", pa.int64()),
    ("operator", pa.string()),
    ("sets", pa.bool_()),
    ("form", pa.string()),
    ("keep_empty", pa.bool_()),
    ("alive", pa.list_(pa.int32())),
]
"""What a plan knows of a case, one row a case. ``alive``: the z that are asked, None for all."""

PIECE_FIELDS: list[tuple[str, pa.DataType]] = [
    ("piece", pa.int32()),
    ("after_piece", pa.int64()),
    ("until", pa.int64()),
    ("times", _LISTS),
    ("hashes", _LISTS),
    ("places", _LISTS),
    ("arrivals", _LONGS),
    ("moments", _LONGS),
    ("elements", pa.list_(pa.list_(pa.string()))),
]
"""What a plan knows of a piece of a case's streams, beside its case; lists of lists by window.

``elements`` are their texts, for the evaluation of patterns alone."""


@dataclass
class Numbering:
    """Numbers for equal things, in order of first appearance."""

    numbers: dict[Hashable, int] = field(default_factory=dict)

    def of(self, thing: Hashable) -> int:
        """The number of THING."""
        return self.numbers.setdefault(thing, len(self.numbers))


@dataclass(frozen=True)
class Described:
    """A case as the plan sees it, apart from its elements."""

    windows: tuple[SlidingWindow, ...]
    report: Report
    starts: tuple[Starts, ...]
    t_s: int
    question: Question
    columns: dict[str, Any]


@dataclass
class Batch:
    """The rows of a batch of tasks; columns are lists, one value a row."""

    questions: Numbering = field(default_factory=Numbering)
    backgrounds: Numbering = field(default_factory=Numbering)
    described: dict[int, Described] = field(default_factory=dict)
    cases: list[dict[str, Any]] = field(default_factory=list)
    pieces: list[dict[str, Any]] = field(default_factory=list)
    texts: ElementTexts = field(default_factory=ElementTexts)

    def add(self, number: int, task: Task) -> Described:
        """Add TASK as number NUMBER.

        Unsupported where the query goes beyond the evaluator or the profile, ValueError where
        query and dials do not fit together.
        """
        case, dials = task.case, task.dials
        first = first_instants([(e.stream, e.t) for e in case.elements])
        described = self.describe(number, case, dials, first, task.t0)
        self.described[number] = described
        self.cases.append(described.columns)
        said = self.texts.of(case, described.question, described.columns["question"])
        read = {w.stream for w in described.windows}
        merged = [e for e in case.elements if e.stream in read]
        stepwise = described.report.stepwise
        places = {id(e): place for place, e in enumerate(merged)} if stepwise else {}
        self.pieces.append(
            {
                "piece": 0,
                "after_piece": None,
                "until": case.until,
                "times": [own.times for own in said],
                "hashes": [own.hashes for own in said],
                "places": [
                    [places[id(e)] for e in merged if e.stream == w.stream] if stepwise else []
                    for w in described.windows
                ],
                "arrivals": [e.t for e in merged] if stepwise else [],
                "moments": sorted({e.t for e in case.elements})
                if dials.answer_time == "arrival"
                else [],
                "elements": [own.texts for own in said],
            }
        )
        return described

    def describe(
        self,
        number: int,
        case: Case,
        dials: Dials,
        first: Any,
        vector: tuple[int | None, ...] | None = None,
    ) -> Described:
        """The columns of CASE that do not depend on its elements but for FIRST, their starts."""
        query = case.query
        check(case, dials)
        windows = query.sliding_windows(dials.unit)
        report = compile_report(query, windows, dials)
        starts = tuple(
            window_starts(dials.t0, w, case.registered, first.get(w.stream)) for w in windows
        )
        t_s = compared_from(case.registered, starts)
        if vector is not None:
            if len(vector) != len(windows):
                raise ValueError(
                    f"the t0 vector {vector} has {len(vector)} entries for {len(windows)} windows"
                )
            starts = tuple((t0,) for t0 in vector)
        changes = case.background.changes()
        versions = background_versions(query, case.background, changes)
        question = Question.of(case, dials, versions)
        columns = {
            "task": number,
            "a": case.registered,
            "case_until": case.until,
            "starts": starts,
            "alpha": [w.width for w in windows],
            "beta": [w.slide for w in windows],
            "closed_left": dials.bounds.startswith("["),
            "closed_right": dials.bounds.endswith("]"),
            "active": dials.window == "active",
            "stepwise": report.stepwise,
            "changes": report.changes,
            "insertions": dials.content_change == "insertions",
            "on_content": report.on_content,
            "policy": [
                [
                    {"window": c.window, "kind": c.kind, "period": c.period, "wanted": c.wanted}
                    for c in sorted(term)
                ]
                for term in report.terms
            ],
            "periodic": [
                {"window": p.window, "offset": p.offset, "period": p.period}
                for p in report.periodic
            ],
            "by_content": report.by_content,
            "question": self.questions.of(question.asked()),
            "question_bytes": pickled(question),
            "background_changes": changes,
            "backgrounds": [self.backgrounds.of(version) for version in versions],
            "answer_time": dials.answer_time,
            "delay": arrival_delay(report, dials),
            "operator": query.operator.letter if query.operator else "",
            "sets": dials.r2s == "set",
            "form": query.form.name,
            "keep_empty": dials.empty_answers or query.form is Form.ASK,
            "alive": None,
        }
        return Described(windows, report, starts, t_s, question, columns)

    def table(self) -> pa.Table:
        """The pieces with their cases' columns."""
        return pa.table(_columns(self.cases, CASE_FIELDS) | _columns(self.pieces, PIECE_FIELDS))


def _columns(
    rows: Sequence[dict[str, Any]], fields: Sequence[tuple[str, pa.DataType]]
) -> dict[str, pa.Array]:
    return {name: pa.array([row[name] for row in rows], kind) for name, kind in fields}


def table(rows: Sequence[dict[str, Any]], fields: Sequence[tuple[str, pa.DataType]]) -> pa.Table:
    """ROWS as an Arrow table of FIELDS."""
    return pa.table(_columns(rows, fields))


def arrival_delay(report: Report, dials: Dials) -> int:
    """An evaluation at t is stamped with the first arrival at t plus this (decision 21)."""
    if not report.closing:
        return 0
    closed = 0 if dials.window == "active" else -1
    return closed + (1 if dials.trigger == ">" else 0)


__all__ = ["Batch", "Described", "Unsupported", "table"]
