"""Random queries around random patterns: paths within, groups and solution modifiers around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from hypothesis import strategies as st

from rsp_conformance.model.algebra import BGP, Pattern, TriplePattern
from rsp_conformance.model.expressions import Aggregate, Exists, Expression, Operation, Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    PathElement,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import in_scope
from tests.builders.terms import integer
from tests.generators.patterns import PREDICATES

AGGREGATES = ("COUNT", "SUM", "AVG", "MIN", "MAX", "SAMPLE", "GROUP_CONCAT")

_sets = st.sampled_from([(), PREDICATES[:1], PREDICATES[1:], PREDICATES])
_negated = st.builds(NegatedPropertySet, _sets, _sets).filter(lambda s: s.forward or s.backward)
paths: st.SearchStrategy[PathElement] = st.recursive(
    st.sampled_from(PREDICATES) | st.sampled_from(PREDICATES) | _negated,
    lambda inner: st.one_of(
        st.builds(InversePath, inner),
        st.builds(SequencePath, inner, inner),
        st.builds(AlternativePath, inner, inner),
        st.builds(RepeatedPath, inner, st.sampled_from("*+?")),
    ),
    max_leaves=4,
)


@st.composite
def with_paths(draw: st.DrawFn, pattern: Pattern) -> Pattern:
    """PATTERN with paths in some places of its properties."""

    def changed(part: Any) -> Any:
        if isinstance(part, BGP) and draw(st.booleans()):
            return BGP(tuple(replace(t, predicate=_or_path(draw, t)) for t in part.triples))
        if isinstance(part, tuple):
            return tuple(changed(member) for member in part)
        if not is_dataclass(part) or isinstance(part, type):
            return part
        return replace(part, **{f.name: changed(getattr(part, f.name)) for f in fields(part)})

    found: Pattern = changed(pattern)
    return found


def _or_path(draw: st.DrawFn, triple: TriplePattern) -> Any:
    # A path from what a blank node of the pattern stands for is one from a variable.
    return draw(paths) if isinstance(triple.predicate, IRI) else triple.predicate


@st.composite
def queries(draw: st.DrawFn, pattern: Pattern, tests: Callable[[], Pattern] | None = None) -> Query:
    """PATTERN under a form and modifiers, with groups or without; TESTS are patterns of EXISTS."""
    scope = [Variable(name) for name in in_scope(pattern)]
    if not scope or not draw(st.integers(0, 4)):
        return Query(pattern, form=draw(st.sampled_from([Form.SELECT, Form.ASK])))
    some = st.sampled_from(scope)
    chosen = draw(st.lists(some, min_size=1, max_size=3, unique=True))
    computed: st.SearchStrategy[Expression] = st.one_of(
        st.builds(lambda v: Operation("+", (v, integer(1))), some),
        st.builds(lambda v, w: Operation("COALESCE", (Operation("-", (v, w)), w)), some, some),
    )
    if tests is not None:
        computed |= st.builds(lambda e: Exists(tests(), e), st.booleans())
    if draw(st.booleans()):
        defined = [Projection(Variable("n"), draw(computed))] if draw(st.booleans()) else []
        query = Query(pattern, projection=(*map(Projection, chosen), *defined))
        keys: list[Expression] = [*scope, draw(computed)]
    else:
        star = st.builds(Aggregate, st.just("COUNT"), st.none(), st.booleans())
        of_values = st.builds(
            Aggregate, st.sampled_from(AGGREGATES), some | computed, st.booleans()
        )
        value = draw(star | of_values)
        names = [Projection(name) for name in chosen]
        groups = [GroupKey(name) for name in chosen[: draw(st.integers(1, len(chosen)))]]
        if draw(st.booleans()):
            groups.append(GroupKey(draw(computed), Variable("k")))
        query = Query(
            pattern,
            projection=(*names, Projection(Variable("n"), value)),
            group_by=tuple(groups) if draw(st.integers(0, 4)) else None,
            having=draw(st.sampled_from([(), (Operation(">", (value, integer(1))),)])),
        )
        keys = [*chosen, Variable("n"), value, Operation("+", (Variable("n"), integer(1)))]
    order = draw(st.lists(st.builds(OrderKey, st.sampled_from(keys), st.booleans()), max_size=2))
    return replace(
        query,
        order_by=tuple(order),
        distinct=draw(st.booleans()),
        reduced=not draw(st.integers(0, 9)),
        limit=draw(st.none() | st.integers(0, 3)),
        offset=draw(st.none() | st.integers(0, 2)),
    )
