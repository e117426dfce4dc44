"""Which answer is compared with which evaluation (SEMANTICS 5; decisions 17 to 23 and 26)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, Numbers
from rsp_conformance.model.terms import Term
from rsp_conformance.model.verdict import Kind
from rsp_conformance.spec import alignment
from rsp_conformance.spec.alignment import compare
from tests.builders.cases import S_NEARBY, dials, element, nearby_query, window
from tests.builders.terms import integer, iri


def rows(*values: tuple[Term | None, ...]) -> Rows:
    return Rows(tuple("xyz"[: len(values[0]) if values else 1]), values)


X, Y, EMPTY = rows((iri("x"),)), rows((iri("y"),)), rows()
CASE = Case(nearby_query(window("w", 5, 2)), S_NEARBY, registered=0, until=10)


def parted(
    expected: list[tuple[int, Content]],
    observed: list[
        tuple[int | Fraction | None, Content] | tuple[int | Fraction | None, Content, int | str]
    ],
    t_s: int = 1,
    case: Case = CASE,
    after: Sequence[tuple[int, Content]] | None = None,
    **values: object,
) -> tuple[Kind, int | None] | None:
    """The first difference; AFTER is what is due after ``until``, None if nobody says that."""
    given: Dials = dials(**values)
    comparison = compare(
        [Evaluation(*e) for e in expected],
        [Observed(*o) for o in observed],
        case,
        given,
        t_s,
        later=None if after is None else lambda named: [Evaluation(*e) for e in after],
    )
    found = comparison.divergence
    return None if found is None else (found.kind, found.t)


def test_equality_on_the_compared_range() -> None:
    expected = [(0, X), (4, X), (6, Y), (12, X)]
    assert parted(expected, [(4, X), (6, Y)]) is None
    assert parted(expected, [(0, Y), (4, X), (6, Y), (11, Y), (12, Y)]) is None
    assert parted(expected, [(6, Y), (4, X)]) is None


@pytest.mark.parametrize(
    ("observed", "kind", "t"),
    [
        ([], Kind.SILENT, 4),
        ([(4, X)], Kind.MISSING, 6),
        ([(6, Y)], Kind.MISSING, 4),
        ([(4, X), (5, Y), (6, Y)], Kind.EXTRA, 5),
        ([(3, X), (5, Y)], Kind.INSTANT, 4),
        ([(4, X), (5, X), (6, Y)], Kind.EXTRA, 5),
        ([(4, X), (6, Y), (8, Y)], Kind.EXTRA, 8),
        ([(4, Y), (6, Y)], Kind.ROWS, 4),
        ([(4, X), (7, Y)], Kind.INSTANT, 6),
        ([(4, X), (6, Y), (6, Y)], Kind.EXTRA, 6),
        ([(None, X), (6, Y)], Kind.INSTANT, 4),
        ([(4, X), (Fraction(13, 2), Y)], Kind.INSTANT, 6),
    ],
)
def test_where_answers_part(
    observed: list[tuple[int | Fraction | None, Content]], kind: Kind, t: int
) -> None:
    found = parted([(4, X), (6, Y)], list(observed))
    assert found is not None
    assert found[1] == t
    assert found[0] is kind


def test_a_silent_engine_is_right_where_nothing_is_due() -> None:
    assert parted([(0, X), (12, Y)], []) is None


def test_answers_of_one_instant_compare_in_order() -> None:
    assert parted([(4, X), (4, Y)], [(4, X), (4, Y)]) is None
    assert parted([(4, X), (4, Y)], [(4, Y), (4, X)]) == (Kind.ROWS, 4)


def test_tolerance_keeps_the_order_and_reaches_over_the_ends() -> None:
    expected = [(4, X), (6, Y)]
    assert parted(expected, [(5, X), (7, Y)], time_tolerance=1) is None
    assert parted(expected, [(Fraction(9, 2), X), (6, Y)], time_tolerance=1) is None
    assert parted(expected, [(6, X), (7, Y)], time_tolerance=1) is not None
    # An evaluation before t_s may account for an answer inside, and need not.
    assert parted([(0, Y), (4, X)], [(1, Y), (4, X)], time_tolerance=1) is None
    assert parted([(0, Y), (4, X)], [(4, X)], time_tolerance=1) is None
    assert parted([(1, X)], [(0, X)], time_tolerance=1) is None


@pytest.mark.parametrize("tolerance", [1, 2])
def test_an_answer_without_an_instant_is_compared_last(tolerance: int) -> None:
    """Also after answers later than ``until``, whenever it was emitted (decision 20)."""
    late = (CASE.until + tolerance, X)
    for observed in ([(None, Y), late], [late, (None, Y)]):
        found = parted([(CASE.until, X)], observed, time_tolerance=tolerance)  # type: ignore[arg-type]
        assert found == (Kind.INSTANT, None)


def test_arrival_stamps_are_those_of_the_elements_that_bring_the_time() -> None:
    """S_nearby has elements at 2, 2, 5, 7 and 12; a close at 4 shows at 5."""
    expected = [(4, X), (6, Y), (8, X)]
    by_arrival = {"answer_time": "arrival"}
    assert parted(expected, [(5, X), (7, Y), (10, X)], **by_arrival) is None
    assert parted(expected, [(None, X, 2), (None, Y, 3), (None, X, "end")], **by_arrival) is None
    assert parted(expected, [(None, X, 2), (None, Y, 3), (None, X, 5)], **by_arrival) is None
    assert parted(expected, [(4, X), (6, Y), (8, X)], **by_arrival) is not None


def test_at_the_close_itself_where_the_trigger_says_so() -> None:
    expected = [(5, X), (7, Y)]
    assert parted(expected, [(5, X), (7, Y)], answer_time="arrival", trigger=">=") is None
    assert parted(expected, [(7, X), (10, Y)], answer_time="arrival", trigger=">") is None


def test_what_the_appended_elements_set_off_is_ignored_once_all_due_has_come() -> None:
    own = len(S_NEARBY)
    expected = [(4, X), (9, Y), (12, X)]
    extra = [(None, X, 2), (None, Y, own), (None, X, own), (None, X, own)]
    assert parted(expected, list(extra), answer_time="arrival") is None
    swapped = [(None, X, 2), (None, X, own), (None, Y, own)]
    assert parted(expected, list(swapped), answer_time="arrival") is not None
    assert parted(expected, [(None, X, 2)], answer_time="arrival") == (Kind.MISSING, 9)


ENDED = {"answer_time": "arrival", "advances": "elements"}
Z = rows((iri("z"),))


@pytest.mark.parametrize("turned", [{}, {"clock": "own"}, {"answer_time": "none"}])
def test_what_the_appended_elements_set_off_is_due_or_wrong(turned: dict[str, object]) -> None:
    values = ENDED | turned
    expected = [(9, X)]
    own = len(S_NEARBY)

    def said(*late: Content, after: Sequence[tuple[int, Content]] = ((11, Y), (13, Z))) -> object:
        answers = [(None, X, own), *[(None, content, "end") for content in late]]
        return parted(expected, list(answers), t_s=0, after=after, **values)

    # The engine may give what is due after `until`, all or some of it, and need not.
    assert said() is said(Y) is said(Y, Z) is said(Z, Y) is said(Z) is None
    at = None if values["answer_time"] == "none" else CASE.until
    assert said(EMPTY) == said(Y, X) == (Kind.EXTRA, at)
    assert said(Y, after=()) == said(Y, after=[(11, Z)]) == (Kind.EXTRA, at)
    # What is due up to `until` comes first, whatever is due later.
    answers = [(None, Y, own), (None, X, own)]
    right_first = parted(expected, list(answers), t_s=0, after=[(11, Y)], **values)
    assert (right_first is None) is (values.get("clock") == "own")


def test_a_later_answer_counts_as_at_until() -> None:
    late: list[tuple[int, Content, str]] = [(5, Y, "end")]
    assert parted([], list(late), after=[(11, Y)], **ENDED) == (Kind.EXTRA, 5)
    assert parted([], [(11, Y, "end")], after=[(11, Y)], **ENDED) is None
    assert parted([], [(10, Y, "end")], after=[(11, Y)], **ENDED) is None


def test_what_is_due_later_is_not_asked_for_without_need() -> None:
    def never(named: bool) -> None:
        raise AssertionError

    own, given = len(S_NEARBY), dials(**ENDED)
    for answers in ([], [Observed(None, X, own)], [Observed(None, Y, own)], [Observed(4, Y, 0)]):
        compare([Evaluation(9, X)], answers, CASE, given, 1, later=never)
    clock = given.with_dial("advances", "clock")
    assert compare([], [Observed(11, X, None)], CASE, clock, 1, later=never).divergence is None
    # If the texts leave open what is due, anything may be.
    late = [Observed(11, X, None)]
    assert compare([], late, CASE, given, 1, later=lambda named: None).divergence is None


@pytest.mark.parametrize("order", [*permutations("xyz")])
def test_single_rows_that_the_appended_elements_set_off_have_no_order(
    order: tuple[str, ...],
) -> None:
    given = [(None, rows(*((iri(name),) for name in order)), "end")]
    both = rows((iri("x"),), (iri("y"),))

    def said(expected: Content, *after: Content, **values: object) -> object:
        due = [(11 + n, content) for n, content in enumerate(after)]
        alone = {**ENDED, "answers": "rows", **values}
        return parted([(9, expected)], list(given), after=due, **alone)

    assert said(both, Z) is said(both, rows((iri("z"),), (iri("z"),))) is None
    assert said(X, Y, Z) is said(X, rows((iri("y"),), (iri("z"),)), X) is None
    assert said(X, Y) == said(both) == said(both, Y) == (Kind.ROWS, 9)
    assert said(rows((iri("x"),), (integer(1),)), both, Z) == (Kind.ROWS, 9)
    assert said(rows((iri("x"),), (iri("x"),)), both, Z) == (Kind.ROWS, 9)
    assert said(rows(*((iri(name),) for name in "xyzz")), Z) == (Kind.ROWS, 9)
    nothing_due = parted([], list(given), after=[(11, both), (12, Z)], **ENDED, answers="rows")
    assert nothing_due is None
    # Under ORDER BY the expected rows come first, in their order.
    ordered = replace(both, ties=(0, 1))
    assert (said(ordered, Z) is None) is (order == ("x", "y", "z"))


def test_an_evaluation_before_t_s_may_carry_a_later_stamp() -> None:
    """With a = 0 and t_s = 5, the close at 4 is not compared, and its stamp is 5."""
    expected = [(4, X), (6, Y)]
    assert parted(expected, [(5, Y), (7, Y)], t_s=5, answer_time="arrival") is None
    assert parted(expected, [(7, Y)], t_s=5, answer_time="arrival") is None
    assert parted(expected, [(5, X), (7, Y)], t_s=5, answer_time="arrival") is None


def test_without_timestamps_the_sequence_counts() -> None:
    expected = [(1, X), (4, Y), (6, X)]
    no_time = {"answer_time": "none"}
    assert parted(expected, [(None, Y, 2), (None, X, 3)], t_s=3, **no_time) is None
    assert (
        parted(expected, [(None, Y, 0), (None, X, 0), (None, Y, 2), (None, X, 3)], t_s=2, **no_time)
        is None
    )
    many = [(None, X, 0)] * 3 + [(None, Y, 2), (None, X, 3)]
    assert parted(expected, list(many), t_s=2, **no_time) is not None
    assert parted(expected, [(None, X, 2), (None, Y, 3)], t_s=3, **no_time) is not None
    tail = [(None, Y, 2), (None, X, 3), (None, X, len(S_NEARBY))]
    assert parted(expected, list(tail), t_s=3, **no_time) is None
    assert parted(expected, [*tail, (None, Y, 3)], t_s=3, **no_time) is not None
    assert element(1, "a", "p", "b")


def test_under_tuple_ticks_an_instant_may_have_several_answers_to_drop() -> None:
    """At 2 there are two elements and so two evaluations; SEMANTICS' t_s − a would allow three."""
    from rsp_conformance.spec.correctness import judge
    from rsp_conformance.spec.trace import answer

    elements = tuple(element(t, f"n{i}", "near", "b") for i, t in enumerate((1, 1, 1, 2, 2, 4)))
    case = Case(nearby_query(window("w", 5, 3)), elements, until=5)
    given = dials(answer_time="none", tick="tuple", report="NC", stream_operators="R I D")
    for start in range(3):
        found = answer(case, given, (start,))
        observed = [Observed(None, e.content) for e in found]
        assert judge(case, given, observed).correct
    early = sum(e.t < 2 for e in answer(case, given, (0,)))
    assert early > 2


def test_untimed_answers_lose_a_prefix_and_nothing_in_between() -> None:
    expected = [(4, X), (6, Y)]
    no_time = {"answer_time": "none"}
    assert parted(expected, [(None, Y), (None, X), (None, Y)], t_s=2, **no_time) is None
    assert parted(expected, [(None, X), (None, X), (None, Y)], t_s=2, **no_time) is None
    between = [(None, X), (None, EMPTY), (None, Y)]
    assert parted(expected, list(between), t_s=2, **no_time) is not None


def test_an_engine_with_a_clock_has_no_answers_to_spare_at_the_end() -> None:
    expected = [(4, X), (6, Y)]
    trailing = [(None, X), (None, Y), (None, X)]
    assert parted(expected, list(trailing), t_s=0, answer_time="none") == (Kind.EXTRA, None)
    by_elements = {"answer_time": "none", "advances": "elements"}
    assert parted(expected, list(trailing), t_s=0, **by_elements) is None
    junk = [(None, X), (None, Y), *[(None, X)] * 9]
    assert parted(expected, list(junk), t_s=0, **by_elements) is not None


def test_what_came_before_t_s_is_bounded_and_comes_first() -> None:
    """With a = 0 and t_s = 3 there are three instants before; their stamps reach up to 5."""
    expected = [(4, X)]
    by_arrival = {"answer_time": "arrival"}
    assert parted(expected, [(5, Y), (5, Y), (5, X)], t_s=3, **by_arrival) is None
    assert parted(expected, [(5, X), (5, Y)], t_s=3, **by_arrival) is not None
    assert parted(expected, [*[(5, Y)] * 4, (5, X)], t_s=3, **by_arrival) is not None


def test_single_rows_of_one_stamp_cannot_be_told_apart() -> None:
    """Evaluations at 8 and 9 both carry the stamp 10 (until), and those at 3 and 4 the stamp 5."""
    both = rows((iri("x"),), (iri("y"),))
    expected = [(3, X), (4, Y), (8, X), (9, EMPTY)]
    alone = {"answer_time": "arrival", "answers": "rows"}
    assert parted(expected, [(5, both), (10, X)], **alone) is None
    assert parted(expected, [(5, X), (10, X)], **alone) is not None
    assert parted(expected, [(5, both), (10, both)], **alone) is not None
    tail = {**alone, "advances": "elements"}
    assert parted(expected, [(5, both), (None, both, len(S_NEARBY))], **tail) is None


def test_single_rows_without_instants_are_divided_among_the_evaluations() -> None:
    """The client merges rows of one cause, which may have set off several evaluations."""
    alone = {"answer_time": "none", "answers": "rows"}
    both, swapped = rows((iri("x"),), (iri("y"),)), rows((iri("y"),), (iri("x"),))
    expected = [(4, X), (6, EMPTY), (8, both), (9, Y)]

    def said(*contents: Content, t_s: int = 0) -> object:
        answers = [(None, content, cause) for cause, content in enumerate(contents)]
        return parted(expected, list(answers), t_s, **alone)

    every = rows(*((iri(name),) for name in "yxyx"))
    assert said(X, both, Y) is said(X, swapped, Y) is said(every) is None
    assert said(X, X, Y, Y) is said(X, Y, X, Y) is said(X, rows(*every.rows[:3])) is None
    assert said(both, both) is said(X, Y, both) is None
    for wrong in ((Y, both, X), (X, both), (X, both, Y, Y), (every, Y), (X, X, X, Y)):
        assert said(*wrong) is not None
    # What was due before t_s may have come with the rest, for one element set off both.
    assert said(every, t_s=5) is said(both, Y, t_s=5) is said(X, both, Y, t_s=5) is None
    assert said(both, Z, t_s=5) is not None


def own_clock(*cases: tuple[int, Content], **values: object) -> tuple[Kind, int | None] | None:
    """Answers at 4 and 6 are due at ``until``, 10, from elements that the kit appends."""
    case = replace(CASE, elements=S_NEARBY[:1])
    arrival = {"answer_time": "arrival", "clock": "own", "advances": "elements", **values}
    expected: list[tuple[int, Content]] = [(4, X), (6, Y)]
    observed = [(None, content, cause) for cause, content in cases]
    return parted(expected, observed, 0, case, **arrival)


def test_an_answer_that_is_due_is_not_silence_though_it_need_not_have_come() -> None:
    """Under clock=own those that appended elements set off may be left out."""
    assert own_clock((1, X), (1, Y)) is None
    assert own_clock() == (Kind.SILENT, 4)
    assert own_clock((1, X)) == (Kind.MISSING, 6)
    assert own_clock((1, Y)) == (Kind.MISSING, 4)
    assert own_clock((1, rows((iri("z"),)))) == (Kind.SILENT, 4)


def test_single_rows_at_a_stamp_that_is_due_are_wrong_rows() -> None:
    assert own_clock(answers="rows") == (Kind.SILENT, 4)
    assert own_clock((1, X), answers="rows") == (Kind.ROWS, 4)
    assert own_clock((0, X), (1, rows((iri("x"),), (iri("y"),))), answers="rows") == (Kind.EXTRA, 2)


def test_the_right_answer_came_too() -> None:
    assert own_clock((0, X), (1, X), (1, Y)) == (Kind.EXTRA, 2)
    assert own_clock((0, X), (1, Y)) == (Kind.INSTANT, 4)


@pytest.mark.parametrize("answer_time", ["evaluation", "arrival"])
def test_what_is_due_long_before_t_s_is_compared_with_nothing(
    monkeypatch: pytest.MonkeyPatch, answer_time: str
) -> None:
    """A window that slides by thousands has thousands of evaluations and answers before t_s."""
    compared: list[object] = []
    honest = alignment.difference

    def counting(expected: Content, observed: Content, numbers: Numbers) -> Kind | None:
        compared.append(expected)
        return honest(expected, observed, numbers)

    monkeypatch.setattr(alignment, "difference", counting)
    elements = tuple(element(t, "x", "p", "y") for t in range(60))
    case = replace(CASE, elements=elements, until=59)
    answers = [(t, X) for t in range(1, 60)]
    values = {"answer_time": answer_time, "report": "NC"}
    assert parted(answers, answers, t_s=55, case=case, **values) is None  # type: ignore[arg-type]
    assert len(compared) < 20
