"""Property paths as joins and unions of steps, for graphs that are bags (SPARQL 1.1, 18.4).

``^p``, ``p/q`` and ``p|q`` are translated as 18.2.2.4 does it, so that the number of ways counts.
``p*``, ``p+`` and ``p?`` are sets of pairs, whatever the number of ways is, and stay as they are:
they are asked of the bag's triples, each once. So over a bag a step counts as often as its triple,
and a repeated path once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from rsp_conformance.model.algebra import Join, Pattern, PatternTerm, TriplePattern, Union
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.terms import IRI

Step = Callable[[TriplePattern], Pattern]
"""What a triple pattern of one step becomes."""


def is_path(triple: TriplePattern) -> bool:
    """Whether the predicate of TRIPLE is a path of more than one IRI or variable."""
    return not isinstance(triple.predicate, (IRI, Variable))


def unfolded(
    triple: TriplePattern, fresh: Callable[[], Variable], step: Step, repeated: Step
) -> Pattern:
    """TRIPLE as joins and unions of what STEP and REPEATED make of its parts.

    FRESH gives new variables for the nodes between two parts.
    """

    def between(start: PatternTerm, path: object, end: PatternTerm) -> Pattern:
        match path:
            case InversePath(inner):
                return between(end, inner, start)
            case SequencePath(left, right):
                middle = fresh()
                return Join(between(start, left, middle), between(middle, right, end))
            case AlternativePath(left, right):
                return Union(between(start, left, end), between(start, right, end))
            case RepeatedPath():
                return repeated(TriplePattern(start, path, end))
            case NegatedPropertySet(forward, backward):
                # !(a|^b) is the sum of both directions (18.2.2.4); without either side of it
                # the other one stands alone.
                sides: list[Pattern] = []
                if forward or not backward:
                    sides.append(step(TriplePattern(start, NegatedPropertySet(forward), end)))
                if backward:
                    sides.append(step(TriplePattern(end, NegatedPropertySet(backward), start)))
                return reduce(Union, sides)
            case IRI():
                return step(TriplePattern(start, path, end))
        raise AssertionError(path)

    return between(triple.subject, triple.predicate, triple.object)
