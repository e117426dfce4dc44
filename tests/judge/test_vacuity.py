"""Which cases tell something."""

from __future__ import annotations

import pytest

from rsp_conformance.files.cases import CASES
from rsp_conformance.judge.vacuity import is_vacuous
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.spec import trace

WINDOW = "FROM NAMED WINDOW <http://e/w> ON STREAM <http://e/s> [RANGE 2 STEP {step}]"


def case(
    *times: int,
    until: int = 6,
    step: int = 2,
    head: str = "SELECT ?x",
    tail: str = "",
    form: str = "{ WINDOW <http://e/w> { ?x <http://e/p> ?y } }",
) -> Case:
    """One triple at each of TIMES."""
    return CASES.read(
        Case,
        {
            "version": 1,
            "query": f"{head} {WINDOW.format(step=step)} WHERE {form} {tail}",
            "streams": ["http://e/s"],
            "registered": 0,
            "until": until,
            "static": [],
            "elements": [
                {
                    "stream": "http://e/s",
                    "t": t,
                    "graph": f"<http://e/a{t}> <http://e/p> <http://e/b> .\n",
                }
                for t in times
            ],
        },
        "case",
    )


PLAIN = Dials()
FIXED = Dials(t0=0)


@pytest.mark.parametrize(
    ("what", "asked", "dials", "told"),
    [
        ("answers", case(1), FIXED, True),
        ("answers", case(), FIXED, False),
        # The only answer with rows is before t_s = 1.
        ("answers", case(1, step=1, until=1), Dials(t0=1), False),
        ("answers", case(5), Dials(t0=0, report=FIXED.report), True),
        # A window that closes after the end is not compared.
        ("answers", case(5, until=5), FIXED, False),
        # COUNT has a row over an empty window too, and an ASK always an answer.
        ("answers", case(head="SELECT (COUNT(*) AS ?c)"), FIXED, True),
        ("answers", case(head="ASK"), FIXED, True),
        ("emptiness", case(1), FIXED, True),
        ("emptiness", case(1), Dials(t0=0, empty_answers=False), True),
        ("emptiness", case(1, 3, 5), FIXED, False),
        ("emptiness", case(head="SELECT (COUNT(*) AS ?c)"), FIXED, False),
        ("starts", case(1), PLAIN, True),
        ("starts", case(1), FIXED, True),
        # A slide of one instant leaves one start.
        ("starts", case(1, step=1), PLAIN, False),
        ("starts", case(), PLAIN, False),
        # What SPARQL leaves open cannot be judged.
        ("answers", case(1, 2, tail="LIMIT 1"), FIXED, False),
    ],
)
def test_is_vacuous(what: str, asked: Case, dials: Dials, told: bool) -> None:
    assert is_vacuous(asked, dials, what) is not told


def test_what_makes_a_case_vacuous_is_evaluated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever judges the case next finds it."""
    evaluated = []
    evaluate = trace.solutions_of_covered
    monkeypatch.setattr(
        trace, "solutions_of_covered", lambda *given: evaluated.append(1) or evaluate(*given)
    )
    asked = case(1, 3, 5, head="SELECT (COUNT(*) AS ?once)")
    assert not is_vacuous(asked, FIXED, "answers")
    once = len(evaluated)
    assert not is_vacuous(asked, FIXED, "answers")
    assert len(evaluated) == once > 0
