"""Quoted triples by the specification and by the reference engine: both say the same."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.printer.rspql import print_query
from tests.generators.quoted_triples import CaseMaker
from tests.generators.texts import engine, message, observed


@pytest.mark.parametrize("first", [0, 300])
def test_the_reference_engine(first: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(first, first + 300):
        case, dials = CaseMaker(Random(seed)).make()
        request = message(case, dials, "clock")
        text = f"seed {seed}\n{print_query(case.query)}\n{case.elements}\n{case.background}"
        answers = observed(engine(dials, t0="first").run(request), request)
        try:
            verdict = judge(case, dials, answers)
        except Unsupported:
            met["left open"] += 1
            continue
        assert verdict.correct, f"{verdict}\n{text}"
        met["rows"] += any(len(a.content) > 0 for a in answers if hasattr(a.content, "__len__"))
    assert met["rows"] > 90 and met["left open"] < 10, met
