"""The hash of a value that holds much and is looked up again and again: computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any


class KeptHash:
    """A base of frozen dataclasses with slots, which have to name its ``__hash__`` as theirs.

    The hash is that of the fields that are compared. It is neither copied nor pickled: in another
    process it is another one.
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
    """What two values of KIND, a dataclass, have to have in common to be equal."""
    return attrgetter(*(field.name for field in fields(kind) if field.compare))
