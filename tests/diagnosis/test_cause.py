"""A cause as a value, and as reports write it."""

from __future__ import annotations

import json

import pytest

from rsp_conformance.diagnosis.cause import CAUSES, Cause, text_of
from rsp_conformance.model.setting import Setting

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


def test_the_text_says_what_each_part_does() -> None:
    text = text_of(NEWEST)
    assert "only the newest is answered" in text
    assert "bounds = [o,c)" in text


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
