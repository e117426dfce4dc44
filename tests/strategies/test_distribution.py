"""Most cases have answers, and every focus tells the defects of its aspect apart.

Run with ``-s`` to see the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from time import process_time

import pytest

from rsp_conformance.model.algebra import BGP, Filter, Join, LeftJoin, Pattern, Union
from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows, Truth
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spec.correctness import judge, rspql_queries, t_s
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import FOCUSES, GENERATED, cases
from tests.builders.drawing import draw_apart, draw_many

PLAIN = Dials()
BAG = PLAIN.with_dial("window_content", "bag")


def has_rows(content: Content) -> bool:
    return content.value if isinstance(content, Truth) else len(content) > 0


def compared(case: Case, dials: Dials) -> Iterator[Evaluation]:
    """The evaluations from t_s on, for all t0."""
    expectation, start = Expectation(case, dials), t_s(case, dials)
    for vector in rspql_queries(case, dials):
        found = [e for e in expectation.answer(vector) if start <= e.t]
        if expectation.undetermined:  # not judged
            return
        yield from found


# A share of so few cases varies by some ten percent.
FLOOR, FLOOR_OF_ALL = 0.5, 0.64
LEFT_OPEN = 0.05
"""So many cases at most are not judged, since SPARQL leaves their answer open: 0.040 are."""


def is_open(case: Case) -> bool:
    expectation = Expectation(case, PLAIN)
    for vector in rspql_queries(case, PLAIN):
        expectation.answer(vector)
    return expectation.undetermined is not None


@pytest.mark.parametrize("focus", FOCUSES)
def test_most_cases_have_a_legal_answer_with_rows(focus):
    told: list[bool] = []
    sizes: list[int] = []
    began = process_time()
    for case in draw_apart(cases(focus=focus), 150, start=11):
        evaluations = list(compared(case, PLAIN))
        told.append(any(has_rows(e.content) for e in evaluations))
        sizes.append(max((len(e.content) for e in evaluations if rows_of(e)), default=0))
    share = sum(told) / len(told)
    several = sum(size > 1 for size in sizes) / len(sizes)
    print(
        f"\n{focus:20} with rows {share:4.0%}, several rows {several:4.0%}, "
        f"{(process_time() - began) / len(told) * 1e3:.1f} ms a case with its evaluation"
    )
    assert share >= FLOOR


def rows_of(evaluation: Evaluation) -> bool:
    return not isinstance(evaluation.content, Truth)


@pytest.mark.slow
def test_over_all_foci_two_cases_of_three_have_rows():
    shares, left_open = [], []
    for focus in FOCUSES:
        drawn = draw_apart(cases(focus=focus), 60, start=5)
        with_rows = [any(has_rows(e.content) for e in compared(case, PLAIN)) for case in drawn]
        shares.append(sum(with_rows) / len(drawn))
        left_open += map(is_open, drawn)
    assert sum(left_open) <= LEFT_OPEN * len(left_open)
    assert sum(shares) / len(shares) >= FLOOR_OF_ALL


Answers = list[Evaluation]
Defect = Callable[[Case, Dials], Answers]


def first_answer(case: Case, dials: Dials) -> Answers:
    return list(Expectation(case, dials).answer(next(iter(rspql_queries(case, dials)))))


def mapped(pattern: Pattern, change: Callable[[Pattern], Pattern]) -> Pattern:
    parts = {
        name: mapped(getattr(pattern, name), change)
        for name in ("left", "right", "pattern")
        if hasattr(pattern, name)
    }
    return change(replace(pattern, **parts) if parts else pattern)


def by_pattern(change: Callable[[Pattern], Pattern]) -> Defect:
    def answers(case: Case, dials: Dials) -> Answers:
        query = replace(case.query, pattern=mapped(case.query.pattern, change))
        return first_answer(replace(case, query=query), dials)

    return answers


def by_query(**changes: object) -> Defect:
    return lambda case, dials: first_answer(
        replace(case, query=replace(case.query, **changes)), dials
    )


def by_dial(dial: str, value: str) -> Defect:
    return lambda case, dials: first_answer(case, dials.with_dial(dial, value))


def by_background(change: Callable[[BackgroundEntry], BackgroundEntry | None]) -> Defect:
    def answers(case: Case, dials: Dials) -> Answers:
        entries = tuple(e for e in map(change, case.background) if e is not None)
        return first_answer(replace(case, background=Background(entries)), dials)

    return answers


def gaps_as_tumbling(case: Case, dials: Dials) -> Answers:
    windows = tuple(replace(w, width=max(w.width, w.slide or 1)) for w in case.query.windows)
    return first_answer(replace(case, query=replace(case.query, windows=windows)), dials)


def second_window_overwrites(case: Case, dials: Dials) -> Answers:
    sizes = {w.stream: (w.width, w.slide) for w in case.query.windows}
    windows = tuple(
        replace(w, width=sizes[w.stream][0], slide=sizes[w.stream][1]) for w in case.query.windows
    )
    return first_answer(replace(case, query=replace(case.query, windows=windows)), dials)


def streams_mixed(case: Case, dials: Dials) -> Answers:
    elements = tuple(
        replace(element, stream=stream)
        for element in case.elements
        for stream in case.query.streams()
    )
    return first_answer(replace(case, elements=elements), dials)


def equal_timestamps_overwrite(case: Case, dials: Dials) -> Answers:
    kept = {(e.stream, e.t): e for e in case.elements}
    elements = tuple(e for e in case.elements if kept[e.stream, e.t] is e)
    return first_answer(replace(case, elements=elements), dials)


def silent_after_five(case: Case, dials: Dials) -> Answers:
    return first_answer(case, dials)[:5]


def with_rows_changed(change: Callable[[Rows], Rows]) -> Defect:
    return lambda case, dials: [
        Evaluation(e.t, change(e.content)) if isinstance(e.content, Rows) else e
        for e in first_answer(case, dials)
    ]


def order_lost(case: Case, dials: Dials) -> Answers:
    if not case.query.order_by:
        return first_answer(case, dials)
    shuffle = with_rows_changed(lambda r: replace(r, rows=tuple(sorted(r.rows, key=repr))))
    return shuffle(case, dials)


def distinct_for_life(case: Case, dials: Dials) -> Answers:
    if not case.query.distinct:
        return first_answer(case, dials)
    seen: set[object] = set()

    def fresh(rows: Rows) -> Rows:
        kept = tuple(row for row in rows.rows if row not in seen)
        seen.update(kept)
        return Rows(rows.variables, kept)

    return with_rows_changed(fresh)(case, dials)


def union_for_join(pattern: Pattern) -> Pattern:
    return Union(pattern.left, pattern.right) if isinstance(pattern, Join) else pattern


def join_for_optional(pattern: Pattern) -> Pattern:
    return Join(pattern.left, pattern.right) if isinstance(pattern, LeftJoin) else pattern


def first_triple(pattern: Pattern) -> Pattern:
    return BGP(pattern.triples[:1]) if isinstance(pattern, BGP) else pattern


def left_side(pattern: Pattern) -> Pattern:
    return pattern.left if isinstance(pattern, Union) else pattern


def unfiltered(pattern: Pattern) -> Pattern:
    return pattern.pattern if isinstance(pattern, Filter) else pattern


DEFECTS: list[tuple[str, str, Defect, Dials]] = [
    ("windows", "the opening end", by_dial("bounds", "[o,c]"), PLAIN),
    ("windows", "the closing end", by_dial("bounds", "(o,c)"), PLAIN),
    ("windows", "another window", by_dial("window", "last-closed"), PLAIN),
    ("report", "empty windows skipped", by_dial("report", "WC & NC"), PLAIN),
    ("report", "reported on change", by_dial("report", "CC"), PLAIN),
    ("join", "union for join", by_pattern(union_for_join), PLAIN),
    ("join", "part of a join", by_pattern(first_triple), PLAIN),
    ("multi-window", "streams mixed", streams_mixed, PLAIN),
    ("same-stream-windows", "second overwrites", second_window_overwrites, PLAIN),
    ("static", "lost", by_background(lambda _: None), PLAIN),
    ("time-varying", "frozen", by_background(lambda e: replace(e, since=None, until=None)), PLAIN),
    (
        "time-varying",
        "read an instant late",
        by_background(
            lambda e: replace(
                e,
                since=e.since if e.since is None else e.since + 1,
                until=e.until if e.until is None else e.until + 1,
            )
        ),
        PLAIN,
    ),
    ("named-graphs", "lost", by_background(lambda _: None), PLAIN),
    ("aggregates", "nothing for none", by_dial("report", "WC & NC"), PLAIN),
    ("aggregates", "HAVING ignored", by_query(having=()), PLAIN),
    ("optional", "a join", by_pattern(join_for_optional), PLAIN),
    ("union", "its left side", by_pattern(left_side), PLAIN),
    ("filter", "ignored", by_pattern(unfiltered), PLAIN),
    ("order", "lost", order_lost, PLAIN),
    ("order", "LIMIT ignored", by_query(limit=None, offset=None), PLAIN),
    ("distinct", "ignored", by_query(distinct=False), PLAIN),
    ("distinct", "for the query's life", distinct_for_life, PLAIN),
    ("r2s", "ignored", by_query(operator=None), PLAIN),
    ("istream", "ignored", by_query(operator=None), PLAIN),
    ("dstream", "ignored", by_query(operator=None), PLAIN),
    ("duplicates", "collapsed", by_dial("window_content", "set"), BAG),
    ("contemporaneous", "overwritten", equal_timestamps_overwrite, PLAIN),
    ("gaps", "taken for tumbling", gaps_as_tumbling, PLAIN),
    ("long", "silent after five", silent_after_five, PLAIN),
]


@pytest.mark.parametrize(
    ("focus", "name", "defect", "dials"), DEFECTS, ids=[f"{d[0]}-{d[1]}" for d in DEFECTS]
)
def test_a_focus_tells_the_defects_of_its_aspect(focus, name, defect, dials):
    """One case in fifteen at least; an engine's defect is to be found within 200."""
    # Hypothesis makes most cases variants of a few: two runs are less of a lottery than one.
    strategy = cases(GENERATED, dials, focus=focus)
    drawn = [*draw_many(strategy, 60), *draw_many(strategy, 60, start=2)]
    told = 0
    for case in drawn:
        observed = [Observed(e.t, e.content) for e in defect(case, dials)]
        with suppress(Unsupported):  # what SPARQL leaves open
            told += not judge(case, dials, observed).correct
    print(f"\n{focus:20} {name:22} told by {told} of {len(drawn)} cases")
    assert told >= 8


@pytest.mark.parametrize("focus", FOCUSES)
def test_the_right_answer_is_never_told_wrong(focus):
    for case in draw_many(cases(focus=focus), 15):
        observed = [Observed(e.t, e.content) for e in first_answer(case, PLAIN)]
        with suppress(Unsupported):
            assert judge(case, PLAIN, observed).correct, case
