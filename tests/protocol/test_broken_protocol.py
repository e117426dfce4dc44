"""The client against drivers that babble, flood, and say hello wrongly."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from rsp_conformance.protocol import (
    EngineBroken,
    EngineUnavailable,
    ProtocolEngine,
    VersionMismatch,
    client,
)
from rsp_conformance.protocol.client import START_LIMIT
from rsp_conformance.protocol.process import Child
from rsp_conformance.protocol.pump import Line
from tests.builders.drivers import Make, failed, good, request


def test_a_second_reply_is_for_nobody(make: Make) -> None:
    engine = make()
    good(engine.run(request("twice")), "twice")
    failed(engine.run(request("slow")), "protocol-error")


def test_a_flood_that_nobody_reads_is_held_up(tmp_path: Path) -> None:
    program = "import os\nwhile True: os.write(1, b'\\n' * 65536)"
    child = Child([sys.executable, "-S", "-c", program])
    try:
        held = [0]
        for _ in range(40):
            time.sleep(0.05)
            held.append(child.pipes._held)
            if held[-1] == held[-2] > 0:
                break
        assert held[-1] == held[-2]
        assert 0 < held[-1] < 40 * 1024 * 1024
        assert isinstance(child.receive(time.monotonic()), Line)
    finally:
        child.kill()


def test_a_reply_in_many_pieces_is_one(make: Make) -> None:
    good(make().run(request("pieces")), "pieces")


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
        ("babble", "a line of JSON"),
        ("flood", 'op: expected "hello"'),
        ("close", "closed its standard output"),
        ("good --features=select,telepathy", "multi-window"),  # the table
    ],
)
def test_three_hellos_that_fail_end_the_run(make: Make, how: str, said: str) -> None:
    log: list[tuple[str, str]] = []
    engine = make("--hello", *how.split(), log=lambda way, text: log.append((way, text)))
    with pytest.raises(EngineBroken) as broken:
        engine.hello()
    assert "3 hellos in a row" in broken.value.message
    assert said in str(broken.value)
    assert sum(way == "→" for way, _ in log) == 3


def test_a_hello_that_never_comes_ends_the_run_once_its_time_is_over(make: Make) -> None:
    log: list[tuple[str, str]] = []
    engine = make("--hello", "hang", hello_limit=0.5, log=lambda way, text: log.append((way, text)))
    with pytest.raises(EngineBroken) as broken:
        engine.hello()
    assert broken.value.message == "the driver did not say hello within 0.5 s"
    assert "run it by hand: " in broken.value.line
    assert [text for way, text in log if way == "!"] == [broken.value.message]


@pytest.mark.parametrize(
    ("time_limit", "seconds"), [(0.5, START_LIMIT), (2 * START_LIMIT, 2 * START_LIMIT)]
)
def test_a_start_has_the_time_of_a_case_but_some_at_least(
    make: Make, monkeypatch: pytest.MonkeyPatch, time_limit: float, seconds: float
) -> None:
    said: list[str] = []
    engine = make("--hello", "late", time_limit=time_limit)
    monkeypatch.setattr(engine, "tell", said.append)
    monkeypatch.setattr(client, "NOTICE", 0.05)
    assert engine.hello().engine == "toy"
    (line,) = said
    assert line.startswith(f"waiting for the driver's hello, {seconds:g} s at most: ")
    assert line.endswith("--hello late")
    engine.restart()
    engine.hello()
    assert len(said) == 1


def test_a_hello_that_fails_once_is_forgiven(make: Make, tmp_path: Path) -> None:
    engine = make("--hello", "die", "--hello-once", str(tmp_path / "once"))
    good(engine.run(request("c")), "c")


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(EngineUnavailable, match="no-such-driver"):
        ProtocolEngine(["./no-such-driver"]).hello()
    with pytest.raises(EngineUnavailable):
        ProtocolEngine([__file__]).hello()  # may not be executed
