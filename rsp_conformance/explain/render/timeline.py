"""A timeline in text: streams, windows, evaluations due and answers given, under one vector.

Below an axis of instants, one cell an instant, which leaves long silences out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rich.cells import cell_len

from rsp_conformance.explain.render.layout import counted, cut, listed, pad
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.spec.windows import Instance, evaluated

ROWS = 5
"""Rows of window instances, all windows together, where there is one window; else two a window."""
LABEL = 22
SILENCE = ".."
"""What stands where instants are left out."""


def timeline(
    case: Case, dials: Dials, starts: Vector, observed: Sequence[Observed], width: int
) -> str:
    """Streams, windows of z = STARTS, and answers on an axis of instants, WIDTH columns wide.

    Windows are drawn as intervals with their bounds, ``(----]``; those around the place where
    answer and expectation part are shown, and long silences are left out, both with a note.
    """
    return "\n".join(draw(Setting(Expectation(case, dials), starts, observed), width))


def draw(setting: Setting, width: int, *, few: bool = False) -> list[str]:
    """The lines of the timeline; with FEW only the instance of each window where they part."""
    instances, left_out = _instances(setting, few=few)
    labels = [label for label, _, _ in instances]
    streams = [Notation(setting.case).iri(s) for s in setting.case.streams]
    label = min(LABEL, max(cell_len(t) for t in (*labels, *streams, "evaluated", "given")))
    scale = axis(_wanted(setting, instances), setting.place, width - label - 1)

    def line(name: str, text: str) -> str:
        return f"{pad(name, label)} {text}".rstrip()

    lines = [line("t", scale.header())]
    for stream in setting.case.streams:
        came = (e.t for e in setting.case.elements if e.stream == stream)
        lines.append(line(Notation(setting.case).iri(stream), scale.marks(_tally(came, "o"))))
    for name, instance, marked in instances:
        drawn = scale.span(instance.opens, instance.closes, setting.dials.bounds)
        text = line(name, drawn)
        if marked and cell_len(text) + 7 + len(str(setting.place)) <= width:
            text += f" <- at {setting.place}"
        lines.append(text)
    lines += [line(name, text) for name, text in _answers(setting, scale)]
    if setting.divergence is not None:
        pointer = scale.marks([(setting.place, "^")]).rstrip()
        note = "here they part"
        if len(pointer) + len(note) + label + 2 <= width:
            pointer = f"{pointer} {note}"
        elif len(pointer) > len(note) + 1:
            pointer = f"{note} ^".rjust(len(pointer))
        lines.append(line("", pointer))
    return [cut(text, width) for text in (*lines, *_notes(setting, scale, left_out, width))]


def _instances(setting: Setting, *, few: bool) -> tuple[list[tuple[str, Instance, bool]], int]:
    """Instances to draw, with label and whether one is evaluated where they part; how many not."""
    place = setting.place
    limit = ROWS if len(setting.windows) == 1 else max(2, 8 // max(1, len(setting.windows)))
    limit = 1 if few else limit
    found: list[tuple[str, Instance, bool]] = []
    left_out = 0
    for position, window in enumerate(setting.windows):
        own: dict[Instance, int] = {}
        for step in setting.steps:
            chosen = step.contents[position].instance
            if chosen is not None:
                own[chosen] = min(own.get(chosen, 1 << 60), abs(step.t - place))
        here = evaluated(window, setting.starts[position], place, setting.dials)
        if setting.step is not None:
            here = setting.step.contents[position].instance
        if here is not None:
            own[here] = -1
        nearest = sorted(own, key=lambda instance: (own[instance], -instance.opens))
        left_out += max(0, len(nearest) - limit)
        name = Notation(setting.case).iri(window.name)
        for instance in sorted(nearest[:limit]):
            text = instance.text(setting.dials.bounds)
            found.append(
                (f"{cut(name, LABEL - cell_len(text) - 1)} {text}", instance, own[instance] < 0)
            )
    return found, left_out


def _wanted(setting: Setting, instances: list[tuple[str, Instance, bool]]) -> set[int]:
    case = setting.case
    wanted = {element.t for element in case.elements}
    wanted |= {t for _, instance, _ in instances for t in (instance.opens, instance.closes)}
    wanted |= {step.t for step in setting.due}
    stamps = (setting.stamp(answer) for answer in setting.observed)
    wanted |= {int(stamp // 1) for stamp in stamps if stamp is not None and stamp <= case.until}
    return wanted | {setting.t_s, setting.place}


def _tally(instants: Iterable[int], one: str) -> list[tuple[int, str]]:
    return [(t, _count(number, one)) for t, number in Counter(instants).items()]


def _count(number: int, one: str) -> str:
    """The mark of so many at one instant, ONE where nothing else is there."""
    if number == 1:
        return one
    return str(number) if number < 10 else "#"


def _answers(setting: Setting, scale: Axis) -> list[tuple[str, str]]:
    """The rows of evaluations due and answers given."""
    case, first = setting.case, setting.t_s
    due = scale.marks(_tally((step.t for step in setting.due), "*"))
    if setting.dials.answer_time == "none":
        return [("due", due)]
    rows = [("due", due)]
    if setting.dials.answer_time == "arrival":
        stamps = (setting.due_stamp(step.t) for step in setting.due)
        rows = [("evaluated", due), ("due", scale.marks(_tally(stamps, "*")))]
    marks: dict[int, list[str]] = {}
    for answer in setting.observed:
        stamp = setting.stamp(answer)
        if stamp is not None and stamp <= case.until:
            whole = int(stamp // 1)
            mark = "*" if stamp == whole else "~"
            marks.setdefault(whole, []).append(mark if stamp >= first else "-")
    given = ((t, _count(len(own), own[0])) for t, own in marks.items())
    return [*rows, ("given", scale.marks(given))]


def _notes(setting: Setting, scale: Axis, left_out: int, width: int) -> list[str]:
    """What the drawing leaves out or marks in a way of its own."""
    notes = []
    stamps = [setting.stamp(answer) for answer in setting.observed]
    if None in scale.cells:
        notes.append(".. silence left out")
    if scale.earlier or scale.later:
        beyond = [
            text for number, text in ((scale.earlier, "earlier"), (scale.later, "later")) if number
        ]
        notes.append(f"{listed(beyond)} instants not drawn")
    if left_out:
        notes.append(f"{counted(left_out, 'more window')} not drawn")
    if setting.dials.answer_time == "none":
        notes.append("answers carry no instant")
    elif any(stamp is None for stamp in stamps):
        notes.append(f"{sum(s is None for s in stamps)} given with no instant")
    if any(s is not None and s > setting.case.until for s in stamps):
        notes.append("answers after `until` not drawn")
    if any(s is not None and s < setting.t_s for s in stamps):
        notes.append("- given before t_s, not compared")
    if any(s is not None and s != s // 1 for s in stamps):
        notes.append("~ no whole instant")
    text = "; ".join(notes)
    return [cut(f"({text})", width)] if text else []


# --- the axis ---


@dataclass(frozen=True, slots=True)
class Axis:
    """Cells of equal width; None is a silence. ``earlier`` and ``later`` instants do not fit."""

    cells: tuple[int | None, ...]
    cell: int
    earlier: int = 0
    later: int = 0

    @property
    def width(self) -> int:
        """The columns that all cells take."""
        return len(self.cells) * self.cell

    def column(self, t: int | Fraction) -> int | None:
        """The column of instant T, the last of its cell; None where the axis leaves it out."""
        whole = int(t // 1)
        return (self.cells.index(whole) + 1) * self.cell - 1 if whole in self.cells else None

    def header(self) -> str:
        """The instants, right-aligned in their cells."""
        return "".join(
            (SILENCE if cell is None else str(cell)).rjust(self.cell) for cell in self.cells
        )

    def marks(self, marks: Iterable[tuple[int | Fraction, str]]) -> str:
        """A line with a mark at each instant that the axis shows."""
        line = [" "] * self.width
        for t, mark in marks:
            column = self.column(t)
            if column is not None:
                line[column] = mark
        return "".join(line)

    def span(self, opens: int, closes: int, bounds: str) -> str:
        """An interval, ``(----]``; an end that the axis does not reach is drawn to the edge."""
        shown = [cell for cell in self.cells if cell is not None]
        line = [" "] * self.width
        if not shown or closes < shown[0] or opens > shown[-1]:
            return "".join(line)
        left = 0 if opens < shown[0] else self.column(opens)
        right = self.width - 1 if closes > shown[-1] else self.column(closes)
        assert left is not None and right is not None
        line[left : right + 1] = "-" * (right + 1 - left)
        line[left] = bounds[0] if opens >= shown[0] else "<"
        line[right] = bounds[-1] if closes <= shown[-1] else ">"
        return "".join(line)


def axis(instants: Iterable[int], place: int, width: int) -> Axis:
    """An axis of at most WIDTH columns that shows INSTANTS, those nearest to PLACE if not all fit.

    Every instant between them is shown where there is room; else those in between are left out.
    """
    wanted = sorted({*instants, place})
    size = max(len(str(wanted[0])), len(str(wanted[-1])), len(SILENCE)) + 1
    capacity = max(3, width // size)
    first, last = wanted[0], wanted[-1]
    if last - first + 1 <= capacity:
        return Axis(tuple(range(first, last + 1)), size)
    cells: list[int | None] = []
    for t in wanted:
        previous = cells[-1] if cells else None
        if previous is not None and t - previous == 2:
            cells.append(t - 1)
        elif previous is not None and t - previous > 2:
            cells.append(None)
        cells.append(t)
    if len(cells) <= capacity:
        return Axis(tuple(cells), size)
    middle = cells.index(place)
    start = min(max(0, middle - capacity // 2), len(cells) - capacity)
    kept = cells[start : start + capacity]
    while kept and kept[0] is None:
        kept = kept[1:]
    while kept and kept[-1] is None:
        kept = kept[:-1]
    low, high = kept[0], kept[-1]
    assert low is not None and high is not None
    return Axis(tuple(kept), size, sum(t < low for t in wanted), sum(t > high for t in wanted))
