"""``answers``: Ans(Q) of a query whose every window has its t0 (RSP-QL Definition 24)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rsp_conformance.cli.errors import CORRECT, BadInput, reading
from rsp_conformance.cli.given import Given, check_span, read_starts
from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import console, note, show_json, show_table
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.files.results_json import answers_to_json
from rsp_conformance.model.answers import Evaluation, Rows
from rsp_conformance.spec.starts import legal_starts
from rsp_conformance.spec.trace import Expectation

if TYPE_CHECKING:
    from rsp_conformance.model.verdict import Vector


def show_answers(given: Given, t0: Sequence[str], *, use_spark: bool, format: Format) -> int:
    """Evaluate the query and print its answers; the exit status."""
    starts = full_vector(given, t0)
    check_span(given, starts)
    notes = list(given.notes)
    with reading(""):
        if use_spark:
            from rsp_conformance.cli.by_spark import answer_by_spark

            evaluations = answer_by_spark(given.case, given.dials, starts)
        else:
            expectation = Expectation(given.case, given.dials)
            evaluations = expectation.answer(starts)
            if expectation.undetermined:
                notes.append(f"other answers would be right as well: {expectation.undetermined}")
    if format is Format.json:
        show_json({"answers": answers_to_json(evaluations)})
    else:
        _show(given, evaluations)
    for text in notes:
        note(text)
    return CORRECT


def full_vector(given: Given, t0: Sequence[str]) -> Vector:
    """The t0 of every window: from ``--t0``, else from the dial; BadInput where neither says."""
    query, dials = given.case.query, given.dials
    written = read_starts(t0, query)
    starts: list[int | None] = []
    for window in query.sliding_windows(dials.unit):
        if window.name in written:
            starts.append(written[window.name])
        elif dials.t0 == "any":
            name = query.shorten(window.name)
            raise BadInput(
                f"window {name} has no t0, and the profile {given.profile.name} leaves it open: "
                f"give --t0 {name}=N, or decide for all windows with --dial t0=…"
            )
        else:
            starts.append(legal_starts(window, given.case, dials)[0])
    return tuple(starts)


def _show(given: Given, evaluations: Sequence[Evaluation]) -> None:
    if not evaluations:
        console().print(f"The query is not evaluated up to {given.case.until}.")
        return
    columns, rows = tabulate(evaluations, Notation(given.case))
    show_table(columns, rows)


def tabulate(
    evaluations: Sequence[Evaluation], notation: Notation
) -> tuple[list[str], list[list[str]]]:
    """Answers as columns and rows: an instant beside the first row of each evaluation."""
    variables = list(
        dict.fromkeys(
            name
            for evaluation in evaluations
            if isinstance(evaluation.content, Rows)
            for name in evaluation.content.variables
        )
    )
    select = isinstance(evaluations[0].content, Rows)
    columns = (
        ["t", *(f"?{name}" for name in variables)] if select and variables else ["t", "answer"]
    )
    rows = []
    for evaluation in evaluations:
        cells = list(_cells(evaluation, variables, notation)) or [["(no rows)" if select else "{}"]]
        for index, row in enumerate(cells):
            padded = row + [""] * (len(columns) - 1 - len(row))
            rows.append([str(evaluation.t) if index == 0 else "", *padded])
    return columns, rows


def _cells(evaluation: Evaluation, variables: list[str], notation: Notation) -> Iterator[list[str]]:
    content = evaluation.content
    if not isinstance(content, Rows) or not variables:
        for text in notation.rows(content):
            yield [text]
        return
    for solution in content.solutions():
        yield [notation.term(solution[v]) if v in solution else "" for v in variables]
