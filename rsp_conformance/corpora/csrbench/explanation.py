"""The argument for every failure: which rows at which instant, and why.

A row is traced to the observations that it names: each came at a second of the stream, and that
second lies inside or outside the window. Where a query shows no observation (an average), the
readings that the window holds stand in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from rsp_conformance.compare.numbers import agree
from rsp_conformance.corpora.csrbench.agreement import Agreement, Pair
from rsp_conformance.corpora.csrbench.data import SECOND
from rsp_conformance.corpora.csrbench.fitting import Fit
from rsp_conformance.corpora.csrbench.judging import Judged
from rsp_conformance.model.answers import Content, Rows, is_empty
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.terms import IRI, Literal, Term
from rsp_conformance.model.verdict import Vector
from rsp_conformance.sparql.dataset import Dataset, Graph
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.windows import Instance, evaluated

DETAILED = 4
"""So many differences are told in full, the others are counted."""
LISTED = 12
"""So many instants are named."""
ROWS = 2
"""So many rows of a difference are shown."""


def reading(fit: Fit) -> str:
    """Which reading FIT is, in words."""
    first, *rest = fit.starts
    others = f" (or {len(rest)} other{'s' if len(rest) > 1 else ''})" if rest else ""
    return f"{_settings(fit.dials, first)}{others}; {fit.reading.text()}"


def because(judged: Judged) -> str:
    """Why the recording is wrong, by the profile and by its best reading; or that it is correct."""
    parts = []
    if judged.strict.correct:
        parts.append("By the profile every answer that is due came, and no other.")
    else:
        assert judged.strict_agreement is not None
        told = _told(judged, judged.dials, judged.strict.t0, judged.strict_agreement)
        parts.append(
            f"By the profile ({_settings(judged.dials, judged.strict.t0, 'nearest ')}): {told}"
        )
    fit = judged.fit
    if fit.agreement is not None:
        if fit.departures:
            told = _told(judged, fit.dials, fit.starts[0], fit.agreement)
            parts.append(f"By the best reading ({reading(fit)}): {told}")
        else:
            parts.append("No other reading agrees better.")
        if fit.counterpart is not None:
            parts.append(_otherwise(judged, fit.counterpart))
    elif not judged.strict.correct:
        parts.append(f"With {reading(fit)} every answer that is due came, and no other.")
    said = judged.containment
    if said.correct and not judged.fit.correct:
        parts.append(
            "csrbench-oracle's criterion accepts it, for it compares no timestamps and misses "
            "what comes before and after."
        )
    elif not said.correct:
        parts.append(
            "csrbench-oracle's criterion finds no t0 whose relations hold the recorded ones: at "
            f"most {said.found} of {said.recorded} in a row from the first."
        )
    return " ".join(parts)


def _otherwise(judged: Judged, fit: Fit) -> str:
    """How the same recording fares with the other bounds."""
    assert fit.agreement is not None
    (vector, *_) = fit.starts
    at = _Trace(judged, fit.dials, vector).listed(fit.agreement.parted)
    t0 = _starts(fit.dials, vector)
    rows = f"{fit.agreement.cost} row{'s' if fit.agreement.cost > 1 else ''}"
    return f"With bounds {fit.dials.bounds} and t0 = {t0} {rows} would differ, at {at}."


def _settings(dials: Dials, vector: Vector, which: str = "") -> str:
    return f"bounds {dials.bounds}, {which}t0 = {_starts(dials, vector)}"


def _starts(dials: Dials, vector: Vector) -> str:
    return ", ".join(_seconds(t, dials.unit) for t in vector if t is not None)


def _told(judged: Judged, dials: Dials, vector: Vector, found: Agreement) -> str:
    due = sum(pair.due is not None for pair in found.pairs)
    sentences = [f"{found.agreed} of {due} evaluations agree."]
    trace = _Trace(judged, dials, vector)
    empty = [pair for pair in found.parted if _is_empty_extra(pair)]
    parted = [pair for pair in found.parted if not _is_empty_extra(pair)]
    if empty:
        at = trace.listed(empty)
        sentences.append(f"Answers without rows came that no evaluation has, at {at}.")
    sentences += [trace.difference(pair) for pair in parted[:DETAILED]]
    if rest := parted[DETAILED:]:
        sentences.append(f"Further differences: {len(rest)}, at {trace.listed(rest)}.")
    return " ".join(sentences)


def _is_empty_extra(pair: Pair) -> bool:
    return pair.due is None and pair.given is not None and is_empty(pair.given.content)


class _Trace:
    """Tells differences of one z by the windows and the observations behind them."""

    def __init__(self, judged: Judged, dials: Dials, vector: Vector) -> None:
        self._case = case = judged.case
        # Merged into the default graph the window needs no dataset of its own.
        self._merged = judged.query.rspql()
        self._dials = dials
        (self._window,) = case.query.sliding_windows(dials.unit)
        (self._t0,) = vector
        self._arrived: dict[Term, int] = {}
        for element in case.elements:
            for triple in element.graph:
                self._arrived.setdefault(triple.subject, element.t)

    def when(self, pair: Pair) -> str:
        """The second of PAIR."""
        t = pair.due.t if pair.due is not None else pair.given.t if pair.given else None
        return "no instant" if t is None else _seconds(t, self._dials.unit)

    def listed(self, pairs: Sequence[Pair]) -> str:
        """The seconds of PAIRS, the first of many."""
        at = list(dict.fromkeys(self.when(pair) for pair in pairs))
        return ", ".join(at[:LISTED]) + (" and later" if len(at) > LISTED else "")

    def difference(self, pair: Pair) -> str:
        """One sentence, or a few, about PAIR."""
        if pair.due is None:
            assert pair.given is not None
            rows = self._rows(pair.given.content, None)
            return f"At {self.when(pair)} an answer came that no evaluation has{rows}."
        instance = evaluated(self._window, self._t0, pair.due.t, self._dials)
        over = f"over the window {self._interval(instance)}" if instance else "over no window"
        if pair.given is None:
            rows = self._rows(pair.due.content, instance)
            return f"At {self.when(pair)} nothing came for the evaluation {over}{rows}."
        missing = _without(pair.due.content, pair.given.content, self._dials)
        extra = _without(pair.given.content, pair.due.content, self._dials)
        told = [
            f"{name}{self._rows(rows, instance)}"
            for name, rows in (("missing", missing), ("not due", extra))
            if len(rows)
        ]
        held = self._held(instance, pair.due.t) if self._is_aggregate() else ""
        return f"At {self.when(pair)}, {over}: {'; '.join(told)}{held}."

    def _is_aggregate(self) -> bool:
        return all(p.expression is not None for p in self._case.query.projection or ())

    def _rows(self, content: Content, instance: Instance | None) -> str:
        assert isinstance(content, Rows)
        if not len(content):
            return " (it has no rows)"
        shown = [self._row(row, instance) for row in list(content.solutions())[:ROWS]]
        more = len(content) - len(shown)
        return f" {' and '.join(shown)}" + (f" and {more} more" if more else "")

    def _row(self, row: Mapping[str, Term], instance: Instance | None) -> str:
        cells = ", ".join(f"?{name} {_name(term)}" for name, term in row.items())
        came = []
        for name, term in row.items():
            if isinstance(term, IRI) and term in self._arrived:
                t = self._arrived[term]
                where = ""
                if instance is not None:
                    inside = instance.holds(t, self._dials.bounds)
                    where = ", inside" if inside else ", outside"
                came.append(f"?{name} came at {_seconds(t, self._dials.unit)}{where}")
        return f"{{{cells}}}" + (f" ({'; '.join(came)})" if came else "")

    def _held(self, instance: Instance | None, t: int) -> str:
        """The readings that an aggregate at T is of."""
        if instance is None:
            return ""
        found = []
        plain = replace(
            self._merged, projection=None, group_by=None, having=(), order_by=(), operator=None
        )
        for element in self._case.elements:
            if element.t <= t and instance.holds(element.t, self._dials.bounds):
                relation = solutions(plain, Dataset(Graph(element.graph), {}, {}))
                for row in relation.rows:
                    at = _seconds(element.t, self._dials.unit)
                    found += [f"{_name(v)} at {at}" for v in row if isinstance(v, Literal)]
        return f"; the window holds {', '.join(found) or 'no reading that matches'}"

    def _interval(self, instance: Instance) -> str:
        bounds, unit = self._dials.bounds, self._dials.unit
        ends = (_plain(instance.opens, unit), _plain(instance.closes, unit))
        return f"{bounds[0]}{ends[0]}, {ends[1]}{bounds[-1]}"


def _without(one: Content, other: Content, dials: Dials) -> Rows:
    """The rows of ONE that OTHER lacks."""
    assert isinstance(one, Rows) and isinstance(other, Rows)
    rest = list(other.solutions())
    kept = []
    for row, solution in zip(one.rows, one.solutions(), strict=True):
        partner = next((r for r in rest if _same(solution, r, dials)), None)
        if partner is None:
            kept.append(row)
        else:
            rest.remove(partner)
    return Rows(one.variables, tuple(kept))


def _same(one: Mapping[str, Term], other: Mapping[str, Term], dials: Dials) -> bool:
    return one.keys() == other.keys() and all(
        agree(term, other[name], dials.numbers) for name, term in one.items()
    )


def _name(term: Term) -> str:
    """A term as short as it can be told: the local name, or the value."""
    if isinstance(term, IRI):
        return term.value.rstrip("/#").replace("#", "/").rpartition("/")[2]
    return term.lexical if isinstance(term, Literal) else repr(term)


def _plain(t: int | Fraction, unit: int) -> str:
    return f"{float(Fraction(t) * unit / SECOND):g}"


def _seconds(t: int | Fraction, unit: int) -> str:
    return f"{_plain(t, unit)} s"
