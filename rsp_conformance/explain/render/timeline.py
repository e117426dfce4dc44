"""A timeline in text: streams, windows, evaluations due and answers given, under one vector."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from rsp_conformance.explain.render.axis import Axis, axis
from rsp_conformance.explain.render.layout import counted, cut, listed, pad
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Bounds, Dials
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.spec.windows import Instance, evaluated

ROWS = 5
"""Rows of window instances, all windows together, where there is one window; else two a window."""
LABEL = 22


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
        lines.append(line(Notation(setting.case).iri(stream), _elements(setting, stream, scale)))
    for name, instance, marked in instances:
        drawn = scale.span(instance.opens, instance.closes, _ends(setting.dials.bounds))
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


def _ends(bounds: Bounds) -> str:
    return bounds[0] + bounds[-1]


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
        step_here = setting.step
        if step_here is not None:
            here = step_here.contents[position].instance
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


def _elements(setting: Setting, stream: IRI, scale: Axis) -> str:
    counts: dict[int, int] = {}
    for element in setting.case.elements:
        if element.stream == stream:
            counts[element.t] = counts.get(element.t, 0) + 1
    return scale.marks((t, _count(number)) for t, number in counts.items())


def _count(number: int) -> str:
    if number == 1:
        return "o"
    return str(number) if number < 10 else "#"


def _answers(setting: Setting, scale: Axis) -> list[tuple[str, str]]:
    """The rows of evaluations due and answers given."""
    case, first = setting.case, setting.t_s

    def tally(instants: list[int]) -> list[tuple[int, str]]:
        return [(t, "*" if instants.count(t) == 1 else _count(instants.count(t))) for t in instants]

    due = [step.t for step in setting.due]
    if setting.dials.answer_time == "none":
        return [("due", scale.marks(tally(due)))]
    rows = [("due", scale.marks(tally(due)))]
    if setting.dials.answer_time == "arrival":
        stamps = [setting.due_stamp(t) for t in due]
        rows = [("evaluated", rows[0][1]), ("due", scale.marks(tally(stamps)))]
    marks: dict[int, list[str]] = {}
    for answer in setting.observed:
        stamp = setting.stamp(answer)
        if stamp is not None and stamp <= case.until:
            whole = int(stamp // 1)
            mark = "*" if stamp == whole else "~"
            marks.setdefault(whole, []).append(mark if stamp >= first else "-")
    given = [(t, own[0] if len(own) == 1 else _count(len(own))) for t, own in marks.items()]
    return [*rows, ("given", scale.marks(given))]


def _notes(setting: Setting, scale: Axis, left_out: int, width: int) -> list[str]:
    """What the drawing leaves out or marks in a way of its own."""
    notes = []
    stamps = [setting.stamp(answer) for answer in setting.observed]
    if scale.silences():
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
