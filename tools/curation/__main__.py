"""Curate the packaged suite, and write it with its tables: ``python -m tools.curation``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from rsp_conformance.test_suite.export import export_suite
from rsp_conformance.test_suite.manifest import packaged_suite, read_suite
from tools.curation.curate import curate, extended, titled
from tools.curation.drawing import Amount
from tools.curation.papers import paper_cases
from tools.curation.table import coverage_page

LABEL = "Test suite for RDF stream processing engines, by RSP-QL"


def main() -> None:
    """Choose the cases, and write them with the page that says what they cover."""
    parser = argparse.ArgumentParser(prog="python -m tools.curation", description=__doc__)
    parser.add_argument("--to", type=Path, default=packaged_suite(), metavar="DIR")
    parser.add_argument("--seed", default="0", metavar="TEXT")
    parser.add_argument("--draws", type=int, default=24, metavar="N", help="cases a focus")
    parser.add_argument(
        "--add", action="store_true", help="add to the suite what kills mutants that are new"
    )
    given = parser.parse_args()

    def say(text: str) -> None:
        print(f"{time.process_time():6.0f} s  {text}", file=sys.stderr, flush=True)

    amount = Amount.about(given.draws)
    if given.add:
        claims = json.loads((given.to / "coverage.json").read_text("utf-8"))
        known = {name: frozenset(found) for name, found in claims.items()}
        suite = extended(read_suite(given.to), known, amount, given.seed, say)
    else:
        suite = curate([*paper_cases()], amount, given.seed, say)
    points = {name: sorted(found) for name, found in suite.points.items()}
    export_suite(
        given.to,
        LABEL,
        [titled(entry) for entry in suite.tests],
        {
            "coverage.md": coverage_page(suite.points),
            "coverage.json": json.dumps(points, indent=1, ensure_ascii=False) + "\n",
        },
    )
    say(f"{len(suite.tests)} tests in {given.to}")


if __name__ == "__main__":
    main()
