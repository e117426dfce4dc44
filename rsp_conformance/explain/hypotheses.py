"""Readings of a query under which a whole wrong answer would come out.

Each is a plain sentence about one thing (background data left out, a window that kept an older
content, OPTIONAL taken for a join …). What is offered is what fits, not what the engine does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any, cast

from rsp_conformance.compare.contents import difference
from rsp_conformance.explain.evidence import Evidence, Step
from rsp_conformance.explain.provenance import background_instants, frozen_background
from rsp_conformance.model.algebra import Filter, Join, LeftJoin, Pattern
from rsp_conformance.model.answers import Content as Answer
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.background import Background
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.walk import children, subpatterns
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec import r2s
from rsp_conformance.spec.content import Content
from rsp_conformance.spec.dataset import dataset
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.forms import content as form_content

_JOINED = "if OPTIONAL is taken for a join."
_WITHOUT_BACKGROUND = "without the background data."
_OF_EMPTY = (_JOINED, _WITHOUT_BACKGROUND)
LIMIT = 200
"""How many readings are tried."""


def reading(evidence: Evidence, step: Step, given: Answer) -> str | None:
    """The first reading under which the evaluation STEP answers GIVEN, as a sentence."""
    before = evidence.before(step)
    for number, (answer, sentence) in enumerate(_readings(evidence, step, before)):
        if number >= LIMIT:
            return None
        if is_empty(given) and not sentence.endswith(_OF_EMPTY):
            # Hardly any reading but these says something of an answer without rows.
            continue
        if difference(answer(), given, evidence.dials.numbers) is None:
            return sentence
    return None


def relation(
    evidence: Evidence,
    step: Step,
    *,
    contents: tuple[Content, ...] | None = None,
    background: Background | None = None,
    query: Query | None = None,
) -> Relation:
    """The solutions of STEP, or of what they are with other contents, background or query."""
    case = evidence.case
    if background is not None:
        case = replace(case, background=background)
    data = dataset(case, evidence.dials, step.t, step.contents if contents is None else contents)
    return solutions(case.query if query is None else query, data)


def streamed(
    evidence: Evidence, now: Relation, before: Relation | None, operator: StreamOperator | None
) -> Answer:
    """The answer that OPERATOR makes of two consecutive evaluations."""
    rows = [] if before is None else before.rows
    result = r2s.apply(operator, r2s.Ordered(now.rows, now.ties), rows, evidence.dials.r2s)
    ties = None if result.ties is None else tuple(result.ties)
    return form_content(evidence.case.query, replace(now, rows=list(result.rows), ties=ties))


_Readings = Iterator[tuple[Callable[[], Answer], str]]


def _readings(evidence: Evidence, step: Step, before: Step | None) -> _Readings:
    query = evidence.case.query
    earlier = None if before is None else relation(evidence, before)

    def with_operator(now: Relation) -> Answer:
        return streamed(evidence, now, earlier, query.operator)

    if query.operator in {StreamOperator.ISTREAM, StreamOperator.DSTREAM}:
        yield (
            lambda: streamed(evidence, relation(evidence, step), earlier, None),
            f"The answer given is all that holds at {step.t}, as if {query.operator.value} "
            "were not there.",
        )
    for changed, phrase in _queries(query):
        yield (
            partial(_of_query, evidence, step, changed, with_operator),
            f"The answer given is what comes out {phrase}.",
        )
    if evidence.case.background:
        yield (
            lambda: with_operator(relation(evidence, step, background=Background())),
            f"The answer given is what comes out {_WITHOUT_BACKGROUND}",
        )
        yield from _backgrounds(evidence, step, with_operator)
    yield from _contents(evidence, step, before, with_operator)


def _of_query(
    evidence: Evidence, step: Step, query: Query, with_operator: Callable[[Relation], Answer]
) -> Answer:
    return with_operator(relation(evidence, step, query=query))


def _queries(query: Query) -> Iterator[tuple[Query, str]]:
    if any(isinstance(part, LeftJoin) for part in subpatterns(query.pattern)):
        joined = rewrite(
            query.pattern, lambda p: Join(p.left, p.right) if isinstance(p, LeftJoin) else p
        )
        yield replace(query, pattern=joined), _JOINED.removesuffix(".")
    if any(isinstance(part, Filter) for part in subpatterns(query.pattern)):
        bare = rewrite(query.pattern, lambda p: p.pattern if isinstance(p, Filter) else p)
        yield replace(query, pattern=bare), "without FILTER"
    if query.distinct:
        yield replace(query, distinct=False), "without DISTINCT"
    elif not query.reduced:
        yield replace(query, distinct=True), "if duplicates are dropped"
    if query.limit is not None or query.offset is not None:
        yield replace(query, limit=None, offset=None), "without LIMIT and OFFSET"


def rewrite(pattern: Pattern, change: Callable[[Pattern], Pattern]) -> Pattern:
    """PATTERN with CHANGE applied to every part, operands first (not within subqueries)."""
    operands = children(pattern)
    if operands and not hasattr(pattern, "query"):
        changed = {
            f.name: rewrite(getattr(pattern, f.name), change)
            for f in fields(pattern)
            if any(getattr(pattern, f.name) is operand for operand in operands)
        }
        pattern = cast("Pattern", replace(cast("Any", pattern), **changed))
    return change(pattern)


def _backgrounds(
    evidence: Evidence, step: Step, with_operator: Callable[[Relation], Answer]
) -> _Readings:
    if not evidence.case.background.time_varying:
        return
    for t in background_instants(evidence, step.t):
        frozen = frozen_background(evidence, t)
        yield (
            lambda frozen=frozen: with_operator(relation(evidence, step, background=frozen)),  # type: ignore[misc]
            f"The answer given is what comes out with the background data of {t}.",
        )


def _contents(
    evidence: Evidence,
    step: Step,
    before: Step | None,
    with_operator: Callable[[Relation], Answer],
) -> _Readings:
    if before is not None:
        both = tuple(
            Content(now.instance, tuple(sorted({*now.elements, *earlier.elements})))
            for now, earlier in zip(step.contents, before.contents, strict=True)
        )
        yield (
            lambda: with_operator(relation(evidence, step, contents=both)),
            f"The answer given is what comes out if what was evaluated at {before.t} is kept.",
        )
    several = len(evidence.windows) > 1
    for position, window in enumerate(evidence.windows):
        name = evidence.notation.iri(window.name)
        for other in sorted(evidence.steps, key=lambda s: (abs(s.t - step.t), s.t)):
            if other is step or other.contents[position] == step.contents[position]:
                continue
            changed = tuple(
                other.contents[i] if i == position else content
                for i, content in enumerate(step.contents)
            )
            whose = f"of {name} " if several else ""
            when = f"{other.t}" if other.t != step.t else f"another test point of {step.t}"
            yield (
                lambda changed=changed: with_operator(relation(evidence, step, contents=changed)),  # type: ignore[misc]
                f"The answer given is what comes out over the window {whose}evaluated at {when}.",
            )
        if several:
            empty = tuple(
                Content(content.instance, ()) if i == position else content
                for i, content in enumerate(step.contents)
            )
            yield (
                lambda empty=empty: with_operator(relation(evidence, step, contents=empty)),  # type: ignore[misc]
                f"The answer given is what comes out if {name} holds nothing.",
            )
