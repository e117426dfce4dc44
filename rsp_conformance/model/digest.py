"""Digests: the name of a value by its content, the same in every process and on every machine.

A digest is a key for memos, files and exchanges between processes. Values that are equal have the
same digest, because it covers the fields that two equal values share. Python's own hash is no such
name: that of a text differs from process to process. Nor is JSON: it is slower to write, and its
form changes more often than the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from rsp_conformance.model.cached_hash import CachedHash
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple

DIGITS: Final = 32
"""The length of a digest, in hexadecimal digits. At 128 bits, a collision among the records of all
runs together is out of the question; half as many would be risky beyond 10⁸ records."""
ADDED: Final = {"added": True}
"""The metadata of a field that a class got after its values had digests. It is part of a digest
only if it has not its default, so that these values keep theirs."""


class Digested(CachedHash):
    """A base class of frozen dataclasses with slots that stores the digest of each value.

    A subclass must set ``__hash__ = CachedHash.__hash__``, as for `CachedHash`.
    """

    __slots__ = ("_digest",)
    _digest: str

    @property
    def digest(self) -> str:
        """The digest of the value's content."""
        try:
            return self._digest
        except AttributeError:
            found = _hexadecimal(_fields_written(self))
            object.__setattr__(self, "_digest", found)
            return found


def digest_of(*values: object) -> str:
    """The digest of several values together.

    They may be texts, numbers, sets, mappings, sequences, terms and frozen dataclasses.

    Raises:
        TypeError: a value is of another type, which has no content that two processes agree on.
    """
    return _hexadecimal(_written(values))


def _hexadecimal(text: str) -> str:
    # Surrogates without a partner are legal in the texts of the model, and not in UTF-8.
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _written(value: object) -> str:
    """Write a value in a way in which no other value is written."""
    write = _WRITERS.get(type(value))
    if write is None:
        write = _WRITERS[type(value)] = _writer(value)
    return write(value)


def _writer(value: object) -> Callable[[Any], str]:
    """The function that writes values of the type of ``value``."""
    if isinstance(value, Digested):
        return lambda own: f"#{own.digest}"
    if isinstance(value, Enum):
        return lambda own: f"{type(own).__name__}.{own.name} "
    if is_dataclass(value):
        return _fields_written
    if isinstance(value, Mapping):
        return lambda own: _written(frozenset(own.items()))
    raise TypeError(f"{type(value).__name__} has no digest")


def _fields_written(value: Any) -> str:
    kind: Any = type(value)
    name, compared, added = _content_of(kind)
    written = [_written(getattr(value, field)) for field in compared]
    for field, default in added:
        if (own := getattr(value, field)) != default:
            written.append(f"{field}={_written(own)}")
    return f"{name}({''.join(written)})"


@lru_cache(maxsize=256)
def _content_of(kind: Any) -> tuple[str, tuple[str, ...], tuple[tuple[str, Any], ...]]:
    """The name of a dataclass, and the fields in which two equal values agree.

    Those that were `ADDED` stand apart, with their defaults.

    A class that only shows itself in another way, and adds no field, has the name of its base.
    """
    own = next(base for base in kind.__mro__ if "__dataclass_fields__" in vars(base))
    compared = [field for field in fields(kind) if field.compare]
    added = tuple((field.name, field.default) for field in compared if field.metadata == ADDED)
    known = tuple(field.name for field in compared if field.metadata != ADDED)
    return own.__name__, known, added


def _text(value: str) -> str:
    return f"{len(value)}:{value}"


def _number(value: object) -> str:
    return f"{value!r} "


def _sequence(values: Any) -> str:
    return f"[{''.join([_written(own) for own in values])}]"


def _set(values: Any) -> str:
    return f"{{{''.join(sorted([_written(own) for own in values]))}}}"


@lru_cache(maxsize=2**14)  # The terms of some hundred cases, which have most of them in common.
def _term(value: Any) -> str:
    kind, parts = value.__reduce__()
    if kind is Literal and value.language:  # Literals are equal whatever the case of their tags.
        parts = (value.lexical, value.datatype, value.language.lower())
    return f"{kind.__name__}{_sequence(parts)}"


_WRITERS: Final[dict[type, Callable[[Any], str]]] = {
    str: _text,
    **dict.fromkeys((int, bool, float, Fraction, type(None)), _number),
    **dict.fromkeys((tuple, list), _sequence),
    **dict.fromkeys((frozenset, set), _set),
    **dict.fromkeys((IRI, BlankNode, Literal, Triple), _term),
}
"""How values are written, by their exact type; others are added as they are met."""
