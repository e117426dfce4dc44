"""A timeline in text: streams, windows, evaluations and answers, under one vector.

Below an axis of instants each stream, window and kind of answer has a row, with one cell for each
instant.

**What is sought.** An axis of at most so many columns on which a reader sees what an argument is
about: the elements, the ends of the windows that are drawn, the evaluations and answers, and t_s.

**How.** The axis shows all instants from the first of these to the last, if they fit. Else each
silence becomes one cell, however long it is; a silence of one instant stays, since it takes no more
room. If that is still too long, the cells around the first difference are kept (`axis`). Long
numbers, such as milliseconds since 1970, are counted from the first instant: ``+3`` from
1700000000000.

**What it guarantees.** All cells have the same width and are in order, and the instant of the
first difference is shown. Notes below say what is left out. The axis is no scale: how long a
silence lasts can be seen only from the instants beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from rich.cells import cell_len

from rsp_conformance.explain.render.layout import counted, cut, listed, pad
from rsp_conformance.explain.render.notation import Notation, SituationNotation
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.appended import appended
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.verdict import Kind, Vector
from rsp_conformance.model.windows import SlidingWindow
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.spec.windows import Instance, evaluated

ROWS = 5
"""The rows of window instances if there is one window; several windows share eight, two at least.
"""
FEW = 2
"""The rows of window instances of one window if space is short: the one that is evaluated, and the
nearest, whose content is often mistaken for it. Of several windows each has one."""
LABEL = 22
"""The most columns of a row's name."""
EVALUATION = "evaluation"
"""The row of evaluations whose answers are expected at other instants."""
EXPECTED, RECEIVED, ANSWERS = "expected", "received", "answers"
"""The rows of expected and of received answers, and of answers that no engine gave."""
APPENDED = "+"
"""Marks an element that the kit appends (docs/protocol.md, "advances")."""
BY_THE_KIT = "added by the kit, to close windows"
"""The legend for that mark."""
_ADDED = f"{APPENDED} {BY_THE_KIT}"
LONG = 10**6
"""Instants from here on are counted from the first one, if they lie nearer to each other."""
SILENCE = ".."
"""Stands where instants are left out."""


def timeline(
    case: Case, dials: Dials, starts: Vector, observed: Sequence[Observed], width: int
) -> str:
    """Draw streams, windows and answers on an axis of instants.

    Windows are drawn as intervals with their bounds, ``(----]``. Only windows around the first
    difference are shown, and long silences are left out, both with a note.

    Args:
        case: the case.
        dials: the dials in force.
        starts: the member of Z under which it is drawn.
        observed: the answers of the engine.
        width: the columns.
    """
    return "\n".join(draw(Situation(Expectation(case, dials), starts, observed), width))


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign at an instant.

    Attributes:
        t: the instant.
        sign: the sign.
        of: the elements, evaluations or answers that it stands for.
    """

    t: int
    sign: str
    of: tuple[StreamElement | Evaluation | Observed, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a timeline: marks, or the instance of a window.

    Attributes:
        label: its name.
        marks: the marks.
        instance: the instance of a window.
        here: whether that is the instance of the evaluation at the first difference.
    """

    label: str
    marks: tuple[Mark, ...] = ()
    instance: Instance | None = None
    here: bool = False


@dataclass(frozen=True, slots=True)
class Timeline:
    """A timeline to be drawn: rows over an axis.

    Attributes:
        axis: the axis.
        rows: the rows.
        bounds: the ends of windows, such as ``(]``.
        parts: the instant of the first difference, if there is one.
        notes: what is left out or marked in a special way, in words.
        missing: the instant at which an answer was expected that never came, if that is the first
            difference.
    """

    axis: Axis
    rows: tuple[Row, ...]
    bounds: str
    parts: int | None
    notes: tuple[str, ...]
    missing: int | None = None


def timeline_of(situation: Situation, width: int, *, few: bool = False) -> Timeline:
    """Make the timeline of a situation.

    Args:
        situation: the case under one z.
        width: the columns of a line of text.
        few: whether hardly more of each window is drawn than the instance at the first difference.
    """
    notation = SituationNotation(situation)
    begin = _begin(situation)
    windows, left_out = _instances(notation, begin, few=few)
    streams = [
        Row(notation.iri(stream), _elements(situation, stream)) for stream in situation.case.streams
    ]
    answers = _answers(situation)
    rows = (*streams, *windows, *answers)
    scale = axis(_wanted(situation, windows), situation.place, width - _label(rows) - 1, begin)
    parts = situation.place if situation.divergence is not None else None
    notes = tuple(_notes(situation, scale, left_out))
    return Timeline(scale, rows, situation.dials.bounds, parts, notes, _missing(situation))


def _missing(situation: Situation) -> int | None:
    """The instant of an answer that never came."""
    parted = situation.divergence
    if parted is None or parted.kind not in (Kind.MISSING, Kind.SILENT):
        return None
    if situation.dials.answer_time == "none" or parted.expected is None:
        return None
    return situation.stamp_of(parted.expected.t)


def _label(rows: Iterable[Row]) -> int:
    """The columns that the names of rows take."""
    return min(LABEL, max(map(cell_len, [EVALUATION, *(row.label for row in rows)])))


def draw(situation: Situation, width: int, *, few: bool = False) -> list[str]:
    """The lines of a timeline as text; the arguments are those of ``timeline_of``."""
    drawn = timeline_of(situation, width, few=few)
    label, scale = _label(drawn.rows), drawn.axis
    rows = [("time", scale.header())]
    notes = [*drawn.notes]
    for row in drawn.rows:
        text = scale.marks((mark.t, mark.sign) for mark in row.marks)
        if row.instance is not None:
            text = scale.span(row.instance.opens, row.instance.closes, drawn.bounds)
        here = f"{text.rstrip()} <- evaluated at {_counted_from(drawn.axis.begin, situation.place)}"
        if row.here and label + 1 + cell_len(here) <= width:
            text = here
        # It is said once, and below the rows only if there is no room beside a mark.
        added = f"{text.rstrip()} <- {BY_THE_KIT}"
        has_room = text.rstrip().endswith(APPENDED) and label + 1 + cell_len(added) <= width
        if has_room and _ADDED in notes:
            text = added
            notes.remove(_ADDED)
        rows.append((row.label, text))
    if drawn.parts is not None:
        pointer = scale.marks([(drawn.parts, "^")]).rstrip()
        note = "first difference"
        if len(pointer) + len(note) + label + 2 <= width:
            pointer = f"{pointer} {note}"
        elif len(pointer) > len(note) + 1:
            pointer = f"{note} ^".rjust(len(pointer))
        rows.append(("", pointer))
    lines = [scale.head] if scale.head else []
    lines += [f"{pad(name, label)} {text}".rstrip() for name, text in rows]
    lines += [f"({'; '.join(notes)})"] if notes else []
    return [cut(text, width) for text in lines]


def _instances(notation: SituationNotation, begin: int, *, few: bool) -> tuple[list[Row], int]:
    """The instances to draw, the nearest to the first difference, and the number of the others."""
    situation, place = notation.situation, notation.situation.place
    number = len(situation.windows)
    limit = ROWS if number == 1 else max(2, 8 // max(1, number))
    if few:
        limit = FEW if number == 1 else 1
    found: list[Row] = []
    left_out = 0
    for position, window in enumerate(situation.windows):
        if not isinstance(window, SlidingWindow):
            rows = _holdings(notation, position)
            left_out += max(0, len(rows) - limit)
            found += rows[:limit]
            continue
        away: dict[Instance, int] = {}
        for step in situation.steps:
            chosen = step.contents[position].instance
            if chosen is not None:
                away[chosen] = min(away.get(chosen, 1 << 60), abs(step.t - place))
        here = evaluated(window, situation.starts[position], place, situation.dials)
        if situation.step is not None:
            here = situation.step.contents[position].instance
        elif situation.divergence is None:
            here = None
        if here is not None:
            away[here] = -1
        nearest = sorted(away, key=lambda instance: (away[instance], -instance.opens))
        left_out += max(0, len(nearest) - limit)
        for instance in sorted(nearest[:limit]):
            opens, closes = (_counted_from(begin, t) for t in instance)
            span = f"{situation.dials.bounds[0]}{opens},{closes}{situation.dials.bounds[-1]}"
            name = cut(notation.window(position), LABEL - cell_len(span) - 1)
            found.append(Row(f"{name} {span}", instance=instance, here=instance == here))
    return found, left_out


def _holdings(notation: SituationNotation, position: int) -> list[Row]:
    """What a window without a t0 holds at evaluations, those nearest to where they part first."""
    situation = notation.situation
    steps = [step for step in situation.steps if step.contents[position].instance is not None]
    steps.sort(key=lambda step: (step is not situation.step, abs(step.t - situation.place)))
    # A window by count that fills is one instance with more and more elements.
    rows: dict[tuple[str, Sequence[int]], Row] = {}
    for step in steps:
        content = step.contents[position]
        assert content.instance is not None
        span = content.instance.text(situation.dials.bounds)
        held = [situation.case.elements[index] for index in content.elements]
        name = cut(notation.window(position), LABEL - cell_len(span) - 1)
        marks = _tally(((e.t, e) for e in held), "o")
        row = Row(f"{name} {span}", marks, here=step is situation.step)
        rows.setdefault((span, content.elements), row)
    return [*rows.values()]


def _begin(situation: Situation) -> int:
    """The instant from which long instants are counted; 0 if they are written in full."""
    wanted = _wanted(situation, ())
    first = min(wanted)
    return first if max(LONG, max(wanted) - first + 1) <= first else 0


def _counted_from(begin: int, t: int) -> str:
    return f"{t - begin:+d}" if begin else str(t)


def _wanted(situation: Situation, windows: Sequence[Row]) -> set[int]:
    """The instants that the axis should show."""
    wanted = {situation.t_s, situation.place, *(element.t for element in situation.case.elements)}
    spans = [own.instance for own in windows if own.instance is not None]
    wanted |= {t for span in spans for t in (span.opens, span.closes)}
    wanted |= {element.t for element in _appended(situation)}
    wanted |= {t for step in situation.expected for t in (step.t, situation.stamp_of(step.t))}
    return wanted | {int(stamp // 1) for stamp, _ in _shown(situation)}


def _appended(situation: Situation) -> tuple[StreamElement, ...]:
    """The elements that the kit appends for an engine that learns the time from elements."""
    if situation.dials.advances == "clock":
        return ()
    return appended(situation.case)


def _shown(situation: Situation) -> list[tuple[int | Fraction, Observed]]:
    """The received answers that may be drawn, with their stamps."""
    stamps = ((situation.stamp(answer), answer) for answer in situation.observed)
    until = situation.case.until
    return [(stamp, answer) for stamp, answer in stamps if stamp is not None and stamp <= until]


def _elements(situation: Situation, stream: IRI) -> tuple[Mark, ...]:
    """The elements of a stream; elements that the kit appends lie below others of their instant."""
    own = [(e.t, e) for e in situation.case.elements if e.stream == stream]
    end = (Mark(e.t, APPENDED, (e,)) for e in _appended(situation) if e.stream == stream)
    return (*end, *_tally(own, "o"))


def _tally(
    found: Iterable[tuple[int, StreamElement | Evaluation | Observed]], one: str
) -> tuple[Mark, ...]:
    """A mark for each instant: a sign for one thing, or the number of things."""
    at: dict[int, list[StreamElement | Evaluation | Observed]] = {}
    for t, what in found:
        at.setdefault(t, []).append(what)
    return tuple(Mark(t, _count(len(own), one), tuple(own)) for t, own in at.items())


def _count(number: int, one: str) -> str:
    """The mark for so many things at one instant."""
    if number == 1:
        return one
    return str(number) if number < 10 else "#"


def _answers(situation: Situation) -> list[Row]:
    """The rows of expected evaluations and of received answers."""
    expected = _tally(((step.t, step.evaluation) for step in situation.expected), "*")
    name = EXPECTED if situation.is_judged else ANSWERS
    rows = [Row(name, expected)]
    if situation.dials.answer_time == "arrival":
        arrived = ((situation.stamp_of(step.t), step.evaluation) for step in situation.expected)
        rows = [Row(EVALUATION, expected), Row(name, _tally(arrived, "*"))]
    if situation.dials.answer_time == "none" or not situation.is_judged:
        return rows
    received = _tally(((int(stamp // 1), answer) for stamp, answer in _shown(situation)), "")
    first = {int(stamp // 1): stamp for stamp, _ in reversed(_shown(situation))}
    signed = (replace(m, sign=m.sign or _sign(first[m.t], situation.t_s)) for m in received)
    return [*rows, Row(RECEIVED, tuple(signed))]


def _sign(stamp: int | Fraction, t_s: int) -> str:
    """The mark of one received answer; before t_s it is not compared."""
    if stamp < t_s:
        return "-"
    return "*" if stamp == stamp // 1 else "~"


def _notes(situation: Situation, scale: Axis, left_out: int) -> list[str]:
    """Notes on the things that the drawing leaves out or marks in a special way."""
    stamps = [situation.stamp(answer) for answer in situation.observed]
    times = [stamp for stamp in stamps if stamp is not None]
    beyond = ["earlier"] * bool(scale.earlier) + ["later"] * bool(scale.later)
    untimed, without = situation.dials.answer_time == "none", len(stamps) - len(times)
    windows = [own for own in situation.windows if isinstance(own, SlidingWindow) and own.lag]
    notation = Notation(situation.case)
    lags = [f"{notation.iri(own.name)} is evaluated {own.lag} later than drawn" for own in windows]
    notes = {
        listed(lags): lags,
        ".. silence left out": None in scale.cells,
        _ADDED: _appended(situation),
        f"{listed(beyond)} instants not drawn": beyond,
        f"{counted(left_out, 'more window')} not drawn": left_out,
        "answers carry no time": untimed,
        f"{without} received without a time": without and not untimed,
        "answers after `until` not drawn": any(s > situation.case.until for s in times),
        "- received too early to be compared": any(s < situation.t_s for s in times),
        "~ no whole instant": any(s != s // 1 for s in times),
    }
    return [note for note, holds in notes.items() if holds]


# --- the axis ---


@dataclass(frozen=True, slots=True)
class Axis:
    """Cells of equal width, one for each instant or silence.

    Attributes:
        cells: the instants; None is a silence.
        cell: the columns of a cell.
        earlier: the number of wanted instants before the axis.
        later: the number of wanted instants after it.
        begin: the instant from which instants are counted, if it is not 0.
    """

    cells: tuple[int | None, ...]
    cell: int
    earlier: int = 0
    later: int = 0
    begin: int = 0

    @property
    def head(self) -> str:
        """The instant from which instants are counted; empty if they are written in full."""
        return f"from {self.begin}:" if self.begin else ""

    @property
    def width(self) -> int:
        """The columns that all cells take."""
        return len(self.cells) * self.cell

    def column(self, t: int | Fraction) -> int | None:
        """The column of an instant, the last of its cell; None if the axis leaves it out."""
        whole = int(t // 1)
        return (self.cells.index(whole) + 1) * self.cell - 1 if whole in self.cells else None

    def header(self) -> str:
        """The instants, right-aligned in their cells."""
        return "".join(self.written(cell).rjust(self.cell) for cell in self.cells)

    def written(self, cell: int | None) -> str:
        """The instant of a cell, or a silence."""
        return SILENCE if cell is None else _counted_from(self.begin, cell)

    def marks(self, marks: Iterable[tuple[int | Fraction, str]]) -> str:
        """A line with a mark at each instant that the axis shows."""
        line = [" "] * self.width
        for t, mark in marks:
            column = self.column(t)
            if column is not None:
                line[column] = mark
        return "".join(line)

    def span(self, opens: int, closes: int, bounds: str) -> str:
        """An interval, ``(----]``; an end that the axis does not reach is drawn to its edge."""
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


def axis(instants: Iterable[int], place: int, width: int, begin: int = 0) -> Axis:
    """Make an axis that shows the wanted instants, if they fit.

    Args:
        instants: the wanted instants.
        place: the instant that must be shown.
        width: the most columns.
        begin: the instant from which instants are counted, if it is not 0.
    """
    wanted = sorted({*instants, place})
    ends = (_counted_from(begin, t) for t in (wanted[0], wanted[-1]))
    size = max(*map(len, ends), len(SILENCE)) + 1
    capacity = max(3, width // size)
    first, last = wanted[0], wanted[-1]
    if last - first + 1 <= capacity:
        return Axis(tuple(range(first, last + 1)), size, begin=begin)
    cells: list[int | None] = [first]
    for previous, t in pairwise(wanted):
        between: dict[int, list[int | None]] = {1: [], 2: [t - 1]}
        cells += [*between.get(t - previous, [None]), t]
    if len(cells) <= capacity:
        return Axis(tuple(cells), size, begin=begin)
    start = min(max(0, cells.index(place) - capacity // 2), len(cells) - capacity)
    kept = cells[start : start + capacity]
    shown = [t for t in kept if t is not None]
    low, high = shown[0], shown[-1]
    kept = kept[kept.index(low) : kept.index(high) + 1]
    earlier, later = sum(t < low for t in wanted), sum(t > high for t in wanted)
    return Axis(tuple(kept), size, earlier, later, begin)
