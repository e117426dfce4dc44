"""Windows by count, NOW, UNBOUNDED and in the past in cases that are about something else.

Relations, laws and the mix of everything draw cases with windows by time that end at the present,
and then the windows that take their place. So they are drawn last: what an engine without such
windows is asked does not depend on them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from hypothesis import strategies as st

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.limits import Limits
from rsp_conformance.strategies.ties import untied
from rsp_conformance.strategies.windows import lag_of
from rsp_conformance.strategies.written import changed

COUNTED: frozenset[str] = frozenset({"element-windows", "triple-windows", "count-steps"})
"""The features of windows by count."""

OTHER: frozenset[str] = COUNTED | {"now-window", "unbounded-window", "past-windows"}
"""The features of all windows but those by time that end at the present."""

_NUMBERS = (2, 1, 3, 2)
"""How many units windows by count hold."""

_STEPS = (None, None, 2, 3)
"""Their slides; None is no slide of their own."""

LAGS = (1, 3)
"""How long before the present windows in the past end, in instants."""

_AS_DRAWN = 6
"""How many choices leave a case as it was drawn, at least, besides one for each other window: two
fifths of all cases have another one if an engine has windows by count, half if it has every kind.
"""

_LONG = 1000
"""A case of more instants has no NOW, which may be reported at each of them. Cases whose clock is
not coarse have 200 at most."""

Kind: TypeAlias = Count | Reach | int
"""What makes a window another one: its size, or for one in the past its lag in instants."""


@dataclass(frozen=True, slots=True)
class OtherWindows:
    """What the windows of a case may be in place of windows by time that end at the present.

    Attributes:
        options: the kinds to choose from; None leaves the windows as they were drawn.
        steps: the slides of windows by count.
        together: whether all windows of a case must be of one kind: answers that are stamped by
            arrivals are not judged if several kinds may close (decision 21).
        profile: the profile of the engine, which may leave open what windows by count hold.
    """

    options: tuple[Kind | None, ...] = ()
    steps: tuple[int | None, ...] = (None,)
    together: bool = False
    profile: Profile | Dials = Dials()

    def draw(self, draw: st.DrawFn, case: Case) -> Case:
        """Draw a case with other windows, or return the case as it is.

        A case with windows in the past ends as much later, so that all that it holds is seen. Under
        ``ties = open`` no window by count cuts an instant (`untied`).

        Args:
            draw: Hypothesis' draw function.
            case: a case. Unless it is to stay as it is, its windows are by time and end at the
                present.
        """
        case = self._drawn(draw, case)
        dials = self.profile
        return untied(case, dials if isinstance(dials, Dials) else dials.dials(case.query))

    def _drawn(self, draw: st.DrawFn, case: Case) -> Case:
        named = any(element.name is not None for element in case.elements)
        long = case.until - case.registered > _LONG
        options = tuple(
            own
            for own in self.options
            if not (named and _by_triples(own)) and not (long and own is Reach.NOW)
        )
        kind = pick(draw, options) if options else None
        if kind is None:
            return case
        step = pick(draw, self.steps) if isinstance(kind, Count) else None
        if isinstance(kind, Count) and step is not None:
            step = min(step, kind.number)
        windows: list[WindowDeclaration] = []
        for window in case.query.windows:
            kept = windows and not self.together and pick(draw, (False, True))
            windows.append(window if kept else _other(window, kind, step))
        query = replace(case.query, windows=tuple(windows))
        return changed(case, query=query, until=case.until + max(map(lag_of, windows), default=0))


def other_windows(limits: Limits, profile: Profile | Dials, *, as_drawn: int = 1) -> OtherWindows:
    """Return the other windows that an engine's features and its profile allow.

    UNBOUNDED is not among them if a report policy mentions WC: UNBOUNDED never closes, and a policy
    that waits for it alone is refused by name.

    Args:
        limits: the features.
        profile: the engine's profile, or a single setting of the dials.
        as_drawn: how many choices leave a case as it was drawn for each that does not.
    """
    settings = (profile,) if isinstance(profile, Dials) else profile.settings()
    closing = [dials for dials in settings if mentions(dials.report, "WC")]
    found: list[Kind] = []
    # Where elements and triples are counted alike, elements are.
    found += [Count(unit, number) for unit in limits.countable[:1] for number in _NUMBERS]
    if limits.allow("now-window"):
        found.append(Reach.NOW)
    if limits.allow("unbounded-window") and not closing:
        found.append(Reach.UNBOUNDED)
    if limits.allow("past-windows"):
        found += LAGS
    return OtherWindows(
        options=(*[None] * max(_AS_DRAWN, as_drawn * len(found)), *found) if found else (),
        steps=_STEPS if limits.allow("count-steps") else (None,),
        together=any(dials.answer_time == "arrival" for dials in closing),
        profile=profile,
    )


def _by_triples(kind: Kind | None) -> bool:
    return isinstance(kind, Count) and kind.unit == "triples"


def _other(window: WindowDeclaration, kind: Kind, step: int | None) -> WindowDeclaration:
    if isinstance(kind, int):
        return replace(window, lag=kind)
    return replace(window, width=kind, slide=step)
