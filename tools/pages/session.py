"""Runs the Python blocks of a page, one after the other: JSON lists in, their outputs out.

It is a program of its own, so that what the blocks do stays out of this process.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from io import StringIO


def outputs(blocks: list[str]) -> list[str]:
    """Run blocks that share their names, and return what each prints."""
    names: dict[str, object] = {}
    printed = []
    for block in blocks:
        with redirect_stdout(StringIO()) as out:
            exec(compile(block, "page", "exec"), names)
        printed.append(out.getvalue())
    return printed


if __name__ == "__main__":
    json.dump(outputs(json.load(sys.stdin)), sys.stdout)
