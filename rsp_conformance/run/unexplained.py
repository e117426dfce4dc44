"""Failures that are shown, and that no cause explains: records that differ alike count as the same.

A record is *like* such a failure if it differs in the same way and has at least the features of its
query; if it is wrong in the same computed columns alone; or if it fails in the same property in the
same kind, and is not about the property's subject.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from rsp_conformance.diagnosis.cause import UNEXPLAINED
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.fingerprint import fingerprint, wrong_operators
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.usage import query_features
from rsp_conformance.run.record import Record
from rsp_conformance.run.selection import is_about


@dataclass(frozen=True, slots=True)
class Group:
    """A failure that is shown for all that are like it.

    Attributes:
        record: its small trial.
        print: the id of its cause, by its fingerprint.
        operators: the operators of its wrong columns, if nothing else is wrong.
    """

    record: Record
    print: str
    operators: frozenset[str] = frozenset()


class Unexplained:
    """The failures without a cause of one run.

    Args:
        subject: the engine.

    Attributes:
        groups: these failures, each with those that are like it.
    """

    def __init__(self, subject: EngineUnderTest) -> None:
        self.groups: list[Group] = []
        self._subject = subject

    def add(self, record: Record, finding: Finding) -> None:
        """Take note of a failure that is shown."""
        operators = wrong_operators(Symptom.of(finding))
        self.groups.append(Group(record, print_of(finding), operators))

    def keep(self, is_unexplained: Callable[[Record], bool]) -> None:
        """Drop those that a cause explains by now."""
        self.groups = [own for own in self.groups if is_unexplained(own.record)]

    def kind(self, id: str) -> str:
        """Return the kind of a failure by its fingerprint; empty if none has that."""
        return {own.print: own.record.kind for own in self.groups}.get(id, "")

    @property
    def wrong(self) -> int:
        """The number of failures that are not wrong in values alone."""
        return sum(not own.operators for own in self.groups)

    @property
    def operators(self) -> list[frozenset[str]]:
        """The operators of each failure that is wrong in values alone."""
        return [own.operators for own in self.groups if own.operators]

    def like(self, own: Record, values: Collection[frozenset[str]]) -> str:
        """Return the fingerprint of the failure that a record is like; empty if there is none.

        Args:
            own: the record.
            values: those operators of these failures that compute all that is wrong in it.
        """
        for other in self.groups:
            alike = other.operators in values if other.operators else is_like(own, other.record)
            if alike or self._is_beside(own, other.record):
                return other.print
        return ""

    def _is_beside(self, own: Record, other: Record) -> bool:
        """Whether a record fails like another of its property, and is not about the subject."""
        same = own.property_name == other.property_name and own.kind == other.kind
        return same and is_about(other, self._subject) and not is_about(own, self._subject)


def is_like(own: Record, other: Record) -> bool:
    """Return whether a record differs like a shrunk one, and has at least its query's features.

    Answers to several variants differ from each other in a way of their property's own.
    """
    if own.kind != other.kind or not other.observations:
        return False
    if len(other.observations) > 1 and own.property_name == other.property_name:
        return True
    less = query_features(other.drawn.trial.variants[0].case.query)
    return less <= query_features(own.drawn.trial.variants[0].case.query)


def print_of(finding: Finding) -> str:
    """Return the id of a cause that is known by the fingerprint of a failure."""
    return UNEXPLAINED + fingerprint(Symptom.of(finding)).id
