"""Rows with blank nodes: whether they pair off under one bijection (SEMANTICS 5; decision 25).

Backtracking alone would try every order of rows that differ in blank nodes only before it finds
that an answer is wrong. So blank nodes get colours first, by where they occur and beside what,
until no round tells more of them apart: nodes that a bijection pairs have one colour, and rows are
paired with rows of the same colours alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rsp_conformance.model.terms import blank_nodes
from rsp_conformance.spark.codec import decode_term

Cells: TypeAlias = tuple[str, ...]
Mapping: TypeAlias = "dict[str, str]"
Colours: TypeAlias = "dict[str, int]"
Agree: TypeAlias = Callable[[Cells, Cells, Mapping, Mapping], bool]
"""Whether two rows agree under a bijection, both ways, which is extended where it has to be."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its cells, what any row that agrees with it shares, and its blank nodes in order."""

    cells: Cells
    shape: tuple[str, ...]
    nodes: tuple[str, ...]


def row_of(cells: Cells, shape: tuple[str, ...]) -> Row:
    """CELLS, of which SHAPE is the same in every row that agrees with them."""
    return Row(cells, shape, tuple(label for cell in cells for label in _labels(cell)))


def isomorphic(mine: Sequence[Row], theirs: Sequence[Row], agree: Agree) -> bool:
    """Whether all rows of MINE and THEIRS pair off under one bijection of blank nodes."""
    groups = _groups(mine, theirs)
    if any(len(ours) != len(others) for ours, others in groups):
        return False
    todo = [(row, others) for ours, others in sorted(groups, key=_size) for row in ours]
    forth: Mapping = {}
    back: Mapping = {}
    used: set[int] = set()
    # The rows chosen are a list, not a stack of calls: there may be more than Python has frames.
    chosen: list[_Choice] = []
    current = _Choice(0, 0)
    while len(chosen) < len(todo):
        row, others = todo[len(chosen)]
        for index in range(current.next, len(others)):
            other = others[index]
            if id(other) in used or other.cells in current.tried:
                continue
            current.tried.add(other.cells)
            if agree(row.cells, other.cells, forth, back):
                used.add(id(other))
                current.next = index + 1
                chosen.append(current)
                current = _Choice(len(forth), len(back))
                break
            _forget(forth, back, current)
        else:
            if not chosen:
                return False
            current = chosen.pop()
            used.discard(id(todo[len(chosen)][1][current.next - 1]))
            _forget(forth, back, current)
    return True


class _Choice:
    """How far the candidates of a row have been tried, and how large the bijection was before."""

    __slots__ = ("back", "forth", "next", "tried")

    def __init__(self, forth: int, back: int) -> None:
        self.forth = forth
        self.back = back
        self.next = 0
        self.tried: set[Cells] = set()


def _forget(forth: Mapping, back: Mapping, choice: _Choice) -> None:
    """Leave the bijection as it was before CHOICE; what came last goes first."""
    for mapping, size in ((forth, choice.forth), (back, choice.back)):
        while len(mapping) > size:
            mapping.popitem()


def _size(group: tuple[list[Row], list[Row]]) -> int:
    return len(group[0])


def _groups(mine: Sequence[Row], theirs: Sequence[Row]) -> list[tuple[list[Row], list[Row]]]:
    """The rows of both sides by shape and colours."""
    first: Colours = {label: 0 for row in mine for label in row.nodes}
    second: Colours = {label: 0 for row in theirs for label in row.nodes}
    number = 1
    while True:
        names: dict[Any, int] = {}
        first, second = (
            _refined(rows, colours, names) for rows, colours in ((mine, first), (theirs, second))
        )
        if len(names) == number:
            break
        number = len(names)
    groups: dict[Any, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, (rows, colours) in enumerate(((mine, first), (theirs, second))):
        for row in rows:
            groups[row.shape, tuple([colours[n] for n in row.nodes])][side].append(row)
    return list(groups.values())


def _refined(rows: Sequence[Row], colours: Colours, names: dict[Any, int]) -> Colours:
    """The colours of the next round: where a node occurs, and the colours that it has beside it."""
    seen: dict[str, Counter[Any]] = defaultdict(Counter)
    for row in rows:
        beside = row.shape, tuple([colours[n] for n in row.nodes])
        for place, label in enumerate(row.nodes):
            seen[label][beside, place] += 1
    return {
        label: names.setdefault((colours[label], frozenset(places.items())), len(names))
        for label, places in seen.items()
    }


def _labels(cell: str) -> tuple[str, ...]:
    if cell[:1] not in ("_", "{"):
        return ()
    return tuple([node.label for node in blank_nodes(decode_term(cell))])
