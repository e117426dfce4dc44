"""A finding: a case on which an engine failed, with everything that a failure report needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.trial import Variant
from rsp_conformance.model.verdict import Verdict

CONTRADICTION: Final = "contradiction"
"""The kind of failure if answers contradict each other."""

AT_START: Final = "(at its start) "
"""The beginning of a line of standard error that a driver wrote before its first case."""


def last_lines(*several: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of standard error to show for several runs of a driver.

    They are those of the first run that wrote something of its own; if there is none, those that
    the driver wrote at its start.

    Args:
        several: for each run, the last lines of standard error.
    """
    written = [lines for lines in several if lines]
    return min(written, key=lambda lines: lines[0].startswith(AT_START), default=())


@dataclass(frozen=True, slots=True)
class EngineFailure:
    """A failure of an engine that leaves no answer to judge.

    Attributes:
        kind: one of the protocol's kinds (``rejected``, ``crashed``, ``died``, ``timeout``,
            ``protocol-error``, ``too many rows``), or ``unstable``: two runs of one case differ.
        message: the failure in words.
        element: the position of the element that the engine rejected.
        stderr: the last lines of the driver's standard error, which make no other failure.
    """

    kind: str
    message: str
    element: int | None = None
    stderr: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class LibraryReading:
    """A point of SPARQL on which a library agrees with the engine, and both disagree with the text.

    Attributes:
        library: the library's name.
        section: the section of SPARQL 1.1 that decides the point.
        says: what this section says, as a clause.
    """

    library: str
    section: str
    says: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The contradiction between two or more answers, which cannot all be right.

    Attributes:
        t: the instant of the first difference, in the time of the first case; None if no single
            instant shows it.
        says: the argument, in one or two sentences.
    """

    t: int | Fraction | None
    says: str


@dataclass(frozen=True, slots=True)
class FollowUpCase:
    """One of the cases whose answers contradict each other.

    Attributes:
        variant: what the engine was asked.
        query_text: the query as it was sent.
        observed: the engine's answers.
        verdict: the verdict of the reference model; None if it does not judge the case.
    """

    variant: Variant
    query_text: str
    observed: tuple[Observed, ...] = ()
    verdict: Verdict | None = None

    @property
    def label(self) -> str:
        """How this case was made from the first case."""
        return self.variant.label

    @property
    def case(self) -> Case:
        """The case."""
        return self.variant.case


@dataclass(frozen=True, slots=True)
class RelationViolation:
    """A violated metamorphic test: its cases, and the contradiction between their answers.

    Attributes:
        statement: what the answers must have in common, in one sentence.
        source: the definition that the relation follows from.
        cases: the cases; the others were made from the first.
        contradiction: what the answers show instead.
    """

    statement: str
    source: str
    cases: tuple[FollowUpCase, ...]
    contradiction: Contradiction


@dataclass(frozen=True, slots=True)
class Finding:
    """A failed case, or several cases whose answers contradict each other.

    Exactly one of ``verdict``, ``failure`` and ``violation`` is set.

    Attributes:
        property_name: the property that the case was generated for.
        engine: the engine's name.
        version: the engine's version.
        profile: the engine profile that the answers were checked against.
        dials: the dials of this profile for the query.
        case: the case; of several, the first.
        pacing: ``burst`` or ``settled``.
        query_text: the query as it was sent, in the engine's language.
        observed: the engine's answers.
        verdict: the verdict, if an answer is wrong.
        failure: the failure, if there is no answer to judge.
        again: the answers of the second run, if the failure is ``unstable``.
        violation: the contradiction, if answers of several cases contradict each other.
        reading: why a library gives the same wrong rows, if a library does.
        stderr: the driver's last lines on standard error.
        number: the number of the search that found it, counted per property. A search looks for
            failures that the searches before it did not find.
        known: the ids of known causes that also affect the case but do not explain it.
    """

    property_name: str
    engine: str
    version: str
    profile: Profile
    dials: Dials
    case: Case
    pacing: str
    query_text: str
    observed: tuple[Observed, ...] = ()
    verdict: Verdict | None = None
    failure: EngineFailure | None = None
    again: tuple[Observed, ...] = ()
    violation: RelationViolation | None = None
    reading: LibraryReading | None = None
    stderr: tuple[str, ...] = ()
    number: int = 1
    known: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """The outcome of its trial. A failure without an answer is no wrong answer."""
        is_wrong = self.failure is None or self.kind == "unstable"
        return Outcome.WRONG if is_wrong else Outcome.FAILED

    @property
    def kind(self) -> str:
        """The kind of failure, as it is called in failure classes and crash files."""
        if self.violation is not None:
            return CONTRADICTION
        if self.failure is not None:
            return self.failure.kind
        if self.verdict is None or self.verdict.divergence is None:
            return "wrong answer"
        return self.verdict.divergence.kind.value


@dataclass(frozen=True, slots=True)
class Shown:
    """A failure that is shown: shrunk, confirmed and written down.

    Attributes:
        finding: the failure.
        confirmed: who confirmed it and how often it came again, in one sentence.
        file: its crash file.
    """

    finding: Finding
    confirmed: str
    file: str = ""
