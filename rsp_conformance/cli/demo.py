"""``demo``: the first minute, a defect found, shrunk, argued and named."""

from __future__ import annotations

import os
from typing import Annotated, Final

import pytest

from rsp_conformance.cli.options import option
from rsp_conformance.cli.tables import BAD_INPUT, CORRECT, say

SEEDED: Final = ("--rsp-engine-option=fault=newest-only", "--rsp-engine-option=profile=c-sparql")
"""The demo's engine has a defect that rsp-js, rsp-rs and YASPER have (docs/faults.md)."""
_ARGUMENTS: Final = (
    # Neither what stands here nor its settings has a part in it.
    *("--rsp-only", "-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider"),
    # The plugin is imported by now, of which pytest would warn.
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
    # The seed's counterexample has a second window, so that it shows what the defect is.
    *("--rsp-mode=quick", "--rsp-stop-after=1", "--rsp-spark=off", "--rsp-seed=1"),
)
_NEXT: Final = """
What to do next:
  pytest --engine=NAME                      one that `rsp-conformance engines` lists
  pytest --engine="stdio:COMMAND LINE"      an engine of your own (docs/test-your-engine.md)
  pytest --engine=NAME --rsp-stop-after=1   until the first cause is found, as here"""


def demo(
    *,
    engine: Annotated[
        str, option("NAME", "An engine of your own choice, as for pytest --engine.")
    ] = "",
) -> int:
    """Show a first run: a defect that is found, shrunk, argued and named."""
    asked = [f"--rsp-engine={engine or 'reference'}", *_ARGUMENTS]
    if not engine:
        asked += SEEDED
        say(
            "The engine of this demo is the kit's own, with one defect put into it: of several "
            "windows that close at once only the newest is answered. The kit does not know that."
        )
    status = pytest.main(asked)
    if status == pytest.ExitCode.USAGE_ERROR:
        return BAD_INPUT
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return int(status)
    print(_NEXT)
    return CORRECT
