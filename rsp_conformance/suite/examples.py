"""Where Hypothesis keeps the failing examples of a property."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis.database import ExampleDatabase


class OwnExamples(ExampleDatabase):
    """The part of a database that belongs to TITLE.

    Hypothesis tells tests apart by their source, which all properties share.
    """

    def __init__(self, database: ExampleDatabase, title: str) -> None:
        super().__init__()
        self._database = database
        self._title = title.encode() + b":"

    def __repr__(self) -> str:
        return f"OwnExamples({self._database!r}, {self._title[:-1].decode()!r})"

    def save(self, key: bytes, value: bytes) -> None:
        """Keep VALUE under KEY."""
        self._database.save(self._title + key, value)

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """All values under KEY."""
        yield from self._database.fetch(self._title + key)

    def delete(self, key: bytes, value: bytes) -> None:
        """Forget VALUE under KEY."""
        self._database.delete(self._title + key, value)
