"""What NOW holds in CQELS 1: experiments, the engine's answers, and what each value predicts.

The values of the dial ``now`` differ in when an element leaves NOW. In the engine nothing leaves
it: with the mutant of this each value predicts all answers, and without it no value does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

import pytest

from rsp_conformance.adapters.cqels1.register import CQELS1
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Now
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import registry
from rsp_conformance.spec.correctness import judge
from tests.adapters.jvm.real import needs
from tests.builders.reference import run
from tools.curation.mutant_examples import Example

APART = (
    "REGISTER ISTREAM :o AS SELECT ?x ?z FROM NAMED WINDOW :w ON STREAM :s [NOW] FROM NAMED WINDOW "
    ":v ON STREAM :r [RANGE 9] WHERE { WINDOW :w { ?x :p ?y } WINDOW :v { ?z :q ?y } }"
)
TOGETHER = (
    "REGISTER ISTREAM :o AS SELECT ?x ?z FROM NAMED WINDOW :w ON STREAM :s [NOW] "
    "WHERE { WINDOW :w { ?x :p ?y . ?z :q ?y } }"
)

EXPERIMENTS = """
APART    ; s1 a p, r3 u q             ; 3 au             ; last
APART    ; s1 a p, s1 b p, r1 u q     ; 1 au bu          ; instant
APART    ; s1 a p, s2 b p, r3 u q     ; 3 au bu          ;
APART    ; s1 a p, r3 u q, s4 b p     ; 3 au | 4 bu      ; last
TOGETHER ; s1 a p, s1 b q             ; 1 ab             ; instant
TOGETHER ; s1 a p, s2 b q             ; 2 ab             ;
TOGETHER ; s1 a p, s1 b p, s1 c q, s4 d q ; 1 ac bc | 4 ad bd ;
"""
"""Queries, elements (all with the object ``o``), the rows of the engine, and what predicts them."""


def experiments() -> Iterable[tuple[Case, str, set[str]]]:
    for line in EXPERIMENTS.strip().splitlines():
        name, written, rows, predicting = map(str.strip, line.split(";"))
        elements = (f"{one[0]} {one[1]}:{one[2:]} o" for one in written.split(", "))
        query = {"APART": APART, "TOGETHER": TOGETHER}[name]
        yield Example(query, tuple(elements)).case(), rows, set(predicting.split())


def shown(case: Case, answers: Iterable[Observed]) -> str:
    """The rows by the instant of the element that brought them: ``1 au | 3 bu``."""
    found: dict[int, list[str]] = {}
    for answer in answers:
        assert isinstance(answer.content, Rows) and answer.cause is not None
        for row in answer.content.solutions():
            text = "".join(str(row[name]).rstrip(">")[-1] for name in ("x", "z"))
            found.setdefault(case.elements[answer.cause].t, []).append(text)
    return " | ".join(f"{t} {' '.join(sorted(rows))}" for t, rows in sorted(found.items()))


@pytest.mark.parametrize(("case", "rows", "predicting"), [*experiments()])
def test_nothing_tells_which_value_of_now_it_has(
    case: Case, rows: str, predicting: set[str]
) -> None:
    dials = bundled_profile("cqels-1").base
    assert dials.now == "instant"
    told = {now: dials.with_dial("now", now) for now in get_args(Now)}
    plain = {now: run(case, own) for now, own in told.items()}
    assert {now for now, found in plain.items() if shown(case, found) == rows} == predicting
    assert all(judge(case, told[now], found).correct for now, found in plain.items())
    for own in told.values():
        assert shown(case, run(case, own, fault="count-never-evicts")) == rows


@pytest.fixture(scope="module")
def tested() -> Iterator[EngineUnderTest]:
    with registry.connect("cqels1") as engine:
        yield EngineUnderTest.meet(engine)


@needs(CQELS1)
@pytest.mark.engine
@pytest.mark.parametrize(("case", "rows", "predicting"), [*experiments()])
def test_the_engine_answers_so(
    tested: EngineUnderTest, case: Case, rows: str, predicting: set[str]
) -> None:
    seen = tested.ask(Stimulus(case))
    assert seen.is_answered and shown(case, seen.observed) == rows
