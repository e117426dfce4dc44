"""Rules: how values of a class are written if their JSON differs from the class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rsp_conformance.files.codec.base import (
    Codec,
    Definitions,
    Rule,
    Schema,
    mismatch,
    of_rule,
)
from rsp_conformance.files.codec.plain import mapping

if TYPE_CHECKING:
    from rsp_conformance.files.codec.format import Format

BESIDE: Final = "*"
"""Marks, in the keys of a rule, the field whose members are beside those of the others."""


@dataclass(frozen=True)
class Text:
    """The rule for values that are written as texts.

    Attributes:
        write: returns the text of a value.
        read: returns the value of a text; its ValueError says what is wrong.
        expected: the description of such texts in errors.
        schema: what the schema says instead of "a string"; None for no more than this.
    """

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    expected: str
    schema: Mapping[str, Any] | None = None

    def codec(self, form: Format) -> Codec:
        """Return the codec."""
        text, of, expected = form.codec(str), self.read, self.expected

        def read(value: Any) -> Any:
            if not isinstance(value, str):
                raise mismatch(expected, value)
            try:
                return of(text.read(value))
            except ValueError as error:
                raise of_rule(error, value) from None

        def schema(definitions: Definitions) -> Schema:
            if self.schema is not None:
                return dict(self.schema)
            return text.schema(definitions) | {"description": expected}

        return Codec(read, self.write, schema, expected, (str,))


@dataclass(frozen=True)
class Via:
    """The rule for values that are written as values of another type.

    Attributes:
        other: the other type.
        of: returns the value for a value of the other type; a ValueError says what is wrong.
        to: the inverse.
    """

    other: Any
    of: Callable[[Any], Any]
    to: Callable[[Any], Any]

    def codec(self, form: Format) -> Codec:
        """Return the codec."""
        inner, of, to = form.codec(self.other), self.of, self.to
        inner_read, inner_write = inner.read, inner.write

        def read(value: Any) -> Any:
            found = inner_read(value)
            try:
                return of(found)
            except ValueError as error:
                raise of_rule(error, value) from None

        return inner._replace(read=read, write=lambda value: inner_write(to(value)))


@dataclass(frozen=True)
class Table:
    """The rule for objects that are read as dictionaries.

    Attributes:
        known: the type or rule of each member with a known name; all are optional.
        others: the type or rule of all other members.
        names: the type or rule of the names.
    """

    known: Mapping[str, Rule]
    others: Rule
    names: Rule = str

    def codec(self, form: Format) -> Codec:
        """Return the codec."""
        known = {key: form.codec(rule) for key, rule in self.known.items()}
        return mapping(form.codec(self.names), form.codec(self.others), known)


@dataclass(frozen=True)
class Keys:
    """The rule for the objects of a class, as far as they differ from its fields.

    Attributes:
        keys: the keys in order, ``key=field`` if they differ, or the fields by their keys; empty
            for all fields as they are. ``*field`` is a field whose own members stand among the
            others: it is read from the keys that no other field has.
        members: for fields that are written in a way of their own, the type or rule.
        fixed: for keys that no field has, the value that is written and the type that is read.
        omit: the fields that are left out if they have their default; ``*`` for all.
        absent: the fields that are left out, and for which null is refused, if their default is
            None; ``*`` for all of these.
        required: keys that must be there although their fields have a default.
        make: makes the value of the fields that were read; by default the class.
        open: whether keys without a field are ignored; None for the format's way.
        tag: the value of the format's tag; empty for none, None for the format's way.
        schema: what the schema says besides.
    """

    keys: str | Mapping[str, str] = ""
    members: Mapping[str, Rule] = field(default_factory=dict)
    fixed: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    omit: str = ""
    absent: str = ""
    required: str = ""
    make: Callable[..., Any] | None = None
    open: bool | None = None
    tag: str | None = None
    schema: Mapping[str, Any] = field(default_factory=dict)
