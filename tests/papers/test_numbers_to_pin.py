"""The numbers of the papers, by both semantics and the engine."""

from __future__ import annotations

from collections.abc import Iterator, Set

import pytest

from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Content, Evaluation, Rows
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import registry
from rsp_conformance.results import ProfiledCase
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spec.trace import answer
from tests.papers.rows import ROWS, Answers, Row

each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.source)


def written(given: ProfiledCase, answers: Iterator[tuple[int, Content]]) -> Answers:
    """Answers as `rows` writes them."""
    notation = Notation(given.case)
    found: dict[int, Set[str]] = {}
    for t, rows in answers:
        assert isinstance(rows, Rows)
        assert t not in found, "one evaluation an instant"
        found[t] = {" ".join(notation.term(cell) for cell in row) for row in rows.rows}
        assert len(found[t]) == len(rows), "no row twice"
    return found


def of_evaluations(given: ProfiledCase, evaluations: tuple[Evaluation, ...]) -> Answers:
    return written(given, ((e.t, e.content) for e in evaluations))


@each_row
def test_by_the_specification(row: Row) -> None:
    given = row.given()
    assert of_evaluations(given, answer(given.case, given.dials, row.starts(given))) == row.expected


@pytest.mark.spark
def test_by_spark(semantics: SparkSemantics) -> None:
    """All rows in one job."""
    from rsp_conformance.spark.batch.tasks import Task

    givens = {row.source: row.given() for row in ROWS}
    tasks = [
        Task(row.source, given.case, given.dials, t0=row.starts(given))
        for row, given in zip(ROWS, givens.values(), strict=True)
    ]
    found = semantics.answers(tasks)
    for row in ROWS:
        answers = found[row.source]
        assert isinstance(answers, dict), answers
        (evaluations,) = answers.values()
        assert of_evaluations(givens[row.source], evaluations) == row.expected, row.source


@each_row
def test_by_the_reference_engine(row: Row) -> None:
    given = row.given()
    options = {"profile": row.profile, **{f"dial.{d}": v for d, v in _settings(row.dials)}}
    if len(set(row.t0)) == 1:
        options["dial.t0"] = str(row.t0[0])
    else:
        options["t0"] = ",".join(map(str, row.t0))
    with registry.connect("reference", options) as engine:
        observation = EngineUnderTest.meet(engine).ask(Stimulus(given.case))
    assert observation.failure is None and observation.unsupported is None
    answers = ((int(o.t), o.content) for o in observation.observed if o.t is not None)
    found = written(given, answers)
    assert {t: rows for t, rows in found.items() if t <= given.case.until} == row.expected


def _settings(dials: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (setting.partition("=") for setting in dials)]
