"""What an engine answers to one stimulus."""

from __future__ import annotations

from dataclasses import dataclass, field

from rsp_conformance.model.answers import Observed, Truth, is_empty
from rsp_conformance.model.cached_hash import CachedHash
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.digest import Digested
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.trial import Stimulus


@dataclass(frozen=True, slots=True)
class Observation(Digested):
    """What an engine made of a stimulus.

    ``unsupported`` says why the engine does not do this, or why its language has no such query (it
    was not asked, and ``query_text`` is empty); ``failure`` why there is no answer to
    judge; else ``observed`` is the whole answer. ``dials`` are those of the profile for this query,
    ``stderr`` the driver's last lines on standard error, which make no other observation.
    """

    stimulus: Stimulus
    dials: Dials
    query_text: str
    observed: tuple[Observed, ...] = ()
    failure: EngineFailure | None = None
    unsupported: str | None = None
    stderr: tuple[str, ...] = field(default=(), compare=False)

    __hash__ = CachedHash.__hash__

    @property
    def size(self) -> tuple[int, int]:
        """By what cases are ordered, the ones to read first: elements, length of the query."""
        return len(self.stimulus.case.elements), len(self.query_text)

    @property
    def is_answered(self) -> bool:
        """Whether there is a whole answer, which may be judged."""
        return self.failure is None and self.unsupported is None

    @property
    def speaks(self) -> bool:
        """Whether the answer has any content."""
        return any(not is_empty(answer.content) for answer in self.observed)

    @property
    def has_rows(self) -> bool:
        """Whether the answer has any row or triple; an ASK's has none."""
        contents = (answer.content for answer in self.observed)
        return any(not isinstance(own, Truth) and len(own) > 0 for own in contents)
