"""Calls shared out among processes, for commands that measure for long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def results(
    call: Callable[[Item], Result], items: Iterable[Item], jobs: int, *, ordered: bool = True
) -> Iterator[Result]:
    """Yield what a function returns for each item.

    Args:
        call: the function; processes must be able to import it.
        items: what it is called with.
        jobs: how many processes call it. With 1, this process calls it itself.
        ordered: whether the results come in the order of the items, or as they are ready.
    """
    if jobs == 1:
        yield from map(call, items)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from (pool.imap if ordered else pool.imap_unordered)(call, items)
