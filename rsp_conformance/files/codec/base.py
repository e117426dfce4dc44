"""What every codec has: how it reads and writes, and the error that it raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from rsp_conformance.files.fields import FieldError, shown

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of the schemas."""

SUFFIX: Final = "Json"
"""The end of the name of a class that exists for its document; the schema leaves it out."""

Schema: TypeAlias = dict[str, Any]
Definitions: TypeAlias = dict[str, Schema]
"""The schemas of classes, by their names."""
Rule: TypeAlias = Any
"""How values are written: a `Text`, `Via`, `Table`, `Keys`, `Codec` or `Format`, or a type."""


class Mismatch(Exception):
    """A value is not as expected; its path grows on the way out.

    Attributes:
        expected: what should be there.
        found: what was there, as an error shows it.
        hint: what to do next; may be empty.
        said: what a rule of the model says, in place of what was expected; may be empty.
        path: keys and positions, the innermost first.
    """

    def __init__(
        self, expected: str, found: str, *path: str | int, hint: str = "", said: str = ""
    ) -> None:
        super().__init__(said or expected)
        self.expected, self.found, self.hint, self.said = expected, found, hint, said
        self.path: list[str | int] = [*path]

    def error(self, where: str) -> FieldError:
        """Return the error for users, about a place below `where`."""
        for part in reversed(self.path):
            if isinstance(part, int):
                where += f"[{part}]"
            else:
                where += f".{part}" if where else part
        return FieldError(where, self.expected, self.found, hint=self.hint, said=self.said)


def mismatch(expected: str, value: object, *path: str | int, hint: str = "") -> Mismatch:
    """Return the error about a value.

    Args:
        expected: what should be there.
        value: what is there.
        path: the keys and positions at which it is, the innermost first.
        hint: what to do next.
    """
    return Mismatch(expected, shown(value), *path, hint=hint)


def of_rule(error: ValueError, value: object) -> Mismatch:
    """Return what a rule of the model, or a text's reader, says about a value."""
    if isinstance(error, FieldError):
        path = [error.field] if error.field else []
        return Mismatch(error.expected, error.found, *path, hint=error.hint, said=error.said)
    return Mismatch("", shown(value), said=str(error))


class Codec(NamedTuple):
    """How the values of one type are read and written.

    Attributes:
        read: returns the value of a JSON value, or raises `Mismatch`.
        write: returns the JSON value of a value.
        schema: returns the JSON Schema; it adds those of classes to the definitions.
        expected: the description of such values in errors.
        kinds: the classes of the JSON values.
        tag: the value of the format's tag in its objects; empty if they have none.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any], Any]
    schema: Callable[[Definitions], Schema]
    expected: str
    kinds: tuple[type, ...]
    tag: str = ""


def raw(
    read: Callable[[Any], Any],
    write: Callable[[Any], Any],
    schema: Schema,
    expected: str,
    *kinds: type,
) -> Codec:
    """Return a codec of values that are read in a way of their own.

    Args:
        read: returns the value of a JSON value, or raises a ValueError.
        write: returns the JSON value of a value.
        schema: the JSON Schema.
        expected: the description of such values in errors.
        kinds: the classes of the JSON values.
    """

    def checked(value: Any) -> Any:
        try:
            return read(value)
        except ValueError as error:
            raise of_rule(error, value) from None

    return Codec(checked, write, lambda _: dict(schema), expected, kinds)
