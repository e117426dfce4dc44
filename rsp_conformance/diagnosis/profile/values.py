"""The values of each dial that are tried, and settings of several dials to begin with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from rsp_conformance.diagnosis.mattering import decided
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.dials import VALUES as ALL
from rsp_conformance.model.tables import read_table

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


def coarse(start: Dials, *, every: bool) -> Iterator[Dials]:
    """Turn the dials that decide when an answer comes and over which data, all together.

    Args:
        start: the dials to turn.
        every: whether queries state their period, so that no policy of the profile matters.
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


def matters(dial: str, case: Case, dials: Dials) -> bool:
    """Whether a dial can matter for a case under some dials."""
    other = next(value for value in VALUES[dial] if value != dials.text(dial))
    return decided(dials, case) != decided(dials.with_dial(dial, other), case)
