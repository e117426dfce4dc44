"""Failures that are expected: marks ``property[:kind[:dial]] reason``, one a line of a file.

A mark covers one kind of failure, and one cause if it names the dial that explains it, so that
anything else in the same property still fails. ``*:kind`` covers that kind in every property.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rsp_conformance.explain.evidence.dials import search
from rsp_conformance.judge.failures import CLASSES
from rsp_conformance.model.dials import DIALS
from rsp_conformance.model.errors import KitError, did_you_mean, excerpt
from rsp_conformance.model.finding import Finding
from rsp_conformance.suite.properties import SUITE

EVERY: Final = "*"
"""Stands for every property."""


class MarkError(KitError):
    """A file of marks that cannot be used; one line that says where and what to do."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An expected failure of ``property_name``; without ``kind`` or ``dial``, of any."""

    property_name: str
    kind: str = ""
    dial: str = ""
    reason: str = ""

    def __str__(self) -> str:
        """The mark as it is written, without its reason."""
        return ":".join(part for part in (self.property_name, _slug(self.kind), self.dial) if part)

    def concerns(self, names: Set[str]) -> bool:
        """Whether the mark is of one of the properties with NAMES."""
        return self.property_name in names or (self.property_name == EVERY and bool(names))

    def covers(self, finding: Finding) -> bool:
        """Whether FINDING is what the mark expects."""
        if not self.concerns({finding.property_name}) or self.kind not in ("", finding.kind):
            return False
        if not self.dial:
            return True
        if finding.verdict is None:
            return False
        found = search(finding.case, finding.dials, finding.observed).found
        return any(dial == self.dial for dial, _ in found)


def read_marks(path: Path) -> tuple[Mark, ...]:
    """The marks in the file at PATH; empty lines and lines that begin with # say nothing.

    Raises MarkError for a file that is not there, and for a line that is no mark.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise MarkError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    marks = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            try:
                marks.append(_mark(text))
            except ValueError as error:
                raise MarkError(f"{path}, line {number}: {error}") from None
    return tuple(marks)


def _mark(text: str) -> Mark:
    written, _, reason = text.partition(" ")
    if not reason.strip():
        raise ValueError("expected property[:kind[:dial]] and a reason after a space")
    name, kind, dial, *more = [*written.split(":"), "", ""]
    if any(more):
        raise ValueError(f"{written!r}: expected property[:kind[:dial]]")
    kinds = {_slug(known): known for known in CLASSES}
    if name == EVERY and not kind:
        raise ValueError("'*' needs a kind of failure, as in *:silent")
    if name != EVERY:
        names = [property.name for property in SUITE]
        _known("property", name, names, "docs/properties.md lists them")
    if kind:
        _known("kind of failure", kind, list(kinds))
    if dial:
        _known("dial", dial, list(DIALS))
    return Mark(name, kinds.get(kind, ""), dial, reason.strip())


def _known(what: str, name: str, names: list[str], others: str = "") -> None:
    if name not in names:
        others = others or f"there are {', '.join(names)}"
        hint = did_you_mean(name, names) or f" ({others})"
        raise ValueError(f"unknown {what} {excerpt(name)}{hint}")


def _slug(kind: str) -> str:
    return re.sub(r"\W+", "-", kind)
