"""Cases in pieces: drivers, engines in process, and engines that take whole cases only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.protocol import (
    Engine,
    EngineBroken,
    Failure,
    FeedLost,
    InProcessEngine,
    ProtocolEngine,
    ProtocolError,
    Reply,
    read_hello,
)
from tests.builders.drivers import ended, engines_on
from tests.protocol.piecewise import Piecewise

COMMAND = (sys.executable, "-S", str(Path(__file__).with_name("piecewise.py")))

Make = Callable[..., Engine]


@pytest.fixture
def driver() -> Iterator[Callable[..., ProtocolEngine]]:
    """Makes engines on the driver and closes them."""
    with engines_on(*COMMAND, time_limit=5.0) as start:
        yield start


@pytest.fixture(params=["driver", "in process"])
def make(request: pytest.FixtureRequest, driver: Make) -> Make:
    """Makes engines of both kinds."""

    def start(*options: str) -> Engine:
        if request.param == "driver":
            return driver(*options)
        return InProcessEngine(lambda: Piecewise("--rows" in options, "--whole" in options))

    return start


def opening(case: str) -> dict[str, Any]:
    return {"op": "open", "id": case, "query": "", "until": 99}


def elements(*instants: int) -> list[dict[str, Any]]:
    graph = "<a:a> <a:b> <a:c> .\n"
    return [{"stream": "http://ex.org/s", "t": t, "graph": graph} for t in instants]


def causes(answers: tuple[Observed, ...]) -> list[int | str | None]:
    return [answer.cause for answer in answers]


def lost(engine: Engine, case: str, kind: str) -> Failure:
    """The failure of a case of two pushes of two elements each."""
    with engine.feed(opening(case)) as feed, pytest.raises(FeedLost) as caught:
        feed.push(elements(1, 2))
        feed.push(elements(3, 4))
        feed.close()
    failure = caught.value.failure
    assert failure.kind == kind, failure
    assert failure.message and failure.hint
    assert feed.over
    with pytest.raises(RuntimeError, match="this feed is over"):
        feed.push([])
    return failure


def test_answers_come_with_the_pushes_and_causes_count_from_the_start(make: Make) -> None:
    engine = make()
    assert engine.hello().pieces
    with engine.feed(opening("c")) as feed:
        assert feed.incremental
        assert causes(feed.push(elements(1, 2))) == [0, 1]
        assert causes(feed.push([])) == []
        assert causes(feed.push(elements(2))) == [2]
        assert causes(feed.close()) == ["end"]
    with pytest.raises(RuntimeError, match="over: it was closed"):
        feed.close()
    whole = engine.run({**opening("w"), "op": "run", "elements": elements(1, 2, 2)})
    assert isinstance(whole, Reply)
    assert causes(whole.answers) == [0, 1, 2, "end"]


def test_an_engine_for_whole_cases_answers_when_the_feed_is_closed(make: Make) -> None:
    engine = make("--whole")
    assert not engine.hello().pieces
    with engine.feed(opening("c")) as feed:
        assert not feed.incremental
        assert feed.push(elements(1, 2)) == feed.push(elements(2)) == ()
        assert causes(feed.close()) == [0, 1, 2, "end"]
    with pytest.raises(RuntimeError, match="over: it was closed"):
        feed.push([])


def test_a_whole_case_has_the_time_limit_for_every_thousand_elements(driver: Make) -> None:
    engine = driver("--whole", time_limit=0.4)
    with engine.feed(opening("hang.0")) as feed, pytest.raises(FeedLost) as caught:
        feed.push(elements(*[1] * 3000))
        feed.close()
    assert caught.value.failure.kind == "timeout"
    assert caught.value.failure.message == "the driver did not answer within 1.2 s"
    response = engine.run({**opening("hang.0"), "op": "run", "elements": []})
    assert isinstance(response, Failure)
    assert response.message == "the driver did not answer within 0.4 s"


def test_rows_wait_for_their_neighbours_in_the_next_piece(make: Make) -> None:
    with make("--rows").feed(opening("c")) as feed:
        assert feed.push(elements(1, 1)) == ()
        (first,) = feed.push(elements(1, 2))
        assert first.t == 1 and isinstance(first.content, Rows) and len(first.content) == 3
        assert [answer.t for answer in feed.close()] == [2, 99]
    failure = lost(make("--rows"), "crashed.2", "crashed")
    assert [answer.t for answer in failure.answers] == [2, 5]


@pytest.mark.parametrize(
    ("case", "kind", "said"),
    [
        ("unsupported.0", "unsupported", "no such query"),
        ("rejected.2", "rejected", "no"),
        ("crashed.2", "crashed", "it threw"),
        ("crashed.close", "crashed", "it threw"),
        ("other-id.1", "protocol-error", "id: expected the id of the open case"),
        ("other-op.2", "protocol-error", "op: expected one of push"),
        ("no-answers.close", "protocol-error", "answers: expected an array, found nothing"),
        ("future.1", "protocol-error", "cause: expected an index of the 2 elements, found 2"),
        ("end-too-soon.1", "protocol-error", "the stream has not ended"),
    ],
)
def test_what_goes_wrong_is_raised(make: Make, case: str, kind: str, said: str) -> None:
    engine = make()
    failure = lost(engine, case, kind)
    assert said in failure.message
    assert failure.element == (3 if case == "rejected.2" else None)
    assert causes(failure.answers) == ([3] if kind == "crashed" else [])
    # The engine starts anew for whatever comes next.
    with engine.feed(opening("again")) as feed:
        assert causes(feed.push(elements(1))) == [0]


@pytest.mark.parametrize("when", ["0", "1", "2", "close"])
def test_a_driver_that_dies(driver: Callable[..., ProtocolEngine], when: str) -> None:
    failure = lost(driver(), f"die.{when}", "died")
    assert "exit status 3" in failure.message
    assert failure.stderr == ("the last words",)


def test_a_driver_that_hangs_is_killed(driver: Callable[..., ProtocolEngine]) -> None:
    engine = driver(time_limit=0.4)
    engine.hello()
    pid = engine.pid()
    assert pid is not None
    lost(engine, "hang.2", "timeout")
    assert ended(pid)
    assert engine.pid() is None


def test_an_exception_in_process_is_a_crash() -> None:
    with InProcessEngine(Piecewise) as engine:
        assert engine.pid() is None
        failure = lost(engine, "raise.2", "crashed")
    assert failure.message == "ZeroDivisionError: by nothing"
    assert "by nothing" in failure.stderr[-1]


def test_a_feed_that_is_left_is_given_up(driver: Callable[..., ProtocolEngine]) -> None:
    engine = driver()
    with engine.feed(opening("c")) as feed:
        feed.push(elements(1))
        pid = engine.pid()
        assert pid is not None
    assert ended(pid)
    with pytest.raises(RuntimeError, match="left without closing"):
        feed.push([])
    with pytest.raises(KeyboardInterrupt), engine.feed(opening("c")) as feed:
        raise KeyboardInterrupt
    assert isinstance(engine.run({**opening("w"), "op": "run", "elements": []}), Reply)


def test_no_other_case_while_one_is_open(driver: Callable[..., ProtocolEngine]) -> None:
    engine = driver()
    with engine.feed(opening("c")) as feed:
        with pytest.raises(RuntimeError, match="still open"):
            engine.run({**opening("w"), "op": "run", "elements": []})
        with pytest.raises(RuntimeError, match="still open"):
            engine.feed(opening("d"))
        engine.hello()
        assert causes(feed.push(elements(1))) == [0]
        engine.restart()
        with pytest.raises(RuntimeError, match="its engine was restarted"):
            feed.push(elements(2))
    with engine.feed(opening("c")) as feed:
        assert causes(feed.push(elements(1))) == [0]


def test_an_engine_that_cannot_start_is_no_matter_of_the_case() -> None:
    class Mute(Piecewise):
        def hello(self, request: dict[str, Any]) -> dict[str, Any]:
            raise ValueError("mute")

    with InProcessEngine(Mute) as engine, pytest.raises(EngineBroken, match="mute"):
        engine.feed(opening("c"))
    with InProcessEngine(Piecewise) as engine, pytest.raises(ValueError, match="needs an id"):
        engine.feed({"op": "open"})


def test_pieces_are_true_or_false() -> None:
    with pytest.raises(ProtocolError, match="pieces: expected true or false"):
        read_hello({**Piecewise().hello({}), "pieces": "yes"})
