"""Failures where GitHub shows them: at a file of the repository, through workflow commands.

A property stands in no file, so its failure is placed at its counterexample; one that left none at
pytest's configuration file. Source: GitHub, Workflow commands, "Setting an error message".
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from rsp_conformance.suite.events import Event, FindingConfirmed

MOST = 4_000
"""The characters of a message; GitHub cuts what is longer than 4,096 bytes by itself."""


def place(report: pytest.TestReport, events: Iterable[Event], config: pytest.Config) -> None:
    """Let a failed REPORT stand at a file, for whoever annotates; EVENTS are its property's."""
    files = [Path(e.file) for e in events if isinstance(e, FindingConfirmed) and e.file]
    file = files[0] if files else config.inipath
    if report.failed and file is not None:
        root = config.rootpath
        shown = file.relative_to(root) if file.is_relative_to(root) else file
        report.location = (str(shown), 0, report.location[2])


def commands(config: pytest.Config, failed: Iterable[pytest.TestReport]) -> Iterator[str]:
    """A workflow command for each of FAILED, on GitHub, where no other plugin writes them."""
    if os.environ.get("GITHUB_ACTIONS") != "true" or config.pluginmanager.hasplugin(
        "annotate_errors"
    ):
        return
    workspace = os.environ.get("GITHUB_WORKSPACE") or config.rootpath
    for report in failed:
        file = config.rootpath / report.location[0]
        entries = {"title": report.nodeid}
        if file.is_file():
            entries = {"file": os.path.relpath(file, workspace), "line": "1", **entries}
        written = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in entries.items())
        yield f"::error {written}::{_escaped(str(report.longrepr)[:MOST])}"


def _escaped(text: str, more: str = "") -> str:
    """TEXT with what ends a command, or one of its properties, written as ``%XX``."""
    return "".join(f"%{ord(c):02X}" if c in f"%\r\n{more}" else c for c in text)
