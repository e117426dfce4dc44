"""LARS programs and queries for them, wrong, endless or odd: one line, and no hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.command_line import run_here, run_process
from tests.hostile.table import short

EX4 = ("lars", "--query", "@lars/ex4", "--stream", ":S_near=@lars/near")


ARGUMENTS: list[tuple[tuple[str, ...], str]] = [
    (("--mode", "poll"), "write it as push or pull:U"),
    (("--mode", "pull:"), "write it as push or pull:U"),
    (("--mode", "pull:0"), "pulled every 1 to 1000000000 instants"),
    (("--mode", "pull:" + "9" * 18), "pulled every 1 to 1000000000 instants"),
    (("--mode", "pull:" + "9" * 5_000), "write it as push or pull:U"),
    (("--translation", "tau3"), "tau1"),
    (("--reading", "bold"), "brave"),
    (("--minus", "figure1"), "figure-1"),
    (("--dial", "bounds=[o,c]"), "the only dial of a LARS program is unit"),
    (("--dial", "unit=0"), "at least 1"),
    (("--window", ":near"), "NAME=WINDOW"),
    (("--window", ":neer=NOW"), "it has :near, :offers"),
    (("--window", ":near=ROWS 0"), "one tuple or more"),
    (("--window", ":near=LAST 3"), "expected RANGE L"),
    (("--window", ":near=ROWS " + "9" * 5_000), "expected RANGE L"),
    (("--until", str(10**15)), "the instants up to 1000000000"),
    (("--until", "-1"), "earlier than"),
]


@pytest.mark.parametrize(("arguments", "said"), ARGUMENTS, ids=short)
def test_arguments_typed_wrong(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    pytest.importorskip("clingo")
    line = run_here(capsys, *EX4, *arguments).line()
    assert said in line
    assert len(line) < 400


def test_a_query_too_large_to_ground_ends_by_its_limit(tmp_path: Path) -> None:
    pytest.importorskip("clingo")
    patterns = " . ".join(f"?a{i} ?b{i} ?c{i}" for i in range(8))
    (tmp_path / "q.rq").write_text(
        "SELECT * FROM NAMED WINDOW <u:w> ON STREAM <u:s> [RANGE 9] "
        f"{{ WINDOW <u:w> {{ {patterns} }} }}"
    )
    triples = "".join(f"<u:a> <u:b> <u:c{i}> .\\n" for i in range(50))
    (tmp_path / "s.jsonl").write_text(f'{{"t": 1, "graph": "{triples}"}}\n')
    asked = ("--query", tmp_path / "q.rq", "--stream", f"u:s={tmp_path / 's.jsonl'}")
    ran = run_process("lars", *asked, "--time-limit", "0.3")
    assert "took longer than 0.3 s" in ran.line()
