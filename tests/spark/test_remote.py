"""A Spark Connect server, as ``sc://`` names one, judges as a local session does, and may go."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest

from rsp_conformance.campaigns.report import read_result
from rsp_conformance.campaigns.store import Store

HOME = Path(pyspark.__file__).parent
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
STARTS = 90
"""Seconds that a server may take to start; a machine that is not busy needs five."""

pytestmark = pytest.mark.spark


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """The address of a server of its own, and its process group."""
    if not [*HOME.glob("jars/spark-connect_*.jar")]:
        pytest.skip("this PySpark has no Spark Connect server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": port,
        "spark.ui.enabled": "false",
        "spark.local.dir": tmp_path,
        "spark.sql.warehouse.dir": tmp_path,
        "spark.driver.extraJavaOptions": f"-XX:TieredStopAtLevel=1 -Djava.io.tmpdir={tmp_path}",
    }
    options = [f"--conf={name}={value}" for name, value in settings.items()]
    command = [HOME / "bin/spark-submit", "--class", SERVER, "--master", "local[1]"]
    log = tmp_path / "server.log"
    own = {"SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*command, *options, "spark-internal"],
            cwd=tmp_path,
            env={**os.environ, **own},
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_for(port, process, log)
        yield f"sc://127.0.0.1:{port}", process.pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=20)


def _wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    """Until SERVER listens at PORT; what it says is in LOG."""
    last = time.monotonic() + STARTS
    while time.monotonic() < last and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.skip(f"no server within {STARTS} s: {log.read_text('utf-8', 'replace')[-300:]}")


# How long a silent server is waited for is tested elsewhere; this one is only slow at first.
SCRIPT = f"""
import os, pathlib, signal, sys, threading, time
from rsp_conformance.campaigns import campaign
from rsp_conformance.cli.main import main
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query
from rsp_conformance.spark import session
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
session.REMOTE_PATIENCE, session.REMOTE_RETRIES, campaign.UNIT = {STARTS}, 1, 10
address, server, out = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])

task = Task("x", Case(Query(), until=6), Dials().with_dial("report", "COMPUTED EVERY 2"))
with session.start_session(address) as spark:
    print([e.t for e in SparkSemantics(spark).answers([task])["x"][()]])

def lose():
    while not [*out.glob("runs/*/*.parquet")]:
        time.sleep(0.02)
    session.REMOTE_PATIENCE = 1.0
    os.killpg(server, signal.SIGKILL)

threading.Thread(target=lose, daemon=True).start()
sys.exit(main(["fuzz", "--engine", "reference", "--spark", address, "--out", str(out)]))
"""


@pytest.mark.slow
def test_a_server_elsewhere_judges_and_a_campaign_that_loses_it_ends_in_one_line(
    server: tuple[str, int], tmp_path: Path
) -> None:
    """In a process of their own, for PySpark has either a local session or remote ones."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, server), tmp_path / "out"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        text=True,
        timeout=3 * STARTS,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "[2, 4, 6]\n"), run.stderr
    *progress, last = run.stderr.splitlines()
    assert last.startswith(f"rsp-conformance: no Spark at {server[0]}"), run.stderr
    assert all(line.startswith("rsp-conformance: ") for line in progress), run.stderr
    assert read_result(Store(tmp_path / "out")).cases > 0
