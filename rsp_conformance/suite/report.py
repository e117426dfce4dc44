"""The text of a failed property: the argument for its first failure, a line for each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rsp_conformance.explain.report import report
from rsp_conformance.judgement.failures import ConformanceFailure

if TYPE_CHECKING:
    from rsp_conformance.judgement.crashfile import Keeper

MAX_LINES = 60
WIDTH = 80


def failures_in(error: BaseException) -> list[ConformanceFailure]:
    """The failures that Hypothesis reports, alone or as a group; the smallest case first."""

    def walk(found: BaseException) -> Iterator[ConformanceFailure]:
        if isinstance(found, ConformanceFailure):
            yield found
        elif isinstance(found, BaseExceptionGroup):
            for inner in found.exceptions:
                yield from walk(inner)

    return sorted(walk(error), key=_size)


def text_of(failures: Sequence[ConformanceFailure], keeper: Keeper, judged_by: str) -> str:
    """At most MAX_LINES lines of at most WIDTH columns, without escape codes."""
    first, *others = failures
    footer = [keeper.replay_line(first.finding), _confirmed(first, judged_by)]
    for other in others:
        case = other.finding.case
        footer.append(
            f"Also: {other.finding.kind} ({len(case.elements)} elements): "
            f"{keeper.replay_line(other.finding)}"
        )
    more = "\n".join(line for line in footer if line)
    return report(first.finding, width=WIDTH, max_lines=MAX_LINES, more=more)


def _confirmed(failure: ConformanceFailure, judged_by: str) -> str:
    if failure.finding.verdict is None:
        return ""
    if not failure.repeats:
        return "Run again, the engine answered this case otherwise: it is not deterministic."
    return f"Judged by {judged_by}; run again, the engine answers the same."


def _size(failure: ConformanceFailure) -> tuple[int, int]:
    case = failure.finding.case
    return len(case.elements), len(failure.finding.query_text)
