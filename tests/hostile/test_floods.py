"""More rows than are due: a finding of its own, for nobody compares them."""

from __future__ import annotations

from contextlib import nullcontext
from time import process_time
from typing import NoReturn

import pytest

from rsp_conformance.explain.argument import AnswerPart
from rsp_conformance.explain.evidence.differences import AnswerDifference, settled, unpaired
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.flood import FLOOD, TIMES, too_many_rows
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.limits import SECONDS, LimitExceeded, allow
from rsp_conformance.model.answers import Observed, Rows, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD, Literal, Triple
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Kind, Vector
from rsp_conformance.protocol import InProcessEngine, ProtocolError
from rsp_conformance.protocol.messages import RowMerger
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.text.parse import parse_query
from tests.builders.drivers import Replying
from tests.builders.wire import in_seconds, watched
from tests.hostile.test_spans import case

wire = pytest.fixture(autouse=True)(watched)
soon = pytest.fixture(autouse=True)(in_seconds)


def flooding(rows: int, answers: int = 1) -> InProcessEngine:
    """An engine that answers with so many rows."""
    return InProcessEngine(Replying({"answers": [{"t": 2, "solutions": [{}] * rows}] * answers}))


@pytest.mark.parametrize(("rows", "answers"), [(100_000, 1), (1_000, 50), (0, 20_000)])
def test_more_rows_than_anybody_compares_are_a_finding(rows: int, answers: int) -> None:
    subject = EngineUnderTest.meet(flooding(rows, answers))
    observation = subject.ask(Stimulus(case()))
    assert observation.failure is not None
    assert observation.failure.kind == FLOOD
    assert "rows came" in observation.failure.message
    assert not observation.observed


def test_the_rows_due_are_those_of_the_member_of_z_with_most() -> None:
    query = parse_query(
        "SELECT ?a ?b FROM NAMED WINDOW <w:w> ON STREAM <s:s> [RANGE 1 STEP 5] "
        "WHERE { WINDOW <w:w> { ?a <p:p> ?x . ?b <p:q> ?y } }"
    )
    triples = [
        Triple(IRI(f"a:{n}"), IRI(property), IRI("a:o"))
        for n in range(110)
        for property in ("p:p", "p:q")
    ]
    elements = (StreamElement(IRI("s:s"), 7, tuple(triples)),)
    gaps = Case(query, elements, until=12, streams=(IRI("s:s"),))
    right = [Observed(e.t, e.content) for e in Expectation(gaps, Dials()).answer((1,))]
    assert judge(gaps, Dials(), right).correct
    assert not too_many_rows(gaps, Dials(), right)
    rows = next(a.content for a in right if not is_empty(a.content))
    flood = [*right, *[Observed(7, rows)] * 2 * TIMES]
    assert "rows came" in too_many_rows(gaps, Dials(), flood)


class Unread(tuple[tuple[IRI], ...]):
    """Rows that are so many that nobody should look at each."""

    def __iter__(self) -> NoReturn:
        raise AssertionError("a row was read")


def test_rows_of_which_too_many_came_are_wrong_without_a_look_at_them() -> None:
    flood = Rows(("x",), Unread([(IRI("a:o"),)] * 2))
    computed = frozenset({Literal("1.0", XSD + "decimal")})
    due = Rows(("x",), ((IRI("a:o"),),), computed=computed)
    for numbers in ("term", "value"):
        assert difference(due, flood, numbers) is Kind.ROWS


def test_of_readings_that_do_not_differ_no_row_of_a_flood_depends() -> None:
    due, parts = Rows(("x",), ((IRI("a:o"),),)), [AnswerPart(("x",), (IRI("a:p"),))] * 50_000
    found = AnswerDifference(extra=tuple(parts))
    assert settled(found, due, [due] * 64, "term") == (found, ())


def test_rows_without_a_partner_are_found_among_thousands_within_seconds() -> None:
    due, given = (
        Rows(("x", "y"), tuple((IRI(f"a:{n}"), Literal(f"{n % 7}")) for n in numbers))
        for numbers in (range(2_000), range(1_000, 10_000))
    )
    missing, extra = unpaired(due, given, "value")
    assert [part.row[0] for part in missing] == [IRI(f"a:{n}") for n in range(1_000)]
    assert [part.row[0] for part in extra] == [IRI(f"a:{n}") for n in range(2_000, 10_000)]


@pytest.mark.parametrize("columns", [1, 501])
def test_rows_one_by_one_are_joined_once_however_many_pieces_they_come_in(columns: int) -> None:
    rows = [Rows((f"x{n % columns}",), ((IRI(f"a:{n}"),),)) for n in range(50_000)]
    merger, came = RowMerger(), 0
    with pytest.raises(ProtocolError, match="500 variables") if columns > 1 else nullcontext():
        for row in rows:
            came += len(merger.take([Observed(4, row)]))
        (answer,) = merger.rest()
        assert came == 0 and answer.content == Rows(("x0",), tuple(r.rows[0] for r in rows))


def test_rows_that_are_not_compared_are_no_flood() -> None:
    after = [Observed(case().until + 1, Rows(("x",), ((None,),) * 100_000))]
    assert judge(case(), Dials(empty_answers=False), after).correct
    assert not too_many_rows(case(), Dials(empty_answers=False), after)


def test_what_is_due_is_counted_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def long(expectation: Expectation, starts: Vector) -> NoReturn:
        end = process_time() + 10
        while process_time() < end:
            pass
        raise AssertionError("nothing limits it")

    monkeypatch.setattr(Expectation, "answer", long)
    allow(0.2)
    try:
        subject = EngineUnderTest.meet(flooding(100_000))
        observation = subject.ask(Stimulus(case()))
        assert observation.failure is None
        with pytest.raises(LimitExceeded):
            verdict_on(observation)
    finally:
        allow(SECONDS)


def test_wrong_rows_that_can_be_compared_are() -> None:
    subject = EngineUnderTest.meet(flooding(TIMES))
    observation = subject.ask(Stimulus(case()))
    assert observation.failure is None
    assert isinstance(observation.observed[0].content, Rows)
    assert observation.dials == Dials(answers="evaluations", advances="clock")
