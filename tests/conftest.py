"""What all tests share: one Spark for the whole run, and how workers divide the tests."""

from __future__ import annotations

import gc
import signal
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from xdist.scheduler import LoadFileScheduling

from rsp_conformance.garbage import seldom_garbage
from rsp_conformance.strategies.seeding import same_everywhere

if TYPE_CHECKING:
    from rsp_conformance.spark.batch.judge import SparkSemantics
    from rsp_conformance.spark.session import SparkHandle

ON_THEIR_OWN = ("tests/plugin/",)
"""Folders whose tests share nothing, and mostly wait for processes that they start."""

DRAWN = ("tests/strategies/",)
"""Folders whose files look at the same cases, which are drawn once a process."""

SPARK = (
    "tests/tools/test_bench_csrbench.py",
    "tests/burnin/test_command.py",
    "tests/burnin/test_run.py",
)
"""Files whose tests use the run's Spark session, beside those that bear its name."""


class Scheduling(LoadFileScheduling):
    """A file's tests go to one worker, for their fixtures are made once, and so do some files'.

    By their names, for workers do not tell the marks of what they collect.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(ON_THEIR_OWN):
            return nodeid
        if nodeid.startswith(DRAWN):
            return "drawn"
        return "spark" if _is_of_spark(nodeid) else str(super()._split_scope(nodeid))


def _is_of_spark(nodeid: str) -> bool:
    return "spark" in nodeid or nodeid.startswith(SPARK)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """``--dist loadfile`` keeps together what uses Spark as well."""
    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_configure(config: pytest.Config) -> None:
    """What a test draws depends on its seed alone, not on which tests ran before in its worker.

    The collector of garbage looks as seldom as in a run: it took a sixth of the time of all tests.
    What a script starts in the background ignores SIGINT, and so would all that tests interrupt.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    whole = ExitStack()
    whole.enter_context(same_everywhere())
    whole.enter_context(seldom_garbage())
    config.add_cleanup(whole.close)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests stay to the end: the collector of garbage never goes through them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever uses the session can be seen by its name, or else a run starts several."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()) and not _is_of_spark(item.nodeid):
            raise pytest.UsageError(f"{item.nodeid} uses Spark: name it so, or see {__file__}")


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkHandle]:
    """The session; only those who test how a session starts and ends start one of their own."""
    from rsp_conformance.spark.session import start_session

    with start_session("local[2]") as handle:
        yield handle


@pytest.fixture
def semantics(spark: SparkHandle) -> SparkSemantics:
    """The semantics on Spark."""
    from rsp_conformance.spark.batch.judge import SparkSemantics

    return SparkSemantics(spark)


@pytest.fixture
def no_other_spark(spark: SparkHandle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever starts a session in this process gets the one of the run, which outlives it."""
    from rsp_conformance.spark import folders
    from rsp_conformance.spark.session import SparkHandle

    def started(master: str, folder: Path) -> SparkHandle:
        folders.remove(folder)
        return SparkHandle(spark.session, spark.partitions)

    monkeypatch.setattr("rsp_conformance.spark.session._start_local", started)
