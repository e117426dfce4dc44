"""A document as HTML: for a page (`rsp_conformance.pages`), and for a notebook.

Rows within a sentence keep their no-break spaces.

Every text goes through `Markup.format`, so whatever an engine says is escaped. Blocks have no style
but what keeps long lines within them, so that they fit a notebook too. A page brings its own style,
and `filter_style` has the rules that its filters need without a script.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from markupsafe import Markup

from rsp_conformance.explain.document import (
    Answers,
    Block,
    Chapter,
    Code,
    Command,
    Details,
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
    Row,
    Section,
    Span,
    Table,
    TimelineBlock,
    answer_table,
    lines,
    spans,
)
from rsp_conformance.explain.render.folding import lines_of
from rsp_conformance.explain.render.layout import counted, unglued
from rsp_conformance.explain.render.svg import timeline_figure
from rsp_conformance.explain.render.timeline import draw
from rsp_conformance.explain.situation import Situation
from rsp_conformance.limits import LimitExceeded, limited

TEXT_WIDTH = 80
"""The columns of a timeline in text."""
MOST = 200
"""The most items of a list, rows of answers or lines of code; the crash file has all."""
_PRE = Markup('<pre style="white-space: pre-wrap; overflow-wrap: anywhere">{}</pre>')
_FIGURE = Markup(
    '<figure style="margin: 0"><div tabindex="0" style="overflow-x: auto">{}</div>'
    '<figcaption style="font-size: 0.85em">{}</figcaption></figure>'
    "<details><summary>The timeline as text</summary>"
    '<pre style="overflow-x: auto">{}</pre></details>'
)
_TABLE = Markup(
    '<div class="scroll" tabindex="0" role="region" aria-label="{}"><table>'
    "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
)
_EMPTY = Markup("")
_Item = TypeVar("_Item")


def written(blocks: Iterable[Block]) -> Markup:
    """Blocks in the order in which they stand."""
    return _EMPTY.join(map(_block, blocks))


def words(own: Line) -> Markup:
    """A line as HTML."""
    return _EMPTY.join(map(_span, spans(own)))


def _span(part: str | Span) -> Markup:
    if isinstance(part, str):
        return Markup.escape(part)
    found = Markup.escape(unglued(part.text) if part.code else part.text)
    if part.code:
        found = Markup("<code>{}</code>").format(found)
    if part.says:
        found = Markup('<span aria-hidden="true">{}</span><span class="unseen">{}</span>').format(
            found, part.says
        )
    if part.instant:
        found = Markup('<time datetime="{}">{}</time>').format(part.instant, found)
    if part.tone == "strong":
        found = Markup("<strong>{}</strong>").format(found)
    elif part.tone:
        found = Markup('<span class="{}">{}</span>').format(part.tone, found)
    if part.href:
        name = Markup(' download="{}"').format(part.download) if part.download else _EMPTY
        found = Markup('<a{} href="{}">{}</a>').format(name, part.href, found)
    return found


def _block(block: Block) -> Markup:
    match block:
        case Heading(text, level, anchor):
            id = Markup(' id="{}"').format(anchor) if anchor else _EMPTY
            return Markup("<h{0}{1}>{2}</h{0}>").format(level, id, words(text))
        case Prose(paragraphs, tone):
            kind = Markup(' class="{}"').format(tone) if tone not in ("", "strong") else _EMPTY
            return _each("<p{}>{}</p>", ((kind, words(own)) for own in paragraphs))
        case Items((), says, _):
            return Markup("<p>{}</p>").format(says) if says else _EMPTY
        case Items(items, _, label):
            listed = _each("<li>{}</li>", ((words(own),) for own in _most(items)))
            if label:
                return Markup('<nav aria-label="{}"><ul>{}</ul></nav>').format(label, listed)
            return Markup("<ul>{}</ul>").format(listed)
        case Flow(items):
            return _PRE.format(unglued(", ".join(_most(items))))
        case Facts(facts):
            pairs = ((name, words(own)) for name, own in facts)
            listed = _each("<div><dt>{}</dt><dd>{}</dd></div>", pairs)
            return Markup("<dl>{}</dl>").format(listed)
        case Table():
            return _table(block)
        case Filter():
            return _filter(block)
        case Code(code):
            return _PRE.format("\n".join(_most(code)))
        case QueryText(text):
            return _PRE.format("\n".join(_most(lines_of(text))))
        case Command(text, about):
            said = Markup('<p class="soft">{}</p>').format(about) if about else _EMPTY
            return said + Markup('<pre class="command">{}</pre>').format(text)
        case TimelineBlock(situation):
            return _timeline(situation)
        case Answers(rows):
            more = [(counted(len(rows) - MOST, "more answer"),)] if len(rows) > MOST else []
            found = _table(answer_table(Answers(rows[:MOST])))
            return found + _each("<p>… {} in the crash file</p>", more)
        case Section(title, body):
            head = Markup("<h4>{}</h4>").format(title) if title else _EMPTY
            return Markup("<section>{}{}</section>").format(head, _block(body))
        case Details(summary, inner, is_open):
            opened = Markup(' open="open"') if is_open else _EMPTY
            found = Markup("<details{}><summary>{}</summary>{}</details>")
            return found.format(opened, words(summary), written(inner))
        case Part(anchor, inner):
            return Markup('<article id="{}">{}</article>').format(anchor, written(inner))
        case Chapter(title, anchor, inner):
            return _block(Heading(title, anchor=anchor)) + written(inner)
        case Group(says, parts):
            said = Markup("<p>{}</p>").format(words(says)) if says else _EMPTY
            return said + written(parts)


def _each(template: str, found: Iterable[Sequence[object]]) -> Markup:
    return _EMPTY.join(Markup(template).format(*own) for own in found)


def _most(items: Sequence[_Item]) -> list[_Item | str]:
    """The items, but no more than a page should have."""
    left = len(items) - MOST
    return [*items[:MOST], *([f"… {left} more in the crash file"] if left > 0 else [])]


def _timeline(situation: Situation) -> Markup:
    """The timeline as a picture, and as text for readers of text, unless it takes too long."""
    try:
        with limited():
            picture, legend = timeline_figure(situation)
            text = "\n".join(draw(situation, TEXT_WIDTH))
            # drawsvg has escaped what is in it.
            return _FIGURE.format(Markup(picture), legend, text)
    except LimitExceeded:
        return Markup("<p>It takes too long to draw.</p>")


def _table(table: Table) -> Markup:
    heads = _each(
        '<th scope="col"{}>{}</th>',
        ((_kind("n" if own.number else ""), own.head) for own in table.columns),
    )
    return _TABLE.format(table.label, heads, _EMPTY.join(_row(table, own) for own in table.rows))


def _row(table: Table, row: Row) -> Markup:
    """A row; each cell knows its head, which a small screen shows beside it."""
    cells = []
    for column, cell in zip(table.columns, row.cells, strict=True):
        kind = "n" if column.number else "wide" if column.wide else ""
        found = Markup('<td{} data-label="{}">{}</td>')
        cells.append(
            found.format(_kind(kind), column.head, Markup("<br />").join(map(words, lines(cell))))
        )
    tags = " ".join(["row", *(f"is-{tag}" for tag in row.tags)]) if row.tags else ""
    id = Markup(' id="{}"').format(row.anchor) if row.anchor else _EMPTY
    return Markup("<tr{}{}>{}</tr>").format(id, _kind(tags), _EMPTY.join(cells))


def _kind(name: str) -> Markup:
    return Markup(' class="{}"').format(name) if name else _EMPTY


# --- filters --------------------------------------------------------------------------------------


def _filter(block: Filter) -> Markup:
    """Buttons of which one is chosen; `filter_style` hides the other rows."""
    choices = (("", "all"), *block.choices)
    buttons = (
        (block.name, _id(block, tag), Markup("" if tag else ' checked="checked"'), said)
        for tag, said in choices
    )
    found = Markup('<fieldset class="filter"><legend>{}</legend>{}</fieldset>')
    template = '<label><input type="radio" name="{0}" id="{1}"{2} /> {3}</label> '
    return found.format(block.label, _each(template, buttons))


def _id(block: Filter, tag: str) -> str:
    return f"{block.name}-{tag or 'all'}"


def filter_style(blocks: Iterable[Block]) -> str:
    """The rules of CSS by which filters hide the rows that lack a tag."""
    return "\n".join(
        f"body:has(#{_id(own, tag)}:checked) tr.row:not(.is-{tag}) {{ display: none; }}"
        for own in _filters(blocks)
        for tag, _ in own.choices
    )


def _filters(blocks: Iterable[Block]) -> Iterator[Filter]:
    for block in blocks:
        if isinstance(block, Filter):
            yield block
        elif isinstance(block, (Chapter, Part, Details)):
            yield from _filters(block.blocks)
