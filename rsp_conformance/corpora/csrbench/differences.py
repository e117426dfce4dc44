"""How a recording differs from what is due, in text: seconds for instants, local names for IRIs.

A row is traced to the observations that it names: each came at a second of the stream, and that
second lies inside or outside the window. Where a query shows no observation (an average), the
readings that the window holds take their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from rsp_conformance.corpora.csrbench.agreement import AnswerPair
from rsp_conformance.corpora.csrbench.benchmark import SECOND
from rsp_conformance.corpora.csrbench.judging import Fit, JudgedRecording
from rsp_conformance.explain.argument import AnswerPart
from rsp_conformance.explain.evidence.differences import unpaired
from rsp_conformance.model.answers import Rows, is_empty
from rsp_conformance.model.terms import IRI, Literal, Term
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.windows import Instance, evaluated

DETAILED = 4
"""So many differences are shown in full, the others are counted."""

LISTED = 12
"""So many instants are named."""

ROWS = 2
"""So many rows of a difference are shown."""

_NOTHING = Rows((), ())


def seconds(t: int | Fraction | None, unit: int) -> str:
    """T, an instant of UNIT milliseconds, in seconds."""
    return "no instant" if t is None else f"{_number(t, unit)} s"


def _number(t: int | Fraction, unit: int) -> str:
    return f"{float(Fraction(t) * unit / SECOND):g}"


def listed_instants(pairs: Sequence[AnswerPair], unit: int) -> str:
    """The seconds of PAIRS, each once, the first of many."""
    at = list(dict.fromkeys(seconds(when(pair), unit) for pair in pairs))
    return ", ".join(at[:LISTED]) + (" and later" if len(at) > LISTED else "")


def when(pair: AnswerPair) -> int | Fraction | None:
    """The instant of what is due, or else of what was given."""
    if pair.expected is not None:
        return pair.expected.t
    return None if pair.received is None else pair.received.t


def local_name(term: Term) -> str:
    """The local name of an IRI, the value of a literal."""
    if isinstance(term, IRI):
        return term.value.rstrip("/#").replace("#", "/").rpartition("/")[2]
    return term.lexical if isinstance(term, Literal) else repr(term)


class Differences:
    """The differences of a wrong FIT of JUDGED, under the first z that serves it."""

    def __init__(self, judged: JudgedRecording, fit: Fit) -> None:
        assert fit.agreement is not None, "it is wrong"
        self._agreement = fit.agreement
        self._case = case = judged.case
        # Merged into the default graph the window needs no dataset of its own.
        self._merged = judged.query.rspql()
        self._dials, self._unit = fit.dials, fit.dials.unit
        (self._window,) = case.query.sliding_windows(fit.dials.unit)
        (self._t0,) = fit.starts[0]
        self._arrived: dict[Term, int] = {}
        for element in case.elements:
            for triple in element.graph:
                self._arrived.setdefault(triple.subject, element.t)

    def text(self) -> str:
        """How many evaluations agree, and every difference, in a few sentences."""
        found = self._agreement
        due = sum(pair.expected is not None for pair in found.pairs)
        empty = [pair for pair in found.parted if _is_empty_extra(pair)]
        parted = [pair for pair in found.parted if not _is_empty_extra(pair)]
        said = [f"{found.agreed} of {due} evaluations agree."]
        if empty:
            at = listed_instants(empty, self._unit)
            said.append(f"Answers without rows came that no evaluation has, at {at}.")
        said += map(self._difference, parted[:DETAILED])
        if more := parted[DETAILED:]:
            at = listed_instants(more, self._unit)
            said.append(f"Further differences: {len(more)}, at {at}.")
        return " ".join(said)

    def _difference(self, pair: AnswerPair) -> str:
        """How the two of PAIR differ."""
        due, given = (
            _NOTHING if one is None else one.content for one in (pair.expected, pair.received)
        )
        missing, extra = unpaired(due, given, self._dials.numbers)
        at = f"At {seconds(when(pair), self._unit)}"
        if pair.expected is None:
            return f"{at} an answer came that no evaluation has{self._rows(extra, None)}."
        instance = evaluated(self._window, self._t0, pair.expected.t, self._dials)
        over = "over no window"
        if instance is not None:
            over = f"over the window {self._interval(instance)}"
        if pair.received is None:
            return f"{at} nothing came for the evaluation {over}{self._rows(missing, instance)}."
        parts = [
            f"{name}{self._rows(rows, instance)}"
            for name, rows in (("missing", missing), ("not expected", extra))
            if rows
        ]
        aggregate = all(p.expression is not None for p in self._case.query.projection or ())
        if aggregate and instance is not None:
            parts.append(f"the window holds {self._held(instance, pair.expected.t)}")
        return f"{at}, {over}: {'; '.join(parts)}."

    def _interval(self, instance: Instance) -> str:
        bounds, ends = self._dials.bounds, (instance.opens, instance.closes)
        first, last = (_number(end, self._unit) for end in ends)
        return f"{bounds[0]}{first}, {last}{bounds[-1]}"

    def _rows(self, parts: Sequence[AnswerPart], instance: Instance | None) -> str:
        if not parts:
            return " (it has no rows)"
        more = f" and {len(parts) - ROWS} more" if len(parts) > ROWS else ""
        return f" {' and '.join(self._row(part, instance) for part in parts[:ROWS])}{more}"

    def _row(self, part: AnswerPart, instance: Instance | None) -> str:
        """A row, with when each observation came that it names."""
        cells, came = [], []
        for name, term in zip(part.variables, part.row, strict=True):
            if term is None:
                continue
            cells.append(f"?{name} {local_name(term)}")
            if isinstance(term, IRI) and term in self._arrived:
                t = self._arrived[term]
                where = ""
                if instance is not None:
                    inside = instance.holds(t, self._dials.bounds)
                    where = ", inside" if inside else ", outside"
                came.append(f"?{name} came at {seconds(t, self._unit)}{where}")
        return f"{{{', '.join(cells)}}}" + (f" ({'; '.join(came)})" if came else "")

    def _held(self, instance: Instance, t: int) -> str:
        """The readings that an aggregate at T is of, each with its instant."""
        plain = replace(
            self._merged, projection=None, group_by=None, having=(), order_by=(), operator=None
        )
        found = []
        for element in self._case.elements:
            if element.t <= t and instance.holds(element.t, self._dials.bounds):
                relation = solutions(plain, Dataset(GraphBag(element.graph), {}, {}))
                literals = (v for row in relation.rows for v in row if isinstance(v, Literal))
                at = seconds(element.t, self._unit)
                found += [f"{literal.lexical} at {at}" for literal in literals]
        return ", ".join(found) or "no reading that matches"


def _is_empty_extra(pair: AnswerPair) -> bool:
    return pair.expected is None and pair.received is not None and is_empty(pair.received.content)
