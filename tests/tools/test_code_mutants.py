"""`python -m tools.code_mutants` on a tree of one function: what is tested, and what is not."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tools.code_mutants.__main__ import main
from tools.code_mutants.mutant import Mutant, drawn

CODE = "rsp_conformance/spec/steps.py"
SOURCE = """\
def before(a: int | None, b: int) -> bool:
    return a < b


def after(a: int | None, b: int) -> bool:
    return a > b
"""
TEST = """\
from rsp_conformance.spec.steps import before

def test_before() -> None:
    assert before(1, 2) and not before(2, 1) and not before(1, 1)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    plugin = "rsp_conformance/plugin/entry.py"  # pytest loads it in every run.
    for path, text in ((CODE, SOURCE), ("tests/spec/test_steps.py", TEST), (plugin, "")):
        _package((tmp_path / path).parent)
        (tmp_path / path).write_text(text)
    return tmp_path


def _package(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for own in (folder, *folder.parents):
        (own / "__init__.py").touch()
        if own.name in ("rsp_conformance", "tests"):
            break


def test_what_no_test_asks_survives_and_annotations_are_left_alone(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tree / "out" / "found.json"
    asked = ["--room", "spec", "--count", "2", "--out", str(out)]
    assert main(["--tree", str(tree), *asked]) == 0
    said = {own["before"]: own["said"] for own in json.loads(out.read_text())}
    assert said == {"    return a < b\n": "killed", "    return a > b\n": "survives"}
    assert "| spec | 1 | 1 | 0 |" in capsys.readouterr().out
    assert (tree / CODE).read_text() == SOURCE

    moved = tree / CODE.replace("spec", "sparql/spec")
    _package(moved.parent)
    moved.write_text("# One more line.\n" + SOURCE.replace("a < b", "b > a"))
    (tree / CODE).write_text("from rsp_conformance.sparql.spec.steps import *\n")
    assert main(["--tree", str(tree), "--again", str(out), "--out", str(out)]) == 0
    assert "| spec | 0 | 1 | 1 |" in capsys.readouterr().out


def test_tests_that_fail_by_themselves_say_nothing_of_mutants(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / CODE).write_text(SOURCE.replace("a < b", "a <= b"))
    with pytest.raises(SystemExit):
        main(["--tree", str(tree), "--count", "20"])
    assert "the tests of spec fail without a mutant" in capsys.readouterr().err


def test_a_place_that_is_not_there_alone_is_not_taken() -> None:
    mutant = Mutant("spec", CODE, 2, "", "    return a < b\n", "    return a\n", ("", ""))
    assert mutant.applied(SOURCE) == SOURCE.replace("a < b", "a")
    assert mutant.applied(2 * SOURCE) is None


def test_a_seed_draws_the_same(tree: Path) -> None:
    first, again = (drawn(tree, "spec", [CODE], 2, Random("1")) for _ in range(2))
    assert first == again and len(first) == 2
