"""pytest-xdist: what the controller hands to its workers, and what they hand back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.plugin.arguments import Arguments
from rsp_conformance.suite.events import Event, from_json, to_json

LOCAL = "local[*]"

BATCH = 1_000
"""A worker knows one test ahead, so it lets cases for Spark gather, and is done with them last."""


def is_worker(config: pytest.Config) -> bool:
    """Whether this process is one of xdist's workers."""
    return hasattr(config, "workerinput")


def is_controller(config: pytest.Config) -> bool:
    """Whether this process hands its tests to workers."""
    return not is_worker(config) and config.pluginmanager.hasplugin("dsession")


def suffix(config: pytest.Config) -> str:
    """What tells the files of this process from those of others: ``.gw0`` in a worker."""
    given = _input(config)
    return f".{given['workerid']}" if given else ""


def master(config: pytest.Config, asked_for: str) -> str:
    """Where Spark judges for this process: workers share the cores of ``local[*]``.

    A session a worker. Measured with two workers on two busy cores against one Spark Connect
    server for both: 98 CPU seconds for ten batches of 200 cases against 94 for six, at 0.5 GB more
    a worker, and there is no server to outlive a run that is killed.
    """
    given = _input(config)
    if not given or asked_for != LOCAL:
        return asked_for
    share = (os.cpu_count() or 1) // int(given["workercount"])
    return f"local[{max(1, share)}]"


def folder(config: pytest.Config) -> Path | None:
    """Where a worker leaves files, for the controller to remove in the end."""
    given = _input(config)
    return Path(given["rsp_folder"]) if given else None


def pass_on(config: pytest.Config, given: Arguments) -> None:
    """Leave in the options what workers cannot read from their arguments."""
    config.option.rsp_selected = list(given.selected)
    config.option.rsp_alone = given.alone


def receive(config: pytest.Config) -> None:
    """In a worker, take the arguments as the controller read them."""
    if not is_worker(config):
        return
    selected = list(getattr(config.option, "rsp_selected", []))
    if getattr(config.option, "rsp_alone", False):
        config.option.rsp_only = True
        config.args = []
    config.args = [*config.args, *selected]


def hand_over(config: pytest.Config, events: Iterable[Event]) -> None:
    """In a worker, send EVENTS to the controller when the session ends."""
    output: Any = getattr(config, "workeroutput", None)
    if output is not None:
        output["rsp_events"] = [to_json(event) for event in events]


def handed_over(node: Any) -> list[Event]:
    """In the controller, what a worker has sent at its end; nothing where it was killed."""
    return [from_json(event) for event in getattr(node, "workeroutput", {}).get("rsp_events", [])]


def _input(config: pytest.Config) -> Mapping[str, Any]:
    """What xdist's controller gave this worker; nothing elsewhere."""
    return getattr(config, "workerinput", {})
