"""The setup of a session that names an engine: options, the engine's hello, the plugin."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rsp_conformance import __version__, ending, limits
from rsp_conformance.diagnosis.known_file import read_known
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import own_folder
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.digest import digest_of
from rsp_conformance.model.errors import BadInput, note, reading
from rsp_conformance.plugin import options
from rsp_conformance.plugin.main import SPARK_OFF, Plugin
from rsp_conformance.protocol.registry import connect, named_by
from rsp_conformance.relations.pair import EnginePair
from rsp_conformance.run.ledger_file import (
    NAME,
    Earlier,
    Header,
    LedgerFile,
    engine_of,
    read_earlier,
)
from rsp_conformance.run.properties import Property, of_suite, property_named
from rsp_conformance.run.run_report import INDEX, check_place, make_folder
from rsp_conformance.spark.session import check_installed

FORMS = frozenset({"select", "ask", "construct"})
Log = Callable[[str, str], None]


def install(config: pytest.Config) -> None:
    """Make a session of pytest's one of the suite.

    Raises:
        KitError: it can't be, with the reason in one line.
    """
    started = time.perf_counter()
    given = options.read(config)
    master = _master(config, given.spark)
    subject = None
    if not config.getoption("collectonly"):
        if master != SPARK_OFF:
            check_installed(master)
        if not options.worker_input(config):
            _check_places(config, given)
        given = _writable(config, given)
        subject = _meet(config, given, _trace(config, given))
    tests: tuple[Property, ...] = ()
    if given.suite is not None:
        tests = (
            of_suite(given.suite, lambda _: Dials())
            if subject is None
            else of_suite(given.suite, subject.dials, subject.features)
        )
    file, earlier = _ledger(config, given, subject, tests)
    plugin = Plugin(config, given, subject, master, file=file, earlier=earlier, tests=tests)
    plugin.start_seconds = time.perf_counter() - started
    if given.alone:
        config.args = []
    elif given.selected:
        config.args = [a for a in config.args if not options.suite_id(a)]
    config.pluginmanager.register(plugin, "rsp-suite")
    config.pluginmanager.register(plugin.failures, "rsp-failures")
    config.pluginmanager.register(plugin.progress, "rsp-progress")
    limits.allow(given.judging_limit)
    signals = ExitStack()
    signals.enter_context(ending.raising())
    config.add_cleanup(signals.close)


def _check_places(config: pytest.Config, given: options.Options) -> None:
    """Refuse before the run what could not be written after it."""
    places = {"json": given.json, "known_write": given.known_write, "earl": given.earl}
    if given.report is not None:
        with reading(options.place(config, "report")):
            make_folder(given.report)
    page = given.report and given.report / INDEX
    taken = {page.resolve(): options.place(config, "report")} if page else {}
    for name, path in places.items():
        with reading(where := options.place(config, name)):
            if path is not None:
                check_place(path)
                if path.resolve() in taken:
                    raise BadInput(f"{where}: {path}: {taken[path.resolve()]} is written there")
                taken[path.resolve()] = where
    if given.known_write is not None and given.known_write.exists():
        with reading(options.place(config, "known_write")):
            read_known(given.known_write)


def _master(config: pytest.Config, asked_for: str) -> str:
    """The Spark master of this process: workers share the cores of ``local[*]``.

    Each worker has a session of its own. Measured with two workers on two busy cores against one
    Spark Connect server for both: 98 CPU seconds for ten batches of 200 cases against 94 for six,
    at 0.5 GB more a worker, and no server outlives a run that is killed.
    """
    worker = options.worker_input(config)
    if not worker or asked_for != "local[*]":
        return asked_for
    return f"local[{max(1, (os.cpu_count() or 1) // int(worker['workercount']))}]"


def _writable(config: pytest.Config, given: options.Options) -> options.Options:
    """The options with a folder for files: a temporary one if no folder is named or writable."""
    if shared := options.worker_input(config).get("rsp_dir"):
        return replace(given, dir=Path(shared))
    try:
        own_folder(given.dir)
        return given
    except OSError as error:
        named, why = options.written(config, "dir"), error.strerror
        if named is not None:
            raise BadInput(f"--rsp-dir {named}: {why}") from None
    folder = Path(tempfile.mkdtemp(prefix="rsp-"))
    config.add_cleanup(partial(_drop, folder))
    note = f"{given.dir} cannot be written ({why}): files are in {folder}"
    return replace(given, dir=folder, notes=(*given.notes, note))


def _ledger(
    config: pytest.Config,
    given: options.Options,
    subject: EngineUnderTest | None,
    tests: tuple[Property, ...],
) -> tuple[LedgerFile | None, Earlier | None]:
    """The file that keeps the run, and the work of the run that is resumed.

    A worker of xdist writes no file: the controller's file has its work.
    """
    if subject is None:
        return None, None
    path, file, earlier = given.dir / NAME, None, None
    try:
        if given.resume:
            earlier = read_earlier(path, subject, partial(property_named, among=tests))
        if not options.worker_input(config):
            if given.resume and not earlier:
                note(f"--rsp-resume: {given.dir} holds no run to go on with: a new one begins")
            file = LedgerFile(path, _header(given, subject), subject, resume=given.resume)
            config.add_cleanup(file.close)
    except BaseException:
        subject.close()
        raise
    return file, earlier


def _header(given: options.Options, subject: EngineUnderTest) -> Header:
    engines = [engine_of(given.engine, given.engine_option)]
    if given.against is not None:
        engines.append(engine_of(given.against, given.against_option))
    return Header(
        engine=" against ".join(engines),
        version=subject.hello.version or "",
        profile=subject.profile.name,
        dials=", ".join(f"{name}={value}" for name, value in sorted(given.dial.items())),
        kit=__version__,
        seed=given.seed,
        examples=given.examples or 0,
        suite="" if given.suite is None else str(given.suite.path),
        cases="" if given.suite is None else digest_of(given.suite.tests),
    )


def _drop(folder: Path) -> None:
    """Remove a temporary folder, unless it holds crash files."""
    if not any(folder.glob("crashes/*")):
        shutil.rmtree(folder, ignore_errors=True)


def _meet(config: pytest.Config, given: options.Options, log: Log | None) -> EngineUnderTest:
    """The engine under test, after its hello; or a pair of engines."""
    subject = _met(config, "engine", given, log)
    if given.against is None:
        return subject
    other = replace(
        given, engine=given.against, engine_option=given.against_option, profile=None, dial={}
    )
    met = [subject]
    try:
        met.append(_met(config, "against", other, log))
        return EnginePair.of(*met)
    except BaseException:
        for one in met:
            one.close()
        raise


def _met(
    config: pytest.Config, option: str, given: options.Options, log: Log | None
) -> EngineUnderTest:
    """The engine that the options name, after its hello; errors name the option."""
    said = options.place(config, option)
    with (
        reading(f"{said}={given.engine}"),
        named_by(said, given.engine, options.place(config, f"{option}_option")),
        contextlib.chdir(given.folder),
    ):
        engine = connect(given.engine, given.engine_option, given.time_limit, log)
        if options.worker_input(config):
            engine.tell = lambda _: None  # the controller, which starts it too, says so
        subject = EngineUnderTest.meet(engine, given.profile, given.dial)
    if not subject.features & FORMS:
        engine.close()
        forms = ", ".join(sorted(FORMS))
        raise BadInput(f"{said}={given.engine}: declares no form of query ({forms})")
    return subject


def _trace(config: pytest.Config, given: options.Options) -> Log | None:
    """The function that writes the wire into the file asked for; each worker has its own."""
    if given.trace is None:
        return None
    worker = options.worker_input(config).get("workerid")
    path = Path(f"{given.trace}.{worker}" if worker else given.trace)
    try:
        file = path.open("w", encoding="utf-8", errors="backslashreplace", buffering=1)
    except OSError as error:
        raise BadInput(f"--rsp-trace {path}: {error.strerror}") from None
    config.add_cleanup(file.close)
    return lambda way, text: print(way, text, file=file)
