"""The work on a property as a line of JSON: what travels from a worker to the ledger.

A record holds the bytes of its trial and the answers. Trial and observations are made from them
when they are asked for, by the same strategy in the other process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from rsp_conformance.files.answers import KEPT_ANSWERS
from rsp_conformance.files.codec import Format
from rsp_conformance.files.codec import Record as Keys
from rsp_conformance.judge.crash_file import CRASHES, FollowUpJson
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.trial import Trial, Variant
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.record import Record, Why
from rsp_conformance.run.trials import Drawn, FromBytes, from_bytes
from rsp_conformance.run.work import Work


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerJson:
    """What an engine answered to one variant of a trial."""

    query: str = ""
    """The query as it was sent."""
    answers: tuple[Observed, ...] = ()
    failure: EngineFailure | None = None
    unsupported: str | None = None
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordJson:
    """A record of a property."""

    place: int
    data: str = ""
    """The bytes that draw the trial, in hexadecimal digits."""
    variants: tuple[FollowUpJson, ...] = ()
    """The trial itself, if it was not drawn."""
    digest: str = ""
    """The digest of the trial: bytes draw another trial if the strategies differ."""
    outcome: Outcome
    kind: str = ""
    answers: tuple[AnswerJson, ...] = ()
    correct: tuple[bool | None, ...] = ()
    reason: str = ""
    ground: str = ""
    is_test: bool = True
    why: Why = "drawn"


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkJson:
    """The work on a property."""

    property: str
    records: tuple[RecordJson, ...] = ()
    cut: str = ""
    undrawn: int = 0
    stopped: str = ""
    broken: str = ""
    losses: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    begins: bool = False
    is_whole: bool = False


WORK: Final = Format(
    {
        Observed: KEPT_ANSWERS,
        EngineFailure: Keys("kind message element stderr", omit="stderr"),
        FollowUpJson: CRASHES,
    },
    omit=True,
)
"""Lines of a ledger."""


def write_work(work: Work) -> str:
    """Return the work on a property as a line of JSON."""
    own = WorkJson(
        property=work.property.name,
        records=tuple(map(_written, work.records)),
        cut=work.cut,
        undrawn=work.undrawn,
        stopped=work.stopped,
        broken=work.broken,
        losses=work.losses,
        seconds=work.seconds,
        begins=work.begins,
        is_whole=work.is_whole,
    )
    return json.dumps(WORK.write(WorkJson, own), separators=(",", ":"))


def read_work(line: str, subject: EngineUnderTest) -> Work:
    """Return the work that a line holds.

    Args:
        line: the line.
        subject: the engine, for which the property draws its trials.

    Raises:
        FieldError: the line holds no work.
        ValueError: it is not JSON, or the property is unknown.
    """
    own: WorkJson = WORK.read(WorkJson, json.loads(line))
    property = property_named(own.property)
    draw = from_bytes(property, subject)
    records = [_read(one, own.property, draw, subject) for one in own.records]
    return Work(
        property,
        records,
        cut=own.cut,
        undrawn=own.undrawn,
        stopped=own.stopped,
        broken=own.broken,
        losses=own.losses,
        seconds=dict(own.seconds),
        begins=own.begins,
        is_whole=own.is_whole,
    )


def property_of_line(line: str) -> str:
    """Return the name of the property that a line is about, without reading all of it."""
    found = _PROPERTY.match(line)
    return json.loads(found[1]) if found else ""


_PROPERTY = re.compile(r'\{"property":("(?:[^"\\]|\\.)*")')
"""How a line begins, as `write_work` writes it."""


def _written(own: Record) -> RecordJson:
    drawn = own.drawn
    return RecordJson(
        place=drawn.place,
        data=drawn.data.hex(),
        digest=drawn.trial.digest if drawn.data else "",
        variants=() if drawn.data else tuple(map(_variant, drawn.trial.variants)),
        outcome=own.outcome,
        kind=own.kind,
        answers=tuple(map(_answer, own.observations)),
        correct=own.correct,
        reason=own.reason,
        ground=own.ground,
        is_test=own.is_test,
        why=own.why,
    )


def _variant(own: Variant) -> FollowUpJson:
    stimulus = own.stimulus
    return FollowUpJson(
        label=own.label,
        unit=stimulus.unit,
        follows=own.follows,
        scale=own.scale,
        second=stimulus.second,
        pacing=stimulus.pacing,
        case=stimulus.case,
    )


def _answer(own: Observation) -> AnswerJson:
    return AnswerJson(
        query=own.query_text,
        answers=own.observed,
        failure=own.failure,
        unsupported=own.unsupported,
        stderr=own.stderr,
    )


def _read(own: RecordJson, name: str, draw: FromBytes, subject: EngineUnderTest) -> Record:
    data = bytes.fromhex(own.data)
    source = partial(_drawn, data, own.digest, draw) if data else partial(_trial, own.variants)
    drawn = Drawn(name, own.place, data, source)
    return Record(
        drawn,
        own.outcome,
        own.kind,
        partial(_observations, own, drawn, subject) if own.answers else (),
        own.correct,
        own.reason,
        own.ground,
        own.is_test,
        own.why,
    )


def _drawn(data: bytes, digest: str, draw: FromBytes) -> Trial:
    found = draw(data)
    if found is None or (digest and found[0].digest != digest):
        raise BadInput("equal bytes draw other trials now: the strategies, or Hypothesis, differ")
    return found[0]


def _trial(variants: tuple[FollowUpJson, ...]) -> Trial:
    return Trial(tuple(own.asked().variant for own in variants))


def _observations(
    own: RecordJson, drawn: Drawn, subject: EngineUnderTest
) -> tuple[Observation, ...]:
    return tuple(
        Observation(
            stimulus,
            subject.dials_of(stimulus),
            answer.query,
            answer.answers,
            answer.failure,
            answer.unsupported,
            answer.stderr,
        )
        for stimulus, answer in zip(drawn.trial.stimuli, own.answers, strict=True)
    )
