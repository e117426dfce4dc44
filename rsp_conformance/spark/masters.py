"""Spark's masters: which there are, and the settings with which a JVM is started for each."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from rsp_conformance.model.errors import did_you_mean, excerpt

LOCAL = "local[*]"
"""A JVM of our own, on all cores."""

SETTINGS: Mapping[str, str] = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "2g",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.session.timeZone": "UTC",
}
"""The settings of every JVM, which must be made before it starts."""
LOOPBACK: Mapping[str, str] = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}
"""The settings of a local master; the workers of a cluster have to reach the JVM."""

_MASTER = re.compile(
    r"local(\[(\*|[1-9]\d*)(\s*,\s*\d+)?\])?|local-cluster\[[\d\s,]+\]|yarn|(spark|k8s|sc)://\S+"
)


def check_master(text: str, *more: str) -> str:
    """Make sure that a text is the name of a master, or another allowed name; return it.

    Args:
        text: the text.
        more: the other allowed names.

    Raises:
        ValueError: it is neither.
    """
    if text in more or _MASTER.fullmatch(text):
        return text
    mark = next((mark for mark in ("[", "://") if mark in text), "")
    where = text[text.index(mark) :] if mark else ""
    known = (*more, "local[*]", "local[N]", "spark://…", "sc://…", "yarn", "k8s://…")
    near = (f"{name}{where}" for name in ("local", "spark", "sc", "k8s"))
    hint = did_you_mean(text, (*more, "yarn", "local", *filter(_MASTER.fullmatch, near)))
    hint = hint or f" (there are {', '.join(known)})"
    raise ValueError(f"{excerpt(text)} is no master{hint}")


def is_remote(master: str) -> bool:
    """Whether a master is the address of a Spark Connect server."""
    return master.startswith("sc://")


def settings_of(master: str) -> dict[str, str]:
    """The settings with which a JVM is started for a master.

    A standalone cluster has a secret only if its own configuration has one; for others Spark makes
    one.
    """
    secret = {} if master.startswith("spark://") else {"spark.authenticate": "true"}
    return {**SETTINGS, **(LOOPBACK if master.startswith("local") else {}), **secret}


def partitions_of(master: str) -> int:
    """The number of parts of a job that a master works on at once: a local one has one per core."""
    cores = re.fullmatch(r"local(?:\[(\*|\d+)(?:,\d+)?\])?", master)
    if cores is None:
        return max(2, os.cpu_count() or 2)
    return (os.cpu_count() or 2) if cores[1] == "*" else int(cores[1] or 1)
