"""The engine's options: profile, dials, mutants, and the choices that dials leave open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.adapters.reference.mutants import (
    LATE_MUTANTS,
    MUTANTS,
    RARE_MUTANTS,
    RELATION_MUTANTS,
    mutant_named,
)
from rsp_conformance.adapters.reference.oxigraph.readings import READINGS
from rsp_conformance.adapters.reference.starts import choice
from rsp_conformance.files.json_text import load
from rsp_conformance.files.profiles import PROFILES, bundled_profile
from rsp_conformance.model.dials import DIALS, Advances, parse_dial
from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.profiles import Profile

OPTIONS: dict[str, str] = {
    "profile": "the engine profile: a bundled one's name, or its JSON",
    **{f"dial.{dial}": f"the dial {dial}, turned after the profile" for dial in DIALS},
    "fault": f"a mutant: {', '.join(MUTANTS)}; or one that hardly any small case shows: "
    + ", ".join((*RARE_MUTANTS, *RELATION_MUTANTS))
    + "; or one that only a long stream shows: "
    + ", ".join(LATE_MUTANTS)
    + "; or several, with commas between, or the option several times",
    "every": "for the mutant lost-late: one answer in so many is lost (default 10000)",
    "after": "for the mutant dies-late: the process ends after so many elements (default 50000)",
    "advances": "clock (default: the engine runs to the end by itself) or elements",
    "t0": "the windows' start where it is open: hash (default), first, last, or offsets as 0,3",
    "library": "a point of SPARQL that is left as pyoxigraph itself reads it: "
    + ", ".join(READINGS),
    "seed": "a whole number that goes into what is chosen by hash (default 0)",
}
"""The names of all options, each with what it takes and does."""


@dataclass(frozen=True, slots=True)
class Options:
    """The configuration of one engine.

    Attributes:
        profile: the profile by which it works.
        mutants: the bugs that are built in.
        advances: whether it has a clock, or learns the time from elements.
        t0: how it chooses the starts that the dial leaves open.
        seed: part of every choice that is made by hash.
        counts: the values of the options that `Mutant.count` names.
        library: a point of SPARQL that is left to pyoxigraph.
    """

    profile: Profile
    mutants: tuple[Mutant, ...] = ()
    advances: Advances = "clock"
    t0: str = "hash"
    seed: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    library: str | None = None


def read_options(written: Mapping[str, str]) -> Options:
    """Return the options that NAME=VALUE pairs write.

    Raises:
        ValueError: an option is unknown or has a bad value; the message is one line.
    """
    for name in written:
        if name not in OPTIONS:
            hint = did_you_mean(name, OPTIONS)
            raise ValueError(
                f"unknown option {name!r}{hint} (the options are profile, dial.NAME, "
                "fault, every, after, advances, t0, library, seed)"
            )
    profile = _profile(written.get("profile", "rsp-ql"))
    dials = {n.removeprefix("dial."): v for n, v in written.items() if n.startswith("dial.")}
    named = written.get("fault", "none")
    mutants = () if named == "none" else tuple(map(mutant_named, named.split(",")))
    advances: Advances = parse_dial("advances", written.get("advances", "clock"))
    seed = written.get("seed", "0")
    if not seed.removeprefix("-").isdigit():
        raise ValueError(f"option seed={seed}: expected a whole number")
    library = written.get("library")
    if library is not None and library not in READINGS:
        raise ValueError(f"option library={library}: expected one of {', '.join(READINGS)}")
    t0 = written.get("t0", "hash")
    choice(t0, "", 0)
    return Options(
        profile=profile.with_dials(dials),
        mutants=mutants,
        advances=advances,
        t0=t0,
        seed=int(seed),
        counts=_counts(written, mutants),
        library=library,
    )


def _counts(written: Mapping[str, str], mutants: Sequence[Mutant]) -> dict[str, int]:
    """Return how late `mutants` show, by the options that are written."""
    counts = {}
    for late in LATE_MUTANTS.values():
        value = written.get(late.count)
        if value is None:
            continue
        if late not in mutants:
            raise ValueError(f"option {late.count}={value}: it is for fault={late.name} only")
        if not value.isdigit() or int(value) < 1:
            raise ValueError(f"option {late.count}={value}: expected a whole number, at least 1")
        counts[late.count] = int(value)
    return counts


def _profile(written: str) -> Profile:
    if not written.lstrip().startswith("{"):
        return bundled_profile(written)
    try:
        document = load(written)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"option profile: not JSON: {error}") from None
    profile: Profile = PROFILES.read(Profile, document)
    return profile
