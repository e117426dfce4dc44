"""The whole text of a failure: what a terminal, a JUnit file or a colleague gets to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rsp_conformance.explain.argument import Argument, ByDial
from rsp_conformance.explain.evidence.argued import argued
from rsp_conformance.explain.render.answers import aligned, listed_answers, rendered, time_of
from rsp_conformance.explain.render.argument import blocks
from rsp_conformance.explain.render.findings import (
    cannot_all_be_right,
    differing,
    failed,
    stated_relation,
    why_wrong,
)
from rsp_conformance.explain.render.folding import folded, lines_of
from rsp_conformance.explain.render.headline import headline
from rsp_conformance.explain.render.layout import counted, cut, glued, shorten, unglued, wrap
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.explain.render.timeline import draw
from rsp_conformance.explain.situation import Situation
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.errors import last_words, printable
from rsp_conformance.model.finding import Finding, RelationViolation
from rsp_conformance.text.printer.rspql import print_query

TIMELINE = "Timeline"
"""So begins the title of the section with the timeline."""
STDERR_LINES = 8
"""So many of a driver's last lines are shown."""


@dataclass
class Section:
    """A titled part of a report whose items may be left out, those of greatest distance first.

    Without ``distances`` the last ones go first. ``least`` items stay in any case; ``noun`` is what
    one item is called. ``compact`` are the items that do if space is short. ``flows`` says that
    they share lines, the first one with the title; ``whole`` that none is cut, such as commands
    that are to be copied; ``of_case`` that it shows what was asked; and ``joined`` that it follows
    without a blank line. ``written`` are the items to be pasted: a query with its prefixes.
    Sections of a greater ``last`` are shortened when nothing else is left to shorten.
    """

    title: str
    items: list[str]
    noun: str = "line"
    least: int = 1_000
    distances: Sequence[float] = ()
    compact: list[str] | None = None
    flows: bool = False
    whole: bool = False
    of_case: bool = False
    joined: bool = False
    written: list[str] | None = None
    last: int = 0
    shown: int = 1_000

    def lines(self, width: int) -> list[str]:
        """Title, the items that are kept, and how many are not."""
        if not self.items:
            return []
        if self.flows:
            text = f"{self.title}  {', '.join([*map(glued, self._kept()), *self._left()])}"
            found = wrap(text, width, rest="  ")
        else:
            body = [line for item in self._kept() for line in item.split("\n")]
            found = [self.title] if self.title else []
            found += [*body, *(f"  {note}" for note in self._left())]
        return found if self.whole else [cut(unglued(line), width) for line in found]

    def body(self, width: int) -> list[str]:
        """The lines without the title and without what sets them off from it."""
        if self.flows:
            return [unglued(", ".join([*self._kept(), *self._left()]))]
        return [line.removeprefix("  ") for line in self.lines(width)[bool(self.title) :]]

    def _kept(self) -> list[str]:
        away = self.distances or range(len(self.items))
        order = sorted(range(len(self.items)), key=lambda i: (away[i], i))
        return [self.items[i] for i in sorted(order[: self.shown])]

    def _left(self) -> list[str]:
        """How many items are left out, if any are."""
        left = len(self.items) - min(len(self.items), self.shown)
        # The crash file has the case and the answers, and no lines of this text.
        where = ", which replay shows" if self.noun == "line" else " in the crash file"
        return [f"… {counted(left, f'more {self.noun}')}{where}"] if left else []

    def compress(self) -> bool:
        """Goes over to the compact form; False where there is none (any more)."""
        if self.compact is None:
            return False
        self.items, self.compact = self.compact, None
        return True

    def shorten(self) -> bool:
        """Leaves out one more item; False where no more can go."""
        now = min(self.shown, len(self.items))
        if now <= self.least:
            return False
        # The first time two go: one line is needed to say so.
        self.shown = max(self.least, now - (2 if now == len(self.items) else 1))
        return True


def report(
    finding: Finding,
    *,
    width: int = 80,
    max_lines: int = 60,
    more: str | None = None,
    by_dial: ByDial | None = None,
    brief: bool = False,
    whole: bool = False,
) -> str:
    """FINDING as plain text: no line longer than WIDTH columns, at most MAX_LINES lines.

    MORE is a footer, such as the command line that replays the case; its lines stand as they are,
    and are counted in. Where the text would be too long, the longest sections are shortened and say
    how much is left out. BY_DIAL is as in ``argued``: if no run says more of the case. A BRIEF text
    leaves out the case itself and its timeline, which ``replay`` shows; a WHOLE one has the query
    as it can be pasted.
    """
    sections = _sections(finding, width, by_dial=by_dial)
    if whole:
        _write_out(sections)
    sections = [section for section in sections if not (brief and section.of_case)]
    return "\n".join(_fitted([*sections, *_footer(more)], width, max_lines))


def report_headline(finding: Finding, *, width: int) -> str:
    """What ``report`` begins with: what is wrong; its kind, the engine, profile and property."""
    return "\n".join(_head(finding, width).lines(width))


def report_body(
    finding: Finding,
    *,
    width: int,
    max_lines: int,
    more: str | None = None,
    by_dial: ByDial | None = None,
) -> str:
    """FINDING as ``report`` shows it, without the headline."""
    sections = [*_sections(finding, width, by_dial=by_dial)[1:], *_footer(more)]
    return "\n".join(_fitted(sections, width, max_lines))


def _footer(more: str | None) -> list[Section]:
    return [Section("", more.split("\n"), whole=True)] if more else []


def report_sections(
    finding: Finding, *, width: int, max_lines: int, by_dial: ByDial | None = None
) -> list[Section]:
    """FINDING as ``report`` shows it, without the headline, its sections one by one."""
    sections = _sections(finding, width, by_dial=by_dial)[1:]
    _write_out(sections)
    _fitted(sections, width, max_lines)
    return sections


def _write_out(sections: Iterable[Section]) -> None:
    """Have what can be pasted written out."""
    for section in sections:
        section.items = section.written or section.items


def _sections(finding: Finding, width: int, *, by_dial: ByDial | None = None) -> list[Section]:
    try:
        with limited():
            return _explained(finding, width, by_dial=by_dial)
    except LimitExceeded as error:
        said = f"There is no explanation: the kit {error.what}."
        why = Section("", _paragraph([said], width), last=2)
        return [_head(finding, width), *_case_sections(finding, width, 0), why]


def _explained(finding: Finding, width: int, *, by_dial: ByDial | None) -> list[Section]:
    if finding.violation is not None:
        sections = _contradicting(finding, finding.violation, width, by_dial=by_dial)
    elif finding.verdict is not None:
        sections = _wrong(finding, width, by_dial=by_dial)
    else:
        sections = _failed(finding, width)
    return [*sections, _last_lines(finding, width)] if finding.stderr else sections


def _fitted(sections: Sequence[Section], width: int, max_lines: int) -> list[str]:
    text = _joined(sections, width)
    while len(text) > max_lines:
        longest = sorted(sections, key=lambda s: (s.last, -len(s.lines(width))))
        if not any(s.compress() for s in longest) and not any(s.shorten() for s in longest):
            # So few lines are asked for that the argument itself does not fit.
            end = ["… replay shows the rest", "", *sections[-1].lines(width)]
            end = end if len(end) < max_lines else end[:1]
            return [*text[: max_lines - len(end)], *(cut(line, width) for line in end)]
        text = _joined(sections, width)
    return text


def _joined(sections: Sequence[Section], width: int) -> list[str]:
    text: list[str] = []
    for section in sections:
        lines = section.lines(width)
        text += ([""] if text and lines and not section.joined else []) + lines
    return text


def _head(finding: Finding, width: int) -> Section:
    parts = [
        finding.kind,
        f"{finding.engine} {finding.version}".strip(),
        f"profile {finding.profile.title}",
        f"property {finding.property_name}",
    ]
    if finding.pacing != "burst":
        parts.append(f"pacing {finding.pacing}")
    text = " · ".join(map(glued, map(printable, parts)))
    return Section("", [headline(finding, width), *wrap(text, width, rest="  ")])


def _case_sections(finding: Finding, width: int, place: int) -> list[Section]:
    case, notation = finding.case, Notation(finding.case)
    found = []
    for stream in case.streams:
        own = [e for e in case.elements if e.stream == stream]
        items = [shorten(notation.element(e), width - 2) for e in own] or ["no element"]
        away = [abs(e.t - place) for e in own]
        title = f"Stream {notation.iri(stream)}"
        found.append(Section(title, items, "element", 1, away, flows=True, of_case=True))
    if case.background:
        # One entry a triple, so that each may be left out.
        single = (replace(e, triples=(triple,)) for e in case.background for triple in e.triples)
        items = [shorten(notation.background_entry(entry), width - 2) for entry in single]
        found.append(Section("Background data", items, "triple", 0, flows=True, of_case=True))
    text = finding.query_text or print_query(case.query)
    few, whole = (
        [p for line in own for p in wrap(line, width - 2, first="  ", rest="      ")]
        for own in (folded(text, width - 2), lines_of(text))
    )
    title = f"Query, registered at {case.registered}, compared until {case.until}"
    found.append(Section(title, few, "line", 4, of_case=True, written=whole))
    for section in found[1:]:
        section.joined = True
    return found


def _wrong(finding: Finding, width: int, *, by_dial: ByDial | None) -> list[Section]:
    verdict = finding.verdict
    assert verdict is not None
    case = finding.case
    argument = argued(case, finding.dials, finding.observed, verdict, by_dial=by_dial)
    situation, notation = argument.situation, Notation(case)
    sections = [_head(finding, width), *_case_sections(finding, width, situation.place)]
    nearest = notation.starts(situation.starts)
    under = f", with {nearest}" if nearest else ""
    if nearest and not verdict.correct:
        others = any(situation.others())
        under += ", the nearest start" if others else ", the only possible start"
    drawn, less = (
        [f"  {line}" for line in draw(situation, width - 2, few=few)] for few in (False, True)
    )
    sections.append(Section(f"{TIMELINE}{under}", drawn, compact=less, of_case=True))
    sections += [_answers(situation, width), _argument(finding, argument, width)]
    if finding.reading is not None:
        said = (
            f"{finding.reading.library} by itself answers so too; SPARQL 1.1, "
            f"{finding.reading.section}, decides: {finding.reading.says}."
        )
        sections.append(Section("", _paragraph([said], width)))
    return sections


def _contradicting(
    finding: Finding, violation: RelationViolation, width: int, *, by_dial: ByDial | None
) -> list[Section]:
    first, *others = violation.cases
    t = violation.contradiction.t
    place = 0 if t is None else int(t)
    many = len(others) > 1
    asked_for = _case_sections(finding, width, place)
    for other in others:
        items = differing(first, other, width) or ["  nothing"]
        few = differing(first, other, width, bare=True) if many else []
        title = f"What differs: {other.label}"
        asked_for.append(Section(title, items, "line", 4, compact=few or None))
    for section in asked_for:
        # What sets the cases apart says more than answers that agree.
        section.last = 1
    why = _paragraph(cannot_all_be_right(finding, violation), width)
    sections = [
        _head(finding, width),
        Section("The relation", _paragraph([stated_relation(violation)], width)),
        Section("Why the answers cannot all be right", why, "line", 6, last=2),
        *asked_for,
    ]
    for asked in violation.cases:
        away = [
            i if answer.t is None else abs(float(answer.t) / asked.scale - place)
            for i, answer in enumerate(asked.observed)
        ]
        items, least = listed_answers(asked.case, asked.observed, width), 1 if many else 2
        sections.append(Section(f"Answers: {asked.label}", items, "answer", least, away))
    wrong = why_wrong(finding, violation, by_dial=by_dial)
    if wrong is not None:
        lines = _paragraph([wrong[1]], width)
        sections.append(Section(f"Why “{wrong[0]}” is wrong", lines, "line", 3))
    return sections


def _answers(situation: Situation, width: int) -> Section:
    lines = aligned(situation)
    first = next((i for i, line in enumerate(lines) if line.parts), 0)
    title = f"Answers, compared from {situation.t_s} on"
    if situation.dials.answer_time == "arrival":
        title += ": when they arrive (when the query is evaluated)"
    column = max([7, *(len(time_of(situation, line)) for line in lines)])
    items = [rendered(situation, line, width, column) for line in lines]
    items = items or ["  none expected, none received"]
    # Of two equally far the later one is nearer.
    away = [i - first if i >= first else first - i + 0.5 for i in range(len(lines))]
    return Section(title, items, "answer", 3, away)


def _argument(finding: Finding, argument: Argument, width: int) -> Section:
    paragraphs = [_paragraph(sentences, width) for sentences in blocks(argument)]
    items = [line for paragraph in paragraphs for line in paragraph]
    if argument.correct:
        return Section("Why", items)
    last = len(paragraphs[-1])
    return Section(
        "Why",
        items,
        "line",
        6,
        # The end of the argument stays: which dial explains it.
        [-1 if i >= len(items) - last else i for i in range(len(items))],
        last=1,
    )


def _paragraph(sentences: list[str], width: int) -> list[str]:
    return wrap(" ".join(filter(None, sentences)), width, first="  ")


def _failed(finding: Finding, width: int) -> list[Section]:
    failure = finding.failure
    sections = [_head(finding, width), *_case_sections(finding, width, 0)]
    if failure is None:
        return sections
    sections.append(Section("What happened", _paragraph(failed(finding, failure), width)))
    if failure.kind == "unstable":
        for title, answers in (("First run", finding.observed), ("Second run", finding.again)):
            items = listed_answers(finding.case, answers, width)
            sections.append(Section(title, items, "answer", 3))
    return sections


def _last_lines(finding: Finding, width: int) -> Section:
    last = last_words(finding.stderr, STDERR_LINES)
    items = [cut(f"  {printable(line.rstrip())}", width) for line in last]
    return Section("The driver's last lines on standard error", items, "line", 3)
