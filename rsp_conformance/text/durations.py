"""Lengths of time in queries: ISO 8601 durations or plain numbers of instants."""

from __future__ import annotations

import re
from fractions import Fraction

from rsp_conformance.model.windows import Duration, Span
from rsp_conformance.text.errors import NotExpressible

_NUMBER = r"(\d+(?:[.,]\d+)?)"
_ISO = re.compile(
    rf"P(?=.)(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?=.)(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?",
    re.IGNORECASE,
)
_MILLISECONDS = (604_800_000, 86_400_000, 3_600_000, 60_000, 1000)
"""The milliseconds of a week, a day, an hour, a minute and a second: the groups of ``_ISO``."""
_UNITS = {"ns": Fraction(1, 1_000_000)} | {
    name: Fraction(milliseconds)
    for names, milliseconds in (
        ("ms", 1),
        ("s second seconds", 1000),
        ("m min minute minutes", 60_000),
        ("h hr hour hours", 3_600_000),
        ("d day days", 86_400_000),
    )
    for name in names.split()
}
"""The milliseconds of each unit of time that C-SPARQL, CQELS-QL or SPARQLstream has."""
STYLES = ("instants", "iso", "iso-seconds", "ms", "s")
"""How an engine's language writes a length of time (the protocol's ``duration``)."""
WHOLE_SECONDS = frozenset({"iso-seconds", "s"})
"""The styles that cannot write a part of a second."""


def parse_duration(text: str) -> Duration:
    """Return an ISO 8601 duration such as ``PT5S``, ``P1D`` or ``PT0.5S``.

    Raises:
        ValueError: the text is not such a duration, has years or months, which have no fixed
            length, or has a fraction of a millisecond.
    """
    if re.fullmatch(r"P(\d+[.,]?\d*Y|\d+[.,]?\d*M).*", text, re.IGNORECASE):
        raise ValueError(f"the duration {text} has years or months, which have no fixed length")
    match = _ISO.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is no ISO 8601 duration such as PT5S, PT0.5S or P1D")
    total = Fraction(0)
    for number, factor in zip(match.groups(), _MILLISECONDS, strict=True):
        if number is not None:
            total += Fraction(number.replace(",", ".")) * factor
    if total.denominator != 1:
        raise ValueError(f"the duration {text} is no whole number of milliseconds")
    return Duration(int(total))


def parse_length(text: str) -> Duration:
    """Return a number with a unit of time, such as ``5s``, ``10 MINUTES`` or ``500ms``.

    Raises:
        ValueError: the unit is unknown or has no fixed length, or the length is not a whole number
            of milliseconds.
    """
    number, unit = re.fullmatch(r"(\d+)\s*([A-Za-z]+)", text).groups()  # type: ignore[union-attr]
    if unit.lower() not in _UNITS:
        raise ValueError(f"{unit} is no unit of time of a fixed length, such as ms, s, m, h or d")
    length = int(number) * _UNITS[unit.lower()]
    if length.denominator != 1:
        raise ValueError(f"the length {text} is no whole number of milliseconds")
    return Duration(int(length))


def write_duration(duration: Duration) -> str:
    """Return a duration as ISO 8601: ``PT5S``, ``PT1M30S``, ``P1DT0.5S``."""
    seconds, milliseconds = divmod(duration.milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    fraction = f".{milliseconds:03d}".rstrip("0") if milliseconds else ""
    time = f"{hours}H" if hours else ""
    time += f"{minutes}M" if minutes else ""
    time += f"{seconds}{fraction}S" if seconds or fraction else ""
    text = (f"{days}D" if days else "") + (f"T{time}" if time else "")
    return f"P{text or 'T0S'}"


def write_span(span: Span, style: str | None = None, unit: int = 1) -> str:
    """Return a span as an engine's language writes it.

    Args:
        span: a duration, or a number of instants.
        style: None keeps the span as it is; ``instants`` is a number of instants; ``iso`` is an
            ISO 8601 duration, and ``iso-seconds`` one in whole seconds only (``PT90S``); ``ms`` and
            ``s`` are plain numbers of milliseconds or seconds.
        unit: milliseconds per instant.

    Raises:
        ValueError: the span is not a whole number of instants, or the style is unknown.
        NotExpressible: the span is not a whole number of seconds.
    """
    if style is None:
        return write_duration(span) if isinstance(span, Duration) else str(span)
    if style == "instants":
        return str(span.instants(unit) if isinstance(span, Duration) else span)
    duration = span if isinstance(span, Duration) else Duration(span * unit)
    if style == "iso":
        return write_duration(duration)
    if style == "ms":
        return str(duration.milliseconds)
    if style in WHOLE_SECONDS:
        seconds, rest = divmod(duration.milliseconds, 1000)
        if rest:
            raise NotExpressible(
                f"the dialect has whole seconds only, and no {duration.milliseconds} ms"
            )
        return str(seconds) if style == "s" else f"PT{seconds}S"
    raise ValueError(f"unknown style of durations {style!r} (the styles are {', '.join(STYLES)})")
