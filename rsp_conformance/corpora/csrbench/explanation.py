"""The argument for every recording: which rows differ at which instant, and why.

A row is traced to the observations that it names: each came at a second of the stream, and that
second lies inside or outside the window. Where a query shows no observation (an average), the
readings that the window holds stand in their place.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rsp_conformance.corpora.csrbench.agreement import AnswerPair, RecordingAgreement
from rsp_conformance.corpora.csrbench.judging import Fit, JudgedRecording
from rsp_conformance.explain.argument import AnswerDiffers, AnswerPart, RecordingDiffers, TracedRow
from rsp_conformance.explain.evidence.differences import unpaired
from rsp_conformance.explain.render.recording import listed_seconds, recording_differs, seconds
from rsp_conformance.model.answers import Rows, is_empty
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.terms import IRI, Literal, Term
from rsp_conformance.model.verdict import Vector
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.spec.windows import Instance, evaluated

DETAILED = 4
"""So many differences are told in full, the others are counted."""


def reading(fit: Fit) -> str:
    """Which reading FIT is, in words."""
    first, *rest = fit.starts
    others = f" (or {len(rest)} other{'s' if len(rest) > 1 else ''})" if rest else ""
    return f"{_settings(fit.dials, first)}{others}; {fit.reading.text()}"


def because(judged: JudgedRecording) -> str:
    """Why the recording is wrong, by the profile and by its best reading; or that it is correct."""
    parts = []
    if judged.strict.correct:
        parts.append("By the profile every answer that is due came, and no other.")
    else:
        settings = _settings(judged.strict.dials, judged.strict.starts[0], "nearest ")
        parts.append(f"By the profile ({settings}): {_differences(judged, judged.strict)}")
    fit = judged.fit
    if not fit.correct:
        if fit.departures:
            parts.append(f"By the best reading ({reading(fit)}): {_differences(judged, fit)}")
        else:
            parts.append("No other reading agrees better.")
        if fit.counterpart is not None:
            parts.append(_otherwise(fit.counterpart))
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


def beside(found: RecordingAgreement, unit: int) -> str:
    """How live answers and recorded ones agree; instants are of UNIT milliseconds."""
    recorded = sum(pair.due is not None for pair in found.pairs)
    if not found.cost:
        return f"The {recorded} recorded answers came again, and no other."
    at = listed_seconds([_when(pair) for pair in found.parted], unit)
    return f"{found.agreed} of the {recorded} recorded answers came again; others differ at {at}."


def _otherwise(fit: Fit) -> str:
    """How the same recording fares with the other bounds."""
    assert fit.agreement is not None
    (vector, *_) = fit.starts
    at = listed_seconds([_when(pair) for pair in fit.agreement.parted], fit.dials.unit)
    t0 = _starts(fit.dials, vector)
    rows = f"{fit.agreement.cost} row{'s' if fit.agreement.cost > 1 else ''}"
    return f"With bounds {fit.dials.bounds} and t0 = {t0} {rows} would differ, at {at}."


def _settings(dials: Dials, vector: Vector, which: str = "") -> str:
    return f"bounds {dials.bounds}, {which}t0 = {_starts(dials, vector)}"


def _starts(dials: Dials, vector: Vector) -> str:
    return ", ".join(seconds(t, dials.unit) for t in vector if t is not None)


def _when(pair: AnswerPair) -> int | Fraction | None:
    if pair.due is not None:
        return pair.due.t
    return None if pair.given is None else pair.given.t


def _differences(judged: JudgedRecording, fit: Fit) -> str:
    found, dials = fit.agreement, fit.dials
    assert found is not None, "it is wrong"
    empty = [pair for pair in found.parted if _is_empty_extra(pair)]
    parted = [pair for pair in found.parted if not _is_empty_extra(pair)]
    trace = _Trace(judged, fit)
    return recording_differs(
        RecordingDiffers(
            dials.bounds,
            dials.unit,
            found.agreed,
            sum(pair.due is not None for pair in found.pairs),
            tuple(_when(pair) for pair in empty),
            tuple(trace.difference(pair) for pair in parted[:DETAILED]),
            tuple(_when(pair) for pair in parted[DETAILED:]),
        )
    )


def _is_empty_extra(pair: AnswerPair) -> bool:
    return pair.due is None and pair.given is not None and is_empty(pair.given.content)


class _Trace:
    """Finds the windows and the observations behind the differences of one z."""

    def __init__(self, judged: JudgedRecording, fit: Fit) -> None:
        self._case = case = judged.case
        # Merged into the default graph the window needs no dataset of its own.
        self._merged = judged.query.rspql()
        self._dials = fit.dials
        (self._window,) = case.query.sliding_windows(fit.dials.unit)
        (self._t0,) = fit.starts[0]
        self._arrived: dict[Term, int] = {}
        for element in case.elements:
            for triple in element.graph:
                self._arrived.setdefault(triple.subject, element.t)

    def difference(self, pair: AnswerPair) -> AnswerDiffers:
        """How the two of PAIR differ."""
        nothing = Rows((), ())
        due = nothing if pair.due is None else pair.due.content
        given = nothing if pair.given is None else pair.given.content
        instance = held = None
        if pair.due is not None:
            instance = evaluated(self._window, self._t0, pair.due.t, self._dials)
            aggregate = all(p.expression is not None for p in self._case.query.projection or ())
            if aggregate and instance is not None and pair.given is not None:
                held = self._held(instance, pair.due.t)
        rows = unpaired(due, given, self._dials.numbers)
        missing, extra = (tuple(self._row(part, instance) for part in own) for own in rows)
        both = pair.due is not None, pair.given is not None
        return AnswerDiffers(_when(pair), *both, instance, missing, extra, held)

    def _row(self, part: AnswerPart, instance: Instance | None) -> TracedRow:
        cells = zip(part.variables, part.row, strict=True)
        row = tuple((name, term) for name, term in cells if term is not None)
        came = []
        for name, term in row:
            if isinstance(term, IRI) and term in self._arrived:
                t = self._arrived[term]
                inside = None if instance is None else instance.holds(t, self._dials.bounds)
                came.append((name, t, inside))
        return TracedRow(row, tuple(came))

    def _held(self, instance: Instance, t: int) -> tuple[tuple[str, int], ...]:
        """The readings that an aggregate at T is of, each with its instant."""
        plain = replace(
            self._merged, projection=None, group_by=None, having=(), order_by=(), operator=None
        )
        found = []
        for element in self._case.elements:
            if element.t <= t and instance.holds(element.t, self._dials.bounds):
                relation = solutions(plain, Dataset(GraphBag(element.graph), {}, {}))
                literals = (v for row in relation.rows for v in row if isinstance(v, Literal))
                found += [(literal.lexical, element.t) for literal in literals]
        return tuple(found)
