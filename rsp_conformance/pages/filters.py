"""The filters of the matrix of engines and properties, and the tags of its rows.

A reader leaves the rows of a group of properties, of a kind of window, of a feature that a property
needs, of different verdicts, or of a cause. Each filter leaves out more; none needs a script.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from rsp_conformance.diagnosis.cause import is_named
from rsp_conformance.explain.document import Filter
from rsp_conformance.laws.table import HEURISTICS, LAWS
from rsp_conformance.model.features import FEATURES, PARTS
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.run.properties import SUITE, Property
from rsp_conformance.strategies.focus import focus_named
from rsp_conformance.strategies.laws import needed_by

DIFFERS, SAME_FOR_ALL = "differs", "alike"
"""Tags of rows: whether the engines come to different verdicts."""
_BY_TIME, _ANY_KIND = "windows-by-time", "windows-of-any-kind"
WINDOWS: Final[Mapping[str, str]] = {
    "gap-windows": "with gaps",
    "count-windows": "by count",
    "now-window": "NOW",
    "unbounded-window": "UNBOUNDED",
    "past-windows": "in the past",
    "multi-window": "several",
    "same-stream-windows": "several over one stream",
    "window-variable": "WINDOW ?x",
}
"""The features that are kinds of windows, in words; all other features are of queries and data."""
_WHOLE: Final = {part: whole for whole, parts in PARTS.items() for part in parts}
"""The feature that each part belongs to."""
_LAWS: Final = {law.name: law for law in (*LAWS, *HEURISTICS)}


def filters(shown: Sequence[Property], causes: Sequence[Sequence[str]]) -> Iterator[Filter]:
    """The filters of a matrix.

    Args:
        shown: the properties that have a row.
        causes: the causes of each engine, by their ids.
    """
    found = {own for one in shown for own in tags_of(one)}

    def filtered(label: str, name: str, choices: Iterable[tuple[str, str]]) -> Iterator[Filter]:
        if left := tuple(choice for choice in choices if choice[0] in found):
            yield Filter(label, name, left)

    groups = dict.fromkeys(one.group for one in SUITE)
    yield from filtered("About", "group", ((tag(group), group) for group in groups))
    kinds = [(_BY_TIME, "by time"), *((_has(name), said) for name, said in WINDOWS.items())]
    yield from filtered("Windows", "windows", [*kinds, (_ANY_KIND, "of any kind")])
    # SELECT tells nothing: nearly every property needs it.
    others = [name for name in FEATURES if name not in WINDOWS and name != "select"]
    yield from filtered("Needs", "feature", ((_has(name), name) for name in others))
    if len(causes) > 1:
        words = ((DIFFERS, "different verdicts"), (SAME_FOR_ALL, "the same verdict"))
        yield Filter("With", "verdict", words)
    number = Counter(id for own in causes for id in own if is_named(id))
    common = sorted(
        (id for id in number if number[id] > 1 or len(causes) == 1),
        key=lambda id: (-number[id], id),
    )
    if common:
        yield Filter(
            "Failing for", "cause", tuple((tag(id), f"{id} ({number[id]})") for id in common)
        )


@cache
def tags_of(property: Property) -> tuple[str, ...]:
    """The tags of a property's row: its group, its kind of window, and the features it needs."""
    needed = features_of(property)
    kinds = [name for name in WINDOWS if name in needed]
    # The cases of laws and relations, and of some foci, have any window that the engine takes.
    is_any = not property.focus or focus_named(property.focus).others
    plain = () if kinds else (_ANY_KIND if is_any else _BY_TIME,)
    return tag(property.group), *plain, *map(_has, needed)


def features_of(property: Property) -> list[str]:
    """The features that a property needs, all or any; a part of a feature counts as the whole."""
    relation = property.relation
    if relation is None:
        focus = focus_named(property.focus)
        operators = (own.value.lower() for own in StreamOperator if own.letter in focus.operators)
        needed = {*focus.needs, *focus.any_of, *operators}
    elif relation.family == "law":
        needed = set(needed_by(_LAWS[relation.name]))
    else:
        needed = {*relation.features}
    whole = {_WHOLE.get(name, name) for name in needed}
    return [name for name in FEATURES if name in whole]


def _has(feature: str) -> str:
    return f"has-{feature}"


def tag(text: str) -> str:
    """A tag from words, which CSS takes for one name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "other"
