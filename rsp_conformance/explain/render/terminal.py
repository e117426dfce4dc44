"""A document as lines of plain text, of a limited width and, if asked for, of a limited number.

**What is sought.** The text of at most so many lines that still says what matters.

**How.** While the text is too long, the longest section gives way: first to its compact form, then
item by item, those first that are farthest from the first difference (`Fit`). It says how many are
left out.

**What it guarantees.** A text that fits is whole; a title and the end of an argument always stay,
unless so few lines are allowed that they don't fit; and of a hundred elements those around the
first difference are shown.

**What it costs.** A rendering for each item that is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from rsp_conformance.explain.argument import ByDial
from rsp_conformance.explain.document import (
    AnswerRow,
    Answers,
    Block,
    Code,
    Command,
    Document,
    Fit,
    Flow,
    Items,
    Line,
    Prose,
    QueryText,
    Section,
    TimelineBlock,
    plain,
)
from rsp_conformance.explain.render.failure import failure_document
from rsp_conformance.explain.render.folding import folded, lines_of
from rsp_conformance.explain.render.layout import counted, cut, glued, shorten, unglued, wrap
from rsp_conformance.explain.render.timeline import draw
from rsp_conformance.model.finding import Finding

WIDTH = 80
"""The columns of a text, unless others are given."""
MAX_LINES = 60
"""The lines of a text, unless others are given."""
BESIDE = 14
"""The most columns of a title that stands before its paragraphs, as ``Why`` does: a longer one has
a line of its own."""


def text(
    document: Document,
    *,
    width: int = WIDTH,
    max_lines: int = MAX_LINES,
    enough: int | None = None,
    more: str | None = None,
    brief: bool = False,
    whole: bool = False,
    head: bool = True,
    is_kept: bool = True,
) -> str:
    """A document of sections as plain text.

    Args:
        document: the document.
        width: columns of a line; only commands may be longer.
        max_lines: the most lines.
        enough: the lines that are enough: a longer text does without what is far from the first
            difference, even if it then has more lines; None to have all that `max_lines` allows.
        more: a footer, such as the command that replays the case. Its lines stand as they are, and
            count among the lines.
        brief: whether the case itself and its timeline are left out, which ``replay`` shows.
        whole: whether the query is written as it can be pasted.
        head: whether the title is written.
        is_kept: whether a crash file has what is left out, so that ``replay`` shows it.

    Returns:
        The lines, without escape codes.
    """
    sections = [
        _Fitted(own, width, whole=whole, is_kept=is_kept)
        for own in document.blocks
        if isinstance(own, Section) and not (brief and own.of_case)
    ]
    heads = [_Fitted.of_lines(_head(document, width), width)] if head else []
    foot = [_Fitted.of_lines(more.split("\n"), width, as_they_are=True)] if more else []
    found = [*heads, *sections, *foot]
    if enough is not None:
        _eased(found, enough)
    return "\n".join(_fitted(found, width, max_lines))


def failure_report(
    finding: Finding,
    *,
    width: int = WIDTH,
    max_lines: int = MAX_LINES,
    enough: int | None = None,
    more: str | None = None,
    by_dial: ByDial | None = None,
    brief: bool = False,
    whole: bool = False,
) -> str:
    """A finding as plain text; the arguments are those of `failure_document` and of `text`."""
    shown = failure_document(finding, by_dial=by_dial, width=width)
    return text(
        shown,
        width=width,
        max_lines=max_lines,
        enough=enough,
        more=more,
        brief=brief,
        whole=whole,
    )


def head(document: Document, width: int = WIDTH) -> str:
    """The title, and the line below it: the kind, the engine, the profile and the property."""
    return "\n".join(_head(document, width))


def _head(document: Document, width: int) -> list[str]:
    return [cut(plain(document.title), width), *wrap(plain(document.below), width, rest="  ")]


class _Fitted:
    """A section on its way to fewer lines."""

    def __init__(
        self, section: Section, width: int, *, whole: bool = False, is_kept: bool = True
    ) -> None:
        self._width = width
        self._is_kept = is_kept
        self.title, self.fit, self.joined = section.title, section.fit, section.joined
        self._flows = isinstance(section.body, Flow)
        self._draws = isinstance(section.body, TimelineBlock)
        self._as_they_are = False
        self._items, self._away = _items(section.body, section.fit, width, whole=whole)
        if isinstance(section.body, Prose) and cell_len(section.title) <= BESIDE:
            paragraphs = section.body.paragraphs
            self._items, self._away = _prose(paragraphs, section.fit, width, self.title)
            self.title = ""
        self._compact = section.compact
        self._shown = len(self._items)

    @classmethod
    def of_lines(cls, lines: list[str], width: int, *, as_they_are: bool = False) -> _Fitted:
        """Lines without a title, none of which is left out."""
        found = cls(Section("", Items(())), width)
        found._items, found._shown, found._as_they_are = lines, len(lines), as_they_are
        return found

    def lines(self) -> list[str]:
        """The title, the items that are kept, and the number of those that are not."""
        if not self._items:
            return []
        if self._flows:
            said = f"{self.title}  {', '.join([*map(glued, self._kept()), *self._left()])}"
            found = wrap(said, self._width, rest="  ")
        else:
            body = [own for item in self._kept() for own in item.split("\n")]
            found = wrap(self.title, self._width, rest="  ") if self.title else []
            found += [*body, *(f"  {note}" for note in self._left())]
        return found if self._as_they_are else [cut(unglued(own), self._width) for own in found]

    def _kept(self) -> list[str]:
        away = self._away or range(len(self._items))
        order = sorted(range(len(self._items)), key=lambda i: (away[i], i))
        return [self._items[i] for i in sorted(order[: self._shown])]

    def _left(self) -> list[str]:
        """The number of items that are left out, if any are."""
        left = len(self._items) - self._shown
        # The crash file has the case and the answers, and no lines of this text.
        where = ", which replay shows" if self.fit.noun == "line" else " in the crash file"
        where = where if self._is_kept else ""
        return [f"… {counted(left, f'more {self.fit.noun}')}{where}"] if left > 0 else []

    def compress(self) -> bool:
        """Change to the compact form; False if there is none, or none any more."""
        if self._compact is None:
            return False
        self._items, self._away = _items(self._compact, self.fit, self._width)
        self._compact, self._shown = None, len(self._items)
        return True

    def ease(self) -> bool:
        """Leave out something that a text can do without; False if there is nothing.

        A timeline becomes compact only if that saves more than the line that says so.
        """
        if self._draws and self._compact is not None:
            before = len(self._items)
            few, _ = _items(self._compact, self.fit, self._width)
            return before - len(few) > 1 and self.compress()
        return self._shown > self.fit.enough and self.shorten()

    def shorten(self) -> bool:
        """Leave out one more item; False if no more can go."""
        if self._shown <= self.fit.least:
            return False
        # The first time two go: one line is needed to say so.
        step = 2 if self._shown == len(self._items) else 1
        self._shown = max(self.fit.least, self._shown - step)
        return True


def _eased(sections: Sequence[_Fitted], enough: int) -> None:
    """Have sections do without what is far from the first difference, until lines are few."""
    for own in sections:
        while len(_joined(sections)) > enough and own.ease():
            pass


def _fitted(sections: Sequence[_Fitted], width: int, max_lines: int) -> list[str]:
    found = _joined(sections)
    while len(found) > max_lines:
        longest = sorted(sections, key=lambda own: (own.fit.last, -len(own.lines())))
        if not any(own.compress() for own in longest) and not any(own.shorten() for own in longest):
            # So few lines are asked for that the argument itself does not fit.
            end = ["… replay shows the rest", "", *sections[-1].lines()]
            end = end if len(end) < max_lines else end[:1]
            return [*found[: max_lines - len(end)], *(cut(own, width) for own in end)]
        found = _joined(sections)
    return found


def _joined(sections: Iterable[_Fitted]) -> list[str]:
    found: list[str] = []
    for section in sections:
        lines = section.lines()
        found += ([""] if found and lines and not section.joined else []) + lines
    return found


# --- blocks ---------------------------------------------------------------------------------------


def _items(
    body: Block, fit: Fit, width: int, *, whole: bool = False
) -> tuple[list[str], Sequence[float]]:
    """The items of a block, each a line or more, and how far each is from what matters."""
    match body:
        case Flow(items):
            return [shorten(own, width - 2) for own in items], fit.away
        case Prose(paragraphs):
            return _prose(paragraphs, fit, width)
        case QueryText(query) if whole:
            return [piece for own in lines_of(query) for piece in _hanging(own, width)], fit.away
        case QueryText(query):
            few = folded(query, width - 2)
            return [piece for own in few for piece in _hanging(own, width)], fit.away
        case TimelineBlock(situation, few=is_few):
            return [f"  {own}" for own in draw(situation, width - 2, few=is_few)], fit.away
        case Answers(rows):
            return answer_lines(rows, width), fit.away
        case Items((), says):
            return [f"  {says}"] if says else [], fit.away
        case Items(items):
            return ["\n".join(_hanging(plain(own), width)) for own in items], fit.away
        case Code(lines=code):
            return [cut(f"  {own}", width) for own in code], fit.away
        case Command(command):
            return [command], fit.away
        case _:
            raise TypeError(f"a text has no {type(body).__name__} in a section")


def _prose(
    paragraphs: Sequence[Line], fit: Fit, width: int, title: str = ""
) -> tuple[list[str], Sequence[float]]:
    """The lines of paragraphs, behind a title if there is one, and how far each is."""
    heads = [f"{title}  " if title else "  ", *["  "] * (len(paragraphs) - 1)]
    wrapped = [
        wrap(plain(own), width, first=head, rest="  ")
        for own, head in zip(paragraphs, heads, strict=True)
    ]
    lines = [own for paragraph in wrapped for own in paragraph]
    last = len(wrapped[-1]) if fit.ends else 0
    away = [-1 if i >= len(lines) - last else i for i in range(len(lines))]
    return lines, away if last else fit.away


def _hanging(own: str, width: int) -> list[str]:
    return wrap(own, width - 2, first="  ", rest="      ")


def answer_lines(rows: Sequence[AnswerRow], width: int) -> list[str]:
    """Answers, an item each: a line, or two if it shows a difference."""
    least = 7 if any(row.kind for row in rows) else 6
    column = max([least, *(len(row.time) + 1 for row in rows if row.kind)])
    return [_answer(row, width, column) for row in rows]


def _answer(row: AnswerRow, width: int, column: int) -> str:
    """An answer: ``t=4    expected            {?x=:a}  <- first difference``."""
    if not row.kind:
        return shorten(f"  {row.time:<{column}} {row.content}", width)
    mark = "  <- first difference" if row.first_difference else ""
    marked = f"{row.content}  {glued(mark.strip())}" if mark else row.content
    first = f"  {row.time:<{column}} {row.kind:<18}  "
    # If both agree one line is enough to recognise the answer.
    most = 1 if row.agreed else 2
    lines = wrap(marked, width, first=first)
    if len(lines) > most:
        lines = wrap(row.content, width, first=first)[:most]
        lines[-1] = cut(f"{lines[-1]} …", width - len(mark)) + mark
    return "\n".join(lines)
