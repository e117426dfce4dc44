"""Run the commands of the pages, and write what they print below them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.pages.items import PageError
from tools.pages.rewrite import pages, rewrite


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages that have changed, and return the status: 1 if one cannot be written."""
    parser = argparse.ArgumentParser(prog="python -m tools.pages", description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="default: all")
    failed = False
    for page in parser.parse_args(arguments).pages or pages():
        try:
            new = rewrite(page, slow=True)
        except PageError as error:
            print(error, file=sys.stderr)
            failed = True
            continue
        if new != page.read_text("utf-8"):
            page.write_text(new, "utf-8")
            print(f"{page}: written anew")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
