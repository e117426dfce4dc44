"""The measurement of the two ways: both sides evaluate every shape, and to the same rows."""

from __future__ import annotations

from collections import Counter

import pytest

from rsp_conformance.evaluation import by_library
from rsp_conformance.evaluation.crossover import crossover as least
from rsp_conformance.r2r.evaluate import solutions
from rsp_conformance.sparql.dataset import Dataset, Graph, WindowDataset
from rsp_conformance.text.parse import parse_query
from tests.bench import crossover


@pytest.mark.parametrize("shape", crossover.SHAPES)
def test_both_sides_do_the_same_work(shape: str) -> None:
    query = parse_query(f"PREFIX : <{crossover.EX}> {crossover.SHAPES[shape][0]}")
    held = WindowDataset(Graph(crossover._triples(60)))
    dataset = Dataset(windows={crossover.WINDOW: held})
    one, other = solutions(query, dataset), by_library.solutions(query, dataset)
    assert Counter(one.rows) == Counter(other.rows)
    assert one.rows or shape == "FILTER"
    assert (least(query) is not None) == ("counted" in shape)


def test_every_cell_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossover, "SECONDS", 0.0)
    shapes = {name: (text, (10, 30)) for name, (text, _) in crossover.SHAPES.items()}
    monkeypatch.setattr(crossover, "SHAPES", shapes)
    cells = crossover.measure()
    assert [(c.shape, c.triples) for c in cells] == [(s, n) for s in shapes for n in (10, 30)]
    assert all(0 < c.definitions < 1_000 and c.ratio > 0 for c in cells)
