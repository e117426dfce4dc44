"""A case at a glance, as an SVG file: the timeline, and below it each window's content and answer.

Unlike a picture in a page, a file brings its own colours, for light and for dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len

from rsp_conformance.explain.document import (
    Block,
    Column,
    Prose,
    Row,
    Table,
    TimelineBlock,
    lines,
    plain,
)
from rsp_conformance.explain.render.answers import AnswerLine, aligned, answer_row, time_of
from rsp_conformance.explain.render.layout import counted, cut, unglued, wrap
from rsp_conformance.explain.render.notation import SituationNotation
from rsp_conformance.explain.render.svg import FONT, LETTER, LINE, MARGIN, ROW, timeline_svg
from rsp_conformance.explain.situation import Situation

if TYPE_CHECKING:
    from drawsvg import Drawing

MOST: Final = 24
"""The most answers; of more, those around the first difference are shown."""
WIDEST, DEEPEST = 36, 3
"""The most columns and lines of a cell: the contents of two windows fit beside an answer on a
screen of 1,280 pixels. The whole text appears if one points at a cell."""
TITLE: Final = 80
"""The columns of the title, which is broken into lines."""
GAP: Final = 3
"""Columns between two cells."""
STYLE: Final = """
.rsp-glance{color:#1f2328;max-width:100%;height:auto}
@media (prefers-color-scheme:dark){.rsp-glance{color:#e6edf3}.rsp-paper{fill:#0d1117}}
"""
"""The colours of text and paper. The file is readable wherever it is shown, and no wider."""


def table(situation: Situation, most: int) -> tuple[Table, int]:
    """Make a table of the answers in the order of their instants, with the windows' contents.

    Args:
        situation: the case, its answers, and the starts of its windows. If an engine was asked,
            a column says whether an answer is expected, received or both.
        most: the most answers; of more, those around the first difference.

    Returns:
        The table, and the number of answers that are left out.
    """
    judged, notation = situation.is_judged, SituationNotation(situation)
    # Answers that nobody has given are those that are due.
    found = aligned(situation) if judged else [AnswerLine(s, None) for s in situation.expected]
    shown = _nearest(found, most)
    windows = [notation.window(place) for place in range(len(situation.windows))]
    heads = ["t", *windows, *(["answer"] if judged else []), "rows"]
    rows = []
    for own in shown:
        answer = answer_row(situation, own)
        kind = [answer.kind + (" ←" if answer.first_difference else "")] if judged else []
        time = time_of(situation, own).removeprefix("t=")
        rows.append(Row((time, *_contents(notation, own), *kind, unglued(answer.content))))
    return Table(tuple(map(Column, heads)), tuple(rows), "Answers"), len(found) - len(shown)


def _contents(notation: SituationNotation, line: AnswerLine) -> Iterator[str]:
    """Yield the content of each window that an answer rests on; empty without an evaluation."""
    for place in range(len(notation.situation.windows)):
        content = None if line.step is None else line.step.contents[place]
        if content is None or content.instance is None:
            yield ""
        else:
            held = notation.elements(content.elements) if content.elements else "empty"
            yield f"{notation.span(content.instance)} {unglued(held)}"


def blocks(situation: Situation, most: int) -> tuple[Block, ...]:
    """Make the blocks of a case at a glance: its answers, as `table` has them, and the timeline."""
    shown, left_out = table(situation, most)
    more = (Prose((f"… and {counted(left_out, 'more answer')}",)),) if left_out else ()
    return shown, *more, TimelineBlock(situation)


def picture(situation: Situation, title: str) -> str:
    """Return the SVG of a case: a title, the timeline, and the answers with what they rest on.

    Args:
        situation: the case, its answers, and the starts of its windows.
        title: what the picture shows.
    """
    import drawsvg

    timeline = timeline_svg(situation)
    size = re.match(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"', timeline)
    assert size is not None, "drawsvg writes both"
    heads, below_it = wrap(title, TITLE), _Drawn(*table(situation, MOST))
    top = MARGIN + len(heads) * ROW
    below = top + float(size[2])
    width = max(float(size[1]), below_it.width, LETTER * max(map(cell_len, heads)) + 2 * MARGIN)
    made = drawsvg.Drawing(
        round(width),
        round(below + below_it.height + MARGIN),
        role="img",
        font_family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace",
        font_size=FONT,
        fill="currentColor",
        **{"class": "rsp-glance"},
    )
    made.append(drawsvg.Title(title))
    made.append(drawsvg.Raw(f"<style>{STYLE}</style>"))
    paper = drawsvg.Rectangle(0, 0, "100%", "100%", fill="#fff", **{"class": "rsp-paper"})
    made.append(paper)
    for number, text in enumerate(heads):
        _write(drawsvg, made, text, MARGIN, MARGIN + (number + 0.5) * ROW, bold=True)
    made.append(drawsvg.Raw(timeline.replace("<svg ", f'<svg y="{top:g}" ', 1)))
    below_it.draw(drawsvg, made, below)
    whole: str = made.as_svg(skip_js=True, skip_css=True)
    return whole


class _Drawn:
    """A table as a part of the picture."""

    def __init__(self, shown: Table, left_out: int) -> None:
        cells = [[plain(own) for cell in row.cells for own in lines(cell)] for row in shown.rows]
        self._rows = [[own.head for own in shown.columns], *cells]
        self._left_out = left_out
        wide = [min(WIDEST, max(map(cell_len, column))) for column in zip(*self._rows, strict=True)]
        self._columns = [
            (MARGIN + LETTER * (sum(wide[:place]) + GAP * place), wide[place])
            for place in range(len(wide))
        ]
        self._cells = [
            [_folded(cell, own) for cell, own in zip(row, wide, strict=True)] for row in self._rows
        ]

    @property
    def width(self) -> float:
        """The pixels to the right edge."""
        start, wide = self._columns[-1]
        return start + LETTER * wide + MARGIN

    @property
    def height(self) -> float:
        """The pixels from the heads to the last line."""
        return sum(map(_height, self._cells)) + (ROW if self._left_out else 0)

    def draw(self, drawsvg: Any, made: Drawing, top: float) -> None:
        """Draw the table below `top`."""
        y = top
        for row, cells in zip(self._rows, self._cells, strict=True):
            for (x, _), whole, folded in zip(self._columns, row, cells, strict=True):
                for number, text in enumerate(folded):
                    at = y + ROW / 2 + number * LINE
                    _write(drawsvg, made, text, x, at, bold=row is self._rows[0], whole=whole)
            y += _height(cells)
            line = drawsvg.Line(MARGIN, y, self.width - MARGIN, y, stroke="currentColor")
            line.args["stroke-opacity"] = 0.4 if row is self._rows[0] else 0.12
            made.append(line)
        if self._left_out:
            _write(drawsvg, made, f"… and {self._left_out} more", MARGIN, y + ROW / 2)


def _nearest(lines: Sequence[AnswerLine], most: int) -> Sequence[AnswerLine]:
    """Return the first lines, or those around the first difference."""
    place = next((number for number, line in enumerate(lines) if line.parts), 0)
    start = max(0, min(place - most // 2, len(lines) - most))
    return lines[start : start + most]


def _folded(cell: str, width: int) -> list[str]:
    """Return a cell as lines; a longer text loses its end."""
    lines = wrap(cell, width)
    if len(lines) <= DEEPEST:
        return lines
    return [*lines[: DEEPEST - 1], cut(" ".join(lines[DEEPEST - 1 :]), width)]


def _height(cells: Sequence[Sequence[str]]) -> float:
    return ROW + LINE * (max(map(len, cells)) - 1)


def _write(
    drawsvg: Any,
    made: Drawing,
    text: str,
    x: float,
    y: float,
    *,
    bold: bool = False,
    whole: str = "",
) -> None:
    """Write a line; pointing at it shows the text that it is a part of, if there is more."""
    weight = {"font_weight": "bold"} if bold else {}
    written = drawsvg.Text(text, FONT, x, y, dominant_baseline="central", **weight)
    if whole and whole != text:
        written.append_title(whole)
    made.append(written)
