"""``w3c``: W3C's SPARQL test suites, run on the kit's grammar and its two implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from rsp_conformance.cli.options import Format, FormatOption, option
from rsp_conformance.cli.tables import (
    CORRECT,
    WRONG,
    progress,
    say,
    show_json,
    show_table,
)
from rsp_conformance.corpora.w3c.earl import earl_report
from rsp_conformance.corpora.w3c.run import GRAMMAR, SPECIFICATION, Column, RunStep, by_spark, run
from rsp_conformance.corpora.w3c.suites import Checkout, find_checkout, read_tests
from rsp_conformance.corpora.w3c.tests import SuiteTest, W3COutcome, W3CResult, sums
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.model.errors import BadInput, one_line, reading

HEADS = {GRAMMAR: "the grammar", "specification": "reference model", "spark": "Spark"}
"""The heads of the columns, by the name of the evaluator in JSON."""


def w3c(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="A checkout of w3c/rdf-tests, or a folder in it with a manifest.ttl.",
        ),
    ],
    *,
    earl: Annotated[Path | None, option("FILE", "Write an EARL report in Turtle to FILE.")] = None,
    spark: Annotated[
        bool, typer.Option("--spark/--no-spark", help="Also run on Spark, which needs Java.")
    ] = True,
    format: FormatOption = Format.table,
) -> int:
    """Run W3C's SPARQL test suites on the kit itself.

    The syntax tests check the grammar, the others the two implementations of SPARQL. Exit status: 0
    nothing failed, 1 something failed, 2 bad input.
    """
    with reading(""):
        checkout = find_checkout(folder)
        tests = read_tests(checkout)
    if earl is not None:
        _check_writable(earl)
    with _columns(spark) as by:
        outcomes = list(_with_progress(checkout, tests, by))
    if all(outcome.result is W3CResult.SKIPPED for outcome in outcomes):
        raise BadInput(
            f"{folder}: {counted(len(tests), 'test')}, all of them skipped "
            f"({one_line(outcomes[0].reason)}): name a checkout of w3c/rdf-tests"
        )
    if earl is not None:
        earl.write_text(earl_report(outcomes), "utf-8")
    if format is Format.json:
        show_json(to_json(outcomes))
    else:
        _show(outcomes, [column.name for column in by])
    failed = any(outcome.result is W3CResult.FAILED for outcome in outcomes)
    return WRONG if failed else CORRECT


def _check_writable(path: Path) -> None:
    """Check that a file can be written, before minutes are spent on its content.

    Raises:
        BadInput: it cannot be written.
    """
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
) -> Iterator[W3COutcome]:
    """Run the tests one by one, with progress on a terminal."""
    with progress() as shown:
        bar = shown.add_task("")
        for one in run(checkout, tests, by):
            if isinstance(one, RunStep):
                shown.reset(bar, description=one.doing, total=one.tests)
            else:
                shown.advance(bar)
                yield one


def to_json(outcomes: Sequence[W3COutcome]) -> dict[str, Any]:
    """Return the whole result as `--format json` shows it.

    Its ``results`` are the sums by test suite and evaluator.
    """

    def listed(result: W3CResult) -> list[dict[str, Any]]:
        return [
            {"test": o.test.iri, "evaluator": o.evaluator, "reason": o.reason}
            | ({"at_odds": True} if o.at_odds else {})
            for o in outcomes
            if o.result is result
        ]

    return {
        "results": [
            {"suite": suite, "evaluator": evaluator} | {r.value: counts[r] for r in W3CResult}
            for (suite, evaluator), counts in sums(outcomes).items()
        ],
        "failures": listed(W3CResult.FAILED),
        "skipped": listed(W3CResult.SKIPPED),
    }


def _show(outcomes: Sequence[W3COutcome], by: Sequence[str]) -> None:
    print("Tests passed, failed and skipped.")
    for kind, evaluators in (("syntax", [GRAMMAR]), ("evaluation", list(by))):
        heads = [HEADS.get(e, e) for e in evaluators]
        # By the folder of the test suites, such as `sparql11`, then by test suite.
        parts: dict[str, dict[str, dict[str, str]]] = {}
        total: dict[str, Counter[W3CResult]] = {e: Counter() for e in evaluators}
        for (suite, evaluator), counts in sums(outcomes).items():
            if evaluator in total:
                part, _, name = suite.rpartition("/")
                parts.setdefault(part, {}).setdefault(name, {})[evaluator] = _cell(counts)
                total[evaluator] += counts
        if parts:
            parts["all"] = {"every suite": {e: _cell(counts) for e, counts in total.items()}}
        for title, suites in parts.items():
            print()
            rows = [[suite, *(cells[e] for e in evaluators)] for suite, cells in suites.items()]
            show_table((f"{title}\n{kind}", *heads), rows)
    for paragraph in (*_skipped(outcomes), *_failed(outcomes)):
        print()
        say(paragraph)


def _cell(counts: Counter[W3CResult]) -> str:
    return " ".join(f"{counts[result]:>3}" for result in W3CResult)


def _skipped(outcomes: Sequence[W3COutcome]) -> Iterator[str]:
    """List the reasons of skipped tests, once each, with the evaluators that skip them."""
    reasons: dict[tuple[bool, str], dict[str, set[str]]] = {}
    for outcome in outcomes:
        if outcome.result is W3CResult.SKIPPED:
            of = reasons.setdefault((outcome.at_odds, outcome.reason), {})
            of.setdefault(outcome.evaluator, set()).add(outcome.test.iri)
    for (at_odds, reason), by in reasons.items():
        tests = set().union(*by.values())
        what = f"{len(tests)} skipped"
        if at_odds:
            what = f"at odds with the recommendation: {' '.join(sorted(tests))}"
        yield f"{what} ({', '.join(by)}): {reason}"


def _failed(outcomes: Sequence[W3COutcome]) -> Iterator[str]:
    for outcome in outcomes:
        if outcome.result is W3CResult.FAILED:
            yield f"FAILED {outcome.test.iri} ({outcome.evaluator}): {one_line(outcome.reason)}"
