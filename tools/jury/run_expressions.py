"""Many random expressions asked of all jurors, and their differences in groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from rsp_conformance.model.terms import Term
from tools.jury.asking import Opinion, answers, opinions
from tools.jury.classes import SPECIFICATION, Allowed, Refused, Result, of_terms, result_key, said
from tools.jury.expressions import Question, data, name_of, questions, written
from tools.jury.groups import Example, Groups, Key
from tools.jury.jurors import Data, Juror

ROWS = 60
"""Rows of a question in one batch: enough that parsing it costs less than evaluating it, and few
enough that calls within calls differ from batch to batch."""


def run(
    jurors: Sequence[Juror], seed: int, wanted: int, groups: Groups, tell: Callable[[int], None]
) -> int:
    """At least WANTED evaluations, differences added to GROUPS; how many there were."""
    done = batch = 0
    while done < wanted:
        asked = questions(Random(f"{seed} expressions {batch}"), ROWS)
        _batch(jurors, asked, groups)
        done += sum(question.size for question in asked)
        batch += 1
        tell(done)
    return done


def _batch(jurors: Sequence[Juror], asked: Sequence[Question], groups: Groups) -> None:
    told: dict[str, list[list[list[Result]]]] = {}
    for juror in jurors:
        juror.load(Data(data([*asked])))
        told[juror.name] = [*answers(juror, asked)]
    for place, question in enumerate(asked):
        for number, opinion in enumerate(opinions(question)):
            others = {name: found[place][number] for name, found in told.items()}
            compare(question, number, opinion, others, groups)


def compare(
    question: Question,
    number: int,
    opinion: Opinion,
    others: Mapping[str, Sequence[Result]],
    groups: Groups,
) -> None:
    """Add to GROUPS the innermost call of a row about which the jurors differ, if there is one."""
    for place, call in enumerate(question.calls):
        ours = opinion.values[place]
        if isinstance(ours, Refused):
            return
        allowed = {result_key(value) for value in opinion.allowed[place]}
        said_by = {name: row[place] for name, row in others.items()}
        # Who answers as another reading of an open point has it says what may be said.
        right = {result_key(ours)}
        judged = {
            n: Allowed() if (key := result_key(r)) in allowed and key not in right else r
            for n, r in said_by.items()
        }
        parted = of_terms({SPECIFICATION: ours} | judged)
        if parted.agreed:
            continue
        key = Key(name_of(call), opinion.kinds[place], parted, opinion.left_open[place] or "")
        results = {SPECIFICATION: ours} | said_by
        texts = {name: _text(result) for name, result in results.items()}
        groups.add(key, Example(_asked(question, number, place), texts))
        return


def _text(result: Result) -> str:
    return repr(result) if said(result) == "value" else said(result)


def _asked(question: Question, number: int, place: int) -> str:
    call = question.calls[place]
    if question.groups is None:
        rows: list[Mapping[str, Term]] = [question.rows[number]]
    else:
        rows = [r for r, g in zip(question.rows, question.groups, strict=True) if g == number]
    names = sorted({name for row in rows for name in row})
    bindings = "; ".join(
        ", ".join(f"?{n} = {row[n]!r}" if n in row else f"?{n} unbound" for n in names)
        for row in rows
    )
    return f"{written(call)} where {bindings}" if names else written(call)
