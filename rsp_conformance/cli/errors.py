"""Bad input: one line on standard error that says what, where and what to do, and status 2."""

from __future__ import annotations

CORRECT = 0
WRONG = 1
BAD_INPUT = 2
BUG = 3
"""Exit statuses: of a right answer, a wrong one, bad input, and an internal error."""


def one_line(text: str) -> str:
    """TEXT on one line, without control characters."""
    words = "".join(c if c.isprintable() else " " for c in text).split()
    return " ".join(words)
