"""A seed draws the same cases everywhere: in a checkout, a user's repository, each worker of a run.

Hypothesis draws about one number or text in twenty from the constants that it finds in the modules
it takes for yours: those outside ``site-packages`` that the process has loaded by now. In a
checkout of the kit these are the kit's own modules, in an engine's repository they are the
engine's, and a worker that has imported one module more draws other cases from the same seed. Then
a printed ``--rsp-seed`` brings back nothing, and of the two passes that draw the same cases
(`suite.passes`) the second meets others. Hypothesis has no setting for it, so the function that
collects these constants is replaced while the kit draws; Hypothesis' own list of nasty values is
kept.

Cases that are made from bytes (``fuzz_one_input``, and `strategies.independent`) never draw
constants, but shrinking may, and so do tests that draw as Hypothesis does by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis.internal.conjecture import providers

_NAME = "_get_local_constants"
COLLECT: Any = getattr(providers, _NAME, None)
"""How Hypothesis collects them. A release that calls it otherwise draws as it likes, and the test
of this module fails."""


@contextmanager
def same_everywhere() -> Iterator[None]:
    """Within this, what Hypothesis draws does not depend on which modules are loaded."""
    if COLLECT is None:
        yield
        return
    before = getattr(providers, _NAME)
    constants = providers.CONSTANTS_CACHE.cache
    none = type(providers.GLOBAL_CONSTANTS)()
    setattr(providers, _NAME, lambda: none)
    # What it has sorted out by now holds the constants of modules, and later what is without them.
    constants.clear()
    try:
        yield
    finally:
        setattr(providers, _NAME, before)
        constants.clear()
