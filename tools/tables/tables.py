"""Tables of the pages, each out of what it tells of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from rsp_conformance.plugin.options import GROUPS, OPTIONS, flag, help_of
from rsp_conformance.sparql.open_points import open_points
from tools.jury.__main__ import KEPT

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


def options(group: str) -> Iterator[Sequence[str]]:
    """The options of a group of the plugin's."""
    yield "option", "what it does"
    for name in GROUPS[group]:
        option = OPTIONS[name]
        yield f"`{f'{flag(name)} {option.metavar}'.strip()}`", help_of(option)


TABLES: Mapping[str, tuple[str, Callable[[], Iterator[Sequence[str]]]]] = {
    "jury": ("", jury),
    "open-points": ("semantics.md", points),
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
