"""A document as Markdown of GitHub: for $GITHUB_STEP_SUMMARY, for an issue, for a terminal.

Whatever an engine says, it is neither HTML nor a link nor the end of a cell there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rsp_conformance.explain.document import (
    Answers,
    Block,
    Cell,
    Chapter,
    Code,
    Command,
    Details,
    Document,
    Facts,
    Filter,
    Flow,
    Group,
    Heading,
    Items,
    Line,
    Part,
    Prose,
    QueryText,
    Section,
    Span,
    Table,
    TimelineBlock,
    answer_table,
    lines,
    spans,
)
from rsp_conformance.explain.render.folding import lines_of
from rsp_conformance.explain.render.layout import unglued
from rsp_conformance.explain.render.timeline import draw
from rsp_conformance.model.errors import printable

MOST = 400
"""The most characters of a line that an engine may have filled."""
MOST_LINES = 60
"""The most lines of a block of code."""
WIDTH = 80
"""The columns of a timeline."""


def markdown(document: Document) -> Iterator[str]:
    """A document, line by line."""
    yield f"# {words(document.title)}"
    if document.below:
        yield from ("", words(document.below))
    for block in document.blocks:
        for own in _block(block):
            yield from ("", *own)


def _block(block: Block) -> Iterator[list[str]]:
    """A block as groups of lines that stand apart."""
    match block:
        case Heading(text, level):
            yield [f"{'#' * level} {words(text)}"]
        case Prose(paragraphs):
            yield from ([words(own)] for own in paragraphs)
        case Items((), says):
            if says:
                yield [escaped(says)]
        case Items(items):
            yield [f"- {words(own)}" for own in items]
        case Flow(items):
            yield _code([unglued(", ".join(items))])
        case Facts(facts):
            yield ["; ".join(f"{name} {words(own)}" for name, own in facts) + "."]
        case Table():
            yield [*_table(block)]
        case Code(code):
            yield _code(code)
        case QueryText(text):
            yield _code(lines_of(text))
        case Command(text, about):
            note = f"  # {about}" if about else ""
            yield [f"    {printable(' '.join(text.split()))}{note}"]
        case TimelineBlock(situation):
            yield _code(draw(situation, WIDTH))
        case Answers():
            yield [*_table(answer_table(block))]
        case Section(title, body):
            if title:
                yield [f"**{escaped(title)}**"]
            yield from _block(body)
        case Details(summary, inner):
            yield [f"<details><summary>{words(summary)}</summary>"]
            for own in inner:
                yield from _block(own)
            yield ["</details>"]
        case Part(_, inner):
            for own in inner:
                yield from _block(own)
        case Chapter(title, _, inner):
            for own in (Heading(title), *inner):
                yield from _block(own)
        case Group(says, parts):
            for own in (*((Prose((says,)),) if says else ()), *parts):
                yield from _block(own)
        case Filter():
            return


def _table(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(column.head for column in table.columns)} |"
    yield "|" + "---|" * len(table.columns)
    for row in table.rows:
        yield f"| {' | '.join(map(_cell, row.cells))} |"


def _cell(cell: Cell) -> str:
    return "; ".join(map(words, lines(cell)))


def words(own: Line) -> str:
    """A line as Markdown."""
    return "".join(map(_span, spans(own)))


def _span(part: str | Span) -> str:
    if isinstance(part, str):
        return escaped(part)
    if part.code:
        return f"`{printable(' '.join(unglued(part.text).split())).replace('`', '')}`".replace(
            "|", "\\|"
        )
    return f"**{escaped(part.text)}**" if part.tone == "strong" else escaped(part.text)


def escaped(text: str) -> str:
    """A text that an engine may have said, as one line that is neither HTML nor a link."""
    text = unglued(text)
    inner = " ".join(text.split())
    shown = inner if len(inner) <= MOST else f"{inner[:MOST]}…"
    # Blanks at its ends set it off from its neighbours.
    shown = f"{' ' * text.startswith(' ')}{shown}{' ' * (text.endswith(' ') and bool(inner))}"
    for sign, instead in (("&", "&amp;"), ("<", "&lt;"), ("|", "\\|"), ("](", "]\\(")):
        shown = shown.replace(sign, instead)
    return printable(shown)


def _code(lines: Sequence[str]) -> list[str]:
    """Lines within a fence that none of them ends."""
    shown: Iterable[str] = lines[:MOST_LINES]
    fence = "```"
    while any(fence in own for own in shown):
        fence += "`"
    more = [f"… {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    return [fence, *map(printable, shown), *more, fence]
