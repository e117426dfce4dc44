"""Readings of a query under which a whole wrong answer would come out.

Each is about one thing (background data left out, a window that kept an older content, OPTIONAL
taken for a join …). What is offered is what fits, not what the engine does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.argument import Reading
from rsp_conformance.explain.evidence.provenance import background_instants, frozen_background
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.algebra import Filter, Join, LeftJoin
from rsp_conformance.model.answers import Content as Answer
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.background import Background
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.walk import rewritten_pattern, subpatterns
from rsp_conformance.spec.content import Content
from rsp_conformance.spec.forms import content as form_content
from rsp_conformance.spec.trace import TraceStep, streamed

LIMIT = 200
"""How many readings are tried."""

Changes: TypeAlias = dict[str, Any]
"""What a reading evaluates otherwise: ``query``, ``background``, ``contents`` or ``operator``."""


def fitting_reading(setting: Setting, step: TraceStep, given: Answer) -> Reading | None:
    """The first reading under which the evaluation STEP answers GIVEN."""
    for number, (reading, changes) in enumerate(_readings(setting, step)):
        if number >= LIMIT:
            return None
        if is_empty(given) and reading.what not in {"optional as join", "no background"}:
            # Hardly any reading but these says something of an answer without rows.
            continue
        answer = _answer(setting, step, **changes)
        if difference(answer, given, setting.dials.numbers) is None:
            return reading
    return None


def _answer(
    setting: Setting,
    step: TraceStep,
    *,
    query: Query | None = None,
    background: Background | None = None,
    contents: tuple[Content, ...] | None = None,
    operator: bool = True,
) -> Answer:
    """The answer of STEP with another query, background data or contents, or no operator."""
    own, before = setting.case.query, setting.before(step)
    now = setting.relation(step.t, contents or step.contents, background, query)
    asked = own if operator else replace(own, operator=None)
    rows = [] if before is None else before.relation.rows
    return form_content(own, streamed(asked, now, rows, setting.dials))


def _readings(setting: Setting, step: TraceStep) -> Iterator[tuple[Reading, Changes]]:
    query, background = setting.case.query, setting.case.background
    if query.operator in {StreamOperator.ISTREAM, StreamOperator.DSTREAM}:
        yield Reading("no operator", step.t), {"operator": False}
    for reading, changed in _queries(query):
        yield reading, {"query": changed}
    if background:
        yield Reading("no background"), {"background": Background()}
    if background.time_varying:
        for t in background_instants(setting, step.t):
            yield Reading("background of", t), {"background": frozen_background(setting, t)}
    for reading, contents in _contents(setting, step):
        yield reading, {"contents": contents}


def _queries(query: Query) -> Iterator[tuple[Reading, Query]]:
    if any(isinstance(part, LeftJoin) for part in subpatterns(query.pattern)):
        joined = rewritten_pattern(
            query.pattern, lambda p: Join(p.left, p.right) if isinstance(p, LeftJoin) else p
        )
        yield Reading("optional as join"), replace(query, pattern=joined)
    if any(isinstance(part, Filter) for part in subpatterns(query.pattern)):
        bare = rewritten_pattern(query.pattern, lambda p: p.pattern if isinstance(p, Filter) else p)
        yield Reading("no filter"), replace(query, pattern=bare)
    if query.distinct:
        yield Reading("no distinct"), replace(query, distinct=False)
    elif not query.reduced:
        yield Reading("distinct"), replace(query, distinct=True)
    if query.limit is not None or query.offset is not None:
        yield Reading("no limit"), replace(query, limit=None, offset=None)


def _contents(setting: Setting, step: TraceStep) -> Iterator[tuple[Reading, tuple[Content, ...]]]:
    contents, before = step.contents, setting.before(step)

    def instead(position: int, other: Content) -> tuple[Content, ...]:
        return (*contents[:position], other, *contents[position + 1 :])

    if before is not None:
        yield (
            Reading("kept", before.t),
            tuple(
                Content(now.instance, tuple(sorted({*now.elements, *earlier.elements})))
                for now, earlier in zip(contents, before.contents, strict=True)
            ),
        )
    several = len(contents) > 1
    for position, content in enumerate(contents):
        whose = position if several else None
        for other in sorted(setting.steps, key=lambda s: (abs(s.t - step.t), s.t)):
            if other is not step and other.contents[position] != content:
                what: Literal["window of", "window of another test point"] = "window of"
                if other.t == step.t:
                    what = "window of another test point"
                yield Reading(what, other.t, whose), instead(position, other.contents[position])
        if several:
            empty = Content(content.instance, ())
            yield Reading("window is empty", step.t, position), instead(position, empty)
