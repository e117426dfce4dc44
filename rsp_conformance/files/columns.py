"""Parquet tables whose columns are fields of dataclasses.

A number of JSON is a number of the table, an array of texts a list, an object a map. Whatever has
no type of its own in a table, such as a cause, is a text: its JSON, by the format of its document.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin, get_type_hints

import pyarrow as pa

from rsp_conformance.files.codec import Format
from rsp_conformance.files.files import FileError, parse_json

SHORT: Final = "32 bits"
"""Marks integers of 32 bits, such as the numbers of runs."""
COLUMN: Final = "column"
"""The key of a field's metadata that says the name of its column, if it is another one."""
_TYPES: Final[Mapping[Any, Any]] = {
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    str: pa.string(),
    bytes: pa.binary(),
    Annotated[int, SHORT]: pa.int32(),
}
V = TypeVar("V")


class Table:
    """A table with the values of some dataclasses, side by side.

    Args:
        names: the columns, in order.
        kinds: the classes whose fields they are; of two fields of one name the first counts.
        form: the format of what has no type of its own in a table.
        metadata: what the files say about themselves besides.

    Attributes:
        schema: the columns with their types, as pyarrow has them.
    """

    def __init__(
        self, names: str, *kinds: type, form: Format, metadata: Mapping[bytes, bytes]
    ) -> None:
        self._form = form
        found: dict[str, tuple[int, str, Any]] = {}
        for place, kind in enumerate(kinds):
            hints = get_type_hints(kind, include_extras=True)
            for own in fields(kind):
                column = own.metadata.get(COLUMN, own.name)
                found.setdefault(column, (place, own.name, hints[own.name]))
        self._columns = {name: found[name] for name in names.split()}
        types = [(name, _type(hint) or pa.string()) for name, (*_, hint) in self._columns.items()]
        self.schema: Any = pa.schema(types, metadata=dict(metadata))

    def row(self, *values: object) -> dict[str, Any]:
        """Return the row of some values, one of each class."""
        return {
            name: self._written(getattr(values[place], field), hint)
            for name, (place, field, hint) in self._columns.items()
        }

    def read(self, kind: type[V], row: Mapping[str, Any], path: Path) -> V:
        """Return the value of a class that a row holds.

        Args:
            kind: the class; a field without a column needs a default.
            row: the row.
            path: its file, for errors.

        Raises:
            FileError: the row holds something else.
        """
        hints, given = get_type_hints(kind, include_extras=True), dict[str, Any]()
        for own in fields(kind):  # type: ignore[arg-type]
            name = own.metadata.get(COLUMN, own.name)
            if name in row:
                given[own.name] = self._read(row[name], hints[own.name], name, path)
        return kind(**given)

    def _written(self, value: Any, hint: Any) -> Any:
        if _type(hint) is None:
            return json.dumps(self._form.write(hint, value), separators=(",", ":"))
        return [*value.items()] if isinstance(value, Mapping) else value

    def _read(self, value: Any, hint: Any, name: str, path: Path) -> Any:
        if _type(hint) is None:
            return read_json(value, self._form, hint, path, name)
        origin = get_origin(hint)
        try:
            if isinstance(origin, type) and issubclass(origin, tuple | Mapping):
                return tuple(value) if origin is tuple else dict(value)
        except (TypeError, ValueError) as error:
            raise FileError(path, f"damaged: {name}: {error}") from None
        return value


def read_json(text: str, form: Format, hint: Any, path: Path, where: str) -> Any:
    """Return the value that a column holds as JSON.

    Args:
        text: the JSON.
        form: the format of the document.
        hint: the value's type.
        path: the table or its file, for errors.
        where: the column, for errors.

    Raises:
        FileError: it holds something else.
    """
    try:
        return form.read(hint, parse_json(text, path), where)
    except FileError as error:
        raise FileError(path, f"damaged: {where}: {error.message}") from None
    except ValueError as error:
        raise FileError(path, f"damaged: {error}") from None


def _type(hint: Any) -> Any:
    """The type of a column; None for what is written as JSON."""
    if hint in _TYPES:
        return _TYPES[hint]
    origin, args = get_origin(hint), [arg for arg in get_args(hint) if arg is not NoneType]
    types = [_type(arg) for arg in args if arg is not Ellipsis]
    if not types or None in types:
        return None
    if origin is tuple:
        return pa.list_(types[0])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return pa.map_(*types)
    return types[0]
