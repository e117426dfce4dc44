"""Pairing due answers with given ones, both orders kept (decisions 18 to 23)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rsp_conformance.model.verdict import Kind


@dataclass(frozen=True)
class DueAnswer:
    """An expected answer: when it is evaluated, its stamp, and whether it must be matched."""

    t: int
    stamp: int
    required: bool
    content: int


@dataclass(frozen=True)
class ObservedAnswer:
    """An observed answer.

    ``late``: may be left over once everything required has come; ``early``: may be left out only
    before anything required has been paired.
    """

    stamp: Fraction | None
    required: bool
    late: bool
    content: int
    early: bool = False


@dataclass(frozen=True)
class Alignment:
    """Whether all pairs off; if not, how many due answers did, and where and how it ends."""

    right: bool
    agreed: int
    t: int | None = None
    kind: Kind | None = None


def align(
    due: Sequence[DueAnswer],
    given: Sequence[ObservedAnswer],
    same: Callable[[int, int], bool],
    tolerance: int | None,
    unordered: Callable[[int, int], bool] = lambda content, place: False,
) -> Alignment:
    """Pair DUE with GIVEN; TOLERANCE None compares no instants.

    SAME says whether a due content and a given one agree, UNORDERED whether they do but for the
    order of their rows.
    """

    def near(d: DueAnswer, g: ObservedAnswer) -> bool:
        if tolerance is None:
            return True
        return g.stamp is not None and abs(g.stamp - d.stamp) <= tolerance

    # reach[j]: the given answers before j and the due ones before the current i can be settled.
    last_required = max((i for i, d in enumerate(due) if d.required), default=-1)
    first_required = next((i for i, d in enumerate(due) if d.required), len(due))
    ends = (first_required, last_required)
    best = (0, 0)
    reach = _skip_given({0}, given, 0, ends)
    for i, d in enumerate(due):
        best = max([best, *((i, j) for j in reach)], key=_progress)
        matched = {
            j + 1
            for j in reach
            if j < len(given) and near(d, given[j]) and same(d.content, given[j].content)
        }
        skipped = set() if d.required else reach
        reach = _skip_given(matched | skipped, given, i + 1, ends)
        if not reach:
            break
    else:
        if len(given) in reach:
            return Alignment(True, len(due))
        best = max([best, *((len(due), j) for j in reach)], key=_progress)
    return _parted(
        due, given, best, near, same=same, unordered=unordered, timed=tolerance is not None
    )


def _progress(at: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    return sum(at), at


def _skip_given(
    reach: set[int], given: Sequence[ObservedAnswer], settled: int, ends: tuple[int, int]
) -> set[int]:
    """REACH and what follows by leaving out given answers that need not be matched.

    ENDS are the places of the first and the last due answer that is required.
    """
    first_required, last_required = ends
    reached = set(reach)
    top = max(reach, default=-1)
    for j in range(min(reach, default=len(given)), len(given)):
        if j > top:
            break
        spare = given[j].late and settled > last_required
        optional = not given[j].required and (not given[j].early or settled <= first_required)
        if j in reached and (spare or optional):
            reached.add(j + 1)
            top = max(top, j + 1)
    return reached


def _parted(
    due: Sequence[DueAnswer],
    given: Sequence[ObservedAnswer],
    at: tuple[int, int],
    near: Callable[[DueAnswer, ObservedAnswer], bool],
    *,
    same: Callable[[int, int], bool],
    unordered: Callable[[int, int], bool],
    timed: bool,
) -> Alignment:
    """What is wrong at the place that no pairing passes."""
    i, j = at
    wanted = next((d for d in due[i:] if d.required), None)
    offered = next((g for g in given[j:] if g.required), None)
    if wanted is not None and not any(g.required for g in given):
        return Alignment(False, i, wanted.t, Kind.SILENT)
    if timed and any(g.stamp is None for g in given):
        return Alignment(False, i, None if wanted is None else wanted.t, Kind.INSTANT)
    if wanted is None:
        left = given[j].stamp if offered is None else offered.stamp
        return Alignment(False, i, None if left is None else int(left), Kind.EXTRA)
    if offered is None:
        return Alignment(False, i, wanted.t, Kind.MISSING)
    agree = same(wanted.content, offered.content)
    if near(wanted, offered) and not agree:
        disordered = unordered(wanted.content, offered.content)
        return Alignment(False, i, wanted.t, Kind.ORDER if disordered else Kind.ROWS)
    if agree:
        return Alignment(False, i, wanted.t, Kind.INSTANT)
    assert offered.stamp is not None
    if wanted.stamp < offered.stamp:
        return Alignment(False, i, wanted.t, Kind.MISSING)
    return Alignment(False, i, int(offered.stamp), Kind.EXTRA)
