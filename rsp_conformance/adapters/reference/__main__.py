"""``python -m rsp_conformance.adapters.reference``: the engine as a driver.

One JSON object per line, on standard input and output.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import OPTIONS, read_options
from rsp_conformance.adapters.stdio import serve
from rsp_conformance.protocol.registry import parse_options

OPERATIONS = ("hello", "run", "open", "push", "close")


def arguments(written: Sequence[str]) -> dict[str, str]:
    """Return the options on a command line, which are those of ``--engine-option``."""
    listed = "\n".join(f"  {name:24} {meaning}" for name, meaning in OPTIONS.items())
    parser = argparse.ArgumentParser(
        prog="python -m rsp_conformance.adapters.reference",
        description=__doc__,
        epilog=f"options:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("options", nargs="*", metavar="NAME=VALUE", help="an option of the engine")
    return parse_options(parser.parse_args(written).options)


def main(written: Sequence[str] | None = None) -> int:
    """Run the driver; 2 and one line on standard error for a bad option."""
    try:
        options = read_options(arguments(sys.argv[1:] if written is None else written))
    except ValueError as error:
        print(f"reference: {error}", file=sys.stderr)
        return 2
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    serve(ReferenceEngine(options), sys.stdin, sys.stdout, OPERATIONS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
