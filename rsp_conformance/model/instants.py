"""The range of instants and lengths of time, which numbers from outside must keep (SEMANTICS 1)."""

from __future__ import annotations

from typing import Final

LATEST: Final = 2**63 - 1
"""The latest instant, and the longest width, slide or period. Nanoseconds since 1970 fit."""


def check_instant(name: str, instant: int) -> None:
    """Check that an instant is not negative and not later than `LATEST`.

    Args:
        name: what the instant is, such as ``until``; the message begins with it.
        instant: the instant.

    Raises:
        ValueError: it is out of this range.
    """
    if instant < 0:
        raise ValueError(f"{name} {shown_number(instant)}: instants start at 0")
    if instant > LATEST:
        raise ValueError(f"{name} {shown_number(instant)}: the latest instant is {LATEST}")


def shown_number(number: int) -> str:
    """A number for a message; of a very long number, only how many digits it has."""
    if abs(number) < 10**30:
        return str(number)
    return f"a number of some {int(number.bit_length() * 0.30103) + 1} digits"
