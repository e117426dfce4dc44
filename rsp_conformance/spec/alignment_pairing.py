"""Pairing the expected answers with the observed ones, in order (decisions 18 to 23)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rsp_conformance.model.answers import Evaluation, Observed


@dataclass(frozen=True, slots=True)
class Due:
    """An expected answer with the stamp it is compared at; not ``required`` outside the range."""

    evaluation: Evaluation
    stamp: int
    required: bool


@dataclass(frozen=True, slots=True)
class Given:
    """An observed answer with its stamp.

    One that is not ``required`` may be left out; an ``early`` one only as long as nothing required
    has been paired. ``late`` ones may be left over once all that is due has come.
    """

    answer: Observed
    stamp: int | Fraction | None
    required: bool
    late: bool = False
    early: bool = False


@dataclass(frozen=True, slots=True)
class Pairing:
    """How far the pairing of the two sequences got; complete if nothing is left over."""

    complete: bool
    due: int
    given: int


def pair(
    due: Sequence[Due],
    given: Sequence[Given],
    near: Callable[[Due, Given], bool],
    same: Callable[[Due, Given], bool],
) -> Pairing:
    """Pair DUE with GIVEN keeping both orders; what is not required may be left out.

    Reachability over positions (i, j). Where the pairing does not complete, the furthest position
    reached says where the sequences part.
    """
    frontier = [(0, 0)]
    reached = {(0, 0)}
    furthest = (0, 0)
    required = [i for i, d in enumerate(due) if d.required]
    first_required, after_required = (required[0], required[-1] + 1) if required else (len(due), 0)

    def reach(position: tuple[int, int]) -> None:
        if position not in reached:
            reached.add(position)
            frontier.append(position)

    while frontier:
        i, j = frontier.pop()
        furthest = max(furthest, (i, j), key=lambda position: (sum(position), position))
        if i == len(due) and j == len(given):
            return Pairing(True, i, j)
        if i < len(due) and not due[i].required:
            reach((i + 1, j))
        if j < len(given):
            spare = given[j].late and i >= after_required
            optional = not given[j].required and (not given[j].early or i <= first_required)
            if optional or spare:
                reach((i, j + 1))
            if i < len(due) and near(due[i], given[j]) and same(due[i], given[j]):
                reach((i + 1, j + 1))
    return Pairing(False, *furthest)
