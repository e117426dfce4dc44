"""The values of each dial that are held against each other, and which dials matter for a case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, Final, get_args, get_origin, get_type_hints

from rsp_conformance.explain.evidence.dials import settings
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import T0_NAMES, Dials
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.profiles import Profile
from rsp_conformance.spec.reporting import policy_of

SETTLED: Final = {
    "unit": "not asked: the milliseconds of an instant are the kit's to choose",
    "answers": "said by the engine's hello, which the judgement rests on",
    "advances": "said by the engine's hello, which the judgement rests on",
    "stream_operators": "those that the engine takes queries with",
    "windows_in": "the form of query that the engine takes",
}
"""The dials that no answer tells, each with where its value comes from."""

_FLOORS = tuple(
    f"{kind}-floor({n})" for kind in ("first-element", "first-element-close") for n in (2, 5, 10)
)
_REPORTS = ("WC", "WC & NC", "CC", "NC", "CC & NC", "WC | CC", "P(1)", "P(2)", "P(5)")
_WRITTEN: dict[str, tuple[str, ...]] = {
    "bounds": ("(o,c]", "[o,c)", "[o,c]", "(o,c)"),
    "t0": (*T0_NAMES, "0", *_FLOORS),
    "report": _REPORTS,
    "empty_answers": ("yes", "no"),
    "numbers": ("term", "value"),
    "time_tolerance": ("0", "1"),
}
VALUES: Final[dict[str, tuple[str, ...]]] = {
    dial: _WRITTEN.get(dial) or get_args(declared)
    for dial, declared in get_type_hints(Dials).items()
    if dial not in SETTLED and (dial in _WRITTEN or get_origin(declared) is not None)
}
"""The values of each dial that are tried, the default of plain RSP-QL first where that matters."""

LENIENT: Final = {
    "t0": "any",
    "answer_time": "none",
    "numbers": "value",
    "time_tolerance": "1",
}
"""Values that agree with whatever an exact one does, and so with what defects bring about."""

_COARSE = {
    "bounds": VALUES["bounds"],
    "window": VALUES["window"],
    "t0": (*T0_NAMES, "0"),
    "empty_answers": VALUES["empty_answers"],
}
_MANNERS: tuple[dict[str, str], ...] = (
    {"answer_time": "evaluation"},
    {"answer_time": "arrival", "trigger": ">"},
    {"answer_time": "arrival", "trigger": ">="},
)
_POLICIES: tuple[dict[str, str], ...] = (
    {"report": "WC"},
    {"report": "WC & NC"},
    *({"report": policy, "tick": tick} for policy in ("CC", "NC") for tick in ("time", "tuple")),
)


def coarse(start: Dials, *, every: bool) -> Iterator[Dials]:
    """START with the dials turned, all together, that decide when and of what an answer is.

    EVERY says that queries state their period, so that no policy of the profile matters.
    """
    policies = ({},) if every else _POLICIES
    for values in product(*_COARSE.values()):
        turned = dict(zip(_COARSE, values, strict=True))
        for policy, manner in product(policies, _MANNERS):
            if manner.get("trigger") != ">=" or "WC" in policy.get("report", ""):
                yield start.with_dials({**turned, **policy, **manner})


def moves(profile: Profile, dials: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every other value of each of DIALS than the base of PROFILE has."""
    for dial in dials:
        for value in VALUES[dial]:
            if value != profile.base.text(dial):
                yield dial, value


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


def with_dial_of(profile: Profile, other: Profile, dial: str) -> Profile:
    """PROFILE with DIAL as OTHER has it, for every shape of query."""
    turned = profile.with_dials({dial: other.base.text(dial)})
    theirs = tuple(
        type(o)(o.when, tuple((d, v) for d, v in o.dials if d == dial)) for o in other.overrides
    )
    kept = tuple(o for o in (*turned.overrides, *theirs) if o.dials)
    return Profile(profile.name, turned.base, kept)
