"""The engine's options: profile, dials, fault, and what the dials leave to the engine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.adapters.reference.faults import FAULTS, Fault, fault_named
from rsp_conformance.adapters.reference.starts import choice
from rsp_conformance.model.dials import DIALS
from rsp_conformance.model.profiles import Profile, bundled_profile, profile_from_json
from rsp_conformance.model.query import Query

OPTIONS: dict[str, str] = {
    "profile": "how the engine reads the open points: a bundled profile's name, or its JSON",
    **{f"dial.{dial}": f"the dial {dial}, turned after the profile" for dial in DIALS},
    "fault": "a seeded fault: " + ", ".join(FAULTS),
    "advances": "clock (default: the engine runs to the end by itself) or elements",
    "t0": "the windows' start where it is open: hash (default), first, last, or offsets as 0,3",
    "seed": "a whole number that goes into what is chosen by hash (default 0)",
}
"""The names of all options, each with what it takes and does."""


@dataclass(frozen=True, slots=True)
class Options:
    """What one engine is."""

    profile: Profile
    fault: Fault | None = None
    advances: str = "clock"
    t0: str = "hash"
    seed: int = 0

    def behaviour(self, query: Query) -> Behaviour:
        """How an engine with these options behaves towards QUERY, which it has not met before."""
        return Behaviour(query) if self.fault is None else self.fault.behaviour(query)


def read_options(written: Mapping[str, str]) -> Options:
    """The options that NAME=VALUE pairs write; ValueError, one line, for any that is unknown."""
    for name in written:
        if name not in OPTIONS:
            near = get_close_matches(name, OPTIONS, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(
                f"unknown option {name!r}{hint} (the options are profile, dial.NAME, "
                "fault, advances, t0, seed)"
            )
    profile = _profile(written.get("profile", "rsp-ql"))
    dials = {n.removeprefix("dial."): v for n, v in written.items() if n.startswith("dial.")}
    fault = written.get("fault", "none")
    advances = written.get("advances", "clock")
    if advances not in {"clock", "elements"}:
        raise ValueError(f"option advances={advances}: expected clock or elements")
    seed = written.get("seed", "0")
    if not seed.removeprefix("-").isdigit():
        raise ValueError(f"option seed={seed}: expected a whole number")
    t0 = written.get("t0", "hash")
    choice(t0, "", 0)
    return Options(
        profile=profile.with_dials(dials),
        fault=None if fault == "none" else fault_named(fault),
        advances=advances,
        t0=t0,
        seed=int(seed),
    )


def _profile(written: str) -> Profile:
    if not written.lstrip().startswith("{"):
        return bundled_profile(written)
    try:
        document = json.loads(written)
    except ValueError as error:
        raise ValueError(f"option profile: not JSON: {error}") from None
    return profile_from_json(document)
