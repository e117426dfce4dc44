"""The driver's process, without Java: its hello, its cases, its errors."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.jvm.driver import JvmDriver
from rsp_conformance.adapters.stdio import serve
from rsp_conformance.protocol import EngineUnavailable
from tests.adapters.jvm.fake import replies
from tests.adapters.jvm.toy import TOY, Adapter, FakeJava, started, write_jar
from tests.builders import wire
from tests.builders.command_line import python

CASE: dict[str, Any] = {
    "op": "run",
    "id": "c1",
    "query": "yes",
    "elements": [{"t": 1, "graph": "<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> <urn:o> .\n"}],
}


@pytest.fixture
def make(tmp_path: Path) -> partial[JvmDriver]:
    """Makes a driver on jars that are whole."""
    write_jar(tmp_path / "toy-1.0.jar", *TOY.classes)
    return partial(
        JvmDriver, engine=TOY, make=Adapter, folders=[str(tmp_path)], options={}, start=started
    )


@pytest.fixture
def driver(make: partial[JvmDriver]) -> JvmDriver:
    return make()


ask = partial(replies, serve)


def test_the_hello(driver: JvmDriver) -> None:
    (reply,) = ask(driver, {"op": "hello", "protocol": 3})
    assert reply == {**wire.HELLO, "engine": "toy-engine", "version": "1.0"}
    (reply,) = ask(driver, {"op": "hello", "protocol": 0})
    assert reply["error"]["kind"] == "version"


def test_a_case(driver: JvmDriver) -> None:
    """Equal triples of an element are one: its graph is a set."""
    assert ask(driver, CASE) == [{"op": "run", "id": "c1", "answers": [{"t": 1, "solutions": []}]}]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"query": "no"}, {"kind": "rejected", "message": "no query at all"}),
        (
            {"static": [{"quads": "", "from": 3}]},
            {"kind": "unsupported", "message": "background data that change in time"},
        ),
        (
            {"elements": [{"t": 1, "graph": "<urn:s> <urn:p>"}]},
            {"kind": "rejected", "element": 0},
        ),
        (
            {"elements": [{"t": 1, "graph": "<urn:bad> <urn:p> <urn:o> ."}]},
            {"kind": "crashed", "message": "Sunk: it sank in two lines"},
        ),
    ],
)
def test_a_case_that_ends_in_an_error_ends_nothing_else(
    change: dict[str, Any], error: dict[str, Any], driver: JvmDriver
) -> None:
    refused, answered = ask(driver, {**CASE, **change}, CASE)
    assert (refused["op"], refused["id"]) == ("run", "c1")
    assert error.items() <= refused["error"].items()
    assert "answers" in answered


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("not json", "rejected"),
        ("[]", "rejected"),
        ('{"op": ["hello"]}', "unsupported"),
        ('{"op": "_started"}', "unsupported"),
        ("{}", "unsupported"),
        ('{"op": "run"}', "crashed"),
    ],
)
def test_what_is_no_request_is_answered_too(line: str, kind: str, driver: JvmDriver) -> None:
    refused, answered = ask(driver, line, CASE)
    assert refused["error"]["kind"] == kind
    assert "answers" in answered


def test_jars_or_a_java_that_do_not_start_are_unavailable(make: partial[JvmDriver]) -> None:
    (reply,) = ask(make(options={"class": "org.toy.Other"}), HELLO)
    assert reply["error"]["kind"] == "unavailable"
    said = "Toy 1 1.0 does not start: TypeError: Class org.toy.Other is not found"
    assert said in reply["error"]["message"]

    def start(*_: object) -> FakeJava:
        raise EngineUnavailable("no Java", hint="get one")

    (reply,) = ask(make(start=start), HELLO)
    assert reply["error"] == {"kind": "unavailable", "message": "no Java; get one"}


@pytest.mark.parametrize(
    ("trial", "said"),
    [
        ("no", "Toy 1 1.0 does not start: no query at all; its jars are not whole; rsp-"),
        ("silence", "Toy 1 1.0 does not start: it has no answer to silence; its jars"),
    ],
)
def test_an_engine_that_lacks_classes_only_when_it_runs_is_unavailable(
    trial: str, said: str, make: partial[JvmDriver]
) -> None:
    """It is not there, and not accused of what it does without them."""
    for reply in ask(make(engine=replace(TOY, trials=("yes", trial))), HELLO, HELLO):
        assert reply["error"]["kind"] == "unavailable"
        assert reply["error"]["message"].startswith(said)
    assert "error" not in ask(make(engine=replace(TOY, trials=("yes",))), HELLO)[0]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("element 0: java.lang.NoClassDefFoundError: org/toy/Part", "driver"),
        ("java.lang.NoClassDefFoundError: Could not initialize class org.toy.Part", "crashed"),
    ],
)
def test_a_class_that_is_missed_in_a_case_is_no_crash_of_the_engines(
    message: str, kind: str, driver: JvmDriver
) -> None:
    (reply,) = ask(driver, {**CASE, "query": message})
    assert reply["error"]["kind"] == kind
    assert reply["error"]["message"].endswith("Part")


HELLO = {"op": "hello", "protocol": 1}

NOISY = """
import os, sys
from rsp_conformance.adapters.jvm import driver
from tests.adapters.jvm import toy

def start(*_):
    print("a banner", flush=True)
    os.write(1, b"native noise\\n")
    import threading
    threading.Thread(target=threading.Event().wait).start()
    return toy.FakeJava()

driver.JvmDriver.__init__.__defaults__ = (start,)
driver.main(toy.TOY, toy.Adapter, sys.argv[1:])
"""


def test_a_process_keeps_its_standard_output_clean_and_without_jars_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though a thread of the engine's is still running."""
    write_jar(tmp_path / "toy-1.0.jar", *TOY.classes)
    lines = json.dumps(HELLO) + "\n" + json.dumps(CASE) + "\n"
    ran = python("-c", NOISY, "--jars", tmp_path, input=lines, timeout=60)
    assert [json.loads(line)["op"] for line in ran.well.splitlines()] == ["hello", "run"]
    assert "a banner" in ran.err and "native noise" in ran.err
    monkeypatch.setenv("RSP_CONFORMANCE_HOME", str(tmp_path))
    ran = python("-c", NOISY, timeout=60)
    assert ran.status == 2
    assert "no jars: rsp-conformance engines install toy-engine prints" in ran.err
