"""The commands of `rsp_conformance/examples/README.md`."""

from __future__ import annotations

import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from rsp_conformance.cli.main import main
from tests.papers.rows import FIXTURES, ROWS

COMMANDS = [
    line
    for line in (FIXTURES / "README.md").read_text("utf-8").splitlines()
    if line.startswith("rsp-conformance ")
]


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line.removeprefix("rsp-conformance "))
def test_the_commands_that_are_shown(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command shows the rows of `rows` that have its query, dials and t0, in any folder."""
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(line)[1:]
    assert main(arguments) == 0
    shown, said = capsys.readouterr()
    assert said == ""
    if arguments[0] == "judge":
        assert shown.startswith("correct: t0(:W1)=1, t0(:W2)=0")
        return
    query = arguments[arguments.index("--query") + 1].removeprefix("@") + ".rq"
    values = [value for option, value in pairwise(arguments) if option == "--dial"]
    t0 = tuple(int(v.partition("=")[2]) for o, v in pairwise(arguments) if o == "--t0")
    (row,) = (
        row
        for row in ROWS
        if row.query == query
        and set(row.dials) - {"content_change=insertions", "bounds=(o,c]"} == set(values)
        and t0 in {row.t0, ()}
    )
    first = [int(cell) for line in shown.splitlines()[2:] if (cell := line[:3].strip())]
    until = row.until or max(first)
    assert [t for t in first if t <= until] == list(row.expected)
    for terms in {term for rows in row.expected.values() for row in rows for term in row.split()}:
        assert terms in shown
