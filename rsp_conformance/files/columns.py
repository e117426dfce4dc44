"""Rows of Parquet tables from dataclasses: the columns are the fields, with their types.

A number of JSON is a number of the table, an array a list, an object a map. Whatever has no type of
its own in a table, a case or an answer, is a text: its JSON, by the format of its document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

import pyarrow as pa

SHORT: Final = "32 bits"
"""Marks integers of 32 bits, such as the numbers of runs."""
_TYPES: Final[Mapping[Any, Any]] = {
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    str: pa.string(),
    bytes: pa.binary(),
    Annotated[int, SHORT]: pa.int32(),
}


def schema_of(kind: type, metadata: Mapping[bytes, bytes]) -> Any:
    """Return the schema of a table whose rows are values of a class.

    Args:
        kind: the class.
        metadata: what the files say about themselves besides.
    """
    hints = get_type_hints(kind, include_extras=True)
    columns = [(own.name, _type(hints[own.name])) for own in fields(kind)]
    return pa.schema(columns, metadata=dict(metadata))


def _type(hint: Any) -> Any:
    if hint in _TYPES:
        return _TYPES[hint]
    origin, args = get_origin(hint), [arg for arg in get_args(hint) if arg is not NoneType]
    if origin is tuple:
        return pa.list_(_type(args[0]))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return pa.map_(_type(args[0]), _type(args[1]))
    if len(args) == 1:
        return _type(args[0])
    raise TypeError(f"no column for {hint}")
