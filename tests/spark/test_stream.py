"""A stream judged in chunks is judged as the same stream in one."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import TypeAlias

import pytest

from rsp_conformance.burnin.stream import NEARBY, READS, Source
from rsp_conformance.model.algebra import BGP, TriplePattern, Window
from rsp_conformance.model.answers import Evaluation, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, Triple
from rsp_conformance.model.verdict import Divergence, Kind, Verdict
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.stream.buffer import StreamBuffer
from rsp_conformance.spark.stream.long_judge import LongJudge, Standing
from rsp_conformance.spark.worker.registered import RegisteredQuery, Registration
from rsp_conformance.spec.alignment_stamps import arrival, observed_stamp
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.trace import Expectation
from tools.judges.plain import STREAMS, P, Q, random_case

pytestmark = pytest.mark.spark


Fitting: TypeAlias = Callable[[Sequence[WindowDeclaration]], bool]
Draw: TypeAlias = Callable[[Random, Fitting], tuple[Case, Dials]]


def by_time(windows: Sequence[WindowDeclaration]) -> bool:
    return bool(windows) and all(own.is_by_time for own in windows)


def not_by_time(windows: Sequence[WindowDeclaration]) -> bool:
    return not all(own.is_by_time for own in windows) and all(
        own.width is not Reach.UNBOUNDED for own in windows
    )


def long_case(random: Random, fitting: Fitting = by_time) -> tuple[Case, Dials]:
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
    last = case.elements[-1].t
    judge = LongJudge(spark, replace(case, elements=()), dials, first=first, last=last)
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
    try:
        standing = in_chunks(random, spark, case, dials, observed)
    except LeftOpen:  # In chunks one reading of an open point is tried.
        return "open in chunks"
    except Unsupported as refusal:
        assert "several clocks" in str(refusal)
        return "refused in chunks"
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
    # Of elements and of triples, with slides, beside windows by time and in the past; both ticks
    # and stamps.
    randoms = map(Random, (4, 9, 28, 37, 38, 41))
    seen = Counter(check(random, spark, *long_case(random, not_by_time)) for random in randoms)
    assert seen == {"correct": 6}, seen


def streamed_case(random: Random, fitting: Fitting) -> tuple[Case, Dials]:
    """A random case over a stretch of a burn-in's stream, with its bursts and silences."""
    case, dials = long_case(random, fitting)
    streams = tuple(random.sample(STREAMS, random.choice([1, 2, 3])))
    source = Source(str(random.random()), 20_000, streams)
    start = random.randrange(9_000)
    elements = source.elements(start, start + random.choice([1, 5, 30, 120]))
    shift = case.registered + random.choice([0, 1, 5]) - elements[0].t
    named = {NEARBY: P, READS: Q}
    elements = tuple(
        replace(
            own,
            t=own.t + shift,
            graph=tuple(Triple(s, named[p], o) for s, p, o in own.graph),
        )
        for own in elements
    )
    first, last = elements[0].t, elements[-1].t
    until = max(case.registered, min(last + random.choice([-2, 0, 1, 9]), first + 400))
    return replace(case, elements=elements, until=until), dials


@pytest.mark.burnin
@pytest.mark.parametrize("fitting", [by_time, not_by_time])
@pytest.mark.parametrize("drawn", [long_case, streamed_case])
@pytest.mark.parametrize("start", range(0, 500, 100))
def test_many_streams_in_chunks(
    spark: SparkHandle, start: int, drawn: Draw, fitting: Fitting
) -> None:
    randoms = map(Random, range(start, start + 100))
    seen = Counter(check(random, spark, *drawn(random, fitting)) for random in randoms)
    assert seen["otherwise wrong"] <= 10, seen
    assert seen["correct"] >= 20, seen


STREAM, WINDOW = IRI("http://ex.org/s"), IRI("http://ex.org/w")
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


def labelled() -> tuple[Case, Dials, list[StreamElement], list[Observed]]:
    """Two elements about one label, which are joined, and the answer of one scope for the case."""
    case, dials, _, _ = plain(20)
    label = BlankNode("b")
    elements = [StreamElement(STREAM, t, (Triple(label, p, P),)) for t, p in ((1, P), (2, Q))]
    x = Variable("x")
    pattern = Window(WINDOW, BGP((TriplePattern(x, P, P), TriplePattern(x, Q, P))))
    dials = dials.with_dials({"t0": "0", "empty_answers": "no"})
    case = replace(case, query=replace(case.query, pattern=pattern), until=12)
    return case, dials, elements, [Observed(10, Rows(("x",), ((label,),)))]


@pytest.mark.parametrize(
    ("scope", "case_is_right", "element_is_right"),
    [("case", True, False), ("element", False, True), ("any", True, None)],
)
def test_labels_of_a_chunk_are_not_those_of_another_where_elements_are_their_scope(
    spark: SparkHandle, scope: str, case_is_right: bool, element_is_right: bool | None
) -> None:
    case, dials, elements, joined = labelled()
    dials = dials.with_dial("blank_nodes", scope)

    def is_right(observed: Sequence[Observed]) -> bool | None:
        judge = LongJudge(spark, case, dials)
        judge.take(elements[:1], (), 1)
        try:
            return judge.finish(elements[1:], observed).verdict.correct
        except LeftOpen:  # In chunks the other scope is not tried.
            return None

    assert is_right(joined) is case_is_right
    assert is_right(()) is element_is_right


def test_an_answer_to_the_appended_elements_is_held_against_what_is_due(spark: SparkHandle) -> None:
    case, dials, elements, answers = plain(60)
    dials = dials.with_dials({"answer_time": "arrival", "advances": "elements", "t0": "3"})
    due = [replace(answer, t=None, cause=int(answer.t or 0) + 1) for answer in answers]

    def kind(*late: Observed, **turned: str) -> Kind | None:
        judge = LongJudge(spark, case, dials.with_dials(turned))
        judge.take(elements[:41], due, 40)
        divergence = judge.finish(elements[41:], late).verdict.divergence
        return None if divergence is None else divergence.kind

    # The window (53,63] is open at the end; it holds n = 4, the next one does not.
    row = Rows(("x",), (*answers[0].content.rows[:1],))  # type: ignore[union-attr]
    wrong = Observed(None, Rows(("x",), ((P,),)), "end")
    assert kind() is None
    assert kind(Observed(None, row, "end")) is None
    assert kind(wrong) is Kind.EXTRA
    # With so many starts one may stand for others that differ after the end.
    query = replace(case.query, windows=(replace(case.query.windows[0], slide=65),))
    judge = LongJudge(spark, replace(case, query=query), dials.with_dial("t0", "any"))
    assert judge.finish(elements, [wrong]).verdict.correct


def test_of_one_clock_the_stream_may_be_judged_in_chunks(spark: SparkHandle) -> None:
    case, dials, elements, _ = plain(9)
    other = IRI("http://ex.org/s2")
    second = WindowDeclaration(IRI("http://ex.org/w2"), other, 5, 5)
    query = replace(case.query, windows=(*case.query.windows, second))
    case = replace(case, query=query, streams=(STREAM, other))
    own = dials.with_dials({"answer_time": "arrival", "clock": "own", "t0": "0"})
    # Nobody hears of the close at 5 but by an element of the second stream.
    elements = [elements[0], *elements[5:8], replace(elements[8], stream=other)]
    heard = [Observed(None, Rows(("x",), ()), 4)]
    for report, is_judged in (
        ("WC[w2]", True),
        ("COMPUTED EVERY 5", True),
        ("WC[w]", True),
        ("WC", False),
        ("WC[w2] & COMPUTED EVERY 5", False),
    ):
        turned = own.with_dial("report", report)
        if not is_judged:
            with pytest.raises(Unsupported, match="several clocks"):
                LongJudge(spark, case, turned)
            continue
        found = LongJudge(spark, case, turned).finish(elements, heard).verdict
        expected = judge(replace(case, elements=tuple(elements)), turned, heard)
        assert (found.correct, found.t_s) == (expected.correct, expected.t_s)
        assert found.correct is (report == "WC[w2]")


def test_a_stream_without_elements_starts_its_windows_by_what_is_appended(
    spark: SparkHandle,
) -> None:
    case, dials, elements, _ = plain(9)
    silent = replace(case.query.windows[0], stream=IRI("http://ex.org/s2"))
    query = replace(case.query, windows=(silent,))
    dials = dials.with_dials({"advances": "elements", "t0": "first-element-floor(3)"})
    case = replace(case, query=query, streams=(STREAM, silent.stream), until=6)
    for last, start in ((0, 6), (8, 6), (9, None)):
        judge = LongJudge(spark, case, dials, first={STREAM: 0}, last=last)
        assert judge.finish(elements[:7]).verdict.t0 == (start,)


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
