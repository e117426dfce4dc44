"""Print a table of the pages, to be pasted into its page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tools.tables.tables import TABLES, written


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table with the given name."""
    parser = argparse.ArgumentParser(prog="python -m tools.tables", description=__doc__)
    parser.add_argument("name", choices=TABLES)
    print(written(parser.parse_args(arguments).name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
