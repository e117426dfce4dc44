"""The table of what a suite covers and which mutants it kills, as a page in Markdown."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tools.curation.coverage import HELD_TO, NOT_COVERED, all_points
from tools.curation.kills import ALL_MUTANTS, KILLABLE, NOT_POSSIBLE

CLAIMS: Final = Path(__file__).parent / "coverage.json"
"""What each test of the packaged suite covers and kills, as points by its name."""
_UNDER_PROFILES: Final = ("killed under", "changed under")
"""What a test does to a mutant under a profile: tells it, or shows a change that is no answer's."""
_UNDER: Final = re.compile(f"({'|'.join(_UNDER_PROFILES)}) ([^:]+):(.+)")
SHOWN = 3
"""So many tests are named in a row; of others the number."""

_HEADINGS = {
    "definition": "Definitions",
    "strategy": "Report strategies",
    "operator": "Operators",
    "feature": "Features",
    "law": "Laws",
    "reporting": "How answers are handed out",
    "dial": "Dials",
    "profile": "Profiles",
}


def read_claims(path: Path = CLAIMS) -> dict[str, frozenset[str]]:
    """Return what each test of the packaged suite covers and kills, as points by its name."""
    document = json.loads(path.read_text("utf-8"))
    return {
        name: frozenset(said["points"]).union(
            f"{how} {profile}:{mutant}"
            for how in _UNDER_PROFILES
            for profile, mutants in said[how].items()
            for mutant in mutants
        )
        for name, said in document.items()
    }


def write_claims(path: Path, points: Mapping[str, frozenset[str]]) -> None:
    """Write what each test covers and kills, mutants by the profiles under which it does so."""
    document = {}
    for name, found in points.items():
        under: dict[str, defaultdict[str, list[str]]]
        under = {how: defaultdict(list) for how in _UNDER_PROFILES}
        for point in sorted(found):
            if told := _UNDER.fullmatch(point):
                under[told[1]][told[2]].append(told[3])
        plain = sorted(point for point in found if not _UNDER.fullmatch(point))
        document[name] = {"points": plain, **under}
    lines = (f"{json.dumps(n)}: {json.dumps(s, ensure_ascii=False)}" for n, s in document.items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def coverage_page(points: Mapping[str, frozenset[str]]) -> str:
    """The page, of the POINTS of each test."""
    tests: defaultdict[str, list[str]] = defaultdict(list)
    for name, found in points.items():
        for point in found:
            tests[point].append(name)
    return "\n".join([*_lines(tests, points)]) + "\n"


def _lines(tests: Mapping[str, list[str]], points: Mapping[str, frozenset[str]]) -> Iterator[str]:
    yield "# What this suite covers"
    yield ""
    yield (
        f"{len(points)} tests. Written by `make suite` in the kit's repository, "
        "where `tools/curation/coverage.json` has all of it."
    )
    yield ""
    killed = [name for name in ALL_MUTANTS if tests.get(f"kill:{name}")]
    yield "## Mutants"
    yield ""
    yield f"{len(killed)} of {len(ALL_MUTANTS)} mutants of the engine `reference` are killed."
    yield ""
    yield from _table(
        "mutant",
        [(n, tests.get(f"kill:{n}", ()), NOT_POSSIBLE.get(n, "**no test**")) for n in ALL_MUTANTS],
    )
    yield ""
    yield (
        "Under plain RSP-QL (`rsp-ql`) and the profiles of engines, each test with the answers "
        "that are legal under the profile. *Not told* are mutants that change something on the way "
        "to an answer in a test for the profile, and none of some hundred cases told them. The "
        "others change nothing in any test for it. Most have no seam there: a profile without "
        "ISTREAM has no place for a bug of ISTREAM."
    )
    yield ""
    yield "| profile | tests for it | mutants that a test tells | not told | change nothing |"
    yield "|---|---|---|---|---|"
    for profile in HELD_TO:
        told = [n for n in ALL_MUTANTS if tests.get(f"killed under {profile}:{n}")]
        others = [name for name in KILLABLE if name not in told]
        untold = [name for name in others if tests.get(f"changed under {profile}:{name}")]
        cells = (
            ", ".join(f"`{name}`" for name in found)
            for found in (untold, [name for name in others if name not in untold])
        )
        own = len(tests.get(f"for:{profile}", ()))
        yield f"| `{profile}` | {own} | {len(told)} | {' | '.join(cells)} |"
    for kind, all_of_kind in all_points().items():
        yield ""
        yield f"## {_HEADINGS[kind]}"
        yield ""
        if kind in ("dial", "profile"):
            yield from _summary(kind, all_of_kind, tests)
            continue
        yield from _table(
            kind,
            [
                (
                    point.partition(":")[2],
                    tests.get(point, ()),
                    NOT_COVERED.get(point, "**no test**"),
                )
                for point in all_of_kind
            ],
        )


def _table(head: str, rows: Iterable[tuple[str, Iterable[str], str]]) -> Iterator[str]:
    yield f"| {head} | tests |"
    yield "|---|---|"
    for name, found, reason in rows:
        named = sorted(found)
        more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
        said = ", ".join(f"`{one}`" for one in named[:SHOWN]) + more
        yield f"| {_cell(name)} | {said or reason} |"


def _summary(
    kind: str, all_of_kind: Iterable[str], tests: Mapping[str, list[str]]
) -> Iterator[str]:
    """One row a dial's value, or a profile: how much of it is covered, and what is not."""
    separator = ", not " if kind == "dial" else ", "
    rows: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
    for point in all_of_kind:
        name, _, other = point.partition(":")[2].partition(separator)
        rows[name].append((other, bool(tests.get(point))))
    column = "told from" if kind == "dial" else "features tested under it"
    yield f"| {kind} | {column} | not |"
    yield "|---|---|---|"
    for name, found in rows.items():
        missing = [other for other, is_there in found if not is_there]
        said = ", ".join(f"`{_cell(other)}`" for other in missing)
        if kind == "profile":
            said = f"{len(missing)}" if missing else ""
        yield f"| `{_cell(name)}` | {len(found) - len(missing)} of {len(found)} | {said} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
