"""A hash that is computed once, for large values that are looked up often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any


class CachedHash:
    """A base class of frozen dataclasses with slots that stores the hash of each value.

    A subclass must set ``__hash__ = CachedHash.__hash__``, because ``dataclass`` replaces it
    otherwise. The hash covers the fields that are compared. It is neither copied nor pickled,
    because it differs from process to process.
    """

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            kind: Any = type(self)
            found = hash(compared(kind)(self))
            object.__setattr__(self, "_hash", found)
            return found


@lru_cache(maxsize=64)
def compared(kind: Any) -> Callable[[Any], Any]:
    """A function that gets the fields in which two equal values of a dataclass agree."""
    return attrgetter(*(field.name for field in fields(kind) if field.compare))
