"""The argument for every recording, by the profile, by its best reading, by the criterion."""

from __future__ import annotations

from rsp_conformance.corpora.csrbench.agreement import RecordingAgreement
from rsp_conformance.corpora.csrbench.differences import Differences, listed_instants, seconds
from rsp_conformance.corpora.csrbench.judging import Fit, JudgedRecording
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Vector


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
        parts.append(f"By the profile ({settings}): {Differences(judged, judged.strict).text()}")
    fit = judged.fit
    if not fit.correct:
        if fit.departures:
            parts.append(f"By the best reading ({reading(fit)}): {Differences(judged, fit).text()}")
        else:
            parts.append("No other reading agrees better.")
        if fit.counterpart is not None:
            parts.append(_otherwise(fit.counterpart))
    elif not judged.strict.correct:
        parts.append(f"With {reading(fit)} every answer that is due came, and no other.")
    said = judged.containment
    if said.correct and not judged.fit.correct:
        by = " of 2023, with relations of one stamp as one," if said.grouped else ""
        parts.append(
            f"csrbench-oracle's criterion{by} accepts it, for it compares no timestamps and misses "
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
    recorded = sum(pair.expected is not None for pair in found.pairs)
    if not found.cost:
        return f"The {recorded} recorded answers came again, and no other."
    at = listed_instants(found.parted, unit)
    return f"{found.agreed} of the {recorded} recorded answers came again; others differ at {at}."


def _otherwise(fit: Fit) -> str:
    """How the same recording fares with the other bounds."""
    assert fit.agreement is not None
    (vector, *_) = fit.starts
    at = listed_instants(fit.agreement.parted, fit.dials.unit)
    t0 = _starts(fit.dials, vector)
    rows = f"{fit.agreement.cost} row{'s' if fit.agreement.cost > 1 else ''}"
    return f"With bounds {fit.dials.bounds} and t0 = {t0} {rows} would differ, at {at}."


def _settings(dials: Dials, vector: Vector, which: str = "") -> str:
    return f"bounds {dials.bounds}, {which}t0 = {_starts(dials, vector)}"


def _starts(dials: Dials, vector: Vector) -> str:
    return ", ".join(seconds(t, dials.unit) for t in vector if t is not None)
