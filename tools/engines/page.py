"""``docs/engines.md``, written from what runs of the suite on real engines came to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from rsp_conformance.diagnosis.cause import CAUSES, UNEXPLAINED, Cause
from rsp_conformance.diagnosis.known_file import fingerprint_of
from rsp_conformance.explain.render.layout import listed
from rsp_conformance.judge.crash_file import read
from rsp_conformance.run.causes import labels, note
from rsp_conformance.run.properties import SUITE
from tools.engines import semantics
from tools.engines.record import CRASHES, ROOT, Defect, Record, Shown, deep_runs, defects, records
from tools.mutation import profiles

PAGE = ROOT / "docs" / "engines.md"

HEAD = """\
# Real engines

What the suite says of the engines that it has been run on. `make engines` runs it on every engine
that is installed here (`rsp-conformance engines`), keeps the results in `tools/engines/records/`,
and writes this page from them; nothing on it is written by hand but the words for the defects
(`tools/engines/crashes/defects.toml`). An engine's README says how to install it.

An engine is held to its own profile: what it is meant to do, by its documents or by experiment.
So a red property is a defect under the engine's own reading, not a difference of opinion.
"""

CAUSES_OF_FAILURES = """\
Without causes a run is as many red lines as there are failing properties, and one file each for
the kinds of failure of each. It ends with the causes: a [dial](dials.md) or a [known
defect](faults.md) that predicts what the engine answers, over cases of the whole run, failing and
passing; of many some hundred are asked. An answer is explained where the cause makes the
difference, beside the other causes; the right answers are those that it was held against. What
nothing explains is grouped by how it looks. Seconds are of the wall's clock on machines that did
other things, too, and of different days; what naming adds to a run is measured side by side in
[benchmarks](benchmarks.md#the-first-minute).
"""

DEEPER = """\
One run of `pytest --engine=NAME --rsp-only --rsp-deep --rsp-examples 20 --rsp-max-time 200
--rsp-spark off --rsp-seed 1` on the engine as it is published, with nothing patched and no known
causes given, and one more, of at most 100 s, where some of its defects show with an option alone:
which of its defects a cause named. They took 25 to 206 s; for three laws of cqels1 the time was up.
"""

# Measured when a run named no causes, or, where it says so, with the naming turned off since.
BEFORE = {
    "cqels": "6 red lines, 8 crash files, 64 s (naming off)",
    "cqels1": "21 red lines, 22 crash files, 328 s (naming off)",
    "csparql": "32 red lines, 32 crash files, 173 s (naming off)",
    "rsp-js": "42 red lines, 114 crash files, 576 s",
    "rsp-rs": "37 red lines, one cause; 40 crash files, 189 s (naming off)",
    "yasper": "38 red lines, three causes; 37 crash files, 183 s (naming off)",
}
"""What a run came to before it named causes, by the engine."""

RECOVERED = """\
Whether `rsp-conformance profile` finds what is known: `reference` under each bundled profile, and
again with one [mutant](faults.md), the search begun from plain RSP-QL
(`python -m tools.mutation.profiles --keep` finds it anew). A profile is found again where what was
found explains every answer, with the faults that are there and no other one. A fault that changes
no answer under a profile is left, and another one taken. Of a dial that no answer tells from the
one that was found the profile's value is shown: `numbers` says what is forgiven, and `reference`
needs nothing forgiven; the others come to the same under the profile's report policy.
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
    parts = [HEAD, *_engines(found), *_causes(found), *_properties(found)]
    parts += [*_deep(found, named), *_semantics(), *_recovered(profiles.kept())]
    parts += _defects(found, named)
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


def _causes(found: Sequence[Record]) -> list[str]:
    """What was red before, the causes that a run ends with now, and what each explains."""
    overview, parts = [], []
    for record in found:
        causes = [CAUSES.read(Cause, cause) for cause in record.causes]
        if not causes and not record.red:
            continue
        explained = [cause.id for cause in causes if cause.is_explained]
        failed = [p.verdict for p in record.properties.values()].count("failed")
        named = ", ".join(f"`{id}`" for id in explained) or record.unnamed or "none"
        times = [f"{record.seconds:.0f}", f"{record.naming:.0f}"]
        rest = len(causes) - len(explained)
        before = BEFORE.get(record.engine, "none recorded")
        overview.append([record.engine, before, failed, record.red, named, rest, *times])
        parts += [f"### Causes behind the failures of {record.engine}\n", _causes_of(causes)]
    if not overview:
        return []
    head = ["engine", "before there were causes", "failing properties", "crash files"]
    head += ["causes named", "groups unexplained", "seconds", "of these for naming"]
    table = _table(head, overview)
    return ["## From failures to causes\n", CAUSES_OF_FAILURES, table, *parts]


def _causes_of(causes: Sequence[Cause]) -> str:
    called = labels(causes)
    rows = []
    for cause in causes:
        # Without an explanation its name in the table of properties is `?`.
        name = called[cause.id] if cause.is_explained else f"? {cause.id}"
        wrong = f"{cause.explains} of {cause.explains + cause.open}" if cause.is_explained else "–"
        right = f"{cause.contradicts} of {cause.passing}" if cause.is_explained else "–"
        rows.append([f"`{name}`", len(cause.properties), wrong, right, cause.elements, cause.text])
    head = ["cause", "properties", "wrong answers explained", "right ones contradicted"]
    return _table([*head, "elements", "what is wrong"], rows)


def _properties(found: Sequence[Record]) -> list[str]:
    """Engine × property × verdict; behind a failure its causes and the first failing case."""
    known = [property.name for property in SUITE]
    ran = {name for record in found for name in record.properties}
    rows = []
    for name in (*known, *sorted(ran - {*known})):
        told = [record.properties.get(name) for record in found]
        if not any(told):
            continue
        cells = []
        for record, one in zip(found, told, strict=True):
            sign = "–" if one is None else SIGNS[one.verdict]
            sign += f" ({min(one.first.values())})" if one and one.first else ""
            causes = note(name, [CAUSES.read(Cause, cause) for cause in record.causes])
            cells.append(f"{sign} {causes}".rstrip())
        rows.append([f"`{name}`", *cells])
    said = (
        "In brackets: the number of the first case that failed; then the causes, by their number "
        "and name above, `?` where nothing known explains all of it. – is a property that the "
        "engine does not declare the features for.\n"
    )
    head = ["property", *(record.engine for record in found)]
    return ["## Properties\n", _table(head, rows), said]


def _deep(found: Sequence[Record], named: Sequence[Defect]) -> list[str]:
    """Which of the defects NAMED came out by ``--rsp-deep``, with nothing patched.

    Of those that did not, it is said whether the plain run did that is among what was FOUND.
    """
    runs = deep_runs()
    plain = {record.engine: {cause["id"] for cause in record.causes} for record in found}
    parts, others = [], list[str]()
    for engine, by_option in runs.items():
        defects = [defect for defect in named if defect.engine == engine]
        known = {mutant for defect in defects for mutant in defect.causes}
        rows = [
            [f"`{d.name}`", _came_out(d, by_option) or _why_not(d, plain.get(engine, set()))]
            for d in defects
        ]
        parts += [f"### {engine} by --rsp-deep alone\n", _table(["defect", "came out as"], rows)]
        for option, causes in by_option.items():
            explained = {cause.id for cause in causes if cause.is_explained}
            beside = [f"`{id}`{_or_else(id, causes)}" for id in sorted(explained - known)]
            others += [f"{id} of {engine}" for id in beside]
            with_it = f", with `{option}`" if option else ""
            parts.append(
                f"Causes named beside these{with_it}: {', '.join(beside) or 'none'}. "
                f"Groups without an explanation: {len(causes) - len(explained)}.\n"
            )
    number = sum(c.is_explained for own in runs.values() for causes in own.values() for c in causes)
    false = f"and these have none: {listed(others)}" if others else "and each has one"
    checked = (
        f"**False causes.** {number} causes were named in these runs. Each was held against the "
        f"rows here, {false}. Some rows were added because a run named the cause: they rest on the "
        "bare engine or its source as it was read when the mutant was made, and were not repeated "
        "by hand. A run of CQELS 2 with `windows=range-joins`, not kept here, named one cause more "
        "that nobody has looked into: `literals=canonical`.\n"
    )
    return ["## By --rsp-deep alone\n", DEEPER, checked, *parts] if parts else []


def _came_out(defect: Defect, runs: Mapping[str, Sequence[Cause]]) -> str:
    """The causes, or the group, that are DEFECT in the first of the RUNS, by their options."""
    group = UNEXPLAINED + fingerprint_of(read(CRASHES / defect.crash)) if defect.crash else ""
    for option, causes in runs.items():
        own = {cause.id for cause in causes if cause.is_explained}
        named = [f"`{id}`{_or_else(id, causes)}" for id in defect.causes if id in own]
        if not named and group in {cause.id for cause in causes}:
            missing = "" if defect.causes else ", for which the kit has no mutant"
            named = [f"the group `{group}`{missing}"]
        if named:
            return ", ".join(named) + (f", with the option `{option}`" if option else "")
    return ""


def _why_not(defect: Defect, plain: Collection[str]) -> str:
    """Why nothing came out as DEFECT; PLAIN are the causes that a plain run has named."""
    if defect.causes:
        mutants = ", ".join(f"`{mutant}`" for mutant in defect.causes)
        why = f"no: {mutants} was not named"
        if {*defect.causes} <= {*plain}:
            why += "; the plain run above, of 100 cases a property, names it"
    elif defect.not_found:
        return f"no: {defect.not_found}"
    else:
        why = "not by name: the kit has no mutant of it; at best a group of the unexplained"
    return f"{why}; {defect.not_deep}" if defect.not_deep else why


def _or_else(id: str, causes: Iterable[Cause]) -> str:
    """The rivals of the cause ID, which no case of its run has told from it."""
    rivals = [str(own) for cause in causes if cause.id == id for own in cause.alternatives]
    return (
        f" (or {listed([f'`{own}`' for own in rivals])}: no case told them apart)" if rivals else ""
    )


def _semantics() -> list[str]:
    """Dial × engine as experiments find it, beside what the papers say."""
    kept = semantics.kept()
    if not kept:
        return []
    examples = semantics.examples(kept)
    return ["## What its semantics is\n", semantics.NOTE, _table(*semantics.rows(kept)), *examples]


def _recovered(found: Mapping[str, Sequence[profiles.Recovery]]) -> list[str]:
    """Of each bundled profile whether it is found again, without a defect and with one."""
    if not found:
        return []
    head = ["profile", "seeded fault", "found again", "faults named", "not told apart"]
    rows = [
        [
            f"`{name}`",
            _codes(one.mutants),
            "yes" if one.recovered else f"**no**: {_codes(one.lost or ['other faults'])}",
            _codes(one.named),
            _codes(one.alike),
            f"{one.explained} of {one.answers}" + ("" if one.complete else " (cut short)"),
            f"{one.seconds:.0f}",
        ]
        for name, done in found.items()
        for one in done
    ]
    table = _table([*head, "answers explained", "seconds"], rows)
    return ["## Every bundled profile, found again\n", RECOVERED, table]


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


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
        first = found.first.get(shown.kind) if found and not shown.options else None
        cases = str(first or "–")
        if first is not None and first > record.examples:
            cases = "while shrinking"
        by = f"`{shown.property}`" + (f" with `{shown.options}`" if shown.options else "")
        rows.append([f"`{defect.name}`", defect.what, by, cases, str(shown.elements)])
    head = ["defect", "what the engine does", "found by", "after so many cases", "elements"]
    return _table(head, rows)


def _shown(defect: Defect, shown: Shown) -> str:
    again = f"rsp-conformance replay tools/engines/crashes/{defect.crash}"
    return (
        f"#### {defect.engine}: {defect.name}\n\n{defect.what} Breaks: {defect.breaks}. "
        f"`{again}` says {shown.status}.\n\n```text\n{shown.text}\n```\n"
    )
