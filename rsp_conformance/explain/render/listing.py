"""Blocks of a run's result as lines of a terminal, each of which knows its tones.

**What is sought.** A row of a table in one line, a cause in a few, and if lines are few, what can
be told together in a line.

**How.** A row shows the columns that are for it, without those that can be spared if it is too
long, and ends with a few words on the rest. If the rows are too many, those that are alike share a
line: first those that are good, then the largest groups. If they still are, the others are named
together, each with its few words. Parts of a group have a line each. What is
shown on demand, or beside the matter, is left out. A table all of whose columns are for a row is
written whole: a long text is folded into lines, never cut.

**What it guarantees.** No line is longer than the terminal is wide, but for commands, which are to
be copied.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from rich.cells import cell_len

from rsp_conformance.explain.document import (
    Block,
    Chapter,
    Code,
    Column,
    Command,
    Details,
    Document,
    Facts,
    Filter,
    Group,
    Heading,
    Items,
    Line,
    Part,
    Prose,
    Row,
    Section,
    Span,
    Table,
    lines,
    plain,
    spans,
)
from rsp_conformance.explain.render.layout import counted, cut, pad, shorten, wrap
from rsp_conformance.explain.render.terminal import MAX_LINES, text

NOTE = 16
"""The columns that are left for the words behind a row, such as ``1 newest-only``."""
MOST_NAME = 40
"""The columns of a heading that has counts beside it."""
BEHIND_NAME = 48
"""The columns that a number of properties and a command take behind it, if lines are few."""
MOST_WHOLE = 3
"""A group of more parts has a line for each if lines are few."""
MOST_PARTS = (5, 2, 2)
"""The most parts of a group that have a line if lines are few; if they do not suffice, fewer have,
..."""
MOST_SENTENCES = (None, None, 5)
"""... and then only so many other parts have more than the line of their name; None for all."""
FEWEST_ALIKE = 3
"""From so many on, rows that are alike share a line."""
MOST_SHARED = 3
"""The most lines in which rows that are alike are named."""
BESIDE = ("soft", "strong")
"""Prose of these tones is beside the matter, or about the case itself, which ``replay`` shows."""
INDENT = " " * 4
GAP = 3
"""The blanks between two columns of a table that is written whole."""


def listing(blocks: Iterable[Block], width: int, most: int | None = None) -> list[Line]:
    """Blocks as lines.

    Args:
        blocks: the blocks.
        width: columns of a line; only commands may be longer.
        most: how many lines are enough, if lines are few; None to write everything.
    """
    found = [*blocks]
    headings = [own for own in _headings(found) if own.beside]
    for parts, sentences in zip(MOST_PARTS, MOST_SENTENCES, strict=True):
        written = [*_Listing(width, most, headings, parts, sentences).lines(found)]
        if most is None or len(written) <= most:
            break
    return written


def apart(groups: Iterable[Iterable[Block]], width: int) -> Iterator[Line]:
    """Groups of blocks as lines of at most `width` columns, with a blank line between two."""
    for number, blocks in enumerate(groups):
        if number:
            yield ""
        yield from listing(blocks, width)


def _headings(blocks: Iterable[Block]) -> Iterator[Heading]:
    for block in blocks:
        match block:
            case Heading():
                yield block
            case Chapter() | Part():
                yield from _headings(block.blocks)
            case Group():
                yield from _headings(block.parts)


class _Listing:
    """Writes blocks; `headings` are those with counts, which are columns.

    If lines are few, `parts` of a group have a line, and `sentences` parts more than that.
    """

    def __init__(
        self,
        width: int,
        most: int | None,
        headings: Sequence[Heading],
        parts: int,
        sentences: int | None,
    ) -> None:
        self._width = width
        self._most = most
        self._parts = parts
        self._sentences = None if most is None else sentences
        names = (cell_len(plain(own.text)) for own in headings)
        most_name = MOST_NAME if most is None else max(0, min(MOST_NAME, width - BEHIND_NAME))
        self._name = min(most_name, max(names, default=0))
        beside = zip(*(own.beside for own in headings), strict=True)
        self._counts = [max(map(cell_len, column)) for column in beside]

    def lines(self, blocks: Sequence[Block], indent: str = "") -> Iterator[Line]:
        """The lines of blocks; what is no table has its lines, and tables share what is left."""
        others = {
            place: [*self._block(block, indent)]
            for place, block in enumerate(blocks)
            if not isinstance(block, Table) or block.leads
        }
        left = None if self._most is None else self._most - sum(map(len, others.values()))
        for place, block in enumerate(blocks):
            if isinstance(block, Table) and not block.leads:
                yield from self._table(block, left)
            else:
                yield from others[place]

    def _block(self, block: Block, indent: str) -> Iterator[Line]:
        width = self._width
        match block:
            case Chapter(title, _, inner):
                yield Span(plain(title), tone="strong")
                yield from self.lines(inner)
            case Heading():
                yield Span(self._heading(block), tone="strong")
            case Prose(paragraphs, tone):
                if tone not in BESIDE or self._most is None:
                    for own in paragraphs:
                        yield from self._paragraph(own, indent)
            case Items(items, says):
                for own in items or ((says,) if says else ()):
                    yield from wrap(plain(own), width, first=f"{indent}  ", rest=f"{indent}    ")
            case Facts(facts):
                pairs = Table((Column(""), Column("")), tuple(map(Row, facts)))
                indent = indent or "  "
                for own in _whole(pairs, width - len(indent)):
                    yield f"{indent}{plain(own)}"
            case Code(lines=code):
                for row in code:
                    yield from wrap(row, width, first=f"{indent}{INDENT}", rest=f"{indent}      ")
            case Command(command):
                yield (indent, Span(command, code=True))
            case Part(_, inner):
                yield from self._part(inner)
            case Group():
                yield from self._group(block)
            case Details(summary, inner):
                if self._most is None:
                    yield from self._paragraph((plain(summary), ":"), indent)
                    for each in inner:  # A list has its own indentation.
                        deeper = indent if isinstance(each, Items) else f"{indent}  "
                        yield from self.lines([each], deeper)
            case Filter() | Table():
                return
            case _:
                whole = Document("", (Section("", block),))
                yield from text(whole, width=width, max_lines=MAX_LINES, head=False).split("\n")

    def _part(self, blocks: Sequence[Block]) -> Iterator[Line]:
        """The lines of a part; if they are few, its command is on the line of its name."""
        head, *rest = blocks
        commands = [own for own in rest if isinstance(own, Command)]
        if self._most is not None and isinstance(head, Heading) and len(commands) == 1:
            named = self._heading(replace(head, beside=head.beside[:1]))
            (command,) = (own.text for own in commands)
            if cell_len(named) + 3 + cell_len(command) <= self._width:
                yield (Span(named, tone="strong"), "   ", Span(command, code=True))
                blocks = [own for own in rest if own not in commands]
            if self._sentences is not None:
                if self._sentences <= 0:
                    blocks = [own for own in blocks if own in (head, *commands)]
                self._sentences -= 1
        yield from self.lines(blocks, INDENT)

    def _paragraph(self, own: Line, indent: str) -> Iterator[Line]:
        """The lines of a paragraph; if it begins with words of a tone, these keep it."""
        first, *rest = wrap(plain(own), self._width, first=indent, rest=indent or "  ")
        start = spans(own)[0] if spans(own) else ""
        if isinstance(start, Span) and start.tone and first.startswith(indent + start.text):
            yield (indent, start, first.removeprefix(indent + start.text))
        else:
            yield first
        yield from rest

    def _heading(self, heading: Heading) -> str:
        """A heading; ``1 newest-only   4 properties   2 elements`` if it has counts."""
        name = plain(heading.text)
        if heading.beside:
            counts = zip(heading.beside, self._counts, strict=False)
            beside = (f"{own:>{columns}}" for own, columns in counts)
            name = "   ".join([pad(name, max(self._name, cell_len(name))), *beside])
        return cut(name.rstrip(), self._width)

    def _group(self, group: Group) -> Iterator[Line]:
        if self._most is None or len(group.parts) <= MOST_WHOLE:
            yield from self.lines(group.parts)
            return
        yield from wrap(plain(group.says), self._width, rest="  ")
        for own in group.parts[: self._parts]:
            yield shorten(f"  {plain(own.brief)}", self._width)
        if (left := len(group.parts) - self._parts) > 0:
            yield f"  … {counted(left, f'more {group.noun}')}, which -v or a page shows"

    # --- tables ----------------------------------------------------------------------------

    def _table(self, table: Table, most: int | None) -> Iterator[Line]:
        if all(own.inline for own in table.columns):
            yield from _whole(table, self._width)
            return
        shared = [] if most is None else self._shared(table, most - 1)
        told = {id(row) for rows, _ in shared for row in rows}
        rows = [row for row in table.rows if id(row) not in told]
        if rows:
            yield from _Rows(table, self._width).lines(rows)
        for _, said in shared:
            yield from said

    def _shared(self, table: Table, most: int) -> list[tuple[Sequence[Row], list[str]]]:
        """Rows that share lines, and these lines, until there are few enough."""
        found = [*self._alike(table, most)]
        rows, taken = sum(len(own) for own, _ in found), sum(len(said) for _, said in found)
        if len(table.rows) - rows + taken <= most:
            return found
        # Of many causes each group would take two lines or three.
        good = [(own, said) for own, said in found if _is_good(own)]
        left = {id(row) for row in table.rows} - {id(row) for own, _ in good for row in own}
        room = most - sum(len(said) for _, said in good)
        return [*good, *self._each_with_its_own(table, left, room)]

    def _alike(self, table: Table, most: int) -> Iterator[tuple[Sequence[Row], list[str]]]:
        """Rows with the same few words, and the lines that they share, until these are few."""
        left, groups = len(table.rows), dict[str, list[Row]]()
        for row in table.rows:
            if row.alike:
                groups.setdefault(row.alike, []).append(row)
        for said, rows in sorted(
            groups.items(), key=lambda own: (not _is_good(own[1]), -len(own[1]))
        ):
            fewest = 2 if _is_good(rows) else FEWEST_ALIKE
            if left > most and len(rows) >= fewest:
                names = [plain(lines(row.cells[0])[0]) for row in rows]
                found = self._named(f"{counted(len(rows), table.noun)} {said}", names)
                left -= len(rows) - len(found)
                del groups[said]
                yield rows, found
        if left > most:
            rest = {id(row) for rows in groups.values() for row in rows}
            yield from self._each_with_its_own(table, rest, most)

    def _each_with_its_own(
        self, table: Table, rest: Container[int], most: int
    ) -> Iterator[tuple[Sequence[Row], list[str]]]:
        """Rows of one verdict, each with a few words of its own.

        Args:
            table: the table.
            rest: the rows that are left, by `id`.
            most: the lines that they may take; a few they have in any case.
        """
        verdicts: dict[str, list[Row]] = {}
        for row in table.rows:
            if id(row) in rest:
                verdicts.setdefault(row.alike.partition(" (")[0], []).append(row)
        for verdict, rows in verdicts.items():
            if len(rows) >= FEWEST_ALIKE:
                few = {plain(lines(row.cells[0])[0]): "".join(row.brief[-1:]) for row in rows}
                each = [f"{name} ({why.partition(' (')[0]})" for name, why in few.items()]
                room = max(MOST_SHARED, most // len(verdicts))
                yield rows, self._named(f"{counted(len(rows), table.noun)} {verdict}", each, room)

    def _named(self, said: str, names: Sequence[str], most: int = MOST_SHARED) -> list[str]:
        """Names behind what is said of them, as many as there is room for."""
        for shown in range(len(names), 0, -1):
            listed = ", ".join(names[:shown])
            if left := len(names) - shown:
                listed += f" and {left} more, which -v shows"
            found = wrap(f"{said}: {listed}", self._width, rest="  ")
            if len(found) <= most:
                break
        return found


def _is_good(rows: Sequence[Row]) -> bool:
    cells = (cell for row in rows for cell in row.cells)
    return any(isinstance(cell, Span) and cell.tone == "good" for cell in cells)


def _whole(table: Table, width: int) -> Iterator[Line]:
    """Write all columns of a table, the widest folded, and the heads unless all are empty."""
    heads = [[own.head] for own in table.columns]
    rows = [[[plain(own) for own in lines(cell)] for cell in row.cells] for row in table.rows]
    columns = [
        max(own.least, *(cell_len(text) for row in (heads, *rows) for text in row[place]))
        for place, own in enumerate(table.columns)
    ]
    room = width - GAP * (len(columns) - 1)
    while sum(columns) > max(room, len(columns)):
        columns[columns.index(max(columns))] -= 1
    if any(own.head for own in table.columns):
        for head in _beside(heads, table.columns, columns):
            yield Span(head, tone="strong")
        yield "─" * (sum(columns) + GAP * (len(columns) - 1))
    for row in rows:
        yield from _beside(row, table.columns, columns)


def _beside(
    cells: Sequence[Sequence[str]], own: Sequence[Column], columns: Sequence[int]
) -> Iterator[str]:
    """Cells beside each other, each in as many lines as it needs."""
    folded = [
        [line for text in cell for line in wrap(text, width)]
        for cell, width in zip(cells, columns, strict=True)
    ]
    for texts in zip_longest(*folded, fillvalue=""):
        placed = map(_placed, texts, own, columns)
        yield (" " * GAP).join(placed).rstrip()


class _Rows:
    """The rows of a table, each in a line, in the columns that are for it."""

    def __init__(self, table: Table, width: int) -> None:
        self._width = width
        self._brief = table.brief
        inline = [place for place, own in enumerate(table.columns) if own.inline]
        columns = {place: self._columns(table, place) for place in inline}
        longest = max((cell_len(own) for row in table.rows for own in row.brief[:1]), default=0)
        while spare := max(table.columns[place].spare for place in columns):
            # The words behind a row come before what can be spared most of all.
            room = NOTE if spare == 1 else max(NOTE, min(longest, MOST_NAME))
            if sum(columns.values()) + len(columns) + 1 + room <= width:
                break
            columns = {n: own for n, own in columns.items() if table.columns[n].spare < spare}
        self._own = [(place, table.columns[place], own) for place, own in columns.items()]

    def _columns(self, table: Table, place: int) -> int:
        own = table.columns[place]
        cells = (cell_len(_word(row.cells[place])) for row in table.rows)
        return max(own.least, cell_len(own.short or own.head), *cells)

    def lines(self, rows: Iterable[Row]) -> Iterator[Line]:
        """The head and the rows."""
        heads = [_placed(own.short or own.head, own, columns) for _, own, columns in self._own]
        head = " ".join([*heads, f" {self._brief}"]).rstrip()
        yield Span(cut(head, self._width), tone="strong")
        for row in rows:
            yield self._row(row)

    def _row(self, row: Row) -> Line:
        cells = [(row.cells[place], own, columns) for place, own, columns in self._own]
        while len(cells) > 1 and not _word(cells[-1][0]):
            cells.pop()
        parts: list[str | Span] = []
        for cell, own, columns in cells:
            (part,) = spans(lines(cell)[0]) or ("",)
            tone = part.tone if isinstance(part, Span) else ""
            word = _placed(_word(cell), own, columns)
            parts += [" "] if parts else []
            parts += [Span(word.rstrip(), tone=tone), " " * (columns - cell_len(word.rstrip()))]
        room = self._width - sum(cell_len(plain(part)) for part in parts) - 2
        shortest = row.brief[-1] if row.brief else ""
        brief = next((own for own in row.brief if cell_len(own) <= room), shortest)
        return (*parts, "  ", cut(brief, max(1, room))) if brief else _bare(parts)


def _word(cell: object) -> str:
    """The text of a cell of one line; what is bad is written in capitals."""
    (part,) = spans(lines(cell)[0]) or ("",)  # type: ignore[arg-type]  # as `Row` has it
    if isinstance(part, Span):
        return part.text.upper() if part.tone == "bad" else part.text
    return part


def _placed(word: str, column: Column, columns: int) -> str:
    return f"{word:>{columns}}" if column.number else pad(word, columns)


def _bare(parts: Sequence[str | Span]) -> Line:
    """Parts without blanks at the end."""
    return tuple(parts[:-1]) if parts and not plain(parts[-1]).strip() else tuple(parts)
