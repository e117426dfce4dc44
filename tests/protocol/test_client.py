"""The client against drivers that answer out of order, err, die, hang, babble and answer late."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from rsp_conformance.protocol import Reply
from tests.builders.drivers import Make, failed, good, request


def test_a_good_driver_answers(make: Make) -> None:
    engine = make()
    hello = engine.hello()
    assert (hello.engine, hello.parallel) == ("toy", 1)
    assert hello.features == {"select", "filter"}  # x- is ignored
    responses = dict(engine.run_many(request(f"c{n}") for n in range(10)))
    assert list(responses) == [f"c{n}" for n in range(10)]
    for case, response in responses.items():
        good(response, case)


def test_replies_out_of_order_find_their_requests(make: Make) -> None:
    engine = make("--parallel", "4", "--reversed")
    responses = list(engine.run_many(request(f"c{n}") for n in range(12)))
    assert [case for case, _ in responses] != [f"c{n}" for n in range(12)]
    assert len(responses) == 12
    for case, response in responses:
        good(response, case)


def test_requests_are_taken_only_as_they_are_sent(make: Make) -> None:
    taken: list[int] = []

    def requests() -> Iterator[dict[str, Any]]:
        for number in range(10):
            taken.append(number)
            yield request(f"c{number}")

    responses = make("--parallel", "2").run_many(requests())
    next(responses)
    # Two, and one in the place of that which has come: the engine works while it is judged.
    assert len(taken) == 3


def test_an_iterator_closed_early_leaves_no_reply_behind(make: Make) -> None:
    engine = make("--parallel", "3")
    responses = engine.run_many(request(f"c{n}") for n in range(10))
    next(responses)
    with pytest.raises(RuntimeError, match="still running"):
        engine.run(request("other"))
    responses.close()  # type: ignore[attr-defined]
    good(engine.run(request("c1")), "c1")


def test_an_id_that_is_missing_or_running_is_the_callers_error(make: Make) -> None:
    engine = make("--parallel", "2")
    with pytest.raises(ValueError, match="needs an id"):
        engine.run({"op": "run"})
    with pytest.raises(ValueError, match="'c' is still running"):
        list(engine.run_many([request("c"), request("c")]))
    good(engine.run(request("c")), "c")


def test_errors_of_the_driver_are_verdicts(make: Make) -> None:
    engine = make()
    failed(engine.run(request("unsupported")), "unsupported")
    assert failed(engine.run(request("rejected")), "rejected").element == 1
    crashed = failed(engine.run(request("crashed")), "crashed")
    assert crashed.message == "this is crashed"
    assert len(crashed.answers) == 1
    assert crashed.stderr == ("Exception in engine",)


def test_what_a_driver_writes_beside_an_answer_belongs_to_that_case(make: Make) -> None:
    engine = make()
    first, plain, other = (engine.run(request(case)) for case in ("warned.1", "c", "warned.2"))
    assert [response.stderr for response in (first, plain, other)] == [
        ("warned.1\\x1b[2J failed",),
        (),
        ("warned.2\\x1b[2J failed",),
    ]
    refused = failed(engine.run(request("refused")), "rejected")
    assert refused.stderr == ("at parser.js:7",)
    assert failed(engine.run(request("rejected")), "rejected").stderr == ()


def test_a_crash_has_no_lines_of_earlier_cases(make: Make) -> None:
    engine = make()
    for case, kind, said in (
        ("crashed", "crashed", "Exception in engine"),
        ("die", "died", "the last words"),
    ):
        # This line names an error, and such a line is kept for long.
        assert engine.run(request("warned.1")).stderr == ("warned.1\\x1b[2J failed",)
        assert failed(engine.run(request(case)), kind).stderr == (said,)


@pytest.mark.parametrize("parallel", ["1", "3"])
def test_what_a_driver_writes_at_its_start_is_there_for_a_case_that_wrote_nothing(
    make: Make, parallel: str
) -> None:
    engine = make("--banner", "--parallel", parallel)
    started = tuple(f"(at its start) banner {n}" for n in range(2, 10))
    responses = dict(engine.run_many(map(request, ["a", "rejected"])))
    assert [response.stderr for response in responses.values()] == [started, started]
    assert engine.run(request("warned.1")).stderr == ("warned.1\\x1b[2J failed",)
    assert engine.run(request("b")).stderr == started


def test_what_a_driver_writes_while_it_runs_several_cases_belongs_to_none(make: Make) -> None:
    engine = make("--parallel", "3")
    ids = ["a", "warned.1", "b", "warned.2", "c"]
    responses = dict(engine.run_many(map(request, ids)))
    assert all(response.stderr == () for response in responses.values())
    assert engine.run(request("warned.3")).stderr == ("warned.3\\x1b[2J failed",)


def test_of_a_flood_on_standard_error_the_last_lines_are_kept(make: Make) -> None:
    engine = make(time_limit=20)
    good(engine.run(request("c")), "c")
    assert 1 <= len(engine.run(request("chatty")).stderr) <= 9


@pytest.mark.parametrize(
    ("case", "kind", "said"),
    [
        ("die", "died", "exit status 3"),
        ("segv", "died", "SIGSEGV"),
        ("no-stdout", "died", "closed its standard output"),
        ("cut", "died", "20 bytes"),
        ("hang", "timeout", "0.5 s"),
        ("late", "timeout", "0.5 s"),
        ("partial", "timeout", "20 bytes of a line"),
        ("babble", "protocol-error", "a line of JSON"),
        ("empty-line", "protocol-error", "a line of JSON"),
        ("unknown-id", "protocol-error", "somebody-else"),
        ("no-id", "protocol-error", "id: expected the id of an outstanding request, found nothing"),
        ("flood", "protocol-error", "nobody"),
    ],
)
def test_how_a_case_ends_is_told_and_the_next_is_answered(
    make: Make, case: str, kind: str, said: str
) -> None:
    """What comes too late is never taken for another's."""
    engine = make(time_limit=0.5 if kind == "timeout" else 60.0)
    engine.hello()
    start = time.monotonic()
    assert said in failed(engine.run(request(case)), kind).message
    assert time.monotonic() - start > 0.4 or kind != "timeout"
    good(engine.run(request("next")), "next")


def test_of_several_outstanding_only_the_one_that_repeats_is_blamed(make: Make) -> None:
    engine = make("--parallel", "3")
    ids = ["a", "b", "die.1", "c", "d", "e", "die.2"]
    responses = dict(engine.run_many(map(request, ids)))
    assert set(responses) == set(ids)
    for case, response in responses.items():
        if case.startswith("die"):
            failed(response, "died")
        else:
            good(response, case)


@pytest.mark.parametrize(("case", "kind"), [("hang", "timeout"), ("babble", "protocol-error")])
def test_one_among_several_is_blamed_alone(make: Make, case: str, kind: str) -> None:
    engine = make("--parallel", "3", time_limit=0.6 if case == "hang" else 60.0)
    responses = dict(engine.run_many(map(request, ["a", case, "b", "c"])))
    failed(responses.pop(case), kind)
    assert set(responses) == {"a", "b", "c"}
    for other, response in responses.items():
        good(response, other)


def test_a_driver_that_dies_after_its_reply_is_started_anew(make: Make) -> None:
    engine = make()
    for number in range(3):
        good(engine.run(request(f"last-breath.{number}")), f"last-breath.{number}")
        time.sleep(0.1)


def test_time_that_the_caller_takes_is_not_the_drivers(make: Make) -> None:
    engine = make("--parallel", "2", time_limit=0.4)
    responses = engine.run_many(map(request, ["a", "b", "c"]))
    next(responses)
    time.sleep(0.8)
    for case, response in responses:
        good(response, case)


def test_noise_on_standard_error_blocks_nobody_and_only_its_tail_is_kept(make: Make) -> None:
    engine = make("--noise")
    good(engine.run(request("chatty")), "chatty")
    death = failed(engine.run(request("die")), "died")
    assert len(death.stderr) <= 41
    assert death.stderr[-1] == "the last words"


def test_rows_become_evaluations(make: Make) -> None:
    response = make("--rows").run(request("rows"))
    assert isinstance(response, Reply)
    assert [(a.t, len(a.content)) for a in response.answers] == [(6, 2), (8, 1), (6, 1)]


def test_the_log_gets_the_wire(make: Make) -> None:
    log: list[tuple[str, str]] = []
    engine = make(log=lambda way, text: log.append((way, text)))
    engine.run(request("die"))
    assert [way for way, _ in log] == ["→", "←", "→", "!"]
    assert log[0][1] == '{"op":"hello","protocol":1}'


def test_text_beyond_ascii_goes_through(make: Make) -> None:
    engine = make()
    good(engine.run(request(case := "ünï\u2028\U0001f600")), case)
    # An id is the kit's own, so it may be what no answer may hold.
    failed(engine.run(request("unsupported.ünï \ud800")), "unsupported")
