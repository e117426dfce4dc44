"""The causes that a run names in the end, from all that it has seen."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.recount import behind
from rsp_conformance.diagnosis.seam import Effort
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.run.asking import is_over
from rsp_conformance.run.events import CausesFound, Working
from rsp_conformance.run.naming import MANY_UNEXPLAINED, Naming
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.record import Record
from rsp_conformance.run.unexplained import is_like


class Last:
    """Names causes once all properties are done.

    Args:
        naming: what was named on the way.
    """

    def __init__(self, naming: Naming) -> None:
        self._naming = naming
        self._worker = naming.worker
        self._behind = naming.behind

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
                    self.look_behind(until)
            found = naming.diagnosis.improve(Effort.END)
            named = [naming.with_file(own) for own in self._of_run(found.fresh)]
            if self._behind.has_apart:
                # What two bugs together have spoilt may look like a third one.
                named = [own for own in named if own.file or own.is_supported]
            causes = [CAUSES.write(Cause, cause) for cause in noted(naming, named)]
        except Exception as error:
            return CausesFound(said=f"{type(error).__name__}: {error}"[:400])
        return CausesFound(tuple(causes), predictions=found.predictions)

    def _of_run(self, causes: Iterable[Cause]) -> Iterator[Cause]:
        """The causes of failures of properties that were run, with these.

        Only a part of the answers is counted, and of what nothing explains only a few failures are
        made small; the properties of all that a cause explains, or that are like such a failure,
        are added.
        """
        naming = self._naming
        alike: defaultdict[str, list[str]] = defaultdict(list)
        for own in naming.accusing():
            for id in naming.reported_as(own):
                alike[id].append(own.property_name)
        for cause in causes:
            known = dict.fromkeys((*cause.properties, *alike[cause.id]))
            if names := tuple(name for name in known if name in naming.ran):
                yield replace(cause, properties=names)

    # --- behind what has no name ---------------------------------------------------------------

    def look_behind(self, until: float | None = None) -> bool:
        """Search for bugs behind an unexplained one that spoils most failing answers (`behind`).

        Args:
            until: nothing is asked after this instant (``time.monotonic()``).

        Returns:
            Whether there was anything to do.
        """
        naming = self._naming
        if not self._depend(until):
            return False
        while not (self._behind.is_full or is_over(until)):
            left, are_many = self._left()
            found = self._behind.broadest(left) if are_many else ""
            if not found:
                break
            naming.ledger.tell(Working("", "looking behind what nothing explains"))
            self._behind.set_apart(found)
            naming.add_behind(self._asked_away(left, self._within(until)))
            naming.improve("", Effort.NOW)
            naming.name("", until, naming.searches)
            self._depend(until)
        return True

    def _within(self, until: float | None) -> float:
        """The end of what takes as long as shrinking a failure may."""
        ends = time.monotonic() + self._naming.settings.shrinking
        return ends if until is None else min(ends, until)

    def _depend(self, until: float | None) -> bool:
        """Find the conditions of failures that are shown and that nothing explains.

        Returns:
            Whether there are any whose conditions were not known.
        """
        naming, ledger = self._naming, self._naming.ledger
        fresh = [
            own
            for own in naming.unexplained.groups
            if not own.operators
            and not self._behind.knows(own.print)
            and naming.is_left(own.record)
        ]
        left = self._left()[0] if fresh else []
        for own in fresh:
            if is_over(until):
                break
            ledger.tell(Working("", "asking what an unexplained failure depends on"))
            like = [other for other in left if is_like(other, own.record) and other != own.record]
            with ledger.timed("causes"):
                larger = sorted(like, key=naming.readable)
                self._behind.find(own.print, own.record, larger, self._within(until))
        return bool(fresh)

    def _left(self) -> tuple[list[Record], bool]:
        """The failing records without a name that are not set apart, and whether they are many."""
        rest = [own for own in self._naming.wrong() if not self._naming.is_apart(own)]
        left = [own for own in rest if self._naming.is_left(own)]
        return left, len(left) >= MANY_UNEXPLAINED and 2 * len(left) >= len(rest)

    def _asked_away(self, left: Sequence[Record], until: float) -> list[Record]:
        """Ask fresh trials of the properties of records, away from what is set apart."""
        properties = [property_named(own) for own in dict.fromkeys(r.property_name for r in left)]
        found: list[Record] = []
        with self._naming.ledger.timed("causes"):
            for drawn in self._behind.drawn_away(properties, self._naming.settings.seed):
                if is_over(until):
                    break
                record = self._worker.smaller(property_named(drawn.property), drawn)
                if record is not None:
                    found.append(replace(record, why="behind"))
        return found


def noted(naming: Naming, causes: Sequence[Cause]) -> Iterator[Cause]:
    """Note in each crash file by which causes its failure is explained.

    Args:
        naming: what the run has shown.
        causes: the causes of the run.

    Yields:
        The causes, each with those that explain its smallest case, or with what it depends on.
    """
    symptoms = (Symptom.of(own.finding, file=own.file) for own in naming.ledger.shown())
    together = behind(naming.diagnosis, symptoms, naming.settings.known, causes)
    for file, ids in together.items():
        naming.keeper.explain(Path(file), ids)
    for own in causes:
        ids, depends = together.get(own.file, ()), naming.behind.dependence(own.id)
        is_apart = own.set_apart or naming.behind.is_set_apart(own.id)
        said = replace(own, together=ids, set_apart=is_apart)
        if not depends.experiments or own.dependence == depends:
            yield said
            continue
        if own.file:
            naming.keeper.explain(Path(own.file), ids, depends)
        text = "; ".join(filter(None, (own.text, str(depends))))
        yield replace(said, text=text, dependence=depends)
