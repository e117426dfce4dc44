"""Runs tests: syntax by the grammar, queries by every column, which is a semantics.

SPARQL's tests know neither streams nor windows. ``COMPUTED EVERY 1`` looks at no window, so a query
without windows is evaluated once an instant (decision 7): registered at 0 and compared until 1 it
is evaluated once, over the background data alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from rsp_conformance.corpora.w3c.comparing import agrees
from rsp_conformance.corpora.w3c.documents import read_triples
from rsp_conformance.corpora.w3c.results import Expected, read_expected
from rsp_conformance.corpora.w3c.suites import Checkout
from rsp_conformance.corpora.w3c.tests import AT_ODDS, SuiteTest, W3CKind, W3CResult
from rsp_conformance.explain.render.layout import unglued
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.model.answers import Content, Evaluation
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spec.trace import answer
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query

GRAMMAR = "grammar"
"""What takes the place of an evaluator for syntax tests."""

DIALS = Dials()
"""Plain RSP-QL: the dials are about windows, reports and streams, and there are none."""

REGISTERED, UNTIL = 0, 1

Answer: TypeAlias = Content | Exception
"""What a case's single evaluation answered, or why it answered nothing."""


class Failed(Exception):
    """A test that did not pass; the message says why."""


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
    """Spark, all cases in one batch."""

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
class RunStep:
    """One step of a run, for whoever watches: what is done, and how many tests it takes."""

    doing: str
    tests: int


def run(
    checkout: Checkout, tests: Sequence[SuiteTest], columns: Sequence[Column]
) -> Iterator[RunStep | W3CResult]:
    """What becomes of every test: of a syntax test once, of another one under every column."""
    syntax = [test for test in tests if test.is_syntax]
    yield RunStep("syntax", len(syntax))
    for test in syntax:
        yield _result(test, GRAMMAR, partial(_check_syntax, test))
    others = [test for test in tests if not test.is_syntax]
    yield RunStep("reading", len(others))
    ready = {test: _prepared(test, checkout) for test in others if not test.aside}
    for column in columns:
        yield RunStep(column.name, len(others))
        answers = column.answers([p.case for p in ready.values() if isinstance(p, _Prepared)])
        for test in others:
            prepared = ready.get(test)
            given = next(answers) if isinstance(prepared, _Prepared) else None
            yield _result(test, column.name, partial(_check_answer, test, prepared, given))


def _result(test: SuiteTest, evaluator: str, check: Callable[[], None]) -> W3CResult:
    """What becomes of TEST, which CHECK raises for unless it passes."""
    if test.aside:
        return W3CResult(test, evaluator, Outcome.UNSUPPORTED, test.aside)
    try:
        check()
    except Unsupported as why:
        return W3CResult(test, evaluator, Outcome.UNASKED, str(why))
    except Exception as why:
        if test.iri in AT_ODDS:
            return W3CResult(test, evaluator, Outcome.EXCUSED, AT_ODDS[test.iri])
        kind = "" if isinstance(why, Failed | FileError) else f"{type(why).__name__}: "
        return W3CResult(test, evaluator, Outcome.WRONG, f"{kind}{why}")
    return W3CResult(test, evaluator, Outcome.RIGHT)


def _check_syntax(test: SuiteTest) -> None:
    """Failed unless a query is read, and printed as itself, or refused, as TEST asks."""
    assert test.query is not None
    text, base = read_text(test.query.path), test.query.iri
    if test.kind is W3CKind.POSITIVE_SYNTAX:
        _round_trip(text, base)
        return
    try:
        parse_query(text, base)
    except ValueError:  # QuerySyntaxError is one
        return
    raise Failed("is no query, and the grammar takes it")


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A query evaluation test, ready to be evaluated."""

    case: Case
    expected: Expected


def _prepared(test: SuiteTest, checkout: Checkout) -> _Prepared | Exception:
    """TEST, a query evaluation test, as a case with what it expects, or why it cannot be."""
    assert test.query is not None and test.result is not None
    try:
        query = _round_trip(read_text(test.query.path), test.query.iri)
        # The clause goes through parser and printer as well.
        continuous = _printed_and_parsed(replace(query, computed_every=1))
        data = _background(test, query, checkout)
        case = Case(continuous, background=data, registered=REGISTERED, until=UNTIL)
        return _Prepared(case, read_expected(test.result))
    except (Failed, FileError) as why:
        return why


def _check_answer(test: SuiteTest, prepared: object, given: Answer | None) -> None:
    """Failed, or what kept the test from being evaluated, unless GIVEN is what it expects."""
    for one in (prepared, given):
        if isinstance(one, Exception):
            raise one
    assert isinstance(prepared, _Prepared) and isinstance(given, Content)
    if not agrees(prepared.expected, given, lax=test.lax):
        wanted, found = map(Notation(prepared.case).content, (prepared.expected.content, given))
        raise Failed(unglued(f"expected {wanted}, the answer is {found}"))


def _round_trip(text: str, base: str) -> Query:
    """The query that TEXT writes, parsed, printed and parsed again.

    Raises:
        Failed: it is not parsed, or what is printed is another query.
    """
    try:
        query = parse_query(text, base)
    except ValueError as error:
        raise Failed(f"does not parse: {_first_line(error)}") from None
    again = _printed_and_parsed(query)
    if again != query or again.base != query.base:
        raise Failed("what is printed is another query")
    return again


def _printed_and_parsed(query: Query) -> Query:
    """QUERY as its text means it.

    Raises:
        Failed: the text does not parse, or one line of it means something else.
    """
    try:
        lines, line = (
            parse_query(print_query(query, one_clause_a_line=lines)) for lines in (True, False)
        )
    except ValueError as error:
        raise Failed(f"what is printed does not parse: {_first_line(error)}") from None
    if lines != line:
        raise Failed("the query printed on one line is another one")
    return lines


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _background(test: SuiteTest, query: Query, checkout: Checkout) -> Background:
    """The test's dataset, and the files that FROM and FROM NAMED name."""
    named = {IRI(document.iri): document for document in test.graphs}
    for name in (*query.default_graphs, *query.named_graphs):
        document = checkout.find(name.value)
        if name not in named and document is not None:
            named[name] = document
    default = dict.fromkeys(t for document in test.data for t in read_triples(document))
    entries = [BackgroundEntry(tuple(default))] if test.data else []
    entries += [BackgroundEntry(read_triples(d), name) for name, d in named.items()]
    return Background(tuple(entries))
