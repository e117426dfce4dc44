"""`python -m tools.judges`, in small: it agrees, and it would notice."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Verdict
from tools.judges import block
from tools.judges.__main__ import main
from tools.judges.block import Block, examined
from tools.judges.plain import random_case
from tools.judges.turns import VALUES

BLOCK = Block("tests", 0, 12)


def test_all_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "60", "--seed", "tests"]) == 0
    said = capsys.readouterr().out
    assert "60 cases, 0 differences" in said
    assert "| expectation | reference agrees |" in said
    assert "| reference | right |" in said
    assert "| damaged | missing answer |" in said
    assert "seconds of processor time" in said


def test_a_judge_that_names_another_kind_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = block.judge

    def wrong_at_another_instant(*arguments: Any) -> Verdict:
        verdict = honest(*arguments)
        if verdict.divergence is None or verdict.divergence.t is None:
            return verdict
        return replace(verdict, divergence=replace(verdict.divergence, t=verdict.divergence.t + 1))

    monkeypatch.setattr(block, "judge", wrong_at_another_instant)
    (difference, *_) = examined(BLOCK).differences
    assert "specification: " in difference and "Spark's worker: " in difference
    assert "--seed tests --block 0 --size 12" in difference and "elements: " in difference


def test_what_is_settled_is_so_under_other_readings_too() -> None:
    """Else an open point that no answer shows counts as a difference between the judges."""
    case, dials = random_case(Random("settled"))
    settled = block._Settled(case, dials)
    settled.undetermined = "a point"
    assert settled.undetermined is None and isinstance(settled.under(()), block._Settled)


def test_a_reference_that_answers_otherwise_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    honest = block.reference_answers

    def late(*arguments: Any) -> tuple[Observed, ...]:
        return tuple(replace(own, t=None, cause=None) for own in honest(*arguments))

    monkeypatch.setattr(block, "reference_answers", late)
    assert (
        main(["--seed", "tests", "--block", "4", "--size", "8", "--only", "count_windows", "now"])
        == 1
    )
    said = capsys.readouterr().out
    assert "--block 4 --size 8 --only count_windows now" in said
    assert "ELEMENTS" in said or "TRIPLES" in said
    assert "reference and specification differ" in said
    assert "reference differs" in said


def test_what_dials_are_turned_to_are_values_of_theirs() -> None:
    for name, values in VALUES.items():
        for value in values:
            Dials().with_dials({name: value})
