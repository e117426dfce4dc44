"""What the installed engines make of the packaged suite, as a table in docs/suite.md.

``python -m tests.curation.verdicts [ENGINE …]`` writes it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.protocol.registry import connect
from rsp_conformance.test_suite.manifest import packaged_suite, read_suite
from rsp_conformance.test_suite.running import run_case

PAGE = Path(__file__).parents[2] / "docs" / "suite.md"
ENGINES = ("rsp-js", "rsp-rs", "csparql", "cqels", "yasper")
HEAD = (
    "| engine | profile | passed | failed | not for it: dials | not for it: features | not judged |"
)
BEGIN, END = "<!-- verdicts -->\n", "<!-- /verdicts -->"


def row(name: str) -> str:
    """What NAME makes of the suite, as a row; said on the way."""
    suite = read_suite(packaged_suite())
    subject = EngineUnderTest.meet(connect(name))
    counts: Counter[str] = Counter()
    try:
        for entry in suite.tests:
            found = run_case(entry, subject, suite.path)
            by_dial = found.outcome == "inapplicable" and entry.unmet(subject.dials(entry.case))
            counts["dials" if by_dial else found.outcome] += 1
    finally:
        subject.close()
    kinds = ("passed", "failed", "dials", "inapplicable", "cantTell")
    cells = " | ".join(str(counts[kind]) for kind in kinds)
    return f"| {name} {subject.hello.version} | `{subject.profile.name}` | {cells} |"


def table(names: tuple[str, ...]) -> Iterator[str]:
    """The table, an engine a row."""
    yield HEAD
    yield "|---|---|---|---|---|---|---|"
    for name in names:
        yield row(name)


def main() -> None:
    lines = "\n".join(table(tuple(sys.argv[1:]) or ENGINES))
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}{lines}\n{END}{after}", "utf-8")
    print(lines)


if __name__ == "__main__":
    main()
