"""Members of Z that are left out change no verdict: both judges against the plain enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from rsp_conformance.model.answers import Content, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.spark.worker import starts as compiled_starts
from rsp_conformance.spec import correctness, start_classes
from rsp_conformance.spec.alignment_stamps import expected_stamp
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.start_classes import Candidate, StartClasses, representatives
from rsp_conformance.spec.trace import Expectation, answer
from rsp_conformance.text.parse import parse_query
from tests.builders import compiled
from tests.builders.cases import dials, element, nearby_query, window
from tools.judges.plain import random_answers, random_case

MOST = 1_000
"""Larger Z would take the plain enumeration too long."""
MOST_ENDED = 150
"""The same for answers at the end, which take a second trace of each z."""


def stretched(random: Random, case: Case) -> Case:
    """CASE with more instants: long slides, and elements at instants of their own."""
    by = random.choice((1, 6, 20, 60) if len(case.query.windows) < 2 else (1, 3, 6))
    windows = tuple(
        replace(
            own,
            width=max(1, own.width * by + random.randrange(-2, 3)),  # type: ignore[operator]
            slide=max(1, (own.slide or 1) * by + random.randrange(-1, 2)),  # type: ignore[operator]
            lag=own.lag and own.lag * by + random.randrange(by),  # type: ignore[operator]
        )
        if own.is_by_time
        else own
        for own in case.query.windows
    )
    every = case.query.computed_every
    query = replace(
        case.query, windows=windows, computed_every=every * by if isinstance(every, int) else every
    )
    t, elements = case.registered * by, []
    for own in case.elements:
        t = max(t, own.t * by + random.randrange(by))
        elements.append(replace(own, t=t))
    until = max(t, case.until * by + random.randrange(by))
    registered = case.registered * by
    return replace(case, query=query, elements=tuple(elements), registered=registered, until=until)


def drawn(seed: int) -> tuple[Case, Dials, tuple[Observed, ...]] | None:
    """A case over all dials, mostly with t0 open, and what an engine might answer."""
    random = Random(seed)
    case, setting = random_case(random)
    case = stretched(random, case)
    if random.random() < 0.8:
        setting = setting.with_dial("t0", "any")
    try:
        members = list(islice(rspql_queries(case, setting), MOST))
        if len(members) == MOST:
            return None
        due = Expectation(case, setting).answer(random.choice(members))
    except (Unsupported, ValueError):
        return None
    return case, setting, random_answers(random, due, case, setting)


def told(verdict: Verdict) -> tuple[object, ...]:
    found = verdict.divergence
    return verdict.correct, verdict.t0, verdict.t_s, found and (found.kind, found.t)


def plainly(case: Case, setting: Dials, observed: Sequence[Observed]) -> Iterator[Candidate]:
    """All of Z, one member after the other."""
    return (Candidate(0, z) for z in rspql_queries(case, setting))


def compared(
    make: Callable[[int], tuple[Case, Dials, tuple[Observed, ...]] | None],
    seeds: Iterable[int],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Verdict]:
    """Verdicts on cases with so many starts that classes are made, the same by three judges."""
    monkeypatch.setattr(start_classes, "FEW", 1)
    monkeypatch.setattr(compiled_starts, "LISTED", 1)
    for found in filter(None, map(make, seeds)):
        if StartClasses(*found[:2]).are_listed:
            continue
        try:
            with monkeypatch.context() as patch:
                patch.setattr(correctness, "candidates", plainly)
                plain = judge(*found)
        except (Unsupported, ValueError):
            continue
        assert told(judge(*found)) == told(plain), found
        if found[1].answers == "evaluations":
            assert told(compiled.verdict(*found)) == told(plain), found
        yield plain


def test_both_judges_say_what_the_plain_enumeration_says(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = compared(drawn, range(400), monkeypatch)
    seen = Counter(own.divergence and own.divergence.kind for own in verdicts)
    assert sum(seen.values()) > 75
    assert len(seen) >= 6, seen


def ended(seed: int) -> tuple[Case, Dials, tuple[Observed, ...]] | None:
    """A case with t0 open, what is due for a z, and answers with the end that may be due for it."""
    random = Random(seed)
    case, setting = random_case(random)
    case = stretched(random, case)
    handed = {"answer_time": random.choice(["arrival", "none"]), "answers": "evaluations"}
    setting = setting.with_dials({"t0": "any", "advances": "elements", "clock": "any"} | handed)
    try:
        members = list(islice(rspql_queries(case, setting), MOST_ENDED))
        expectation = Expectation(case, setting)
        z, other = random.choice(members), random.choice(members)
        due = expectation.answer(z)
        later = expectation.later(random.choice([z, other])) or expectation.answer(other)
    except (Unsupported, ValueError):
        return None
    if len(members) == MOST_ENDED or not later:
        return None
    arrives = setting.answer_time == "arrival"
    timely = [
        Observed(expected_stamp(e, case, setting) if arrives else None, e.content) for e in due
    ]
    chosen = random.sample(later, min(len(later), random.randint(1, 2)))
    return case, setting, (*timely, *(Observed(None, e.content, "end") for e in chosen))


def test_what_the_appended_elements_trigger_is_judged_as_by_the_plain_enumeration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = Counter(own.correct for own in compared(ended, range(250), monkeypatch))
    assert seen[True] > 30
    assert seen[False] > 3


def test_members_of_a_class_are_alike_after_the_end_too_if_that_is_compared() -> None:
    """The appended element, at 165, comes into the second window of starts before 65 alone."""
    text = "FROM NAMED WINDOW :w ON :s [RANGE 145 STEP 100] WHERE { WINDOW :w { ?x ?p ?y } }"
    query = parse_query(f"PREFIX : <http://example.org/> SELECT ?x {text}")
    stream = query.windows[0].stream
    elements = tuple(
        replace(element(t, w, "near", "x"), stream=stream) for t, w in ((20, "a"), (75, "b"))
    )
    case = Case(query, elements, until=164)
    setting = dials(t0="any", advances="elements", answer_time="arrival")
    expectation = Expectation(case, setting)

    def due(starts: Vector) -> tuple[Content, ...]:
        later = expectation.later(starts)
        assert later is not None
        return tuple(e.content for e in later)

    def known(*, to_the_end: bool) -> set[tuple[Content, ...]]:
        return {due(z) for z in StartClasses(case, setting, to_the_end=to_the_end).members()}

    every = {due(z) for z in rspql_queries(case, setting)}
    assert known(to_the_end=True) == every > known(to_the_end=False)


def long_windows(*spans: tuple[int, int]) -> Case:
    """Three elements a stream under windows in milliseconds."""
    declared = [window(f"w{n}", *span, stream=f"s{n}") for n, span in enumerate(spans)]
    elements = [
        element(t + 7 * n, word, "near", "a", stream=f"s{n}")
        for n in range(len(spans))
        for t, word in ((1_200, "eve"), (7_300, "diana"), (12_900, "carl"))
    ]
    return Case(nearby_query(*declared), tuple(sorted(elements, key=lambda e: e.t)), until=400_000)


@pytest.mark.parametrize("spans", [[(10_000, 5_000)], [(180_000, 30_000)], [(10_000, 5_000)] * 2])
@pytest.mark.parametrize("report", ["WC", "WC & NC", "CC"])
def test_few_of_the_starts_of_windows_in_milliseconds_are_traced(
    spans: list[tuple[int, int]], report: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, setting = long_windows(*spans), dials(report=report)
    starts = tuple(1_234 + 500 * n for n in range(len(spans)))
    observed = [Observed(e.t, e.content) for e in answer(case, setting, starts)]
    shown = (i for i, own in enumerate(observed) if own.content != Rows(own.content.variables, ()))  # type: ignore[union-attr]
    *_, place = shown
    content = observed[place].content
    assert isinstance(content, Rows)
    observed[place] = replace(observed[place], content=replace(content, rows=content.rows[1:]))
    traced: list[object] = []
    trace = Expectation.trace
    monkeypatch.setattr(Expectation, "trace", lambda self, z: traced.append(z) or trace(self, z))
    verdict = judge(case, setting, observed)
    if report != "CC":  # Contents change as elements come, so that another start may do.
        assert not verdict.correct
        assert verdict.t0 == starts
        assert len(traced) <= 60
    assert len(traced) < 2_000
    assert compiled.verdict(case, setting, observed).t0 == verdict.t0


def test_what_is_asked_of_all_of_z_is_asked_of_one_of_each_class() -> None:
    case = long_windows((180_000, 30_000))
    found = representatives(case, Dials())
    assert len(found) < 40
    assert found == sorted(found)
    assert len(representatives(case, Dials(), most=8)) <= 8
    assert representatives(case, dials(t0="5"), most=8) == [(5,)]
