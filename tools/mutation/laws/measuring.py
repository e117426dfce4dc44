"""Whether both sides of a law's case have the same answers, by each of the two semantics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rsp_conformance.model.answers import Evaluation, Rows
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spec.starts import rspql_queries
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies.laws import LawCase
from tools.mutation.laws.instances import DIALS, Row

Answers: TypeAlias = Mapping[Vector, tuple[Evaluation, ...]]

SPECIFICATION, SPARK = "spec", "spark"


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a row of the table, under one semantics of solutions."""

    row: Row
    semantics: str
    pair: LawCase


@dataclass(slots=True)
class Cell:
    """What the cases of a row came to: how many there were, had rows, and differed."""

    cases: int = 0
    with_rows: int = 0
    different: int = 0
    counterexample: LawCase | None = None

    @property
    def holds(self) -> bool:
        """Whether no case spoke against the law."""
        return not self.different

    def count(self, case: LawCase, left: Answers, right: Answers) -> None:
        """Enter a case with the answers to both sides for every z."""
        self.cases += 1
        self.with_rows += any(_rows(e) for answers in left.values() for e in answers)
        if _comparable(left) != _comparable(right):
            self.different += 1
            self.counterexample = self.counterexample or case


def by_specification(cases: Sequence[Case]) -> dict[tuple[str, str], Cell]:
    """Cells by row title and semantics, as the reference model answers."""
    cells: dict[tuple[str, str], Cell] = {}
    for case in cases:
        dials = DIALS[case.semantics]
        sides: list[Answers] = []
        for side in (case.pair.left, case.pair.right):
            expectation = Expectation(side, dials)
            sides.append({z: expectation.answer(z) for z in rspql_queries(side, dials)})
        _cell(cells, case).count(case.pair, *sides)
    return cells


def by_spark(cases: Sequence[Case], semantics: SparkSemantics) -> dict[tuple[str, str], Cell]:
    """The same on Spark, all cases in one batch.

    Raises what Spark refuses a case for: both sides of every law are covered.
    """
    tasks = [
        Task(f"{number} {side}", getattr(case.pair, side), DIALS[case.semantics])
        for number, case in enumerate(cases)
        for side in ("left", "right")
    ]
    found = semantics.answers(tasks)
    cells: dict[tuple[str, str], Cell] = {}
    for number, case in enumerate(cases):
        sides = []
        for side in ("left", "right"):
            answers = found[f"{number} {side}"]
            if isinstance(answers, Exception):
                raise answers
            sides.append(answers)
        _cell(cells, case).count(case.pair, *sides)
    return cells


def _cell(cells: dict[tuple[str, str], Cell], case: Case) -> Cell:
    return cells.setdefault((case.row.title, case.semantics), Cell())


def _rows(evaluation: Evaluation) -> tuple[object, ...]:
    assert isinstance(evaluation.content, Rows)
    return evaluation.content.rows


def _comparable(answers: Answers) -> dict[Vector, list[tuple[int, Counter[object]]]]:
    """Solutions in any order: laws say nothing of it."""
    return {z: [(e.t, Counter(_rows(e))) for e in found] for z, found in answers.items()}
