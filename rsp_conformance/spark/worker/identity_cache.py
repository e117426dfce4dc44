"""What is found out about a query once, however often it is evaluated."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from rsp_conformance.model.query import Query

T = TypeVar("T")


class Remembered(Generic[T]):
    """What is known of the queries met last, by identity: to hash a query costs too much."""

    def __init__(self, make: Callable[[Query], T], most: int = 256) -> None:
        self._make = make
        self._most = most
        self._known: OrderedDict[int, tuple[Query, T]] = OrderedDict()

    def of(self, query: Query) -> T:
        """What is known of QUERY, found out at the first call."""
        # The query is kept with what is known of it, so no other can have its identity meanwhile.
        known = self._known.get(id(query))
        if known is None:
            known = self._known[id(query)] = (query, self._make(query))
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return known[1]
