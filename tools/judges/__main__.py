"""Draw random cases of the whole suite, and have all judges agree on them.

Cases are drawn of every property, under plain RSP-QL and all bundled profiles, with dials turned at
random, and plain ones over all dials. The command ends with status 1 if two judges differ anywhere.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from rsp_conformance.run.properties import SUITE
from tools.judges.block import SIZE, Block, Found, examined
from tools.processes import results
from tools.progress import never_silent, report

SHOWN = 10
"""So many differences are printed; the first ones tell what is to be done."""
SAID = 1_000
"""After so many cases it is said how many there are."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine, print the table, and return the status."""
    parser = argparse.ArgumentParser(prog="python -m tools.judges", description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000, metavar="N")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--block", type=int, help="this block alone, as a difference names it")
    parser.add_argument("--size", type=int, default=SIZE, help="cases a block")
    parser.add_argument(
        "--only", nargs="+", default=(), choices=[own.name for own in SUITE], metavar="PROPERTY"
    )
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    numbers = range(-(-given.cases // given.size)) if given.block is None else [given.block]
    start = time.monotonic()
    total = Found()
    with never_silent():
        blocks = [Block(given.seed, number, given.size, (*given.only,)) for number in numbers]
        for found in results(examined, blocks, given.jobs):
            if (total.cases + found.cases) // SAID > total.cases // SAID:
                report(f"{total.cases + found.cases:,} cases")
            for difference in found.differences:
                report(f"a difference: {difference.splitlines()[0]}")
            total.add(found)
    print("\n".join(table(total)))
    print(f"{time.monotonic() - start:.0f} seconds")
    return 1 if total.differences or not total.judged else 0


def table(found: Found) -> list[str]:
    """The counts as Markdown, and the differences below."""
    lines = [f"{found.cases:,} cases, {len(found.differences):,} differences", ""]
    lines += ["| judged | said | how many |", "|---|---|---|"]
    lines += [f"| {what} | {said} | {n:,} |" for (what, said), n in sorted(found.judged.items())]
    lines += ["", "| not judged | how many |", "|---|---|"]
    lines += [f"| {why} | {n:,} |" for why, n in found.refused.most_common()]
    lines += ["", "| who | seconds of processor time | ms a case |", "|---|---|---|"]
    for who, seconds in found.seconds.items():
        lines.append(f"| {who} | {seconds:.1f} | {1000 * seconds / max(1, found.cases):.2f} |")
    for difference in found.differences[:SHOWN]:
        lines += ["", difference]
    if len(found.differences) > SHOWN:
        lines += ["", f"and {len(found.differences) - SHOWN} more"]
    return [*lines, ""]


if __name__ == "__main__":
    sys.exit(main())
