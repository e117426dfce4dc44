"""Table 3: functions, operators and aggregates by the kinds of their arguments.

Each argument is looked at on its own ("STRLEN(1: tagged)", "REPLACE(3: error)"), and both of the
comparisons and of ``+ − * /`` together ("integer < decimal"). Type errors count as cells:
engines must raise them too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Final

from rsp_conformance.cells.cell import REFUSED, Cells, never, open_by
from rsp_conformance.cells.kinds import KINDS, SAMPLES
from rsp_conformance.model.terms import XSD, Term
from rsp_conformance.sparql import open_points
from rsp_conformance.sparql.casts import CASTS
from rsp_conformance.sparql.coverage import AGGREGATES, NOT_DETERMINED
from rsp_conformance.sparql.extensions import open_error
from rsp_conformance.sparql.functions import COMPARISONS, FUNCTIONS
from rsp_conformance.text.builtin_functions import ARGUMENTS, MANY

PAIRED: Final = (*COMPARISONS, "+", "-", "*", "/")
"""The operators whose operands are looked at together."""
MEMBERSHIP: Final = ("IN", "NOT IN")
LISTED: Final = (*MEMBERSHIP, "CONCAT", "COALESCE")
"""Operators that take any number of arguments."""
FLAGS: Final = "ismxq"
FLAGGED: Final = {"REGEX": 2, "REPLACE": 3}
"""The functions with flags, and the place of these."""
ON_TRIPLES: Final = ("SUBJECT", "PREDICATE", "OBJECT", "ISTRIPLE", "TRIPLE", "SAMETERM", "=")
_AGGREGATED: Final = (
    *("ALL", "DISTINCT", "of nothing", "of a variable", "of an expression"),
    *("of several kinds", "of an error and values", "grouped", "ungrouped"),
)
_OPEN_AGGREGATES: Final = {
    "SAMPLE of several kinds": open_points.SAMPLED,
    "SAMPLE of an error and values": open_points.SAMPLED,
    "MAX of an error and values": open_points.MAX_OF_ERROR,
}


def _arities() -> dict[str, int]:
    """Every function and operator, with the number of its arguments that are distinguished."""
    operators = dict.fromkeys(("||", "&&", *PAIRED, *MEMBERSHIP), 2)
    operators |= dict.fromkeys(("!", "UNARY+", "UNARY-"), 1)
    casts = {f"xsd:{datatype.removeprefix(XSD)}": 1 for datatype in CASTS}
    built_in = {name: 2 if most == MANY else most for name, (_, most) in ARGUMENTS.items()}
    return operators | casts | built_in


def has_cell(name: str, kind: str) -> bool:
    """Return whether such an argument is a cell of a function; no ill-typed literal is."""
    return kind in KINDS or (kind == "quoted triple" and name in ON_TRIPLES)


def place(name: str, number: int) -> str:
    """Return what an argument of a function is called; the first one has the number 0."""
    if name in MEMBERSHIP:
        return "candidate" if number else "needle"
    if name in LISTED:
        return "later" if number else "first"
    return str(number + 1)


def size(name: str, number: int) -> str | None:
    """Return what it is called that a function has so many arguments, if it may have others."""
    if name in LISTED:
        own = number - 1 if name in MEMBERSHIP else number
        return f"{name} of {own if own < 3 else '3 or more'}"
    least, most = ARGUMENTS.get(name, (number, number))
    return None if least == most else f"{name} of {number}"


@cache
def function_cells() -> Cells:
    """All functions, operators and aggregates by the kinds of their arguments."""
    found: Cells = {}
    for name, count in _arities().items():
        refused = f"{REFUSED}: not determined" if name in NOT_DETERMINED else ""
        kinds = (*KINDS, "quoted triple") if name in ON_TRIPLES else KINDS
        for number, kind in product(range(count), kinds):
            impossible = name == "BOUND" and kind == "error"
            reason = refused or ("BOUND takes a variable" if impossible else "")
            found[f"{name}({place(name, number)}: {kind})"] = reason
        for number in _numbers(name):
            own = size(name, number)
            if own is not None:
                found[own] = refused
    for name in FLAGGED:
        own_flags = (*FLAGS, "several", "none", "unknown")
        found |= never([f"{name} flag {flag}" for flag in own_flags])
    return found | _aggregate_cells()


def _numbers(name: str) -> range:
    """Return the numbers of arguments of a function that are distinguished."""
    if name in MEMBERSHIP:
        return range(1, 5)
    least, most = ARGUMENTS.get(name, (0, 0))
    if least == most:
        return range(0)
    return range(least, (3 if most == MANY else most) + 1)


def _aggregate_cells() -> Cells:
    found: Cells = {}
    for name in sorted(AGGREGATES):
        found |= never([f"{name}({kind})" for kind in KINDS])
        found |= never([f"{name} {what}" for what in _AGGREGATED])
    found |= {cell: open_by(point) for cell, point in _OPEN_AGGREGATES.items()}
    found |= never(["COUNT(*)", "COUNT(DISTINCT *)"])
    found |= never([f"GROUP_CONCAT separator {what}" for what in ("absent", "empty", "given")])
    return found | never(["IRI of a relative reference", "IRI of an absolute reference"])


@cache
def pair_cells() -> Cells:
    """The comparisons and ``+ − * /`` by the kinds of both operands."""
    return {
        f"{one} {name} {other}": _always_open(name, one, other)
        for name in PAIRED
        for one, other in product(KINDS, KINDS)
    }


def _always_open(name: str, one: str, other: str) -> str:
    """Return why all that a function may yield on two kinds of terms is open, if it is.

    Args:
        name: the function.
        one: the kind of the first term.
        other: the kind of the second term.
    """
    if one not in SAMPLES or other not in SAMPLES:
        return ""
    apply: Callable[[Term, Term], Term | bool | None]
    apply = COMPARISONS[name] if name in COMPARISONS else FUNCTIONS[name].apply
    points: dict[str, None] = {}
    for operands in product(SAMPLES[one], SAMPLES[other]):
        point = open_error(name, operands)
        if apply(*operands) is not None or point is None:
            return ""
        points[point] = None
    return open_by(*points)
