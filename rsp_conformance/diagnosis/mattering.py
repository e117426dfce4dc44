"""Which dials matter for a case, and to which values they may be turned.

Settings that come to the same for a case are judged once (`decided`), and a search turns only dials
that may change the case (`settings`). Whether a dial matters follows from the query, its windows,
the report policy and the data; no query is evaluated for it. In doubt a dial matters: that costs a
judgement, and the reverse would hide a setting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from rsp_conformance.model.algebra import Graph
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, MANNERS, VALUES, Dials, floors
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.policy import Policy, is_bound, mentions, strategies
from rsp_conformance.model.query import Query
from rsp_conformance.model.variables import is_grouped
from rsp_conformance.model.walk import subpatterns, within
from rsp_conformance.model.windows import Count, CountWindow, NowWindow, by_time
from rsp_conformance.sparql.canonical import canonical
from rsp_conformance.spec.blank_nodes import shares_labels
from rsp_conformance.spec.policies import asks_for, policy_of
from rsp_conformance.spec.reporting import tested_once
from rsp_conformance.spec.starts import legal_starts

_ASKED: Final = frozenset(DIALS).difference(MANNERS)
_PLAIN: Final = Dials()
MOST_UNITS: Final = 6
"""Windows by count are taken to start after fewer units than these: cases have about twelve, and
those that start later show little."""


@lru_cache(maxsize=65_536)
def decided(dials: Dials, case: Case) -> Dials:
    """Put those dials back to their defaults that cannot matter for a case.

    Settings that come to the same for the case are thereby equal.

    Args:
        dials: the dials.
        case: the case.
    """
    policy = policy_of(case.query, dials)
    idle = _ASKED - _mattering(case, dials.unit)
    if not mentions(policy, "CC"):
        idle |= {"content_change"}
    if tested_once(case.query, policy, dials.with_dial("tick", "tuple")):
        idle |= {"tick"}
    if dials.answer_time != "arrival":
        idle |= {"trigger", "clock"}
    elif not mentions(policy, "WC"):
        idle |= {"trigger"}
    if any(isinstance(own.width, Count) for own in case.query.windows):
        # Which answers are judged depends on it, though no value makes a wrong one right.
        idle -= {"ties"}
    if dials.window == "last-closed-inclusive" and _closes_alone(case.query, policy):
        idle |= {"window"}
    return replace(dials, **{dial: getattr(_PLAIN, dial) for dial in idle})


@lru_cache(maxsize=8192)
def _mattering(case: Case, unit: int) -> frozenset[str]:
    """The dials that matter for a case under some policy."""
    asked: list[dict[str, Any]] = [
        {"report": "CC", "unit": unit},
        {"report": "WC", "answer_time": "arrival", "unit": unit},
    ]
    return frozenset(
        dial for dials in asked for dial, _ in settings(case, _PLAIN.with_dials(dials))
    )


def settings(case: Case, dials: Dials) -> Iterator[tuple[str, str]]:
    """Yield every other setting of every single dial that may matter for a case, by plausibility.

    A dial has all its `VALUES` unless the case makes some of them equal, or they compare more
    strictly than others, so that they make no answer right; dials with numbers have those of the
    case's windows.

    Args:
        case: the case.
        dials: the dials that are turned, one at a time.

    Yields:
        The dial and its value.
    """
    query, windows = case.query, case.query.resolved_windows(dials)
    timed = by_time(windows)
    policy = policy_of(query, dials)
    own_report = query.computed_every is None
    ticks = own_report and not tested_once(query, policy, dials.with_dial("tick", "tuple"))
    closes_count = dials.answer_time == "arrival" and mentions(policy, "WC")
    numbers = {n for w in timed for n in (w.slide, w.width) if n > 1}
    periods = [f"P({n})" for n in sorted({w.slide for w in timed})]
    counted = [window for window in windows if isinstance(window, CountWindow)]
    slides = [w.slide is None and isinstance(w.width, Count) for w in query.windows]
    units = range(1, min(MOST_UNITS, *(window.slide for window in counted))) if counted else ()
    tolerances = [str(n) for n in (1, 2) if n > dials.time_tolerance]
    several = own_report and len(windows) > 1 and not is_bound(policy)
    choices: tuple[tuple[str, object, Iterable[str] | None], ...] = (
        ("bounds", timed, None),
        ("t0", timed, (*VALUES["t0"], *floors(sorted(numbers)))),
        ("window", windows, ("active", "last-closed") if _closes_alone(query, policy) else None),
        ("count_slide", any(slides), None),
        ("n0", counted, (*VALUES["n0"], *map(str, units))),
        ("now", any(isinstance(window, NowWindow) for window in windows), None),
        ("report", own_report, _policies(query, policy)),
        ("content_change", own_report and mentions(policy, "CC"), None),
        ("tick", ticks, None),
        ("report_windows", several, None),
        ("r2s", query.operator, None),
        ("window_content", True, None),
        ("empty_answers", True, None),
        ("empty_group", any(map(_has_one_group, within(query))), None),
        ("blank_nodes", shares_labels(case), ("case", "element")),
        ("literals", canonical(case) != case, None),
        ("graph_variable", _ranges_over_graphs(query), None),
        ("windows_in", any(window.named for window in windows), None),
        ("answer_time", True, None),
        ("trigger", closes_count, None),
        ("clock", dials.answer_time == "arrival" and len(case.streams) > 1, None),
        ("numbers", True, ("value",)),
        ("time_tolerance", True, tolerances),
        ("report", own_report, periods),
        ("t0", timed, _numbered_starts(case, dials)),
    )
    for dial, matters, values in choices:
        if matters:
            yield from ((dial, v) for v in (VALUES[dial] if values is None else values))


def _numbered_starts(case: Case, dials: Dials) -> Iterator[str]:
    """Numbers around the registration, the nearest first, without those that are in Z anyway."""
    windows = by_time(case.query.resolved_windows(dials))
    legal = [legal_starts(w, case, dials) for w in windows]
    a = case.registered
    least = a - min(20, max(w.width for w in windows))
    most = a + min(20, max(w.slide for w in windows))
    for number in sorted(range(least, most + 1), key=lambda n: (abs(n - a), n)):
        if not all(number in own for own in legal):
            yield str(number)


def _policies(query: Query, policy: Policy) -> Iterator[str]:
    """Other report policies; if the policy is bound, also those bound to each window."""
    if not query.windows:
        return
    if is_bound(policy):
        names = [query.shorten(window.name).strip("<>") for window in query.windows]
        for bound in dict.fromkeys(s.window for s in strategies(policy) if s.window):
            for name in names:
                if name != bound:
                    yield str(policy).replace(f"[{bound}]", f"[{name}]")
        for name in names:
            yield from (f"WC[{name}]", f"WC[{name}] & NC[{name}]", f"CC[{name}]")
    yield from VALUES["report"]


def _closes_alone(query: Query, policy: Policy) -> bool:
    """Whether each evaluation is at a close of the one window: what closes is the active one.

    Not so by count: if a window fills within an instant, another one is active at its end. Nor is a
    change the same: the active window changes by what has come, the last closed one by all that it
    holds.
    """
    closes = [own.is_by_time for own in query.windows] == [True] and asks_for(policy, "WC")
    return closes and not mentions(policy, "CC")


def _has_one_group(part: object) -> bool:
    return isinstance(part, Query) and part.group_by is None and is_grouped(part)


def _ranges_over_graphs(query: Query) -> bool:
    return any(
        isinstance(part, Graph) and isinstance(part.name, Variable)
        for part in subpatterns(query.pattern)
    )
