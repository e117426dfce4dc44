"""Which of simultaneous units a window by count holds, if that is open: ``ties = open``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from rsp_conformance.diagnosis.mattering import decided
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import VALUES, Dials
from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.spark.stream.buffer import StreamBuffer
from rsp_conformance.spark.worker.registered import RegisteredQuery, Registration
from rsp_conformance.spark.worker.slices import trace_share
from rsp_conformance.sparql.open_points import CUT_INSTANT
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.reporting import Reporter
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.spec.units import in_units
from rsp_conformance.text.parse import parse_query
from tests.builders import compiled, reference
from tests.builders.terms import PREFIXES, iri
from tests.judges.test_windows import elements, examples

Judge = Callable[[Case, Dials, Sequence[Observed]], Verdict]
BOTH: tuple[Judge, ...] = (judge, compiled.verdict)

CUT = """
not full, ties ; 4
not full, ties: tuple ; 4
cut ties ; 2 5
cut ties: another order ; 2 5
closes ; 4
closes: tuple ; 4
closes: last closed ; 4
last closed changes ; 4
DSTREAM ; 4
DSTREAM: tuple ; 4
DSTREAM: ISTREAM ; 4
several triples: by triples ; 2
several triples: a part ; 2
several triples: tuple ; 2 2
several triples: closes ; 2
tumbling ; 3 9
closes inside ; 3
closes inside: time ; 3
closes inside: last closed ; 2 3
"""
"""The evaluations of the examples in which a window by count cuts an instant; the others cut none.
"""


def cut_evaluations(case: Case, dials: Dials) -> list[int]:
    case = in_units(case)
    (starts,) = Expectation(case, dials).queries()
    reporter = Reporter(case, dials, starts)
    return [p.moment.t for p in reporter.evaluations() if reporter.is_cut(p)]


def answers(case: Case, dials: Dials) -> list[Observed]:
    """What an engine answers that counts units as they arrive."""
    expectation = Expectation(case, replace(dials, ties="arrival"))
    (starts,) = expectation.queries()
    return [Observed(e.t, e.content) for e in expectation.answer(starts)]


def said(judged: Judge, case: Case, dials: Dials, observed: Sequence[Observed]) -> str:
    try:
        return "right" if judged(case, dials, observed).correct else "wrong"
    except LeftOpen as error:
        assert CUT_INSTANT in error.why
        return "open"


def test_an_example_is_left_open_from_the_evaluation_on_that_cuts_an_instant() -> None:
    known = dict(map(str.strip, line.split(";")) for line in CUT.strip().splitlines())
    for own in examples():
        dials = replace(own.dials, ties="open")
        cut = [*map(int, known.pop(own.name, "").split())]
        assert cut_evaluations(own.case, dials) == cut, own.name
        for until in {own.case.until, *(t + late for t in cut for late in (-1, 0))}:
            case = replace(own.case, until=until)
            is_open = any(t <= until for t in cut)
            for judged in BOTH:
                found = said(judged, case, dials, answers(case, dials))
                assert found == ("open" if is_open else "right"), (own.name, until)
    assert not known


def counted(size: str, stream: str, operator: str = "", until: int | None = None) -> Case:
    register = f"REGISTER {operator} AS " if operator else ""
    query = f"{PREFIXES} {register}SELECT ?x FROM NAMED WINDOW :w ON STREAM :s {size} "
    arrived = tuple(elements(stream))
    return Case(
        parse_query(query + "WHERE { WINDOW :w { ?x :p ?y } }"),
        arrived,
        until=arrived[-1].t if until is None else until,
    )


def rows(told: str) -> list[Observed]:
    """Answers as they are told: ``1 a | 2 b c``."""
    parts = (part.split() for part in told.split("|"))
    return [Observed(int(t), Rows(("x",), tuple((iri(x),) for x in own))) for t, *own in parts]


CC = Dials().with_dials({"report": "CC", "ties": "open"})


@pytest.mark.parametrize(
    "told", ["1 a | 2 c d | 5 d e", "1 a | 2 b d | 5 b e", "1 a | 2 b c | 5 d e"]
)
@pytest.mark.parametrize("judged", BOTH)
def test_an_engine_that_holds_others_of_a_tie_is_not_accused(told: str, judged: Judge) -> None:
    case = counted("[ELEMENTS 2]", "a1 b2 c2 d2 e5")
    assert said(judged, case, CC, rows(told)) == "open"
    arrival = said(judged, case, replace(CC, ties="arrival"), rows(told))
    assert arrival == ("right" if told == "1 a | 2 c d | 5 d e" else "wrong")


@pytest.mark.parametrize(
    ("stream", "told", "expected"),
    [
        # Both of 2 have room, or neither is held any more.
        ("a1 b2 c2", "1 a | 2 b c", "right"),
        ("a1 b2 c2", "1 a | 2 a b", "wrong"),
        ("a1 b2 c2 d3 e3", "1 a | 2 b c | 3 d e", "right"),
        ("a1 b2 c2 d3 e3", "1 a | 2 b c | 3 c e", "wrong"),
        # Of two that say the same it makes no difference which is held.
        ("a1 b2 b2 c3", "1 a | 2 b | 3 b c", "right"),
        ("a1 b2 b2 c3", "1 a | 2 b | 3 c", "wrong"),
        # What has not arrived is not cut, and what is cut before leaves the next one open.
        ("a1 b2 c2 d3", "1 a | 2 b c | 3 c d", "open"),
        ("a1 b2 c2 d3 e4 f4", "1 a | 2 b c | 3 b d | 4 e f", "open"),
    ],
)
@pytest.mark.parametrize("judged", BOTH)
def test_an_answer_is_judged_where_no_instant_is_cut(
    stream: str, told: str, expected: str, judged: Judge
) -> None:
    assert said(judged, counted("[ELEMENTS 2]", stream), CC, rows(told)) == expected


@pytest.mark.parametrize("judged", BOTH)
@pytest.mark.parametrize("operator", ["ISTREAM", "DSTREAM"])
def test_what_follows_a_cut_instant_is_open_with_it(operator: str, judged: Judge) -> None:
    case = counted("[ELEMENTS 2]", "a1 b2 c2 d2 e5 f5", operator)
    for observed in (answers(case, CC), answers(case, CC)[:-1]):
        assert said(judged, case, CC, observed) == "open"


@pytest.mark.parametrize("judged", BOTH)
def test_under_tick_tuple_only_what_has_arrived_can_be_cut(judged: Judge) -> None:
    dials = CC.with_dial("tick", "tuple")
    expected = {"a1 b2 b2 c2": "open", "a1 b2 b2": "right", "b2 b2 b2": "right", "b2 b2 c2": "open"}
    for stream, found in expected.items():
        case = counted("[ELEMENTS 1]", stream)
        assert said(judged, case, dials, answers(case, dials)) == found, stream


def test_reference_counts_units_as_they_arrive_under_either_value() -> None:
    case = counted("[ELEMENTS 2]", "a1 b2 c2 d2 e5")
    for ties in VALUES["ties"]:
        found = reference.run(case, CC.with_dial("ties", ties))
        assert judge(case, replace(CC, ties="arrival"), found).correct


def test_the_dial_matters_for_windows_by_count_alone() -> None:
    for size, matters in (("[ELEMENTS 2]", True), ("[TRIPLES 2]", True), ("[RANGE 2]", False)):
        case = counted(size, "a1 b2 c2 d2 e5")
        put_back = decided(CC, case) == decided(replace(CC, ties="arrival"), case)
        assert put_back is not matters


# --- Held against every exchange of simultaneous units --------------------------------------------

SIZES = [
    f"[{unit} {width}{step}]"
    for unit in ("ELEMENTS", "TRIPLES")
    for width in (1, 2, 3)
    for step in ("", " STEP 2", " STEP 3")
]
TURNED = [
    {"report": "CC"},
    {"report": "P(1)"},
    {"report": "NC", "window": "last-closed"},
    {"report": "WC", "window": "last-closed", "n0": "fill"},
    {"report": "WC"},
    {"report": "CC", "n0": "1", "content_change": "any"},
]


def random_case(random: Random) -> tuple[Case, Dials]:
    t, parts = 0, []
    for _ in range(random.randrange(2, 7)):
        t += random.choice([0, 0, 1])
        parts.append("+".join(random.choices("abc", k=random.choice([1, 1, 2]))) + str(t))
    dials = Dials().with_dials({**random.choice(TURNED), "ties": "open"})
    return counted(random.choice(SIZES), " ".join(parts), until=t + 1), dials


def held(case: Case, dials: Dials) -> list[tuple[int, Counter[frozenset[Triple]]]]:
    """The evaluations with what the units say that the window holds."""
    expectation = Expectation(case, dials)
    (starts,) = expectation.queries()
    units = expectation.case_in_units.elements
    return [
        (step.t, Counter(frozenset(units[at].graph) for at in step.contents[0].elements))
        for step in expectation.trace(starts)
    ]


def exchanged(case: Case) -> Iterator[Case]:
    """The case with two of its simultaneous units in each other's place, for every two."""
    units = in_units(case).elements
    for (one, first), (other, second) in combinations(enumerate(units), 2):
        if first.t == second.t:
            order = [*units]
            order[one], order[other] = second, first
            yield replace(case, elements=tuple(order))


def test_left_open_is_what_an_exchange_of_simultaneous_units_changes() -> None:
    seen = Counter[str]()
    for number in range(100):
        case, dials = random_case(Random(number))
        plain = held(case, dials)
        others = [held(other, dials) for other in exchanged(case)]
        cut = {
            t
            for other in others
            for (t, mine), (at, theirs) in zip(plain, other, strict=True)
            if mine != theirs and t == at
        }
        assert {*cut_evaluations(case, dials)} == cut, case
        for judged in BOTH:
            for until in {case.until, *(t + late for t in cut for late in (-1, 0))}:
                now = replace(case, until=max(0, until))
                found = said(judged, now, dials, answers(now, dials))
                assert found == ("open" if any(t <= now.until for t in cut) else "right"), now
                seen[found] += 1
    assert min(seen["open"], seen["right"]) > 100


def test_a_slice_of_a_long_stream_is_left_open_if_the_stream_is() -> None:
    """A slice has the whole instant of the oldest unit that a window may look back to."""
    seen = Counter[bool]()
    for number in range(30):
        random = Random(number)
        case, dials = random_case(random)
        last = case.until
        more = [replace(own, t=own.t + turn * last) for turn in range(4) for own in case.elements]
        case = replace(case, elements=tuple(more), until=4 * last)
        (starts,) = Expectation(case, dials).queries()
        cut = cut_evaluations(case, dials)
        for after, until, is_open in in_slices(case, dials, starts, random):
            expected = any((after is None or after < t) and t <= until for t in cut)
            assert is_open is expected, (number, after, until)
            seen[is_open] += 1
    assert min(seen[True], seen[False]) > 40


def in_slices(
    case: Case, dials: Dials, starts: Vector, random: Random
) -> Iterator[tuple[int | None, int, bool]]:
    """The slices of the stream as it comes in chunks, and whether each is left open."""
    held = StreamBuffer(RegisteredQuery(Registration.of(replace(case, elements=()), dials)))
    first, left = case.registered - 1, list[StreamElement](case.elements)
    after = first
    ends = sorted({*random.sample(range(case.until), min(3, case.until)), case.until})
    for until in ends:
        come = sum(own.t <= until for own in left)
        held.add(left[:come])
        del left[:come]
        slices = held.slices(after, until, [starts], [], first=after == first, parts=2)
        for own in slices:
            ((trace,),) = trace_share([own])
            assert trace.open in (None, CUT_INSTANT)
            yield own.after, own.until, trace.open is not None
        held.drop(until)
        after = until
