"""Spark sessions that do not come, are killed, or leave something behind."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from rsp_conformance.spark import folders
from rsp_conformance.spark.session import SparkUnavailable, deepest_cause, start_session
from tests.builders.command_line import python

# --- folders ------------------------------------------------------------------------------------

OWNER = """
import sys, time
from rsp_conformance.spark import folders
print(folders.make("rsp-spark"), flush=True)
time.sleep(60)
"""


def owner(temporary: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that owns a folder in TEMPORARY."""
    run = subprocess.Popen(
        [sys.executable, "-c", OWNER],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdout is not None
    return run, Path(run.stdout.readline().strip())


def test_the_folders_of_killed_runs_are_swept_and_no_others(tmp_path: Path) -> None:
    others = [tmp_path / name for name in ("rsp-spark-theirs", "rsp-other-1", "spark-1")]
    for other in others:
        other.mkdir()
    (tmp_path / "rsp-spark-link").symlink_to(others[1])
    killed, gone = owner(tmp_path)
    living, kept = owner(tmp_path)
    try:
        killed.kill()
        killed.communicate()
        (gone / "local").mkdir()
        mine = folders.make("rsp-spark", tmp_path)
        assert not gone.exists()
        assert kept.is_dir() and mine.is_dir() and all(other.is_dir() for other in others)
        folders.remove(mine)
        folders.remove(mine)
        assert not mine.exists() and mine not in folders.owned()
    finally:
        living.kill()
        living.communicate()


# --- what is said of a session that did not start -------------------------------------------------

LOGS = {
    "no output": ([], None),
    "a warning": (["26/11/22 12:00:00 WARN SparkConf: spark.x has no effect"], None),
    "a frame at the end": (
        ["java.lang.OutOfMemoryError: Java heap space", "\tat org.apache.spark.X(X.scala:1)"],
        "java.lang.OutOfMemoryError: Java heap space",
    ),
    "a cause": (
        [
            'Exception in thread "main" org.apache.spark.SparkException: no',
            "\tat org.apache.spark.X(X.scala:1)",
            "Caused by: java.net.BindException: Cannot assign requested address",
            "\t... 12 more",
        ],
        "java.net.BindException: Cannot assign requested address",
    ),
    "causes of causes": (
        [
            "a.B: c",
            "\tat d",
            "Caused by: e.FException: g",
            "\tat h",
            "Caused by: i.JError: k",
            "\tat l",
        ],
        "i.JError: k",
    ),
    "no exception": (
        ["Error: Could not find or load main class x"],
        "Error: Could not find or load main class x",
    ),
}


@pytest.mark.parametrize("name", LOGS)
def test_the_line_is_the_exception_and_no_stack_frame(name: str) -> None:
    log, said = LOGS[name]
    assert deepest_cause(log) == said


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModuleNotFoundError("No module named 'x'"), "ModuleNotFoundError: No module named 'x'"),
        (RuntimeError("no\nmore"), "RuntimeError: no"),
        (RuntimeError(), "RuntimeError"),
        (
            RuntimeError('<_InactiveRpcError of RPC that ended with:\n\tdetails = "no one"\n>'),
            "RuntimeError: no one",
        ),
    ],
)
def test_a_warning_in_the_log_is_not_why_spark_did_not_start(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def start(conf: object, options: dict[str, Any]) -> None:
        options["stdout"].write(b"WARN SparkConf: spark.x has no effect\n")
        options["stdout"].flush()
        raise error

    monkeypatch.setattr("pyspark.java_gateway.launch_gateway", start)
    with pytest.raises(SparkUnavailable) as raised:
        start_session("local[1]")
    assert raised.value.reason == f"Spark did not start ({said})"


# --- sessions that do not come --------------------------------------------------------------------

REMOTE = """
import sys
from rsp_conformance.spark import session
session.REMOTE_PATIENCE = 0.5
try:
    session.start_session(sys.argv[1])
except session.SparkUnavailable as error:
    print(error)
"""


def test_a_remote_that_does_not_answer_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"sc://127.0.0.1:{silent.getsockname()[1]}"
        run = python("-c", REMOTE, address, timeout=60)
    assert "Traceback" not in run.err, run.err
    assert run.well.startswith(f"no Spark at {address} (it did not answer within 0.5 s)")
    assert run.out.count("\n") == 1


STARTING = """
import sys
from rsp_conformance import ending
from rsp_conformance.spark.session import SessionStarter
with ending.raising(), ending.watched():
    starter = SessionStarter("local[1]").start()
    print("ready", flush=True)
    try:
        starter.result()
    except KeyboardInterrupt:
        sys.exit(ending.status() or 130)
    finally:
        starter.stop()
"""


def jvms(process: psutil.Process) -> list[psutil.Process]:
    """What PROCESS has started for Spark."""
    found = []
    for child in process.children():
        with contextlib.suppress(psutil.Error):
            if any("rsp-spark" in word for word in child.cmdline()):
                found.append(child)
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_session_that_starts_is_ended_with_the_run_spark(
    tmp_path: Path, number: signal.Signals
) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", STARTING],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stdout is not None and run.stdout.readline() == "ready\n"
    process = psutil.Process(run.pid)
    deadline = time.monotonic() + 60
    while not (started := jvms(process)) and time.monotonic() < deadline:
        time.sleep(0.02)
    run.send_signal(number)
    _, err = run.communicate(timeout=60)  # started, it would end with 0
    assert (run.returncode, err) == (130 if number == signal.SIGINT else 143, "")
    assert psutil.wait_procs(started, timeout=2)[1] == []
    assert list(tmp_path.glob("rsp-*")) == []
