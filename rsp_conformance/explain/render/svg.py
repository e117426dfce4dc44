"""A timeline as SVG, by drawsvg: the rows that ``timeline`` writes as text.

It has no colours of the page: lines and letters are drawn in ``currentColor``, and the other
colours can be told apart on light and on dark. No two marks differ in colour alone. A
screen reader reads ``desc``, the rows in words; each mark has a title with what it stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from rsp_conformance.explain.render.layout import counted, cut, glued, unglued, wrap
from rsp_conformance.explain.render.notation import Notation, instant
from rsp_conformance.explain.render.timeline import (
    ANSWERS,
    APPENDED,
    EVALUATION,
    RECEIVED,
    Row,
    Timeline,
    timeline_of,
)
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.streams import StreamElement

if TYPE_CHECKING:
    from drawsvg import Drawing

COLUMNS = 120
"""The axis has as many instants as a text of so many columns."""
COLUMN, ROW, MARGIN, FONT = 9.5, 26.0, 8.0, 13.0
"""Pixels of a column, of a row, at the edge, of a letter's height."""
LETTER, LINE = 0.62 * FONT, 1.4 * FONT
"""Pixels of a letter's width in a font of fixed width, and of a line's height."""
ELEMENT, GIVEN, PARTS = "#2b6cb0", "#2b8a3e", "#e03131"
SHORTEST = 48
"""The letters that a line of the legend may have, however narrow the picture is."""
MOST_SAID, MOST_TEXT = 5, 200
"""So many things of one mark are said in words, each in so many characters."""


def timeline_svg(situation: Situation) -> str:
    """The timeline of a situation as an ``svg`` element with its legend, for a file."""
    drawn = timeline_of(situation, COLUMNS)
    return _picture(drawn, situation, _notes(drawn))


def timeline_figure(situation: Situation) -> tuple[str, str]:
    """The timeline of a situation for a page, which may be too narrow for a legend in the picture.

    Returns:
        The ``svg`` element, and its legend in a line; blanks at which the line should not be broken
        are glued.
    """
    drawn = timeline_of(situation, COLUMNS)
    return _picture(drawn, situation, ()), "; ".join(_notes(drawn))


def _picture(drawn: Timeline, situation: Situation, notes: Iterable[str]) -> str:
    import drawsvg

    return _Picture(drawsvg, drawn, Notation(situation.case), notes).text()


class _Picture:
    """The drawing of a timeline. The library is passed in, since few runs need it."""

    def __init__(
        self, drawsvg: Any, drawn: Timeline, notation: Notation, notes: Iterable[str]
    ) -> None:
        self._svg, self._drawn, self._notation = drawsvg, drawn, notation
        self._is_judged = _is_judged(drawn)
        axis = drawn.axis
        self._cell = max(axis.cell * COLUMN, 2.4 * FONT)
        names = max(cell_len(row.label) for row in drawn.rows)
        self._left = MARGIN + LETTER * names + 12
        self._right = self._left + self._cell * len(axis.cells)
        self._bottom = MARGIN + ROW * (len(drawn.rows) + 1)
        width = max(SHORTEST, int((self._right - MARGIN) / LETTER))
        self._notes = [line for note in notes for line in wrap(note, width)]

    def text(self) -> str:
        """The SVG."""
        drawn, said = self._drawn, self._said()
        beside = MARGIN + LETTER * cell_len("first difference")
        notes = max(map(cell_len, self._notes), default=0)
        width = max(self._right + MARGIN, MARGIN * 2 + LETTER * notes)
        if drawn.parts is not None:
            width = max(width, (self._x(drawn.parts) or 0) + beside)
        below = self._bottom + (ROW if drawn.parts is not None else 0)
        height = below + MARGIN
        height += LINE * (len(self._notes) - 1) + ROW if self._notes else 0
        id = f"rsp-{sha256(said.encode('utf-8', 'replace')).hexdigest()[:8]}"
        picture = self._svg.Drawing(
            round(width),
            round(height),
            role="img",
            aria_labelledby=f"{id}-title {id}-desc",
            font_family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace",
            font_size=FONT,
            fill="currentColor",
        )
        picture.append(self._svg.Title("Timeline of the case", id=f"{id}-title"))
        description = self._svg.Title(said, id=f"{id}-desc")
        description.TAG_NAME = "desc"
        picture.append(description)
        self._axis(picture)
        for number, row in enumerate(drawn.rows, 1):
            self._row(picture, row, MARGIN + ROW * (number + 0.5))
        if drawn.parts is not None:
            x, y = self._x(drawn.parts), self._bottom + ROW / 2
            self._write(picture, "first difference", x, y, font_weight="bold", anchor="start")
        for number, line in enumerate(self._notes):
            y = below + ROW / 2 + LINE * number
            self._write(picture, line, MARGIN, y, opacity=0.75, anchor="start")
        text: str = picture.as_svg(header="", skip_js=True, skip_css=True)
        return text

    # --- places ------------------------------------------------------------------------------

    def _x(self, t: int) -> float | None:
        """The middle of the cell of an instant; None if the axis leaves it out."""
        cells = self._drawn.axis.cells
        return self._left + self._cell * (cells.index(t) + 0.5) if t in cells else None

    def _axis(self, picture: Drawing) -> None:
        """The instants, a faint line below each, and a band at the first difference."""
        y = MARGIN + ROW / 2
        self._write(picture, "time", MARGIN, y, anchor="start", font_weight="bold")
        for place, t in enumerate(self._drawn.axis.cells):
            at = self._left + self._cell * (place + 0.5)
            self._write(picture, self._drawn.axis.written(t), at, y)
            if t is not None:
                line = self._svg.Line(at, MARGIN + ROW, at, self._bottom, stroke="currentColor")
                line.args["stroke-opacity"] = 0.15
                picture.append(line)
        if self._drawn.parts is not None and (x := self._x(self._drawn.parts)) is not None:
            size = (self._cell, self._bottom + ROW - MARGIN)
            band = self._svg.Rectangle(x - self._cell / 2, MARGIN, *size, fill=PARTS)
            band.args["fill-opacity"] = 0.16
            picture.append(band)

    def _row(self, picture: Drawing, row: Row, y: float) -> None:
        self._write(picture, row.label, MARGIN, y, anchor="start")
        if row.instance is not None:
            self._window(picture, row, y)
        for mark in row.marks:
            if (x := self._x(mark.t)) is not None:
                self._mark(picture, mark.sign, x, y, mark.of, square=row.label == EVALUATION)
        absent = self._drawn.missing
        if row.label == RECEIVED and absent is not None and (x := self._x(absent)) is not None:
            self._missing(picture, x, y)

    def _window(self, picture: Drawing, row: Row, y: float) -> None:
        """An interval with its bounds; an end that the axis does not reach has none."""
        assert row.instance is not None
        shown = [t for t in self._drawn.axis.cells if t is not None]
        opens, closes, bounds = row.instance.opens, row.instance.closes, self._drawn.bounds
        if closes < shown[0] or opens > shown[-1]:
            return
        start = self._left if opens < shown[0] else self._x(opens) or self._left
        end = self._right if closes > shown[-1] else self._x(closes) or self._right
        bar = self._svg.Rectangle(start, y - 7, max(end - start, 2), 14, rx=2, fill="currentColor")
        bar.args |= {"fill-opacity": 0.3 if row.here else 0.12}
        bar.append_title(_window(row))
        picture.append(bar)
        ends = ((opens >= shown[0], bounds[0], start), (closes <= shown[-1], bounds[-1], end))
        for _, bound, at in filter(itemgetter(0), ends):
            self._write(picture, bound, at, y, font_weight="bold", font_size=FONT + 4)

    def _mark(
        self,
        picture: Drawing,
        sign: str,
        x: float,
        y: float,
        of: Sequence[object],
        *,
        square: bool,
    ) -> None:
        """A circle for elements, a diamond for answers, hollow if they are expected.

        A square stands for evaluations whose answers are expected at another instant.
        """
        group = self._svg.Group()
        group.append_title("\n".join(self._words(of)))
        picture.append(group)
        if sign in (APPENDED, "-", "~"):
            self._write(group, sign, x, y, font_weight="bold", font_size=FONT + 3)
            return
        many, half = sign not in ("o", "*"), 9.0 if sign not in ("o", "*") else 6.0
        if isinstance(of[0], StreamElement):
            group.append(self._svg.Circle(x, y, half, fill=ELEMENT))
        elif square:
            how = {"fill": "none", "stroke": "currentColor", "stroke_width": 1.6}
            group.append(self._svg.Rectangle(x - half, y - half, 2 * half, 2 * half, **how))
        else:
            expected = isinstance(of[0], Evaluation)
            corners = (x, y - half - 1, x + half + 1, y, x, y + half + 1, x - half - 1, y)
            how = {
                "fill": "none" if expected else GIVEN,
                "stroke": "currentColor" if expected else GIVEN,
            }
            group.append(self._svg.Lines(*corners, close=True, stroke_width=1.6, **how))
        if many:
            color = "currentColor" if isinstance(of[0], Evaluation) else "#fff"
            self._write(group, sign, x, y, fill=color, font_weight="bold", font_size=FONT - 2)

    def _missing(self, picture: Drawing, x: float, y: float) -> None:
        """A dashed diamond around the place of an answer that never came."""
        corners = (x, y - 12, x + 12, y, x, y + 12, x - 12, y)
        outline = self._svg.Lines(*corners, close=True, fill="none", stroke=PARTS)
        outline.args |= {"stroke-width": 2, "stroke-dasharray": "4 3"}
        outline.append_title("an answer is missing")
        picture.append(outline)

    # --- words -------------------------------------------------------------------------------

    def _write(
        self, to: Any, text: str, x: float | None, y: float, anchor: str = "middle", **how: Any
    ) -> None:
        size = how.pop("font_size", FONT)
        more = {"text_anchor": anchor, "dominant_baseline": "central", **how}
        to.append(self._svg.Text(text, size, x or MARGIN, y, **more))

    def _words(self, of: Sequence[object]) -> list[str]:
        """The meaning of a mark: elements, or answers with their instants."""
        said = []
        for one in of[:MOST_SAID]:
            match one:
                case StreamElement():
                    text = self._notation.element(one)
                case Evaluation():
                    kind = "expected, of" if self._is_judged else "answer of"
                    text = f"{kind} {one.t}: {self._notation.content(one.content)}"
                case Observed():
                    at = "" if one.t is None else f" at {instant(one.t)}"
                    text = f"received{at}: {self._notation.content(one.content)}"
            said.append(cut(unglued(text), MOST_TEXT))
        return [*said, f"and {len(of) - MOST_SAID} more"] if len(of) > MOST_SAID else said

    def _said(self) -> str:
        """The rows in words."""
        lines = []
        for row in self._drawn.rows:
            if row.instance is not None:
                lines.append(_window(row))
                continue
            marks = [mark for mark in row.marks if mark.sign != APPENDED]
            said = ", ".join(word for mark in marks for word in self._words(mark.of))
            lines.append(f"{row.label}, {counted(len(marks), 'instant')}: {said or 'nothing'}")
        if self._drawn.parts is not None:
            lines.append(f"the first difference is at {self._drawn.parts}")
        if self._drawn.missing is not None:
            lines.append(f"an answer is missing at {self._drawn.missing}")
        return "; ".join(filter(None, (*lines, *self._drawn.notes))) + "."


def _notes(drawn: Timeline) -> list[str]:
    """What the legend says, in parts."""
    return [*filter(None, (drawn.axis.head, _legend(drawn), *drawn.notes))]


def _legend(drawn: Timeline) -> str:
    """The meaning of the marks."""
    apart = ["□ evaluation"] if any(row.label == EVALUATION for row in drawn.rows) else []
    absent = ["dashed: the first that is missing"] if drawn.missing is not None else []
    answers = ["◇ expected", "◆ received"] if _is_judged(drawn) else ["◇ answer"]
    return ", ".join(map(glued, ["● element", *apart, *answers, *absent]))


def _is_judged(drawn: Timeline) -> bool:
    """Whether there are an engine's answers beside the expected ones."""
    return all(row.label != ANSWERS for row in drawn.rows)


def _window(row: Row) -> str:
    return f"window {row.label}{', evaluated at the first difference' if row.here else ''}"
