"""Readings of a query under which a whole wrong answer would come out.

**What is sought.** A hint in plain words: "this is the answer without its FILTER". A reading
changes one thing: a clause is left out, the background data are those of another instant, a window
holds the content of another evaluation.

**How.** The readings are tried in a fixed order, the simple ones first, and the first that gives
the whole answer is offered. Only `LIMIT` are tried.

**What it guarantees.** The answer comes out under a reading that is offered; that does not mean
that the engine reads the query so. An answer without rows is not explained, since too many readings
give it, and no reading is looked for if turning a dial makes all answers right (`argued`).

**What it costs.** One evaluation a reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, TypeAlias

from rsp_conformance.explain.argument import Fact, ReadAs
from rsp_conformance.explain.evidence.provenance import background_instants, frozen_background
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.algebra import Filter, Join, LeftJoin
from rsp_conformance.model.answers import Content as Answer
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.background import Background
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.walk import rewritten_pattern, subpatterns
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.content import WindowContent, in_both
from rsp_conformance.spec.forms import content as form_content
from rsp_conformance.spec.r2s import streamed
from rsp_conformance.spec.trace import TraceStep

LIMIT = 200
"""The most readings that are tried."""

Attempt: TypeAlias = tuple[Fact, dict[str, Any]]
"""A reading, and what is then evaluated: ``query``, ``background`` or ``contents``."""


def fitting_reading(situation: Situation, step: TraceStep, given: Answer) -> Fact | None:
    """The first reading under which an evaluation gives the received answer.

    Args:
        situation: the case under one z.
        step: the evaluation.
        given: the received answer.

    Returns:
        None if no reading does, or if the answer has no rows.
    """
    for reading, changes in islice([] if is_empty(given) else _readings(situation, step), LIMIT):
        answer = _answer(situation, step, **changes)
        if difference(answer, given, situation.dials.numbers) is None:
            return reading
    return None


def _answer(
    situation: Situation,
    step: TraceStep,
    *,
    query: Query | None = None,
    background: Background | None = None,
    contents: tuple[WindowContent, ...] | None = None,
) -> Answer:
    """The answer of an evaluation with another query, background data or contents."""
    own, before = query or situation.case.query, situation.before(step)
    now = situation.relation(step.t, contents or step.contents, background, own)
    earlier = None if before is None else before.relation
    stayed = None
    if before is not None and situation.dials.r2s == "elements":
        both = in_both(contents or step.contents, before.contents)
        stayed = situation.relation(step.t, both, background, own).rows
    return form_content(own, streamed(own.operator, now, earlier, situation.dials.r2s, stayed))


def _readings(situation: Situation, step: TraceStep) -> Iterator[Attempt]:
    query, background = situation.case.query, situation.case.background
    if query.operator in {StreamOperator.ISTREAM, StreamOperator.DSTREAM}:
        yield Fact("no operator", t=step.t), {"query": replace(query, operator=None)}
    for kind, changed in _queries(query):
        yield Fact(kind), {"query": changed}
    if background:
        yield Fact("no background"), {"background": Background()}
    if background.time_varying:
        for t in background_instants(situation, step.t):
            yield Fact("background of", t=t), {"background": frozen_background(situation, t)}
    for reading, contents in _contents(situation, step):
        yield reading, {"contents": contents}


def _queries(query: Query) -> Iterator[tuple[ReadAs, Query]]:
    operators = {type(part) for part in subpatterns(query.pattern)}
    if LeftJoin in operators:
        joined = rewritten_pattern(
            query.pattern, lambda p: Join(p.left, p.right) if isinstance(p, LeftJoin) else p
        )
        yield "optional as join", replace(query, pattern=joined)
    if Filter in operators:
        bare = rewritten_pattern(query.pattern, lambda p: p.pattern if isinstance(p, Filter) else p)
        yield "no filter", replace(query, pattern=bare)
    if query.distinct:
        yield "no distinct", replace(query, distinct=False)
    elif not query.reduced:
        yield "distinct", replace(query, distinct=True)
    if query.limit is not None or query.offset is not None:
        yield "no limit", replace(query, limit=None, offset=None)


def _contents(
    situation: Situation, step: TraceStep
) -> Iterator[tuple[Fact, tuple[WindowContent, ...]]]:
    contents, before = step.contents, situation.before(step)

    def instead(position: int, other: WindowContent) -> tuple[WindowContent, ...]:
        return (*contents[:position], other, *contents[position + 1 :])

    if before is not None:
        yield (
            Fact("kept", t=before.t),
            tuple(
                WindowContent(now.instance, tuple(sorted({*now.elements, *earlier.elements})))
                for now, earlier in zip(contents, before.contents, strict=True)
            ),
        )
    several = len(contents) > 1
    for position, content in enumerate(contents):
        whose = position if several else None
        for other in sorted(situation.steps, key=lambda s: (abs(s.t - step.t), s.t)):
            if other is not step and other.contents[position] != content:
                here = other.t == step.t
                kind: ReadAs = "window of another test point" if here else "window of"
                reading = Fact(kind, t=other.t, position=whose)
                yield reading, instead(position, other.contents[position])
        if several:
            empty = WindowContent(content.instance, ())
            yield Fact("window is empty", position=position), instead(position, empty)
