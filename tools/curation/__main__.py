"""Curate the packaged suite, and write it with its tables: ``python -m tools.curation``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from rsp_conformance.test_suite.export import pack_suite
from rsp_conformance.test_suite.manifest import packaged_suite, read_suite
from tools.curation.curate import curate, extended, titled
from tools.curation.drawing import Amount
from tools.curation.papers import paper_cases
from tools.curation.table import CLAIMS, coverage_page, read_claims, write_claims

LABEL = "Test suite for RDF stream processing engines, by RSP-QL"


def main() -> None:
    """Choose the cases, and write them with the page that says what they cover."""
    parser = argparse.ArgumentParser(prog="python -m tools.curation", description=__doc__)
    parser.add_argument("--to", type=Path, default=packaged_suite(), metavar="DIR")
    parser.add_argument(
        "--claims", type=Path, default=CLAIMS, metavar="FILE", help="what each test covers"
    )
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
        suite = extended(read_suite(given.to), read_claims(given.claims), amount, given.seed, say)
    else:
        suite = curate([*paper_cases()], amount, given.seed, say)
    tests = [titled(entry) for entry in suite.tests]
    pack_suite(given.to, LABEL, tests, coverage_page(suite.points))
    write_claims(given.claims, suite.points)
    say(f"{len(suite.tests)} tests in {given.to}")


if __name__ == "__main__":
    main()
