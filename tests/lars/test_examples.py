"""LARS' Examples 4 to 8, as docs/semantics.md pins them."""

from __future__ import annotations

import pytest

from rsp_conformance.lars.answers import TranslationName, answers, translated
from rsp_conformance.lars.modes import Mode, Pull, Push
from rsp_conformance.lars.queries import brave
from rsp_conformance.model.answers import Rows
from tests.papers.rows import the

pytest.importorskip("clingo", reason="LARS needs the extra `lars`")


def instants(mode: Mode, translation: TranslationName, *, bravely: bool = False) -> dict[int, str]:
    case = the("LARS Examples 4 to 8, pushed: one answer at 18").case
    query = brave(case.query) if bravely else case.query
    found = answers(translated(query, mode, translation), case)
    assert all(isinstance(e.content, Rows) for e in found)
    return {
        e.t: "; ".join(" ".join(map(repr, row)) for row in e.content.rows)  # type: ignore[union-attr]
        for e in found
        if e.content.rows  # type: ignore[union-attr]
    }


RAYBAN = '<http://ex.org/b> "rayban" "25"^^<http://www.w3.org/2001/XMLSchema#integer>'


@pytest.mark.parametrize("bravely", [False, True], ids=["cautious", "brave"])
@pytest.mark.parametrize("translation", ["tau1", "tau2"])
def test_pushed_there_is_one_answer_at_18_and_pulled_it_stays_till_23(
    translation: TranslationName, bravely: bool
) -> None:
    assert instants(Push(), translation, bravely=bravely) == {18: RAYBAN}
    pulled = instants(Pull(1), translation, bravely=bravely)
    assert pulled == dict.fromkeys(range(18, 24), RAYBAN)
    assert instants(Pull(5), translation, bravely=bravely) == {20: RAYBAN}
