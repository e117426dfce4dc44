"""The order of answers with one stamp, before both judges (decision 44)."""

from __future__ import annotations

from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.text.parse import parse_query
from tests.builders.cases import element
from tests.builders.terms import EX, integer
from tests.judges.test_ends import judged

QUERY = parse_query(
    f"""PREFIX : <{EX}> SELECT (COUNT(*) AS ?n)
    FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]
    FROM NAMED WINDOW :v ON STREAM :r [RANGE 1 STEP 1]
    WHERE {{ WINDOW :v {{ ?x ?p ?y }} }}"""
)
CASE = Case(
    QUERY,
    (
        *(element(t, "a", "p", f"y{t}", stream="s") for t in (1, 5)),
        element(6, "a", "p", "y", stream="r"),
        *(element(12, "a", "p", "y", stream=name) for name in ("s", "r")),
    ),
    until=12,
)
"""Evaluated are 4, at 5, and at 12 the windows of :w that close at 6 and 8, before that of :v that
closes at 7: the element of its stream comes later."""
DIALS = Dials().with_dials(
    {"bounds": "[o,c)", "report": "WC & NC", "t0": "0", "tick": "time", "trigger": ">"}
    | {"answer_time": "arrival", "clock": "own"}
)


def order_is_right(*numbers: int, **dials: str) -> bool:
    """Whether the answers at 12 may have these NUMBERS, in this order."""
    given = [(5, 0), *((12, number) for number in numbers)]
    observed = [Observed(t, Rows(("n",), ((integer(number),),))) for t, number in given]
    return judged(observed, DIALS.with_dials(dials), CASE)[0]


def test_answers_of_one_stamp_come_by_their_triggers_or_by_their_instants() -> None:
    assert order_is_right(0, 0, 1)
    assert order_is_right(0, 1, 0)
    assert not order_is_right(1, 0, 0)
    # On a clock that all share, one order is both.
    assert order_is_right(0, 1, 0, clock="any")
    assert not order_is_right(0, 0, 1, clock="any")
