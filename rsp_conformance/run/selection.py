"""Whether a property has cases for an engine, and which."""

from __future__ import annotations

from hypothesis.strategies import SearchStrategy

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.vacuity import answers_expected_always, is_vacuous
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.trial import Trial
from rsp_conformance.model.usage import case_features, query_shapes
from rsp_conformance.run.outcome import BURN_IN
from rsp_conformance.run.properties import Property, property_named
from rsp_conformance.run.record import Record
from rsp_conformance.strategies import applicable, cases
from rsp_conformance.strategies.focus import focus_named
from rsp_conformance.test_suite.judging import not_for


def not_applicable(property: Property, subject: EngineUnderTest) -> str | None:
    """Say why a property means nothing for an engine; None if it applies."""
    if property.name == BURN_IN:
        return "its trials are stretches of one long stream: rsp-conformance burnin"
    if property.relation is not None:
        return property.relation.not_applicable(subject)
    if property.entry is not None:
        return not_for(property.entry, subject) or None
    able = applicable(property.focus, subject.features, subject.profile)
    if isinstance(able, str):
        return able
    base = subject.profile.base
    turned = [dict(override.dials) for override in subject.profile.overrides]
    used = [base, *(base.with_dials(dials) for dials in turned if "report" in dials)]
    if property.policies and not any(mentions(d.report, *property.policies) for d in used):
        return f"the profile's report policy does not use {' or '.join(property.policies)}"
    return None


def strategy_of(property: Property, subject: EngineUnderTest) -> SearchStrategy[Case | Trial]:
    """The strategy that draws the cases or trials of a property for an engine."""
    if property.relation is not None:
        return property.relation.trials(subject)
    return cases(subject.features, subject.profile, focus=property.focus)


def is_about(own: Record, subject: EngineUnderTest) -> bool:
    """Whether a record's case has the subject of its property, such as several windows.

    A trial of a relation always has.
    """
    property = property_named(own.property_name)
    about = focus_named(property.focus).about if property.relation is None else frozenset()
    if not about:
        return True
    case = own.drawn.trial.variants[0].case
    return not about.isdisjoint(
        case_features(case) | query_shapes(case.query, subject.profile.base)
    )


def is_test(property: Property, subject: EngineUnderTest, case: Case | Trial) -> bool:
    """Whether a case is a test of a property: it is not vacuous (``judge.vacuity``).

    A trial counts by the engine's actual answers and not by those that it might have given, so rows
    must be expected from every start. A trial whose first variant the reference model does not
    judge may be a test all the same.
    """
    if isinstance(case, Trial):
        first = case.variants[0].stimulus
        try:
            return answers_expected_always(first.case, subject.dials_of(first))
        except (Unsupported, LimitExceeded, ValueError):
            return True
    return not is_vacuous(case, subject.dials(case), property.needs)
