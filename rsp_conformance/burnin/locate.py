"""Where a long stream goes wrong: the shortest stretch that still shows it.

The search grows stretches backwards from the divergence until a fresh engine errs on one as it did
on the whole, then bisects for the latest start, and ends them where the divergence is. A stretch
that is short by then is minimised further (``minimise``); a long one is the finding itself, for
the fault needs its history.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from rsp_conformance.burnin.trials import SHORT, Trials
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.verdict import Verdict

_GROWTH: Final = 4
_FINE: Final = 100
"""The start of a long stretch is found to this part of its length."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the stream, from instant ``since`` to ``until``, on which the engine is wrong.

    A fresh engine registered at ``since`` shows it, given the ``elements`` of the stretch; one
    registered ``step`` instants later does not, or was not tried for want of time (None).
    ``finding`` is a case that was made of it, where it is short; ``kept`` how many elements are
    left in that. ``confirmed`` says in a sentence whether it came again.
    """

    since: int
    until: int
    elements: int
    step: int | None = None
    finding: Finding | None = None
    confirmed: str = ""

    @property
    def kept(self) -> int:
        """The elements without which it does not show, as far as that was found out."""
        return self.elements if self.finding is None else len(self.finding.case.elements)


def locate(trials: Trials, verdict: Verdict, reached: int) -> Stretch | None:
    """The shortest stretch that errs as VERDICT does; None where none errs again.

    REACHED is an instant by which the divergence had been seen.
    """
    divergence = verdict.divergence
    assert divergence is not None
    place = reached if divergence.t is None else int(divergence.t)
    windows = trials.case.query.sliding_windows(trials.dials.unit)
    reach = max(window.width + window.slide for window in windows)
    begun = _latest_start(trials, place, reach)
    if begun is None:
        return None
    found, place = begun
    # Ended at its divergence, where that is enough to see it.
    if place < found.until and trials.wrong(found.since, place) is not None:
        found = replace(found, until=place)
    return replace(found, elements=trials.source.count(found.since, found.until))


def _latest_start(trials: Trials, place: int, reach: int) -> tuple[Stretch, int] | None:
    """The latest start that errs, up to behind the divergence, and where it diverges then."""
    until = min(place + reach, trials.case.until)
    right, length = place, 2 * reach
    while True:
        since = max(0, place - length)
        verdict = trials.wrong(since, until)
        if verdict is not None:
            break
        if since == 0 or trials.over:
            return None
        right, length = since, length * _GROWTH
    step = None
    while right - since > max(1, (place - since) // _FINE if place - since > SHORT else 1):
        if trials.over:
            break
        middle = (since + right) // 2
        tried = trials.wrong(middle, until)
        if tried is None:
            right = middle
        else:
            since, verdict = middle, tried
    else:
        step = right - since
    return Stretch(since, until, 0, step), _place(verdict, until)


def _place(verdict: Verdict, until: int) -> int:
    divergence = verdict.divergence
    return until if divergence is None or divergence.t is None else int(divergence.t)


def is_short(stretch: Stretch) -> bool:
    """Whether the stretch is one case that can be run as such, and minimised."""
    return stretch.elements <= SHORT and stretch.until - stretch.since <= 2 * SHORT
