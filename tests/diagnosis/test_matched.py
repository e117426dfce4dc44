"""What has explained answers so far is tried first."""

from __future__ import annotations

import pytest

from rsp_conformance.diagnosis.known import KnownCause, KnownCauses
from rsp_conformance.diagnosis.matched import MOST_IN_VAIN, SELDOM, Matched
from rsp_conformance.model.setting import Setting
from tests.diagnosis.test_prediction import JOIN, observed

HERE, THERE = frozenset({"a", "b"}), frozenset({"a", "c"})


def test_the_one_met_most_comes_first_and_one_cause_before_several() -> None:
    matched = Matched[str]()
    assert matched.first(["a", "b"]) is None
    for causes in (("a",), ("a", "b"), ("b",), ("b",)):
        matched.note(causes)
    assert (matched.often("a"), matched.often("b"), matched.often("c")) == (2, 3, 0)
    assert matched.first(["a", "b", "c"]) == "b"
    assert matched.sets == [("b",), ("a",), ("a", "b")]
    matched.forget_sets()
    assert not matched.sets
    assert matched.first(["a", "b"]) == "b"
    for causes in (("a", "b"), ("a", "b"), ("b",)):
        matched.note_where(HERE, causes)
    assert matched.where(HERE) == [("b",), ("a", "b")]
    assert matched.where(THERE) == []


def test_where_all_was_in_vain_hardly_any_answer_is_tried_with_more() -> None:
    matched = Matched[str]()
    said = []
    for _ in range(MOST_IN_VAIN + 2 * SELDOM):
        said.append(matched.is_in_vain(HERE))
        matched.note_where(HERE, None)
    assert not any(said[:MOST_IN_VAIN])
    assert said.count(False) == MOST_IN_VAIN + 2
    matched.note_where(HERE, ("a", "b"))
    assert not matched.is_in_vain(HERE), "there was more to be met"
    assert not matched.is_in_vain(THERE)


def causes(*names: str) -> KnownCauses:
    return KnownCauses(KnownCause(Setting.of(mutants=[name]), found=True) for name in names)


def test_what_a_run_was_given_is_never_asked_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it explains is counted apart, and has to be counted whole."""
    monkeypatch.setattr(Matched, "is_in_vain", lambda matched, beside: True)
    pair = ("newest-only", "wrong-instance")
    known = KnownCauses(KnownCause(Setting.of(mutants=[name])) for name in pair)
    assert known.explain(observed("rsp-rs", JOIN, "a@2 r:a@2 b@4 r:b@5", "newest-only"))
    both = observed("rsp-rs", JOIN, "a@2 r:a@2 b@4 r:b@5 r:a@6 a@6", ",".join(pair))
    assert {cause.id for cause in known.explain(both, briefly=True) or ()} == {*pair}


def test_what_is_passed_over_briefly_is_explained_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And says the same as long as nobody asks more, or more is known."""
    pair = ("newest-only", "wrong-instance")
    known = causes("each-window-alone", *pair)
    alone = observed("rsp-rs", JOIN, "a@2 r:a@2 b@4 r:b@5", "newest-only")
    assert known.explain(alone)
    both = observed("rsp-rs", JOIN, "a@2 r:a@2 b@4 r:b@5 r:a@6 a@6", ",".join(pair))
    monkeypatch.setattr(Matched, "is_in_vain", lambda matched, beside: True)
    assert known.explain(both, briefly=True) is None
    assert not known.has_explained(both)
    monkeypatch.undo()
    asked = known.predictions.asked
    assert known.explain(both, briefly=True) is None
    assert known.predictions.asked == asked
    assert {cause.id for cause in known.explain(both) or ()} == {*pair}
    assert known.explain(both, briefly=True) == known.explain(both)


def test_what_several_causes_explain_is_none_of_what_is_left_to_a_search() -> None:
    """Though another one, which is found later, may explain it alone."""
    pair = ("newest-only", "wrong-instance")
    known = causes("each-window-alone", *pair)
    both = observed("rsp-rs", JOIN, "a@2 r:a@2 b@4 r:b@5 r:a@6 a@6", ",".join(pair))
    assert not known.has_explained(both)
    assert len(known.explain(both) or ()) == 2 and known.has_explained(both)
    known.add(*causes("zero-is-no-start").causes)
    assert known.has_explained(both)
    known.take_back("newest-only")
    assert not known.has_explained(both) and known.explain(both) is None


def test_one_more_cause_is_asked_of_what_was_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    known = causes("each-window-alone", "newest-only")
    assert known.explain(observed("rsp-rs", JOIN, "a@2 r:a@2 b@4 r:b@5", "newest-only"))
    other = observed("rsp-rs", JOIN, "a@2 r:a@2 b@4 r:b@5 r:a@6 a@6", "wrong-instance")
    assert known.explain(other, briefly=True) is None
    known.add(*causes("wrong-instance").causes)
    assert {cause.id for cause in known.explain(other, briefly=True) or ()} == {"wrong-instance"}
