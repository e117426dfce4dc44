"""The one place for Spark sessions: local by default, quiet, on loopback, gone at the end.

The JVM is our child. Its output goes to a log file, its files to one temporary folder, and ``stop``
ends it whatever state it is in.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from rsp_conformance.ending import at_last
from rsp_conformance.model.errors import KitError, require
from rsp_conformance.spark import folders
from rsp_conformance.spark.masters import LOCAL, is_remote, partitions_of, settings_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAVA_VERSIONS = (17, 21)
"""The versions of Java on which the required Spark runs."""
REMOTE_PATIENCE = 20.0
"""The seconds in which a remote must give a session."""
REMOTE_RETRIES = 4
"""How often a call that a remote does not take is made again, in 4 s; PySpark takes ten minutes."""
PACKAGE_PARENT = Path(__file__).resolve().parents[2]


class SparkUnavailable(KitError):
    """Spark can't be started here.

    The message also says how the suite does without it; ``said`` is for other commands.

    Args:
        reason: why.
        remedy: what to do about it; empty if nothing is known.
    """

    def __init__(self, reason: str, remedy: str = "") -> None:
        self.reason = reason
        self.remedy = remedy
        super().__init__(self.said("judge without Spark: --rsp-spark off"))

    def said(self, without: str = "") -> str:
        """The reason, and what to do.

        Args:
            without: how to do without Spark; empty if one can't.
        """
        ways = ", or ".join(filter(None, (self.remedy, without)))
        return f"{self.reason}: {ways}" if ways else self.reason


@dataclass
class SparkHandle:
    """A running session; ``stop`` ends it and everything it started."""

    session: SparkSession
    partitions: int
    _cleanup: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def stop(self) -> None:
        """End the session; a local JVM and its files are gone then. Stopping twice does no harm."""
        self._cleanup.close()

    def __enter__(self) -> SparkHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class SessionStarter:
    """Starts a session in a background thread, while cases are generated."""

    def __init__(self, master: str = LOCAL) -> None:
        self.master = master
        self._folder: Path | None = None
        self._thread: threading.Thread | None = None
        self._begun: list[SparkSession] = []
        self._given_up = float("inf")
        # Waited for instead of the thread: an interrupted join() takes the thread for ended.
        self._started: Future[SparkHandle] = Future()

    def start(self) -> SessionStarter:
        """Begin, and return at once. A missing Java is reported here, not later.

        Raises:
            SparkUnavailable: no session can be started.
        """
        if self._thread is None:
            check_installed(self.master)
            if is_remote(self.master):  # whose client tries for ten minutes
                self._given_up = time.monotonic() + REMOTE_PATIENCE
                # What it cannot reach is raised, too; also by threads, and as the process ends.
                warnings.filterwarnings("ignore", r"\[RETRIES_EXCEEDED\]", UserWarning)
            self._thread = threading.Thread(target=self._run, name="spark-start", daemon=True)
            self._thread.start()
        return self

    def result(self) -> SparkHandle:
        """The session, once it has started.

        Raises:
            SparkUnavailable: it did not start.
        """
        self.start()
        if not is_remote(self.master):
            return self._started.result()
        try:
            return self._started.result(max(0.0, self._given_up - time.monotonic()))
        except TimeoutError:
            for session in self._begun:
                # Else it would ask the remote once more when this process ends.
                session.client.close()
            why = f"it did not answer within {REMOTE_PATIENCE:g} s"
            raise _no_remote(self.master, why) from None

    @property
    def has_begun(self) -> bool:
        """Whether a session was asked for."""
        return self._thread is not None

    @property
    def has_started(self) -> bool:
        """Whether the session is or was there."""
        return self._started.done() and self._started.exception() is None

    def stop(self, *, now: bool = False) -> None:
        """End the session if it was ever started; a session that is starting is killed.

        Args:
            now: whether any session is killed.
        """
        if self._thread is None or (is_remote(self.master) and not self._started.done()):
            return
        while not self._started.done():
            self._kill()
            with contextlib.suppress(TimeoutError):
                self._started.exception(0.1)
        if self._started.exception() is None:
            if now:
                self._kill()
            self._started.result().stop()

    def _kill(self) -> None:
        if self._folder is not None:
            kill_jvm(self._folder)

    def _run(self) -> None:
        try:
            if is_remote(self.master):
                handle = _connect(self.master, self._begun)
            else:
                self._folder = folders.make("rsp-spark")
                handle = _start_local(self.master, self._folder)
            self._started.set_result(handle)
        except BaseException as error:  # handed to the caller of result()
            self._started.set_exception(error)


def start_session(master: str = LOCAL) -> SparkHandle:
    """Start a session at a master: ``local[*]``, another master's URL or ``sc://host:port``."""
    if is_remote(master):
        return SessionStarter(master).result()
    return _start_local(master, folders.make("rsp-spark"))


def check_installed(master: str) -> None:
    """Make sure that all that a session at a master needs is installed.

    Raises:
        SparkUnavailable: something is missing.
    """
    require("pyspark", refused=SparkUnavailable)
    if is_remote(master):
        require("grpc", "pyspark[connect]", SparkUnavailable)
    else:
        check_java()


def check_java() -> None:
    """Make sure that Java 17 or 21 is installed.

    Raises:
        SparkUnavailable: it is not.
    """
    wanted = "install Java 17 or 21"
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else "java"
    found = shutil.which(java)
    if found is None:
        where = f"JAVA_HOME={home} holds no bin/java" if home else "java is not on PATH"
        raise SparkUnavailable(f"Spark needs Java and {where}", wanted)
    try:
        run = subprocess.run(
            [found, "-version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SparkUnavailable(f"{found} does not run ({error})", wanted) from None
    version = re.search(r'version "(?:1\.)?(\d+)', run.stderr + run.stdout)
    if version is None:
        raise SparkUnavailable(f"{found} does not tell its version", wanted)
    if int(version[1]) not in JAVA_VERSIONS:
        raise SparkUnavailable(f"Spark needs Java 17 or 21, {found} is Java {version[1]}", wanted)


def _start_local(master: str, folder: Path) -> SparkHandle:
    logging.getLogger().addFilter(_is_raised_by_nobody)
    cleanup = contextlib.ExitStack()
    cleanup.callback(folders.remove, folder)
    cleanup.callback(kill_jvm, folder)
    try:
        with _environment(worker_environment(folder)), (folder / "spark.log").open("ab") as log:
            from pyspark import SparkConf, SparkContext
            from pyspark.java_gateway import launch_gateway
            from pyspark.sql import SparkSession

            conf = SparkConf(loadDefaults=False).setMaster(master).setAppName("rsp-conformance")
            for name, value in settings_of(master).items():
                conf.set(name, value)
            conf.set("spark.local.dir", str(folder / "local"))
            conf.set("spark.sql.warehouse.dir", str(folder / "warehouse"))
            conf.set("spark.executorEnv.PYTHONPATH", _python_path())
            conf.set("spark.driver.extraJavaOptions", java_options(folder))
            # A session of its own lets it be ended whole, launcher script and all.
            gateway = launch_gateway(  # type: ignore[no-untyped-call]
                conf, {"stdout": log, "stderr": log, "start_new_session": True}
            )
            cleanup.callback(_end_gateway, gateway)
            context = SparkContext(conf=conf, gateway=gateway)
            # Where the JVM is killed under a job, this one's thread would print a traceback.
            context._accumulatorServer.handle_error = lambda *_: None  # type: ignore[method-assign]
            session = SparkSession(context)
    except BaseException as error:
        written = folder / "spark.log"
        said = written.read_text("utf-8", "replace").splitlines() if written.exists() else []
        cleanup.close()
        if not isinstance(error, Exception):
            raise
        # py4j wraps what the JVM says, and the log says more; but it knows nothing of a session
        # that runs already, or of a module that is not there.
        ours = isinstance(error, ValueError | ImportError)
        why = (None if ours else deepest_cause(said)) or _first_line(error)
        raise SparkUnavailable(f"Spark did not start ({why})") from None
    cleanup.callback(_stop, session)
    return _prepared(session, partitions_of(master), cleanup)


_RAISED_TOO = ("KeyboardInterrupt while sending command.", "Exception while sending command.")


def _is_raised_by_nobody(record: logging.LogRecord) -> bool:
    """Py4J logs an interrupt or the loss of the JVM with its traceback, and raises it too."""
    return record.msg not in _RAISED_TOO


def deepest_cause(log: Sequence[str]) -> str | None:
    """The exception behind all others with which a log ends; None if it has none."""
    causes = [line.strip() for line in log if _EXCEPTION.match(line.strip())]
    return causes[-1].removeprefix("Caused by: ") if causes else None


_EXCEPTION = re.compile(r"(Caused by: |Exception in thread )|([\w.$]+Exception|[\w.$]*Error)(:|$)")


def _first_line(error: Exception) -> str:
    """The first line of an error; for a remote call, which begins with a heading, its details."""
    details = re.search(r'^\s*details = "(.+)"$', str(error), re.MULTILINE)
    said = details[1] if details else error
    return f"{type(error).__name__}: {said}".splitlines()[0].removesuffix(": ")


def _connect(address: str, begun: list[SparkSession]) -> SparkHandle:
    from pyspark.sql import SparkSession

    cleanup = contextlib.ExitStack()
    try:
        session = SparkSession.builder.remote(address).create()
        begun.append(session)
        cleanup.callback(_stop, session)
        handle = _prepared(session, partitions_of(address), cleanup)
        for policy in session.client.get_retry_policies():
            policy.max_retries = REMOTE_RETRIES
        session.addArtifacts(str(_package_archive(cleanup)), pyfile=True)
    except Exception as error:
        cleanup.close()
        raise _no_remote(address, _first_line(error)) from None
    return handle


def _no_remote(address: str, why: str) -> SparkUnavailable:
    return SparkUnavailable(f"no Spark at {address} ({why})", "check the address")


def _prepared(session: SparkSession, partitions: int, cleanup: contextlib.ExitStack) -> SparkHandle:
    # PySpark prints the errors that it raises as well; who catches them may show them.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    # Compiling the one stage of a job costs more than it saves.
    session.conf.set("spark.sql.codegen.wholeStage", "false")
    return SparkHandle(session, partitions, cleanup)


def _package_archive(cleanup: contextlib.ExitStack) -> Path:
    """The kit as an archive, for workers that do not share this machine's files."""
    folder = folders.make("rsp-spark")
    cleanup.callback(folders.remove, folder)
    package = PACKAGE_PARENT / "rsp_conformance"
    staging = folder / "stage"
    shutil.copytree(
        package,
        staging / "rsp_conformance",
        ignore=shutil.ignore_patterns("__pycache__", "node_modules", "*.pyc"),
    )
    return Path(shutil.make_archive(str(folder / "rsp_conformance"), "zip", staging))


def _python_path() -> str:
    paths = [str(PACKAGE_PARENT), os.environ.get("PYTHONPATH", "")]
    return os.pathsep.join(path for path in paths if path)


def java_options(folder: Path) -> str:
    """The options of a JVM whose files go to a folder."""
    return " ".join(
        (
            f"-Dderby.system.home={folder}",
            f"-Djava.io.tmpdir={folder}",
            "-XX:+UseParallelGC",
            # Measured: a session lives for minutes, in which the second compiler costs more than
            # it saves; the first job comes in half the time.
            "-XX:TieredStopAtLevel=1",
        )
    )


def worker_environment(folder: Path) -> dict[str, str]:
    """The environment that a JVM and its Python workers need, with files in a folder."""
    return {
        # Else workers run the first python on PATH.
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": _python_path(),
        # Else Spark looks the host name up and warns.
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
    }


@contextlib.contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def kill_jvm(folder: Path) -> None:
    """Kill the JVM whose files are in a folder, or its launcher, with all that it has started."""
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if any(str(folder) in word for word in child.cmdline()):
                os.killpg(child.pid, signal.SIGKILL)


@at_last
def _kill_all() -> None:
    for folder in folders.owned():
        kill_jvm(folder)
        folders.remove(folder)


def _stop(session: SparkSession) -> None:
    """End a session whose JVM may be gone."""
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        session.stop()


def _end_gateway(gateway: Any) -> None:
    """Let the JVM behind a gateway end, and kill it after five seconds."""
    from pyspark import SparkContext

    with contextlib.suppress(Exception):
        gateway.shutdown()
    if SparkContext._gateway is gateway:
        # The next session of this process starts a JVM of its own.
        SparkContext._gateway = None
        SparkContext._jvm = None
    process = gateway.proc
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
