"""Perfect matchings of two sequences of equal length.

The search looks for augmenting paths, starting from the pairs of equal positions that fit. It is
breadth first and not recursive, because answers may have more rows than Python has frames.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache


def has_perfect_matching(size: int, fits: Callable[[int, int], bool]) -> bool:
    """Whether every item can have a partner of its own that fits it.

    ``fits`` may be slow, so it is called as seldom as possible: item i first tries partner i. If
    both sequences are sorted alike, that is one call per item; in the worst case it is called for
    each pair, and its results are cached.

    Args:
        size: the number of items, and of partners.
        fits: whether the item and the partner with these positions fit.
    """
    if all(fits(item, item) for item in range(size)):
        return True
    fits = cache(fits)
    item_of: dict[int, int] = {}
    partner_of: dict[int, int] = {}

    def augment(item: int) -> bool:
        """Give an item a partner; other items move on to another partner of theirs if needed."""
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
