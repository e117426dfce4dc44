"""Pairing what is due with what was given, in order, so that as much as possible agrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

Pair: TypeAlias = tuple[int | None, int | None]
"""Positions of an answer due and of one given; None where the other one has no partner."""


def cheapest_pairing(
    due: Sequence[int],
    given: Sequence[int],
    together: Callable[[int, int], int | None],
    due_first: Callable[[int, int], bool] = lambda i, j: True,
) -> list[Pair]:
    """The pairs of the cheapest pairing that keeps both orders.

    DUE and GIVEN are the costs of answers without partner, TOGETHER that of a pair, None where the
    two are none. Of equally cheap pairings that with the most partners is taken; of two answers
    without partner DUE_FIRST says whether the one due comes first.
    """
    # cost[i][j]: of pairing what follows the first i due and the first j given.
    cost = [[0] * (len(given) + 1) for _ in range(len(due) + 1)]
    pairs: dict[tuple[int, int], int] = {}
    for i in range(len(due), -1, -1):
        for j in range(len(given), -1, -1):
            choices = [cost[i + 1][j] + due[i]] if i < len(due) else []
            choices += [cost[i][j + 1] + given[j]] if j < len(given) else []
            if i < len(due) and j < len(given):
                both = together(i, j)
                if both is not None:
                    pairs[i, j] = both
                    choices.append(cost[i + 1][j + 1] + both)
            cost[i][j] = min(choices, default=0)
    found: list[Pair] = []
    i = j = 0
    while i < len(due) or j < len(given):
        both = pairs.get((i, j))
        if both is not None and cost[i][j] == cost[i + 1][j + 1] + both:
            found.append((i, j))
            i, j = i + 1, j + 1
            continue
        due_alone = i < len(due) and cost[i][j] == cost[i + 1][j] + due[i]
        given_alone = j < len(given) and cost[i][j] == cost[i][j + 1] + given[j]
        if due_alone and (not given_alone or due_first(i, j)):
            found.append((i, None))
            i += 1
        else:
            found.append((None, j))
            j += 1
    return found
