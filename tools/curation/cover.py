"""As few candidates as will do: a greedy cover of all points, and none that is not needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def greedy_cover(
    points: Mapping[Item, Collection[str]], sizes: Mapping[Item, int], kept: Sequence[Item] = ()
) -> list[Item]:
    """KEPT, and items that together have all POINTS that any has: most new ones for their size."""
    chosen = list(kept)
    left = set().union(*points.values()) - set().union(*(points[item] for item in kept))
    order = [item for item in points if item not in set(kept)]
    while left:
        best = max(order, key=lambda item: len(left.intersection(points[item])) / sizes[item])
        chosen.append(best)
        left.difference_update(points[best])
    return chosen


def without_redundant(
    chosen: Sequence[Item],
    points: Mapping[Item, Collection[str]],
    sizes: Mapping[Item, int],
    kept: Collection[Item] = (),
) -> list[Item]:
    """CHOSEN without those whose points others have, the largest looked at first; KEPT stay."""
    times = Counter(point for item in chosen for point in points[item])
    left = list(chosen)
    for item in sorted(chosen, key=lambda item: -sizes[item]):
        if item not in kept and all(times[point] > 1 for point in points[item]):
            left.remove(item)
            times.subtract(points[item])
    return left
