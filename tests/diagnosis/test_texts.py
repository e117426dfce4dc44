"""What a cause is called in a sentence."""

from __future__ import annotations

import pytest

from rsp_conformance.diagnosis.cause import DECIDES, text_of
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.model.setting import Setting
from tests.docs.markdown import ROOT

PAGE = (ROOT / "docs" / "dials.md").read_text("utf-8")


@pytest.mark.parametrize("dial", sorted(DECIDES))
def test_a_dial_is_said_in_the_words_of_its_page(dial: str) -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{dial}` |")]
    assert DECIDES[dial] in row


def test_a_sentence_names_mutants_and_dials() -> None:
    said = text_of(Setting.of({"bounds": "[o,c)"}, ["bounds-end"]))
    assert said.startswith(MUTANTS["bounds-end"].summary.rstrip("."))
    assert "as with bounds = [o,c) (which ends of a window belong to it)" in said


def test_a_rival_is_named_once() -> None:
    said = text_of(Setting.of(mutants=["bounds-end"]), Setting.of({"bounds": "[o,c)"}))
    assert " Or bounds=[o,c), which no case tells from it: it answers as with bounds" in said
    assert said.count("Or") == 1
