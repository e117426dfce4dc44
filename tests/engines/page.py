"""``docs/engines.md``, written from what runs of the suite on real engines came to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rsp_conformance.suite.properties import SUITE
from tests.engines import semantics
from tests.engines.record import ROOT, Defect, Record, Shown, defects, records

PAGE = ROOT / "docs" / "engines.md"

HEAD = """\
# Real engines

What the suite says of the engines that it has been run on. `make engines` runs it on every engine
that is installed here (`rsp-conformance engines`), keeps the results in `fixtures/engines/`,
and writes this page from them; nothing on it is written by hand but the words for the defects
(`fixtures/crashes/defects.toml`). How an engine is installed stands in its adapter's README.

An engine is held to its own profile: what it is meant to do, by its documents or by experiment.
So a red property is a defect under the engine's own reading, not a difference of opinion.
"""

SIGNS = {
    "passed": "passed",
    "failed": "**failed**",
    "skipped": "–",
    "not tested": "not tested",
    "engine lost": "**lost**",
    "kit error": "kit error",
    "xfailed": "xfailed",
}


def page(found: Sequence[Record], named: Sequence[Defect]) -> str:
    """The page on what was FOUND, and on the defects NAMED."""
    parts = [HEAD, *_engines(found), *_properties(found), *_semantics(), *_defects(found, named)]
    return "\n".join(parts).rstrip() + "\n"


def write() -> Path:
    """Write the page; where it is."""
    PAGE.write_text(page(records(), defects()), "utf-8")
    return PAGE


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _engines(found: Sequence[Record]) -> list[str]:
    head = [
        *("engine", "version", "profile", "properties passed", "failed", "not tested"),
        *("examples", "cases", "unsupported", "cases a second", "start-up, s"),
    ]
    rows = []
    for record in found:
        verdicts = [p.verdict for p in record.properties.values()]
        counts = [p.counts for p in record.properties.values()]
        cases, unsupported = (
            sum(c.get(what, 0) for c in counts) for what in ("compared", "unsupported")
        )
        share = f"{100 * unsupported / max(1, cases + unsupported):.1f} %"
        numbers = (verdicts.count(what) for what in ("passed", "failed", "not tested"))
        speed = f"{record.cases_per_second:.0f}"
        about = [record.engine, record.version, f"`{record.profile}`"]
        counted = [record.examples, cases, share]
        rows.append([*about, *numbers, *counted, speed, f"{record.start_up:.1f}"])
    note = (
        "Examples are those asked for, a property; cases are those compared. The speed is the "
        "driver's alone, in a burst of cases of the property `windows`, with whatever else the "
        "machine was doing.\n"
    )
    return ["## The engines\n", _table(head, rows), note]


def _properties(found: Sequence[Record]) -> list[str]:
    """Engine × property × verdict; behind a failure the number of the first failing case."""
    known = [property.name for property in SUITE]
    ran = {name for record in found for name in record.properties}
    rows = []
    for name in (*known, *sorted(ran - {*known})):
        told = [record.properties.get(name) for record in found]
        if not any(told):
            continue
        cells = []
        for one in told:
            sign = "–" if one is None else SIGNS[one.verdict]
            cells.append(f"{sign} ({min(one.first.values())})" if one and one.first else sign)
        rows.append([f"`{name}`", *cells])
    note = (
        "In brackets: the number of the first case that failed. – is a property that the engine "
        "does not declare the features for. One defect fails many properties.\n"
    )
    head = ["property", *(record.engine for record in found)]
    return ["## Properties\n", _table(head, rows), note]


def _semantics() -> list[str]:
    """Dial × engine as experiments find it, beside what the papers say."""
    kept = semantics.kept()
    if not kept:
        return []
    examples = semantics.examples(kept)
    return ["## What its semantics is\n", semantics.NOTE, _table(*semantics.rows(kept)), *examples]


def _defects(found: Sequence[Record], named: Sequence[Defect]) -> list[str]:
    parts = ["## Defects\n"]
    for record in found:
        own = [defect for defect in named if defect.engine == record.engine]
        if not own:
            continue
        parts += [f"### {record.engine} {record.version}\n", _overview(record, own)]
        parts += [
            _shown(defect, shown) for defect in own if (shown := record.defects.get(defect.name))
        ]
    return parts


def _overview(record: Record, own: Sequence[Defect]) -> str:
    rows = []
    for defect in own:
        shown = record.defects.get(defect.name)
        if shown is None:
            rows.append([f"`{defect.name}`", defect.what, f"not found: {defect.not_found}", "", ""])
            continue
        found = record.properties.get(shown.property)
        # With other options it is another run, whose cases nobody has counted.
        cases: int | str | None = (
            found.first.get(shown.kind) if found and not shown.options else None
        )
        if cases is not None and cases > record.examples:
            cases = "while shrinking"
        by = f"`{shown.property}`" + (f" with `{shown.options}`" if shown.options else "")
        rows.append([f"`{defect.name}`", defect.what, by, cases or "–", shown.elements])
    head = ["defect", "what the engine does", "found by", "after so many cases", "elements"]
    return _table(head, rows)


def _shown(defect: Defect, shown: Shown) -> str:
    again = f"rsp-conformance replay fixtures/crashes/{defect.crash}"
    return (
        f"#### {defect.engine}: {defect.name}\n\n{defect.what} Breaks: {defect.breaks}. "
        f"`{again}` says {shown.status}.\n\n```text\n{shown.text}\n```\n"
    )
