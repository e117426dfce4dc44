"""``w3c``: W3C's SPARQL test suites, run on the kit's grammar and its two implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from rsp_conformance.cli.options import Format, FormatOption, check_writable, option, write_file
from rsp_conformance.cli.progress import Doing, progress
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, show_apart, show_json
from rsp_conformance.corpora.w3c.earl import earl_report
from rsp_conformance.corpora.w3c.run import GRAMMAR, SPECIFICATION, Column, RunStep, by_spark, run
from rsp_conformance.corpora.w3c.suites import find_checkout, read_tests
from rsp_conformance.corpora.w3c.tests import W3CResult, sums
from rsp_conformance.explain.document import Block, Prose, table_of
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.files.codec import Format as Codec
from rsp_conformance.files.codec import Keys
from rsp_conformance.model.errors import BadInput, one_line, reading
from rsp_conformance.model.outcome import Outcome

HEADS = {GRAMMAR: "the grammar", "specification": "reference model", "spark": "Spark"}
"""The heads of the columns, by the name of the evaluator in JSON."""
NAMES: Final[Mapping[Outcome, str]] = {
    Outcome.RIGHT: "passed",
    Outcome.WRONG: "failed",
    Outcome.UNSUPPORTED: "skipped",
    Outcome.UNASKED: "skipped",
    Outcome.EXCUSED: "skipped",
}
"""The name of each outcome of a test in JSON, in the order of the table's numbers."""


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

    Examples:
        git clone --depth 1 https://github.com/w3c/rdf-tests
        rsp-conformance w3c rdf-tests
        rsp-conformance w3c rdf-tests/sparql/sparql11/bind --no-spark
    """
    with progress("reading the manifests") as doing:
        with reading(""):
            checkout = find_checkout(folder)
            tests = read_tests(checkout)
        check_writable(earl, "--earl")
        doing("starting Spark" if spark else "starting")
        with _columns(spark) as by:
            results = list(_told(run(checkout, tests, by), doing))
    if all(NAMES[result.outcome] == "skipped" for result in results):
        raise BadInput(
            f"{folder}: {counted(len(tests), 'test')}, all of them skipped "
            f"({one_line(results[0].reason)}): name a checkout of w3c/rdf-tests"
        )
    if earl is not None:
        write_file(earl, earl_report(results), "--earl")
    if format is Format.json:
        show_json(RESULTS.write(ResultJson, _document(results)))
    else:
        show_apart(_groups(results, [column.name for column in by]), width=WIDTH)
    failed = any(result.outcome.accuses for result in results)
    return WRONG if failed else CORRECT


@contextmanager
def _columns(use_spark: bool) -> Iterator[Sequence[Column]]:
    if not use_spark:
        yield (SPECIFICATION,)
        return
    from rsp_conformance.spark.judge_alone import spark_session

    with spark_session("leave Spark's column out with --no-spark") as session:
        yield SPECIFICATION, by_spark(session)


def _told(steps: Iterable[RunStep | W3CResult], doing: Doing) -> Iterator[W3CResult]:
    """Run the tests one by one, and tell how far it is."""
    for one in steps:
        if isinstance(one, RunStep):
            step, done = one, 0
        else:
            done += 1
            yield one
        doing(step.doing, done, step.tests)


@dataclass(frozen=True, slots=True)
class SumJson:
    """The tests of a suite, by what an evaluator made of them."""

    suite: str
    evaluator: str
    passed: int
    failed: int
    skipped: int


@dataclass(frozen=True, slots=True)
class TestJson:
    """A test that did not pass, and why."""

    test: str
    evaluator: str
    reason: str
    at_odds: bool = False
    """Whether its result is at odds with the recommendation."""


@dataclass(frozen=True, slots=True)
class ResultJson:
    """The whole result: sums by test suite and evaluator, and tests."""

    results: tuple[SumJson, ...]
    failures: tuple[TestJson, ...]
    skipped: tuple[TestJson, ...]


RESULTS: Final = Codec({TestJson: Keys(omit="at_odds")})
"""Results as `--format json` shows them."""


def _document(results: Sequence[W3CResult]) -> ResultJson:
    def listed(name: str) -> tuple[TestJson, ...]:
        return tuple(
            TestJson(one.test.iri, one.evaluator, one.reason, one.outcome is Outcome.EXCUSED)
            for one in results
            if NAMES[one.outcome] == name
        )

    totals = sums(results).items()
    return ResultJson(
        tuple(SumJson(suite, by, **_named(counts)) for (suite, by), counts in totals),
        listed("failed"),
        listed("skipped"),
    )


def _groups(results: Sequence[W3CResult], by: Sequence[str]) -> Iterator[tuple[Block, ...]]:
    yield (Prose(("Tests passed, failed and skipped.",)),)
    for kind, evaluators in (("syntax", [GRAMMAR]), ("evaluation", list(by))):
        heads = [HEADS.get(e, e) for e in evaluators]
        # By the folder of the test suites, such as `sparql11`, then by test suite.
        parts: dict[str, dict[str, dict[str, str]]] = {}
        total: dict[str, Counter[Outcome]] = {e: Counter() for e in evaluators}
        for (suite, evaluator), counts in sums(results).items():
            if evaluator in total:
                part, _, name = suite.rpartition("/")
                parts.setdefault(part, {}).setdefault(name, {})[evaluator] = _cell(counts)
                total[evaluator] += counts
        if parts:
            parts["all"] = {"every suite": {e: _cell(counts) for e, counts in total.items()}}
        for title, suites in parts.items():
            rows = [[suite, *(cells[e] for e in evaluators)] for suite, cells in suites.items()]
            yield Prose((title,)), table_of((kind, *heads), rows)
    for paragraph in (*_skipped(results), *_failed(results)):
        yield (Prose((paragraph,)),)


def _named(counts: Counter[Outcome]) -> dict[str, int]:
    """The tests by `NAMES`."""
    named = dict.fromkeys(NAMES.values(), 0)
    for outcome, count in counts.items():
        named[NAMES[outcome]] += count
    return named


def _cell(counts: Counter[Outcome]) -> str:
    # Three numbers stand under one head, which no table of a document has; so they are padded here.
    return " ".join(f"{count:>3}" for count in _named(counts).values())


def _skipped(results: Sequence[W3CResult]) -> Iterator[str]:
    """List the reasons of skipped tests, once each, with the evaluators that skip them."""
    reasons: dict[tuple[bool, str], dict[str, set[str]]] = {}
    for result in results:
        if NAMES[result.outcome] == "skipped":
            at_odds = result.outcome is Outcome.EXCUSED
            of = reasons.setdefault((at_odds, result.reason), {})
            of.setdefault(result.evaluator, set()).add(result.test.iri)
    for (at_odds, reason), by in reasons.items():
        tests = set().union(*by.values())
        what = f"{len(tests)} skipped"
        if at_odds:
            what = f"at odds with the recommendation: {' '.join(sorted(tests))}"
        yield f"{what} ({', '.join(by)}): {reason}"


def _failed(results: Sequence[W3CResult]) -> Iterator[str]:
    for result in results:
        if result.outcome.accuses:
            yield f"FAILED {result.test.iri} ({result.evaluator}): {one_line(result.reason)}"
