"""The ledger of a run: what happened, in order.

A run appends entries and takes none out: records, failures that are shown, the work on a property
once it has been asked, and events. What no longer stands is superseded by a later entry. `Begun`
says that a property is asked anew, so that its records and failures no longer count, `Withdrawn`
that its failures were taken back. Questions are answered from what stands. A record that stands
already, by its digest, is not entered again: so nothing is counted twice.

Faces that show something listen; those that count ask. Events that say how far a run is
(`MOMENTARY`) are told to listeners and not kept. The file (`ledger_file`) holds each entry as a
line, as soon as it is made; shrunk trials and their failures are not among them.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from rsp_conformance.model.finding import Shown
from rsp_conformance.run.events import MOMENTARY, Event, FindingConfirmed, Listener
from rsp_conformance.run.properties import Property
from rsp_conformance.run.record import Record
from rsp_conformance.run.work import Begun, Withdrawn, Work

if TYPE_CHECKING:
    from rsp_conformance.run.ledger_file import Earlier, LedgerFile

Entry: TypeAlias = Record | Shown | Work | Begun | Withdrawn | Event


class Ledger:
    """Entries in order; listeners get each event as it happens.

    Args:
        listeners: get each event.
        file: keeps the entries, so that a killed run can be resumed.
        earlier: the work of the run that is resumed.

    Attributes:
        entries: the entries.
        seconds: the seconds on the clock by the phase that took them.
    """

    def __init__(
        self,
        *listeners: Listener,
        file: LedgerFile | None = None,
        earlier: Earlier | None = None,
    ) -> None:
        self.entries: list[Entry] = []
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._listeners = listeners
        self._file = file
        self._earlier = earlier
        # What stands: two indexes over the entries.
        self._records: defaultdict[str, dict[str, Record]] = defaultdict(dict)
        self._shown: dict[str, Shown] = {}

    def tell(self, event: Event) -> None:
        """Enter an event, and tell it."""
        if not isinstance(event, MOMENTARY):
            self._enter(event)
        for listen in self._listeners:
            listen(event)

    def begin(self, property: Property) -> Work:
        """Count the trials of a property from now on: some plugins run it again.

        Returns:
            The work that an earlier run has done on it, or none.
        """
        found = None if self._earlier is None else self._earlier.take(property.name)
        self.anew(property.name, resumed=found is not None)
        for own in () if found is None else found.records:
            self._enter_record(own)
        return found or Work(property)

    def anew(self, name: str, *, resumed: bool = False) -> None:
        """Enter that a property is asked anew, or that an earlier run's work on it goes on."""
        self._records.pop(name, None)
        self._hide(name)
        self._enter(Begun(name, resumed))

    def end(self, work: Work) -> None:
        """Enter that no trial of a property is asked now; its records are there already."""
        self._enter(replace(work, records=[]))

    def add(self, record: Record) -> None:
        """Enter a record that does not stand yet."""
        if self._enter_record(record) and record.why == "drawn":
            self._write(record)

    def show(self, shown: Shown, event: FindingConfirmed) -> None:
        """Enter a failure that is shown, and tell it."""
        self.entries.append(shown)
        self._shown[shown.file] = shown
        self.tell(event)

    def withdraw(self, name: str, reason: str) -> list[Shown]:
        """Enter that the failures of a property are taken back; return those that were shown."""
        found = self._hide(name)
        self._enter(Withdrawn(name, reason))
        return found

    def release(self) -> None:
        """Hold no records in memory from now on: a campaign has them in its folder."""
        self.entries = [own for own in self.entries if not isinstance(own, Record)]
        self._records.clear()

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Count the time within it as spent on a phase of the run."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] += time.perf_counter() - started

    def _hide(self, name: str) -> list[Shown]:
        """Show the failures of a property no longer; return them."""
        found = self.shown(name)
        self._shown = {file: own for file, own in self._shown.items() if own not in found}
        return found

    def _enter_record(self, own: Record) -> bool:
        """Enter a record, unless it stands already."""
        there, key = self._records[own.property_name], f"{own.why}:{own.digest}"
        if key in there:
            return False
        there[key] = own
        self.entries.append(own)
        return True

    def _enter(self, entry: Begun | Withdrawn | Work | Event) -> None:
        self.entries.append(entry)
        self._write(entry)

    def _write(self, entry: Record | Begun | Withdrawn | Work | Event) -> None:
        if self._file is not None:
            self._file.write(entry)

    # --- questions ---------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of records that stand."""
        return sum(map(len, self._records.values()))

    @property
    def events(self) -> list[Event]:
        """The events, in order."""
        apart = Record | Shown | Work | Begun | Withdrawn
        return [own for own in self.entries if not isinstance(own, apart)]

    def records(self, name: str = "", why: str = "drawn") -> Iterator[Record]:
        """Yield the records of a property, or of all.

        Args:
            name: the property; empty for all.
            why: why they were asked; empty for any reason.
        """
        own = [self._records[name]] if name else [*self._records.values()]
        every = chain.from_iterable(there.values() for there in own)
        return (record for record in every if why in ("", record.why))

    def shown(self, name: str = "") -> list[Shown]:
        """Return the failures that are shown for a property, or for all, in order."""
        return [one for one in self._shown.values() if name in ("", one.finding.property_name)]

    @property
    def disputes(self) -> dict[str, str]:
        """How the kit's implementations differ, by property; the first reason of each."""
        found = [own for own in self.entries if isinstance(own, Withdrawn)]
        return {own.property: own.reason for own in reversed(found)}

    def is_shown(self, file: str) -> bool:
        """Return whether the failure of a crash file is shown."""
        return file in self._shown
