"""Makes a seed draw the same cases everywhere: in a checkout, a user's repository, each worker.

Hypothesis draws about one number or text in twenty from constants that it finds in the modules that
it takes for yours: the loaded modules outside ``site-packages``. In a checkout of the kit these are
the kit's own modules, in an engine's repository they are the engine's, and a worker that has
imported one more module draws other cases from the same seed. Then a printed ``--rsp-seed`` does
not reproduce a run. Hypothesis has no setting for this, so the function that collects these
constants is replaced while the kit draws. Hypothesis' own list of nasty values is kept.

Cases made from bytes (``fuzz_one_input`` and `strategies.independent`) never draw constants, but
shrinking may, and so do tests that draw as Hypothesis does by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis.internal.conjecture import providers

_NAME = "_get_local_constants"
COLLECT: Any = getattr(providers, _NAME, None)
"""Hypothesis' function that collects constants, or None.

A release in which it has another name draws as it likes, and the test of this module fails.
"""


@contextmanager
def same_everywhere() -> Iterator[None]:
    """Make Hypothesis' draws independent of the loaded modules within this context."""
    if COLLECT is None:
        yield
        return
    before = getattr(providers, _NAME)
    constants = providers.CONSTANTS_CACHE.cache
    none = type(providers.GLOBAL_CONSTANTS)()
    setattr(providers, _NAME, lambda: none)
    # The cache holds the constants of modules now, and none of them later.
    constants.clear()
    try:
        yield
    finally:
        setattr(providers, _NAME, before)
        constants.clear()
