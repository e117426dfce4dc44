"""A cause as a value, as reports write it, and what it is called in a sentence."""

from __future__ import annotations

import json

import pytest

from rsp_conformance.diagnosis.cause import CAUSES, DECIDES, Cause, text_of
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.model.setting import Setting
from tests.docs.markdown import ROOT

PAGE = (ROOT / "docs" / "dials.md").read_text("utf-8")
NEWEST = Setting.of({"bounds": "[o,c)"}, ["newest-only"])


def test_json_gives_a_cause_back() -> None:
    cause = Cause(
        "newest-only",
        NEWEST,
        (Setting.of({}, ["path-bag"]),),
        ("windows", "join"),
        explains=38,
        open=2,
        contradicts=1,
        passing=900,
        asked=40,
        wrong=50,
        right=1_000,
        file=".rsp/crashes/x.json",
        elements=2,
        text=text_of(NEWEST),
    )
    assert CAUSES.read(Cause, json.loads(json.dumps(CAUSES.write(Cause, cause)))) == cause


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mutants": ["newest-onyl"]}, "newest-onyl"),
        ({"dials": {"bounds": "[["}}, "bounds"),
        ({"explains": -1}, "explains"),
        ({"smallest": []}, "smallest"),
        ({"id": 3}, "id"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_cause_is_one_clear_line(changed: dict[str, object], said: str) -> None:
    document = CAUSES.write(Cause, Cause("newest-only", NEWEST)) | changed
    with pytest.raises(ValueError, match=said) as caught:
        CAUSES.read(Cause, document)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("dial", sorted(DECIDES))
def test_a_dial_is_said_in_the_words_of_its_page(dial: str) -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{dial}` |")]
    assert DECIDES[dial] in row


def test_a_sentence_names_mutants_dials_and_rivals() -> None:
    said = text_of(Setting.of({"bounds": "[o,c)"}, ["bounds-end"]))
    assert said.startswith(MUTANTS["bounds-end"].summary.rstrip("."))
    assert "as with bounds = [o,c) (which ends of a window belong to it)" in said
    said = text_of(Setting.of(mutants=["bounds-end"]), Setting.of({"bounds": "[o,c)"}))
    assert " Or bounds=[o,c), which is as likely: it answers as with bounds" in said
    assert said.count("Or") == 1
