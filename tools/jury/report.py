"""The jury's result: as JSON with everything, as a smaller one to keep, and as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tools.jury.classes import Partition
from tools.jury.decisions import FIXED, decision_about
from tools.jury.groups import Example, Groups, Key

UNDECIDED = "undecided"
LEFT_OPEN = "left open"
LISTED = "listed"
_LONGEST = 300
"""Of an example that is kept, so many characters."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run: its groups and what it was asked of whom."""

    groups: Groups
    versions: Mapping[str, str]
    seed: int
    expressions: int
    pairs: int
    patterns: int


def standing(key: Key) -> str:
    """What becomes of a group: the name of its decision, or why it needs none."""
    if key.left_open:
        return LEFT_OPEN
    if not key.to_be_decided:
        return LISTED
    decision = decision_about(key)
    return UNDECIDED if decision is None else decision.name


def undecided(outcome: Outcome) -> list[tuple[Key, int, Example]]:
    """The groups that wait for a decision."""
    return [group for group in outcome.groups if standing(group[0]) == UNDECIDED]


def document(outcome: Outcome) -> dict[str, Any]:
    """All of it, one entry per group."""
    groups = [
        {
            "about": key.about,
            "kinds": list(key.kinds),
            "parted": str(key.parted),
            "left_open": key.left_open,
            "standing": standing(key),
            "count": count,
            "example": example.asked,
            "said": example.said,
        }
        for key, count, example in outcome.groups
    ]
    return {**_head(outcome), "groups": groups}


def read_document(held: dict[str, Any]) -> Outcome:
    """The run that ``document`` has written: its answers stay, and decisions may be others."""
    groups = Groups()
    for row in held["groups"]:
        parted = Partition.read(row["parted"])
        key = Key(row["about"], tuple(row["kinds"]), parted, row["left_open"])
        groups.counts[key] = row["count"]
        groups.examples[key] = Example(row["example"], row["said"])
    return Outcome(
        groups,
        held["versions"],
        held["seed"],
        held["expressions"],
        held.get("pairs", 0),
        held["patterns"],
    )


def _head(outcome: Outcome) -> dict[str, Any]:
    return {
        "seed": outcome.seed,
        "expressions": outcome.expressions,
        "pairs": outcome.pairs,
        "patterns": outcome.patterns,
        "versions": dict(outcome.versions),
        "differences": sum(outcome.groups.counts.values()),
    }


def kept(outcome: Outcome) -> dict[str, Any]:
    """What is worth keeping: for each decision, function and parting one entry, with its count."""
    rows: dict[tuple[str, str, str], dict[str, Any]] = {}
    for key, count, example in outcome.groups:
        parted = str(key.parted) if key.to_be_decided else _who(key)
        about = key.about if key.to_be_decided else key.about.removesuffix(" DISTINCT")
        place = standing(key), about, parted
        row = rows.setdefault(place, {"count": 0, "groups": 0})
        row["count"] += count
        row["groups"] += 1
        known = row.get("example")
        if key.to_be_decided and (known is None or len(example.asked) < len(known)):
            row["example"] = example.asked[:_LONGEST]
    groups = [
        {"standing": standing, "about": about, "parted": parted, **row}
        for (standing, about, parted), row in sorted(rows.items())
    ]
    decisions = [
        {
            "name": name,
            "verdict": total.verdict,
            "section": total.section,
            "departing": sorted(total.departing),
            "groups": total.groups,
            "times": total.times,
        }
        for name, total in _totals(outcome).items()
    ]
    return {**_head(outcome), "decisions": decisions, "groups": groups}


def _who(key: Key) -> str:
    return " | ".join(" ".join(names) for names, _ in key.parted.classes)


@dataclass(slots=True)
class _Total:
    verdict: str = ""
    section: str = ""
    groups: int = 0
    times: int = 0
    departing: set[str] = field(default_factory=set)


def _totals(outcome: Outcome) -> dict[str, _Total]:
    """Of each standing what its groups come to, the decisions first."""
    totals: dict[str, _Total] = {}
    for key, count, _ in outcome.groups:
        total = totals.setdefault(standing(key), _Total())
        total.groups += 1
        total.times += count
        decision = decision_about(key) if key.to_be_decided else None
        if decision is not None:
            total.verdict, total.section = decision.verdict, decision.section
            total.departing.update(decision.departing(key))
    return dict(sorted(totals.items(), key=lambda item: (item[1].verdict, item[0])))


def show(outcome: Outcome, console: Console) -> None:
    """Print the table."""
    table = Table(title=f"The jury, seed {outcome.seed}")
    for head in ("decision", "verdict", "section", "who departs"):
        table.add_column(head, overflow="fold")
    for head in ("groups", "times"):
        table.add_column(head, justify="right")
    for name, total in _totals(outcome).items():
        who = ", ".join(sorted(total.departing))
        numbers = str(total.groups), str(total.times)
        table.add_row(escape(name), total.verdict, escape(total.section), who, *numbers)
    # Into a file it is as wide as it has to be.
    console.print(table, width=None if console.is_terminal else 160)
    versions = ", ".join(f"{name} {version}" for name, version in outcome.versions.items())
    console.print(
        f"{outcome.expressions:,} expressions, {outcome.pairs:,} pairs of terms in order and "
        f"{outcome.patterns:,} patterns, asked of the "
        f"specification, {versions}; bugs of the specification that were found before and fixed: "
        f"{len(FIXED)}",
        highlight=False,
    )
    for key, count, example in undecided(outcome):
        console.print(f"undecided ({count}): {key.about} {', '.join(key.kinds)}", markup=False)
        console.print(f"  {key.parted}\n  {example.asked}", markup=False)
        console.print(f"  {example.said}", markup=False)
