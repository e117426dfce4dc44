"""What two answers of one evaluation do not share: rows missing, rows extra, cells changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from rsp_conformance.explain.argument import AnswerPart, AnswerRow
from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.model.dials import Numbers
from rsp_conformance.model.terms import BlankNode, Literal, Triple, is_numeric
from rsp_conformance.model.uncertainty import is_distribution
from rsp_conformance.sparql.compare.rows import same_rows


def count(part: AnswerPart, content: Content, numbers: Numbers) -> int:
    """How often CONTENT has PART."""
    if isinstance(content, Truth):
        return int(part.kind == ("true" if content.value else "false"))
    _, rows = table(content, part.variables)
    return sum(1 for row in rows if same_rows([part.row], [row], numbers))


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """What is missing, what is extra, and rows that are there with other values, as pairs."""

    missing: tuple[AnswerPart, ...] = ()
    extra: tuple[AnswerPart, ...] = ()
    changed: tuple[tuple[AnswerPart, AnswerPart], ...] = ()

    @property
    def joint(self) -> bool:
        """Row by row the answers agree, and only one bijection of blank nodes fails."""
        return not (self.missing or self.extra or self.changed)


def table(
    content: Content, variables: Sequence[str] = ()
) -> tuple[tuple[str, ...], list[AnswerRow]]:
    """CONTENT as rows; columns VARIABLES first, then those of its own that bind anything."""
    match content:
        case Truth(value):
            return (), [()] if value else []
        case Triples(graph):
            return ("s", "p", "o"), sorted((tuple(t) for t in graph), key=repr)
        case Rows():
            places = {name: i for i, name in enumerate(content.variables)}
            used = [
                name
                for name, i in places.items()
                if name not in variables and any(row[i] is not None for row in content.rows)
            ]
            columns = (*variables, *used)
            return columns, [
                tuple(row[places[n]] if n in places else None for n in columns)
                for row in content.rows
            ]


def parts(content: Content) -> list[AnswerPart]:
    """All parts of CONTENT."""
    if isinstance(content, Truth):
        return [AnswerPart((), (), "true" if content.value else "false")]
    variables, rows = table(content, content.variables if isinstance(content, Rows) else ())
    return [_part(content, variables, row) for row in rows]


def _part(content: Content, variables: tuple[str, ...], row: AnswerRow) -> AnswerPart:
    return AnswerPart(variables, row, "triple" if isinstance(content, Triples) else "row")


def difference(expected: Content, observed: Content, numbers: Numbers) -> AnswerDifference:
    """What OBSERVED lacks and what it has too much, as multisets."""
    if isinstance(expected, Truth) or type(expected) is not type(observed):
        return AnswerDifference(tuple(parts(expected)), tuple(parts(observed)))
    lacking, too_much = unpaired(expected, observed, numbers)
    changed = [] if isinstance(expected, Triples) else _changes(lacking, too_much)
    return AnswerDifference(tuple(lacking), tuple(too_much), tuple(changed))


def unpaired(
    expected: Content, observed: Content, numbers: Numbers
) -> tuple[list[AnswerPart], list[AnswerPart]]:
    """The rows, or triples, of either that have no partner in the other, row by row."""
    columns = expected.variables if isinstance(expected, Rows) else ()
    variables, rest = table(observed, columns)
    alike: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i, row in enumerate(rest):
        alike[_likeness(row, numbers)].append(i)
    missing, paired = [], set[int]()
    for row in table(expected, variables)[1]:
        left = alike[_likeness(row, numbers)]
        partner = next((i for i in left if same_rows([row], [rest[i]], numbers)), None)
        if partner is None:
            missing.append(_part(expected, variables, row))
        else:
            left.remove(partner)
            paired.add(partner)
    return missing, [_part(observed, variables, r) for i, r in enumerate(rest) if i not in paired]


def _likeness(row: AnswerRow, numbers: Numbers) -> Hashable:
    """The same for rows that may agree, so that of thousands only few are compared."""

    def of(cell: object) -> object:
        if isinstance(cell, BlankNode | Triple):
            return type(cell)
        open_value = isinstance(cell, Literal) and (is_numeric(cell) or is_distribution(cell))
        return Literal if open_value and numbers != "term" else cell

    return tuple(map(of, row))


def settled(
    found: AnswerDifference, expected: Content, others: Sequence[Content], numbers: Numbers
) -> tuple[AnswerDifference, tuple[AnswerPart, ...]]:
    """FOUND without what depends on how open points are read, and what is due by some readings.

    OTHERS are due where EXPECTED is, by the other readings. FOUND stays if all of it depends.
    """
    apart = [other for other in dict.fromkeys(others) if other != expected]
    if not apart:
        return found, ()

    def depends(part: AnswerPart) -> bool:
        often = count(part, expected, numbers)
        return any(count(part, other, numbers) != often for other in apart)

    parted = [(due, given) for due, given in found.changed if depends(due) or depends(given)]
    missing = (*found.missing, *(due for due, _ in parted))
    extra = (*found.extra, *(given for _, given in parted))
    rest = AnswerDifference(
        tuple(part for part in missing if not depends(part)),
        tuple(part for part in extra if not depends(part)),
        tuple(pair for pair in found.changed if pair not in parted),
    )
    return (found, ()) if rest.joint else (rest, tuple(filter(depends, missing)))


def _changes(
    missing: list[AnswerPart], extra: list[AnswerPart]
) -> list[tuple[AnswerPart, AnswerPart]]:
    """Takes pairs of rows out of both lists that agree in some column, or are alone."""
    found = []
    alone = len(missing) == 1 and len(extra) == 1
    for wanted in tuple(missing):
        given = max(extra, key=lambda part: _shared(wanted, part), default=None)
        if given is not None and wanted.row and (alone or _shared(wanted, given)):
            found.append((wanted, given))
            missing.remove(wanted)
            extra.remove(given)
    return found


def _shared(one: AnswerPart, other: AnswerPart) -> int:
    return sum(a is not None and a == b for a, b in zip(one.row, other.row, strict=True))
