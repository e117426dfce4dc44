"""The README: its report is what the kit argues, its example command answers."""

from __future__ import annotations

import shlex

import pytest

import rsp_conformance as rsp
from rsp_conformance.cli.main import main
from tests.docs.markdown import ROOT, fenced

PAGE = (ROOT / "README.md").read_text("utf-8")
DIAL = "No single dial explains it, so it looks like a defect."
QUERY = """
    PREFIX : <http://ex.org/>
    SELECT ?x ?y
    FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 1 STEP 1]
    WHERE { WINDOW :w1 { ?x :p ?y } }
"""


def test_the_report_is_that_of_the_case_that_it_shows() -> None:
    """rsp-js gives one row, for the appended element; `tests/adapters` asks the engine itself."""
    profile = rsp.profile("rsp-js", advances="elements")
    case = rsp.case(QUERY, {":s1": [(1, ":a :p :b"), (2, ":a :p :c")]}, profile, until=4)
    row = {
        variable: {"type": "uri", "value": f"http://ex.org/{name}"}
        for variable, name in (("x", "a"), ("y", "c"))
    }
    judgement = case.judge([{"t": None, "cause": "end", "solutions": [row]}])
    (shown,) = fenced(PAGE, "text")
    # A run looks for causes in place of a dial that explains the one case.
    argued = str(judgement.explain()).removesuffix(f"\n  {DIAL}")
    assert argued in shown and DIAL not in shown


def test_the_last_lines_are_told_of_as_they_come() -> None:
    (shown,) = fenced(PAGE, "text")
    last = shown.rpartition("a contradiction!")[2].split("\n")
    begun = [line.split()[0] for line in last if line and not line.startswith(" ")]
    assert begun == ["rsp-conformance", "By", "Judged", "Cause"]
    assert "**The last lines**: how to ask the engine again, who judged it, and the cause" in PAGE


def test_the_command_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    block = next(b for b in fenced(PAGE, "console") if "rsp-conformance answers" in b)
    command = block.replace("\\\n", " ").splitlines()[0].removeprefix("$ rsp-conformance ")
    assert main(shlex.split(command)) == 0
    assert "10   :eve     :a" in capsys.readouterr().out
