"""Files of known causes, and which of them explain an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsp_conformance.causes.hypothesis import Hypothesis
from rsp_conformance.causes.known import KnownCause, read_known
from rsp_conformance.files.files import FileError


def test_causes_are_tables(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text(
        '# what we know\n[[known]]\nmutants = ["newest-only"]\nreason = "issue 12"\n\n'
        '[[known]]\nmutants = ["union-dedup"]\ndials = {bounds = "[o,c)", empty_answers = true}\n'
        'reason = " two at once "\n'
    )
    newest, two = read_known(file)
    assert newest == KnownCause(Hypothesis.of(mutants=["newest-only"]), "issue 12")
    assert (newest.id, two.reason) == ("newest-only", "two at once")
    assert two.id == "bounds=[o,c) + empty_answers=yes + union-dedup"


def test_a_file_may_know_nothing(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text("# nothing yet\n")
    assert read_known(file) == ()


WHY = 'reason = "why"'
REFUSED = [
    ("[[known]", "no TOML (Expected ']]' at the end of an array declaration"),
    ("known = 1", "known: expected an array, found 1"),
    ("known = [1]", "known[0]: expected an object, found 1"),
    (
        "[[knwon]]\n" + WHY,
        "expected one of the fields known, found \"knwon\"; did you mean 'known'?",
    ),
    ('[[known]]\nmutants = ["newest-only"]', "known[0].reason: expected a string, found nothing"),
    ('[[known]]\nmutants = ["newest-only"]\nreason = " "', "expected why the cause is known"),
    ("[[known]]\n" + WHY, "known[0]: names no cause"),
    ("[[known]]\nmutants = []\n" + WHY, "known[0]: names no cause"),
    ('[[known]]\nmutants = "newest-only"\n' + WHY, "known[0].mutants: expected an array"),
    ("[[known]]\nmutants = [1]\n" + WHY, "known[0].mutants[0]: expected a string, found 1"),
    (
        '[[known]]\nmutants = ["newest"]\n' + WHY,
        "unknown mutant 'newest'; did you mean 'newest-only'?",
    ),
    (
        '[[known]]\nmutants = ["zzzzzz"]\n' + WHY,
        "unknown mutant 'zzzzzz' (docs/faults.md lists them)",
    ),
    ('[[known]]\nmutants = ["dies-late"]\n' + WHY, "unknown mutant 'dies-late'"),
    ('[[known]]\nmutant = ["newest-only"]\n' + WHY, "found \"mutant\"; did you mean 'mutants'?"),
    ('[[known]]\ndials = {bound = "x"}\n' + WHY, "unknown dial 'bound'; did you mean 'bounds'?"),
    ('[[known]]\ndials = {bounds = "x"}\n' + WHY, "known[0]: dial bounds='x': expected"),
    ('[[known]]\ndials = "bounds"\n' + WHY, "known[0].dials: expected an object"),
    ("[[known]]\ndials = {unit = " + "[" * 2000 + "]" * 2000 + "}\n" + WHY, "nested too deeply"),
    ("[[known]]\nmutants = [1979-05-27]\n" + WHY, "known[0].mutants[0]: expected a string"),
    ('[[known]]\nmutants = ["' + "x" * 10_000 + '"]\n' + WHY, "(10002 characters)"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[str(n) for n in range(len(REFUSED))])
def test_what_is_no_cause_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "known.toml"
    file.write_text(text)
    with pytest.raises(FileError) as refused:
        read_known(file)
    said = str(refused.value)
    assert message in said and said.startswith(f"{file}") and "\n" not in said
    assert len(said) < 500 + len(str(file))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        read_known(tmp_path / "known.toml")
