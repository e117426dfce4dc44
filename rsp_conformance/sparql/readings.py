"""Readings: how an evaluation decides the points that the texts leave open, and which it met.

For example, ``?t < "2020-01-01T12:00:00Z"`` for a ``?t`` without a timezone is true in an engine
with a certain implicit timezone and an error in another, and both are right. Code that reaches such
a point asks `reading` which of its options holds; the first option is the kit's own. A query is
evaluated `under` readings, and the ledger lists the choices that were met. An answer that is wrong
under the kit's own readings is compared under the others that were met. A reading holds for the
whole case, because an engine reads a point in one way.

Some points have no readings that could be enumerated (which rows a LIMIT leaves). `leave_open`
records that such a point was met, and the answer is not judged. ``open_points.toml`` lists all
points.

A point that one operand of an operator meets leaves nothing open if another operand decides the
result by itself: ``(true + ?x) * (1 / ?n)`` is an error, whatever sign the zero of ``?n`` has. This
is the rule of `all_values` and `either`, by which evaluators evaluate several operands.

The state is a context variable, and so local to a thread: an evaluation is one function, many calls
deep, and scalar functions do not know their callers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextvars import ContextVar, Token
from typing import NamedTuple, TypeAlias, TypeVar

from rsp_conformance.model.terms import Literal

V = TypeVar("V")


class Choice(NamedTuple):
    """A decision that an engine makes on an open point.

    ``point`` is the id of the point; ``about`` separates independent decisions on the same point.
    For example, an engine may know that a number differs from a boolean, but not that it differs
    from a text.
    """

    point: str
    about: str = ""


Readings: TypeAlias = "frozenset[tuple[Choice, str]]"
"""The options that are taken; for all other choices it is the first option."""
Choices: TypeAlias = "tuple[tuple[Choice, tuple[str, ...]], ...]"
"""The choices that were met, each with its options."""
PLAIN: Readings = frozenset()
"""The kit's own readings."""


class Ledger:
    """The readings that an evaluation takes, and the open points that it met.

    Attributes:
        taken: The option for each choice that does not have its first option.
        met: The choices that were met, each with its options.
        left_open: The points met whose readings cannot be enumerated.
        computed: The numbers whose digits or form the texts leave to the implementation.
        meetings: How often a point of ``left_open`` was met.
    """

    __slots__ = ("_token", "computed", "left_open", "meetings", "met", "taken")

    def __init__(self, readings: Readings) -> None:
        self.taken: dict[Choice, str] = dict(readings)
        self.met: dict[Choice, dict[str, None]] = {}
        self.left_open: dict[str, None] = {}
        self.computed: set[Literal] = set()
        self.meetings = 0
        self._token: Token[Ledger | None]

    def __enter__(self) -> Ledger:
        self._token = _LEDGER.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _LEDGER.reset(self._token)

    @property
    def choices(self) -> Choices:
        """The choices that were met."""
        return tuple((choice, tuple(options)) for choice, options in self.met.items())

    def leave_open(self, point: str) -> None:
        """Record that a point was met whose readings cannot be enumerated."""
        self.left_open[point] = None
        self.meetings += 1

    def forget(self, points: int, meetings: int) -> None:
        """Forget all points that were left open since there were so many points and meetings."""
        while len(self.left_open) > points:
            self.left_open.popitem()
        self.meetings = meetings


_LEDGER: ContextVar[Ledger | None] = ContextVar("ledger", default=None)


def under(readings: Readings) -> Ledger:
    """A context in which these readings are taken; its ledger records the points that are met."""
    return Ledger(readings)


def aside() -> Ledger:
    """A context with the same readings; the points met in it are not recorded outside."""
    ledger = _LEDGER.get()
    return Ledger(PLAIN if ledger is None else frozenset(ledger.taken.items()))


def reading(point: str, *options: str, about: str = "") -> str:
    """The option that is taken at an open point; the meeting is recorded.

    Args:
        point: The id of the point.
        options: The options at this place, the kit's own first.
        about: Separates independent decisions on the same point.

    Returns:
        The option; the first one if no other is set. It may be missing from `options` if it was set
        because of another place with the same choice.
    """
    ledger = _LEDGER.get()
    if ledger is None:
        return options[0]
    choice = Choice(point, about)
    ledger.met.setdefault(choice, {}).update(dict.fromkeys(options))
    return ledger.taken.get(choice, options[0])


def is_taken(point: str, *options: str) -> bool:
    """Whether one of these options is taken at a point; this does not count as meeting it."""
    ledger = _LEDGER.get()
    return ledger is not None and ledger.taken.get(Choice(point)) in options


def leave_open(point: str) -> None:
    """Record that the evaluation depends on a point whose readings cannot be enumerated."""
    ledger = _LEDGER.get()
    if ledger is not None:
        ledger.leave_open(point)


def all_values(operands: Iterable[V | None]) -> list[V] | None:
    """The values of the operands of an operator that takes no error.

    Args:
        operands: The values, None for an error. An operand is evaluated when its value is asked
            for, so that its open points are known.

    Returns:
        All values; None if one of them is an error. Points that the other operands left open are
        forgotten if it is an error in any case.
    """
    found = _until_decided(operands, None)
    values = [value for value in found if value is not None]
    return values if len(values) == len(found) else None


def either(sides: Iterable[bool | None], *, decisive: bool) -> bool | None:
    """The result of ``||`` (`decisive` is true) or ``&&``: a decisive side overrides an error.

    Args:
        sides: The truth values, None for an error. A side is evaluated when its value is asked for.
        decisive: The value of a side that decides the result.

    Returns:
        The result; None for an error. Points that the other sides left open are forgotten if one is
        decisive in any case.
    """
    found = _until_decided(sides, decisive)
    if decisive in found:
        return decisive
    return None if None in found else not decisive


def _until_decided(operands: Iterable[V], decisive: V) -> list[V]:
    """The values of operands, up to the first one that is decisive and leaves nothing open."""
    ledger = _LEDGER.get() or Ledger(PLAIN)
    points, start = len(ledger.left_open), ledger.meetings
    found: list[V] = []
    before = start
    for value in operands:
        found.append(value)
        if value is decisive and ledger.meetings == before:
            ledger.forget(points, start)
            break
        before = ledger.meetings
    return found


def note_computed(literal: Literal) -> Literal:
    """Record that a literal is a number that was computed, and return it."""
    ledger = _LEDGER.get()
    if ledger is not None:
        ledger.computed.add(literal)
    return literal


def was_computed(literal: Literal) -> bool:
    """Whether a literal is a number that was computed in this evaluation."""
    ledger = _LEDGER.get()
    return ledger is not None and literal in ledger.computed


def others(taken: Readings, met: Choices) -> Iterator[tuple[Choice, Readings]]:
    """Yield readings that differ from `taken` in one choice, in a fixed order.

    Args:
        taken: The readings to start from.
        met: The choices that may be changed, with their options.

    Yields:
        The choice that is changed, and the readings with it.
    """
    held = dict(taken)
    for choice, options in sorted(met):
        for option in options:
            if option != held.get(choice, options[0]):
                rest = taken - {(choice, held.get(choice, ""))}
                yield choice, rest if option == options[0] else rest | {(choice, option)}


def united(choices: Choices, more: Choices) -> Choices:
    """The union of choices, each with all of its options in the order of their first mention."""
    found = {choice: dict.fromkeys(options) for choice, options in choices}
    for choice, options in more:
        found.setdefault(choice, {}).update(dict.fromkeys(options))
    return tuple((choice, tuple(options)) for choice, options in found.items())
