"""Failures that are expected: marks ``property[:kind[:dial]] reason``, one a line of a file.

A mark covers one kind of failure, and one cause if it names the dial that explains it, so anything
else in the same property still fails. ``*`` stands for any letters of a property's or a kind's
name: ``*:kind`` covers that kind in every property, ``law[*]`` every law.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.files.files import missing
from rsp_conformance.judge.failures import KINDS
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.errors import KitError, did_you_mean, excerpt
from rsp_conformance.model.finding import Finding
from rsp_conformance.run.properties import SUITE

EVERY: Final = "*"
"""Stands for any letters of a name."""


class MarkError(KitError):
    """A file of marks that can't be used; one line that says where, and what to do."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An expected failure of a property.

    Attributes:
        property_name: the property, or a pattern of several.
        kind: the kind of failure; empty for any.
        dial: the dial that explains it; empty for any.
        reason: the user's reason.
    """

    property_name: str
    kind: str = ""
    dial: str = ""
    reason: str = ""

    def __str__(self) -> str:
        """The mark as it is written, without its reason."""
        return ":".join(
            part for part in (self.property_name, _slug(self.kind, EVERY), self.dial) if part
        )

    def concerns(self, names: Set[str]) -> bool:
        """Whether the mark is about one of the properties with these names."""
        return any(_matches(self.property_name, name) for name in names)

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is what the mark expects."""
        kind = not self.kind or _matches(_slug(self.kind, EVERY), _slug(finding.kind))
        if not (kind and self.concerns({finding.property_name})):
            return False
        if not self.dial:
            return True
        if finding.verdict is None:
            return False
        return self.dial in _explaining(finding.case, finding.dials, tuple(finding.observed))


@lru_cache(maxsize=4_096)
def _explaining(case: Case, dials: Dials, observed: tuple[Observed, ...]) -> frozenset[str]:
    """The dials that explain an answer; a run asks for the same answer several times."""
    return frozenset(dial for dial, _ in by_dial(case, dials, observed).found)


def read_marks(path: Path) -> tuple[Mark, ...]:
    """Read the marks in a file; empty lines and lines that begin with # say nothing.

    Raises:
        MarkError: the file is missing, or a line is no mark.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise MarkError(str(missing(path))) from None
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
    kinds = {_slug(known): known for known in KINDS}
    if name.strip(EVERY) == "" and kind.strip(EVERY) == "":
        raise ValueError("'*' needs a kind of failure, as in *:silent")
    _known("property", name, [p.name for p in SUITE], "docs/properties.md lists them")
    if kind:
        _known("kind of failure", kind, list(kinds))
    if dial:
        _known("dial", dial, list(DIALS))
    return Mark(name, kinds.get(kind, kind), dial, reason.strip())


def _matches(pattern: str, name: str) -> bool:
    """Whether a name is like a pattern, in which ``*`` stands for any letters."""
    letters = map(re.escape, pattern.split(EVERY))
    return re.fullmatch(".*".join(letters), name) is not None


def _known(what: str, name: str, names: list[str], others: str = "") -> None:
    if not any(_matches(name, known) for known in names):
        others = others or f"there are {', '.join(names)}"
        part = (known for known in names if name in known.split("-"))
        near = did_you_mean(name, names) or did_you_mean(next(part, ""), names)
        hint = near or f" ({others})"
        raise ValueError(f"unknown {what} {excerpt(name)}{hint}")


def _slug(kind: str, keep: str = "") -> str:
    return re.sub(rf"[^\w{keep}]+", "-", kind)
