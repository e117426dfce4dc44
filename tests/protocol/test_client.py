"""The client against drivers that die, hang, babble, flood, answer late or out of order."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.model.answers import Rows, Truth
from rsp_conformance.model.terms import IRI
from rsp_conformance.protocol import (
    EngineBroken,
    EngineUnavailable,
    Failure,
    InProcessEngine,
    Outcome,
    ProtocolEngine,
    Reply,
    VersionMismatch,
)
from rsp_conformance.protocol.process import Child, Line

DRIVER = str(Path(__file__).with_name("misbehaving.py"))
COMMAND = (sys.executable, "-S", DRIVER)

Make = Callable[..., ProtocolEngine]


def request(case: str, **fields: Any) -> dict[str, Any]:
    """A small case under this id."""
    elements = [
        {"stream": "http://ex.org/s", "t": 2, "graph": "<a:a> <a:b> <a:c> .\n"},
        {"stream": "http://ex.org/s", "t": 7, "graph": "<a:a> <a:b> <a:c> .\n"},
    ]
    return {"op": "run", "id": case, "query": "", "elements": elements, **fields}


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes engines on the misbehaving driver and closes them."""
    engines: list[ProtocolEngine] = []

    def start(*options: str, time_limit: float = 5.0, **more: Any) -> ProtocolEngine:
        engine = ProtocolEngine((*COMMAND, *options), time_limit=time_limit, **more)
        engines.append(engine)
        return engine

    yield start
    for engine in engines:
        engine.close()


def failed(outcome: Outcome, kind: str) -> Failure:
    """The outcome, which must be a failure of this kind."""
    assert isinstance(outcome, Failure), outcome
    assert outcome.kind == kind, outcome
    assert outcome.message
    assert outcome.hint
    return outcome


def good(outcome: Outcome, case: str) -> None:
    """The outcome must be the good reply to this case."""
    assert isinstance(outcome, Reply), outcome
    assert outcome.id == case
    assert outcome.answers[0].content == Rows(("x",), ((IRI(f"http://ex.org/{case}"),),))


def gone(pid: int) -> bool:
    """Whether a process has ended; a corpse that its new parent has not buried yet counts."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def ended(pid: int) -> bool:
    """Whether a process that has been killed is gone soon: a signal takes its time to arrive."""
    deadline = time.monotonic() + 5
    while not gone(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return gone(pid)


def test_a_good_driver_answers(make: Make) -> None:
    engine = make()
    hello = engine.hello()
    assert (hello.engine, hello.parallel) == ("misbehaving", 1)
    assert hello.features == {"select", "filter"}  # x- is ignored
    outcomes = dict(engine.run_many(request(f"c{n}") for n in range(10)))
    assert list(outcomes) == [f"c{n}" for n in range(10)]
    for case, outcome in outcomes.items():
        good(outcome, case)


def test_replies_out_of_order_find_their_requests(make: Make) -> None:
    engine = make("--parallel", "4", "--reversed")
    outcomes = list(engine.run_many(request(f"c{n}") for n in range(12)))
    assert [case for case, _ in outcomes] != [f"c{n}" for n in range(12)]
    assert len(outcomes) == 12
    for case, outcome in outcomes:
        good(outcome, case)


def test_requests_are_taken_only_as_they_are_sent(make: Make) -> None:
    taken: list[int] = []

    def requests() -> Iterator[dict[str, Any]]:
        for number in range(10):
            taken.append(number)
            yield request(f"c{number}")

    outcomes = make("--parallel", "2").run_many(requests())
    next(outcomes)
    assert len(taken) == 2


def test_an_iterator_closed_early_leaves_no_reply_behind(make: Make) -> None:
    engine = make("--parallel", "3")
    outcomes = engine.run_many(request(f"c{n}") for n in range(10))
    next(outcomes)
    with pytest.raises(RuntimeError, match="still running"):
        engine.run(request("other"))
    outcomes.close()  # type: ignore[attr-defined]
    good(engine.run(request("c1")), "c1")


def test_an_id_that_is_missing_or_running_is_the_callers_error(make: Make) -> None:
    engine = make("--parallel", "2")
    with pytest.raises(ValueError, match="needs an id"):
        engine.run({"op": "run"})
    with pytest.raises(ValueError, match="'c' is still running"):
        list(engine.run_many([request("c"), request("c")]))
    good(engine.run(request("c")), "c")


# --- the driver's own errors ---------------------------------------------------------------


def test_errors_of_the_driver_are_verdicts(make: Make) -> None:
    engine = make()
    failed(engine.run(request("unsupported")), "unsupported")
    assert failed(engine.run(request("rejected")), "rejected").element == 1
    crashed = failed(engine.run(request("crashed")), "crashed")
    assert crashed.message == "this is crashed"
    assert len(crashed.answers) == 1
    assert crashed.stderr == ("Exception in engine",)


# --- death ---------------------------------------------------------------------------------


def test_a_death_is_told_with_status_and_last_words(make: Make) -> None:
    engine = make()
    death = failed(engine.run(request("die")), "died")
    assert "exit status 3" in death.message
    assert death.stderr[-1] == "the last words"
    good(engine.run(request("next")), "next")
    assert "SIGSEGV" in failed(engine.run(request("segv")), "died").message
    good(engine.run(request("last")), "last")


def test_of_several_outstanding_only_the_one_that_repeats_is_blamed(make: Make) -> None:
    engine = make("--parallel", "3")
    ids = ["a", "b", "die.1", "c", "d", "e", "die.2"]
    outcomes = dict(engine.run_many(map(request, ids)))
    assert set(outcomes) == set(ids)
    for case, outcome in outcomes.items():
        if case.startswith("die"):
            failed(outcome, "died")
        else:
            good(outcome, case)


def test_a_hang_among_several_is_blamed_alone(make: Make) -> None:
    engine = make("--parallel", "3", time_limit=0.6)
    outcomes = dict(engine.run_many(map(request, ["a", "hang", "b", "c"])))
    failed(outcomes.pop("hang"), "timeout")
    for case, outcome in outcomes.items():
        good(outcome, case)
    assert set(outcomes) == {"a", "b", "c"}


def test_a_driver_that_dies_after_its_reply_is_started_anew(make: Make) -> None:
    engine = make()
    for number in range(3):
        good(engine.run(request(f"last-breath.{number}")), f"last-breath.{number}")
        time.sleep(0.1)


def test_a_closed_standard_output_is_a_death(make: Make) -> None:
    engine = make()
    death = failed(engine.run(request("close")), "died")
    assert "closed its standard output" in death.message
    good(engine.run(request("next")), "next")


def test_a_line_cut_off_by_death_is_no_reply(make: Make) -> None:
    assert "20 bytes" in failed(make().run(request("cut")), "died").message


# --- time ----------------------------------------------------------------------------------


def test_a_hang_ends_at_the_time_limit(make: Make) -> None:
    engine = make(time_limit=0.5)
    engine.hello()
    start = time.monotonic()
    assert "0.5 s" in failed(engine.run(request("hang")), "timeout").message
    assert 0.4 < time.monotonic() - start < 2.0
    good(engine.run(request("next")), "next")


def test_an_answer_after_the_limit_is_too_late(make: Make) -> None:
    engine = make(time_limit=0.5)
    failed(engine.run(request("late")), "timeout")
    good(engine.run(request("next")), "next")  # and never taken for another's


def test_time_that_the_caller_takes_is_not_the_drivers(make: Make) -> None:
    engine = make("--parallel", "2", time_limit=0.4)
    outcomes = engine.run_many(map(request, ["a", "b", "c"]))
    next(outcomes)
    time.sleep(0.8)
    for case, outcome in outcomes:
        good(outcome, case)


def test_a_line_without_its_end_is_told(make: Make) -> None:
    failure = failed(make(time_limit=0.5).run(request("partial")), "timeout")
    assert "20 bytes of a line" in failure.message


def test_a_driver_that_never_reads_cannot_block_the_kit(make: Make) -> None:
    engine = make("--deaf", time_limit=0.5)
    engine.hello()
    start = time.monotonic()
    failed(engine.run(request("big", query="x" * 4_000_000)), "timeout")
    assert time.monotonic() - start < 3.0


# --- broken protocol -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("babble", "a line of JSON"),
        ("empty-line", "a line of JSON"),
        ("unknown-id", "somebody-else"),
        ("no-id", "id: expected the id of an outstanding request, found nothing"),
        ("no-op", "op: expected one of run, found nothing"),
        ("no-answers", "answers: expected an array, found nothing"),
        ("wrong-types", "answers[0].t: expected an integer, a decimal or null"),
        ("bad-cause", "answers[0].cause: expected an index of the 2 elements, found 9"),
        ("other-error", "error.kind: expected one of unsupported, rejected, crashed"),
        ("flood", "nobody"),
    ],
)
def test_a_broken_protocol_is_told_by_field(make: Make, case: str, said: str) -> None:
    engine = make()
    assert said in failed(engine.run(request(case)), "protocol-error").message
    good(engine.run(request("next")), "next")


def test_a_second_reply_is_for_nobody(make: Make) -> None:
    engine = make()
    good(engine.run(request("twice")), "twice")
    failed(engine.run(request("slow")), "protocol-error")


def test_a_line_without_end_is_cut_off(make: Make) -> None:
    start = time.monotonic()
    failure = failed(make(time_limit=20.0).run(request("giant")), "protocol-error")
    assert "67108864 bytes" in failure.message
    assert time.monotonic() - start < 10.0


def test_a_flood_that_nobody_reads_is_held_up(tmp_path: Path) -> None:
    program = "import os\nwhile True: os.write(1, b'\\n' * 65536)"
    child = Child([sys.executable, "-S", "-c", program])
    try:
        held = [0]
        for _ in range(40):
            time.sleep(0.05)
            held.append(child._pump._held)
            if held[-1] == held[-2] > 0:
                break
        assert held[-1] == held[-2]
        assert 0 < held[-1] < 40 * 1024 * 1024
        assert isinstance(child.receive(time.monotonic()), Line)
    finally:
        child.kill()


def test_a_reply_in_many_pieces_is_one(make: Make) -> None:
    good(make().run(request("pieces")), "pieces")


def test_broken_protocol_among_several_is_blamed_alone(make: Make) -> None:
    engine = make("--parallel", "3")
    outcomes = dict(engine.run_many(map(request, ["a", "babble", "b"])))
    failed(outcomes.pop("babble"), "protocol-error")
    for case, outcome in outcomes.items():
        good(outcome, case)


# --- standard error, rows ------------------------------------------------------------------


def test_noise_on_standard_error_blocks_nobody_and_only_its_tail_is_kept(make: Make) -> None:
    engine = make("--noise")
    good(engine.run(request("chatty")), "chatty")
    death = failed(engine.run(request("die")), "died")
    assert len(death.stderr) <= 41
    assert death.stderr[-1] == "the last words"


def test_rows_become_evaluations(make: Make) -> None:
    outcome = make("--rows").run(request("rows"))
    assert isinstance(outcome, Reply)
    assert [(a.t, len(a.content)) for a in outcome.answers] == [(6, 2), (8, 1), (6, 1)]


# --- hello ---------------------------------------------------------------------------------


def test_an_engine_that_is_not_installed_says_how_to_install_it(make: Make) -> None:
    with pytest.raises(EngineUnavailable, match="install it with: make it"):
        make("--hello", "unavailable").hello()


def test_another_version_is_told(make: Make) -> None:
    with pytest.raises(VersionMismatch, match="I speak 7 only"):
        make("--hello", "version").run(request("c"))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("die", "exit status 3"),
        ("hang", "did not say hello within 0.5 s"),
        ("babble", "a line of JSON"),
        ("array", "an object"),
        ("latin-1", "a line of UTF-8"),
        ("flood", "op: expected one of hello"),
        ("close", "closed its standard output"),
        ("other-error", "error.kind: expected one of unavailable, version"),
        ("unknown-feature", "multi-window"),  # the table
    ],
)
def test_three_hellos_that_fail_end_the_run(make: Make, how: str, said: str) -> None:
    log: list[tuple[str, str]] = []
    engine = make("--hello", how, hello_limit=0.5, log=lambda way, text: log.append((way, text)))
    with pytest.raises(EngineBroken) as broken:
        engine.hello()
    assert "3 hellos in a row" in broken.value.message
    assert said in str(broken.value)
    assert sum(way == "→" for way, _ in log) == 3


def test_a_hello_that_fails_once_is_forgiven(make: Make, tmp_path: Path) -> None:
    engine = make("--hello", "die", "--hello-once", str(tmp_path / "once"))
    good(engine.run(request("c")), "c")


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(EngineUnavailable, match="no-such-driver"):
        ProtocolEngine(["./no-such-driver"]).hello()
    with pytest.raises(EngineUnavailable):
        ProtocolEngine([__file__]).hello()  # may not be executed


# --- the end -------------------------------------------------------------------------------


def test_closing_ends_a_good_driver_at_once(make: Make) -> None:
    engine = make()
    engine.hello()
    start = time.monotonic()
    engine.close()
    engine.close()
    assert time.monotonic() - start < 1.0
    good(engine.run(request("again")), "again")


def test_a_driver_that_outlives_its_input_is_killed(make: Make, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    engine = make("--immortal", "--grandchild", str(pids))
    engine.hello()
    start = time.monotonic()
    engine.close()
    assert 1.5 < time.monotonic() - start < 5.0
    assert all(ended(int(pid)) for pid in pids.read_text().split())


def test_a_stubborn_driver_dies_with_its_grandchild(make: Make, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    engine = make("--grandchild", str(pids), time_limit=0.5)
    engine.hello()
    driver, grandchild = map(int, pids.read_text().split())
    assert not gone(driver)
    assert not gone(grandchild)
    failed(engine.run(request("stubborn")), "timeout")
    assert ended(driver)
    assert ended(grandchild)


def test_a_grandchild_dies_with_a_driver_that_died_by_itself(make: Make, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    engine = make("--grandchild", str(pids))
    failed(engine.run(request("die")), "died")
    assert all(ended(int(pid)) for pid in pids.read_text().split())


def test_restart_meets_a_new_process(make: Make, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    engine = make("--grandchild", str(pids))
    engine.hello()
    before = pids.read_text()
    engine.restart()
    engine.hello()
    assert pids.read_text() != before
    assert all(ended(int(pid)) for pid in before.split())


def descriptors() -> int:
    """How many files this process has open."""
    return len(os.listdir("/dev/fd"))


def test_nothing_leaks(make: Make) -> None:
    engine = make()
    engine.hello()
    engine.close()
    files, threads = descriptors(), threading.active_count()
    for number in range(5):
        failed(engine.run(request(f"die.{number}")), "died")
        engine.restart()
        good(engine.run(request("c")), "c")
    engine.close()
    assert descriptors() == files
    assert threading.active_count() == threads


def test_an_interpreter_that_forgets_to_close_leaves_nothing(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    program = f"""
        from rsp_conformance.protocol import ProtocolEngine
        engine = ProtocolEngine({[*COMMAND, "--immortal", "--grandchild", str(pids)]!r})
        engine.hello()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True, timeout=30)
    deadline = time.monotonic() + 3.0
    while time.monotonic() < deadline and not all(map(gone, map(int, pids.read_text().split()))):
        time.sleep(0.02)
    assert all(ended(int(pid)) for pid in pids.read_text().split())


def test_the_log_gets_the_wire(make: Make) -> None:
    log: list[tuple[str, str]] = []
    engine = make(log=lambda way, text: log.append((way, text)))
    engine.run(request("die"))
    assert [way for way, _ in log] == ["→", "←", "→", "!"]
    assert log[0][1] == '{"op":"hello","protocol":1}'


def test_text_beyond_ascii_goes_through(make: Make) -> None:
    case = "ünï \u2028 \U0001f600 \ud800"
    outcome = make().run(request(case))
    assert isinstance(outcome, Reply)
    assert outcome.id == case


# --- in process ----------------------------------------------------------------------------


class Adapter:
    """A Python engine that does as the id says."""

    made = 0

    def __init__(self, **hello: Any) -> None:
        type(self).made += 1
        self.own = hello

    def hello(self, request: dict[str, Any]) -> dict[str, Any]:
        assert request == {"op": "hello", "protocol": 1}
        return {
            "op": "hello",
            "protocol": 1,
            "engine": "python",
            "version": "1",
            "language": "rsp-ql",
            "profile": {"base": "rsp-ql"},
            "features": ["select"],
            **self.own,
        }

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        case = request["id"]
        if case == "raise":
            raise ZeroDivisionError("by nothing")
        if case == "nonsense":
            return {"op": "run", "id": "other", "answers": []}
        if case == "refuse":
            error = {"kind": "unsupported", "message": "no"}
            return {"op": "run", "id": case, "error": error}
        answer = {"t": 2.5, "cause": "end", "boolean": True}
        return {"op": "run", "id": case, "answers": [answer]}


def test_in_process() -> None:
    with InProcessEngine(Adapter()) as engine:
        assert engine.hello().profile == {"base": "rsp-ql"}
        ids = ["a", "raise", "nonsense", "refuse"]
        outcomes = dict(engine.run_many(map(request, ids)))
    reply = outcomes["a"]
    assert isinstance(reply, Reply)
    assert reply.answers[0].content == Truth(True)
    assert reply.answers[0].t == Fraction(5, 2)
    crash = failed(outcomes["raise"], "crashed")
    assert crash.message == "ZeroDivisionError: by nothing"
    assert "by nothing" in crash.stderr[-1]
    failed(outcomes["nonsense"], "protocol-error")
    failed(outcomes["refuse"], "unsupported")


def test_in_process_restart_makes_a_new_object() -> None:
    Adapter.made = 0
    engine = InProcessEngine(Adapter)
    engine.run(request("a"))
    engine.run(request("b"))
    assert Adapter.made == 1
    engine.restart()
    engine.run(request("c"))
    assert Adapter.made == 2


def test_in_process_hello_that_fails() -> None:
    with pytest.raises(EngineBroken, match="telepathy"):
        InProcessEngine(Adapter(features=["telepathy"])).hello()
    with pytest.raises(EngineUnavailable, match="pip install"):
        error = {"kind": "unavailable", "message": "pip install it"}
        InProcessEngine(Adapter(error=error)).hello()
