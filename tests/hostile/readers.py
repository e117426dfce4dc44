"""What every reader owes to its users, whatever it is given: one property of bad input."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any, NoReturn

from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy

from rsp_conformance.model.errors import excerpt
from tests.generators.damage import Damage, Place, Raw, kind_of, shown, written

SECONDS = 5
"""Processor time for one document; the slowest takes a fifth of it on a busy machine."""
LONGEST = 700
"""The greatest number of characters of a message that names a place, without the file's path."""
ONE_PLACE = ("delete", "wrong", "other", "number", "garble")
"""Deeds after which one value is wrong, or missing, and no field is there that was not."""

several = settings(max_examples=150, deadline=None, suppress_health_check=[*HealthCheck])
many, few = settings(several, max_examples=300), settings(several, max_examples=30)


@dataclass(frozen=True, repr=False)
class Reader:
    """A reader of one kind of document.

    Attributes:
        read: reads the document; whatever it returns, it accepts.
        error: the one error that it may raise.
        words: the message of the error.
        file: the beginning of each message, before a line number.
        needs: the paths of fields that have to be there.
        kinds: the kinds of values that it takes at a path beside the kind of the valid document.
        free: the beginnings of paths at which anything may stand.
        open: the beginnings of paths at which fields that it does not know are ignored.
        exact: whether a message begins with the place of a value that is wrong or missing.
        longest: the greatest number of characters of a message.
        unplaced: beginnings of messages that name no place; after an ellipsis, parts of them.
        lines: whether the document is lines of JSON, whose numbers messages give.
        fits: whether a value fits the document's JSON Schema.
    """

    read: Callable[[bytes], object]
    error: type[Exception]
    words: Callable[[Any], str] = str
    file: str = ""
    needs: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    free: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    exact: bool = False
    longest: int = LONGEST
    unplaced: tuple[str, ...] = ()
    lines: bool = False
    fits: Callable[[Any], bool] | None = None

    def said(self, content: bytes) -> str:
        """The one line about a document that is refused, without its file; "" if it is read."""
        start = process_time()
        try:
            self.read(content)
        except self.error as error:
            said = self.words(error)
        else:
            said = ""
        assert process_time() - start < SECONDS
        if not said:
            return ""
        assert said.isprintable(), said
        assert said.startswith(self.file), said
        if self.lines:
            assert re.match(r", line \d+: ", said.removeprefix(self.file)), said
        said = re.sub(r"^(, line \d+)?: ", "", said.removeprefix(self.file))
        assert 0 < len(said) < self.longest, said
        return said

    def check(self, damage: Damage) -> None:
        """The property: damage is refused in one line that names the place, or rightly accepted."""
        said = self.said(damage.content)
        texts = damage.content.split(b"\n") if self.lines else [damage.content]
        is_json = all(map(_is_json, filter(bytes.strip, texts)))
        if said and damage.place and is_json:
            assert self._is_unplaced(said) or self._places(said, damage), said
        elif not said:
            assert is_json or (damage.is_text and not self.lines), "read, and no JSON"
            assert not self._must_refuse(damage), f"read, for all that is wrong: {damage}"
            if self.fits is not None:
                value = json.loads(damage.content.decode("utf-8-sig"))
                assert self.fits(value), "read, and refused by the schema"

    def holds(self, damages: SearchStrategy[Damage], often: settings = several) -> None:
        """Check the property of so many documents with damage."""

        @often
        @given(damages)
        def checked(damage: Damage) -> None:
            self.check(damage)

        checked()

    def _is_unplaced(self, said: str) -> bool:
        return any(
            part[1:] in said if part.startswith("…") else said.startswith(part)
            for part in self.unplaced
        )

    def _places(self, said: str, damage: Damage) -> bool:
        if self.exact and damage.deed in ONE_PLACE:
            named, place = said.partition(": ")[0], shown(damage.place)
            return place.startswith(named) or named.startswith(place)
        return any(
            part in said
            for place in (damage.place, damage.other)
            for part in (*_prefixes(place), *[own for own in place if isinstance(own, str)][-1:])
        )

    def _must_refuse(self, damage: Damage) -> bool:
        path = damage.path
        if damage.before is ... or path.startswith(self.free or ("\0",)):
            return False
        if damage.deed in ("delete", "rename") and isinstance(damage.place[-1], str):
            ignored = damage.deed == "delete" or path.startswith(self.open or ("\0",))
            return path in self.needs or not ignored
        if damage.value is ... or isinstance(damage.value, Raw):
            return False
        kinds = {kind_of(damage.before), *self.kinds.get(path, "").split()}
        return kind_of(damage.value) not in kinds


def _prefixes(place: Place) -> list[str]:
    return [shown(place[:n]) for n in range(1, len(place) + 1)]


def _is_json(content: bytes) -> bool:
    """Whether bytes are JSON in UTF-8, with each field of an object once."""
    try:
        json.loads(content.decode("utf-8-sig"), parse_constant=_none, object_pairs_hook=_once)
    except RecursionError:
        return True
    except ValueError as error:
        return "integer string conversion" in str(error)
    return True


def _none(name: str) -> NoReturn:
    raise ValueError(name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("twice")
    return found


def short(part: object) -> str:
    """A short name for one cell of a table, however large it is."""
    return re.sub(r"[^\w.-]+", "-", excerpt(part), flags=re.ASCII).strip("-")[:40] or "-"


GONE: Any = ...
"""Stands for a field that is taken away."""


def changed(document: Any, place: str, value: Any) -> bytes:
    """A document with another value at a place such as ``answers[0].t``, as JSON."""
    document = json.loads(json.dumps(document))
    path = [
        int(index) if index else name for index, name in re.findall(r"\[(\d+)\]|([^.[]+)", place)
    ]
    holder = document
    for part in path[:-1]:
        holder = holder[part]
    if not path:
        return written(value)
    if value is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return written(document)


def of_file(folder: Path, name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """A reader of bytes, which are written to a file that it reads."""
    path = folder / name

    def reading(content: bytes) -> object:
        path.write_bytes(content)
        return read(path)

    return reading
