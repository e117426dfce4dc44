"""How a recorded answer differs, in text: seconds for instants, local names for IRIs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rsp_conformance.explain.argument import AnswerDiffers, RecordingDiffers, TracedRow
from rsp_conformance.model.terms import IRI, Literal, Term
from rsp_conformance.spec.windows import Instance

SECOND = 1000
"""Milliseconds."""
LISTED = 12
"""So many instants are named."""
ROWS = 2
"""So many rows of a difference are shown."""


def seconds(t: int | Fraction | None, unit: int) -> str:
    """T, an instant of UNIT milliseconds, in seconds."""
    return "no instant" if t is None else f"{_number(t, unit)} s"


def listed_seconds(instants: Sequence[int | Fraction | None], unit: int) -> str:
    """The seconds of INSTANTS, each once, the first of many."""
    at = list(dict.fromkeys(seconds(t, unit) for t in instants))
    return ", ".join(at[:LISTED]) + (" and later" if len(at) > LISTED else "")


def recording_differs(found: RecordingDiffers) -> str:
    """How many evaluations agree, and every difference, in a few sentences."""
    said = [f"{found.agreed} of {found.due} evaluations agree."]
    if found.empty:
        at = listed_seconds(found.empty, found.unit)
        said.append(f"Answers without rows came that no evaluation has, at {at}.")
    said += [_difference(found, one) for one in found.differences]
    if found.more:
        at = listed_seconds(found.more, found.unit)
        said.append(f"Further differences: {len(found.more)}, at {at}.")
    return " ".join(said)


def _difference(found: RecordingDiffers, one: AnswerDiffers) -> str:
    at, unit = f"At {seconds(one.t, found.unit)}", found.unit
    if not one.due:
        return f"{at} an answer came that no evaluation has{_rows(one.extra, unit)}."
    over = "over no window"
    if one.instance is not None:
        over = f"over the window {_interval(one.instance, found.bounds, unit)}"
    if not one.given:
        return f"{at} nothing came for the evaluation {over}{_rows(one.missing, unit)}."
    parts = [
        f"{name}{_rows(rows, unit)}"
        for name, rows in (("missing", one.missing), ("not due", one.extra))
        if rows
    ]
    if one.held is not None:
        values = ", ".join(f"{value} at {seconds(t, unit)}" for value, t in one.held)
        parts.append(f"the window holds {values or 'no reading that matches'}")
    return f"{at}, {over}: {'; '.join(parts)}."


def _rows(rows: Sequence[TracedRow], unit: int) -> str:
    if not rows:
        return " (it has no rows)"
    more = f" and {len(rows) - ROWS} more" if len(rows) > ROWS else ""
    return f" {' and '.join(_row(row, unit) for row in rows[:ROWS])}{more}"


def _row(row: TracedRow, unit: int) -> str:
    cells = ", ".join(f"?{name} {local_name(term)}" for name, term in row.solution)
    where = {None: "", True: ", inside", False: ", outside"}
    came = [f"?{name} came at {seconds(t, unit)}{where[inside]}" for name, t, inside in row.came]
    return f"{{{cells}}}" + (f" ({'; '.join(came)})" if came else "")


def local_name(term: Term) -> str:
    """The local name of an IRI, the value of a literal."""
    if isinstance(term, IRI):
        return term.value.rstrip("/#").replace("#", "/").rpartition("/")[2]
    return term.lexical if isinstance(term, Literal) else repr(term)


def _interval(instance: Instance, bounds: str, unit: int) -> str:
    ends = (_number(instance.opens, unit), _number(instance.closes, unit))
    return f"{bounds[0]}{ends[0]}, {ends[1]}{bounds[-1]}"


def _number(t: int | Fraction, unit: int) -> str:
    return f"{float(Fraction(t) * unit / SECOND):g}"
