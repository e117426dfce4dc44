"""A timeline in text: streams, windows, evaluations due and answers given, under one vector.

Below an axis of instants, one cell an instant, which leaves long silences out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rich.cells import cell_len

from rsp_conformance.explain.render.layout import counted, cut, listed, pad
from rsp_conformance.explain.render.notation import SettingNotation
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.verdict import Vector
from rsp_conformance.protocol.requests import appended
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.spec.windows import Instance, evaluated

ROWS = 5
"""Rows of window instances, all windows together, where there is one window; else two a window."""
LABEL = 22
APPENDED = "+"
"""An element of the kit's own (docs/protocol.md, "advances")."""
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
    notation, bounds = SettingNotation(setting), setting.dials.bounds
    drawn, left_out = _instances(notation, few=few)
    streams = [(notation.iri(stream), stream) for stream in setting.case.streams]
    names = [*(own.label for own in drawn), *(name for name, _ in streams), "evaluated", "given"]
    label = min(LABEL, max(map(cell_len, names)))
    scale = axis(_wanted(setting, drawn), setting.place, width - label - 1)
    rows = [("t", scale.header())]
    for name, stream in streams:
        came = (e.t for e in setting.case.elements if e.stream == stream)
        end = [(e.t, APPENDED) for e in _appended(setting) if e.stream == stream]
        rows.append((name, scale.marks([*end, *_tally(came, "o")])))
    for own in drawn:
        text = scale.span(own.instance.opens, own.instance.closes, bounds)
        if own.here and label + cell_len(text.rstrip()) + 8 + len(str(setting.place)) <= width:
            text = f"{text.rstrip()} <- at {setting.place}"
        rows.append((own.label, text))
    rows += _answers(setting, scale)
    if setting.divergence is not None:
        pointer = scale.marks([(setting.place, "^")]).rstrip()
        note = "here they part"
        if len(pointer) + len(note) + label + 2 <= width:
            pointer = f"{pointer} {note}"
        elif len(pointer) > len(note) + 1:
            pointer = f"{note} ^".rjust(len(pointer))
        rows.append(("", pointer))
    lines = [f"{pad(name, label)} {text}".rstrip() for name, text in rows]
    return [cut(text, width) for text in (*lines, *_notes(setting, scale, left_out))]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """An instance of a window; ``here`` is that of the evaluation where answers part."""

    label: str
    instance: Instance
    here: bool


def _instances(notation: SettingNotation, *, few: bool) -> tuple[list[_Drawn], int]:
    """The instances to draw, those nearest to where they part, and how many are not drawn."""
    setting, place = notation.setting, notation.setting.place
    limit = ROWS if len(setting.windows) == 1 else max(2, 8 // max(1, len(setting.windows)))
    limit = 1 if few else limit
    found: list[_Drawn] = []
    left_out = 0
    for position, window in enumerate(setting.windows):
        away: dict[Instance, int] = {}
        for step in setting.steps:
            chosen = step.contents[position].instance
            if chosen is not None:
                away[chosen] = min(away.get(chosen, 1 << 60), abs(step.t - place))
        here = evaluated(window, setting.starts[position], place, setting.dials)
        if setting.step is not None:
            here = setting.step.contents[position].instance
        if here is not None:
            away[here] = -1
        nearest = sorted(away, key=lambda instance: (away[instance], -instance.opens))
        left_out += max(0, len(nearest) - limit)
        for instance in sorted(nearest[:limit]):
            span = notation.span(instance)
            name = cut(notation.window(position), LABEL - cell_len(span) - 1)
            found.append(_Drawn(f"{name} {span}", instance, instance == here))
    return found, left_out


def _wanted(setting: Setting, drawn: Sequence[_Drawn]) -> set[int]:
    """The instants that the axis should show."""
    wanted = {setting.t_s, setting.place, *(element.t for element in setting.case.elements)}
    wanted |= {t for own in drawn for t in (own.instance.opens, own.instance.closes)}
    wanted |= {element.t for element in _appended(setting)}
    wanted |= {t for step in setting.due for t in (step.t, setting.due_stamp(step.t))}
    return wanted | {int(stamp // 1) for stamp in _shown(setting)}


def _appended(setting: Setting) -> tuple[StreamElement, ...]:
    """The elements that the kit appends for an engine that learns the time from elements."""
    if setting.dials.advances == "clock":
        return ()
    elements = setting.case.elements
    return appended(setting.case, elements[-1].t if elements else 0)


def _shown(setting: Setting) -> list[int | Fraction]:
    """The stamps of the answers given that may be drawn."""
    stamps = map(setting.stamp, setting.observed)
    return [stamp for stamp in stamps if stamp is not None and stamp <= setting.case.until]


def _tally(instants: Iterable[int], one: str) -> list[tuple[int, str]]:
    return [(t, _count(number, one)) for t, number in Counter(instants).items()]


def _count(number: int, one: str) -> str:
    """The mark of so many at one instant, ONE where nothing else is there."""
    if number == 1:
        return one
    return str(number) if number < 10 else "#"


def _answers(setting: Setting, scale: Axis) -> list[tuple[str, str]]:
    """The rows of evaluations due and answers given."""
    due = scale.marks(_tally((step.t for step in setting.due), "*"))
    if setting.dials.answer_time == "none":
        return [("due", due)]
    rows = [("due", due)]
    if setting.dials.answer_time == "arrival":
        stamps = (setting.due_stamp(step.t) for step in setting.due)
        rows = [("evaluated", due), ("due", scale.marks(_tally(stamps, "*")))]
    marks: dict[int, list[str]] = {}
    for stamp in _shown(setting):
        mark = "*" if stamp == stamp // 1 else "~"
        marks.setdefault(int(stamp // 1), []).append(mark if stamp >= setting.t_s else "-")
    given = ((t, _count(len(own), own[0])) for t, own in marks.items())
    return [*rows, ("given", scale.marks(given))]


def _notes(setting: Setting, scale: Axis, left_out: int) -> list[str]:
    """What the drawing leaves out or marks in a way of its own."""
    stamps = [setting.stamp(answer) for answer in setting.observed]
    times = [stamp for stamp in stamps if stamp is not None]
    beyond = ["earlier"] * bool(scale.earlier) + ["later"] * bool(scale.later)
    untimed, without = setting.dials.answer_time == "none", len(stamps) - len(times)
    notes = {
        ".. silence left out": None in scale.cells,
        f"{APPENDED} appended by the kit, to end the case": _appended(setting),
        f"{listed(beyond)} instants not drawn": beyond,
        f"{counted(left_out, 'more window')} not drawn": left_out,
        "answers carry no instant": untimed,
        f"{without} given with no instant": without and not untimed,
        "answers after `until` not drawn": any(s > setting.case.until for s in times),
        "- given before t_s, not compared": any(s < setting.t_s for s in times),
        "~ no whole instant": any(s != s // 1 for s in times),
    }
    text = "; ".join(note for note, holds in notes.items() if holds)
    return [f"({text})"] if text else []


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
    cells: list[int | None] = [first]
    for previous, t in pairwise(wanted):
        between: dict[int, list[int | None]] = {1: [], 2: [t - 1]}
        cells += [*between.get(t - previous, [None]), t]
    if len(cells) <= capacity:
        return Axis(tuple(cells), size)
    start = min(max(0, cells.index(place) - capacity // 2), len(cells) - capacity)
    kept = cells[start : start + capacity]
    shown = [t for t in kept if t is not None]
    low, high = shown[0], shown[-1]
    kept = kept[kept.index(low) : kept.index(high) + 1]
    return Axis(tuple(kept), size, sum(t < low for t in wanted), sum(t > high for t in wanted))
