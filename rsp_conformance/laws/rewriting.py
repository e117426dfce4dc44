"""Laws applied within a pattern: equals may be put in place of equals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rsp_conformance.laws.law import BAGS, Law
from rsp_conformance.model.algebra import (
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    Union,
    Window,
)


def rewritings(law: Law, pattern: Pattern, semantics: str = BAGS) -> Iterator[Pattern]:
    """PATTERN with the left side of LAW replaced by the right one, at one place at a time.

    Places within EXISTS and within subqueries are left alone, and so is a place where the
    condition is not satisfied. A law that needs sets is applied only where SEMANTICS is sets: the
    caller vouches that the whole query is asked with DISTINCT and nothing in between counts.
    """
    binding = law.match(pattern)
    if binding is not None and law.holds_for(binding, semantics):
        yield law.right(binding)
    match pattern:
        case Join(left, right) | LeftJoin(left, right) | Union(left, right) | Minus(left, right):
            yield from (replace(pattern, left=new) for new in rewritings(law, left, semantics))
            yield from (replace(pattern, right=new) for new in rewritings(law, right, semantics))
        case Filter(_, inner) | Extend(inner, _, _) | Graph(_, inner) | Window(_, inner):
            yield from (replace(pattern, pattern=new) for new in rewritings(law, inner, semantics))
