"""Tables of the pages, each out of what it tells of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median

from rsp_conformance.adapters.reference.mutants import (
    LATE_MUTANTS,
    MUTANTS,
    RARE_MUTANTS,
    REPORTED_MUTANTS,
    all_mutants,
)
from rsp_conformance.plugin.options import GROUPS, OPTIONS, flag, help_of
from rsp_conformance.sparql.open_points import open_points
from tools.jury.__main__ import KEPT
from tools.mutation.faults.measuring import KEPT as FAULTS

_WORDS = {
    "left open": "left open by a row of the table above",
    "listed": "one other implementation differs, or none that says anything",
}


def jury() -> Iterator[Sequence[str]]:
    """What the jury found, a row a decision."""
    yield "what", "decided", "section", "who departs", "groups", "times"
    for row in json.loads(KEPT.read_text(encoding="utf-8"))["decisions"]:
        name = row["name"]
        yield (
            _WORDS.get(name, name.replace("-", " ")),
            row["verdict"] or "–",
            row["section"] or "–",
            ", ".join(row["departing"]) or "–",
            f"{row['groups']:,}",
            f"{row['times']:,}",
        )


def points() -> Iterator[Sequence[str]]:
    """The points that the texts leave open, by what the kit does with an answer."""
    yield "an answer is", "if it depends on"
    found = open_points().values()
    for kit in dict.fromkeys(point.kit for point in found):
        yield kit, ", ".join(f"`{point.id}`" for point in found if point.kit == kit)


def faults() -> Iterator[Sequence[str]]:
    """What was measured of the mutants, by what finds them."""
    kept = json.loads(FAULTS.read_text(encoding="utf-8"))
    by_relation = {name for name, mutant in all_mutants().items() if mutant.relation}
    small = MUTANTS.keys() - REPORTED_MUTANTS.keys() - by_relation
    yield "mutants", "number", "found", "cases: median", "most", "found within"
    for kind, names, within in (
        ("small cases", small, "200 cases of a property, from every seed"),
        ("laws and metamorphic tests", by_relation, "200 trials, one of them by 18 of 20 seeds"),
        ("bugs that users reported", REPORTED_MUTANTS.keys(), "200 cases"),
        ("found by chance", RARE_MUTANTS.keys(), "1,000 cases"),
    ):
        medians = [kept[name]["quartiles"][1] for name in names if "quartiles" in kept[name]]
        numbers = len(names), len(medians), median(medians), max(medians)
        yield kind, *(f"{number:g}" for number in numbers), within
    late = str(len(LATE_MUTANTS))
    within = "[a burn-in](#mutants-that-long-streams-show) of 100,000 elements"
    yield "long streams", late, late, "–", "–", within


def options(group: str) -> Iterator[Sequence[str]]:
    """The options of a group of the plugin's."""
    yield "option", "what it does"
    for name in GROUPS[group]:
        option = OPTIONS[name]
        yield f"`{f'{flag(name)} {option.metavar}'.strip()}`", help_of(option)


TABLES: Mapping[str, tuple[str, Callable[[], Iterator[Sequence[str]]]]] = {
    "jury": ("", jury),
    "open-points": ("semantics.md", points),
    "faults": ("faults.md", faults),
    **{f"options: {group}": ("plugin.md", partial(options, group)) for group in GROUPS},
}
"""By its name the page of each table in `docs/`, or nothing if it stands on none, and its rows, the
head first."""


def written(name: str) -> str:
    """A table of the pages as Markdown."""
    return markdown(TABLES[name][1]())


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a table, the head first."""
    head, *others = rows
    lines = [
        f"| {' | '.join(row)} |"
        for row in [head, *([cell.replace("|", "\\|") for cell in row] for row in others)]
    ]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])
