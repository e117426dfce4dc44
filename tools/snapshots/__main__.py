"""Run the red run of the snapshots again, and print the differences."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.progress import never_silent
from tools.snapshots import DATA, differences, keep, red_run


def main(arguments: list[str] | None = None) -> int:
    """Return 1 if there are differences that are not kept."""
    parser = argparse.ArgumentParser(prog="python -m tools.snapshots", description=__doc__)
    parser.add_argument("--keep", action="store_true", help="write the snapshots anew")
    parser.add_argument("--folder", type=Path, default=DATA, help="where they lie")
    given = parser.parse_args(arguments)
    with never_silent():
        found = red_run()
    different = differences(found, given.folder)
    print(different or "no difference")
    if given.keep:
        keep(found, given.folder)
    return 1 if different and not given.keep else 0


if __name__ == "__main__":
    sys.exit(main())
