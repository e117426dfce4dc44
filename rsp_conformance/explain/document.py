"""The values that people are shown: headings, prose, tables, commands, a timeline.

An argument, or the result of a run, becomes a `Document` once. The writers in `render/` make lines
for a terminal of it, HTML for a browser and Markdown for an issue. A block holds words and numbers
and knows neither columns nor markup, so all three say the same.

```
Document("Missing at t=4: {?x=:a}", (Section("Why", Prose(("Window [1,2) closes at 2 …",))),))
```

A terminal has few lines, so a section says in `Fit` what may be left out, and in which order.
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
    """Make a line of a text in which backticks set off code, such as "the function `COUNT`"."""
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
    """A heading.

    Attributes:
        text: the words.
        level: the level, from 1 on.
        anchor: the name by which links lead here; may be empty.
        beside: counts, which follow it if a heading is a line of a list.
    """

    text: Line
    level: int = 2
    anchor: str = ""
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs, or with the tone ``note`` a warning."""

    paragraphs: tuple[Line, ...]
    tone: Tone | Literal["note"] = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list.

    Attributes:
        items: the items.
        says: shown in place of an empty list.
        label: says to screen readers what the list is for.
    """

    items: tuple[Line, ...]
    says: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Flow:
    """Short texts in a row, with commas between them, such as the elements of a stream."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Pairs of a name and its value."""

    facts: tuple[tuple[str, Line], ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        head: its head.
        number: whether it holds numbers.
        wide: whether it needs room.
        short: its head if there is little room.
        inline: whether a row of one line has it; of the others `Row.brief` tells.
        spare: the greater, the sooner it goes if a row is one line and too long; 0 stays.
        least: the columns that it has at least if a row is one line.
    """

    head: str
    number: bool = False
    wide: bool = False
    short: str = ""
    inline: bool = True
    spare: int = 0
    least: int = 0


Cell: TypeAlias = Line | tuple[Line, ...]
"""A cell holds a line, or several lines, each of which is a tuple then."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes:
        cells: its cells.
        tags: the tags by which filters choose.
        anchor: the name by which links lead here; may be empty.
        brief: what follows the cells of a row of one line, in words that get shorter; the first
            that has room is taken.
        alike: rows of the same words share a line if lines are few.
    """

    cells: tuple[Cell, ...]
    tags: tuple[str, ...] = ()
    anchor: str = ""
    brief: tuple[str, ...] = ()
    alike: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        columns: its columns.
        rows: its rows.
        label: says to screen readers what it is.
        noun: the name of a row, for rows that share a line.
        brief: the head of the words behind rows of one line.
        leads: whether it only leads to what follows, which a terminal shows at once.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    label: str = ""
    noun: str = "row"
    brief: str = ""
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """Choices for readers of a page: each leaves only the table rows that have a tag.

    Attributes:
        label: stands before the choices.
        name: tells the filter from others.
        choices: the tags, each with its words.
    """

    label: str
    name: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines that stand as they are."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueryText:
    """A query, written to be read in few lines on a terminal and to be pasted elsewhere."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command line to be copied, with its purpose, if that must be said."""

    text: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class TimelineBlock:
    """A timeline: streams, windows, evaluations and answers; `few` windows if space is short."""

    situation: Situation
    few: bool = False


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer that is expected, received, or both.

    Attributes:
        time: its instant, such as ``t=4, evaluated at 2``; may be empty.
        kind: ``expected``, ``received``, ``expected, received`` …; empty in a mere list.
        content: the rows.
        first_difference: whether it is the first difference.
        agreed: whether it came as expected, so that one line of it is enough.
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
    """What may be left out of a section if lines are few.

    Attributes:
        noun: the name of an item.
        least: the number of items that stay in any case.
        enough: the number of items that are enough in a text which is longer than it should be.
        away: how far each item is from what matters. The farthest goes first; without distances the
            last.
        ends: whether the last paragraph stays.
        last: sections with a greater number are shortened only when no others can be.
    """

    noun: str = "line"
    least: int = 1_000
    enough: int = 1_000
    away: Sequence[float] = ()
    ends: bool = False
    last: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A block under a title.

    Attributes:
        title: the title; may be empty.
        body: the block.
        fit: what may be left out of it.
        compact: a block that takes its place if space is short.
        of_case: whether it shows the case, not its result.
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
    """Blocks that are shown on demand."""

    summary: Line
    blocks: tuple[Block, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks that belong together.

    Attributes:
        anchor: the name by which links lead here.
        blocks: the blocks.
        brief: a line in place of the blocks if lines are few.
    """

    anchor: str
    blocks: tuple[Block, ...]
    brief: Line = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that have a line each if they are many and lines are few.

    Attributes:
        says: stands before them, if there are many.
        parts: the parts.
        noun: the name of a part.
    """

    says: Line
    parts: tuple[Part, ...]
    noun: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """Blocks under a heading of the second level, which writers may choose by its anchor."""

    title: Line
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
    | Group
    | Chapter
)


@dataclass(frozen=True, slots=True)
class Document:
    """A document: a title, a line below it, and blocks."""

    title: Line
    blocks: tuple[Block, ...]
    below: Line = ""

    def chapter(self, anchor: str) -> Chapter | None:
        """The chapter of this anchor, if there is one."""
        chapters = (own for own in self.blocks if isinstance(own, Chapter))
        return next((own for own in chapters if own.anchor == anchor), None)


def table_of(heads: Iterable[str], rows: Iterable[Iterable[str]], label: str = "") -> Table:
    """Make a table of texts. A line break in a text is one in its cell."""
    cells = (tuple(tuple((own,) for own in text.split("\n")) for text in row) for row in rows)
    return Table(tuple(map(Column, heads)), tuple(map(Row, cells)), label)


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
