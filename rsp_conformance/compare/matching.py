"""Partners for all: perfect matchings of two equally long sequences."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache


def has_perfect_matching(size: int, fits: Callable[[int, int], bool]) -> bool:
    """Whether SIZE items can have one of SIZE partners each, all different, that FITS it.

    FITS is asked as seldom as possible: item i first tries partner i, so that sequences which are
    sorted alike cost one question an item. The search is breadth first, without recursion: answers
    may have more rows than Python has frames.
    """
    if all(fits(item, item) for item in range(size)):
        return True
    fits = cache(fits)
    item_of: dict[int, int] = {}
    partner_of: dict[int, int] = {}

    def augment(item: int) -> bool:
        """Give ITEM a partner, others moving on to another of theirs where they have to."""
        came_from: dict[int, int] = {}
        waiting = deque((item,))
        while waiting:
            one = waiting.popleft()
            for partner in sorted(range(size), key=item_of.__contains__):
                if partner in came_from or not fits(one, partner):
                    continue
                came_from[partner] = one
                if partner in item_of:
                    waiting.append(item_of[partner])
                    continue
                free: int | None = partner
                while free is not None:
                    mover = came_from[free]
                    item_of[free] = mover
                    left, partner_of[mover] = partner_of.get(mover), free
                    free = left
                return True
        return False

    for item in range(size):
        if item not in item_of and fits(item, item):
            item_of[item] = partner_of[item] = item
        elif not augment(item):
            return False
    return True
