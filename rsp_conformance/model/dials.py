"""The dials of a profile, with their values and defaults (SEMANTICS 6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from rsp_conformance.model.errors import did_you_mean, excerpt
from rsp_conformance.model.instants import LATEST
from rsp_conformance.model.policy import Policy, Strategy, parse_policy


@dataclass(frozen=True, slots=True)
class FirstElementFloor:
    """t0 is the first element's instant, rounded down to a multiple of ``multiple``."""

    multiple: int

    def __str__(self) -> str:
        return f"first-element-floor({self.multiple})"


@dataclass(frozen=True, slots=True)
class FirstElementCloseFloor:
    """The first window closes one slide after the first element of any stream.

    That element's instant is rounded down to a multiple of ``multiple``.
    """

    multiple: int

    def __str__(self) -> str:
        return f"first-element-close-floor({self.multiple})"


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Numbers agree if they differ by at most ``epsilon``; ``text`` is how it was written."""

    epsilon: Fraction
    text: str

    def __str__(self) -> str:
        return f"tolerance({self.text})"


Bounds: TypeAlias = Literal["(o,c]", "[o,c)", "[o,c]", "(o,c)"]
"""Which ends of a window belong to it."""
WindowChoice: TypeAlias = Literal["active", "last-closed", "last-closed-inclusive"]
"""Which window is evaluated: SECRET's active one; RSP-QL*'s, that closed last before t; or the W3C
community group's, that closed last at t or before."""
T0Name: TypeAlias = Literal[
    "any",
    "registration",
    "first-element",
    "first-element-close",
    "aligned-open",
    "aligned-close",
    "first-aligned-open",
    "first-aligned-close",
]
T0: TypeAlias = T0Name | int | FirstElementFloor | FirstElementCloseFloor
"""Where the first window opens: anywhere in T⁰, by a rule, or at a number."""
ReportWindows: TypeAlias = Literal["any", "all", "first"]
ContentChange: TypeAlias = Literal["insertions", "any"]
Tick: TypeAlias = Literal["time", "tuple"]
R2S: TypeAlias = Literal["bag", "set", "membership", "elements"]
"""How Istream and Dstream subtract: counters, sets, or counters by what the other side has; or
what the elements give alone that are in both evaluations, from what either has, by counters."""
ContentKind: TypeAlias = Literal["set", "bag"]
WindowsIn: TypeAlias = Literal["named", "default"]
AnswerTime: TypeAlias = Literal["evaluation", "arrival", "none"]
Trigger: TypeAlias = Literal[">", ">="]
Numbers: TypeAlias = Literal["term", "value"] | Tolerance
"""When two numbers of answers agree (decision 24)."""
Clock: TypeAlias = Literal["any", "own"]
"""Whose arrivals make time pass for a window: those of any stream, or of its own."""
Literals: TypeAlias = Literal["term", "canonical"]
"""Whether literals stay as they are written, or equal numbers are one term."""
EmptyGroup: TypeAlias = Literal["row", "none"]
"""What an aggregate without GROUP BY gives over no solution: its row, or nothing."""
BlankNodes: TypeAlias = Literal["any", "case", "element"]
"""What a blank node's label is scoped to: the case or its element, or either."""
GraphVariable: TypeAlias = Literal["windows", "background"]
AnswersAs: TypeAlias = Literal["evaluations", "rows"]
Advances: TypeAlias = Literal["clock", "elements"]

FLOORS = (FirstElementFloor, FirstElementCloseFloor)
"""The starts that round an element's instant down to a multiple."""
BOUNDS: tuple[Bounds, ...] = get_args(Bounds)
T0_NAMES: tuple[T0Name, ...] = get_args(T0Name)
EARLIEST_T0 = -1_000_000
"""The earliest t0 of a profile: streams start at 0, so every case is walked through from t0 on."""
LONGEST_VALUE = 1_000
"""A dial's value has so many characters at most."""


@dataclass(frozen=True, slots=True)
class Dials:
    """One setting of every dial; the defaults are plain RSP-QL's.

    ``graph_variable`` says what ``GRAPH ?g`` outside WINDOW ranges over besides the background's
    named graphs: the named windows too (``windows``) or nothing else (``background``, RSP-QL*).
    SEMANTICS 4 tells the two apart by language; here it is a dial like the others.
    ``answers`` and ``advances`` are what an engine's hello says of itself (docs/protocol.md):
    whether single rows come, and whether the time comes from elements only.
    """

    bounds: Bounds = "(o,c]"
    window: WindowChoice = "active"
    t0: T0 = "any"
    report: Policy = Strategy("WC")
    report_windows: ReportWindows = "any"
    content_change: ContentChange = "insertions"
    tick: Tick = "time"
    stream_operators: frozenset[str] = frozenset("RID")
    r2s: R2S = "bag"
    window_content: ContentKind = "set"
    windows_in: WindowsIn = "named"
    empty_answers: bool = True
    answer_time: AnswerTime = "evaluation"
    trigger: Trigger = ">"
    numbers: Numbers = "term"
    time_tolerance: int = 0
    clock: Clock = "any"
    literals: Literals = "term"
    empty_group: EmptyGroup = "row"
    blank_nodes: BlankNodes = "any"
    unit: int = 1
    graph_variable: GraphVariable = "windows"
    answers: AnswersAs = "evaluations"
    advances: Advances = "clock"

    def text(self, dial: str) -> str:
        """The value of DIAL as profiles and command lines write it."""
        return write_dial(getattr(self, dial))

    def with_dial(self, dial: str, value: Any) -> Dials:
        """These dials with one turned; ValueError for an unknown dial or value."""
        return replace(self, **{dial: parse_dial(dial, value)})

    def with_dials(self, values: Mapping[str, Any]) -> Dials:
        """These dials with several turned."""
        return replace(self, **{dial: parse_dial(dial, value) for dial, value in values.items()})


def starts_with_an_element(t0: T0) -> bool:
    """Whether the elements decide where windows start."""
    return t0 in ("first-element", "first-element-close") or isinstance(t0, FLOORS)


def write_dial(value: Any) -> str:
    """A dial's value as text that ``parse_dial`` reads."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return " ".join(letter for letter in "RID" if letter in value) or "none"
    return str(value)


def write_dials(dials: Mapping[str, Any]) -> str:
    """DIALS by name and value, as ``--rsp-dial`` takes each of them; empty where there are none."""
    return " ".join(f"{dial}={write_dial(value)}" for dial, value in dials.items())


def _one_of(allowed: tuple[str, ...]) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        text = str(value).strip()
        if text not in allowed:
            raise ValueError(f"expected {' or '.join(allowed)}")
        return text

    return parse


def _natural(least: int) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        written = not isinstance(value, bool) and re.fullmatch(r"\d+", str(value).strip())
        if not written or not least <= int(value) <= LATEST:
            raise ValueError(f"expected a whole number, at least {least} and at most {LATEST}")
        return int(value)

    return parse


def _bounds(value: Any) -> str:
    text = str(value).replace(" ", "")
    if text not in BOUNDS:
        raise ValueError(f"expected {' '.join(BOUNDS)}")
    return text


def _t0(value: Any) -> Any:
    text = str(value).strip()
    if text in T0_NAMES:
        return text
    if re.fullmatch(r"-?\d+", text) and not isinstance(value, bool):
        if not EARLIEST_T0 <= int(text) <= LATEST:
            raise ValueError(f"expected a number from {EARLIEST_T0} to {LATEST}")
        return int(text)
    floor = re.fullmatch(r"(first-element(?:-close)?)-floor\(\s*(\d+)\s*\)", text)
    if floor and 0 < int(floor[2]) <= LATEST:
        closes = floor[1] == "first-element-close"
        return (FirstElementCloseFloor if closes else FirstElementFloor)(int(floor[2]))
    raise ValueError(
        f"expected {', '.join(T0_NAMES)}, first-element-floor(n), "
        "first-element-close-floor(n) or a number"
    )


def _operators(value: Any) -> frozenset[str]:
    listed = isinstance(value, (list, tuple, set, frozenset))
    words = [str(word).upper() for word in (value if listed else re.split(r"[\s,]+", str(value)))]
    letters = frozenset("".join(w.removesuffix("STREAM") for w in words if w != "NONE"))
    if not letters <= set("RID"):
        raise ValueError("expected some of R I D, or none")
    return letters


def _yes_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    return _one_of(("yes", "no"))(str(value).lower()) == "yes"  # type: ignore[no-any-return]


def _numbers(value: Any) -> Any:
    text = str(value).strip()
    if text in ("term", "value"):
        return text
    tolerance = re.fullmatch(r"tolerance\(\s*(\d+(?:\.\d*)?(?:[eE][-+]?\d{1,3})?|\.\d+)\s*\)", text)
    if tolerance is None:
        raise ValueError("expected term, value or tolerance(ε)")
    return Tolerance(Fraction(tolerance[1]), tolerance[1])


_PARSERS: dict[str, Callable[[Any], Any]] = {
    **{
        dial: _one_of(get_args(declared))
        for dial, declared in get_type_hints(Dials).items()
        if get_origin(declared) is Literal
    },
    "bounds": _bounds,
    "t0": _t0,
    "report": lambda value: parse_policy(str(value)),
    "stream_operators": _operators,
    "empty_answers": _yes_no,
    "numbers": _numbers,
    "time_tolerance": _natural(0),
    "unit": _natural(1),
}
"""How each dial is read; those of a few words take the words that their types name."""
DIALS = tuple(field.name for field in fields(Dials))
MANNERS = ("unit", "answers", "advances", "stream_operators", "windows_in")
"""Dials that say how an engine is asked and answers; no wrong answer comes of them."""


def parse_dial(dial: str, value: Any) -> Any:
    """The typed value of DIAL that VALUE (text or JSON) writes; ValueError says what it takes."""
    if dial not in _PARSERS:
        hint = did_you_mean(dial, DIALS) or f" (the dials are {', '.join(DIALS)})"
        raise ValueError(f"unknown dial {excerpt(dial)}{hint}")
    try:
        if len(str(value)) > LONGEST_VALUE:
            raise ValueError(f"expected at most {LONGEST_VALUE} characters")
        return _PARSERS[dial](value)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise ValueError(f"dial {dial}={excerpt(value)}: {said}") from None
