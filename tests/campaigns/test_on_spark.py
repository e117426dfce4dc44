"""Campaigns on Spark: its workers' engines, their loss, and a standalone cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pyspark
import pytest

from rsp_conformance.campaigns import campaign as campaigns
from rsp_conformance.campaigns.campaign import CampaignConfig, fuzz
from rsp_conformance.campaigns.report import CampaignResult, read_result
from rsp_conformance.campaigns.store import Store
from rsp_conformance.campaigns.unit import EngineSource
from rsp_conformance.model.errors import BadInput
from rsp_conformance.run.budget import Budget
from tests.campaigns.running import config

HOME = Path(pyspark.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
STARTS = 240.0
"""Seconds that a process may take to start; on a machine that is not busy it needs five."""

UNIT = 10
"""The cases of a unit here, so that the first batch is soon there."""

pytestmark = pytest.mark.spark

DRIVER = """
import os, sys
from rsp_conformance.adapters.reference.__main__ import main
with open(sys.argv[1], "a") as pids:
    print(os.getpid(), file=pids, flush=True)
sys.argv[1:] = []
main()
"""


@pytest.fixture
def driver(tmp_path: Path) -> Path:
    """A driver of the reference engine that writes its process id into ``pids``."""
    path = tmp_path / "driver.py"
    path.write_text(DRIVER)
    return path


def with_driver(driver: Path, examples: int | None = None) -> CampaignConfig:
    """A campaign against DRIVER."""
    spec = f"stdio:{sys.executable} {driver} {driver.with_name('pids')}"
    own = EngineSource(spec, folder=str(ROOT))
    return CampaignConfig(own, driver.with_name("out"), "local[2]", "1", Budget(examples))


def pids(driver: Path) -> list[int]:
    """The processes that DRIVER has run as."""
    return [int(line) for line in driver.with_name("pids").read_text().split()]


def wait_for(what: Callable[[], object]) -> None:
    """Until WHAT is true."""
    last = time.monotonic() + STARTS
    while not what():
        assert time.monotonic() < last, "it never came"
        time.sleep(0.02)


def ran(own: CampaignConfig) -> CampaignResult:
    """What a campaign comes to."""
    store, number = fuzz(own)
    return read_result(store, number)


def test_workers_judge_and_name(tmp_path: Path, no_other_spark: None) -> None:
    found = ran(config(tmp_path, "newest-only", master="local[2]", examples=60))
    assert [own.cause.id for own in found.causes] == ["newest-only"]
    assert found.cases == 60 and found.failures(found.causes[0]) == found.outcomes["wrong"]


def test_an_engine_is_started_once_a_worker_and_ends_with_it(
    driver: Path, no_other_spark: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "UNIT", UNIT)
    found = ran(with_driver(driver, examples=60))
    assert found.passed and found.cases == 60
    started = pids(driver)
    assert len(started) <= 3, "two workers and the driver program"
    for worker in {psutil.Process(pid).ppid() for pid in started if psutil.pid_exists(pid)}:
        # The driver's parent is its supervisor, and that one's is the worker.
        psutil.Process(psutil.Process(worker).ppid()).kill()
    wait_for(lambda: not any(map(psutil.pid_exists, started)))


def test_a_worker_that_is_killed_loses_no_case(
    driver: Path, no_other_spark: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "UNIT", UNIT)
    killed: list[int] = []

    def kill() -> None:
        wait_for(lambda: driver.with_name("pids").exists() and len(pids(driver)) >= 2)
        for pid in pids(driver)[1:]:
            supervisor = psutil.Process(pid).parent()
            worker = supervisor.parent() if supervisor else None
            if worker is not None and worker.pid != os.getpid():
                worker.kill()
                killed.append(worker.pid)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    found = ran(with_driver(driver, examples=60))
    thread.join(STARTS)
    assert killed and found.cases == 60 and found.passed


def test_an_engine_on_the_path_of_the_driver_program_alone(
    driver: Path, no_other_spark: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a cluster, whose workers have a PATH of their own: these have the JVM's."""
    toy = driver.with_name("toy")
    toy.write_text(f"#!/bin/sh\nexec {sys.executable} {driver} {driver.with_name('pids')}\n")
    toy.chmod(0o755)
    monkeypatch.setenv("PATH", str(toy.parent), prepend=os.pathsep)
    given = CampaignConfig(EngineSource("stdio:toy"), driver.with_name("out"), "local[2]", "1")
    said = r"the worker of local\[2\] on \S+ cannot run the engine stdio:toy: .*was not found"
    with pytest.raises(BadInput, match=said):
        fuzz(given)
    assert len(pids(driver)) == 1


# --- in processes of their own --------------------------------------------------------------------


FUZZ = f"""
from rsp_conformance.campaigns import campaign
from rsp_conformance.cli.main import run
campaign.UNIT, campaign.JOB = {UNIT}, 1.0
run()
"""


@pytest.fixture
def command() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Runs ``rsp-conformance fuzz`` with small batches; ends what a failed test leaves."""
    with ExitStack() as stack:

        def run(*arguments: object) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [sys.executable, "-c", FUZZ, "fuzz", *map(str, arguments)],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            stack.callback(process.wait, 20)
            stack.callback(process.kill)
            return process

        yield run


def batches(out: Path) -> int:
    """How many batches of all runs have been written to OUT."""
    return len([*out.glob("runs/*/*.parquet")])


FEW_THREADS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A standalone cluster on loopback: a master and two workers, one core each."""
    # Executors live as shortly as the others: the second compiler costs more than it gives.
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    own = f"spark.executor.extraJavaOptions {' '.join(FEW_THREADS)}\n"
    (tmp_path / "spark-defaults.conf").write_text(own)
    java = Path(os.environ["JAVA_HOME"], "bin/java") if "JAVA_HOME" in os.environ else "java"
    variables = {
        **os.environ,
        "SPARK_HOME": str(HOME),
        "SPARK_SCALA_VERSION": "2.13",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(tmp_path / "work"),
        "PYSPARK_PYTHON": sys.executable,
    }
    with ExitStack() as stack:

        def start(name: str, *arguments: str) -> Path:
            log = tmp_path / f"{name}.log"
            kind = name.partition("-")[0]
            main = f"org.apache.spark.deploy.{kind}.{kind.title()}"
            options = ("-Xmx512m", *FEW_THREADS, "-cp", f"{HOME}/jars/*", main)
            with log.open("wb") as said:
                process = subprocess.Popen(
                    [java, *options, "--host", "127.0.0.1", *arguments],
                    env=variables,
                    stdout=said,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            stack.callback(process.wait, 20)
            stack.callback(os.killpg, process.pid, signal.SIGKILL)
            return log

        log = start("master", "--port", "0", "--webui-port", "0")
        wait_for(lambda: "I have been elected leader" in log.read_text("utf-8", "replace"))
        address = next(
            word.rstrip(".") for word in log.read_text().split() if word.startswith("spark://")
        )
        for number in "12":
            start(
                f"worker-{number}", "--cores", "1", "--memory", "1g", "--webui-port", "0", address
            )
        wait_for(lambda: log.read_text("utf-8", "replace").count("Registering worker") == 2)
        yield address


def executors(driver: Path) -> list[psutil.Process]:
    """The JVMs of a cluster whose workers run DRIVER."""
    above = [
        p for pid in pids(driver) if psutil.pid_exists(pid) for p in psutil.Process(pid).parents()
    ]
    found = {p.pid: p for p in above if "CoarseGrainedExecutorBackend" in " ".join(p.cmdline())}
    return [*found.values()]


@pytest.mark.slow
def test_a_campaign_goes_on_without_an_executor_and_keeps_what_is_there_at_sigterm(
    cluster: str, driver: Path, command: Callable[..., subprocess.Popen[str]]
) -> None:
    """No case is lost or judged twice, and no process stays.

    That a campaign whose own process is killed goes on is in `test_campaign`, and that nothing is
    left of a session that is killed in `tests/spark`.
    """
    out = driver.with_name("out")
    given = ("--engine", with_driver(driver).source.spec, "--out", out, "--seed", "1")
    run = command(*given, "--examples", 100_000, "--spark", cluster)
    wait_for(lambda: batches(out) or run.poll() is not None)
    assert run.poll() is None
    one, _ = executors(driver)
    one.kill()
    # That which it was in, and one begun without it.
    wanted = batches(out) + 2
    wait_for(lambda: batches(out) >= wanted or run.poll() is not None)
    run.terminate()
    _, complaint = run.communicate(timeout=STARTS)
    assert run.returncode == 128 + signal.SIGTERM
    assert (
        "stopped; continue with: rsp-conformance fuzz" in complaint and "Traceback" not in complaint
    )
    wait_for(lambda: not any(map(psutil.pid_exists, pids(driver))))
    found = read_result(Store(out))
    assert (found.run.number, found.ended, found.lost) == (1, "interrupted", [])
    assert found.cases > 0 and found.causes == ()
    for table in ("cases", "answers", "verdicts"):
        rows = [(r["unit"], r["place"]) for r in Store(out).rows(table, 1, ("unit", "place"))]
        assert len(rows) == len({*rows}) == found.cases, table
        assert {*Counter(unit for unit, _ in rows).values()} == {UNIT}
