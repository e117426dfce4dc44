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

from rsp_conformance.run.events import MOMENTARY, Event, FindingConfirmed, Listener
from rsp_conformance.run.record import Record, Shown


class Ledger:
    """Records and events in order; listeners are told each event as it happens.

    Attributes:
        events: the events that are kept.
        seconds: the seconds on the clock by what they were spent on.
    """

    def __init__(self, *listeners: Listener) -> None:
        self.events: list[Event] = []
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._listeners = listeners
        self._records: defaultdict[str, list[Record]] = defaultdict(list)
        self._shown: dict[str, Shown] = {}

    def tell(self, event: Event) -> None:
        """Take note of an event, and tell it."""
        if not isinstance(event, MOMENTARY):
            self.events.append(event)
        for listen in self._listeners:
            listen(event)

    def begin(self, name: str) -> None:
        """Count the trials of a property from now on: it is run again, as some plugins do."""
        self._records.pop(name, None)

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
