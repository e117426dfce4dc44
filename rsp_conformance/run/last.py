"""The causes that a run names in the end, from all that it has seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.recount import behind
from rsp_conformance.diagnosis.seam import Effort
from rsp_conformance.model.case import Case
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.run.asking import is_over
from rsp_conformance.run.behind import MOST, NEARLY_ALL, Behind
from rsp_conformance.run.events import CausesFound, Working
from rsp_conformance.run.naming import MANY_UNEXPLAINED, Naming
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.record import Record
from rsp_conformance.run.trials import Drawn, trial_of


class Last:
    """Names causes once all properties are done.

    Args:
        naming: what was named on the way.
    """

    def __init__(self, naming: Naming) -> None:
        self._naming = naming
        self._worker = naming.worker
        self._needs: dict[str, str] = {}

    def causes_found(self, until: float | None = None) -> CausesFound:
        """Return the causes of the run. Whatever goes wrong in naming them, the verdicts stand.

        Args:
            until: after this instant (``time.monotonic()``) nothing is asked to look behind
                unexplained failures.
        """
        naming = self._naming
        try:
            if self._worker.asker.broken is None and not is_over(until):
                with suppress(EngineBroken):
                    self._look_behind()
            found = naming.diagnosis.improve(Effort.END)
            named = [self._with_need(naming.with_file(own)) for own in self._of_run(found.fresh)]
            causes = [CAUSES.write(Cause, cause) for cause in noted(naming, named)]
        except Exception as error:
            return CausesFound(said=f"{type(error).__name__}: {error}"[:400])
        return CausesFound(tuple(causes), predictions=found.predictions)

    def _of_run(self, causes: Iterable[Cause]) -> Iterator[Cause]:
        """The causes of failures of properties that were run, with these."""
        for cause in causes:
            if names := tuple(name for name in cause.properties if name in self._naming.ran):
                yield replace(cause, properties=names)

    def _with_need(self, cause: Cause) -> Cause:
        """A cause with the condition under which it shows, if one was found."""
        needs = self._needs.get(cause.id)
        return cause if needs is None else replace(cause, text=f"{cause.text}; only if {needs}")

    def _look_behind(self) -> None:
        """Search for bugs behind an unexplained one that spoils most failing answers (`behind`)."""
        naming, ledger = self._naming, self._naming.ledger
        wrong = [own for own in naming.accusing() if own.outcome is Outcome.WRONG]
        left = [own for own in wrong if self._is_left(own)]
        if len(left) < MANY_UNEXPLAINED or 2 * len(left) < len(wrong):
            return
        left.sort(key=naming.readable)
        ledger.tell(Working("", "looking behind what nothing explains"))
        asking = Behind(self._in_place, self._is_left)
        with ledger.timed("causes"):
            for way in asking.ways(left):
                found = [*asking.without(way, left[:MOST])]
                if naming.diagnosis.add(found, instead_of=self._is_spoilt, least=NEARLY_ALL):
                    break
            else:
                return
            for own in found:
                ledger.add(own)
        small = [own for own in naming.unexplained.groups if own.record.is_plain]
        naming.improve("", Effort.NOW)
        for one in small:
            if any(not self._is_left(other) for other in asking.without(way, [one.record])):
                self._needs[one.print] = way.needs

    def _is_spoilt(self, own: Record) -> bool:
        """Whether a record is wrong and no known cause explains it."""
        return own.outcome is Outcome.WRONG and not self._naming.causes_of(own, briefly=True)

    def _is_left(self, own: Record) -> bool:
        """Whether the answer to a single case is wrong, and no known cause explains it."""
        return own.is_plain and self._naming.mark_of(own) is None and self._is_spoilt(own)

    def _in_place(self, own: Record, case: Case) -> Record | None:
        """The record of another case that takes the place of a record's."""
        property = property_named(own.property_name)
        drawn = Drawn(property.name, -1, b"", trial_of(property, case))
        return self._worker.smaller(property, drawn)


def noted(naming: Naming, causes: Sequence[Cause]) -> Iterator[Cause]:
    """Note in each crash file by which causes its failure is explained.

    Args:
        naming: what the run has shown.
        causes: the causes of the run.

    Yields:
        The causes, each with those that explain its smallest case.
    """
    symptoms = (Symptom.of(own.finding, file=own.file) for own in naming.ledger.shown())
    together = behind(symptoms, naming.settings.known, causes, naming.predictions)
    for file, ids in together.items():
        naming.keeper.explain(Path(file), ids)
    for own in causes:
        yield replace(own, together=together.get(own.file, ()))
