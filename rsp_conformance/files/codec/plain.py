"""Codecs of plain values, and of those that contain others: arrays, objects, choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from math import isfinite
from types import MappingProxyType, NoneType
from typing import Any, Final

from rsp_conformance.files.codec.base import Codec, Definitions, Mismatch, Schema, mismatch
from rsp_conformance.files.codec.checks import whole_match
from rsp_conformance.files.fields import shown


def _plain(kind: type, expected: str, name: str) -> Codec:
    def read(value: Any) -> Any:
        # JSON's `true` is not a number here, although Python's is.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise mismatch(expected, value)
        return value

    return Codec(read, _same, lambda _: {"type": name}, expected, (kind,))


def _same(value: Any) -> Any:
    return value


def string(longest: int | None) -> Codec:
    """Return the codec of texts of at most `longest` characters."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise mismatch("a string", value)
        if longest is not None and len(value) > longest:
            raise mismatch(f"a string of at most {longest} characters", value)
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise mismatch("a string without lone surrogates", value) from None
        return value

    schema: Schema = {"type": "string"}
    if longest is not None:
        schema |= {"maxLength": longest, "pattern": whole_match("[^\ud800-\udfff]*")}
    return Codec(read, _same, lambda _: dict(schema), "a string", (str,))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise mismatch("a number", value)
    try:
        found = float(value)
    except OverflowError:
        found = float("inf")
    if not isfinite(found):
        raise mismatch("a number that a double holds", value)
    return found


KINDS: Final = (dict, list, str, bool, int, float, NoneType, Decimal, tuple)
"""The classes of JSON values; numbers are exact at a driver's border, and a tuple is an array."""
PLAIN: Final[dict[Any, Codec]] = {
    int: _plain(int, "an integer", "integer"),
    bool: _plain(bool, "true or false", "boolean"),
    NoneType: _plain(NoneType, "null", "null"),
    float: Codec(_number, _same, lambda _: {"type": "number"}, "a number", (float, int, Decimal)),
    Any: Codec(_same, _same, lambda _: {}, "a value", KINDS),
}


ANY_TEXT: Final = _plain(str, "a string", "string")
"""Any text of Python, half of a character included."""


def kind_of(value: object) -> type:
    """Return which of JSON's kinds a value is, that of a subclass included."""
    kind = type(value)
    if kind in KINDS:
        return kind
    return next((known for known in KINDS if isinstance(value, known)), kind)


def choice(choices: Mapping[Any, Any], write: Callable[[Any], Any]) -> Codec:
    """Return the codec of the values of some JSON values, which are texts as a rule."""
    named = [str(value) for value in choices]
    expected = f"one of {', '.join(named)}" if len(named) > 1 else shown(*choices)
    kinds = tuple(dict.fromkeys(type(value) for value in choices))

    def read(value: Any) -> Any:
        if kind_of(value) not in kinds or value not in choices:
            raise mismatch(expected, value)
        return choices[value]

    return Codec(read, write, lambda _: {"enum": [*choices]}, expected, kinds)


def or_null(inner: Codec) -> Codec:
    """Return the codec of values that may be None."""
    return Codec(
        lambda value: None if value is None else inner.read(value),
        lambda value: None if value is None else inner.write(value),
        lambda definitions: {"anyOf": [inner.schema(definitions), {"type": "null"}]},
        f"{inner.expected} or null",
        (*inner.kinds, NoneType),
    )


def many(item: Codec, make: Callable[[Iterable[Any]], Any]) -> Codec:
    """Return the codec of arrays of items, read up to the first wrong one."""
    reader, writer = item.read, item.write
    in_order: Callable[[Any], Any] = sorted if make is frozenset else _same

    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise mismatch("an array", value)
        found = []
        try:
            for own in value:
                found.append(reader(own))
        except Mismatch as error:
            error.path.append(len(found))
            raise
        return make(found)

    def write(value: Any) -> Any:
        return in_order([writer(own) for own in value])

    def schema(definitions: Definitions) -> Schema:
        return {"type": "array", "items": item.schema(definitions)}

    return Codec(read, write, schema, "an array", (list, tuple))


def mapping(name: Codec, others: Codec, known: Mapping[str, Codec] = MappingProxyType({})) -> Codec:
    """Return the codec of objects that are read as dictionaries.

    Args:
        name: the codec of the keys.
        others: the codec of the members that `known` does not have.
        known: the codecs of members with a codec of their own; all of these are optional.
    """

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise mismatch("an object", value)
        found = {}
        for key, own in value.items():
            named = name.read(key)  # An error about a key is about the whole object.
            try:
                found[named] = known.get(key, others).read(own)
            except Mismatch as error:
                error.path.append(str(key))
                raise
        return found

    def write(value: Any) -> Any:
        return {name.write(key): known.get(key, others).write(own) for key, own in value.items()}

    def schema(definitions: Definitions) -> Schema:
        keys = name.schema(definitions)
        said: Schema = {} if keys == {"type": "string"} else {"propertyNames": keys}
        if known:
            said["properties"] = {key: own.schema(definitions) for key, own in known.items()}
        return {"type": "object", **said, "additionalProperties": others.schema(definitions)}

    return Codec(read, write, schema, "an object", (dict,))
