"""Expressions asked: of the specification term by term, of the other jurors by queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Aggregate, Exists, Expression, Variable
from rsp_conformance.model.terms import Term
from rsp_conformance.sparql.readings import PLAIN, others, under
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.grouping import aggregated
from rsp_conformance.spec.solutions import Solution
from tools.jury.classes import Allowed, GaveUp, Refused, Result
from tools.jury.expressions import BASE, Question, arguments_of, query, row_name, row_number
from tools.jury.jurors import Juror
from tools.jury.terms import UNBOUND, kind_of

_FAILED = GaveUp()
_REFUSED = Refused()
READINGS = 64
"""So many readings of open points are tried for one call, as the judges do."""


@dataclass(slots=True)
class Opinion:
    """What the specification says of one row: of each call its value, and kinds of arguments.

    ``allowed`` are the values of each call under other readings of open points, and ``left_open``
    is the point for which its value is not judged at all, where there is one.
    """

    values: list[Result] = field(default_factory=list)
    allowed: list[list[Result]] = field(default_factory=list)
    kinds: list[tuple[str, ...]] = field(default_factory=list)
    left_open: list[str | None] = field(default_factory=list)


def _no_pattern(test: Exists, mu: Solution) -> bool:
    raise NotImplementedError("a question has no EXISTS")


def opinions(question: Question) -> list[Opinion]:
    """What the specification says of each row of QUESTION, or of each group."""
    if question.groups is None:
        return [_of_row(question, Solution(row)) for row in question.rows]
    groups: dict[int, Counter[Solution]] = {}
    for number, row in zip(question.groups, question.rows, strict=True):
        groups.setdefault(number, Counter())[Solution(row)] += 1
    return [_of_group(question, members) for members in groups.values()]


def _of_row(question: Question, mu: Solution) -> Opinion:
    opinion = Opinion()
    at = Expressions(BASE, _no_pattern)
    for call in question.calls:
        _add(opinion, partial(at.value, call, mu))
        opinion.kinds.append(tuple([_kind(at, a, mu) for a in arguments_of(call)]))
    return opinion


def _add(opinion: Opinion, value: Callable[[], Term | None]) -> None:
    """Add the value of one call to OPINION, and what it is under other readings."""
    values: list[Result] = []
    left_open: dict[str, None] = {}
    waiting, tried = [PLAIN], {PLAIN}
    while waiting:
        readings = waiting.pop(0)
        with under(readings) as ledger:
            values.append(_attempted(value))
        left_open.update(ledger.left_open)
        for _, other in others(readings, ledger.choices):
            if other not in tried and len(tried) < READINGS:
                tried.add(other)
                waiting.append(other)
    opinion.values.append(values[0])
    opinion.allowed.append(values[1:])
    opinion.left_open.append(next(iter(left_open), None))


def _kind(at: Expressions, argument: Expression, mu: Solution) -> str:
    if isinstance(argument, Variable) and argument.name not in mu:
        return UNBOUND
    term = _attempted(lambda: at.value(argument, mu))
    return kind_of(None if isinstance(term, (Allowed, GaveUp, Refused)) else term)


def _attempted(value: Callable[[], Term | None]) -> Result:
    try:
        return value()
    except Unsupported:
        return _REFUSED


def _of_group(question: Question, members: Counter[Solution]) -> Opinion:
    call = question.expression
    assert isinstance(call, Aggregate)
    kinds = {UNBOUND if "a" not in mu else kind_of(mu["a"]) for mu in members}
    opinion = Opinion(kinds=[tuple(sorted(kinds))])
    _add(opinion, partial(aggregated, call, members, Expressions(BASE, _no_pattern)))
    return opinion


# The others


def answers(juror: Juror, asked: Sequence[Question]) -> Iterator[list[list[Result]]]:
    """For each question, of each row or group what JUROR says of each call."""
    first = 0
    for place, question in enumerate(asked):
        yield _answered(juror, question, place, first)
        first += len(question.rows)


def _answered(juror: Juror, question: Question, place: int, first: int) -> list[list[Result]]:
    key, offset = ("r", first) if question.groups is None else ("g", 0)
    columns = [f"e{i}" for i in range(len(question.calls))]
    text, names = query(question, place), [key, *columns]
    try:
        rows = juror.select(text, names)
    except Exception:  # of any class: whatever is raised is an answer of its own
        nodes = [row_name(offset + number) for number in range(question.size)]
        rows = juror.select_each(text, names, nodes)
    missing: list[Result] = [_FAILED] * len(columns)
    found: dict[int, list[Result]] = {row_number(row[0]) - offset: [*row[1:]] for row in rows}
    return [found.get(number, missing) for number in range(question.size)]
