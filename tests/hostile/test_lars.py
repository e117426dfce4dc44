"""LARS programs and queries for them, wrong, endless or odd: one line, and no hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.lars.text import LONGEST, parse_program
from rsp_conformance.model.errors import BadInput
from tests.builders.command_line import run_here, run_process
from tests.hostile.table import short

EX4 = ("lars", "--query", "@lars/ex4", "--stream", ":S_near=@lars/near")

PROGRAMS: list[tuple[str, str]] = [
    ("p", "ends within a statement"),
    ("p ← q", "ends within a statement"),
    ("p ← .. q.", "line 1, column 6"),
    ("P.", "line 1, column 1"),
    ("not.", "line 1, column"),
    ("p(X).", "the variable X"),
    ("p ← not q(X).", "the variable X"),
    ("@T p.", "the variable T"),
    ("p ← X = X.", "the variable X"),
    ("⊞^3 p ← q.", "line 1, column 1"),
    ("true ← q.", "always holds"),
    ("p ← ⊞^{3,1,2} q.", "looks ahead"),
    ("p ← ⊞^{3,0,0} q.", "slide 1 or more"),
    ("p ← ⊞^{#0} q.", "one tuple or more"),
    ("p ← ⊞^-1 q.", "0 or more"),
    ("p ← " + "⊞^1 " * 9 + "q.", "line 1, column 9"),
    ("p ← " + "9" * 400 + " = 1.", "line 1"),
    ("p ← holds{?x < }.", "the condition"),
    ("p ← holds{" + "(" * 5_000 + ")" * 5_000 + "}.", "the condition"),
    ("p ← holds{} .", "the condition"),
    ("p ← holds{1) FILTER(1}.", "the condition"),
    ("p ← holds{<u:f>(1)}.", "not evaluated by this kit: the extension function <u:f>"),
    ("p ← holds{RAND() < 1}.", "not evaluated by this kit: RAND"),
    ("p ← holds{BOUND(<< ?x ?x ?x >>)}.", "the condition"),
    ("p ← e:a = 1.", "the prefix e: is not declared"),
    ("p ← <\\u00zz> = 1.", "escape"),
    ('p ← "\\q" = 1.', "expected a term"),
    ("p ← " + "<< " * 3_000, "ends within"),
    ("background p(X).", "has a variable"),
    ("p ← \x00.", "line 1, column 5"),
    ("p ← \ud800.", "line 1, column 5"),
    ("p." * LONGEST, "characters"),
]

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


@pytest.mark.parametrize(("text", "said"), PROGRAMS, ids=short)
def test_a_text_that_is_no_program_is_bad_input(text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_program(text)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300


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
