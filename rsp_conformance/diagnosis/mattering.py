"""Which dials matter for a case: settings that come to the same there are judged once."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from rsp_conformance.explain.evidence.dials import settings
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, MANNERS, Dials
from rsp_conformance.model.policy import mentions
from rsp_conformance.spec.policies import asks_for, policy_of

_ASKED: Final = frozenset(DIALS).difference(MANNERS)
_PLAIN: Final = Dials()


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
    if mentions(policy, "WC", "P", "COMPUTED EVERY"):
        idle |= {"tick"}
    if dials.answer_time != "arrival":
        idle |= {"trigger", "clock"}
    elif not mentions(policy, "WC"):
        idle |= {"trigger"}
    if dials.window == "last-closed-inclusive" and len(case.query.windows) == 1:
        # Where each evaluation waits for the one window to close, what closes is the active one.
        idle |= {"window"} if asks_for(policy, "WC") else set()
    return replace(dials, **{dial: getattr(_PLAIN, dial) for dial in idle})


@lru_cache(maxsize=8192)
def _mattering(case: Case, unit: int) -> frozenset[str]:
    """The dials that matter for a case under some policy or other."""
    asked: list[dict[str, Any]] = [
        {"report": "CC", "unit": unit},
        {"report": "WC", "answer_time": "arrival", "unit": unit},
    ]
    return frozenset(
        dial for dials in asked for dial, _ in settings(case, _PLAIN.with_dials(dials))
    )
