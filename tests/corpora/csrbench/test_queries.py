"""The seven queries: from a checkout's properties, and as the kit has them itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.corpora.csrbench.queries import NUMBERS, STREAM, all_queries, read_properties
from rsp_conformance.files.files import FileError
from rsp_conformance.model.query import Query, StreamOperator

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


def test_properties_give_the_same_queries(tmp_path: Path) -> None:
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
