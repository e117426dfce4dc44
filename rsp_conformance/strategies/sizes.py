"""Windows by count, NOW and UNBOUNDED in cases that are about something else.

Relations and laws draw cases with windows by time, and then the sizes that take their place. So
they are drawn last: what an engine without such windows is asked does not depend on them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.windows import Count, Reach, Unit, WindowDeclaration
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.limits import Limits
from rsp_conformance.strategies.written import changed

COUNTED: frozenset[str] = frozenset({"element-windows", "triple-windows", "count-steps"})
"""The features of windows by count."""

SIZED: frozenset[str] = COUNTED | {"now-window", "unbounded-window"}
"""The features of all windows that are not by time."""

_NUMBERS = (2, 1, 3, 2)
"""How many units windows by count hold."""

_STEPS = (None, None, 2, 3)
"""Their slides; None is no slide of their own."""

_BY_TIME = 6
"""How many choices leave a case as it was drawn, besides one for each size: a third of all cases
has another size if an engine has windows by count, and half if it has every kind."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes other than by time that the windows of a case may have.

    Attributes:
        options: the sizes to choose from; None leaves the windows by time.
        steps: the slides of windows by count.
        together: whether all windows of a case must be of one kind: answers that are stamped by
            arrivals are not judged if several kinds may close (decision 21).
    """

    options: tuple[Count | Reach | None, ...] = ()
    steps: tuple[int | None, ...] = (None,)
    together: bool = False

    def draw(self, draw: st.DrawFn, case: Case) -> Case:
        """Draw a case with windows of other sizes, or return the case as it is.

        Args:
            draw: Hypothesis' draw function.
            case: a case whose windows are by time.
        """
        named = any(element.name is not None for element in case.elements)
        options = tuple(own for own in self.options if not (named and _by_triples(own)))
        size = pick(draw, options) if options else None
        if size is None:
            return case
        step = pick(draw, self.steps) if isinstance(size, Count) else None
        if isinstance(size, Count) and step is not None:
            step = min(step, size.number)
        windows: list[WindowDeclaration] = []
        for window in case.query.windows:
            kept = windows and not self.together and pick(draw, (False, True))
            windows.append(window if kept else _resized(window, size, step))
        return changed(case, query=replace(case.query, windows=tuple(windows)))


def sizes(limits: Limits, profile: Profile | Dials) -> Sizes:
    """Return the sizes that an engine's features and its profile allow.

    UNBOUNDED is not among them if a report policy mentions WC: UNBOUNDED never closes, and a policy
    that waits for it alone is refused by name.

    Args:
        limits: the features.
        profile: the engine's profile, or a single setting of the dials.
    """
    settings = (profile,) if isinstance(profile, Dials) else profile.settings()
    closing = [dials for dials in settings if mentions(dials.report, "WC")]
    found: list[Count | Reach] = []
    units: dict[Unit, str] = {"elements": "element-windows", "triples": "triple-windows"}
    unit = next((unit for unit, feature in units.items() if limits.allow(feature)), None)
    if unit is not None:
        found += [Count(unit, number) for number in _NUMBERS]
    if limits.allow("now-window"):
        found.append(Reach.NOW)
    if limits.allow("unbounded-window") and not closing:
        found.append(Reach.UNBOUNDED)
    return Sizes(
        options=(*[None] * _BY_TIME, *found) if found else (),
        steps=_STEPS if limits.allow("count-steps") else (None,),
        together=any(dials.answer_time == "arrival" for dials in closing),
    )


def _by_triples(size: Count | Reach | None) -> bool:
    return isinstance(size, Count) and size.unit == "triples"


def _resized(window: WindowDeclaration, size: Count | Reach, step: int | None) -> WindowDeclaration:
    return replace(window, width=size, slide=step, lag=None)
