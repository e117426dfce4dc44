"""The seven queries: from a checkout's properties, and as the kit has them itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.corpora.csrbench.benchmark import read_data
from rsp_conformance.corpora.csrbench.containment import Containment, Oracle, contained
from rsp_conformance.corpora.csrbench.queries import NUMBERS, STREAM, all_queries, read_properties
from rsp_conformance.files.files import FileError
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.files.recordings import recording_from_json
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from tests.corpora.csrbench.conftest import observation, recording, rows, write_benchmark

WINDOWS = {
    1: (10_000, 10_000),
    2: (1000, 1000),
    3: (4000, 4000),
    4: (4000, 4000),
    5: (5000, 1000),
    6: (5000, 5000),
    7: (5000, 5000),
}


def written(folder: Path) -> Path:
    """The queries of the kit as csrbench-oracle writes its own, Q6 with its windows of 50 s."""
    lines = []
    for number, query in all_queries().items():
        # Backslashes that continue a line, some with blanks after them.
        text = " \\ \n    ".join(query.sparql.splitlines())
        lines += [
            f"# query {number}",
            f"srb.query{number}.booleanquery = {text}",
            f"srb.query{number}.window.size = {50_000 if number == 6 else query.width}",
            f"srb.query{number}.window.slide = {50_000 if number == 6 else query.slide}  ",
        ]
    path = folder / "srbench-queries.properties"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_windows_are_the_benchmarks_and_the_sixth_is_corrected(tmp_path: Path) -> None:
    for queries in (all_queries(), all_queries(written(tmp_path))):
        assert {n: (q.width, q.slide) for n, q in queries.items()} == WINDOWS
    own, read = all_queries(), all_queries(written(tmp_path))
    for number in NUMBERS:
        assert read[number].rspql() == own[number].rspql()


@pytest.mark.parametrize("number", NUMBERS)
def test_windows_are_named_or_merged(number: int) -> None:
    query = all_queries()[number]
    merged, named = query.rspql(), query.rspql(named=True, operator="ISTREAM")
    assert isinstance(merged, Query)
    assert ([w.named for w in merged.windows], merged.operator) == ([False], None)
    assert ([w.named for w in named.windows], named.operator) == ([True], StreamOperator.ISTREAM)
    assert merged.streams() == named.streams() == (STREAM,)
    (window,) = merged.sliding_windows(100)
    assert (window.width * 100, window.slide * 100) == WINDOWS[number]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing here\n", ", line 1: expected key = value"),
        ("a = b \\\n", ", line 1: a is continued, and nothing follows"),
        ("a = b\n", ": has no srb.query1.booleanquery"),
        ("srb.query1.booleanquery = ASK {}\n", ": has no srb.query1.window.size"),
        (
            "srb.query1.booleanquery = ASK {}\nsrb.query1.window.size = ten\n",
            ": srb.query1.window.size: expected milliseconds, found 'ten'",
        ),
        (
            "srb.query1.booleanquery = ASK {}\nsrb.query1.window.size = 10\n"
            "srb.query1.window.slide = 10\n",
            ": srb.query1.booleanquery: expected a SELECT query",
        ),
    ],
)
def test_properties_that_are_none(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "q.properties"
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        all_queries(path)
    assert str(caught.value).removeprefix(str(path)) == said


def test_values_keep_their_lines_and_lose_the_blanks_around(tmp_path: Path) -> None:
    path = tmp_path / "q.properties"
    path.write_text("! comment\n\na.b =  one \\\t \n   two\\\nthree  \nc=d=e\n")
    assert read_properties(path) == {"a.b": "one\ntwo\nthree", "c": "d=e"}


# --- csrbench-oracle's criterion: which windows, which relations, and what it takes for equal -----

Relations = Sequence[tuple[int, Sequence[Mapping[str, Any]]]]


@pytest.fixture
def hot(tmp_path: Path) -> tuple[StreamElement, ...]:
    """One hot reading a second at 0 to 8, and none at 4."""
    seconds = [observation("S", t, 90) if t != 4 else "" for t in range(9)]
    return read_data(write_benchmark(tmp_path / "b", seconds, {}) / "data")


def judge(
    stream: Sequence[StreamElement], relations: Relations, *, number: int = 5, profile: str
) -> Containment:
    return contained(
        all_queries()[number],
        stream=stream,
        dials=bundled_profile(profile).base,
        recording=recording_from_json(recording(relations), Path("r.json")),
    )


def test_which_relations_are_contained(hot: tuple[StreamElement, ...]) -> None:
    part = [(7, rows(1, 2, 3, 5)), (3, rows(2, 3, 5, 6))]
    # Windows [1,6) and [2,7); the first begins at 0.
    assert judge(hot, part, profile="c-sparql-papers") == Containment(True, 0, 2, 2)
    gap = [part[0], (0, rows(3, 5, 6, 7))]
    assert judge(hot, gap, profile="c-sparql-papers") == Containment(False, 0, 1, 2)
    # With windows of a second, nothing is answered for [4,5).
    assert judge(hot, [(0, rows(3)), (0, rows(5))], number=2, profile="c-sparql-papers").correct
    assert judge(hot, [], profile="sparqlstream").correct


def test_the_oracles_windows_and_policies(hot: tuple[StreamElement, ...]) -> None:
    # Ten seconds, slide ten.
    oracle = Oracle(all_queries()[1], hot, bundled_profile("c-sparql-papers").base)
    sizes = [[len(relation) for relation in oracle.answers(t)] for t in (0, 3000, 10_000)]
    # [0,10); [3,13); then [10,20), which holds nothing and is left out.
    assert sizes == [[8], [5], []]
    dials = bundled_profile("rsp-ql").base.with_dial("report", "P(3)")
    with pytest.raises(Unsupported, match=r"report policy P\(3\)"):
        Oracle(all_queries()[1], (), dials)


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
