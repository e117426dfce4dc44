"""Causes of failures, shown on GitHub beside a file, through workflow commands.

One bug fails nearly every property, so each cause has one annotation, and each property that failed
for no known cause has one. A property is in no file, so its failure is placed at its crash
file; a failure without a crash file at pytest's configuration file. Source: GitHub, Workflow
commands, "Setting an error message".
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from rsp_conformance.explain.render.layout import counted
from rsp_conformance.judge.crash_file import replay_line
from rsp_conformance.plugin.options import PREFIX
from rsp_conformance.plugin.published import is_on_github
from rsp_conformance.run.causes import evidence_for, labels
from rsp_conformance.run.events import Event, FindingConfirmed
from rsp_conformance.run.outcome import RunOutcome

MOST = 4_000
"""The characters of a message; GitHub by itself cuts a message after 4,096 bytes."""


def place(report: pytest.TestReport, events: Iterable[Event], config: pytest.Config) -> None:
    """Place a failed report at a file, for those who annotate.

    Args:
        report: the report of a property.
        events: the events of that property.
        config: pytest's configuration.
    """
    files = [Path(e.file) for e in events if isinstance(e, FindingConfirmed) and e.file]
    file = files[0] if files else config.inipath
    if report.failed and file is not None:
        root = config.rootpath
        shown = file.relative_to(root) if file.is_relative_to(root) else file
        report.location = (str(shown), 0, report.location[2])


def commands(
    config: pytest.Config,
    failed: Iterable[pytest.TestReport],
    outcome: RunOutcome | None = None,
    engine: str = "",
) -> Iterator[str]:
    """The workflow commands for the causes of failures, and for failures without a cause.

    There are none outside of GitHub, or if another plugin writes them.

    Args:
        config: pytest's configuration.
        failed: the reports of failed properties.
        outcome: the outcome of the run.
        engine: as for ``replay_line``.
    """
    if not is_on_github() or config.pluginmanager.hasplugin("annotate_errors"):
        return
    workspace = os.environ.get("GITHUB_WORKSPACE") or config.rootpath
    reports = {report.nodeid.removeprefix(f"{PREFIX}test_"): report for report in failed}
    causes = outcome.causes if outcome else ()
    called = labels(causes, outcome.told if outcome else ())
    texts = [one for report in reports.values() for one in getattr(report, "rsp_failures", ())]
    argued = {one["files"][0]: one["text"] for one in texts if one["files"]}
    for cause in causes:
        own = [name for name in cause.properties if name in reports]
        if own:
            first = reports[own[0]]
            file = Path(cause.file) if cause.file else config.rootpath / first.location[0]
            title = f"{called[cause.id]}: {counted(len(own), 'property')}"
            replay = replay_line(cause.file, engine) if cause.file else ""
            said = (cause.text, evidence_for(cause), f"In {', '.join(own)}.", replay)
            # What its properties show may be of other causes.
            text = "\n".join([*filter(None, said), "", argued.get(cause.file, "")])
            yield _command(file, workspace, title, text.rstrip())
    explained = {name for cause in causes for name in cause.properties}
    for name, report in reports.items():
        if name not in explained:
            file = config.rootpath / report.location[0]
            yield _command(file, workspace, report.nodeid, str(report.longrepr))


def _command(file: Path, workspace: str | Path, title: str, text: str) -> str:
    """An annotation with a title and a text, at a file if it exists."""
    entries = {"title": title}
    if file.is_file():
        entries = {"file": os.path.relpath(file, workspace), "line": "1", **entries}
    written = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in entries.items())
    return f"::error {written}::{_escaped(text[:MOST])}"


def _escaped(text: str, more: str = "") -> str:
    """A text in which the characters that end a command, or more, are written as ``%XX``."""
    return "".join(f"%{ord(c):02X}" if c in f"%\r\n{more}" else c for c in text)
