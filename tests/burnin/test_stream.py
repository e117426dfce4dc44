"""The long stream: the same for everybody, in any stretch, and hard on engines."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise

import pytest

from rsp_conformance.burnin.stream import MOST_SPAN, NEARBY, READS, Source
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from tests.builders.command_line import python

ONE = (IRI("http://ex.org/s1"),)
TWO = (*ONE, IRI("http://ex.org/s2"))
SIZE = 25_000


@pytest.fixture(scope="module")
def stream() -> tuple[StreamElement, ...]:
    return Source("7", SIZE, ONE).elements(0, SIZE)


def digest(elements: tuple[StreamElement, ...]) -> str:
    return hashlib.sha256(repr(elements).encode()).hexdigest()


def test_the_same_seed_gives_the_same_stream_in_any_process(
    stream: tuple[StreamElement, ...],
) -> None:
    program = (
        "import hashlib; from rsp_conformance.burnin.stream import Source; "
        "from rsp_conformance.model.terms import IRI; "
        f"s = Source('7', {SIZE}, (IRI('http://ex.org/s1'),)).elements(0, {SIZE}); "
        "print(hashlib.sha256(repr(s).encode()).hexdigest())"
    )
    assert python("-c", program, timeout=60).well.strip() == digest(stream)
    assert digest(Source("8", SIZE, ONE).elements(0, SIZE)) != digest(stream)


def test_any_stretch_is_made_without_what_comes_before_or_after(
    stream: tuple[StreamElement, ...],
) -> None:
    for start, stop in ((0, 10), (9_990, 10_010), (19_000, SIZE + 5), (12_345, 12_345)):
        assert Source("7", SIZE, ONE).elements(start, stop) == stream[start:stop]
    for since, until in ((0, 50), (9_900, 10_100), (3_000, 24_000), (stream[-1].t, 10**9)):
        expected = tuple(e for e in stream if since <= e.t <= until)
        assert Source("7", SIZE, ONE).between(since, until) == expected
        assert Source("7", SIZE, ONE).count(since, until) == len(expected)
    short = Source("7", 1_234, ONE)

    assert short.elements(0, 10**6) == stream[:1_234]
    assert short.last == stream[1_233].t
    assert short.between(0, 10**6) == stream[:1_234]


def test_there_is_an_element_an_instant_on_average_and_the_rate_drifts(
    stream: tuple[StreamElement, ...],
) -> None:
    for block in range(2):
        own = stream[block * 10_000 : (block + 1) * 10_000]
        assert block * 10_000 <= own[0].t <= own[-1].t < (block + 1) * 10_000
    assert all(one.t <= other.t for one, other in pairwise(stream))
    long = Source("7", 40_000, ONE).elements(0, 40_000)
    busy = Counter(element.t // 100 for element in long)
    means = [
        sum(busy[n] for n in range(at, at + 50) if busy[n] > 20)
        / max(1, sum(busy[n] > 20 for n in range(at, at + 50)))
        for at in range(0, 400, 50)
    ]

    assert max(means) > 1.3 * min(means)


def test_it_pauses_bursts_falls_silent_and_repeats_itself(
    stream: tuple[StreamElement, ...],
) -> None:
    gaps = [other.t - one.t for one, other in pairwise(stream)]
    pauses = [gap for gap in gaps if 100 < gap <= 500]

    assert len(pauses) >= 10
    assert 1 <= sum(gap >= 3_600 for gap in gaps) <= 3
    assert Counter(element.t for element in stream).most_common(1)[0][1] >= 30
    assert sum(one.graph == other.graph for one, other in pairwise(stream)) > SIZE / 40
    # Even a short stream has a pause.
    assert max(gaps[:2_000]) > 100


def test_it_holds_readings_only_for_engines_that_take_numbers(
    stream: tuple[StreamElement, ...],
) -> None:
    def predicates(source: Source) -> set[IRI]:
        return {e.graph[0].predicate for e in source.elements(0, 500)}  # type: ignore[misc]

    assert predicates(Source("7", SIZE, ONE)) == {NEARBY, READS}
    assert predicates(Source("7", SIZE, ONE, numbers=False)) == {NEARBY}


def test_several_streams_share_it() -> None:
    source = Source("7", 1_000, TWO)

    assert {e.stream for e in source.elements(0, 100)} == set(TWO)
    assert source.first == {
        stream: next(e.t for e in source.elements(0, 1_000) if e.stream == stream) for stream in TWO
    }


@pytest.mark.parametrize("width", [100, 400, 1_000])
def test_pauses_outlast_wide_windows_as_far_as_that_goes(width: int) -> None:
    source = Source("7", 10**9, ONE, width=width)
    elements = source.elements(0, source.block // 2)

    assert max(other.t - one.t for one, other in pairwise(elements)) > width


def test_beyond_an_hour_no_pause_outlasts_the_windows() -> None:
    assert (
        Source("7", 10**9, ONE, width=2 * MOST_SPAN).block == Source("7", 1, ONE, MOST_SPAN).block
    )


def test_an_empty_stream_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one element"):
        Source("7", 0, ONE)
