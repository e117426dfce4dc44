"""The text of a failed property: the argument for its first failure, and a line for each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from rich.cells import cell_len

from rsp_conformance.explain.render.failure import failure_title
from rsp_conformance.explain.render.headline import headline
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.explain.render.terminal import failure_report, head
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.finding import Finding, Shown

MAX_LINES = 60
"""The lines of a failure's text, those of commands included."""
ENOUGH = 28
"""The lines that a failure should have, so that a report and its command fit a screen."""
WIDTH = 80
"""The columns of a line, unless a terminal has fewer."""

Identity: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class FailureText:
    """The text of one search of a property: its first failure, and a line for each other.

    Attributes:
        headline: what is wrong, in a line.
        text: the whole, in lines of plain text.
        files: the crash files of all its failures, that of the first one first.
        same_as: the property for which the first counterexample was shown before, or empty.
        shows: the ids of the causes that were known by then to explain the first one, or of its
            group if none did.
    """

    headline: str
    text: str
    files: tuple[str, ...]
    same_as: str
    shows: tuple[str, ...] = ()


class FailureReport:
    """Writes the failures of a session; a counterexample that was shown before is not repeated.

    The text of a search has at most `MAX_LINES` lines, of at most ``width`` columns except for
    commands.

    Args:
        keeper: knows the crash files.
        shows: returns the ids of the causes behind a failure, as `FailureText` has them.

    Attributes:
        width: the columns of a line.
        brief: whether the case is left out.
    """

    def __init__(
        self, keeper: Keeper, shows: Callable[[Finding], tuple[str, ...]] = lambda _: ()
    ) -> None:
        self.width = WIDTH
        self.brief = False
        self._keeper = keeper
        self._shows = shows
        self._shown: dict[Identity, str] = {}

    def text(self, failures: Sequence[Shown]) -> str:
        """All failures as text, without escape codes."""
        return "\n\n".join(own.text for own in self.texts(failures))

    def texts(self, failures: Sequence[Shown]) -> list[FailureText]:
        """The failures by the searches that found them."""
        searches = groupby(failures, key=lambda failure: failure.finding.number)
        # What no known cause shows in as well argues what is new.
        return [
            self._text_of(sorted(group, key=lambda failure: bool(failure.finding.known)))
            for _, group in searches
        ]

    def _text_of(self, failures: Sequence[Shown]) -> FailureText:
        first, *others = failures
        found, before = first.finding, self.same_as(first.finding)
        footer = self._commands(found)
        for said in filter(None, (first.confirmed, _known(found))):
            footer += wrap(said, self.width, rest="  ")
        footer += [line for other in others for line in self._line(other.finding)]
        if before is None:
            text = failure_report(
                found,
                width=self.width,
                max_lines=MAX_LINES,
                enough=ENOUGH,
                more="\n".join(footer),
                brief=self.brief,
            )
        else:
            title = head(failure_title(found, self.width), self.width)
            same = f"The same counterexample as rsp::test_{before}."
            text = "\n".join([title, "", same, "", *footer])
        files = tuple(str(self._keeper.path(own.finding)) for own in failures)
        return FailureText(headline(found), text, files, before or "", self._shows(found))

    def remember(self, finding: Finding) -> None:
        """Take note that a failure is shown."""
        self._shown.setdefault(_identity(finding), finding.property_name)

    def note(self, failures: Sequence[Shown]) -> str:
        """The failures in a few words, for a table; to be asked for before ``text``."""
        kinds = ", ".join(dict.fromkeys(failure.finding.kind for failure in failures))
        before = self.same_as(failures[0].finding)
        return kinds if before is None else f"as {before} ({kinds})"

    def same_as(self, finding: Finding) -> str | None:
        """The other property for which this counterexample was shown, or None."""
        before = self._shown.get(_identity(finding))
        return None if before == finding.property_name else before

    def _commands(self, finding: Finding) -> list[str]:
        """The command that runs a finding again, in lines from which it can be copied."""
        replay, *more = self._keeper.replay_line(finding).partition(" --engine ")
        return self._broken([replay, "".join(more).strip()])

    def _broken(self, parts: Sequence[str]) -> list[str]:
        """The parts of a command in one line, or in several if that is too long."""
        given = [part for part in parts if part]
        lines = given[:1]
        for part in given[1:]:
            if cell_len(f"{lines[-1]} {part} \\") > self.width:
                lines[-1] += " \\"
                lines.append(f"  {part}")
            else:
                lines[-1] += f" {part}"
        return lines

    def _line(self, finding: Finding) -> list[str]:
        before = self.same_as(finding)
        elements = len(finding.case.elements)
        what = f"{elements} element{'' if elements == 1 else 's'}"
        if before is not None:
            what += f", the same as in rsp::test_{before}"
        said, command = f"Also: {finding.kind} ({what}):", self._keeper.replay_line(finding)
        fits = cell_len(f"{said} {command}") <= self.width
        return [f"{said} {command}"] if fits else [said, f"  {command}"]


def _known(finding: Finding) -> str:
    """The known causes that show in the case of a finding too: the argument may be about these."""
    if not finding.known:
        return ""
    cause = "cause" if len(finding.known) == 1 else "causes"
    return f"This case also shows the known {cause} {', '.join(finding.known)}."


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
    """The first line of a text that is not blank."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
