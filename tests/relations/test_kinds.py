"""Relations between windows of different kinds: what they ask, and why they are skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from rsp_conformance.model.case import Case
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.trial import Trial
from rsp_conformance.model.windows import Count, Reach
from rsp_conformance.relations.comparison import any_rows
from rsp_conformance.relations.kinds import COUNTED, NEWEST, UNFILLED
from rsp_conformance.relations.relation import MetamorphicRelation
from tests.builders.drawing import draw_apart
from tests.generators.profiles import subject
from tests.relations.test_true_of_the_specification import settled

INSTANCES = 20
CC = {"report": "CC"}
TUPLE = {"report": "CC", "tick": "tuple"}
LAST = {"report": "CC", "window": "last-closed-inclusive"}
BAG = {"report": "CC", "window_content": "bag"}

HOLDS: list[tuple[MetamorphicRelation, dict[str, str]]] = [
    (NEWEST, CC),
    (NEWEST, BAG),
    (NEWEST, {**BAG, "r2s": "elements", "tick": "tuple", "now": "element"}),
    (NEWEST, {**TUPLE, "now": "last", "content_change": "any"}),
    (NEWEST, {"report": "CC & NC", "content_change": "any"}),
    (NEWEST, {**CC, "content_change": "any", "empty_answers": "no", "answer_time": "none"}),
    (UNFILLED, {"report": "NC", "n0": "fill"}),
    (UNFILLED, {"report": "!NC | P(3)", "n0": "any"}),
    (UNFILLED, {**TUPLE, "count_slide": "width", "answer_time": "arrival"}),
    (COUNTED, {}),
    (COUNTED, LAST),
    (COUNTED, {"report": "WC | P(2)", "t0": "aligned-close"}),
    (COUNTED, {**TUPLE, "content_change": "any", "answer_time": "arrival", "n0": "fill"}),
    (COUNTED, {**CC, "t0": "first-aligned-close"}),
    (COUNTED, {"report": "COMPUTED EVERY", "t0": "0"}),
]

EXCLUDED: list[tuple[MetamorphicRelation, dict[str, str], str]] = [
    (NEWEST, {"report": "P(2)"}, "more than CC"),
    (NEWEST, {"report": "NC"}, "more than CC"),
    (NEWEST, {**CC, "content_change": "any"}, "without rows"),
    (UNFILLED, {"report": "WC | CC", "tick": "tuple"}, "asks for closes"),
    (UNFILLED, {**CC, "window": "last-closed"}, "undefined until it is full"),
    (UNFILLED, {**CC, "n0": "1"}, "leave the first units out (n0 1)"),
    (COUNTED, {**CC, "window": "last-closed"}, "an instant after its close"),
    (COUNTED, {**LAST, "t0": "first-aligned-open"}, "from a t0 of first-aligned-open on"),
    (COUNTED, {**LAST, "n0": "fill"}, "before they are full"),
    (COUNTED, {**CC, "n0": "2"}, "leave the first units out (n0 2)"),
    (COUNTED, {**CC, "bounds": "[o,c)"}, "bounds [o,c)"),
    (COUNTED, {**CC, "bounds": "[o,c]"}, "bounds [o,c]"),
    (COUNTED, {**CC, "t0": "9"}, "t0 9"),
    (COUNTED, {**CC, "t0": "first-element"}, "start with the first element"),
    (COUNTED, {"t0": "first-aligned-open"}, "from a t0 of first-aligned-open on"),
    (COUNTED, {"report": "P(3)", "t0": "-1"}, "from a t0 of -1 on"),
    (COUNTED, {"n0": "fill"}, "before they are full"),
    (COUNTED, {"answer_time": "arrival"}, "answered later"),
    (COUNTED, {"report": "!NC", "t0": "first-aligned-open"}, "negation"),
]


def said(relation: MetamorphicRelation, dials: dict[str, str]) -> Iterator[str | None]:
    """What contradicts the specification in drawn trials; None for answers with rows that agree."""
    tested = subject(dials)
    for trial in draw_apart(relation.trials(tested), INSTANCES):
        for observations in settled(trial, tested):
            found = relation.contradiction(trial, observations)
            if found is not None or any_rows(observations):
                yield None if found is None else found.says


@pytest.mark.parametrize(("relation", "dials"), HOLDS)
def test_the_specification_agrees(relation: MetamorphicRelation, dials: dict[str, str]) -> None:
    assert relation.not_applicable(subject(dials)) is None
    found = [*said(relation, dials)]
    assert set(found) == {None} and len(found) > INSTANCES // 8


@pytest.mark.parametrize(("relation", "dials", "why"), EXCLUDED)
def test_if_it_would_not_hold_the_relation_is_skipped(
    relation: MetamorphicRelation, dials: dict[str, str], why: str
) -> None:
    assert why in (relation.not_applicable(subject(dials)) or "")
    assert set(said(relation, dials)) != {None}


@pytest.mark.parametrize(
    ("relation", "without", "dials", "why"),
    [
        (NEWEST, "now-window", CC, "now-window"),
        (NEWEST, "single-patterns", CC, "without-single-patterns"),
        (NEWEST, "distinct", {"report": "CC[w1] & NC[w2]"}, "several windows"),
        (UNFILLED, "count-windows", CC, "count-windows"),
        (UNFILLED, "count-steps", {**CC, "count_slide": "width", "n0": "any"}, "n0 any"),
        (COUNTED, "count-windows", {}, "count-windows"),
        (COUNTED, "count-steps", {"count_slide": "width"}, "STEP cannot be written"),
    ],
)
def test_what_an_engine_lacks_is_said(
    relation: MetamorphicRelation, without: str, dials: dict[str, str], why: str
) -> None:
    assert why in (relation.not_applicable(subject(dials, without=without)) or "")


def test_a_profile_that_allows_no_istream_is_named() -> None:
    tested = subject({**CC, "stream_operators": "R D"})
    features = tested.features | {"istream"}
    told = replace(tested, hello=replace(tested.hello, features=features))
    assert NEWEST.not_applicable(told) == "the profile does not allow ISTREAM"


def trials(
    relation: MetamorphicRelation,
    dials: dict[str, str],
    *,
    number: int = INSTANCES,
    **options: str,
) -> Iterator[tuple[Case, Case]]:
    """The pairs of cases in NUMBER trials of RELATION under DIALS."""

    def cases(trial: Trial) -> tuple[Case, Case]:
        first, second = trial.variants
        return first.case, second.case

    yield from map(cases, draw_apart(relation.trials(subject(dials, **options)), number))


@pytest.mark.parametrize(
    ("dials", "shared", "repeated"),
    [
        (CC, True, False),
        (BAG, True, True),
        ({**BAG, "r2s": "set"}, True, False),
        ({**BAG, "now": "element"}, False, True),
        (TUPLE, False, False),
        ({**TUPLE, "now": "last"}, True, False),
    ],
)
def test_elements_come_as_now_and_rows_allow(
    dials: dict[str, str], shared: bool, repeated: bool
) -> None:
    together, again, operators = False, False, set[StreamOperator | None]()
    for endless, now in trials(NEWEST, dials):
        assert [window.width for window in endless.query.windows] == [Reach.UNBOUNDED]
        assert [window.width for window in now.query.windows] == [Reach.NOW]
        assert endless.query.operator is StreamOperator.ISTREAM
        assert (endless.elements, endless.until) == (now.elements, now.until)
        together |= len({element.t for element in now.elements}) < len(now.elements)
        again |= len({element.graph for element in now.elements}) < len(now.elements)
        operators.add(now.query.operator)
    assert (together, again) == (shared, repeated)
    # A row that comes again is nothing that ISTREAM adds.
    added = set() if repeated else {StreamOperator.ISTREAM}
    assert operators == {None, StreamOperator.RSTREAM} | added


@pytest.mark.parametrize(
    ("dials", "options", "slides"),
    [
        (CC, {}, {None, 1, 2, 3}),
        ({**CC, "n0": "fill"}, {}, {None, 1}),
        ({**CC, "n0": "any", "count_slide": "width"}, {}, {1}),
        (CC, {"without": "count-steps", "advances": "elements"}, {None}),
    ],
)
def test_no_more_comes_than_the_windows_hold(
    dials: dict[str, str], options: dict[str, str], slides: set[int | None]
) -> None:
    least, drawn = set[int](), set[object]()
    for endless, counted in trials(UNFILLED, dials, **options):
        come = Counter(element.stream for element in counted.elements)
        for before, window in zip(endless.query.windows, counted.query.windows, strict=True):
            if before.is_by_time:
                assert window == before
                continue
            assert before.width is Reach.UNBOUNDED and isinstance(window.width, Count)
            least.add(window.width.number - come[window.stream])
            drawn.add(window.slide)
    # What the kit appends for an engine without a clock is counted, too.
    assert min(least) == int("advances" in options) and max(least) >= 100
    assert drawn == slides


@pytest.mark.parametrize(
    ("dials", "several"),
    [
        ({}, True),
        (TUPLE, False),
        ({"report": "P(2)", "tick": "tuple"}, True),
        ({**CC, "clock": "own"}, False),
    ],
)
def test_one_element_comes_at_each_instant(dials: dict[str, str], several: bool) -> None:
    most = 0
    for timed, counted in trials(COUNTED, dials, number=3 * INSTANCES):
        for window, other in zip(timed.query.windows, counted.query.windows, strict=True):
            assert isinstance(other.width, Count)
            assert (window.width, window.slide) == (other.width.number, other.slide)
            came = [e.t for e in timed.elements if e.stream == window.stream]
            assert came == [*range(timed.registered + 1, timed.until + 1)]
        assert replace(timed, query=counted.query) == counted
        most = max(most, len(timed.query.streams()))
    assert (most > 1) is several
