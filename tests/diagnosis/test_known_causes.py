"""Which known causes explain an answer: the search for a setting, with these as its parts."""

from __future__ import annotations

from rsp_conformance.diagnosis.known import KnownCause, KnownCauses
from rsp_conformance.diagnosis.search import NOTHING, grown
from rsp_conformance.model.setting import Setting
from tests.diagnosis.test_prediction import JOIN, observed

PAIR = ("newest-only", "wrong-instance")
BOTH = "a@2 r:a@2 b@4 r:b@5 r:a@6 a@6", "b@2 r:b@2 a@4 r:a@5 r:b@6 b@6"
"""Elements over which an engine with both mutants shows both."""


def causes(*names: str, found: bool = True) -> KnownCauses:
    return KnownCauses(KnownCause(Setting.of(mutants=[name]), found=found) for name in names)


def ids(explained: tuple[KnownCause, ...] | None) -> set[str] | None:
    return None if explained is None else {cause.id for cause in explained}


def test_a_setting_grows_by_part_until_it_predicts_an_answer() -> None:
    a, b, c, d = (Setting(mutants=(name,)) for name in "abcd")
    asked: list[Setting] = []

    def agrees(setting: Setting) -> bool:
        asked.append(setting)
        return {*setting.mutants} in ({"d"}, {"a", "b"}, {"a", "c", "d"})

    def all_found(most: int, spent: int = 100) -> list[Setting]:
        asked.clear()
        parts = [a, b, c, d]
        return [*grown(NOTHING, lambda _: parts, agrees, lambda: len(asked) >= spent, most=most)]

    assert all_found(3) == [d, a | b], "and no more beside what suffices"
    assert len({*asked}) == len(asked), "none is asked twice"
    assert not any(len(own) > 1 and "d" in own.mutants for own in asked)
    assert all_found(1) == [d]
    assert all_found(3, spent=4) == [d] and len(asked) == 4
    assert all_found(3, spent=3) == []


def test_what_a_run_was_given_is_never_asked_briefly() -> None:
    """What it explains is counted apart, and has to be counted whole."""
    known = causes("always-empty", *PAIR, found=False)
    both = observed("rsp-rs", JOIN, BOTH[0], ",".join(PAIR))
    assert ids(known.explain(both, briefly=True)) == {*PAIR}


def test_what_is_passed_over_briefly_is_explained_in_the_end() -> None:
    """And says the same as long as nobody asks more, or more is known."""
    known = causes("always-empty", *PAIR)
    both, again = (observed("rsp-rs", JOIN, own, ",".join(PAIR)) for own in BOTH)
    assert known.explain(both, briefly=True) is None
    assert not known.has_explained(both)
    asked = known.predictions.asked
    assert known.explain(both, briefly=True) is None
    assert known.predictions.asked == asked
    assert ids(known.explain(both)) == {*PAIR}
    assert known.explain(both, briefly=True) == known.explain(both)
    # What has explained an answer is tried on each.
    assert ids(known.explain(again, briefly=True)) == {*PAIR}


def test_what_several_causes_explain_is_none_of_what_is_left_to_a_search() -> None:
    """Though another one, which is found later, may explain it alone."""
    known = causes("each-window-alone", *PAIR)
    both = observed("rsp-rs", JOIN, BOTH[0], ",".join(PAIR))
    assert not known.has_explained(both)
    assert ids(known.explain(both)) == {*PAIR} and known.has_explained(both)
    known.add(*causes("zero-is-no-start").causes)
    assert known.has_explained(both)
    known.take_back("newest-only")
    assert not known.has_explained(both) and known.explain(both) is None


def test_one_more_cause_is_asked_of_what_was_passed_over() -> None:
    known = causes("each-window-alone", "newest-only")
    assert known.explain(observed("rsp-rs", JOIN, "a@2 r:a@2 b@4 r:b@5", "newest-only"))
    other = observed("rsp-rs", JOIN, BOTH[0], "wrong-instance")
    assert known.explain(other, briefly=True) is None
    known.add(*causes("wrong-instance").causes)
    assert ids(known.explain(other, briefly=True)) == {"wrong-instance"}


def test_an_answer_is_worth_no_more_predictions_than_it_is_to_the_search() -> None:
    names = ("each-window-alone", "zero-is-no-start", "opened-by-arrivals", "t0-drift", *PAIR)
    known = causes(*names)
    unexplained = observed("rsp-rs", JOIN, BOTH[1], "always-empty")
    assert known.explain(unexplained) is None
    assert 0 < known.predictions.asked <= 20
