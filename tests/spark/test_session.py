"""Sessions start quietly, end whole, and say plainly why they cannot start."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import psutil
import pytest

from rsp_conformance.model import errors
from rsp_conformance.model.errors import BadInput, require
from rsp_conformance.spark.masters import LOOPBACK, check_master, partitions_of, settings_of
from rsp_conformance.spark.session import SparkHandle, SparkUnavailable, check_installed, check_java


def without(monkeypatch: pytest.MonkeyPatch, master: str, module: str) -> str:
    """The line of a session at MASTER if MODULE is not installed."""
    here = errors.find_spec
    monkeypatch.setattr(errors, "find_spec", lambda name: None if name == module else here(name))
    with pytest.raises(SparkUnavailable) as raised:
        check_installed(master)
    return str(raised.value)


def test_without_the_library_the_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    stated = metadata.requires("rsp-conformance") or ()
    (ours,) = (text for text in stated if re.match(r"pyspark[^\[]", text))
    assert without(monkeypatch, "local[1]", "pyspark") == (
        f"pyspark is not installed: pip install '{ours}', or judge without Spark: --rsp-spark off"
    )


def test_without_the_client_of_a_remote_the_line_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert without(monkeypatch, "sc://x", "grpc") == (
        "grpc is not installed: pip install 'rsp-conformance[connect]', "
        "or judge without Spark: --rsp-spark off"
    )


@pytest.mark.parametrize(
    "master",
    [
        *("local", "local[*]", "local[2]", "local[4, 2]", "local-cluster[2,1,1024]", "yarn"),
        *("spark://host:7077", "spark://a:1,b:2", "k8s://https://h:443", "sc://host:1/;token=x"),
    ],
)
def test_masters(master: str) -> None:
    assert check_master(master) == master


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("of", "'of' is no master; did you mean 'off'?"),
        ("lcal[2]", "'lcal[2]' is no master; did you mean 'local[2]'?"),
        ("spak://host:7077", "'spak://host:7077' is no master; did you mean 'spark://host:7077'?"),
        ("local[0]", "'local[0]' is no master; did you mean 'local'?"),
        (
            "",
            "'' is no master (there are off, local[*], local[N], spark://…, sc://…, yarn, k8s://…",
        ),
        ("x" * 500, "… (502 characters) is no master (there are off"),
    ],
)
def test_what_is_no_master(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        check_master(text, "off")


def test_a_missing_module_is_one_line() -> None:
    with pytest.raises(BadInput, match=r"^jpypes is not installed: pip install 'jpypes'$"):
        require("jpypes")
    with pytest.raises(BadInput, match=r": pip install 'lark>=[\d.]+'$"):
        require("larks", "lark")


def test_java_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SparkUnavailable, match=r"java is not on PATH.*--rsp-spark off"):
        check_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkUnavailable, match=r"holds no bin/java.*--rsp-spark off"):
        check_java()


@pytest.mark.parametrize("version", ["1.8.0_402", "11.0.2", "26.0.1"])
def test_java_that_spark_does_not_run_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str
) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n", "utf-8")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    number = version.removeprefix("1.").split(".")[0]
    with pytest.raises(SparkUnavailable, match=rf"17 or 21.* is Java {number}:.*--rsp-spark off"):
        check_java()


def test_what_listens_is_bound_to_this_machine_and_asks_who_calls(spark: SparkHandle) -> None:
    context = spark.session.sparkContext
    assert context.getConf().get("spark.authenticate") == "true"
    jvm = psutil.Process(context._gateway.proc.pid)  # type: ignore[union-attr]
    listening = {
        socket.laddr.ip
        for process in (jvm, *jvm.children(recursive=True))
        for socket in process.net_connections(kind="inet")
        if socket.status == psutil.CONN_LISTEN
    }
    assert listening
    assert listening <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}


def test_an_interrupt_is_raised_and_not_logged_besides(
    spark: SparkHandle, caplog: pytest.LogCaptureFixture
) -> None:
    logging.exception("KeyboardInterrupt while sending command.")  # as Py4J does
    logging.error("another")
    assert caplog.messages == ["another"]


def test_a_cluster_reaches_the_driver_and_has_the_secret_of_its_own_configuration() -> None:
    for local in ("local", "local[2]", "local-cluster[2,1,1024]"):
        assert settings_of(local).items() >= {"spark.authenticate": "true", **LOOPBACK}.items()
    for cluster in ("spark://host:7077", "yarn", "k8s://https://host:443"):
        assert not settings_of(cluster).keys() & LOOPBACK.keys()
    assert "spark.authenticate" not in settings_of("spark://host:7077")
    assert settings_of("yarn")["spark.authenticate"] == "true"


def test_a_core_has_a_partition() -> None:
    assert partitions_of("local") == 1
    assert partitions_of("local[3]") == 3
    assert partitions_of("local[3,2]") == 3
    assert partitions_of("local[*]") == os.cpu_count()


SCRIPT = """
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.session import SessionStarter
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query

starter = SessionStarter("local[1]").start()
spark = starter.result()
task = Task("x", Case(Query(), until=6), Dials().with_dial("report", "COMPUTED EVERY 2"))
print([e.t for e in SparkSemantics(spark).answers([task])["x"][()]])
print(spark.session.sparkContext._gateway.proc.pid)
starter.stop()
starter.stop()
"""

KILLED = """
import os, signal, threading, time
from rsp_conformance.spark.session import SessionStarter

starter = SessionStarter("local[1]").start()
spark = starter.result()
pid = spark.session.sparkContext._gateway.proc.pid

def count():
    try:
        spark.session.range(9).count()
    except Exception:
        print("gone")

counting = threading.Thread(target=count)
os.killpg(pid, signal.SIGSTOP)  # so that the JVM leaves unread what it is sent
counting.start()
time.sleep(0.3)
starter.stop(now=True)
counting.join()
print(pid)
"""


OF_EXTRAS = ("clingo", "google", "grpc", "jpype", "pandas", "picire", "scipy", "zstandard")


@pytest.mark.spark
@pytest.mark.parametrize(
    ("script", "said"), [(SCRIPT, "[2, 4, 6]"), (KILLED, "gone")], ids=["stopped", "killed"]
)
def test_a_session_is_quiet_works_anywhere_and_leaves_nothing(
    tmp_path: Path, script: str, said: str
) -> None:
    """Spark's processes import nothing of the extras either: whatever is imported of them fails."""
    root = Path(__file__).resolve().parents[2]
    temporary, extras = tmp_path / "tmp", tmp_path / "extras"
    temporary.mkdir()
    for module in OF_EXTRAS:
        (extras / module).mkdir(parents=True)
        (extras / module / "__init__.py").write_text("raise ImportError", "utf-8")
    path = os.pathsep.join((str(extras), str(root)))
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    answers, pid = run.stdout.splitlines()
    assert answers == said
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)
    assert [path.name for path in temporary.iterdir()] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["extras", "tmp"]
