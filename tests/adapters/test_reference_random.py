"""The reference engine and the specification agree on random cases over all dials.

They share the model, the parser and nothing else: the engine keeps windows incrementally and
leaves patterns to pyoxigraph.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from rsp_conformance.model.answers import Observed, Truth, is_empty
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import BOUNDS
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.printer.rspql import print_query
from tests.generators.texts import CaseMaker, engine, message, observed

STARTS = ("hash", "first", "last")


TODAY = 1_700_000_000_000
"""Milliseconds since 1970."""


def compare(seeds: range, later: int = 0) -> Counter[str]:
    """Judge the engine on the cases of SEEDS, so much LATER; what was met, by kind."""
    met: Counter[str] = Counter()
    for seed in seeds:
        case, dials = CaseMaker(Random(seed)).make()
        case = moved(case, later)
        advances = "elements" if seed % 4 == 0 else "clock"
        dials = dials.with_dial("advances", advances)
        subject = engine(dials, advances=advances, t0=STARTS[seed % 3])
        request = message(case, dials, advances)
        answers = observed(subject.run(request), request)
        try:
            verdict = judge(case, dials, answers)
        except Unsupported:
            met["left open by SPARQL"] += 1
            continue
        assert verdict.correct, (
            f"seed {seed}: {verdict}\n{print_query(case.query)}\n{case.elements}\n"
            f"{case.background}\nregistered {case.registered}, until {case.until}\n{dials}"
        )
        met["judged"] += 1
        met["with rows"] += any(_says_something(answer) for answer in answers)
        met[dials.bounds] += 1
        met[dials.answer_time] += 1
        met[case.query.form.value] += 1
    return met


def moved(case: Case, by: int) -> Case:
    def at(t: int | None) -> int | None:
        return None if t is None else t + by

    entries = [replace(e, since=at(e.since), until=at(e.until)) for e in case.background.entries]
    return replace(
        case,
        elements=tuple(replace(e, t=e.t + by) for e in case.elements),
        background=Background(tuple(entries)),
        registered=case.registered + by,
        until=case.until + by,
    )


def _says_something(answer: Observed) -> bool:
    if isinstance(answer.content, Truth):
        return answer.content.value
    return not is_empty(answer.content)


@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_the_engine_is_right_on_random_cases(first: int) -> None:
    met = compare(range(first, first + 250))
    # A policy that mixes WC with others is not judged by arrivals (decision 21).
    assert met["judged"] > 230
    assert met["with rows"] > 40
    wanted = (*BOUNDS, "evaluation", "arrival", "none", "SELECT", "ASK", "CONSTRUCT")
    assert all(met[name] > 0 for name in wanted), met


def test_the_engine_is_right_on_cases_of_today() -> None:
    """Also where a window's first instance opened long before the registration (``t0 = -2``)."""
    assert compare(range(250), TODAY)["judged"] > 230


@pytest.mark.burnin
@pytest.mark.parametrize("first", range(1000, 11000, 1000))
def test_the_engine_is_right_on_ten_thousand_random_cases(first: int) -> None:
    assert compare(range(first, first + 1000))["judged"] > 920
