"""A finding: one case on which an engine failed, with everything needed to argue it."""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class EngineFailure:
    """An engine that gave no answer to judge.

    ``kind`` is one of the protocol's (``rejected``, ``crashed``, ``died``, ``timeout``,
    ``protocol-error``) or ``unstable`` (two runs of one case differ); ``element`` is the position
    of a rejected element; ``stderr`` are the last lines of the driver's standard error.
    """

    kind: str
    message: str
    element: int | None = None
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A failed case.

    Exactly one of ``verdict`` (a wrong answer) and ``failure`` (no answer) is set. ``query_text``
    is the query as it was sent, in the engine's language; ``observed`` what came back; ``again``
    what came back the second time, where the failure is ``unstable``.
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

    @property
    def kind(self) -> str:
        """The kind of failure, as failure classes and crash files name it."""
        if self.failure is not None:
            return self.failure.kind
        if self.verdict is None or self.verdict.divergence is None:
            return "wrong answer"
        return self.verdict.divergence.kind.value
