"""The answers of the engine `reference` to a case, with any mutants, from any z."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import count, takewhile
from typing import Any

from rsp_conformance.adapters.reference.adapter import FAILURES, ReferenceEngine, failure_kind
from rsp_conformance.adapters.reference.mutant import Mutant, TriedMutants
from rsp_conformance.adapters.reference.mutants import mutant_named
from rsp_conformance.adapters.reference.options import Options
from rsp_conformance.limits import limited
from rsp_conformance.model.answers import Content, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Advances, Dials
from rsp_conformance.model.errors import KitError, Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import OrderKey, Query, StreamOperator
from rsp_conformance.model.verdict import Vector
from rsp_conformance.model.windows import AnyWindow, CountWindow, SlidingWindow
from rsp_conformance.protocol.requests import run_request
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.modifiers import order_by
from rsp_conformance.spec.solutions import Solution


class ReferenceFailed(KitError):
    """The engine `reference` rejected or broke off a case.

    Attributes:
        kind: the kind of failure, as the protocol names it.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


def reference_answers(
    case: Case,
    dials: Dials,
    starts: Vector,
    *,
    mutants: Iterable[str | Mutant] = (),
    library: str | None = None,
    pacing: str = "burst",
    trial: TriedMutants | None = None,
    is_enough: Callable[[int, Observed], bool] | None = None,
) -> tuple[Observed, ...]:
    """All answers of `reference` to a case.

    It is fed like an engine under test: if it learns the time from elements only, it gets the
    elements that the kit appends.

    Args:
        case: the case.
        dials: the dials that it follows.
        starts: where its windows start.
        mutants: the mutants that it has.
        library: the point of SPARQL that it leaves as pyoxigraph reads it; None for none.
        pacing: how it is fed.
        trial: mutants that are tried beside it.
        is_enough: is called with each answer and its place among all; the case is broken off at the
            first answer for which it returns true.

    Raises:
        Unsupported: the engine does not support the case.
        ReferenceFailed: the engine gives no answer.
    """
    t0 = "first"
    if dials.leaves_starts_open and starts:
        windows = case.query.resolved_windows(dials)
        offsets = (_offset(*own, case, dials) for own in zip(windows, starts, strict=True))
        t0 = ",".join(map(str, offsets))
    built_in = tuple(m if isinstance(m, Mutant) else mutant_named(m) for m in mutants)
    options = Options(Profile("", dials), built_in, advances=dials.advances, t0=t0, library=library)
    request = _request(case, dials.unit, dials.advances, pacing)
    query = case.query.in_instants(dials.unit)
    is_ordered = case.query.order_by and case.query.operator in (None, StreamOperator.RSTREAM)

    def observed(answer: dict[str, Any]) -> Observed:
        content = answer["content"]
        content = in_order(content, case.query) if is_ordered else content
        return Observed(answer["t"], content, answer["cause"])

    places = count()
    try:
        with limited():
            found = ReferenceEngine(options).answers(
                request,
                query,
                trial,
                lambda own: is_enough is not None and is_enough(next(places), observed(own)),
            )
    except FAILURES as error:
        kind, message = failure_kind(error), " ".join(str(error).split())
        if kind == "unsupported":
            raise Unsupported(message) from None
        raise ReferenceFailed(kind, message) from None
    return tuple(map(observed, found))


def _offset(window: AnyWindow, start: int | None, case: Case, dials: Dials) -> int:
    """How much later a window starts than the first that the dials leave open."""
    if isinstance(window, CountWindow):
        return (start or 0) if dials.n0 == "any" else 0
    is_open = dials.t0 == "any" and isinstance(window, SlidingWindow) and start is not None
    return start - case.registered if is_open and start is not None else 0


def in_order(content: Content, query: Query) -> Content:
    """A content in the order in which an engine gave it, with the ties that ORDER BY leaves.

    Only conditions that are columns show ties: a condition that is no column, and those after it,
    tell nothing apart. Without ties if SPARQL does not order the values (SPARQL 1.1, 15.1).
    """
    if not isinstance(content, Rows):
        return content

    def is_shown(key: OrderKey) -> bool:
        return isinstance(key.expression, Variable) and key.expression.name in content.variables

    shown = [*takewhile(is_shown, query.order_by)]
    solutions = [*map(Solution, content.solutions())]
    columns_alone = Expressions(None, lambda exists, mu: False)
    groups = order_by(shown, Counter(solutions), columns_alone)
    if groups is None:
        return content
    places = {mu: place for place, group in enumerate(groups) for mu in group}
    return replace(content, ties=tuple(places[mu] for mu in solutions))


@lru_cache(maxsize=256)
def by_evaluation(dials: Dials) -> Dials:
    """The dials with which `reference` is fed by a clock and stamps answers by evaluations."""
    return dials.with_dials(
        {
            "answer_time": "evaluation",
            "time_tolerance": 0,
            "answers": "evaluations",
            "advances": "clock",
        }
    )


@lru_cache(maxsize=1024)
def _request(case: Case, unit: int, advances: Advances, pacing: str) -> dict[str, Any]:
    dials = Dials(unit=unit)
    return run_request(case, dials, id="case", query_text="", pacing=pacing, advances=advances)
