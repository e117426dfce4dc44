"""A prefix of the stream gives a prefix of the answer: no engine knows the future."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest, Observation
from rsp_conformance.metamorphic.conditions import by_declaration, stamped
from rsp_conformance.metamorphic.drawing import cases, changed, pair, trials
from rsp_conformance.metamorphic.first_difference import first_difference
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.trial import Trial
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.strategies.draws import pick


class Prefix(MetamorphicRelation):
    """The case cut after an instant c, elements and ``until`` alike.

    Every answer with an instant up to c depends on elements up to c alone. Where answers carry the
    arrival that set them off, those of c itself wait in the cut case for arrivals that never come,
    so only the ones before c are compared.
    """

    name = "prefix"
    title = "a prefix of the stream gives a prefix of the answer"
    statement = (
        "What an engine answers up to an instant depends on nothing that comes after it: cut the "
        "streams there, and the answers up to it stay the same."
    )
    source = "RSP-QL Def. 11, 23"
    conditions = (stamped, by_declaration)

    def trials(self, subject: EngineUnderTest) -> st.SearchStrategy[Trial]:
        """A case, and the same case cut."""
        drawn = cases(subject)

        def make(draw: st.DrawFn) -> Trial:
            back = pick(draw, (1, 2, 3, 4, 5, 6))
            case = drawn(draw)
            return pair(case, cut(case, back), "without what comes later")

        return trials(make)

    def contradiction(
        self, trial: Trial, observations: Sequence[Observation]
    ) -> Contradiction | None:
        """Where the answers up to the cut differ."""
        end = trial.variants[1].case.until
        labels = ("the whole stream", f"the stream until {end}")
        return first_difference(
            observations, labels, between=(None, last_compared(end, observations[0].dials))
        )


def cut(case: Case, back: int) -> Case:
    """CASE until the instant of the element that is the BACKth from its end, or nearly so."""
    instants = sorted({element.t for element in case.elements})
    end = instants[-min(back, len(instants))] if instants else case.registered
    elements = tuple(element for element in case.elements if element.t <= end)
    return changed(case, elements=elements, until=end)


def last_compared(end: int, dials: Dials) -> int:
    """The last stamp that is the same in a case until END and in a longer one."""
    return end if dials.answer_time == "evaluation" else end - 1
