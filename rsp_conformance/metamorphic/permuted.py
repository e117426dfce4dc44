"""Contemporaneous elements in another order (SECRET: tick by time)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.metamorphic.conditions import tested_once
from rsp_conformance.metamorphic.drawing import BURSTS, cases, changed, pair, trials
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.strategies.draws import pick


def _text(element: StreamElement) -> str:
    return repr(element.graph)


ORDERS: dict[str, Callable[[list[StreamElement]], list[StreamElement]]] = {
    "reversed": lambda members: members[::-1],
    "rotated": lambda members: [*members[1:], members[0]],
    "sorted": lambda members: sorted(members, key=_text),
    "sorted backwards": lambda members: sorted(members, key=_text, reverse=True),
}
"""What may be done to the elements of an instant."""


def _together(dials: Dials) -> str | None:
    return None if tested_once(dials) else "the profile evaluates after each element (tick tuple)"


class Permuted(MetamorphicRelation):
    """The elements of each instant, those of all streams together, in another order.

    Where the policy is tested once an instant, after its last element, all of them have entered by
    then; contents are sets or bags, which have no order.
    """

    name = "permuted"
    title = "elements of one instant in another order"
    statement = (
        "All elements of an instant enter together, so the order in which they are handed over "
        "changes no answer."
    )
    source = "SECRET tick, RSP-QL Def. 11"
    conditions = (_together,)
    labels = ("the case", "the same case permuted")

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """A case with contemporaneous elements, and the same case with them turned around."""
        drawn = cases(subject, BURSTS)

        def make(draw: st.DrawFn) -> Trial:
            how = pick(draw, tuple(ORDERS))
            case = drawn(draw)
            other = permuted(case, how)
            assume(other.elements != case.elements)
            return pair(case, other, f"the elements of each instant {how}")

        return trials(make)


def permuted(case: Case, how: str) -> Case:
    """CASE with the elements of each instant in another of ORDERS."""
    elements: list[StreamElement] = []
    for _, group in groupby(case.elements, key=lambda element: element.t):
        elements += ORDERS[how](list(group))
    return changed(case, elements=tuple(elements))
