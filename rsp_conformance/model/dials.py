"""The dials of a profile, with their values and defaults (SEMANTICS 6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, TypeAlias

from rsp_conformance.model.policy import Policy, Strategy, parse_policy


@dataclass(frozen=True, slots=True)
class FirstElementFloor:
    """t0 is the first element's instant, rounded down to a multiple of ``multiple``."""

    multiple: int

    def __str__(self) -> str:
        return f"first-element-floor({self.multiple})"


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Numbers agree if they differ by at most ``epsilon``; ``text`` is how it was written."""

    epsilon: Fraction
    text: str

    def __str__(self) -> str:
        return f"tolerance({self.text})"


T0: TypeAlias = "str | int | FirstElementFloor"
Numbers: TypeAlias = "str | Tolerance"
BOUNDS = ("(o,c]", "[o,c)", "[o,c]", "(o,c)")
T0_NAMES = (
    "any",
    "registration",
    "first-element",
    "aligned-open",
    "aligned-close",
    "first-aligned-close",
)


@dataclass(frozen=True, slots=True)
class Dials:
    """One setting of every dial; the defaults are plain RSP-QL's.

    ``graph_variable`` says what ``GRAPH ?g`` outside WINDOW ranges over besides the background's
    named graphs: the named windows too (``windows``) or nothing else (``background``, RSP-QL*).
    SEMANTICS 4 tells the two apart by language; here it is a dial like the others.
    ``t0 = first-aligned-close`` is ours too: the start of the first window that closes after the
    registration at a multiple of the slide, for engines whose windows reach back before it.
    ``answers`` and ``advances`` are what an engine's hello says of itself (ENGINE_PROTOCOL):
    whether single rows come, and whether the time comes from elements only.
    """

    bounds: str = "(o,c]"
    window: str = "active"
    t0: T0 = "any"
    report: Policy = Strategy("WC")
    report_windows: str = "any"
    content_change: str = "insertions"
    tick: str = "time"
    stream_operators: frozenset[str] = frozenset("RID")
    r2s: str = "bag"
    window_content: str = "set"
    windows_in: str = "named"
    empty_answers: bool = True
    answer_time: str = "evaluation"
    trigger: str = ">"
    numbers: Numbers = "term"
    time_tolerance: int = 0
    unit: int = 1
    graph_variable: str = "windows"
    answers: str = "evaluations"
    advances: str = "clock"

    def text(self, dial: str) -> str:
        """The value of DIAL as profiles and command lines write it."""
        return write_dial(getattr(self, dial))

    def with_dial(self, dial: str, value: Any) -> Dials:
        """These dials with one turned; ValueError for an unknown dial or value."""
        return replace(self, **{dial: parse_dial(dial, value)})

    def with_dials(self, values: Mapping[str, Any]) -> Dials:
        """These dials with several turned."""
        return replace(self, **{dial: parse_dial(dial, value) for dial, value in values.items()})


def write_dial(value: Any) -> str:
    """A dial's value as text that ``parse_dial`` reads."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return " ".join(letter for letter in "RID" if letter in value) or "none"
    return str(value)


def _one_of(*allowed: str) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        text = str(value).strip()
        if text not in allowed:
            raise ValueError(f"expected {' or '.join(allowed)}")
        return text

    return parse


def _natural(least: int) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        if isinstance(value, bool) or not re.fullmatch(r"\d+", str(value).strip()):
            raise ValueError(f"expected a whole number, at least {least}")
        number = int(value)
        if number < least:
            raise ValueError(f"expected a whole number, at least {least}")
        return number

    return parse


def _bounds(value: Any) -> str:
    text = str(value).replace(" ", "")
    if text not in BOUNDS:
        raise ValueError(f"expected {' '.join(BOUNDS)}")
    return text


def _t0(value: Any) -> T0:
    text = str(value).strip()
    if text in T0_NAMES:
        return text
    if re.fullmatch(r"-?\d+", text) and not isinstance(value, bool):
        return int(text)
    if (floor := re.fullmatch(r"first-element-floor\(\s*(\d+)\s*\)", text)) and int(floor[1]) > 0:
        return FirstElementFloor(int(floor[1]))
    raise ValueError(f"expected {', '.join(T0_NAMES)}, first-element-floor(n) or a number")


def _operators(value: Any) -> frozenset[str]:
    if isinstance(value, (list, tuple, set, frozenset)):
        words = [str(v) for v in value]
    else:
        words = re.split(r"[\s,]+", str(value).strip())
    letters = set()
    for word in words:
        if word.lower() in {"none", ""}:
            continue
        short = word.upper().removesuffix("STREAM")
        if not set(short) <= set("RID"):
            raise ValueError("expected some of R I D, or none")
        letters |= set(short)
    return frozenset(letters)


def _yes_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).strip().lower() not in {"yes", "no"}:
        raise ValueError("expected yes or no")
    return str(value).strip().lower() == "yes"


def _numbers(value: Any) -> Numbers:
    text = str(value).strip()
    if text in {"term", "value"}:
        return text
    tolerance = re.fullmatch(r"tolerance\(\s*(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)\s*\)", text)
    if tolerance is None:
        raise ValueError("expected term, value or tolerance(ε)")
    return Tolerance(Fraction(tolerance[1]), tolerance[1])


def _report(value: Any) -> Policy:
    return parse_policy(str(value))


_PARSERS: dict[str, Callable[[Any], Any]] = {
    "bounds": _bounds,
    "window": _one_of("active", "last-closed"),
    "t0": _t0,
    "report": _report,
    "report_windows": _one_of("any", "all", "first"),
    "content_change": _one_of("insertions", "any"),
    "tick": _one_of("time", "tuple"),
    "stream_operators": _operators,
    "r2s": _one_of("bag", "set"),
    "window_content": _one_of("set", "bag"),
    "windows_in": _one_of("named", "default"),
    "empty_answers": _yes_no,
    "answer_time": _one_of("evaluation", "arrival", "none"),
    "trigger": _one_of(">", ">="),
    "numbers": _numbers,
    "time_tolerance": _natural(0),
    "unit": _natural(1),
    "graph_variable": _one_of("windows", "background"),
    "answers": _one_of("evaluations", "rows"),
    "advances": _one_of("clock", "elements"),
}
DIALS = tuple(field.name for field in fields(Dials))


def parse_dial(dial: str, value: Any) -> Any:
    """The typed value of DIAL that VALUE (text or JSON) writes; ValueError says what it takes."""
    if dial not in _PARSERS:
        near = get_close_matches(dial, DIALS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"unknown dial {dial!r}{hint} (the dials are {', '.join(DIALS)})")
    try:
        return _PARSERS[dial](value)
    except ValueError as error:
        raise ValueError(f"dial {dial}={value!r}: {error}") from None
