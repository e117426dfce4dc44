"""Windows as queries declare them (RSP-QL Definitions 11 and 13; SEMANTICS 2).

A window is by time, ``[RANGE 5 STEP 2]``, which may be in the past,
``[FROM NOW-7 TO NOW-2 STEP 2]``, or by count, ``[ELEMENTS 3]`` and ``[TRIPLES 3 STEP 2]``, or it is
``[NOW]`` or ``[RANGE UNBOUNDED]``. The content of a window at an
instant is semantics. Each of the two implementations, ``spec`` and ``spark``, computes it
independently.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Literal, TypeAlias

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.digest import ADDED
from rsp_conformance.model.instants import LATEST
from rsp_conformance.model.terms import IRI


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in milliseconds, as ISO 8601 writes it; instants are plain integers."""

    milliseconds: int

    def instants(self, unit: int) -> int:
        """The length in instants.

        Args:
            unit: the milliseconds of an instant.

        Raises:
            ValueError: the length is not a whole number of instants.
        """
        if self.milliseconds % unit:
            raise ValueError(
                f"a duration of {self.milliseconds} ms is no whole number of instants of {unit} ms"
            )
        return self.milliseconds // unit


Span: TypeAlias = int | Duration


def span_in_instants(span: Span, unit: int) -> int:
    """A span in instants of ``unit`` ms; ValueError if it is not a whole number of them."""
    return span.instants(unit) if isinstance(span, Duration) else span


Unit: TypeAlias = Literal["elements", "triples"]
"""What a window by count counts: the elements of its stream, or their triples."""


@dataclass(frozen=True, slots=True)
class Count:
    """The size of a window by count: ``ELEMENTS 3`` or ``TRIPLES 3``."""

    unit: Unit
    number: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= LATEST:
            raise ValueError(f"{self.unit.upper()} takes a number from 1 to {LATEST}")

    def __str__(self) -> str:
        return f"{self.unit.upper()} {self.number}"


class Reach(Enum):
    """The size of a window without a number: the present instant alone, or all of the past."""

    NOW = "NOW"
    UNBOUNDED = "UNBOUNDED"


Size: TypeAlias = Span | Count | Reach
"""The size of a window of any kind."""


@dataclass(frozen=True, slots=True)
class WindowDeclaration:
    """``FROM [NAMED] WINDOW name ON STREAM stream [RANGE width STEP slide]``.

    ``width`` is a length of time; a ``Count`` or a ``Reach`` takes the place of RANGE. ``slide`` is
    a length of time, or a number of units beside a ``Count``. None is a window without STEP, which
    slides by one instant, or by count as the dial ``count_slide`` says (SEMANTICS 2). ``named``
    False merges the window into the default graph. ``lag`` is how long before the present a window
    in the past ends: ``FROM NOW-7 TO NOW-2`` has width 5 and lag 2.
    """

    name: IRI
    stream: IRI
    width: Size
    slide: Span | None = None
    named: bool = True
    lag: Span | None = field(default=None, metadata=ADDED)

    def __post_init__(self) -> None:
        if self.lag is not None:
            self._check_lag(self.lag)
        if self.is_by_time or self.slide is None:
            return
        if isinstance(self.width, Reach):
            raise ValueError(f"window {self.name!r}: {self.width.value} has no slide")
        if isinstance(self.slide, Duration):
            raise ValueError(f"window {self.name!r}: only a window by time slides by time")
        if not 1 <= self.slide <= LATEST:
            raise ValueError(
                f"window {self.name!r}: STEP takes a number of units from 1 to {LATEST}"
            )

    def _check_lag(self, lag: Span) -> None:
        if not self.is_by_time:
            raise ValueError(f"window {self.name!r}: only a window by time is in the past")
        if isinstance(lag, Duration) is not isinstance(self.width, Duration):
            raise ValueError(f"window {self.name!r}: width and lag are both durations, or neither")
        if (lag.milliseconds if isinstance(lag, Duration) else lag) < 1:
            raise ValueError(f"window {self.name!r}: a window without a lag has none written")

    @property
    def back(self) -> Span:
        """How long before the present a window by time begins: its width and its lag."""
        width, lag = self.width, self.lag
        if isinstance(width, Duration) and isinstance(lag, Duration):
            return Duration(width.milliseconds + lag.milliseconds)
        assert isinstance(width, int | Duration)
        return width + lag if isinstance(width, int) and isinstance(lag, int) else width

    @property
    def is_by_time(self) -> bool:
        """Whether the window has a width and a slide by time."""
        return isinstance(self.width, int | Duration)


@dataclass(frozen=True, slots=True)
class SlidingWindow:
    """A declared window in instants: (α width, β slide), on a stream, t0 still open.

    If it is in the past, it is at t what it would be at t − δ without its ``lag`` δ.
    """

    name: IRI
    stream: IRI
    width: int
    slide: int
    named: bool = True
    lag: int = 0

    def __post_init__(self) -> None:
        if self.width < 1 or self.slide < 1:
            raise ValueError(f"window {self.name!r}: RANGE and STEP are at least one instant")
        if max(self.width + self.lag, self.slide) > LATEST:
            raise ValueError(f"window {self.name!r}: RANGE and STEP are at most {LATEST} instants")

    @property
    def reach(self) -> int:
        """After how many instants no instance that is evaluated holds an element any more."""
        return self.width + self.slide + self.lag


@dataclass(frozen=True, slots=True)
class CountWindow:
    """A window by count: (N width, M slide), in units of a stream."""

    name: IRI
    stream: IRI
    width: int
    slide: int
    unit: Unit
    named: bool = True
    lag: ClassVar[int] = 0

    @property
    def reach(self) -> int:
        """After how many units no instance that is evaluated holds a unit any more."""
        return self.width + self.slide


@dataclass(frozen=True, slots=True)
class NowWindow:
    """A window that holds the present instant's elements."""

    name: IRI
    stream: IRI
    named: bool = True
    lag: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class UnboundedWindow:
    """A window that holds all elements that have come."""

    name: IRI
    stream: IRI
    named: bool = True
    lag: ClassVar[int] = 0


AnyWindow: TypeAlias = SlidingWindow | CountWindow | NowWindow | UnboundedWindow
"""A declared window of any kind, with lengths of time in instants. Only one by time has a lag."""


def by_time(windows: Iterable[AnyWindow]) -> tuple[SlidingWindow, ...]:
    """The windows that are by time, in order."""
    return tuple(window for window in windows if isinstance(window, SlidingWindow))


def resolve(declaration: WindowDeclaration, dials: Dials) -> AnyWindow:
    """A declared window with its width and slide in instants, or in units.

    Args:
        declaration: the window as a query declares it.
        dials: the setting whose dials ``unit`` and ``count_slide`` decide.

    Raises:
        ValueError: a duration is not a whole number of instants, or the width or slide is out of
            range; the message names the window.
    """
    name, stream, named = declaration.name, declaration.stream, declaration.named
    if isinstance(declaration.width, Count):
        size = declaration.width
        slide = size.number if dials.count_slide == "width" else 1
        if declaration.slide is not None:
            assert isinstance(declaration.slide, int)
            slide = declaration.slide
        return CountWindow(name, stream, size.number, slide, size.unit, named)
    if isinstance(declaration.width, Reach):
        kind = NowWindow if declaration.width is Reach.NOW else UnboundedWindow
        return kind(name, stream, named)
    try:
        width = span_in_instants(declaration.width, dials.unit)
        slide = 1 if declaration.slide is None else span_in_instants(declaration.slide, dials.unit)
        lag = 0 if declaration.lag is None else span_in_instants(declaration.lag, dials.unit)
    except ValueError as error:
        raise ValueError(f"window {name!r}: {error}") from None
    return SlidingWindow(name, stream, width, slide, named, lag)
