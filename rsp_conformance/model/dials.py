"""The dials of a profile, with their values and defaults (SEMANTICS 6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from rsp_conformance.model import digest
from rsp_conformance.model.errors import did_you_mean, excerpt
from rsp_conformance.model.instants import LATEST
from rsp_conformance.model.policy import Policy, Strategy, parse_policy


@dataclass(frozen=True, slots=True)
class FirstElementFloor:
    """A rule for t0: the first element's instant, rounded down to a multiple of ``multiple``."""

    multiple: int

    def __str__(self) -> str:
        return f"first-element-floor({self.multiple})"


@dataclass(frozen=True, slots=True)
class FirstElementCloseFloor:
    """A rule for t0: the first window closes one slide after the first element of any stream.

    The instant of this element is first rounded down to a multiple of ``multiple``.
    """

    multiple: int

    def __str__(self) -> str:
        return f"first-element-close-floor({self.multiple})"


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Numbers agree if they differ by at most ``epsilon``; ``text`` is epsilon as written."""

    epsilon: Fraction
    text: str

    def __str__(self) -> str:
        return f"tolerance({self.text})"


Bounds: TypeAlias = Literal["(o,c]", "[o,c)", "[o,c]", "(o,c)"]
"""Which ends of a window belong to it."""
WindowChoice: TypeAlias = Literal["active", "last-closed", "last-closed-inclusive"]
"""Which window is evaluated at t: the active window (SECRET), the last window that closed before t
(RSP-QL*), or the last window that closed at t or before (W3C community group)."""
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
"""When the first window opens: at any instant of T⁰, at an instant given by a rule, or at a fixed
instant."""
ReportWindows: TypeAlias = Literal["any", "all", "first"]
"""For which windows a report policy that names no window must hold."""
ContentChange: TypeAlias = Literal["insertions", "any"]
"""Which changes of content count: only new elements, or also elements that leave."""
Tick: TypeAlias = Literal["time", "tuple"]
"""How often a query is evaluated: once per instant, or once per element."""
R2S: TypeAlias = Literal["bag", "set", "membership", "elements"]
"""How IStream and DStream subtract one evaluation from another: copy by copy (``bag``); as sets;
keeping every copy of a row that the other evaluation lacks (``membership``); or copy by copy, only
the rows that come from elements in both evaluations (``elements``)."""
ContentKind: TypeAlias = Literal["set", "bag"]
"""Whether duplicates in a window count (``bag``) or not."""
WindowsIn: TypeAlias = Literal["named", "default"]
"""Whether windows are named, or merged into the default graph."""
AnswerTime: TypeAlias = Literal["evaluation", "arrival", "none"]
"""The timestamp of an answer: the instant of its evaluation, that of the arrival that releases it,
or no timestamp."""
Trigger: TypeAlias = Literal[">", ">="]
"""Whether an arrival closes a window only after the window's end, or also at it."""
Numbers: TypeAlias = Literal["term", "value"] | Tolerance
"""When two numbers in answers agree (decision 24)."""
Clock: TypeAlias = Literal["any", "own"]
"""Whose arrivals make time pass for a window: those of any stream, or those of its own stream."""
Literals: TypeAlias = Literal["term", "canonical"]
"""Whether literals stay as they are written, or equal values of one datatype become one term."""
EmptyGroup: TypeAlias = Literal["row", "none"]
"""What an aggregate without GROUP BY gives if there is no solution: a row, or nothing."""
BlankNodes: TypeAlias = Literal["any", "case", "element"]
"""How far a blank node's label reaches: the whole case, or one element; ``any`` accepts both."""
GraphVariable: TypeAlias = Literal["windows", "background"]
"""Whether ``GRAPH ?g`` outside WINDOW ranges over named windows too."""
CountSlide: TypeAlias = Literal["one", "width"]
"""By how many units a window by count slides if its query does not say: by one, or its width."""
N0Name: TypeAlias = Literal["fill", "any"]
N0: TypeAlias = N0Name | int
"""After how many units the first window by count opens: a number; ``fill``, so many that it closes
with the first unit of a slide; or any number below the slide."""
Now: TypeAlias = Literal["instant", "element", "last"]
"""What NOW holds: the elements of the instant, the last of these, or the last of all."""
Ties: TypeAlias = Literal["arrival", "open"]
"""In which order windows by count count the units of one instant, and so which of them a window
holds that has no room for all: as they arrive, or in any order, which is not judged (decision 62).
"""
AnswersAs: TypeAlias = Literal["evaluations", "rows"]
"""Whether the engine sends whole evaluations, or single rows."""
Advances: TypeAlias = Literal["clock", "elements"]
"""Whether the engine learns the time from a clock, or from elements only."""

FLOORS = (FirstElementFloor, FirstElementCloseFloor)
"""The rules for t0 that round an element's instant down to a multiple."""
BOUNDS: tuple[Bounds, ...] = get_args(Bounds)
T0_NAMES: tuple[T0Name, ...] = get_args(T0Name)
EARLIEST_T0 = -1_000_000
"""The earliest t0 of a profile. A case is evaluated from t0 on, although streams start at 0, so
this limits the time that a case takes."""
LONGEST_VALUE = 1_000
"""The greatest number of characters of a dial's value. The longest values are report policies of
some tens of characters, so this only refuses input that is not meant."""


@dataclass(frozen=True, slots=True)
class Dials:
    """One value for every dial; the defaults are those of plain RSP-QL.

    docs/dials.md explains each dial with an example. Three need a word here:

    * ``graph_variable`` decides what ``GRAPH ?g`` outside WINDOW ranges over besides the named
      graphs of the background: also the named windows (``windows``), or nothing else
      (``background``, RSP-QL*). In SEMANTICS 4 this depends on the language; here it is a dial.
    * ``answers`` and ``advances`` repeat what an engine's hello message says (docs/protocol.md):
      whether it sends single rows, and whether it learns the time from elements only.
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
    count_slide: CountSlide = field(default="one", metadata=digest.ADDED)
    n0: N0 = field(default=0, metadata=digest.ADDED)
    now: Now = field(default="instant", metadata=digest.ADDED)
    ties: Ties = field(default="arrival", metadata=digest.ADDED)

    @property
    def leaves_starts_open(self) -> bool:
        """Whether Definition 26 leaves an engine a choice of where its windows start."""
        return "any" in (self.t0, self.n0)

    def text(self, dial: str) -> str:
        """The value of a dial as it is written in profiles and on command lines."""
        return write_dial(getattr(self, dial))

    def written(self) -> dict[str, str]:
        """All dials as documents have them; `ADDED` ones are there only if they are turned."""
        return {
            dial: self.text(dial)
            for dial in DIALS
            if dial not in ADDED or self.text(dial) != _PLAIN.text(dial)
        }

    def with_dial(self, dial: str, value: Any) -> Dials:
        """These dials with another value for one; ValueError for an unknown dial or value."""
        return replace(self, **{dial: parse_dial(dial, value)})

    def with_dials(self, values: Mapping[str, Any]) -> Dials:
        """These dials with other values for some; ValueError for an unknown dial or value."""
        return replace(self, **{dial: parse_dial(dial, value) for dial, value in values.items()})


def floors(multiples: Iterable[int]) -> tuple[str, ...]:
    """The values of the dial t0 that round the first element's instant, to each of some multiples.

    Args:
        multiples: the multiples, in instants.
    """
    found = tuple(multiples)
    return tuple(str(rule(multiple)) for rule in FLOORS for multiple in found)


def starts_with_an_element(t0: T0) -> bool:
    """Whether an element decides when the first window opens."""
    return t0 in ("first-element", "first-element-close") or isinstance(t0, FLOORS)


def write_dial(value: Any) -> str:
    """Write a dial's value as text that ``parse_dial`` reads."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return " ".join(letter for letter in "RID" if letter in value) or "none"
    return str(value)


def write_dials(dials: Mapping[str, Any]) -> str:
    """Write dials as ``NAME=VALUE``, separated by spaces, as ``--rsp-dial`` takes each of them."""
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


def _n0(value: Any) -> Any:
    text = str(value).strip()
    try:
        return text if text in get_args(N0Name) else _natural(0)(value)
    except ValueError as error:
        raise ValueError(f"{error}, or {' or '.join(get_args(N0Name))}") from None


def _operators(value: Any) -> frozenset[str]:
    parts = re.split(r"[\s,]+", value) if isinstance(value, str) else value
    listed = isinstance(parts, (list, tuple, set, frozenset))
    words = [part.upper() for part in parts if isinstance(part, str)] if listed else []
    letters = frozenset("".join(w.removesuffix("STREAM") for w in words if w != "NONE"))
    if not listed or len(words) < len(parts) or not letters <= set("RID"):
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


_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    dial: get_args(declared)
    for dial, declared in get_type_hints(Dials).items()
    if get_origin(declared) is Literal
}
"""The values of the dials whose type lists them as words."""
_PARSERS: dict[str, Callable[[Any], Any]] = {
    **{dial: _one_of(words) for dial, words in _WORDS.items()},
    "bounds": _bounds,
    "t0": _t0,
    "n0": _n0,
    "report": lambda value: parse_policy(str(value)),
    "stream_operators": _operators,
    "empty_answers": _yes_no,
    "numbers": _numbers,
    "time_tolerance": _natural(0),
    "unit": _natural(1),
}
"""How each dial's value is parsed. A dial whose type is a Literal takes the words listed there."""
DIALS = tuple(own.name for own in fields(Dials))
ADDED: Final = frozenset(own.name for own in fields(Dials) if own.metadata == digest.ADDED)
"""Dials that documents leave out if they are not turned: they are younger than the documents, which
otherwise would change."""
_PLAIN: Final = Dials()
VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    **_WORDS,
    "t0": T0_NAMES,
    "n0": ("0", *get_args(N0Name)),
    "report": ("WC", "WC & NC", "CC", "NC", "CC & NC", "WC | CC"),
    "stream_operators": ("R I D", "none", "R", "I", "D", "R I", "R D", "I D"),
    "empty_answers": ("yes", "no"),
    "numbers": ("term", "value"),
}
"""The values of each dial to try, as text.

They are all values of a dial that has finitely many. A dial with infinitely many has those that
need no number: the names of ``t0`` and ``numbers``, and of ``report`` the strategies of SECRET with
their combinations that engines have. Add numbers to try as the case or the search at hand asks for
them (``floors`` for t0, ``P(n)`` for report). ``time_tolerance`` and ``unit`` have numbers alone.
"""
MANNERS = ("unit", "answers", "advances", "stream_operators", "windows_in")
"""Dials that say how an engine is asked and in what form it answers; no wrong answer is due to
them."""


def forgives(dial: str, value: str) -> bool:
    """Whether all is right under a dial's value that is right under another: it compares less.

    Args:
        dial: the name of the dial.
        value: its value as text.
    """
    if dial == "time_tolerance":
        return value != "0"
    if dial in ("t0", "n0"):
        return value == "any"
    return (dial, value) in (("answer_time", "none"), ("numbers", "value"), ("ties", "open"))


def known_dial(name: str) -> str:
    """Return the name of a dial.

    Raises:
        ValueError: no dial has this name; the message says which is like it, or lists them.
    """
    if name not in _PARSERS:
        hint = did_you_mean(name, DIALS) or f" (the dials are {', '.join(DIALS)})"
        raise ValueError(f"unknown dial {excerpt(name)}{hint}")
    return name


def dial_value(dial: str, value: Any) -> Any:
    """Return the value that a text or a value from JSON is for a dial.

    Args:
        dial: the name of a dial.
        value: text, or a value from JSON.

    Raises:
        ValueError: the dial has no such value; the message says what it takes.
    """
    try:
        if len(str(value)) > LONGEST_VALUE:
            raise ValueError(f"expected at most {LONGEST_VALUE} characters")
        return _PARSERS[dial](value)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def parse_dial(dial: str, value: Any) -> Any:
    """Parse a dial's value.

    Args:
        dial: the name of the dial.
        value: text, or a value from JSON.

    Raises:
        ValueError: an unknown dial or value; the message names both and says what the dial takes.
    """
    known_dial(dial)
    try:
        return dial_value(dial, value)
    except ValueError as error:
        raise ValueError(f"dial {dial}={excerpt(value)}: {error}") from None
