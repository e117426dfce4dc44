"""Relations between windows of different kinds: by count, by time, NOW and UNBOUNDED."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.appended import appended
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.model.policy import mentions, negates
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.trial import Stimulus, Trial, Variant, pair
from rsp_conformance.model.windows import Count, Reach, Size, WindowDeclaration
from rsp_conformance.relations.comparison import alike
from rsp_conformance.relations.conditions import by_declaration, once_an_instant, settings
from rsp_conformance.relations.drawing import ANYTHING, MIXED, MOST, cases
from rsp_conformance.relations.relation import Draws, described
from rsp_conformance.relations.windows import FIRST, LINK, all_of, link_query, over
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.clause_weights import BURSTS, SLOW, STEADY
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.limits import limits
from rsp_conformance.strategies.other_windows import OTHER, OtherWindows
from rsp_conformance.strategies.streams import element_rows, elements_from
from rsp_conformance.strategies.written import changed


def _from_the_first(dials: Dials) -> str | None:
    """Require that the first window by count holds the first units of its stream."""
    if dials.n0 not in (0, "fill", "any"):
        return f"windows by count leave the first units out (n0 {dials.n0})"
    return None


def _not_countable(subject: EngineUnderTest) -> str | None:
    """Why an engine has no windows by count, or None."""
    if limits(subject.features, subject.profile).countable:
        return None
    return MissingFeatures("element-windows")


# Newest


def _as_it_comes(dials: Dials) -> str | None:
    """Require an evaluation whenever an element comes, and none that shows anything else."""
    policy = dials.report
    if not (all_of(policy, "CC", "NC") and mentions(policy, "CC")):
        return "the report policy is more than CC, with or without NC"
    leaving = dials.content_change == "any" and not mentions(policy, "NC")
    if leaving and dials.empty_answers and dials.now != "last":
        return "an evaluation without rows follows when NOW is empty again (content_change any)"
    return None


def _adds(dials: Dials) -> str | None:
    """Require that the profile allows ISTREAM."""
    if StreamOperator.ISTREAM.letter in dials.stream_operators:
        return None
    return "the profile does not allow ISTREAM"


def _not_single(subject: EngineUnderTest) -> str | None:
    """Why an engine cannot be asked for one triple pattern in one window, or None."""
    if "without-single-patterns" in subject.features:
        return "the engine takes no single triple pattern (without-single-patterns)"
    if len(limits(subject.features, subject.profile).window_names) > 1:
        return "the report policy names several windows"
    return None


def _shared(dials: Dials) -> bool:
    """Whether NOW holds what is new at an evaluation if several elements come at an instant."""
    return dials.now == "instant" if once_an_instant(dials) is None else dials.now != "instant"


def _repeats(dials: Dials) -> bool:
    """Whether an equal element gives a new row."""
    return dials.window_content == "bag" and dials.r2s in ("bag", "elements")


def _newest(subject: EngineUnderTest) -> Draws:
    allowed, found = limits(subject.features, subject.profile), settings(subject)
    name = next(iter(allowed.window_names), vocabulary.window(1))
    shared, repeats = all(map(_shared, found)), all(map(_repeats, found))
    # No row is there already if no element comes again, or if elements are what is compared.
    is_new = not repeats or all(dials.r2s == "elements" for dials in found)
    shown: list[StreamOperator | None] = [
        own
        for own in allowed.operators
        if own is StreamOperator.RSTREAM or (own is StreamOperator.ISTREAM and is_new)
    ]
    shown += [None] * allowed.allow("plain-queries")
    links = [
        (FIRST, Triple(s, LINK, o))
        for s in vocabulary.RESOURCES[:3]
        for o in vocabulary.RESOURCES[:3]
    ]
    rhythms = (STEADY, STEADY, SLOW, BURSTS)

    def make(draw: st.DrawFn) -> Trial:
        registered, rhythm = pick(draw, (0, 0, 0, 1, 5)), pick(draw, rhythms)
        filtered, operator = pick(draw, (0, 0, 1)), pick(draw, shown or (None,))
        silence, least = pick(draw, (1, 0, 3)), pick(draw, (0, 3, 5, MOST))
        drawn = element_rows(draw, least, MOST)
        elements = elements_from(drawn, links, start=registered, rhythm=rhythm)
        if not shared:
            elements = tuple(replace(e, t=e.t + place) for place, e in enumerate(elements))
        if not repeats:
            elements = tuple(_distinct(e, place) for place, e in enumerate(elements))
        condition = bool(filtered) and "filter" in subject.features
        window = WindowDeclaration(
            name, FIRST, Reach.UNBOUNDED, None, named=not allowed.default_windows
        )
        case = changed(
            Case(
                over(link_query(StreamOperator.ISTREAM), (window,), condition),
                elements,
                registered=registered,
                until=(elements[-1].t if elements else registered) + silence,
            )
        )
        now = over(link_query(operator), (replace(window, width=Reach.NOW),), condition)
        other = Variant("what NOW holds", Stimulus(changed(case, query=now)))
        return Trial((Variant("what ISTREAM adds", Stimulus(case)), other))

    return make


def _distinct(element: StreamElement, place: int) -> StreamElement:
    """An element with an object of its own."""
    (triple,) = element.graph
    item = Triple(triple.subject, triple.predicate, vocabulary.name(f"i{place + 1}"))
    return replace(element, graph=(item,))


NEWEST = described(
    "newest",
    _newest,
    alike("ISTREAM over [RANGE UNBOUNDED]", "the query over [NOW]"),
    features=("select", "istream", "unbounded-window", "now-window"),
    conditions=(_adds, _as_it_comes),
    refuses=_not_single,
)
"""One triple pattern, of all that has come and of what comes now.

A row of a single pattern comes from a single element. So what ISTREAM adds comes from the elements
since the evaluation before, and NOW holds these if there is an evaluation whenever one comes. If
NOW and the ticks of the profile do not fit together, elements come at instants of their own. If a
repeated element gives no new row, as in a window that is a set, all elements are different. NOW is
asked with RSTREAM, without an operator, or, if no row can be there already, with ISTREAM.
"""


# Unfilled


def _never_closing(dials: Dials) -> str | None:
    """Require a report policy that no close of a window decides."""
    if mentions(dials.report, "WC"):
        return "the report policy asks for closes, and UNBOUNDED never closes"
    return None


def _seen_filling(dials: Dials) -> str | None:
    """Require that a window by count shows what it has before it is full."""
    if dials.window == "active":
        return None
    return f"a window by count is undefined until it is full (window {dials.window})"


def _steps(subject: EngineUnderTest) -> tuple[int | None, ...]:
    """The slides with which the first window by count opens before the first unit."""
    written = limits(subject.features, subject.profile).allow("count-steps")
    found = settings(subject)
    starts = [dials.n0 for dials in found]
    # From the first unit on, a window that slides by more may leave out some.
    steps: list[int | None] = [1, *([2, 3] if all(n0 == 0 for n0 in starts) else [])]
    steps *= written
    if not any(dials.n0 == "any" and dials.count_slide == "width" for dials in found):
        steps.insert(0, None)
    return tuple(steps)


def _no_start(subject: EngineUnderTest) -> str | None:
    """Why no window by count is sure to hold the first units, or None."""
    if _steps(subject):
        return _not_countable(subject)
    return "windows by count may leave the first units out (n0 any, count_slide width)"


def _unfilled(subject: EngineUnderTest) -> Draws:
    allowed, steps = limits(subject.features, subject.profile), _steps(subject)
    # Nothing leaves these windows, so DSTREAM would show next to nothing.
    seldom = {"dstream"} if allowed.allow("plain-queries") else set()
    drawn, units = cases(subject, MIXED, ANYTHING - OTHER - seldom), allowed.countable
    endless = OtherWindows((Reach.UNBOUNDED,))
    elements = any(dials.advances == "elements" for dials in settings(subject))

    def make(draw: st.DrawFn) -> Trial:
        unit, step, more = pick(draw, units), pick(draw, steps), pick(draw, (0, 0, 1, 3, 100))
        case = endless.draw(draw, drawn(draw))
        come = (*case.elements, *(appended(case) if elements else ()))
        number = Counter(element.stream for element in come)

        def counted(window: WindowDeclaration) -> WindowDeclaration:
            size = Count(unit, max(1, number[window.stream] + more))
            slide = None if step is None else min(step, size.number)
            return replace(window, width=size, slide=slide)

        windows = tuple(w if w.is_by_time else counted(w) for w in case.query.windows)
        other = changed(case, query=replace(case.query, windows=windows))
        return pair(case, other, "with windows by count that never fill")

    return make


UNFILLED = described(
    "unfilled",
    _unfilled,
    alike("the query over UNBOUNDED windows", "the query over windows by count"),
    features=("select", "unbounded-window", "count-windows"),
    conditions=(_never_closing, _seen_filling, _from_the_first),
    refuses=_no_start,
)
"""A window by count holds all that has come as long as that is no more than it can hold.

So it changes when UNBOUNDED does, and any query over the one is answered as over the other. It may
close when it is full, which UNBOUNDED never does. Some windows of a query may stay by time. If an
engine learns the time from elements, what the kit appends at the end is counted, too.
"""


# Counted

_AT_REGISTRATION = ("any", "registration", "aligned-open", "aligned-close")
"""The values of t0 by which a window with a slide of 1 opens at the registration."""


def _in_step(dials: Dials) -> str | None:
    """Require that windows by time hold the last instants, and are seen as those by count are."""
    policy, whole = dials.report, dials.window == "last-closed-inclusive"
    if dials.window == "last-closed":
        return "a window by time is seen an instant after its close (window last-closed)"
    if dials.bounds != "(o,c]":
        return f"windows by time hold other instants than the last (bounds {dials.bounds})"
    if negates(policy):
        return "the report policy has a negation, and windows by time begin sooner"
    if isinstance(dials.t0, int) and dials.t0 > 0:
        return f"windows by time begin after the first elements (t0 {dials.t0})"
    if (whole or mentions(policy, "WC", "P")) and dials.t0 not in _AT_REGISTRATION:
        return f"windows by time close, or count their periods, from a t0 of {dials.t0} on"
    if (whole or mentions(policy, "WC")) and dials.n0 == "fill":
        return "windows by count close before they are full (n0 fill)"
    if mentions(policy, "WC") and dials.answer_time == "arrival":
        return "the close of a window by time is answered later (answer_time arrival)"
    return None


def _no_step(subject: EngineUnderTest) -> str | None:
    """Why no window by count slides by one unit, or None."""
    written = limits(subject.features, subject.profile).allow("count-steps")
    if not written and any(dials.count_slide == "width" for dials in settings(subject)):
        return "windows by count slide by their width, and STEP cannot be written"
    return _not_countable(subject)


def _together(dials: Dials) -> bool:
    """Whether all elements of an instant, of whatever stream, are seen together."""
    once = dials.tick == "time" or mentions(dials.report, "P", "COMPUTED EVERY")
    return once and dials.clock == "any"


def _counted(subject: EngineUnderTest) -> Draws:
    allowed = limits(subject.features, subject.profile)
    features = ANYTHING - OTHER - {"gap-windows"}
    if not all(map(_together, settings(subject))):
        features -= {"multi-window"}
    drawn, step = cases(subject, MIXED, features), 1 if allowed.allow("count-steps") else None

    def make(draw: st.DrawFn) -> Trial:
        unit, sizes = pick(draw, allowed.countable), (2, 1, 3, 5)
        case = drawn(draw)
        numbers = [pick(draw, sizes) for _ in case.query.windows]
        elements = _one_an_instant(case)
        assume(elements)
        by_time = _sized(case.query, numbers, 1)
        by_count = _sized(case.query, [Count(unit, number) for number in numbers], step)
        timed = changed(case, query=by_time, elements=elements, until=elements[-1].t)
        return pair(timed, changed(timed, query=by_count), "with windows by count")

    return make


def _sized(query: Query, sizes: Sequence[Size], slide: int | None) -> Query:
    """The query with other sizes of its windows, in order, and with one slide for all."""
    windows = [
        replace(window, width=size, slide=slide)
        for window, size in zip(query.windows, sizes, strict=True)
    ]
    return replace(query, windows=tuple(windows))


def _one_an_instant(case: Case) -> tuple[StreamElement, ...]:
    """The elements, one of each stream at each instant after the registration.

    A stream that has fewer than another begins anew; one that has none gets those of all streams.
    """
    given = case.elements
    read = dict.fromkeys((*case.query.streams(), *(element.stream for element in given)))
    own = [
        [e for e in given if e.stream == stream] or [replace(e, stream=stream) for e in given]
        for stream in read
    ]
    return tuple(
        replace(elements[place % len(elements)], t=case.registered + 1 + place)
        for place in range(max(map(len, own)) if given else 0)
        for elements in own
    )


COUNTED = described(
    "counted",
    _counted,
    alike("the query over windows by time", "the query over windows by count"),
    features=("select", "count-windows"),
    conditions=(by_declaration, _from_the_first, _in_step),
    refuses=_no_step,
)
"""If an element comes at each instant, the last N instants have the last N elements.

So do the last few if the window began after the registration only, since nothing came before. The
case ends with its last element, after which a window by time would empty. If the policy is tested
after each element, or windows have clocks of their own, the query reads one stream: when the
element of one stream has come and that of another has not, a window by count over the other still
holds N.
"""
