"""Mutants of windows, reporting and time, and in taking elements and background data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rsp_conformance.adapters.reference import mutant as seams
from rsp_conformance.adapters.reference.dataset import BackgroundVersion
from rsp_conformance.adapters.reference.mutant import MutatedRun, mutant
from rsp_conformance.adapters.reference.window import Arrival, WindowState
from rsp_conformance.model.algebra import TriplePattern, Window
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.walk import subpatterns, within

Windows = Sequence[WindowState]
Content = tuple[Arrival, ...]

_OTHER = str.maketrans("()[]", "[]()")


@mutant(
    seams.WINDOWS,
    "C-SPARQL: open windows reported during the start (CSRBench Q5)",
    where="a slide smaller than the width",
)
def open_at_start(windows: Windows, run: MutatedRun) -> Windows:
    """Windows that would have opened before the start are reported when they would close."""
    for window in windows:
        window.first_index = -((window.window.width - 1) // window.window.slide)
    return windows


@mutant(seams.DIALS, "engines differ in the opening end")
def bounds_start(dials: Dials, run: MutatedRun) -> Dials:
    """The opening end belongs to the window where it should not, and the other way round."""
    return dials.with_dials({"bounds": dials.bounds[0].translate(_OTHER) + dials.bounds[1:]})


@mutant(seams.DIALS, "engines differ in the closing end")
def bounds_end(dials: Dials, run: MutatedRun) -> Dials:
    """The closing end belongs to the window where it should not, and the other way round."""
    return dials.with_dials({"bounds": dials.bounds[:-1] + dials.bounds[-1].translate(_OTHER)})


@mutant(seams.READS, "rsp-js, rsp-rs: one window per stream", needs="same-stream-windows")
def second_window_overwrites(reads: bool, run: MutatedRun) -> bool:
    """Of two windows on one stream only the second gets elements."""
    stream = run.window.window.stream
    last = [w.window.name for w in run.windows if w.window.stream == stream][-1]
    # By name: what a window keeps for each of its patterns is that window's.
    return reads and run.window.window.name == last


def _like(windows: Windows, place: int) -> Windows:
    given = windows[place].window
    for window in windows:
        window.window = replace(window.window, width=given.width, slide=given.slide)
    return windows


@mutant(
    seams.WINDOWS,
    "C-SPARQL: with two streams one window's parameters hold for both",
    needs="multi-window | same-stream-windows",
    otherwise=(lambda windows, run: _like(windows, -1),),
)
def shared_window_parameters(windows: Windows, run: MutatedRun) -> Windows:
    """Every window gets the width and the slide of one of them, the first or the last."""
    return _like(windows, 0)


@mutant(
    seams.CONTENT,
    "Kolibrie: what a window holds is put into one store for all windows of the query",
    needs="multi-window | same-stream-windows",
    where="two named windows that hold different elements",
)
def windows_share_a_store(content: Content, run: MutatedRun) -> Content:
    """A WINDOW clause sees what any window of the query holds; each has its own width and slide."""
    own = run.query.window(run.window.window.name)
    if own is None or not own.named:
        return content
    others = (window.content for window in run.windows if window is not run.window)
    held = {(a.position, a.part): a for each in (*others, content) for a in each}
    return tuple(held[place] for place in sorted(held))


@mutant(seams.WINDOWS, "engines that keep no window open between two others", needs="gap-windows")
def gaps_as_tumbling(windows: Windows, run: MutatedRun) -> Windows:
    """A slide greater than the width is taken for a tumbling window."""
    for window in windows:
        slide = min(window.window.slide, window.window.width)
        window.window = replace(window.window, slide=slide)
    return windows


@mutant(seams.INSTANT, "rsp-js: the time an answer carries is not its window's", by_time=True)
def late_by_slide(t: int, run: MutatedRun) -> int:
    """Answers are stamped one slide too late."""
    return t + run.windows[0].window.slide if run.windows else t


@mutant(
    seams.REPORTS,
    "rsp-js: empty windows are never reported",
    where="a policy without NC, and an instant with empty windows",
)
def empty_windows_skipped(reports: bool, run: MutatedRun) -> bool:
    """Nothing is evaluated while all windows are empty, whatever the policy says."""
    return reports and (not run.windows or any(window.non_empty() for window in run.windows))


@mutant(seams.ANSWERS, "rsp-rs: two windows can lock each other out, and nothing comes any more")
def silent_after_three(answers: list[dict[str, Any]], run: MutatedRun) -> list[dict[str, Any]]:
    """After three answers nothing comes any more."""
    left: int = run.memory.get("left", 3)
    run.memory["left"] = max(0, left - len(answers))
    return answers[:left]


@mutant(
    seams.WINDOWS,
    "CQELS 1: buffers are keyed by time",
    where="two elements of one stream at one instant",
)
def equal_timestamps_overwrite(windows: Windows, run: MutatedRun) -> Windows:
    """An element takes the place of the one before it in the stream if both have one instant."""
    for window in windows:
        window.one_an_instant = True
    return windows


@mutant(
    seams.ELEMENT,
    "C-SPARQL: what comes one tick after the first element enters Esper at the tick before",
    where="elements at two instants in sequence, and a window that opens at the first of them",
)
def second_instant_early(arrival: Arrival, run: MutatedRun) -> Arrival:
    """An element one instant after the first one is read as if it had come with the first."""
    first: int = run.memory.setdefault("first", arrival.t)
    return arrival._replace(t=first) if arrival.t == first + 1 else arrival


@mutant(seams.ELEMENT, "engines that take single triples", needs="multi-triple-elements")
def first_triple_only(arrival: Arrival, run: MutatedRun) -> Arrival:
    """Of an element of several triples only the first enters."""
    return arrival._replace(triples=arrival.triples[:1], graph=arrival.graph[:1])


@mutant(seams.CONTENT, "engines that evaluate before they insert what set the evaluation off")
def newest_element_missing(content: Content, run: MutatedRun) -> Content:
    """A window is read before the element that came last has entered it."""
    newest = None if run.newest is None else run.newest.position
    return tuple(arrival for arrival in content if arrival.position != newest)


@mutant(
    seams.CONTENT,
    "CQELS 2: a RANGE window of a single pattern has no effect, and an element gives one row",
    dials={"report": "CC"},
    where="one triple pattern in WINDOW, and an element that stays in its window",
)
def single_pattern_without_window(content: Content, run: MutatedRun) -> Content:
    """A single triple pattern in WINDOW has the first triple of each new element, alone."""
    windows = [part for part in subpatterns(run.query.pattern) if isinstance(part, Window)]
    if sum(isinstance(part, TriplePattern) for window in windows for part in within(window)) != 1:
        return content
    newest = run.newest and run.newest.position
    return tuple(a._replace(triples=a.triples[:1]) for a in content if a.position == newest)


@mutant(
    seams.DIALS,
    "engines that keep a window's content in an RDF graph",
    dials={"window_content": "bag"},
    where="two elements with one triple",
)
def duplicates_collapsed(dials: Dials, run: MutatedRun) -> Dials:
    """Windows hold sets of triples where the profile keeps bags."""
    return replace(dials, window_content="set")


@mutant(
    seams.BACKGROUND,
    "engines that use static data up as if it were a stream",
    needs="static-data | named-graphs",
)
def static_lost(t: int | None, run: MutatedRun) -> int | None:
    """Background data takes part in the first evaluation only."""
    first = "read" not in run.memory
    run.memory["read"] = True
    return t if first else None


@mutant(
    seams.DATA,
    "CQELS 2: a lookup in static data returns its first match",
    needs="static-data",
    where="two objects of one subject and predicate in the background",
)
def static_first_match(data: BackgroundVersion, run: MutatedRun) -> BackgroundVersion:
    """Of several objects that background data has for a subject and predicate only one matches."""
    first = {(t.subject, t.predicate): t for t in reversed(data.default)}
    return data._replace(default=tuple(t for t in data.default if t in {*first.values()}))


@mutant(
    seams.BACKGROUND,
    "engines that read background data once and cache it",
    needs="time-varying-data",
)
def time_varying_stale(t: int | None, run: MutatedRun) -> int | None:
    """Background data is read at the first evaluation and kept."""
    first: int | None = run.memory.setdefault("read at", t)
    return first


@mutant(seams.CONTENT, "engines with one dataset for windows and static data", needs="static-data")
def static_visible_in_window(content: Content, run: MutatedRun) -> Content:
    """WINDOW sees the background's default graph too."""
    return (*content, Arrival(-1, "", 0, tuple(run.background.default)))
