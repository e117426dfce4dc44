"""Bad input: one line on standard error that says what, where and what to do, and status 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rsp_conformance.model.errors import KitError

CORRECT = 0
WRONG = 1
BAD_INPUT = 2
BUG = 3
"""Exit statuses: of a right answer, a wrong one, bad input, and an internal error."""


class BadInput(KitError):
    """Something that the user wrote cannot be used; the message is the line to show."""


def one_line(text: str) -> str:
    """TEXT on one line, without control characters."""
    words = "".join(c if c.isprintable() else " " for c in text).split()
    return " ".join(words)


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Within it, what the kit refuses of a value that the user wrote is bad input.

    WHAT says where the value was written, such as ``--dial``; it may be empty.
    """
    where = f"{what}: " if what else ""
    try:
        yield
    except BadInput:
        raise
    except (KitError, ValueError, OverflowError) as error:
        raise BadInput(f"{where}{error}") from error
    except RecursionError as error:
        raise BadInput(f"{where}nested too deeply") from error
