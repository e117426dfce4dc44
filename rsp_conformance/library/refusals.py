"""What custom functions refuse by name while a query runs.

pyoxigraph takes an exception in a custom function for an error of the expression, so a refusal is
noted here and raised after the query, by whoever runs it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rsp_conformance.model.errors import Unsupported

_noted = threading.local()


def note_refusal(what: str) -> None:
    """Remember that WHAT, which the query that this thread runs asks for, is not evaluated."""
    if getattr(_noted, "what", None) is None:
        _noted.what = what


@contextmanager
def refusals_raised() -> Iterator[None]:
    """Run a query and read all its solutions within; raises Unsupported for the first refusal."""
    _noted.what = None
    yield
    if _noted.what is not None:
        raise Unsupported(_noted.what)
