"""The entries of a ledger as lines of JSON, and the work on a property as a worker sends it.

A campaign keeps records of their own by the same codec, in a column of its tables.

A record holds the bytes of its trial and the answers. The trial and the observations are made from
them when they are asked for, by the same strategy in the other process.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Final, TypeAlias

from rsp_conformance.files.answers import STORED_ANSWERS
from rsp_conformance.files.codec import Format, Keys, Text, Via
from rsp_conformance.judge.crash_file import CRASHES, FollowUpJson
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import Trial
from rsp_conformance.run.events import Event
from rsp_conformance.run.properties import Named, Property, property_named
from rsp_conformance.run.record import Record, Why
from rsp_conformance.run.trials import Drawn, FromBytes, from_bytes
from rsp_conformance.run.work import Begun, Withdrawn, Work


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerJson:
    """The answer of an engine to one variant of a trial."""

    query: str = ""
    """The query as it was sent."""
    answers: tuple[Observed, ...] = ()
    failure: EngineFailure | None = None
    unsupported: str | None = None
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordJson:
    """A record of a property."""

    property: str
    place: int
    data: str = ""
    """The bytes that draw the trial, in hexadecimal digits."""
    variants: tuple[FollowUpJson, ...] = ()
    """The trial itself, if it was not drawn."""
    digest: str = ""
    """The digest of the trial: bytes draw another trial if the strategies differ."""
    record: str = ""
    """The digest of the trial with its answers: that of equal records is the same."""
    outcome: Outcome
    kind: str = ""
    answers: tuple[AnswerJson, ...] = ()
    correct: tuple[bool | None, ...] = ()
    reason: str = ""
    ground: str = ""
    is_test: bool = True
    why: Why = "drawn"

    @classmethod
    def of(cls, own: Record) -> RecordJson:
        """Return a record as it is written."""
        drawn = own.drawn
        return cls(
            property=drawn.property,
            place=drawn.place,
            data=drawn.data.hex(),
            digest=drawn.trial.digest if drawn.data else "",
            record=own.digest,
            variants=() if drawn.data else tuple(map(FollowUpJson.of, drawn.trial.variants)),
            outcome=own.outcome,
            kind=own.kind,
            answers=tuple(map(_answer, own.observations)),
            correct=own.correct,
            reason=own.reason,
            ground=own.ground,
            is_test=own.is_test,
            why=own.why,
        )


WORK: Final = "property records cut undrawn stopped broken losses seconds is_whole"
"""The members of a line, which begins with the property."""


Entered: TypeAlias = Event | Begun | Withdrawn
ENTRIES: Final = Format({}, tag="event", named=True, omit=True)
"""Entries that are neither records nor work, their name under ``event``."""


class Lines:
    """Entries and work as lines of JSON.

    Args:
        subject: the engine, for which properties draw their trials.
        named: returns the property of a name; ValueError if there is none.

    Attributes:
        format: how a `Work` and each `Record` of it are written.
    """

    def __init__(self, subject: EngineUnderTest, named: Named = property_named) -> None:
        self._subject = subject
        self._named = named
        self._draw: dict[str, FromBytes] = {}
        self.format = Format(
            {
                Observed: STORED_ANSWERS,
                EngineFailure: Keys("kind message element stderr", omit="stderr"),
                FollowUpJson: CRASHES,
                Property: Text(attrgetter("name"), named, "the name of a property"),
                Record: Via(RecordJson, self._record, RecordJson.of),
                Work: Keys(WORK),
            },
            omit=True,
        )

    def write(self, own: Work | Record | Begun | Withdrawn | Event) -> str:
        """Return the work on a property, a record, or another entry as a line."""
        for kind in (Work, Record):
            if isinstance(own, kind):
                return json.dumps(self.format.write(kind, own), separators=(",", ":"))
        return json.dumps(ENTRIES.write(Entered, own), separators=(",", ":"))

    def read(self, line: str) -> Work:
        """Return the work that a line holds.

        Raises:
            FieldError: the line holds no work.
            ValueError: it is not JSON, or the property is unknown.
        """
        work: Work = self.format.read(Work, json.loads(line))
        return work

    def read_entry(self, line: str) -> Work | Record | Begun | Withdrawn | Event:
        """Return the entry that a line holds; raises as ``read`` does."""
        document = json.loads(line)
        if not isinstance(document, dict) or "event" in document:
            entered: Entered = ENTRIES.read(Entered, document)
            return entered
        own: Work | Record = self.format.read(Record if "place" in document else Work, document)
        return own

    def _record(self, own: RecordJson) -> Record:
        if len(own.correct) != len(own.answers):
            raise ValueError(f"expected a verdict for each of {len(own.answers)} answers")
        data = bytes.fromhex(own.data)
        if data:
            self._named(own.property)  # The trial is drawn later, when nobody expects an error.
        source = partial(self._drawn, own) if data else partial(_trial, own.variants)
        drawn = Drawn(own.property, own.place, data, source)
        return Record(
            drawn,
            own.outcome,
            own.kind,
            partial(self._observations, own, drawn) if own.answers else (),
            own.correct,
            own.reason,
            own.ground,
            own.is_test,
            own.why,
            own.record,
        )

    def _drawn(self, own: RecordJson) -> Trial:
        if own.property not in self._draw:
            self._draw[own.property] = from_bytes(self._named(own.property), self._subject)
        found = self._draw[own.property](bytes.fromhex(own.data))
        if found is None or (own.digest and found[0].digest != own.digest):
            raise BadInput(
                "equal bytes draw other trials now: the strategies, or Hypothesis, differ"
            )
        return found[0]

    def _observations(self, own: RecordJson, drawn: Drawn) -> tuple[Observation, ...]:
        if len(own.answers) != len(drawn.trial.stimuli):
            raise BadInput("a record has not one answer for each variant of its trial")
        return tuple(
            Observation(
                stimulus,
                self._subject.dials_of(stimulus),
                answer.query,
                answer.answers,
                answer.failure,
                answer.unsupported,
                answer.stderr,
            )
            for stimulus, answer in zip(drawn.trial.stimuli, own.answers, strict=True)
        )


def property_of_line(line: str) -> str:
    """Return the name of the property that a line is about, without reading all of it."""
    found = _PROPERTY.match(line)
    return json.loads(found[1]) if found else ""


_PROPERTY = re.compile(r'\{(?:"event":"Begun",)?"property":("(?:[^"\\]|\\.)*")')
"""The beginning of the lines that a resumed run reads, as `Lines` writes them."""


def _answer(own: Observation) -> AnswerJson:
    return AnswerJson(
        query=own.query_text,
        answers=own.observed,
        failure=own.failure,
        unsupported=own.unsupported,
        stderr=own.stderr,
    )


def _trial(variants: tuple[FollowUpJson, ...]) -> Trial:
    return Trial(tuple(own.variant for own in variants))
