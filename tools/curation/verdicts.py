"""What the installed engines make of the packaged suite and why, as tables in verdicts.md.

``python -m tools.curation.verdicts [ENGINE …]`` writes it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rsp_conformance.diagnosis.fingerprint import normalised
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.files.earl import OUTCOMES
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.setting import Setting
from rsp_conformance.protocol.registry import connect, find
from rsp_conformance.run.alone import run_alone
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.run.properties import of_suite
from rsp_conformance.test_suite.manifest import packaged_suite, read_suite
from tools.engines.record import CRASHES, cannot_start, defects

FILE = Path(__file__).with_name("verdicts.md")
HEAD = (
    "| engine | profile | passed | failed | not for it: dials | not for it: features | not judged |"
)
MOST_NAMED = 3
WHY = "| engine | failed | why | tests |"


def mutants_of(name: str) -> list[str]:
    """The bugs of an engine that are on record and show without an option of it, as mutants."""
    own = [defect for defect in defects() if defect.engine == name and defect.crash]
    options = find(name).options.keys()
    shown = [defect for defect in own if options.isdisjoint(read(CRASHES / defect.crash).options)]
    return [*dict.fromkeys(cause for defect in shown for cause in defect.causes)]


def rows(name: str) -> tuple[str, list[str]]:
    """What NAME makes of the suite, as a row, and why its tests fail, a row a reason."""
    suite = read_suite(packaged_suite())
    subject = EngineUnderTest.meet(connect(name))
    properties = of_suite(suite, subject.dials, subject.features)
    tests = {own.name: own.entry for own in properties if own.entry is not None}
    known = [KnownCause(Setting.of({}, [mutant]), "") for mutant in mutants_of(name)]
    counts: Counter[str] = Counter()
    why: dict[str, list[str]] = {}
    try:
        events = run_alone(subject, properties, budget=Budget(1), seed=0, folder="", known=known)
    finally:
        subject.close()
    for own in events:
        if isinstance(own, PropertyFinished):
            entry = tests[own.property]
            by_dial = own.verdict == "skipped" and entry.unmet(subject.dials(entry.case))
            counts["dials" if by_dial else OUTCOMES[own.outcome]] += 1
            if own.outcome.accuses:
                cause = ", ".join(f"`{one}`" for one in own.causes)
                why.setdefault(cause or _said(own), []).append(f"`{entry.name}`")
    kinds = ("passed", "failed", "dials", "inapplicable", "cantTell")
    cells = " | ".join(str(counts[kind]) for kind in kinds)
    row = f"| {name} {subject.hello.version} | `{subject.profile.name}` | {cells} |"
    told = sorted(why.items(), key=lambda item: -len(item[1]))
    return row, [f"| {name} | {len(tests)} | {cause} | {_tests(tests)} |" for cause, tests in told]


def _said(found: PropertyFinished) -> str:
    """What the engine said in place of an answer; of an answer that nothing explains, that."""
    last = normalised(found.reason.splitlines()[-1])
    return last[:80] if last.startswith(("rejected", "crashed")) else "not explained"


def _tests(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def table(names: tuple[str, ...]) -> Iterator[str]:
    """Both tables, with the engines between them that cannot be asked, and why not."""
    missing = {name: why for name in names if (why := cannot_start(find(name)))}
    found = [rows(name) for name in names if name not in missing]
    yield from (HEAD, "|---|---|---|---|---|---|---|", *(row for row, _ in found))
    if missing:
        yield from ("", f"Not asked: {', '.join(missing.values())}.")
    yield from ("", WHY, "|---|---|---|---|", *(line for _, why in found for line in why))


def main() -> None:
    """Write the tables into the file, below its first paragraph, and print them."""
    named = tuple(sys.argv[1:]) or tuple(sorted({defect.engine for defect in defects()}))
    lines = "\n".join(table(named))
    before, _, _ = FILE.read_text("utf-8").partition(HEAD)
    FILE.write_text(f"{before}{HEAD}{lines.removeprefix(HEAD)}\n", "utf-8")
    print(lines)


if __name__ == "__main__":
    main()
