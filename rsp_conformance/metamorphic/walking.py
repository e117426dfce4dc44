"""Queries with parts put in place of others, by the fields of the algebra."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rsp_conformance.model.windows import WindowDeclaration

BARE = frozenset({"prefixes", "base", "datatype"})
"""Fields that hold texts about how something is written, not parts of it."""


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """VALUE with CHANGE applied to every part of it, the innermost first.

    Window declarations are left as they are: their names are no part of the data.
    """
    if isinstance(value, tuple):
        return tuple(mapped(part, change) for part in value)
    if isinstance(value, WindowDeclaration):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        changes = {}
        for field in fields(value):
            if field.name in BARE or not field.init:
                continue
            before = getattr(value, field.name)
            after = mapped(before, change)
            if after is not before and after != before:
                changes[field.name] = after
        value = replace(value, **changes) if changes else value
    return change(value)
