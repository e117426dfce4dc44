"""The ledger of a run: what happened, in order, only ever added to; all else is a question to it.

A run appends records and events. Those who show something listen, those who count ask. Events that
say how far a run is (`MOMENTARY`) are told to listeners and not kept.
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
    """Records and events in order; listeners are told each event as it happens.

    Args:
        listeners: are told each event.
        file: keeps the work, so that a run that is killed can go on.
        earlier: the work of the run that goes on.

    Attributes:
        events: the events that are kept.
        seconds: the seconds on the clock by what they were spent on.
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
        """Take note of an event, and tell it."""
        if not isinstance(event, MOMENTARY):
            self.events.append(event)
        for listen in self._listeners:
            listen(event)

    def begin(self, property: Property) -> Work:
        """Count the trials of a property from now on: it may be run again, as some plugins do.

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
        """Keep the work on a property, or a part of it, for a run that goes on."""
        if self._file is not None and work.property.name not in self._whole:
            self._file.write(work)

    def add(self, record: Record) -> None:
        """Take note of a record."""
        self._records[record.property_name].append(record)

    def forget(self) -> None:
        """Hold no records any more: they stand elsewhere."""
        self._records.clear()

    def show(self, shown: Shown, event: FindingConfirmed) -> None:
        """Take note of a failure that is shown, and tell it."""
        self._shown[shown.file] = shown
        self.tell(event)

    def take_back(self, name: str) -> list[Shown]:
        """Forget what was shown of a property; return it."""
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
        """Yield the records of a property, or of all; those asked for one reason, or for any."""
        found = self._records[name] if name else chain(*self._records.values())
        return (record for record in found if why in ("", record.why))

    def shown(self, name: str = "") -> list[Shown]:
        """Return what is shown of a property, or of all, in order."""
        return [one for one in self._shown.values() if name in ("", one.finding.property_name)]

    def is_shown(self, file: str) -> bool:
        """Return whether the failure of a crash file is shown."""
        return file in self._shown
