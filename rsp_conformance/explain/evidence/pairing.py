"""The pairing of expected with received answers that keeps their order and costs least.

**What is sought.** The list in which a reader sees answers side by side. Each answer without a
partner costs something, and so may a pair; two answers that don't belong together are no pair.

**How.** By dynamic programming, as for the longest common subsequence: the cost of pairing two
rests of the sequences is the least of leaving out the first expected answer, leaving out the first
received answer, or pairing the two. Then the choices are read off from the beginning. Of equally
cheap pairings the one that pairs earliest is taken.

**What it costs.** The product of the two lengths, in time and memory, which a report can afford:
whether an answer is right is decided by another pairing (`spec.alignment_pairing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

Pair: TypeAlias = tuple[int | None, int | None]
"""Positions of an expected and of a received answer; None for a partner that is missing."""


def cheapest_pairing(
    expected: Sequence[int],
    received: Sequence[int],
    together: Callable[[int, int], int | None],
    expected_first: Callable[[int, int], bool] = lambda i, j: True,
) -> list[Pair]:
    """Return the pairs of the cheapest pairing that keeps both orders.

    Args:
        expected: the cost of each expected answer that has no partner.
        received: the cost of each received answer that has no partner.
        together: the cost of a pair, by the positions of its answers; None if they are no pair.
        expected_first: of two answers without a partner, whether the expected one comes first.
    """
    # cost[i][j]: of pairing what follows the first i expected and the first j received.
    cost = [[0] * (len(received) + 1) for _ in range(len(expected) + 1)]
    pairs: dict[tuple[int, int], int] = {}
    for i in range(len(expected), -1, -1):
        for j in range(len(received), -1, -1):
            choices = [cost[i + 1][j] + expected[i]] if i < len(expected) else []
            choices += [cost[i][j + 1] + received[j]] if j < len(received) else []
            if i < len(expected) and j < len(received):
                both = together(i, j)
                if both is not None:
                    pairs[i, j] = both
                    choices.append(cost[i + 1][j + 1] + both)
            cost[i][j] = min(choices, default=0)
    found: list[Pair] = []
    i = j = 0
    while i < len(expected) or j < len(received):
        both = pairs.get((i, j))
        if both is not None and cost[i][j] == cost[i + 1][j + 1] + both:
            found.append((i, j))
            i, j = i + 1, j + 1
            continue
        expected_alone = i < len(expected) and cost[i][j] == cost[i + 1][j] + expected[i]
        received_alone = j < len(received) and cost[i][j] == cost[i][j + 1] + received[j]
        if expected_alone and (not received_alone or expected_first(i, j)):
            found.append((i, None))
            i += 1
        else:
            found.append((None, j))
            j += 1
    return found
