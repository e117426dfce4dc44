"""`make coverage`, in small."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tools.coverage import __main__ as coverage
from tools.coverage.__main__ import PAGE, main, shares, sought
from tools.coverage.counting import Counts, count
from tools.coverage.missing import lines
from tools.coverage.page import Row, into, rows, summary, with_rare
from tools.coverage.tables import TABLES


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("coverage")
    wanted = ["--cases", "156", "--each-profile", "20", "--only", "13456", "--out", str(folder)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "profile_names", lambda: ("c-sparql",))
        assert main(wanted) == 0
    return folder


def test_the_counts_are_written(written: Path) -> None:
    cells = json.loads((written / "coverage.json").read_text("utf-8"))
    assert {cell["table"] for cell in cells} == {name for name in TABLES if name[0] != "2"}
    for table in {cell["table"] for cell in cells}:
        own = [cell for cell in cells if cell["table"] == table]
        assert 0 < sum(cell["count"] > 0 for cell in own) < len(own)
        assert all(cell["with_rows"] <= cell["count"] <= cell["met"] <= 156 for cell in own)


def test_the_page_has_the_totals_and_the_profiles(written: Path) -> None:
    page = (written / "coverage.md").read_text("utf-8")
    assert "156 cases" in page and "| all |" in page and "| c-sparql |" in page
    assert page.rstrip().endswith("## Met, and in no table"), "a cell is met that no table lists"


@pytest.mark.parametrize("source", ["bytes", "run"])
def test_a_share_is_drawn_alike_again(source: str) -> None:
    share = shares(400, "0", source, ["2 operators", "6 times"], None)[20]  # type: ignore[arg-type]
    one, other = count(share), count(share)
    assert one.met == other.met and one.judged == other.judged
    assert {table for table, _ in one.met} == {"2 operators", "6 times"}
    assert one.drawn >= share.number


def cell(table: str, name: str, count: int = 0, reason: str = "") -> dict[str, object]:
    return {"table": table, "cell": name, "count": count, "reason": reason}


@pytest.mark.parametrize(
    ("table", "cells", "expected"),
    [
        (
            "3 functions",
            [
                *(
                    cell("", f"{name}(1: {kind})")
                    for name in ("ABS", "CEIL")
                    for kind in ("IRI", "float")
                ),
                *(cell("", f"STR(1: {kind})", count) for kind, count in (("IRI", 1), ("float", 0))),
                *(cell("", f"SUM({kind})", count) for kind, count in (("IRI", 1), ("float", 0))),
                cell("", "RAND(1: IRI)", reason="refused by name"),
            ],
            ["- (4) ABS(1) | CEIL(1): all of them", "- (2) STR(1) | SUM: float"],
        ),
        (
            "3 pairs of kinds",
            [cell("", "IRI < float"), cell("", "IRI < IRI", 3), cell("", "float - float")],
            ["- (2) IRI < | float -: float"],
        ),
        ("6 times", [cell("", "ties", 2), cell("", "gap")], ["- (1) gap"]),
    ],
)
def test_what_is_missing_is_said_in_few_lines(
    table: str, cells: list[dict[str, object]], expected: list[str]
) -> None:
    assert [*lines(table, cells, 1)] == expected


def test_an_empty_cell_that_is_met_further_on_is_rare() -> None:
    empty, met, known = (
        Row("t", "empty", 0, "", 0, 0),
        Row("t", "met", 1, "", 1, 0),
        Row("t", "known", 0, "refused", 0, 0),
    )
    further = {("t", name): 2 for name in ("empty", "met", "known")}
    rare, *others = with_rare([empty, met, known], further, "of 10 further cases of `nesting`")
    assert rare.reason == "rare: in 2 of 10 further cases of `nesting`" and not rare.is_open
    assert others == [met, known]
    assert with_rare([empty], {}, "") == [empty] and empty.is_empty


@pytest.mark.parametrize(
    ("table", "cell", "property"),
    [
        ("2 operators", "Query > Window iri", "nesting"),
        ("3 functions", "STR(1: plain)", "functions"),
    ],
)
def test_empty_cells_are_sought_in_the_property_that_they_are_about(
    table: str, cell: str, property: str
) -> None:
    listed = [Row(table, cell, 0, "", 0, 0)]
    (found,) = sought(listed, 60, "0", jobs=1)
    assert re.fullmatch(rf"rare: in \d+ of 60 further cases of `{property}`", found.reason)
    assert sought(listed, 0, "0", jobs=1) == listed


def test_every_cell_is_reached_or_has_a_reason() -> None:
    table = PAGE.read_text("utf-8").partition("| table | cells |")[2].partition("\n\n")[0]
    head, _, *totals = [line.split(" | ") for line in table.splitlines()]
    assert head[-1] == "empty |" and [line[0] for line in totals] == [
        f"| {name}" for name in (*TABLES, "all")
    ]
    assert {line[0]: line[-1] for line in totals if line[-1] != "0 |"} == {}


def test_the_totals_are_written_into_the_file_of_cells() -> None:
    text = PAGE.read_text("utf-8")
    changed = into(text, rows(Counts(3), ["6 times"]), 3)
    assert "\n3 cases from independent bytes\n" in changed and changed != text
    head = text.partition("\n50,000 cases")[0]
    assert changed.startswith(head) and head != text
    with pytest.raises(ValueError, match="no totals"):
        into("# A file", [], 3)


@pytest.mark.parametrize(("drawn", "often"), [(2_000, "–"), (4_000, "1"), (50_000, "0")])
def test_few_cases_do_not_say_how_often_a_cell_is_met(drawn: int, often: str) -> None:
    listed = [Row("t", f"c{count}", count, "", count, 0) for count in (1, 2)]
    assert summary(listed, drawn)[2] == f"| t | 2 | 0 | 2 | 2 | {often} | 0 |"


def test_what_is_never_judged_has_the_point_that_leaves_it_open() -> None:
    key = "4 modifiers", "ORDER BY IRIs"
    counts = Counts(20, met=Counter({key: 10}), left_open=Counter({(key, "cut-ties"): 9}))
    (row,) = (row for row in rows(counts, [key[0]]) if row.cell == key[1])
    assert row.reason.startswith("open: ") and "15.4" in row.reason and not row.is_open
    counts.judged[key] = 1
    (row,) = (row for row in rows(counts, [key[0]]) if row.cell == key[1])
    assert row.is_open and not row.reason
