"""The reference engine as a driver: one JSON object a line, on standard input and output."""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import IO, Any

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import read_options


def serve(engine: ReferenceEngine, requests: IO[str], replies: IO[str]) -> None:
    """Answer every request until the input ends."""
    for line in requests:
        if line.strip():
            replies.write(json.dumps(_reply(engine, json.loads(line)), ensure_ascii=False) + "\n")
            replies.flush()


def _reply(engine: ReferenceEngine, request: Mapping[str, Any]) -> dict[str, Any]:
    operation = request.get("op")
    try:
        if operation == "hello":
            return engine.hello(request)
        if operation == "run":
            return engine.run(request)
    except Exception as error:
        traceback.print_exc()
        message = f"{type(error).__name__}: {error}"
        return _about(request) | {"error": {"kind": "crashed", "message": message}}
    return _about(request) | {
        "error": {"kind": "unsupported", "message": f"unknown operation {operation!r}"}
    }


def _about(request: Mapping[str, Any]) -> dict[str, Any]:
    return {key: request[key] for key in ("op", "id") if key in request}


def arguments(written: Sequence[str]) -> dict[str, str]:
    """The options on a command line, as NAME=VALUE pairs."""
    parser = argparse.ArgumentParser(
        prog="python -m rsp_conformance.adapters.reference", description=__doc__
    )
    parser.add_argument("--profile", help="a bundled profile's name, or its JSON")
    parser.add_argument("--dial", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--fault", help="a seeded fault")
    parser.add_argument("--advances", choices=("clock", "elements"))
    parser.add_argument("--t0", help="hash, first, last, or offsets such as 0,3")
    parser.add_argument("--seed", help="a whole number")
    found = parser.parse_args(written)
    options = {
        name: getattr(found, name)
        for name in ("profile", "fault", "advances", "t0", "seed")
        if getattr(found, name) is not None
    }
    for turned in found.dial:
        dial, equals, value = turned.partition("=")
        if not equals:
            parser.error(f"--dial {turned}: expected NAME=VALUE")
        options[f"dial.{dial}"] = value
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
