"""What people are shown, as values: headings, prose, tables, commands, a timeline.

An argument, or the result of a run, becomes a `Document` once; the writers in `render/` make of it
lines for a terminal, HTML for a browser and Markdown for an issue. A block holds words and numbers
and knows neither columns nor markup, so what one face says the others say too.

```
Document("Missing at t=4: {?x=:a}", (Section("Why", Prose(("Window [1,2) closes at 2 …",))),))
```

A terminal has few lines, so a section says in `Fit` what of it may be left out, and in which order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rsp_conformance.explain.situation import Situation

Tone: TypeAlias = Literal["", "good", "bad", "soft", "strong"]


@dataclass(frozen=True, slots=True)
class Span:
    """Words within a line that are more than words.

    Attributes:
        text: the words.
        code: whether they are something to type or a name in code.
        href: where they lead; may be empty.
        tone: how they are meant.
        download: the file's name, if they lead to a file that is to be saved.
        says: what they are to who can't see them, if they are a sign.
        instant: the instant that the words tell (ISO 8601); may be empty.
    """

    text: str
    code: bool = False
    href: str = ""
    tone: Tone = ""
    download: str = ""
    says: str = ""
    instant: str = ""


Line: TypeAlias = str | Span | tuple[str | Span, ...]
"""Words in a row."""
_CODE = re.compile(r"`([^`]+)`")


def line(text: str) -> Line:
    """A text in which backticks set off what is code, such as "the function `COUNT`"."""
    pieces = _CODE.split(text)
    found = [Span(own, code=True) if n % 2 else own for n, own in enumerate(pieces) if own]
    return tuple(found) if len(found) != 1 else found[0]


def spans(own: Line) -> tuple[str | Span, ...]:
    """The parts of a line."""
    return own if isinstance(own, tuple) else (own,)


def plain(own: Line) -> str:
    """The words of a line."""
    return "".join(part.text if isinstance(part, Span) else part for part in spans(own))


# --- blocks ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a level from 1 on; `anchor` is what links to it name."""

    text: Line
    level: int = 2
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs; `note` is a warning."""

    paragraphs: tuple[Line, ...]
    tone: Tone | Literal["note"] = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `says` is what is said of an empty one, `label` what it is for who can't see it."""

    items: tuple[Line, ...]
    says: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Flow:
    """Short things in a row, with commas between them: the elements of a stream."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with what is so called."""

    facts: tuple[tuple[str, Line], ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head; whether it holds numbers; whether it needs room."""

    head: str
    number: bool = False
    wide: bool = False


Cell: TypeAlias = Line | tuple[Line, ...]
"""What stands in a cell: a line, or lines, each of which is a tuple then."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; `tags` are what filters go by, `anchor` is what links to it name."""

    cells: tuple[Cell, ...]
    tags: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `label` says what it is to who can't see it."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """Choices that leave those rows of a page's tables that have a tag: its words by the tag."""

    label: str
    name: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines that stand as they are."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueryText:
    """A query: to be read in few lines on a terminal, to be pasted elsewhere."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command line to be copied, with what it is for, if that has to be said."""

    text: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class TimelineBlock:
    """Streams, windows, evaluations and answers over the instants; `few` windows if short."""

    situation: Situation
    few: bool = False


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer that is expected, received, or both.

    Attributes:
        time: when, such as ``t=4 (2)``; may be empty.
        kind: ``expected``, ``received``, ``expected, received`` …; empty in a mere list.
        content: the rows.
        first_difference: whether here they part.
        agreed: whether it came as expected, so that a line of it is enough.
    """

    time: str
    kind: str
    content: str
    first_difference: bool = False
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers in the order of their instants."""

    rows: tuple[AnswerRow, ...]


@dataclass(frozen=True, slots=True)
class Fit:
    """What of a section may be left out where lines are few.

    Attributes:
        noun: what an item of it is called.
        least: so many items stay in any case.
        away: how far each item is from what matters; the farthest goes first, without them the
            last.
        ends: whether the last paragraph stays.
        last: sections of a greater number are shortened when nothing else is left to shorten.
    """

    noun: str = "line"
    least: int = 1_000
    away: Sequence[float] = ()
    ends: bool = False
    last: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A block under a title.

    Attributes:
        title: the title; may be empty.
        body: what stands under it.
        fit: what of it may be left out.
        compact: what does if space is short.
        of_case: whether it shows what was asked, not what came of it.
        joined: whether it follows the section before without a gap.
    """

    title: str
    body: Block
    fit: Fit = field(default_factory=Fit)
    compact: Block | None = None
    of_case: bool = False
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks that are shown if asked for."""

    summary: Line
    blocks: tuple[Block, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks that belong together, under an anchor that links name."""

    anchor: str
    blocks: tuple[Block, ...]


Block: TypeAlias = (
    Heading
    | Prose
    | Items
    | Flow
    | Facts
    | Table
    | Filter
    | Code
    | QueryText
    | Command
    | TimelineBlock
    | Answers
    | Section
    | Details
    | Part
)


@dataclass(frozen=True, slots=True)
class Document:
    """What is shown: a title, a line below it, and blocks."""

    title: Line
    blocks: tuple[Block, ...]
    below: Line = ""


def lines(cell: Cell) -> list[Line]:
    """The lines of a cell."""
    if isinstance(cell, tuple) and any(isinstance(own, tuple) for own in cell):
        return [own if isinstance(own, tuple) else (own,) for own in cell]
    return [cell]  # type: ignore[list-item]  # No tuple is in it, so it is a line.


def answer_table(answers: Answers) -> Table:
    """Answers as a table, for writers that have tables."""
    has_kind = any(row.kind for row in answers.rows)
    columns = (Column("time"), *([Column("answer")] if has_kind else []), Column("rows", wide=True))
    rows = []
    for row in answers.rows:
        mark: Iterable[str | Span] = ()
        if row.first_difference:
            mark = (" ", Span("← first difference", tone="bad"))
        content = (Span(row.content, code=True), *mark)
        rows.append(Row((row.time, *([row.kind] if has_kind else []), content)))
    return Table(columns, tuple(rows), "Answers")
