"""csrbench-oracle's criterion: which windows, which relations, and what it takes for equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.corpora.csrbench.benchmark import read_data, recording_from_json
from rsp_conformance.corpora.csrbench.containment import Containment, Oracle, contained
from rsp_conformance.corpora.csrbench.queries import all_queries
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.profiles import bundled_profile
from rsp_conformance.model.streams import StreamElement
from tests.corpora.csrbench.conftest import observation, recording, write_benchmark

Relations = Sequence[tuple[int, Sequence[Mapping[str, Any]]]]


@pytest.fixture
def hot(tmp_path: Path) -> tuple[StreamElement, ...]:
    """One hot reading a second at 0 to 8, and none at 4."""
    seconds = [observation("S", t, 90) if t != 4 else "" for t in range(9)]
    return read_data(write_benchmark(tmp_path / "b", seconds, {}) / "data")


def rows(*seconds: int) -> list[dict[str, Any]]:
    return [{"sensor": "S", "obs": f"O_S_{t}"} for t in seconds]


def judge(
    stream: Sequence[StreamElement], relations: Relations, *, number: int = 5, profile: str
) -> Containment:
    return contained(
        all_queries()[number],
        stream=stream,
        dials=bundled_profile(profile).base,
        recording=recording_from_json(recording(relations), Path("r.json")),
    )


def test_a_contiguous_part_is_enough_and_stamps_do_not_count(
    hot: tuple[StreamElement, ...],
) -> None:
    part = [(7, rows(1, 2, 3, 5)), (3, rows(2, 3, 5, 6))]
    # Windows [1,6) and [2,7); the first begins at 0.
    assert judge(hot, part, profile="c-sparql-papers") == Containment(True, 0, 2, 2)
    gap = [part[0], (0, rows(3, 5, 6, 7))]
    assert judge(hot, gap, profile="c-sparql-papers") == Containment(False, 0, 1, 2)


def test_windows_without_an_element_are_no_relations(hot: tuple[StreamElement, ...]) -> None:
    # With windows of a second, nothing is answered for [4,5).
    assert judge(hot, [(0, rows(3)), (0, rows(5))], number=2, profile="c-sparql-papers").correct


def test_the_oracles_windows_begin_at_the_width_from_t0_on(
    hot: tuple[StreamElement, ...],
) -> None:
    # Ten seconds, slide ten.
    oracle = Oracle(all_queries()[1], hot, bundled_profile("c-sparql-papers").base)
    sizes = [[len(relation) for relation in oracle.answers(t)] for t in (0, 3000, 10_000)]
    # [0,10); [3,13); then [10,20), which holds nothing and is left out.
    assert sizes == [[8], [5], []]


def test_a_number_hides_all_other_variables(tmp_path: Path) -> None:
    humid = [observation("S", t, 30, "_RelativeHumidity") for t in range(4)]
    stream = read_data(write_benchmark(tmp_path / "b", humid, {}) / "data")
    # Four rows with one value are one row, whatever they name.
    answer = [(4000, [{"sensor": "X", "obs": "Y", "value": 30.0}])]
    assert judge(stream, answer, number=3, profile="c-sparql-papers").correct
    other = [(4000, [{"sensor": "S", "obs": "O_S_0", "value": 31}])]
    assert not judge(stream, other, number=3, profile="c-sparql-papers").correct


def test_on_arrival_only_what_is_new_is_a_relation(hot: tuple[StreamElement, ...]) -> None:
    arrivals = [(t * 1000 + 47, rows(t)) for t in (2, 3, 5, 6)]
    assert judge(hot, arrivals, number=1, profile="cqels").correct
    # The first relation holds what came at t0 as well; later ones what is new.
    assert judge(hot, [(0, rows(2, 3)), (0, rows(5))], number=1, profile="cqels").correct
    assert not judge(hot, [(0, rows(2, 3)), (0, rows(5, 6))], number=1, profile="cqels").correct


def test_silence_is_contained(hot: tuple[StreamElement, ...]) -> None:
    assert judge(hot, [], profile="sparqlstream").correct


def test_it_knows_two_report_policies() -> None:
    dials = bundled_profile("rsp-ql").base.with_dial("report", "P(3)")
    with pytest.raises(Unsupported, match=r"report policy P\(3\)"):
        Oracle(all_queries()[1], (), dials)
