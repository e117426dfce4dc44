"""A stream judged in chunks is judged as the same stream in one."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from rsp_conformance.model.algebra import BGP, TriplePattern, Window
from rsp_conformance.model.answers import Evaluation, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.verdict import Divergence, Kind, Verdict
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream.buffer import StreamBuffer
from rsp_conformance.spark.stream.long_judge import LongJudge, Standing
from rsp_conformance.spark.worker.registered import RegisteredQuery, Registration
from rsp_conformance.spec.alignment_stamps import arrival, observed_stamp
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.trace import Expectation
from tools.judges.plain import random_case

pytestmark = pytest.mark.spark


def by_time(windows: Sequence[WindowDeclaration]) -> bool:
    return bool(windows) and all(own.is_by_time for own in windows)


def not_by_time(windows: Sequence[WindowDeclaration]) -> bool:
    return not all(own.is_by_time for own in windows) and all(
        own.width is not Reach.UNBOUNDED for own in windows
    )


def long_case(
    random: Random, fitting: Callable[[Sequence[WindowDeclaration]], bool] = by_time
) -> tuple[Case, Dials]:
    """A random case stretched in time: its elements repeated with pauses between."""
    while True:
        case, dials = random_case(random)
        if len(case.elements) >= 5 and fitting(case.query.windows):
            break
    dials = replace(
        dials,
        time_tolerance=0,
        answer_time=random.choice(["evaluation", "arrival"]),
        stream_operators=frozenset("RID"),
        windows_in="named",
        r2s="bag" if dials.r2s == "elements" else dials.r2s,
    )
    elements = [replace(e, name=None) for e in case.elements]
    for _ in range(random.choice([1, 3, 6])):
        shift = elements[-1].t + random.choice([1, 3, 25]) - case.registered
        elements += [replace(e, t=e.t + shift, name=None) for e in case.elements]
    query = case.query
    if query.limit is None:
        query = replace(query, operator=random.choice([query.operator, *StreamOperator]))
    until = elements[-1].t + random.choice([-2, 0, 1, 9])
    return replace(case, query=query, elements=tuple(elements), until=until), dials


def told(
    random: Random, expected: Sequence[Evaluation], case: Case, dials: Dials
) -> list[Observed]:
    """EXPECTED as an engine would answer it."""
    answers = []
    for evaluation in expected:
        if dials.answer_time == "evaluation":
            answers.append(Observed(evaluation.t, evaluation.content))
            continue
        stamp = arrival(evaluation.t, case, dials)
        causes = [i for i, e in enumerate(case.elements) if e.t >= stamp]
        cause = causes[0] if causes and case.elements[causes[0]].t == stamp else "end"
        answers.append(Observed(random.choice([None, stamp]), evaluation.content, cause))
    return answers


def spoilt(random: Random, answers: list[Observed], case: Case) -> list[Observed]:
    """ANSWERS with one fault, mostly."""
    if not answers:
        return [Observed(random.randrange(case.until + 1), Rows(("x",), ()))]
    spoilt = list(answers)
    place = random.randrange(len(answers))
    answer = spoilt[place]
    match random.randrange(6):
        case 0:
            del spoilt[place]
        case 1:
            spoilt.insert(place, answer)
        case 2 if answer.t is not None:
            shift = random.choice([-1, 1, 2, Fraction(1, 2)])
            spoilt[place] = replace(answer, t=answer.t + shift)
        case 3:
            spoilt = spoilt[:place]
        case 4 if isinstance(answer.content, Rows):
            rows = (*answer.content.rows[1:], *answer.content.rows[:1])[: random.randrange(9)]
            spoilt[place] = replace(answer, content=replace(answer.content, rows=rows, ties=None))
        case _:
            spoilt[place] = Observed(None, answer.content, None)
    return spoilt


def in_chunks(
    random: Random, spark: SparkHandle, case: Case, dials: Dials, observed: Sequence[Observed]
) -> Standing:
    """The verdict over chunks cut anywhere, some of them empty, some given early."""
    first = {e.stream: e.t for e in reversed(case.elements)}
    judge = LongJudge(spark, replace(case, elements=()), dials, first=first)
    places = range(case.registered, case.until + 1)
    cuts = sorted(random.sample(places, min(len(places), random.choice([1, 2, 4]))))
    elements, answers = list(case.elements), list(observed)
    for upto in cuts:
        now = sum(e.t <= upto for e in elements)
        ahead = random.choice([0, 0, 1, 3])
        given = elements[: now + ahead]
        del elements[: now + ahead]
        said = list(_said_by(answers, upto, case, dials))
        for answer in said:
            answers.remove(answer)
        judge.take(given, said, upto)
    return judge.finish(elements, answers)


def _said_by(
    answers: Sequence[Observed], upto: int, case: Case, dials: Dials
) -> Iterator[Observed]:
    """The answers that have to be known at UPTO: those before the last one stamped till then."""
    stamps = [observed_stamp(answer, case, dials) for answer in answers]
    due = [n for n, stamp in enumerate(stamps) if stamp is not None and stamp <= upto]
    yield from answers[: max(due, default=-1) + 1]


def check(random: Random, spark: SparkHandle, case: Case, dials: Dials) -> str:
    """Judge one case both ways, the specification's being right."""
    try:
        expectation = Expectation(case, dials)
        answers = [expectation.answer(z) for z in rspql_queries(case, dials)]
    except (Unsupported, ValueError) as refusal:
        with pytest.raises(type(refusal)):
            in_chunks(random, spark, case, dials, ())
        return "refused"
    observed = told(random, random.choice(answers), case, dials)
    for _ in range(random.choice([0, 1, 1, 2])):
        observed = spoilt(random, observed, case)
    try:
        expected = judge(case, dials, observed)
    except Unsupported:
        # An answer that SPARQL leaves open: chunks may have been wrong before it came.
        with contextlib.suppress(Unsupported):
            assert not in_chunks(random, spark, case, dials, observed).verdict.correct
        return "open"
    standing = in_chunks(random, spark, case, dials, observed)
    return compare(expected, standing, f"{case}\n{dials}\n{observed}")


def compare(expected: Verdict, standing: Standing, what: str) -> str:
    found = standing.verdict
    says = f"{what}\nspecification: {expected}\nchunks: {standing}"
    assert (found.correct, found.t_s) == (expected.correct, expected.t_s), says
    assert found.correct == bool(standing.alive), says
    if expected.divergence is None:
        return "correct"
    assert found.divergence is not None, says
    same = (found.t0, found.divergence.kind, found.divergence.t) == (
        expected.t0,
        expected.divergence.kind,
        expected.divergence.t,
    )
    return expected.divergence.kind.value if same else "otherwise wrong"


def test_chunks_do_not_show(spark: SparkHandle) -> None:
    # Both ways to stamp answers, Istream and Dstream, both ticks, up to three windows, |Z| to 4.
    randoms = map(Random, (10, 23, 35, 36, 49))
    seen = Counter(check(random, spark, *long_case(random)) for random in randoms)
    assert seen["correct"] == 3, seen
    assert seen["refused"] == seen["open"] == seen["otherwise wrong"] == 0, seen


def test_chunks_do_not_show_in_windows_by_count_and_now(spark: SparkHandle) -> None:
    # Of elements and of triples, with slides and beside windows by time; both ticks and stamps.
    randoms = map(Random, (4, 12, 23, 41, 51, 52))
    seen = Counter(check(random, spark, *long_case(random, not_by_time)) for random in randoms)
    assert seen == {"correct": 6}, seen


@pytest.mark.burnin
@pytest.mark.parametrize("start", range(100, 1100, 100))
def test_many_streams_in_chunks(spark: SparkHandle, start: int) -> None:
    randoms = map(Random, range(start, start + 100))
    seen = Counter(check(random, spark, *long_case(random)) for random in randoms)
    assert seen["otherwise wrong"] <= 5, seen


STREAM, WINDOW, P = IRI("http://ex.org/s"), IRI("http://ex.org/w"), IRI("http://ex.org/p")
WIDTH, SLIDE = 10, 5


def plain(length: int) -> tuple[Case, Dials, list[StreamElement], list[Observed]]:
    """One element an instant, and what an engine answers whose windows start at 3."""
    names = [IRI(f"http://ex.org/{n % 11}") for n in range(length)]
    elements = [StreamElement(STREAM, n, (Triple(name, P, name),)) for n, name in enumerate(names)]
    pattern = BGP((TriplePattern(Variable("x"), P, names[4]),))
    query = Query(
        Window(WINDOW, pattern), windows=(WindowDeclaration(WINDOW, STREAM, WIDTH, SLIDE),)
    )
    answers = []
    for closes in range(3 + WIDTH, length, SLIDE):
        held = set(names[closes - WIDTH + 1 : closes + 1])
        answers.append(Observed(closes, Rows(("x",), ((names[4],),) if names[4] in held else ())))
    return Case(query, until=length - 1), Dials(), elements, answers


def test_what_is_wrong_once_is_not_evaluated_again(spark: SparkHandle) -> None:
    case, dials, elements, answers = plain(3000)
    wrong = next(a for a in answers if a.t is not None and a.t > 2500 and len(a.content))  # type: ignore[arg-type]
    answers = [replace(a, content=Rows(("x",), ())) if a is wrong else a for a in answers]
    judge = LongJudge(spark, case, dials)
    standing = judge.take(elements[:2000], answers, 1990)
    assert standing.alive == ((3,),)
    assert standing.verdict.correct
    # All five members of Z over the whole chunk were 1,990.
    assert standing.evaluations < 700
    standing = judge.finish(elements[2000:])
    assert standing.alive == ()
    assert standing.verdict.t0 == (3,)
    assert standing.verdict.divergence == Divergence(Kind.ROWS, int(wrong.t or 0), None, None)


def test_an_answer_for_an_instant_that_is_judged_is_one_too_many(spark: SparkHandle) -> None:
    case, dials, elements, answers = plain(60)
    judge = LongJudge(spark, case, dials)
    assert judge.take(elements[:41], answers, 40).verdict.correct
    standing = judge.finish(elements[41:], [replace(answers[1])])
    assert standing.verdict == Verdict(False, (3,), 4, Divergence(Kind.EXTRA, 18, None, None))


@pytest.mark.parametrize(
    ("dial", "value", "says"),
    [
        ("time_tolerance", 1, "time_tolerance"),
        ("answer_time", "none", "answers without instants"),
        ("answers", "rows", "single rows"),
        ("r2s", "elements", "new elements"),
        ("t0", "first-element", "give the first instant"),
    ],
)
def test_what_is_not_judged_in_chunks_is_refused(
    spark: SparkHandle, dial: str, value: object, says: str
) -> None:
    case, dials, _, _ = plain(9)
    case = replace(case, query=replace(case.query, operator=StreamOperator.ISTREAM))
    with pytest.raises((Unsupported, ValueError), match=says):
        LongJudge(spark, case, dials.with_dial(dial, value))
    with pytest.raises(Unsupported, match="mixes WC"):
        arriving = dials.with_dials({"answer_time": "arrival", "report": "WC | CC"})
        LongJudge(spark, case, arriving)


def test_time_never_runs_backwards(spark: SparkHandle) -> None:
    case, dials, elements, _ = plain(9)
    judge = LongJudge(spark, case, dials)
    with pytest.raises(ValueError, match="time never runs backwards"):
        judge.take([elements[3], elements[2]], (), 3)
    judge = LongJudge(spark, case, dials)
    judge.take(elements[:4], (), 5)
    with pytest.raises(ValueError, match="after all up to 5 was given"):
        judge.take(elements[4:], (), 8)


def test_only_what_a_window_can_look_back_to_is_held() -> None:
    case, dials, elements, _ = plain(500)
    held = StreamBuffer(RegisteredQuery(Registration.of(case, dials)))
    for start in range(0, 500, 50):
        held.add(elements[start : start + 50])
        slices = held.slices(start, start + 50, [(0,)], (), first=False, parts=2)
        copies = sum(len(one.elements) for one in slices)
        assert copies < 2 * (50 + held.reach)
        held.drop(start + 49)
        assert len(held.moments) <= held.reach


def test_of_a_window_by_count_the_last_units_are_held_however_long_ago_they_came() -> None:
    case, dials, elements, _ = plain(500)
    other = IRI("http://ex.org/s2")
    windows = [
        WindowDeclaration(WINDOW, STREAM, Count("elements", 20), 5),
        WindowDeclaration(IRI("http://ex.org/w2"), other, Count("elements", 3)),
    ]
    case = replace(case, query=replace(case.query, windows=tuple(windows)), streams=(STREAM, other))
    held = StreamBuffer(RegisteredQuery(Registration.of(case, dials)))
    held.add([replace(elements[0], stream=other)] * 7)
    for start in range(0, 500, 50):
        held.add(elements[start : start + 50])
        slices = [*held.slices(start, start + 49, [(0, 0)], (), first=False, parts=2)]
        held.drop(start + 49)
        for one in slices:
            names = [stream for stream, *_ in one.elements]
            # Width and slide are how far back the instance before the present one may reach.
            assert names.count(other.value) == 4 or start == 0
            assert names.count(STREAM.value) <= 25 + 26
            assert one.passed[0] == next(t for s, t, *_ in one.elements if s == STREAM.value)
            assert one.passed[1] == 7 - names.count(other.value)
