"""What stands behind the failures of a campaign, named while it runs.

Failures without an answer have a fingerprint, and are one cause each. Of wrong answers a sample is
held against the known causes; what none explains is searched for its causes (``causes.search``).
One case of each cause is shrunk, confirmed and written down, and from then on workers know it. What
nothing explains is shrunk as well, and is the cause of all that part from the expectation in the
same way and have the shape of its query.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from typing import Any, Final

from rsp_conformance.campaigns.shrink import Shrunk, shrink
from rsp_conformance.campaigns.store import NotWritten, writing
from rsp_conformance.campaigns.unit import Kept, property_of
from rsp_conformance.campaigns.worker import fingerprint_of
from rsp_conformance.causes.cause import CAUSES, UNEXPLAINED, Cause
from rsp_conformance.causes.evidence import Answered, Evidence, Symptom
from rsp_conformance.causes.fingerprint import Fingerprint, fingerprint
from rsp_conformance.causes.known import KnownCause, KnownCauses
from rsp_conformance.causes.probes import MOST_PROBES
from rsp_conformance.causes.search import find_causes
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.usage import query_features
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.run.record import Record
from rsp_conformance.run.report import first_line

MOST_WAITING: Final = 400
"""So many wrong answers wait for a name; of more a sample does."""
MOST_RIGHT: Final = 600
"""So many right answers are kept: twice as many as a cause is held against."""
MOST_TRAIL: Final = 400
"""So many answers that were asked while shrinking are kept as evidence."""
ENOUGH: Final = 8
"""So many wrong answers without a name are searched at once; fewer wait for more."""
PATIENCE: Final = 20.0
"""Seconds for which fewer wait."""
SEARCHING: Final = 15.0
"""Seconds of processor time that a search may take."""
SHRINKING: Final = 20.0
"""Seconds that one case is shrunk for, at most."""
DISAGREEMENT: Final = "the kit's own judges differ"
"""How a problem begins that is a bug of the kit."""
LAST: Final = 60.0
"""Seconds in which a campaign that is over names what still waits, ..."""
RECOUNTING: Final = 30.0
"""... and counts by their causes the failures that had none when they were judged."""


@dataclass(slots=True)
class NamedCause:
    """A cause that the campaign has named.

    ``print`` is the fingerprint of one that nothing explains. ``confirmed`` says how often its
    smallest case came, ``failures`` counts what it explains of the failures that workers knew no
    cause of.
    """

    cause: Cause
    print: Fingerprint | None = None
    kind: str = ""
    confirmed: str = ""
    failures: int = 0
    properties: dict[str, None] = field(default_factory=dict)

    def explained(self, focus: str) -> None:
        """Count a failure of FOCUS."""
        self.failures += 1
        self.properties[property_of(focus)] = None

    def to_row(self, *, known: bool) -> dict[str, Any]:
        """As ``store`` writes it; KNOWN says that the user has said so."""
        cause = replace(self.cause, properties=tuple(self.properties))
        return {
            "id": cause.id,
            "known": known,
            "failures": self.failures,
            "properties": cause.properties,
            "mutants": cause.mutants,
            "text": cause.text,
            "file": cause.file,
            "cause": json.dumps(
                {
                    "cause": CAUSES.write(Cause, cause),
                    "kind": self.kind,
                    "confirmed": self.confirmed,
                    "print": None if self.print is None else asdict(self.print),
                }
            ),
        }

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> NamedCause:
        """The cause that ROW writes."""
        document = json.loads(row["cause"])
        print = document["print"]
        if print is not None:
            print = Fingerprint(**{**print, "shape": tuple(print["shape"])})
        return cls(
            CAUSES.read(Cause, document["cause"]),
            print,
            document["kind"],
            document["confirmed"],
            row["failures"],
            dict.fromkeys(row["properties"]),
        )


class Naming:
    """Names what stands behind failures; ``take`` is told of them, ``step`` does a bit of work.

    GIVEN are the causes that the user knows. SUBJECT is the engine, asked here alone; KEEPER writes
    crash files. TELL hears what is being done.
    """

    def __init__(
        self,
        subject: EngineUnderTest,
        keeper: Keeper,
        given: Iterable[KnownCause] = (),
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.subject = subject
        self.given = tuple(given)
        self.named: dict[str, NamedCause] = {}
        self.problems: list[str] = []
        self.seconds = 0.0
        self.changed = False
        self._keeper = keeper
        self._tell = tell
        self._known = KnownCauses(self.given)
        self._chance = random.Random(0)
        self._waiting: list[Kept] = []
        self._fresh = 0
        self._fresh_since = 0.0
        self._to_shrink: dict[str, Kept] = {}
        self._right: list[Answered] = []
        self._rights = 0
        self._trail: list[Answered] = []
        self._symptoms: list[Symptom] = []
        self._broken = False

    @property
    def known(self) -> tuple[KnownCause, ...]:
        """What workers are to know: given or named."""
        sites = (
            KnownCause(fingerprint=id.removeprefix(UNEXPLAINED), found=True)
            for id, own in self.named.items()
            if not own.cause.hypothesis
        )
        return (*self._known.causes, *sites)

    @property
    def new(self) -> list[NamedCause]:
        """The causes that the user has not given."""
        return [own for own in self.named.values() if not self.is_given(own.cause.id)]

    def is_given(self, id: str) -> bool:
        """Whether the user knows the cause ID."""
        return any(cause.id == id for cause in self.given)

    def restore(self, rows: Iterable[Mapping[str, Any]], kept: Iterable[Kept]) -> None:
        """Go on from the causes of a run that was stopped, and from what it has KEPT.

        These are failures without a cause, and right answers.
        """
        for row in rows:
            own = NamedCause.of_row(row)
            self.named[own.cause.id] = own
            if own.cause.hypothesis and not self.is_given(own.cause.id):
                self._known.add(KnownCause.of(own.cause, found=True))
        self.take(kept)

    # --- what comes ------------------------------------------------------------------------

    def take(self, kept: Iterable[Kept]) -> None:
        """Take note of what workers have sent back."""
        for own in kept:
            if own.correct:
                self._sample(own)
            elif own.cause:
                self._take_failure(own)
            else:
                self._take_wrong(own)

    def _sample(self, own: Kept) -> None:
        self._rights += 1
        answered = Answered(own.observation, True, property_of(own.unit.focus))
        if len(self._right) < MOST_RIGHT:
            self._right.append(answered)
        elif (place := self._chance.randrange(self._rights)) < MOST_RIGHT:
            self._right[place] = answered

    def _take_failure(self, own: Kept) -> None:
        """A failure without an answer: its fingerprint is its cause."""
        named = self.named.get(own.cause)
        if named is None:
            observation = own.observation
            cause = Cause(own.cause, text=_said(observation), elements=observation.size[0])
            named = self.named[own.cause] = NamedCause(cause, kind=own.kind)
            self._to_shrink[own.cause] = own
            self.changed = True
        elif own.cause in self._to_shrink:
            self._to_shrink[own.cause] = min(self._to_shrink[own.cause], own, key=_size)
        named.properties[property_of(own.unit.focus)] = None

    def _take_wrong(self, own: Kept) -> None:
        if self._is_explained(own):
            return
        if not self._fresh:
            self._fresh_since = time.monotonic()
        self._fresh += 1
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(own)
        else:
            self._waiting[self._chance.randrange(MOST_WAITING)] = own

    def _is_explained(self, own: Kept) -> bool:
        """Whether a cause explains a wrong answer; it is counted then."""
        found = self._known.explain(own.observation)
        for cause in found or ():
            if cause.id in self.named:
                self.named[cause.id].explained(own.unit.focus)
        if found:
            return True
        for named in self.named.values():
            if named.print is not None and _is_like(own, named.print):
                named.explained(own.unit.focus)
                return True
        return False

    def recount(self, unnamed: Iterable[Kept]) -> None:
        """Count by their causes the failures that had none when they were judged, UNNAMED.

        As many as there is time for.
        """
        last = time.monotonic() + RECOUNTING
        for named in self.named.values():
            named.failures = 0
        for own in takewhile(lambda _: time.monotonic() < last, unnamed):
            self._is_explained(own)
        self._hold(last)
        self.changed = True

    def _hold(self, last: float) -> None:
        """Hold causes against the right answers that came since they were found too, until LAST."""
        agrees, found = self._known.predictions.agrees, self._known.hypothesis
        held = [own.observation for own in self._right[:MOST_PROBES]]
        for observation in held:
            self._known.predictions.know(observation, True)
        for named in self.named.values():
            if not (named.cause.hypothesis and time.monotonic() < last):
                continue
            others = found.without(named.cause.hypothesis)
            said = [(agrees(found, own), own) for own in held]
            against = [own for fits, own in said if fits is False and agrees(others, own)]
            passing = sum(fits is not None for fits, _ in said)
            if passing >= named.cause.passing:
                named.cause = replace(
                    named.cause, contradicts=len(against), passing=passing, right=self._rights
                )

    # --- what is done ----------------------------------------------------------------------

    def step(self, *, last: bool = False) -> bool:
        """Do a bit of what is to be done, at most some seconds; whether there was anything.

        LAST says that nothing more will come, so that nothing needs to wait for it.
        """
        started = time.process_time()
        try:
            return self._step(last)
        except EngineError:
            self._broken = True
            return False
        except KitDisagreement as error:
            self.problems.append(f"{DISAGREEMENT}: {error}")
            return True
        except NotWritten:
            raise
        except Exception as error:  # Whatever goes wrong in naming causes, the verdicts stand.
            self.problems.append(f"causes were not named: {type(error).__name__}: {error}")
            self._waiting.clear()
            return True
        finally:
            self.seconds += time.process_time() - started

    def _step(self, last: bool) -> bool:
        if self._fresh and (last or self._is_due()):
            self._search()
        elif self._to_shrink and not self._broken:
            self._shrink(next(iter(self._to_shrink)))
        elif self._waiting and not self._fresh and not self._broken:
            self._shrink_unexplained()
        else:
            return False
        return True

    def _is_due(self) -> bool:
        waited = time.monotonic() - self._fresh_since
        return self._fresh >= max(ENOUGH, len(self._waiting) // 3) or waited > PATIENCE

    def _search(self) -> None:
        """Look for causes of what waits."""
        self._tell("looking for what stands behind the failures")
        self._fresh = 0
        wrong = (
            Answered(own.observation, False, property_of(own.unit.focus)) for own in self._waiting
        )
        evidence = Evidence.of(self._symptoms, [*wrong, *self._trail, *self._right])
        found = find_causes(
            evidence,
            None if self._broken else self.subject,
            seconds=SEARCHING,
            known=self._known.hypothesis,
            predictions=self._known.predictions,
        )
        fresh = [cause for cause in found if cause.hypothesis and cause.id not in self.named]
        for cause in fresh:
            self.named[cause.id] = NamedCause(replace(cause, properties=()))
            self._known.add(KnownCause.of(cause, found=True))
        if fresh:
            self.changed = True
            self._sort_out(fresh)
        self._forget()

    def _sort_out(self, fresh: Iterable[Cause]) -> None:
        """Keep of what waits only what the FRESH causes do not explain, and one case of each."""
        waiting, self._waiting = sorted(self._waiting, key=_size), []
        wanted = {cause.id for cause in fresh}
        for own in waiting:
            for cause in self._known.explain(own.observation) or ():
                if cause.id in wanted:
                    wanted.discard(cause.id)
                    self._to_shrink[cause.id] = own
                    self.named[cause.id].kind = own.kind
            if not self._is_explained(own):
                self._waiting.append(own)

    def _forget(self) -> None:
        """Predictions are kept for the answers that wait alone, or they would grow for ever."""
        self._known = KnownCauses(self._known.causes)

    def _shrink(self, id: str) -> None:
        """Make the case of the cause ID small, and write it down."""
        kept, named = self._to_shrink.pop(id), self.named[id]
        self._tell(f"shrinking {id}")

        def shows(own: Record, finding: Finding) -> bool:
            if named.cause.hypothesis:
                (observation,) = own.observations
                return any(c.id == id for c in self._known.explain(observation) or ())
            return fingerprint_of(finding) == id

        try:
            found = shrink(kept, self.subject, shows, SHRINKING)
        except KitDisagreement:
            del self.named[id]  # Nobody is accused of what the judges differ on.
            raise
        self._write_down(named, found)

    def _shrink_unexplained(self) -> None:
        """Make the smallest case small that nothing explains; it is a cause of its own."""
        kept = min(self._waiting, key=_size)
        self._waiting.remove(kept)
        self._tell("shrinking what nothing explains")

        def shows(own: Record, _: Finding) -> bool:
            return own.kind == kept.kind and not self._known.explain_all(own.observations)

        found = shrink(kept, self.subject, shows, SHRINKING)
        symptom = Symptom.of(found.finding, focus=kept.unit.focus)
        own = fingerprint(symptom)
        id = UNEXPLAINED + own.id
        self._trail += found.trail[-MOST_TRAIL // 4 :]
        del self._trail[:-MOST_TRAIL]
        if found.finding.failure is None and self._search_again(symptom):
            self._sort_out([])
            return
        if id not in self.named:
            cause = Cause(id, text=str(own))
            self.named[id] = NamedCause(cause, own, found.finding.kind)
            self._absorb(id, own)
        self.named[id].explained(kept.unit.focus)
        self._write_down(self.named[id], found)
        self._waiting = [other for other in self._waiting if not self._is_explained(other)]

    def _absorb(self, id: str, print: Fingerprint) -> None:
        """Have the cause ID stand for those of its kind whose queries have more than its PRINT."""
        for other, named in [*self.named.items()]:
            more = named.print is not None and set(named.print.shape) > set(print.shape)
            if more and named.kind == self.named[id].kind:
                self.named[id].failures += named.failures
                self.named[id].properties |= named.properties
                del self.named[other]

    def _search_again(self, symptom: Symptom) -> bool:
        """Whether a search with SYMPTOM, which is shrunk, and what led to it names a cause."""
        before = len(self.named)
        self._symptoms = [symptom]
        try:
            self._search()
        finally:
            self._symptoms = []
        return len(self.named) > before

    def _write_down(self, named: NamedCause, found: Shrunk) -> None:
        finding = found.finding
        with writing(self._keeper.folder):
            path = self._keeper.keep(finding, self.subject)
        elements = len(finding.case.elements)
        named.cause = replace(named.cause, file=str(path), elements=elements)
        named.kind, named.confirmed = finding.kind, found.confirmed
        named.properties[finding.property_name] = None
        self.changed = True


def _is_like(own: Kept, print: Fingerprint) -> bool:
    """Whether a wrong answer parts from what is due as PRINT says, on a query of its shape."""
    if own.kind != print.kind:
        return False
    return query_features(own.observation.stimulus.case.query) >= set(print.shape)


def _said(observation: Observation) -> str:
    failure = observation.failure
    return f"{failure.kind}: {first_line(failure.message)}"[:200] if failure else ""


def _size(own: Kept) -> tuple[int, int]:
    return own.observation.size
