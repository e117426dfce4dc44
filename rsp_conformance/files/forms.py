"""Forms of JSON values as data: pydantic reads a value by its form, and writes its JSON Schema.

A value that does not fit its form raises one `FieldError`, which names the place, the expected
value and the value found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, core_schema

from rsp_conformance.files.fields import MISSING, FieldError, fail, shown

LONGEST: Final = 1_000_000
"""The greatest number of characters in a text: a hundred times the longest generated one. It bounds
the time that a text from another program can take."""

_EXPECTED: Final = {
    "missing": "a value",
    "string_type": "a string",
    "string_unicode": "a string without lone surrogates",
    "string_too_long": "a string of at most {max_length} characters",
    "bool_type": "true or false",
    "int_type": "an integer",
    "float_type": "a number",
    "greater_than_equal": "an integer of at least {ge}",
    "less_than_equal": "an integer of at most {le}",
    "literal_error": "one of {expected}",
    "union_tag_invalid": "one of {expected_tags}",
    "union_tag_not_found": "a value",
    "list_type": "an array",
    "frozen_set_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "recursion_loop": "a value without cycles, nested less deeply",
}
"""What pydantic's kinds of error expect, in words."""


class JsonForm(BaseModel):
    """The form of a JSON object; fields that it does not name are ignored.

    It is strict: JSON's `true` is not a number, and `null` does not mean absence.
    """

    model_config = ConfigDict(
        strict=True, extra="ignore", frozen=True, use_attribute_docstrings=True
    )


@dataclass(frozen=True)
class Matching:
    """Marks strings that match a pattern as a whole and are at most `LONGEST` characters long.

    Attributes:
        pattern: the regular expression.
        expected: the description of such strings in errors.
    """

    pattern: str
    expected: str

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Return how pydantic reads such a string."""
        text = core_schema.str_schema(strict=True, max_length=LONGEST)
        return core_schema.no_info_after_validator_function(self._check, text)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        """Return the JSON Schema; in Python's dialect `$` alone would allow a line end after it."""
        return {**handler(schema), "pattern": rf"^(?:{self.pattern})$(?!\n)"}

    def _check(self, text: str) -> str:
        if not re.fullmatch(self.pattern, text):
            fail("", self.expected, text)
        return text


@dataclass(frozen=True)
class Kept:
    """Marks mappings of a form that are kept as sent, without fields unknown to the form."""

    form: type[JsonForm]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Return how pydantic reads such a mapping."""
        form = handler.generate_schema(self.form)
        return core_schema.no_info_after_validator_function(
            lambda read: read.model_dump(exclude_unset=True), form
        )


Text = Annotated[str, Matching("[^\ud800-\udfff]*", "a string without lone surrogates")]
ABSENT: Final[Any] = Field(default_factory=lambda: None)
"""A member that may be absent, which reads as None; `null` is refused."""
MANY: Final = Field(strict=False, fail_fast=True)
"""Marks lists that are read up to the first wrong item; a Python engine may send tuples."""


def read_form(form: TypeAdapter[Any], value: object, where: str = "", context: Any = None) -> Any:
    """Return the value that a form reads.

    Args:
        form: the form.
        value: the JSON value.
        where: the value's place, for errors.
        context: passed to the form's validators.

    Raises:
        FieldError: the value is not of the form.
    """
    try:
        return form.validate_python(value, context=context)
    except ValidationError as error:
        (first, *_) = error.errors(include_url=False)
    except RecursionError:
        raise FieldError(where, "a value that is nested less deeply", "a deeper one") from None
    parent, name = first["input"], first["loc"][-1] if first["loc"] else ""
    if first["type"] != "missing":
        raise _field_error(first, value, where)
    # The error describes what should be there and what is there: nothing.
    parent[name] = MISSING
    try:
        return read_form(form, value, where, context)
    finally:
        del parent[name]


def _field_error(first: ErrorDetails, value: Any, where: str) -> FieldError:
    """Return an error of pydantic's in the words, and with the place, of the kit's errors."""
    kind, context, found = first["type"], first.get("ctx", {}), first["input"]
    place = _place(first["loc"], value, where)
    own = context.get("error")
    if isinstance(own, FieldError):
        below = "." if own.field and place else ""
        return FieldError(place + below + own.field, own.expected, own.found, hint=own.hint)
    if kind.startswith("union_tag") and not isinstance(found, dict):
        kind = "dict_type"
    elif kind.startswith("union_tag"):
        tag = context["discriminator"].strip("'")
        place, found = f"{place}.{tag}", found.get(tag, MISSING)
    said = {name: re.sub(r" or (?=')", ", ", str(text)) for name, text in context.items()}
    expected = _EXPECTED[kind].format(**said) if kind in _EXPECTED else first["msg"]
    return FieldError(place, expected.replace("'", ""), shown(found))


def _place(parts: tuple[int | str, ...], value: Any, where: str) -> str:
    """Return the place that `parts` name within `value`, without the names of alternatives."""
    if "[key]" in parts:
        parts = parts[: parts.index("[key]") - 1]
    for part in parts:
        if isinstance(part, int) and isinstance(value, list | tuple) and part < len(value):
            where, value = f"{where}[{part}]", value[part]
        elif isinstance(value, dict) and part in value:
            where, value = f"{where}.{part}" if where else str(part), value[part]
    return where
