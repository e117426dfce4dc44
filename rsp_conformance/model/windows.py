"""Sliding windows as queries declare them (RSP-QL Definitions 11 and 13; SEMANTICS 2).

The content of a window at an instant is semantics. Each of the two implementations, ``spec`` and
``spark``, computes it independently.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

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


@dataclass(frozen=True, slots=True)
class WindowDeclaration:
    """``FROM [NAMED] WINDOW name ON STREAM stream [RANGE width STEP slide]``.

    ``slide`` None is a RANGE without STEP, which means a slide of one instant (SEMANTICS 2).
    ``named`` False merges the window into the default graph.
    """

    name: IRI
    stream: IRI
    width: Span
    slide: Span | None = None
    named: bool = True


@dataclass(frozen=True, slots=True)
class SlidingWindow:
    """A declared window in instants: (α width, β slide), on a stream, t0 still open."""

    name: IRI
    stream: IRI
    width: int
    slide: int
    named: bool = True

    def __post_init__(self) -> None:
        if self.width < 1 or self.slide < 1:
            raise ValueError(f"window {self.name!r}: RANGE and STEP are at least one instant")
        if max(self.width, self.slide) > LATEST:
            raise ValueError(f"window {self.name!r}: RANGE and STEP are at most {LATEST} instants")


def resolve(declaration: WindowDeclaration, unit: int) -> SlidingWindow:
    """Convert a window's width and slide to instants of ``unit`` milliseconds.

    Raises:
        ValueError: a duration is not a whole number of instants, or the width or slide is out of
            range; the message names the window.
    """
    try:
        width = span_in_instants(declaration.width, unit)
        slide = 1 if declaration.slide is None else span_in_instants(declaration.slide, unit)
    except ValueError as error:
        raise ValueError(f"window {declaration.name!r}: {error}") from None
    return SlidingWindow(declaration.name, declaration.stream, width, slide, declaration.named)
