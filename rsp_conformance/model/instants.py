"""Which instants and lengths of time there are: numbers from outside have ends (SEMANTICS 1)."""

from __future__ import annotations

from typing import Final

LATEST: Final = 2**63 - 1
"""The latest instant, and the longest width, slide or period: nanoseconds since 1970 fit."""


def check_instant(name: str, instant: int) -> None:
    """Raise ValueError where INSTANT is negative, or later than `LATEST`; NAME says whose it is."""
    if instant < 0:
        raise ValueError(f"{name} {shown_number(instant)}: instants start at 0")
    if instant > LATEST:
        raise ValueError(f"{name} {shown_number(instant)}: the latest instant is {LATEST}")


def shown_number(number: int) -> str:
    """NUMBER for a message; of a very long one its length in digits alone."""
    if abs(number) < 10**30:
        return str(number)
    return f"a number of some {int(number.bit_length() * 0.30103) + 1} digits"
