"""The causes that a campaign has named, as its folder holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.files.columns import COLUMN
from rsp_conformance.run.events import CauseDiscovered, Event, FindingConfirmed


@dataclass(frozen=True, slots=True)
class NamedJson:
    """The column ``cause`` of the table ``causes``."""

    cause: Cause
    kind: str
    confirmed: str


@dataclass(frozen=True, slots=True)
class CauseRow:
    """A row of the table ``causes``: a cause as a run has named it so far."""

    id: str
    known: bool
    failures: int
    properties: tuple[str, ...]
    mutants: tuple[str, ...]
    text: str
    file: str
    named: NamedJson = field(metadata={COLUMN: "cause"})


@dataclass(slots=True)
class NamedCause:
    """A cause that a campaign has named.

    Attributes:
        cause: the cause.
        kind: the kind of failure of its smallest case.
        confirmed: how often its smallest case came.
        known: whether the user has given it as known.
        failures: how many failures it explains of those that workers knew no cause of.
        properties: the properties whose failures it explains.
    """

    cause: Cause
    kind: str = ""
    confirmed: str = ""
    known: bool = False
    failures: int = 0
    properties: dict[str, None] = field(default_factory=dict)

    @property
    def row(self) -> CauseRow:
        """The row of the table ``causes``."""
        cause = replace(self.cause, properties=tuple(self.properties))
        return CauseRow(
            cause.id,
            self.known,
            self.failures,
            cause.properties,
            cause.mutants,
            cause.text,
            cause.file,
            NamedJson(cause, self.kind, self.confirmed),
        )

    @classmethod
    def of_row(cls, row: CauseRow) -> NamedCause:
        """Return the cause that a row of the table ``causes`` holds."""
        own, properties = row.named, dict.fromkeys(row.properties)
        return cls(own.cause, own.kind, own.confirmed, row.known, row.failures, properties)


class NamedCauses:
    """The causes of a run by their ids, as its events tell of them.

    Args:
        given: the ids of the causes that the user knows.

    Attributes:
        has_changed: whether there is anything that is not written yet.
    """

    def __init__(self, given: Iterable[str] = ()) -> None:
        self.has_changed = False
        self._given = frozenset(given)
        self._named: dict[str, NamedCause] = {}
        self._shown: dict[str, FindingConfirmed] = {}

    def __len__(self) -> int:
        return len(self._named)

    def __iter__(self) -> Iterator[NamedCause]:
        return iter([*self._named.values()])

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        if isinstance(event, FindingConfirmed):
            self._shown[event.file] = event
        elif isinstance(event, CauseDiscovered):
            self._name(CAUSES.read(Cause, event.cause))

    def _name(self, cause: Cause) -> None:
        own = self._named.setdefault(cause.id, NamedCause(cause, known=cause.id in self._given))
        shown = self._shown.get(cause.file)
        if shown is not None:
            own.cause = replace(cause, elements=shown.elements)
            own.kind, own.confirmed = shown.kind, shown.confirmed
            own.properties[shown.property] = None
        self.has_changed = True

    def restore(self, rows: Iterable[CauseRow]) -> None:
        """Take over the causes of a run that was stopped."""
        for row in rows:
            own = replace(NamedCause.of_row(row), known=row.id in self._given)
            self._named[own.cause.id] = own

    @property
    def new(self) -> int:
        """How many causes the user has not given."""
        return sum(not own.known for own in self)

    def count(self, found: Iterable[tuple[str, str]]) -> None:
        """Count failures that workers knew no cause of.

        Args:
            found: the id of the cause and the property of each.
        """
        for own in self:
            own.failures = 0
        for id, property_name in found:
            if (named := self._named.get(id)) is not None:
                named.failures += 1
                named.properties[property_name] = None
        self.has_changed = True

    def note(self, causes: Iterable[Cause]) -> None:
        """Take over what is known of causes that are here under their ids."""
        for cause in causes:
            self._named[cause.id].cause = cause
        self.has_changed = True

    def without_lost_files(self) -> None:
        """Name no crash file that was taken back."""
        for own in self:
            if own.cause.file and not Path(own.cause.file).exists():
                own.cause = replace(own.cause, file="")

    def rows(self) -> list[CauseRow]:
        """Return the rows of the table ``causes``."""
        self.has_changed = False
        return [own.row for own in self]
