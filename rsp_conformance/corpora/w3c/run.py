"""Runs tests: syntax by the grammar, queries by every column, which is a semantics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from rsp_conformance.corpora.w3c.asking import DIALS, UNTIL, Asked, Failed, asked, round_trip
from rsp_conformance.corpora.w3c.comparing import Agreement, agreement
from rsp_conformance.corpora.w3c.layout import Checkout
from rsp_conformance.corpora.w3c.tests import AT_ODDS, Kind, Outcome, Result, SuiteTest
from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.model.answers import Content, Evaluation, Rows, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spec.ans import answer
from rsp_conformance.text.parse import parse_query

GRAMMAR = "grammar"
"""What stands in the place of an evaluator for syntax tests."""

Answer: TypeAlias = Content | Exception
"""What a case's single evaluation answered, or why it answered nothing."""


class Column(Protocol):
    """A semantics as a column of the table."""

    @property
    def name(self) -> str:
        """Such as ``spark``."""

    def answers(self, cases: Mapping[str, Case]) -> Iterator[tuple[str, Answer]]:
        """What every case's evaluation at instant 1 answered, by the case's key.

        ``Unsupported`` says by name what the column does not evaluate.
        """


@dataclass(frozen=True, slots=True)
class BySpecification:
    """The executable specification, one case after the other."""

    @property
    def name(self) -> str:
        """See ``Column``."""
        return "specification"

    def answers(self, cases: Mapping[str, Case]) -> Iterator[tuple[str, Answer]]:
        """See ``Column``."""
        for key, case in cases.items():
            try:
                yield key, only_content(answer(case, DIALS, ()))
            # A test that breaks an evaluator has failed; the others are still to be told.
            except Exception as error:
                yield key, error


@dataclass(frozen=True, slots=True)
class BySpark:
    """The Spark plan, all cases in one batch."""

    session: SparkHandle

    @property
    def name(self) -> str:
        """See ``Column``."""
        return "spark"

    def answers(self, cases: Mapping[str, Case]) -> Iterator[tuple[str, Answer]]:
        """See ``Column``."""
        tasks = [Task(key, case, DIALS) for key, case in cases.items()]
        found = SparkSemantics(self.session).answers(tasks)
        for key in cases:
            answers = found[key]
            yield key, answers if isinstance(answers, Exception) else only_content(answers[()])


def columns(session: SparkHandle | None) -> tuple[Column, ...]:
    """Every column that can be had: that of the specification, and with a SESSION Spark's."""
    return (BySpecification(),) if session is None else (BySpecification(), BySpark(session))


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


@dataclass(frozen=True, slots=True)
class Prepared:
    """The tests that are for columns: those that can be evaluated, and why others cannot."""

    tests: tuple[SuiteTest, ...]
    ready: Mapping[str, Asked]
    not_ready: Mapping[str, str]


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
        yield Step(column.name, len(prepared.tests))
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
    ready: dict[str, Asked] = {}
    not_ready: dict[str, str] = {}
    for test in tests:
        if test.aside is None:
            try:
                ready[test.iri] = asked(test, checkout)
            except (Failed, FileError) as why:
                not_ready[test.iri] = str(why)
    return Prepared(tuple(tests), ready, not_ready)


def outcomes(column: Column, prepared: Prepared) -> Iterator[Outcome]:
    """What becomes of the PREPARED tests under COLUMN, in their order."""
    answers = column.answers({iri: one.case for iri, one in prepared.ready.items()})
    for test in prepared.tests:
        if test.aside:
            yield Outcome(test, column.name, Result.SKIPPED, test.aside)
        elif test.iri in prepared.not_ready:
            yield _short_of(test, column.name, prepared.not_ready[test.iri])
        else:
            # Cases are answered in the order of the tests.
            iri, answer = next(answers)
            assert iri == test.iri
            yield _judged(test, column.name, prepared.ready[iri], answer)


def _judged(test: SuiteTest, column: str, asked: Asked, answer: Answer) -> Outcome:
    if isinstance(answer, Unsupported):
        return Outcome(test, column, Result.SKIPPED, str(answer))
    if isinstance(answer, Failed):
        return _short_of(test, column, str(answer))
    if isinstance(answer, Exception):
        return _short_of(test, column, f"{type(answer).__name__}: {answer}")
    try:
        found = agreement(asked.expected, answer, lax=test.lax)
    except Unsupported as why:
        return Outcome(test, column, Result.SKIPPED, str(why))
    if found is Agreement.NONE:
        return _short_of(test, column, _difference(asked, answer))
    return Outcome(test, column, Result.PASSED)


def _short_of(test: SuiteTest, column: str, reason: str) -> Outcome:
    """The outcome of a test that was not passed: a failure, unless the test itself is at odds."""
    if test.iri in AT_ODDS:
        return Outcome(test, column, Result.SKIPPED, AT_ODDS[test.iri], at_odds=True)
    return Outcome(test, column, Result.FAILED, reason)


def _difference(asked: Asked, answer: Content) -> str:
    return f"expected {_told(asked.expected.content)}, the answer is {_told(answer)}"


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
