"""Engine profiles: base dials, and ordered overrides by query shape (SEMANTICS 5, last point)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

from rsp_conformance.model.dials import DIALS, Dials, write_dials
from rsp_conformance.model.errors import did_you_mean, excerpt
from rsp_conformance.model.features import check_shapes
from rsp_conformance.model.query import Query
from rsp_conformance.model.usage import query_shapes


@dataclass(frozen=True, slots=True)
class Override:
    """Dials for queries that have all shapes in ``when``, and no shape excluded there by ``!``."""

    when: frozenset[str]
    dials: tuple[tuple[str, Any], ...]

    def holds(self, shapes: Set[str]) -> bool:
        """Whether the override applies to a query with these shapes."""
        wanted = {name for name in self.when if not name.startswith("!")}
        return wanted <= shapes and not any(f"!{name}" in self.when for name in shapes)


@dataclass(frozen=True, slots=True)
class Profile:
    """The choices that an engine makes where RSP-QL leaves a choice.

    Attributes:
        name: its name.
        base: the dials of a query that no override is for.
        overrides: what is different for queries of some shapes.
        turned: the dials that the user has turned for a run, as they are written. They are in
            ``base`` already, and stand here for a reader.
    """

    name: str
    base: Dials = field(default_factory=Dials)
    overrides: tuple[Override, ...] = ()
    turned: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """The name, with the dials that were turned: ``rsp-js with bounds=(o,c]``."""
        return f"{self.name} with {self.turned}" if self.turned else self.name

    def resolve(self, shapes: Iterable[str] = ()) -> Dials:
        """The dials for a query with these shapes and features; later overrides win."""
        present = frozenset(shapes)
        dials = self.base
        for override in self.overrides:
            if override.holds(present):
                dials = dials.with_dials(dict(override.dials))
        return dials

    def dials(self, query: Query) -> Dials:
        """The dials for a query."""
        return self.resolve(query_shapes(query, self.base)) if self.overrides else self.base

    def settings(self) -> tuple[Dials, ...]:
        """The base dials, then for each override the dials of a query that has just its shapes."""
        return (self.base, *(self.resolve(override.when) for override in self.overrides))

    def by_shape(self, *dials: str) -> tuple[tuple[str, str, str], ...]:
        """What the overrides say, of some dials or of all: dial, value and shapes in one text."""
        return tuple(
            (dial, str(value), " ".join(sorted(override.when)))
            for override in self.overrides
            for dial, value in override.dials
            if not dials or dial in dials
        )

    def with_dials(self, values: Mapping[str, Any]) -> Profile:
        """This profile with other values for some dials, which no override changes."""
        turned = tuple(values.items())
        if not turned:
            return self
        overrides = tuple(
            Override(o.when, tuple((d, v) for d, v in o.dials if d not in values))
            for o in self.overrides
        )
        return replace(self, base=self.base.with_dials(values), overrides=overrides)

    def turn(self, values: Mapping[str, Any]) -> Profile:
        """This profile with the dials that a user turns, which its title names."""
        return replace(self.with_dials(values), turned=write_dials(values) or self.turned)

    def to_json(self) -> dict[str, Any]:
        """The profile as JSON with every dial, which ``profile_from_json`` reads."""
        result: dict[str, Any] = {"name": self.name}
        result |= {dial: self.base.text(dial) for dial in DIALS}
        if self.overrides:
            result["overrides"] = [
                {"when": sorted(o.when), "dials": dict(o.dials)} for o in self.overrides
            ]
        return result


def profile_from_json(document: str | Mapping[str, Any], *, name: str | None = None) -> Profile:
    """Read a profile from JSON.

    Args:
        document: the name of a bundled profile, an object of dials, or an object that also has
            ``base``, the name of a bundled profile (docs/dials.md).
        name: the profile's name if the document has no ``name``.

    Raises:
        ValueError: a key or value is wrong; the message says which.
    """
    if isinstance(document, str):
        return bundled_profile(document)
    values = dict(document)
    for key in ("base", "name", "description"):
        if not isinstance(values.get(key, ""), str):
            what = "the name of a profile" if key == "base" else "a string"
            raise ValueError(f"{key}: expected {what}, found {excerpt(values[key])}")
    base = values.pop("base", None)
    title = values.pop("name", None) or name or base or "own"
    values.pop("description", None)
    raw_overrides = values.pop("overrides", [])
    start = Profile("rsp-ql") if base is None else bundled_profile(base)
    overrides = list(start.overrides)
    if not isinstance(raw_overrides, list):
        raise ValueError("overrides: expected a list of {when, dials}")
    for raw in raw_overrides:
        shaped = isinstance(raw, Mapping) and set(raw) == {"when", "dials"}
        if not shaped or not isinstance(raw["dials"], Mapping):
            raise ValueError(f"override {excerpt(raw)}: expected an object with when and dials")
        when, dials = raw["when"], dict(raw["dials"])
        if not isinstance(when, list) or not all(isinstance(name, str) for name in when):
            raise ValueError(f"when: expected a list of features, found {excerpt(when)}")
        Dials().with_dials(dials)
        overrides.append(Override(check_shapes(when), tuple(dials.items())))
    return Profile(title, start.base.with_dials(values), tuple(overrides))


def profile_names() -> tuple[str, ...]:
    """The names of the bundled profiles."""
    folder = resources.files("rsp_conformance") / "profiles"
    return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".json")))


@cache
def bundled_profile(name: str) -> Profile:
    """The bundled profile with this name; case, dashes and underscores do not matter.

    A star is read as ``-star``.

    Raises:
        ValueError: no profile has this name; the message lists the names.
    """

    def key(text: str) -> str:
        return text.lower().replace("*", "-star").replace("-", "").replace("_", "")

    names = profile_names()
    for known in names:
        if key(known) == key(name):
            path = resources.files("rsp_conformance") / "profiles" / f"{known}.json"
            return profile_from_json(json.loads(path.read_text("utf-8")), name=known)
    hint = did_you_mean(name, names)
    raise ValueError(f"unknown profile {excerpt(name)}{hint} (the profiles are {', '.join(names)})")
