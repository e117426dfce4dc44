"""When an expected and an observed answer are one (SEMANTICS 5; decisions 17, 24 and 25).

Both are texts of the codec. Equal texts settle most comparisons in Spark already; what comes here
differs in text, by blank nodes, by the writing of numbers, or in earnest.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from rsp_conformance.model.terms import (
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    BlankNode,
    Literal,
    Term,
    Triple,
    is_numeric,
)
from rsp_conformance.model.uncertainty import is_distribution
from rsp_conformance.spark.codec import canonical_term, decode_term
from rsp_conformance.spark.isomorphism import Mapping, Row, isomorphic, row_of

Cells: TypeAlias = tuple[str, ...]
Number: TypeAlias = "Fraction | float"
DIGITS = 15
SINGLE_DIGITS = 6
MAGNITUDE = 4300
"""So many digits before or after the point are read, and no more."""


@dataclass(frozen=True)
class Reading:
    """How literals compare: by ``term``, by ``value``, or within ``epsilon``."""

    numbers: str
    epsilon: Fraction | None = None

    @staticmethod
    def of(text: str) -> Reading:
        """The reading that TEXT writes: ``term``, ``value`` or a fraction, the tolerance."""
        return Reading(text) if text in ("term", "value") else Reading("value", Fraction(text))


def equal(
    expected: Sequence[str],
    observed: Sequence[str],
    ties: Sequence[int] | None,
    reading: Reading,
) -> bool:
    """Whether the rows (or triples) EXPECTED and OBSERVED are one answer.

    TIES numbers the groups of rows of EXPECTED that may come in any order; None is one group.
    """
    if len(expected) != len(observed):
        return False
    places = [0] * len(expected) if ties is None else ties
    groups: dict[tuple[int, Cells], tuple[list[Cells], list[Cells]]] = defaultdict(lambda: ([], []))
    for rows, side in ((expected, 0), (observed, 1)):
        for place, text in zip(places, rows, strict=True):
            cells = _cells(text)
            groups[place, tuple([_skeleton(cell, reading) for cell in cells])][side].append(cells)
    if any(len(mine) != len(theirs) for mine, theirs in groups.values()):
        return False
    plain: list[tuple[list[Cells], list[Cells]]] = []
    knotted: list[tuple[list[Cells], list[Cells]]] = []
    for (_, shape), group in groups.items():
        (knotted if any(_has_blank(cell) for cell in shape) else plain).append(group)
    if not all(_pairable(mine, theirs, reading) for mine, theirs in plain):
        return False
    return _isomorphic(knotted, reading)


def _cells(text: str) -> Cells:
    return tuple(text.split("\t"))


_BLANK = "\x00_"
_NUMBER = "\x00#"
_DISTRIBUTION = "\x00~"


@lru_cache(maxsize=65536)
def _skeleton(cell: str, reading: Reading) -> str:
    """CELL with blank nodes, and numbers where they compare by value, made alike."""
    if cell.startswith("_"):
        return _BLANK
    if cell.startswith('"'):
        if reading.numbers == "term":
            return cell
        if number(cell) is not None:
            return _NUMBER
        written = distribution(cell)
        return cell if written is None else _DISTRIBUTION + written[0]
    if cell.startswith("{"):
        term = decode_term(cell)
        assert isinstance(term, Triple)
        return "{" + _nested(term, reading)
    return cell


def _nested(term: Term, reading: Reading) -> str:
    if isinstance(term, Triple):
        return "(" + " ".join([_nested(part, reading) for part in term]) + ")"
    return _skeleton(canonical_term(term), reading)


def _has_blank(shape: str) -> bool:
    return _BLANK in shape


@lru_cache(maxsize=65536)
def number(cell: str) -> tuple[Number, str] | None:
    """Value and datatype of a numeric literal's text; None for any other term."""
    term = decode_term(cell)
    if not isinstance(term, Literal) or not is_numeric(term):
        return None
    text, floating = term.lexical.strip(" \t\r\n"), term.datatype in (XSD_DOUBLE, XSD_FLOAT)
    if floating and text in ("INF", "+INF", "-INF", "NaN"):
        return float(text.replace("INF", "inf")), term.datatype
    # What each datatype writes: digits alone, a point besides, an exponent besides.
    letters = "0123456789+-" + ("." if term.datatype == XSD_DECIMAL else ".eE" * floating)
    if not set(text) <= set(letters):
        return None
    try:
        written = Decimal(text)
    except InvalidOperation:
        return None
    if abs(written.adjusted()) > MAGNITUDE:
        # Beyond any double; exact arithmetic on it would not end.
        return (float(written), term.datatype) if floating else None
    return Fraction(written), term.datatype


@lru_cache(maxsize=65536)
def distribution(cell: str) -> tuple[str, str, str] | None:
    """Kind and parameters, as texts of doubles, of a distribution's text; None for other terms."""
    term = decode_term(cell)
    if not isinstance(term, Literal) or not is_distribution(term):
        return None
    kind, _, rest = term.lexical.partition("(")
    first, comma, last = rest.partition(",")
    if kind not in ("N", "Normal", "U") or not comma or not last.endswith(")"):
        return None
    texts = [canonical_term(Literal(text.strip(), XSD_DOUBLE)) for text in (first, last[:-1])]
    values = [number(text) for text in texts]
    if not all(value and _is_moderate(value[0]) for value in values):
        return None
    (a, _), (b, _) = values  # type: ignore[misc]
    return (kind[0], *texts) if b > (a if kind == "U" else 0) else None  # type: ignore[return-value]


def _is_moderate(value: Number) -> bool:
    """Whether a distribution may have VALUE as a parameter (decision 27)."""
    return isinstance(value, Fraction) and (
        not value or Fraction(10) ** -300 <= abs(value) < Fraction(10) ** 301
    )


def _same_distribution(one: str, other: str, reading: Reading) -> bool:
    left, right = distribution(one), distribution(other)
    assert left is not None
    assert right is not None
    return all(
        a == b or _same_number(a, b, reading) for a, b in zip(left[1:], right[1:], strict=True)
    )


@lru_cache(maxsize=65536)
def _same_number(one: str, other: str, reading: Reading) -> bool:
    left, right = number(one), number(other)
    if left is None or right is None:
        return one == other
    (a, a_type), (b, b_type) = left, right
    if isinstance(a, float) or isinstance(b, float):
        return a == b or (math.isnan(a) and math.isnan(b))
    if reading.epsilon is not None:
        return abs(a - b) <= reading.epsilon
    types = {a_type, b_type}
    if a == b:
        return True
    if not types & {XSD_DECIMAL, XSD_DOUBLE, XSD_FLOAT}:
        return False
    digits = SINGLE_DIGITS if XSD_FLOAT in types else DIGITS
    return bool(abs(a - b) * 10**digits <= max(abs(a), abs(b)))


def _same_cell(one: str, other: str, reading: Reading) -> bool:
    """Whether two cells of one skeleton, without blank nodes, agree."""
    if one == other:
        return True
    if one.startswith("{"):
        left, right = decode_term(one), decode_term(other)
        return _unify(left, right, {}, {}, reading)
    if reading.numbers == "term":
        return False
    return _same_number(one, other, reading) or (
        distribution(one) is not None
        and distribution(other) is not None
        and _same_distribution(one, other, reading)
    )


def _pairable(mine: list[Cells], theirs: list[Cells], reading: Reading) -> bool:
    """Whether the rows pair off, each with one that agrees (a bipartite matching)."""
    if Counter(mine) == Counter(theirs):
        return True
    # Sorted, right answers agree row by row, unless rows within a tolerance cross.
    pairs = zip(sorted(mine, key=_sort_key), sorted(theirs, key=_sort_key), strict=True)
    if all(_same_cell(x, y, reading) for a, b in pairs for x, y in zip(a, b, strict=True)):
        return True
    choices = [
        [
            j
            for j, row in enumerate(theirs)
            if all(_same_cell(x, y, reading) for x, y in zip(one, row, strict=True))
        ]
        for one in mine
    ]
    return _all_placed(choices)


def _sort_key(cells: Cells) -> tuple[tuple[Number, str], ...]:
    """Numbers by value, everything else as text; NaN is no number to sort by."""
    values = [(number(cell) if cell.startswith('"') else None, cell) for cell in cells]
    return tuple(
        (0, cell) if value is None or math.isnan(value[0]) else (value[0], "")
        for value, cell in values
    )


def _all_placed(choices: Sequence[Sequence[int]]) -> bool:
    """Whether each row can have one of its CHOICES to itself (a bipartite matching)."""
    taker: dict[int, int] = {}
    taken: dict[int, int] = {}
    return all(_placed(row, choices, taker, taken) for row in range(len(choices)))


def _placed(
    row: int, choices: Sequence[Sequence[int]], taker: dict[int, int], taken: dict[int, int]
) -> bool:
    """Let ROW take one of its CHOICES, others moving on to another of theirs where they have to.

    TAKER says who took a choice, TAKEN what a row took. Breadth first, over no stack: answers may
    have more rows than Python has frames.
    """
    came_from: dict[int, int] = {}
    waiting = deque((row,))
    while waiting:
        one = waiting.popleft()
        for choice in choices[one]:
            if choice in came_from:
                continue
            came_from[choice] = one
            if choice in taker:
                waiting.append(taker[choice])
                continue
            free: int | None = choice
            while free is not None:
                mover = came_from[free]
                taker[free] = mover
                left, taken[mover] = taken.get(mover), free
                free = left
            return True
    return False


def _unify(one: Term, other: Term, forth: Mapping, back: Mapping, reading: Reading) -> bool:
    """Whether ONE and OTHER agree under the bijection, which is extended where it has to be."""
    if isinstance(one, BlankNode) and isinstance(other, BlankNode):
        known = forth.setdefault(one.label, other.label)
        return known == other.label and back.setdefault(other.label, one.label) == one.label
    if isinstance(one, Triple) and isinstance(other, Triple):
        return all(_unify(x, y, forth, back, reading) for x, y in zip(one, other, strict=True))
    if isinstance(one, (BlankNode, Triple)) or isinstance(other, (BlankNode, Triple)):
        return False
    return _same_cell(canonical_term(one), canonical_term(other), reading)


def _isomorphic(groups: list[tuple[list[Cells], list[Cells]]], reading: Reading) -> bool:
    """Whether all rows with blank nodes pair off under one bijection, group by group."""

    def agree(one: Cells, other: Cells, forth: Mapping, back: Mapping) -> bool:
        return all(
            _unify(decode_term(x), decode_term(y), forth, back, reading) if _is_term(x) else x == y
            for x, y in zip(one, other, strict=True)
        )

    if reading.epsilon is not None:
        # What no pairing mends, blank nodes aside, need not be searched for.
        for mine, theirs in groups:
            choices = [[j for j, row in enumerate(theirs) if agree(r, row, {}, {})] for r in mine]
            if not _all_placed(choices):
                return False
    numbers = {c for pair in groups for rows in pair for row in rows for c in row if c[:1] == '"'}
    clusters = {} if reading.numbers == "term" else _clusters(numbers, reading)
    sides: tuple[list[Row], list[Row]] = ([], [])
    for group, pair in enumerate(groups):
        for side, rows in zip(sides, pair, strict=True):
            for cells in rows:
                kinds = [clusters.get(cell) or _skeleton(cell, reading) for cell in cells]
                side.append(row_of(cells, (str(group), *kinds)))
    return isomorphic(*sides, agree)


def _clusters(literals: Iterable[str], reading: Reading) -> dict[str, str]:
    """For each number of LITERALS the name of its cluster: numbers that agree share one.

    In order, a number is in the cluster of the one before unless it is farther off than any two
    datatypes allow. So a cluster may hold numbers that do not agree.
    """
    found = [(known[0], text) for text in literals if (known := number(text)) is not None]
    clusters: dict[str, str] = {}
    first = ""
    last: Number = math.nan
    for value, text in sorted(pair for pair in found if not math.isnan(pair[0])):
        if not _near(last, value, reading):
            first = text
        clusters[text] = _NUMBER + first
        last = value
    return clusters


def _near(one: Number, other: Number, reading: Reading) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return one == other
    if reading.epsilon is not None:
        return abs(one - other) <= reading.epsilon
    return bool(abs(one - other) * 10**SINGLE_DIGITS <= max(abs(one), abs(other)))


def _is_term(cell: str) -> bool:
    return cell[:1] in ("<", "_", '"', "{")
