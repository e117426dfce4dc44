"""Random datasets, and what two relations have to share."""

from __future__ import annotations

from collections import Counter

from hypothesis import strategies as st

from rsp_conformance.sparql.dataset import Dataset, GraphBag, WindowDataset
from rsp_conformance.sparql.relation import Relation
from tests.builders.terms import iri
from tests.generators.patterns import GRAPHS, WINDOWS, bags, graphs


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Background graphs and two windows, one of named elements too; sets or bags."""
    as_bags = draw(st.booleans())
    held = bags if as_bags else graphs

    def graph() -> GraphBag:
        return GraphBag(draw(held))  # type: ignore[arg-type]

    element = draw(st.sampled_from([iri("e1"), GRAPHS[0]]))
    windows = {
        WINDOWS[0]: WindowDataset(graph(), {element: graph()}),
        WINDOWS[1]: WindowDataset(graph()),
    }
    ranges = draw(st.sampled_from(["windows", "background"]))
    return Dataset(graph(), {name: graph() for name in GRAPHS}, windows, ranges, as_bags)


def groups(found: Relation) -> list[Counter[tuple[object, ...]]]:
    """The rows by groups of ties, in order; all of them together where there is no order."""
    if found.ties is None:
        return [Counter(found.rows)]
    parted: dict[int, Counter[tuple[object, ...]]] = {}
    for row, tie in zip(found.rows, found.ties, strict=True):
        parted.setdefault(tie, Counter())[row] += 1
    return list(parted.values())


def same(one: Relation, other: Relation) -> bool:
    """Whether two relations say the same: rows where they are determined, and what is open."""
    if one.variables != other.variables or one.determined != other.determined:
        return False
    return not one.determined or (
        (one.ties is None) == (other.ties is None) and groups(one) == groups(other)
    )
