"""Runs tests: syntax by the grammar, queries by every column, which is a semantics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rsp_conformance.corpora.w3c.asking import (
    DIALS,
    UNTIL,
    EvaluationCase,
    Failed,
    evaluation_case,
    round_trip,
)
from rsp_conformance.corpora.w3c.comparing import agrees
from rsp_conformance.corpora.w3c.layout import Checkout
from rsp_conformance.corpora.w3c.results import Expected
from rsp_conformance.corpora.w3c.tests import AT_ODDS, Kind, Outcome, Result, SuiteTest
from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.model.answers import Content, Evaluation, Rows, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spec.trace import answer
from rsp_conformance.text.parse import parse_query

GRAMMAR = "grammar"
"""What stands in the place of an evaluator for syntax tests."""

Answer: TypeAlias = Content | Exception
"""What a case's single evaluation answered, or why it answered nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """A semantics as a column of the table.

    ``answers`` yields what every case's evaluation at instant 1 answered, in their order;
    ``Unsupported`` says by name what the column does not evaluate.
    """

    name: str
    answers: Callable[[Sequence[Case]], Iterator[Answer]]


def _by_specification(cases: Sequence[Case]) -> Iterator[Answer]:
    """The executable specification, one case after the other."""
    for case in cases:
        try:
            yield only_content(answer(case, DIALS, ()))
        # A test that breaks an evaluator has failed; the others are still to be told.
        except Exception as error:
            yield error


SPECIFICATION = Column("specification", _by_specification)


def by_spark(session: SparkHandle) -> Column:
    """The Spark plan, all cases in one batch."""

    def answers(cases: Sequence[Case]) -> Iterator[Answer]:
        tasks = [Task(str(number), case, DIALS) for number, case in enumerate(cases)]
        found = SparkSemantics(session).answers(tasks)
        for task in tasks:
            own = found[task.key]
            yield own if isinstance(own, Exception) else only_content(own[()])

    return Column("spark", answers)


def only_content(evaluations: tuple[Evaluation, ...]) -> Answer:
    """What the one evaluation that is due answered; a failure where there is another number."""
    if len(evaluations) != 1 or evaluations[0].t != UNTIL:
        instants = ", ".join(str(one.t) for one in evaluations) or "none"
        return Failed(f"evaluations at {instants}, where one at {UNTIL} was due")
    return evaluations[0].content


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run, for whoever watches: what is done, and how many tests it takes."""

    doing: str
    tests: int


Prepared: TypeAlias = Mapping[SuiteTest, EvaluationCase | str | None]
"""Tests that can be evaluated, why others cannot, or None for those that are not run."""


def run(
    checkout: Checkout, tests: Sequence[SuiteTest], columns: Sequence[Column]
) -> Iterator[Step | Outcome]:
    """What becomes of every test: of a syntax test once, of another one under every column."""
    syntax = [test for test in tests if is_syntax(test)]
    yield Step("syntax", len(syntax))
    for test in syntax:
        yield syntax_outcome(test)
    yield Step("reading", len(tests) - len(syntax))
    prepared = prepare(checkout, [test for test in tests if not is_syntax(test)])
    for column in columns:
        yield Step(column.name, len(prepared))
        yield from outcomes(column, prepared)


def is_syntax(test: SuiteTest) -> bool:
    """Whether the grammar alone is tested."""
    return test.kind is not None and test.kind.is_syntax


def syntax_outcome(test: SuiteTest) -> Outcome:
    """Whether a query is read, and printed as itself, or refused, as TEST asks."""
    if test.aside:
        return Outcome(test, GRAMMAR, Result.SKIPPED, test.aside)
    assert test.query is not None
    try:
        text = read_text(test.query.path)
        if test.kind is Kind.POSITIVE_SYNTAX:
            round_trip(text, test.query.iri)
        elif _accepted(text, test.query.iri):
            raise Failed("is no query, and the grammar takes it")
    except (Failed, FileError) as why:
        return _short_of(test, GRAMMAR, str(why))
    return Outcome(test, GRAMMAR, Result.PASSED)


def _accepted(text: str, base: str) -> bool:
    try:
        parse_query(text, base)
    except ValueError:  # QuerySyntaxError is one
        return False
    return True


def prepare(checkout: Checkout, tests: Sequence[SuiteTest]) -> Prepared:
    """TESTS, none of them syntax tests, with their queries and files read."""
    found: dict[SuiteTest, EvaluationCase | str | None] = {}
    for test in tests:
        try:
            found[test] = None if test.aside else evaluation_case(test, checkout)
        except (Failed, FileError) as why:
            found[test] = str(why)
    return found


def outcomes(column: Column, prepared: Prepared) -> Iterator[Outcome]:
    """What becomes of the PREPARED tests under COLUMN, in their order."""
    ready = [one for one in prepared.values() if isinstance(one, EvaluationCase)]
    answers = column.answers([one.case for one in ready])
    for test, one in prepared.items():
        if one is None:
            yield Outcome(test, column.name, Result.SKIPPED, test.aside or "")
        elif isinstance(one, str):
            yield _short_of(test, column.name, one)
        else:
            yield _judged(test, column.name, one.expected, next(answers))


def _judged(test: SuiteTest, column: str, expected: Expected, answer: Answer) -> Outcome:
    if isinstance(answer, Exception) and not isinstance(answer, Unsupported):
        failed = isinstance(answer, Failed)
        said = str(answer) if failed else f"{type(answer).__name__}: {answer}"
        return _short_of(test, column, said)
    try:
        if isinstance(answer, Unsupported):
            raise answer
        if agrees(expected, answer, lax=test.lax):
            return Outcome(test, column, Result.PASSED)
    except Unsupported as why:
        return Outcome(test, column, Result.SKIPPED, str(why))
    reason = f"expected {_told(expected.content)}, the answer is {_told(answer)}"
    return _short_of(test, column, reason)


def _short_of(test: SuiteTest, column: str, reason: str) -> Outcome:
    """The outcome of a test that was not passed: a failure, unless the test itself is at odds."""
    if test.iri in AT_ODDS:
        return Outcome(test, column, Result.SKIPPED, AT_ODDS[test.iri], at_odds=True)
    return Outcome(test, column, Result.FAILED, reason)


_SHOWN = 5
"""Rows or triples of an answer that a reason shows."""


def _told(content: Content) -> str:
    if isinstance(content, Truth):
        return "yes" if content.value else "no"
    if isinstance(content, Rows):
        parts = [
            "{" + ", ".join(f"?{v}={term!r}" for v, term in sorted(row.items())) + "}"
            for row in content.solutions()
        ]
        kind = f"rows over {' '.join(content.variables) or 'no variables'}"
    else:
        parts = sorted(map(repr, content.graph))
        kind = "triples"
    more = f", and {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else ""
    return f"{len(parts)} {kind}: {'; '.join(parts[:_SHOWN])}{more}"
