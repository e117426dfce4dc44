"""Uncertainty functions end to end: both semantics judge an engine, within a tolerance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import XSD_DOUBLE, XSD_INTEGER, Literal, Term, Triple
from rsp_conformance.model.uncertainty import COMPARISONS
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spec.correctness import judge
from tests.builders.reference import run
from tests.builders.terms import iri
from tests.builders.uncertainty import distribution, query

pytestmark = pytest.mark.spark

TOLERANT = Dials().with_dials({"numbers": "tolerance(1e-9)"})
VALUES: tuple[Term, ...] = (
    *map(distribution, ("N(0,1)", "N(20.5,2.25)", "U(18,22)", "U(-1,1)", "N(1,-1)", "E(2)")),
    *(Literal(text, XSD_INTEGER) for text in ("1", "20", "21")),
    iri("a"),
)
THIRD = 'FILTER(rspu:lessThan(rspu:add(?d, "U(0,1)"^^rspu:distribution), ?e) > 0.31)'


def case(pattern: str, random: Random | None = None, *values: Term) -> Case:
    """A case over elements ``x :p d`` of VALUES, or of random ones."""
    parsed = query(
        "SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2] "
        f"WHERE {{ WINDOW :w {{ ?x :p ?d . ?y :q ?e {pattern} }} }}"
    )
    if random is not None:
        values = tuple(random.choice(VALUES[:4] * 4 + VALUES) for _ in range(6))
    elements = tuple(
        StreamElement(iri("s"), 1 + i, (Triple(iri(f"x{i}"), iri("pq"[i % 2]), value),))
        for i, value in enumerate(values)
    )
    return Case(parsed, elements, until=9)


def verdicts(
    semantics: SparkSemantics, given: list[tuple[Case, Dials, tuple[Observed, ...]]]
) -> list[Verdict | Exception]:
    """What both implementations say of all of them."""
    tasks = [Task(str(n), *one) for n, one in enumerate(given)]
    by_spark = semantics.judge(tasks)
    found: list[Verdict | Exception] = []
    for task in tasks:
        assert task.observed is not None
        theirs = by_spark[task.key]
        try:
            mine = judge(task.case, task.dials, task.observed)
        except Unsupported as refusal:
            assert str(theirs) == str(refusal)
            found.append(refusal)
            continue
        assert isinstance(theirs, Verdict), theirs
        assert mine.correct is theirs.correct
        found.append(mine)
    return found


def moved(answers: tuple[Observed, ...], by: float) -> tuple[Observed, ...]:
    """ANSWERS with all doubles greater by BY."""

    def cell(term: Term) -> Term:
        if isinstance(term, Literal) and term.datatype == XSD_DOUBLE:
            return Literal(repr(float(term.lexical) + by), XSD_DOUBLE)
        return term

    return changed(answers, cell)


def changed(answers: tuple[Observed, ...], cell: Callable[[Term], Term]) -> tuple[Observed, ...]:
    """ANSWERS with other terms."""
    found = []
    for answer in answers:
        assert isinstance(answer.content, Rows)
        rows = tuple(
            tuple(None if term is None else cell(term) for term in row)
            for row in answer.content.rows
        )
        found.append(replace(answer, content=replace(answer.content, rows=rows)))
    return tuple(found)


Given = tuple[Case, Dials, tuple[Observed, ...]]


def test_answers_are_judged_alike(semantics: SparkSemantics) -> None:
    """In one batch, because Spark takes seconds for each."""
    groups = [probabilities(), sums(), refused()]
    found = iter(verdicts(semantics, [given for group in groups for given, _ in group]))
    for group in groups:
        for _, expected in group:
            verdict = next(found)
            said = verdict.correct if isinstance(verdict, Verdict) else str(verdict)
            assert said == expected


def probabilities() -> list[tuple[Given, bool | str]]:
    """Probabilities in answers are judged within the tolerance that the profile states."""
    random = Random(17)
    patterns = [f"BIND(rspu:{name}(?d, ?e) AS ?p)" for name in sorted(COMPARISONS)]
    patterns += ["BIND(rspu:between(?d, 19, ?e) AS ?p)", THIRD]
    given: list[tuple[Given, bool | str]] = []
    for pattern in patterns:
        one = case(pattern, random)
        answers = run(one, TOLERANT)
        for by in (0, 5e-10, 3e-9):
            other = moved(answers, by)
            given.append(((one, TOLERANT, other), by < 1e-9 or other == answers))
    assert [expected for _, expected in given].count(False) > 3
    return given


def sums() -> list[tuple[Given, bool | str]]:
    """Sums in answers compare parsed by value, and as they are written by term."""
    one = case("BIND(rspu:add(?d, ?e) AS ?sum)", None, VALUES[0], VALUES[6], VALUES[2])
    texts = {"N(1,1)": "N( 1.00 , 1e0 )", "U(19,23)": "U(1.9e1,23.0)", "N(0,1)": "N(0.0,1.0)"}
    written = {distribution(text): distribution(other) for text, other in texts.items()}
    answers = run(one, TOLERANT, t0="first")
    other = changed(answers, lambda term: written.get(term, term))
    assert all(f'"{text}"' in str(other) for text in texts.values())
    value = Dials().with_dials({"numbers": "value"})
    return [((one, value, other), True), ((one, Dials(), other), False)]


def refused() -> list[tuple[Given, bool | str]]:
    """A sum without a literal is refused; a filter on other triples does not hide it from Spark."""
    pattern = "BIND(rspu:add(?d, ?e) AS ?sum) FILTER(?x = :nobody)"
    one = case(pattern, None, VALUES[0], VALUES[2])
    why = "a sum of distributions that is neither normal nor uniform, as a result"
    return [((one, TOLERANT, ()), str(Unsupported(why)))]
