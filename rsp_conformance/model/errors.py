"""What a user of the kit may catch (each says what is wrong and what to do)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class KitError(Exception):
    """The base of every error that the kit raises for a user to read."""


class BadInput(KitError, ValueError):
    """Something that the user wrote cannot be used; the message is the line to show."""


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


class Unsupported(KitError):
    """A query asks for something that the kit parses and does not evaluate.

    ``what`` is its name, such as ``SERVICE``; the kit never answers such a query.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"not evaluated by this kit: {what}")
        self.what = what

    def __reduce__(self) -> tuple[type[Unsupported], tuple[str]]:
        return type(self), (self.what,)
