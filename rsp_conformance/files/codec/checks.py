"""Conditions on values beyond their type, for `Annotated`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rsp_conformance.files.codec.base import Codec, Definitions, Mismatch, Schema, mismatch


@dataclass(frozen=True, eq=False)
class Check:
    """For `Annotated`: a condition on values beyond their type.

    Attributes:
        holds: whether it holds for a value.
        expected: the description of such values in errors.
        schema: the condition as JSON Schema.
    """

    holds: Callable[[Any], object]
    expected: str
    schema: Mapping[str, Any] = field(default_factory=dict)


def at_least(least: int) -> Check:
    """Return the condition that an integer is at least `least`."""
    expected = f"an integer of at least {least}"
    return Check(lambda value: value >= least, expected, {"minimum": least})


def at_most(most: int) -> Check:
    """Return the condition that an integer is at most `most`."""
    expected = f"an integer of at most {most}"
    return Check(lambda value: value <= most, expected, {"maximum": most})


def one_of(names: Iterable[str]) -> Check:
    """Return the condition that a text is one of the names."""
    known = tuple(names)
    return Check(known.__contains__, f"one of {', '.join(known)}", {"enum": [*known]})


def matching(pattern: str, expected: str) -> Check:
    """Return the condition that a text matches a pattern as a whole."""
    matches = re.compile(pattern).fullmatch
    return Check(matches, expected, {"pattern": whole_match(pattern)})


def whole_match(pattern: str) -> str:
    """Return a pattern for JSON Schema; in Python's dialect `$` allows a line end after it."""
    return rf"^(?:{pattern})$(?!\n)"


def described(read: Callable[[Any], Any], narrow: str, expected: str, value: object) -> Any:
    """Return what `read` returns; an error about the value as such expects `expected`.

    Raises:
        Mismatch: there is no value; an error about what the value contains stays as it is.
    """
    try:
        return read(value)
    except Mismatch as error:
        if error.path or error.expected != narrow:
            raise
    raise mismatch(expected, value)


def checked(inner: Codec, rules: tuple[Check, ...]) -> Codec:
    """Return the codec of values for which conditions hold besides; the first describes them."""
    expected = rules[0].expected

    def read(value: Any) -> Any:
        found = described(inner.read, inner.expected, expected, value)
        for rule in rules:
            if not rule.holds(found):
                raise mismatch(rule.expected, value)
        return found

    def schema(definitions: Definitions) -> Schema:
        found = dict(inner.schema(definitions))
        for rule in rules:
            found |= rule.schema
        return found

    return inner._replace(read=read, schema=schema, expected=expected)
