"""Laws applied within a pattern: equals may be put in place of equals."""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.laws.law import BAGS, Law
from rsp_conformance.model.algebra import Pattern, SubSelect
from rsp_conformance.model.walk import children, with_children


def rewritings(law: Law, pattern: Pattern, semantics: str = BAGS) -> Iterator[Pattern]:
    """PATTERN with the left side of LAW replaced by the right one, at one place at a time.

    Places within EXISTS and within subqueries are left alone, and so is a place where the
    condition is not satisfied. A law that needs sets is applied only where SEMANTICS is sets: the
    caller vouches that the whole query is asked with DISTINCT and nothing in between counts.
    """
    binding = law.match(pattern)
    if binding is not None and law.holds_for(binding, semantics):
        yield law.right(binding)
    if isinstance(pattern, SubSelect):
        return
    operands = children(pattern)
    for place, operand in enumerate(operands):
        for new in rewritings(law, operand, semantics):
            yield with_children(pattern, (*operands[:place], new, *operands[place + 1 :]))
