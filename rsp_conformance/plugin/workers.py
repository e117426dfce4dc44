"""pytest-xdist: what the controller hands to its workers, and what they hand back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rsp_conformance.plugin.arguments import Arguments


def is_worker(config: pytest.Config) -> bool:
    """Whether this process is one of xdist's workers."""
    return hasattr(config, "workerinput")


def is_controller(config: pytest.Config) -> bool:
    """Whether this process hands its tests to workers."""
    return not is_worker(config) and config.pluginmanager.hasplugin("dsession")


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


def report_seconds(config: pytest.Config, seconds: Mapping[str, float]) -> None:
    """In a worker, hand the timings back when the session ends."""
    output: Any = getattr(config, "workeroutput", None)
    if output is not None:
        output["rsp_seconds"] = dict(seconds)
