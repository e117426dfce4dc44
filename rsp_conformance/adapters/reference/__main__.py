"""``python -m rsp_conformance.adapters.reference``: the engine as a driver.

One JSON object a line, on standard input and output.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Sequence
from typing import IO, Any

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import OPTIONS, read_options

OPERATIONS = ("hello", "run", "open", "push", "close")


def serve(engine: ReferenceEngine, requests: IO[str], replies: IO[str]) -> None:
    """Answer every request until the input ends."""
    for line in requests:
        if line.strip():
            replies.write(json.dumps(_reply(engine, line), ensure_ascii=False) + "\n")
            replies.flush()


def _reply(engine: ReferenceEngine, line: str) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except ValueError as error:
        return {
            "op": None,
            "error": {"kind": "rejected", "message": f"not a line of JSON: {error}"},
        }
    if not isinstance(request, dict):
        return {"op": None, "error": {"kind": "rejected", "message": "a request is an object"}}
    about = {key: request[key] for key in ("op", "id") if key in request}
    operation = request.get("op")
    if operation not in OPERATIONS:
        message = f"unknown operation {operation!r}"
        return about | {"error": {"kind": "unsupported", "message": message}}
    try:
        reply: dict[str, Any] = getattr(engine, operation)(request)
    except Exception as error:
        traceback.print_exc()
        return about | {"error": {"kind": "crashed", "message": f"{type(error).__name__}: {error}"}}
    return reply


def arguments(written: Sequence[str]) -> dict[str, str]:
    """The options on a command line, which are those of ``--engine-option``."""
    listed = "\n".join(f"  {name:24} {meaning}" for name, meaning in OPTIONS.items())
    parser = argparse.ArgumentParser(
        prog="python -m rsp_conformance.adapters.reference",
        description=__doc__,
        epilog=f"options:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("options", nargs="*", metavar="NAME=VALUE", help="an option of the engine")
    options: dict[str, str] = {}
    for setting in parser.parse_args(written).options:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"option {setting!r}: write it as NAME=VALUE")
        options[name] = value
    return options


def main(written: Sequence[str] | None = None) -> int:
    """Run the driver; 2 and one line on standard error for a bad option."""
    try:
        options = read_options(arguments(sys.argv[1:] if written is None else written))
    except ValueError as error:
        print(f"reference: {error}", file=sys.stderr)
        return 2
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    serve(ReferenceEngine(options), sys.stdin, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
