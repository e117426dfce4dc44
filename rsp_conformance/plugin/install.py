"""Where an engine is named: read the arguments, meet the engine, register the plugin."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.plugin import arguments, workers
from rsp_conformance.plugin.arguments import BadInput
from rsp_conformance.plugin.main import Plugin
from rsp_conformance.plugin.oracles import Opinions
from rsp_conformance.protocol.failures import EngineError
from rsp_conformance.protocol.registry import connect

__all__ = ["BadInput", "install"]

FORMS = frozenset({"select", "ask", "construct"})
Log = Callable[[str, str], None]


def install(config: pytest.Config) -> None:
    """Make CONFIG's session one of the suite; BadInput in one line where that cannot be."""
    started = time.perf_counter()
    workers.receive(config)
    given = arguments.read(config)
    opinions = Opinions(workers.master(config, given.spark))
    subject = None
    if not config.getoption("collectonly"):
        opinions.check()
        subject = _meet(given, _trace(config, given))
    plugin = Plugin(config, given, subject, opinions)
    plugin.start_seconds = time.perf_counter() - started
    if given.alone:
        config.args = []
    elif given.selected:
        config.args = [a for a in config.args if str(a) not in given.selected]
    workers.pass_on(config, given)
    config.pluginmanager.register(plugin, "rsp-suite")


def _meet(given: arguments.Arguments, log: Log | None) -> EngineUnderTest:
    """The engine under test, after its hello."""
    try:
        engine = connect(given.engine, given.engine_options, given.time_limit, log)
        try:
            subject = EngineUnderTest.meet(engine, given.profile, given.dials)
            if not subject.features & FORMS:
                forms = ", ".join(sorted(FORMS))
                raise BadInput(f"--engine={given.engine}: declares no form of query ({forms})")
            return subject
        except BaseException:
            engine.close()
            raise
    except EngineError as error:
        message = f"--engine={given.engine}: {error.message}"
        if error.stderr:
            message += f" ({error.stderr[-1]})"
        if error.hint:
            message += f"; {error.hint[0].lower()}{error.hint[1:]}"
        raise BadInput(" ".join(message.split())) from None
    except ValueError as error:
        raise BadInput(" ".join(str(error).split())) from None


def _trace(config: pytest.Config, given: arguments.Arguments) -> Log | None:
    """Writes the wire into the file that was asked for; each worker has its own."""
    if given.trace is None:
        return None
    path = Path(f"{given.trace}{workers.suffix(config)}")
    try:
        file = path.open("w", encoding="utf-8", errors="backslashreplace", buffering=1)
    except OSError as error:
        raise BadInput(f"--rsp-trace {path}: {error.strerror}") from None
    config.add_cleanup(file.close)

    def write(way: str, text: str) -> None:
        file.write(f"{way} {text}\n")

    return write
