"""``w3c``: W3C's SPARQL test suites, by the grammar and by both semantics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import (
    CORRECT,
    WIDTH,
    WRONG,
    console,
    one_line,
    progress,
    show_json,
    table,
)
from rsp_conformance.corpora.w3c.earl import earl_report
from rsp_conformance.corpora.w3c.layout import Checkout, find_checkout
from rsp_conformance.corpora.w3c.manifest import read_tests
from rsp_conformance.corpora.w3c.run import GRAMMAR, SPECIFICATION, Column, Step, by_spark, run
from rsp_conformance.corpora.w3c.tests import Outcome, Result, SuiteTest, Sum, sum_of, sums
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.model.errors import BadInput, reading

if TYPE_CHECKING:
    from rich.table import Table

HEADS = {
    GRAMMAR: "the grammar",
    "specification": "specification",
    "spark": "Spark",
}
TOTAL = "all"


def show_w3c(folder: Path, *, earl: Path | None, use_spark: bool, format: Format) -> int:
    """Run the suites of FOLDER and print the table; the exit status."""
    with reading(""):
        checkout = find_checkout(folder)
        tests = read_tests(checkout)
    if earl is not None:
        _check_writable(earl)
    with _columns(use_spark) as by:
        outcomes = list(_with_progress(checkout, tests, by))
    if earl is not None:
        earl.write_text(earl_report(outcomes), "utf-8")
    if format is Format.json:
        show_json(to_json(outcomes))
    else:
        _show(outcomes, [column.name for column in by])
    failed = any(outcome.result is Result.FAILED for outcome in outcomes)
    return WRONG if failed else CORRECT


def _check_writable(path: Path) -> None:
    """Refuse a file that cannot be written before minutes are spent on what it is to hold."""
    try:
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise BadInput(f"--earl {path}: cannot be written: {error.strerror}") from None


@contextmanager
def _columns(use_spark: bool) -> Iterator[Sequence[Column]]:
    if not use_spark:
        yield (SPECIFICATION,)
        return
    from rsp_conformance.spark.judge_alone import spark_session

    with spark_session("leave Spark's column out with --no-spark") as session:
        yield SPECIFICATION, by_spark(session)


def _with_progress(
    checkout: Checkout, tests: Sequence[SuiteTest], by: Sequence[Column]
) -> Iterator[Outcome]:
    """Run test after test; a terminal sees how far it is."""
    with progress() as shown:
        bar = shown.add_task("")
        for one in run(checkout, tests, by):
            if isinstance(one, Step):
                shown.reset(bar, description=one.doing, total=one.tests)
            else:
                shown.advance(bar)
                yield one


def to_json(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The whole result; ``results`` sums it up by suite and evaluator."""

    def listed(result: Result) -> list[dict[str, Any]]:
        return [
            {"test": o.test.iri, "evaluator": o.evaluator, "reason": o.reason}
            | ({"at_odds": True} if o.at_odds else {})
            for o in outcomes
            if o.result is result
        ]

    return {
        "results": [
            {
                "suite": one.suite,
                "evaluator": one.evaluator,
                "passed": one.passed,
                "failed": one.failed,
                "skipped": one.skipped,
            }
            for one in sums(outcomes)
        ],
        "failures": listed(Result.FAILED),
        "skipped": listed(Result.SKIPPED),
    }


def _show(outcomes: Sequence[Outcome], by: Sequence[str]) -> None:
    found = sums(outcomes)
    shown = console()
    shown.print("Tests passed, failed and skipped.")
    for kind, evaluators in (("syntax", [GRAMMAR]), ("evaluation", list(by))):
        parts = _parts(found, evaluators)
        for title, part in parts.items():
            shown.print()
            shown.print(_table(f"{title}\n{kind}", part, evaluators))
        if not parts:
            continue
        shown.print()
        total = [_cell(sum_of(found, e)) for e in evaluators]
        heads = [HEADS.get(e, e) for e in evaluators]
        shown.print(table((f"{TOTAL}\n{kind}", *heads), [("every suite", *total)]))
    for paragraph in (*_skipped(outcomes), *_failed(outcomes)):
        shown.print()
        shown.print("\n".join(wrap(paragraph, WIDTH)))


def _parts(found: Sequence[Sum], evaluators: Sequence[str]) -> dict[str, list[Sum]]:
    """The sums of the EVALUATORS by the folder that the suites lie in, such as ``sparql11``."""
    parts: dict[str, list[Sum]] = {}
    for one in found:
        if one.evaluator in evaluators:
            parts.setdefault(one.suite.rpartition("/")[0], []).append(one)
    return parts


def _table(title: str, part: Sequence[Sum], evaluators: Sequence[str]) -> Table:
    cells: dict[str, dict[str, str]] = {}
    for one in part:
        cells.setdefault(one.suite.rpartition("/")[2], {})[one.evaluator] = _cell(one)
    rows = [[suite, *(cell[e] for e in evaluators)] for suite, cell in cells.items()]
    return table((title, *(HEADS.get(e, e) for e in evaluators)), rows)


def _cell(one: Sum) -> str:
    return f"{one.passed:>3} {one.failed:>3} {one.skipped:>3}"


def _skipped(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The reasons of skipped tests, once each, with whom they concern."""
    reasons: dict[tuple[bool, str], dict[str, set[str]]] = {}
    for outcome in outcomes:
        if outcome.result is Result.SKIPPED:
            of = reasons.setdefault((outcome.at_odds, outcome.reason), {})
            of.setdefault(outcome.evaluator, set()).add(outcome.test.iri)
    for (at_odds, reason), by in reasons.items():
        tests = set().union(*by.values())
        what = f"{len(tests)} skipped"
        if at_odds:
            what = f"at odds with the recommendation: {' '.join(sorted(tests))}"
        yield f"{what} ({', '.join(by)}): {reason}"


def _failed(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for outcome in outcomes:
        if outcome.result is Result.FAILED:
            yield f"FAILED {outcome.test.iri} ({outcome.evaluator}): {one_line(outcome.reason)}"
