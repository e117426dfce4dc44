"""What an engine answered, as rows for the comparison (SEMANTICS 5; decisions 18 to 23)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import prod
from typing import Any

import pyarrow as pa

from rsp_conformance.model.answers import Content, Observed, Rows, Triples, Truth
from rsp_conformance.model.dials import Dials, Tolerance
from rsp_conformance.model.query import Form, Query
from rsp_conformance.spark.batch.encode import Described
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.codec import encode_answer_triple, encode_row

_ANSWER = pa.struct(
    [
        ("stamp", pa.string()),
        ("at", pa.int64()),
        ("required", pa.bool_()),
        ("late", pa.bool_()),
        ("early", pa.bool_()),
        ("answer", pa.list_(pa.string())),
    ]
)
GIVEN_FIELDS: list[tuple[str, pa.DataType]] = [
    ("task", pa.int32()),
    ("asked", pa.list_(pa.int32())),
    ("t_s", pa.int64()),
    ("every", pa.bool_()),
    ("timed", pa.bool_()),
    ("textual", pa.bool_()),
    ("tolerance", pa.int64()),
    ("numbers", pa.string()),
    ("given", pa.list_(_ANSWER)),
]
"""What an engine answered, and how it is compared.

``asked`` are the z to look at; with ``every`` each of them, else only until one is right. See
``compare``. ``at`` is a stamp that is an instant, as most are.
"""

MISFIT = "!"
"""Stands for an answer of another form than the query's; no expected answer is written so."""


def given_row(number: int, task: Task, described: Described) -> dict[str, Any]:
    """The answers observed for TASK."""
    asked = range(prod(len(options) for options in described.starts))
    answers = _answers(task, described)
    return compared_row(
        number, task.case.query, task.dials, t_s=described.t_s, asked=asked, given=answers
    )


def compared_row(
    number: int,
    query: Query,
    dials: Dials,
    *,
    t_s: int,
    asked: Iterable[int],
    given: list[dict[str, Any]],
    every: bool = False,
) -> dict[str, Any]:
    """A row of GIVEN_FIELDS: the answers GIVEN to QUERY, as task NUMBER, for the z ASKED."""
    numbers = dials.numbers
    return {
        "task": number,
        "asked": list(asked),
        "t_s": t_s,
        "every": every,
        "timed": dials.answer_time != "none",
        # Rows in order need the groups of ties, which the evaluation alone knows.
        "textual": not query.order_by,
        "tolerance": dials.time_tolerance,
        "numbers": str(numbers.epsilon) if isinstance(numbers, Tolerance) else numbers,
        "given": given,
    }


def _answers(task: Task, described: Described) -> list[dict[str, Any]]:
    a, t_s, until = task.case.registered, described.t_s, task.case.until
    form = task.case.query.form
    observed = task.observed or ()
    late = _set_off_at_end(task)
    tests = _tests(task, described)
    if task.dials.answer_time == "none":
        return [
            answer_row(
                answer,
                form,
                None,
                required=place >= tests,
                late=late[place],
                early=place < tests,
            )
            for place, answer in enumerate(observed)
        ]
    arrival = task.dials.answer_time == "arrival"
    open_to = _arrival(t_s - 1, task, described) if arrival and t_s > a else t_s - 1
    rows: list[tuple[Fraction | None, dict[str, Any]]] = []
    for place, answer in enumerate(observed):
        stamp = _stamp(answer, task)
        beyond = stamp is not None and stamp > until
        if beyond and arrival:
            # A later stamp is that of an appended element, which counts as until.
            stamp = Fraction(until)
        # What an evaluation in [a, t_s) may have given comes first, at most one a test point.
        early = arrival and stamp is not None and t_s <= stamp <= open_to and tests > 0
        tests -= early
        compared = stamp is None or (stamp >= t_s and (arrival or not beyond))
        spare = arrival and (late[place] or beyond) and compared
        row = answer_row(
            answer, form, stamp, required=compared and not early, late=spare, early=early
        )
        rows.append((stamp, row))
    # The order of emission decides among answers of one instant only.
    rows.sort(key=lambda row: Fraction(until + 1) if row[0] is None else row[0])
    return [row for _, row in rows]


def _tests(task: Task, described: Described) -> int:
    """How many test points the policy has in [a, t_s) (decision 23)."""
    a, t_s = task.case.registered, described.t_s
    ticks = Counter(range(a, t_s))
    if described.report.stepwise:
        streams = {w.stream for w in described.windows}
        arrivals = Counter(e.t for e in task.case.elements if e.stream in streams and e.t < t_s)
        ticks |= arrivals
    return ticks.total()


def answer_row(
    answer: Observed,
    form: Form,
    stamp: Fraction | None,
    *,
    required: bool,
    late: bool,
    early: bool,
) -> dict[str, Any]:
    """ANSWER with the stamp that it is compared at; flags as in ``alignment.ObservedAnswer``."""
    return {
        "stamp": None if stamp is None else str(stamp),
        "at": None if stamp is None or stamp.denominator > 1 else stamp.numerator,
        "required": required,
        "late": late,
        "early": early,
        "answer": encode_content(answer.content, form),
    }


def encode_content(content: Content, form: Form) -> list[str]:
    """An answer as text, in the order of its rows."""
    match content:
        case Rows(variables, rows) if form is Form.SELECT:
            return [encode_row(variables, row) for row in rows]
        case Truth(value) if form is Form.ASK:
            return ["true" if value else "false"]
        case Triples(graph) if form is Form.CONSTRUCT:
            return sorted(encode_answer_triple(triple) for triple in graph)
    return [MISFIT]


def _stamp(answer: Observed, task: Task) -> Fraction | None:
    """The instant at which an answer is compared; under ``arrival`` its cause's if need be."""
    if answer.t is not None:
        return Fraction(answer.t)
    if task.dials.answer_time != "arrival" or answer.cause is None:
        return None
    if isinstance(answer.cause, int) and answer.cause < task.appended_from:
        return Fraction(task.case.elements[answer.cause].t)
    return Fraction(task.case.until)


def _set_off_at_end(task: Task) -> list[bool]:
    """For each answer, whether appended elements may have caused it (decision 22).

    Only the last ones can be: one for each instant and each element after ``until``.
    """
    case, observed = task.case, task.observed or ()
    following = Counter(e.t for e in case.elements if e.t > case.until)
    end = max(following, default=case.until + 1)
    room = end - case.until + following.total() + len(case.streams)

    def caused(answer: Observed) -> bool:
        if isinstance(answer.cause, int):
            return answer.cause >= task.appended_from
        if task.dials.advances != "elements":
            return False
        return answer.cause == "end" or answer.t is None or answer.t > case.until

    return [
        len(observed) - place <= room and caused(answer) for place, answer in enumerate(observed)
    ]


def _arrival(t: int, task: Task, described: Described) -> int:
    """The stamp of an evaluation at T (decision 21)."""
    earliest = t + described.columns["delay"]
    until = task.case.until
    return min(until, next((e.t for e in task.case.elements if e.t >= earliest), until))
