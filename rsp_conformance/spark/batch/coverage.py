"""What the plan refuses by name, before anything is evaluated."""

from __future__ import annotations

from rsp_conformance.model.algebra import Window
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import mixes_closing
from rsp_conformance.model.walk import subpatterns
from rsp_conformance.sparql.coverage import refuse


def check(case: Case, dials: Dials) -> None:
    """Raise Unsupported where the evaluator or the profile does not take the query."""
    query = case.query
    refuse(query)
    if query.operator is not None and query.operator.letter not in dials.stream_operators:
        raise Unsupported(f"{query.operator.value} under this profile")
    if dials.windows_in == "default" and any(
        isinstance(part, Window) for part in subpatterns(query.pattern)
    ):
        raise Unsupported("WINDOW under a profile that merges windows into the default graph")


def not_judged(case: Case, dials: Dials) -> Unsupported | None:
    """Why answers to CASE are not judged under DIALS, though they can be had; None if they are."""
    policy_is_the_profiles = case.query.computed_every is None
    if dials.answer_time == "arrival" and policy_is_the_profiles and mixes_closing(dials.report):
        return Unsupported("arrivals under a report policy that mixes WC with other strategies")
    return None
