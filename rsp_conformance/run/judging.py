"""From the answers to a trial to its record: the reference model judges, the relation compares.

A test of a case suite is judged by the answers that the suite records, and by nothing else.

Judging reads the answers; only a relation between answers asks the engine a second time before it
calls it wrong. Verdicts are remembered by the content of the answers, so a failing trial is not
judged again when it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.verdict import described, finding_of, unstable, verdict_on
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.relations.judging import TrialVerdict, judge_trial
from rsp_conformance.run.properties import Property, property_named
from rsp_conformance.run.record import Record, Why
from rsp_conformance.run.selection import is_test
from rsp_conformance.run.trials import Drawn
from rsp_conformance.sparql.compare.contents import same_answers
from rsp_conformance.spec.starts import has_one_query
from rsp_conformance.test_suite.judging import judged

Ask = Callable[[Stimulus], Observation]
"""Asks the engine a stimulus a second time."""


class Judging:
    """Judges the trials of a run against one engine.

    Args:
        subject: the engine.
        again: asks it a second time.
    """

    def __init__(self, subject: EngineUnderTest, again: Ask) -> None:
        self._subject = subject
        self._again = again
        self._verdicts: dict[str, Verdict | LimitExceeded | None] = {}
        self._tests: dict[tuple[str, str], bool] = {}
        self._compared: dict[tuple[str, str], TrialVerdict] = {}
        self._properties: dict[str, Property] = {}

    def meet(self, property: Property) -> None:
        """Take note of a property of which other processes may have made records."""
        self._properties[property.name] = property

    def is_test(self, property: Property, drawn: Drawn) -> bool:
        """Return whether a correct engine has something to get wrong in a trial."""
        if property.entry is not None:
            return True
        key = property.name, drawn.trial.digest
        if key not in self._tests:
            single = property.relation is None
            example = drawn.trial.variants[0].case if single else drawn.trial
            self._tests[key] = is_test(property, self._subject, example)
        return self._tests[key]

    def record(
        self,
        property: Property,
        drawn: Drawn,
        observations: tuple[Observation, ...],
        why: Why = "drawn",
    ) -> Record:
        """Judge the answers to a trial, one for each variant.

        Raises:
            EngineBroken: a relation asks again, and the engine can't be asked any more.
        """
        self.meet(property)
        record = Record(
            drawn,
            Outcome.UNSUPPORTED,
            answers=observations,
            correct=(None,) * len(observations),
            is_test=self.is_test(property, drawn),
            why=why,
        )
        refused = next((o.unsupported for o in observations if o.unsupported is not None), None)
        if refused is not None:
            return replace(record, reason=refused)
        if property.entry is not None:
            outcome, kind, reason = judged(property.entry, observations[0])
            return replace(record, outcome=outcome, kind=kind, reason=reason)
        try:
            if property.relation is not None:
                return self._related(property, record)
            return self._alone(property, record)
        except LimitExceeded as error:
            return replace(record, outcome=Outcome.NOT_JUDGED, reason=error.what)
        except KitDisagreement as error:
            return replace(record, outcome=Outcome.DISPUTED, reason=str(error))

    def finding(self, record: Record) -> Finding:
        """Return what is wrong with a record in which the engine is wrong."""
        name = record.property_name
        property = self._properties.get(name) or property_named(name)
        if property.relation is not None:
            found = self._compare(property, record).finding
        elif property.entry is not None:
            found = described(name, self._subject, record.observations[0])
        else:
            found = self._found(property, record.observations)
        assert found is not None, record
        return found

    def knows(self, observation: Observation, verdict: Verdict | None) -> None:
        """Take over a verdict on an observation."""
        self._verdicts[observation.digest] = verdict

    def forget(self) -> None:
        """Forget all verdicts."""
        self._verdicts.clear()
        self._tests.clear()
        self._compared.clear()

    # --- a case, or a case that is asked twice ----------------------------------------------

    def _alone(self, property: Property, record: Record) -> Record:
        verdicts = [self.verdict(own) for own in record.observations]
        correct = tuple(own.correct if own else None for own in verdicts)
        finding = self._found(property, record.observations)
        if finding is not None:
            return replace(record, outcome=finding.outcome, kind=finding.kind, correct=correct)
        is_right = record.is_test and None not in correct
        return replace(
            record, outcome=Outcome.RIGHT if is_right else Outcome.VACUOUS, correct=correct
        )

    def verdict(self, observation: Observation) -> Verdict | None:
        """Return the verdict of the reference model on an answer, judged once.

        Raises:
            LimitExceeded: the evaluation takes more than it may.
        """
        key = observation.digest
        if key not in self._verdicts:
            try:
                self._verdicts[key] = verdict_on(observation)
            except LimitExceeded as error:
                self._verdicts[key] = error
        found = self._verdicts[key]
        if isinstance(found, LimitExceeded):
            raise found
        return found

    def _found(self, property: Property, seen: Sequence[Observation]) -> Finding | None:
        """The finding on a case, or on one of two runs of it; None if nothing is wrong.

        Two runs may differ and both be right: answers of several stamps come in any order, and some
        at the end may or may not come (decisions 21 and 22). If several t0 are legal, an engine may
        also choose another t0 in the second run, and be wrong from there. Under one t0 two wrong
        runs must be the same.
        """
        verdicts = [self.verdict(own) for own in seen]
        found = [
            finding_of(property.name, self._subject, own, verdict)
            for own, verdict in zip(seen, verdicts, strict=True)
        ]
        if len(seen) == 1 or seen[1].failure or verdicts[0] is None or not differs(*seen):
            return next(filter(None, found), None)
        (first, second), (wrong, other) = seen, found
        if wrong is None:
            return other and unstable(other, first)
        if other is not None and not has_one_query(first.stimulus.case, first.dials):
            return wrong
        return unstable(wrong, second)

    # --- a relation between answers ----------------------------------------------------------

    def _related(self, property: Property, record: Record) -> Record:
        found = self._compare(property, record)
        kind = "" if found.finding is None else found.finding.kind
        return replace(
            record, outcome=found.outcome, kind=kind, reason=found.reason, ground=found.ground
        )

    def _compare(self, property: Property, record: Record) -> TrialVerdict:
        assert property.relation is not None
        answers = "".join(own.digest for own in record.observations)
        key = property.name, answers
        if key not in self._compared:
            trial = record.drawn.trial
            self._compared[key] = judge_trial(
                property.relation, trial, record.observations, self._subject, self._again
            )
        return self._compared[key]


def differs(one: Observation, other: Observation) -> bool:
    """Return whether two observations on one stimulus gave different answers."""
    if one.failure or other.failure or one.unsupported or other.unsupported:
        kinds = [(o.failure.kind if o.failure else None, bool(o.unsupported)) for o in (one, other)]
        return kinds[0] != kinds[1]
    return not same_answers(one.observed, other.observed, one.dials.numbers)
