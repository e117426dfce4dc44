"""The ledger of a run: its records and events, in order.

A run appends records and events. Faces that show something listen; those that count ask. Events
that say how far a run is (`MOMENTARY`) are told to listeners and not kept. Two things are taken
out again: the records of a property that is run anew, and failures on which the judges differ.
The file (`ledger_file`) holds the records alone: events and failures follow from these.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from rsp_conformance.run.events import MOMENTARY, Event, FindingConfirmed, Listener
from rsp_conformance.run.properties import Property
from rsp_conformance.run.record import Record, Shown
from rsp_conformance.run.work import Work

if TYPE_CHECKING:
    from rsp_conformance.run.ledger_file import Earlier, LedgerFile


class Ledger:
    """Records and events in order; listeners get each event as it happens.

    Args:
        listeners: get each event.
        file: keeps the work, so that a killed run can be resumed.
        earlier: the work of the run that is resumed.

    Attributes:
        events: the events that are kept.
        seconds: the seconds on the clock by the phase that took them.
    """

    def __init__(
        self,
        *listeners: Listener,
        file: LedgerFile | None = None,
        earlier: Earlier | None = None,
    ) -> None:
        self.events: list[Event] = []
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._listeners = listeners
        self._file = file
        self._earlier = earlier
        self._whole: set[str] = set()
        self._records: defaultdict[str, list[Record]] = defaultdict(list)
        self._shown: dict[str, Shown] = {}

    def tell(self, event: Event) -> None:
        """Keep an event, and tell it."""
        if not isinstance(event, MOMENTARY):
            self.events.append(event)
        for listen in self._listeners:
            listen(event)

    def begin(self, property: Property) -> Work:
        """Count the trials of a property from now on: some plugins run it again.

        Returns:
            The work that an earlier run has done on it, or none.
        """
        name = property.name
        self._records.pop(name, None)
        found = None if self._earlier is None else self._earlier.take(name)
        if found is None:
            self._whole.discard(name)
            self.write(Work(property, begins=True))
            return Work(property)
        if found.is_whole:
            self._whole.add(name)
        return found.resumed()

    def write(self, work: Work) -> None:
        """Keep the work on a property, or a part of it, for a run that is resumed."""
        if self._file is not None and work.property.name not in self._whole:
            self._file.write(work)

    def add(self, record: Record) -> None:
        """Add a record."""
        self._records[record.property_name].append(record)

    def __len__(self) -> int:
        return sum(map(len, self._records.values()))

    def forget(self) -> None:
        """Drop all records: they are kept elsewhere."""
        self._records.clear()

    def show(self, shown: Shown, event: FindingConfirmed) -> None:
        """Add a failure that is shown, and tell it."""
        self._shown[shown.file] = shown
        self.tell(event)

    def take_back(self, name: str) -> list[Shown]:
        """Forget the failures that are shown for a property; return them."""
        own = [one for one in self._shown.values() if one.finding.property_name == name]
        for one in own:
            del self._shown[one.file]
        return own

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Count the time within it as spent on a phase of the run."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] += time.perf_counter() - started

    # --- questions ---------------------------------------------------------------------------

    def records(self, name: str = "", why: str = "drawn") -> Iterator[Record]:
        """Yield the records of a property, or of all.

        Args:
            name: the property; empty for all.
            why: why they were asked; empty for any reason.
        """
        found = self._records[name] if name else chain(*self._records.values())
        return (record for record in found if why in ("", record.why))

    def shown(self, name: str = "") -> list[Shown]:
        """Return the failures that are shown for a property, or for all, in order."""
        return [one for one in self._shown.values() if name in ("", one.finding.property_name)]

    def is_shown(self, file: str) -> bool:
        """Return whether the failure of a crash file is shown."""
        return file in self._shown
