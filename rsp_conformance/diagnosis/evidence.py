"""The evidence of a run: the engine's answers to its cases, and its failures, shrunk.

Plain values, so that they can travel between processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from rsp_conformance.explain.evidence.differences import count, difference
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Content, Rows, Triples, Truth, is_empty
from rsp_conformance.model.dials import Numbers
from rsp_conformance.model.finding import EngineFailure, Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.query import Form
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Kind, Verdict

FORMS: Final = {
    Form.SELECT: (Rows, "rows"),
    Form.ASK: (Truth, "a truth value"),
    Form.CONSTRUCT: (Triples, "triples"),
}
"""The class and the name of the answers to a query of each form (SPARQL 1.1, 16)."""


def wrong_form(observation: Observation) -> str:
    """Say what came in place of an answer of the query's form; empty if nothing did.

    Such an answer says nothing about the semantics of the query.
    """
    form = observation.stimulus.case.query.form
    expected, name = FORMS.get(form, (object, ""))
    for answer in observation.observed:
        if not isinstance(answer.content, expected) and not is_empty(answer.content):
            came = next(said for kind, said in FORMS.values() if isinstance(answer.content, kind))
            return f"{came} came to {form.value}, and not {name}"
    return ""


@dataclass(frozen=True, slots=True)
class Symptom:
    """A failure of a property, shrunk and confirmed.

    Attributes:
        property_name: the property.
        kind: the kind of failure.
        observations: its cases with their answers: one, or those that contradict each other.
        failure: what the engine said in place of an answer.
        difference: how the answer differs from the expected one, in words.
        file: the crash file; may be empty.
        focus: the focus of the strategies that the case was drawn from; may be empty.
    """

    property_name: str
    kind: str
    observations: tuple[Observation, ...]
    failure: EngineFailure | None = None
    difference: str = ""
    file: str = ""
    focus: str = ""

    @classmethod
    def of(cls, finding: Finding, *, file: str = "", focus: str = "") -> Symptom:
        """Return a finding as a symptom.

        Args:
            finding: the finding.
            file: its crash file, if there is one.
            focus: the focus that its case was drawn from, if it was.
        """
        return cls(
            finding.property_name,
            finding.kind,
            tuple(_observations(finding)),
            finding.failure,
            _difference(finding),
            file,
            focus,
        )

    @property
    def elements(self) -> int:
        """The number of stream elements of its first case."""
        return self.observations[0].size[0]

    @property
    def is_answered(self) -> bool:
        """Whether there are whole answers, all of one engine, that a setting may predict."""
        return not any(o.failure or o.stimulus.second for o in self.observations)

    @property
    def wrong_form(self) -> str:
        """The form that came in place of the query's, in words; empty if its form is right."""
        return next(filter(None, map(wrong_form, self.observations)), "")

    @property
    def is_judged(self) -> bool:
        """Whether it is a wrong answer, and not a missing answer or two runs that differ."""
        return self.is_answered and self.failure is None


@dataclass(frozen=True, slots=True)
class Answered:
    """An observation of a run.

    Attributes:
        observation: the observation.
        correct: whether it is right by the reference model; None without a verdict.
        property_name: the property that asked for it first.
        is_explained: whether causes that the run has found explain it.
    """

    observation: Observation
    correct: bool | None = None
    property_name: str = ""
    is_explained: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a run has seen: its failures, and every whole answer, right or wrong."""

    symptoms: tuple[Symptom, ...] = ()
    answered: tuple[Answered, ...] = ()

    @classmethod
    def of(cls, symptoms: Iterable[Symptom], answered: Iterable[Answered]) -> Evidence:
        """Return the evidence about one engine, small cases first.

        Observations without an answer are left out, and so is the second of two engines: its
        answers are no evidence about the first.

        Args:
            symptoms: the failures.
            answered: the answers.
        """
        whole: dict[Stimulus, Answered] = {}
        for own in answered:
            observation = own.observation
            if observation.is_answered and not observation.stimulus.second:
                whole.setdefault(observation.stimulus, own)
        ordered = sorted(whole.values(), key=lambda own: own.observation.size)
        return cls(tuple(symptoms), tuple(ordered))

    @property
    def has_rows(self) -> bool:
        """Whether the engine has ever given a row, or another form of answer in place of rows."""
        shrunk = (own for symptom in self.symptoms for own in symptom.observations)
        answered = chain((a.observation for a in self.answered), shrunk)
        return any(own.has_rows or wrong_form(own) for own in answered)


def _observations(finding: Finding) -> Iterator[Observation]:
    if finding.violation is None:
        stimulus = Stimulus(finding.case, finding.pacing)
        failure, text = finding.failure, finding.query_text
        if finding.kind == "unstable" and finding.again:
            # Two whole answers; a bug that leaves something open may predict both.
            for observed in (finding.observed, finding.again):
                yield Observation(stimulus, finding.dials, text, observed)
            return
        yield Observation(stimulus, finding.dials, text, finding.observed, failure)
        return
    for asked in finding.violation.cases:
        dials = finding.profile.dials(asked.case.query)
        stimulus = asked.variant.stimulus
        if stimulus.unit is not None:
            dials = replace(dials, unit=stimulus.unit)
        yield Observation(stimulus, dials, asked.query_text, asked.observed)


def _difference(finding: Finding) -> str:
    """How an answer first differs from the expected one, without what differs from case to case.

    For answers that contradict each other: the relation, and how the first wrong one differs.
    """
    violation = finding.violation
    if violation is None:
        return _first_difference(finding.verdict, finding.dials.numbers)
    numbers = finding.dials.numbers
    wrong = (_first_difference(asked.verdict, numbers) for asked in violation.cases)
    return ": ".join([violation.statement.rstrip("."), *islice(filter(None, wrong), 1)])


def _first_difference(verdict: Verdict | None, numbers: Numbers) -> str:
    """The expected and the received answer at the first difference; empty for a right answer."""
    divergence = verdict.divergence if verdict else None
    if divergence is None:
        return ""
    expected = None if divergence.expected is None else divergence.expected.content
    came = None if divergence.observed is None else divergence.observed.content
    expected = None if expected is None or is_empty(expected) else expected
    came = None if came is None or is_empty(came) else came
    if divergence.kind is Kind.ROWS and expected is not None and came is not None:
        return _how_rows_differ(expected, came, numbers)
    return "{} due, {} came".format(*("rows" if own else "nothing" for own in (expected, came)))


def _how_rows_differ(expected: Content, came: Content, numbers: Numbers) -> str:
    """How received rows differ from the expected: losing rows is another bug than doubling."""
    if isinstance(expected, Truth) or type(expected) is not type(came):
        texts = (str(c.value).lower() if isinstance(c, Truth) else "rows" for c in (expected, came))
        return "{} due, {} came".format(*texts)
    try:
        with limited():
            found = difference(expected, came, numbers)
            lost, added = (*found.missing, *found.changed), (*found.extra, *found.changed)
            if lost and added:
                return "other rows came"
            if lost:
                often = all(count(row, came, numbers) for row in found.missing)
                return "rows due came too seldom" if often else "rows due did not come"
            if added:
                often = all(count(row, expected, numbers) for row in found.extra)
                return "rows due came too often" if often else "rows came that are not due"
    except LimitExceeded:
        return "rows due, rows came"
    return "rows came with other blank nodes"
