"""What a user of the kit may catch (each says what is wrong and what to do)."""

from __future__ import annotations


class KitError(Exception):
    """The base of every error that the kit raises for a user to read."""


class Unsupported(KitError):
    """A query asks for something that the kit parses and does not evaluate.

    ``what`` is its name, such as ``SERVICE``; the kit never answers such a query.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"not evaluated by this kit: {what}")
        self.what = what

    def __reduce__(self) -> tuple[type[Unsupported], tuple[str]]:
        return type(self), (self.what,)
