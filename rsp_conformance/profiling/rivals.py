"""The values of each dial that are held against each other, and which dials matter for a case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, Final

from rsp_conformance.explain.evidence.dials import settings
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.dials import VALUES as ALL
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.tables import read_table
from rsp_conformance.spec.policies import asks_for, policy_of

_TABLE: Final = read_table(__name__, "dials.toml")

SETTLED: Final[dict[str, str]] = _TABLE["settled"]
"""The dials that no answer tells, each with where its value comes from."""

NEEDED: Final[dict[str, list[str]]] = _TABLE["needed"]
"""The features of which an engine must have one, for a dial to show."""

VALUES: Final[dict[str, tuple[str, ...]]] = {
    dial: (*ALL.get(dial, ()), *_TABLE["numbered"].get(dial, ()))
    for dial in DIALS
    if dial not in SETTLED
}
"""The values of each dial that are tried."""

LENIENT: Final[dict[str, str]] = _TABLE["lenient"]
"""Values that agree with whatever an exact one does, and so with what defects bring about."""


def coarse(start: Dials, *, every: bool) -> Iterator[Dials]:
    """START with the dials turned, all together, that decide when and of what an answer is.

    EVERY says that queries state their period, so that no policy of the profile matters.
    """
    table, turns = _TABLE["coarse"], _TABLE["coarse"]["turns"]
    values = [
        [v for v in (*ALL[dial], *table["added"].get(dial, ())) if v not in table["without"]]
        for dial in table["dials"]
    ]
    policies = ({},) if every else turns["policies"]
    for chosen in product(*values):
        turned = dict(zip(table["dials"], chosen, strict=True))
        for policy, manner in product(policies, turns["manners"]):
            if manner.get("trigger") != ">=" or "WC" in policy.get("report", ""):
                yield start.with_dials({**turned, **policy, **manner})


def decided(dials: Dials, case: Case) -> Dials:
    """DIALS with those put back to their defaults that cannot matter for CASE.

    Settings that come to the same for a case are thereby equal, and judged once.
    """
    policy = policy_of(case.query, dials)
    idle = DIALS_ASKED - _mattering(case, dials.unit)
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


def matters(dial: str, case: Case, dials: Dials) -> bool:
    """Whether DIAL can matter for CASE under DIALS."""
    return decided(dials, case) != decided(dials.with_dial(dial, _other(dial, dials)), case)


def _other(dial: str, dials: Dials) -> str:
    return next(value for value in VALUES[dial] if value != dials.text(dial))


DIALS_ASKED: Final = frozenset(VALUES)
_PLAIN: Final = Dials()


@lru_cache(maxsize=8192)
def _mattering(case: Case, unit: int) -> frozenset[str]:
    """The dials that matter for CASE under some policy or other."""
    asked: list[dict[str, Any]] = [
        {"report": "CC", "unit": unit},
        {"report": "WC", "answer_time": "arrival", "unit": unit},
    ]
    return frozenset(
        dial for dials in asked for dial, _ in settings(case, _PLAIN.with_dials(dials))
    )
