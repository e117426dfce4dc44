"""Readings: how an evaluation takes the points that the texts leave open, and which ones it met.

An engine with an implicit timezone of its own calls ``?t < "2020-01-01T12:00:00Z"`` true, another
one calls it an error, and both are right. So the place in the code that comes to such a point asks
`reading` which of its options holds, and the first option is what the kit takes by itself. Whoever
evaluates a query does it `under` readings, and is told which choices were met. Where an answer is
wrong under the kit's own readings, it is held against the others that were met, all of them for
the whole case, for an engine reads a point in one way.

Some points have no readings that could be told apart (which rows a LIMIT leaves): `leave_open` says
that one was met, and nothing is judged by such an answer. ``open_points.toml`` has all of them.

The state is that of one thread: an evaluation is one function, many calls deep, and scalar
functions know nothing of who calls them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar, Token
from typing import NamedTuple, TypeAlias

from rsp_conformance.model.terms import Literal


class Choice(NamedTuple):
    """A point that an engine decides: its id, and what tells decisions on one point apart.

    An engine may know that a number is no boolean, and not that it is no text.
    """

    point: str
    about: str = ""


Readings: TypeAlias = "frozenset[tuple[Choice, str]]"
"""The options that are taken; at every other choice it is the first one."""
Choices: TypeAlias = "tuple[tuple[Choice, tuple[str, ...]], ...]"
"""The choices that were met, each with its options."""
PLAIN: Readings = frozenset()
"""The kit's own readings."""


class Ledger:
    """What an evaluation takes, and what it met.

    ``computed`` are the numbers whose digits or whose form the texts leave to the implementation.
    """

    __slots__ = ("_token", "computed", "left_open", "met", "taken")

    def __init__(self, readings: Readings) -> None:
        self.taken: dict[Choice, str] = dict(readings)
        self.met: dict[Choice, dict[str, None]] = {}
        self.left_open: dict[str, None] = {}
        self.computed: set[Literal] = set()
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


_LEDGER: ContextVar[Ledger | None] = ContextVar("ledger", default=None)


def under(readings: Readings) -> Ledger:
    """Within it READINGS are taken; what is met is written into the ledger."""
    return Ledger(readings)


def aside() -> Ledger:
    """Within it the same readings are taken, and what is met is not taken down."""
    ledger = _LEDGER.get()
    return Ledger(PLAIN if ledger is None else frozenset(ledger.taken.items()))


def reading(point: str, *options: str, about: str = "") -> str:
    """Which of OPTIONS is taken at POINT, the first one where nothing else was said.

    An option that was taken for another meeting of the same choice may be none of OPTIONS.
    """
    ledger = _LEDGER.get()
    if ledger is None:
        return options[0]
    choice = Choice(point, about)
    ledger.met.setdefault(choice, {}).update(dict.fromkeys(options))
    return ledger.taken.get(choice, options[0])


def is_taken(point: str, *options: str) -> bool:
    """Whether one of OPTIONS is taken at POINT, which is not met by asking so."""
    ledger = _LEDGER.get()
    return ledger is not None and ledger.taken.get(Choice(point)) in options


def leave_open(point: str) -> None:
    """Take down that what is evaluated depends on POINT, whose readings cannot be enumerated."""
    ledger = _LEDGER.get()
    if ledger is not None:
        ledger.left_open[point] = None


def note_computed(literal: Literal) -> Literal:
    """Take down that LITERAL, which is given back, is a number that was computed."""
    ledger = _LEDGER.get()
    if ledger is not None:
        ledger.computed.add(literal)
    return literal


def was_computed(literal: Literal) -> bool:
    """Whether LITERAL is a number that was computed in this evaluation."""
    ledger = _LEDGER.get()
    return ledger is not None and literal in ledger.computed


def others(taken: Readings, met: Choices) -> Iterator[tuple[Choice, Readings]]:
    """TAKEN with one choice of those MET taken otherwise, and which one, in a fixed order."""
    held = dict(taken)
    for choice, options in sorted(met):
        for option in options:
            if option != held.get(choice, options[0]):
                rest = taken - {(choice, held.get(choice, ""))}
                yield choice, rest if option == options[0] else rest | {(choice, option)}


def united(choices: Choices, more: Choices) -> Choices:
    """Both, each choice once with all of its options, the first one first."""
    found = {choice: dict.fromkeys(options) for choice, options in choices}
    for choice, options in more:
        found.setdefault(choice, {}).update(dict.fromkeys(options))
    return tuple((choice, tuple(options)) for choice, options in found.items())
