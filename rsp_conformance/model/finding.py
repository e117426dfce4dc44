"""A finding: one case on which an engine failed, with everything needed to argue it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.verdict import Verdict

CONTRADICTION: Final = "contradiction"
"""The kind of failure of answers that contradict each other."""

AT_START: Final = "(at its start) "
"""So begins a line of standard error that a driver wrote before its first case."""


def last_lines(*several: tuple[str, ...]) -> tuple[str, ...]:
    """What SEVERAL runs have left on standard error: the first that wrote something of its own.

    Else what the driver wrote at its start.
    """
    written = [lines for lines in several if lines]
    return min(written, key=lambda lines: lines[0].startswith(AT_START), default=())


@dataclass(frozen=True, slots=True)
class EngineFailure:
    """An engine that gave no answer to judge.

    ``kind`` is one of the protocol's (``rejected``, ``crashed``, ``died``, ``timeout``,
    ``protocol-error``, ``too many rows``) or ``unstable`` (two runs of one case differ);
    ``element`` is the position of a rejected element; ``stderr`` are the last lines of the driver's
    standard error.
    """

    kind: str
    message: str
    element: int | None = None
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LibraryReading:
    """A point of SPARQL that a library reads as the engine does, and the text does not.

    ``library`` is its name, ``section`` the section of SPARQL 1.1 that decides, ``says`` what the
    section says, as a clause.
    """

    library: str
    section: str
    says: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two or more answers of one engine that cannot all be right.

    ``t`` is the instant at which they part, in the time of the first of them, None where no one
    instant shows it. ``says`` argues it in one or two sentences.
    """

    t: int | Fraction | None
    says: str


@dataclass(frozen=True, slots=True)
class FollowUpCase:
    """One of the cases whose answers contradict each other.

    ``label`` says what was done to the first one. ``follows`` and ``scale`` say which of its
    windows start together with those of the first, and what its instants are multiplied by.
    ``verdict`` is the specification's, None where it does not judge the case. ``second`` was asked
    of the other one of two engines.
    """

    label: str
    case: Case
    query_text: str
    pacing: str = "burst"
    observed: tuple[Observed, ...] = ()
    verdict: Verdict | None = None
    unit: int | None = None
    follows: tuple[int, ...] | None = None
    scale: int = 1
    second: bool = False


@dataclass(frozen=True, slots=True)
class RelationViolation:
    """The cases behind a contradiction, with the relation that they contradict.

    ``statement`` is the relation in one sentence.
    """

    statement: str
    source: str
    cases: tuple[FollowUpCase, ...]
    contradiction: Contradiction


@dataclass(frozen=True, slots=True)
class Finding:
    """A failed case, or several that contradict each other.

    Exactly one of ``verdict`` (a wrong answer), ``failure`` (no answer) and ``violation`` (answers
    that contradict each other, the first of which is here) is set. ``query_text`` is the query as
    it was sent, in the engine's language; ``observed`` what came back; ``again`` what came back the
    second time, where the failure is ``unstable``. ``reading`` is why a library gives the same
    wrong rows, where one does; ``stderr`` are the driver's last lines on standard error.
    ``number`` is that of the property's round that came to it: each looks behind those before.
    ``known`` are the ids of the known causes that show in the case as well, and do not explain it.
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
    def kind(self) -> str:
        """The kind of failure, as failure classes and crash files name it."""
        if self.violation is not None:
            return CONTRADICTION
        if self.failure is not None:
            return self.failure.kind
        if self.verdict is None or self.verdict.divergence is None:
            return "wrong answer"
        return self.verdict.divergence.kind.value
