"""JSON text, read strictly: no NaN, and no field twice in one object."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

from rsp_conformance.files.fields import double
from rsp_conformance.model.errors import excerpt


def load(text: str, numbers: Callable[[str], Any] = double) -> Any:
    """Return the value of a JSON text.

    Args:
        text: the text.
        numbers: reads numbers with a point or an exponent.

    Raises:
        ValueError: it is not JSON, or a number is too large; a JSONDecodeError has the place.
        RecursionError: it is nested too deeply for Python.
    """
    return json.loads(
        text, parse_float=numbers, parse_constant=_no_constant, object_pairs_hook=_members_once
    )


def too_deep(value: Any, most: int) -> Any:
    """Return an array or object within `value` that is nested in `most` others, or None."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(most):
        if not level:
            return None
        inner = (v.values() if isinstance(v, dict) else v for v in level)
        level = [v for values in inner for v in values if isinstance(v, dict | list)]
    return level[0] if level else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _members_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {excerpt(twice)} stands twice in one object")
    return found
