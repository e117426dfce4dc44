"""Which rows with blank nodes can stand for which: colour refinement before any search.

Without it a wrong answer is told from a right one only after every order of the rows that differ
in blank nodes has been tried. Rows that may stand for each other are in one component, whatever the
pairing; so two blank nodes that a bijection pairs occur equally often in rows of each component,
beside nodes of which the same holds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeAlias

from rsp_conformance.model.terms import BlankNode

Nodes: TypeAlias = Sequence[tuple[BlankNode, ...]]
"""For each row its blank nodes, in the order of its cells, with repetitions."""
Colours: TypeAlias = dict[BlankNode, int]


def refined(
    expected: Nodes, observed: Nodes, candidates: Sequence[Sequence[int]]
) -> list[list[int]]:
    """For each expected row those of its CANDIDATES whose blank nodes have the colours of its own.

    CANDIDATES are the observed rows that may stand for it, blank nodes aside. Every pairing that
    goes with a bijection is still there.
    """
    left, right = _components(candidates, len(observed))
    ours: Colours = {node: 0 for row in expected for node in row}
    theirs: Colours = {node: 0 for row in observed for node in row}
    count = 1
    while True:
        names: dict[Hashable, int] = {}
        ours = _next_round(expected, left, ours, names)
        theirs = _next_round(observed, right, theirs, names)
        if len(names) == count:
            break
        count = len(names)
    shades = [tuple([theirs[node] for node in row]) for row in observed]
    return [
        [index for index in fitting if shades[index] == tuple([ours[node] for node in row])]
        for row, fitting in zip(expected, candidates, strict=True)
    ]


def _next_round(
    rows: Nodes, components: Sequence[int], colours: Colours, names: dict[Hashable, int]
) -> Colours:
    """Finer COLOURS; NAMES numbers them alike for both sides."""
    seen: dict[BlankNode, Counter[Hashable]] = defaultdict(Counter)
    for row, component in zip(rows, components, strict=True):
        beside = (component, tuple([colours[node] for node in row]))
        for place, node in enumerate(row):
            seen[node][beside, place] += 1
    return {
        node: names.setdefault((colours[node], frozenset(places.items())), len(names))
        for node, places in seen.items()
    }


def _components(candidates: Sequence[Sequence[int]], observed: int) -> tuple[list[int], list[int]]:
    """The component of each expected and of each observed row; -1 for rows that nobody fits."""
    left, right = [-1] * len(candidates), [-1] * observed
    fits: list[list[int]] = [[] for _ in range(observed)]
    for row, fitting in enumerate(candidates):
        for index in fitting:
            fits[index].append(row)
    for first in range(len(candidates)):
        waiting = [] if left[first] >= 0 else [first]
        while waiting:
            row = waiting.pop()
            if left[row] >= 0:
                continue
            left[row] = first
            for index in candidates[row]:
                if right[index] < 0:
                    right[index] = first
                    waiting += fits[index]
    return left, right
