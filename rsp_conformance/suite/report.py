"""The text of a failed property: the argument for its first failure, a line for each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.explain.render.report import report, report_headline
from rsp_conformance.judge.crash_file import REPLAY
from rsp_conformance.judge.failures import ConformanceFailure
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.finding import Finding

MAX_LINES = 60
WIDTH = 80

Identity: TypeAlias = tuple[object, ...]


def failures_in(error: BaseException) -> list[ConformanceFailure]:
    """The failures that Hypothesis reports, alone or as a group, by rounds; small cases first."""

    def walk(found: BaseException) -> Iterator[ConformanceFailure]:
        if isinstance(found, ConformanceFailure):
            yield from (found, *found.beside)
        elif isinstance(found, BaseExceptionGroup):
            for inner in found.exceptions:
                yield from walk(inner)

    def size(failure: ConformanceFailure) -> tuple[int, int, int]:
        found = failure.finding
        return found.number, len(found.case.elements), len(found.query_text)

    return sorted(walk(error), key=size)


class FailureReport:
    """Writes the failures of a session; a counterexample that was shown before is not repeated."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._shown: dict[Identity, str] = {}

    def text(self, failures: Sequence[ConformanceFailure]) -> str:
        """At most MAX_LINES lines a round, of at most WIDTH columns, without escape codes."""
        rounds = groupby(failures, key=lambda failure: failure.finding.number)
        return "\n\n".join(self._round(list(group)) for _, group in rounds)

    def _round(self, failures: Sequence[ConformanceFailure]) -> str:
        first, *others = failures
        before = self.same_as(first.finding)
        self._shown.setdefault(_identity(first.finding), first.finding.property_name)
        footer = [*self._commands(first.finding), first.confirmed, _known(first.finding)]
        footer += [self._line(other.finding) for other in others]
        more = "\n".join(line for line in footer if line)
        if before is None:
            found = first.finding
            return report(found, width=WIDTH, max_lines=MAX_LINES, more=more, alone=False)
        head = report_headline(first.finding, width=WIDTH)
        text = f"{head}\n\nThe same counterexample as rsp::test_{before}.\n\n{more}"
        return "\n".join(part for line in text.split("\n") for part in wrap(line, WIDTH, rest="  "))

    def note(self, failures: Sequence[ConformanceFailure]) -> str:
        """FAILURES in a few words, for a table; to be asked for before ``text``."""
        kinds = ", ".join(dict.fromkeys(failure.finding.kind for failure in failures))
        before = self.same_as(failures[0].finding)
        return kinds if before is None else f"as {before} ({kinds})"

    def same_as(self, finding: Finding) -> str | None:
        """The other property for which this counterexample was shown, or None."""
        before = self._shown.get(_identity(finding))
        return None if before == finding.property_name else before

    def _commands(self, finding: Finding) -> list[str]:
        """How to run FINDING again, and how to pipe its request into the driver."""
        file, driver = self._keeper.shown_path(finding), self._keeper.driver
        by_hand = f"By hand: {REPLAY} {file} --request | {driver}"
        if len(by_hand) > WIDTH:
            # Still a command that can be copied, in two lines.
            by_hand = f"By hand: {REPLAY} --request \\\n  {file} | {driver}"
        return [self._keeper.replay_line(finding), by_hand]

    def _line(self, finding: Finding) -> str:
        before = self.same_as(finding)
        elements = len(finding.case.elements)
        what = f"{elements} element{'' if elements == 1 else 's'}"
        if before is not None:
            what += f", the same as in rsp::test_{before}"
        self._shown.setdefault(_identity(finding), finding.property_name)
        return f"Also: {finding.kind} ({what}): {self._keeper.replay_line(finding)}"


def _known(finding: Finding) -> str:
    """Which known causes show in the case of FINDING too: what is argued may be theirs."""
    if not finding.known:
        return ""
    cause, shows = ("cause", "shows") if len(finding.known) == 1 else ("causes", "show")
    return f"The known {cause} {', '.join(finding.known)} {shows} in this case as well."


def _identity(finding: Finding) -> Identity:
    case = finding.case
    return (
        finding.kind,
        finding.query_text,
        case.elements,
        case.background,
        case.registered,
        case.until,
        repr(finding.observed),
        repr(finding.again),
    )


def first_line(text: str) -> str:
    """The first line of TEXT that is not blank."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
