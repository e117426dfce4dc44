"""Engine profiles: base dials, and ordered overrides by query shape (SEMANTICS 5, last point)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any

from rsp_conformance.model.dials import Dials, write_dials
from rsp_conformance.model.query import Query
from rsp_conformance.model.usage import query_shapes


@dataclass(frozen=True, slots=True)
class Override:
    """Dials for queries of some shapes.

    Attributes:
        when: the shapes that a query has, and after ``!`` those that it does not have.
        dials: the dials, by name and value as text.
    """

    when: frozenset[str]
    dials: tuple[tuple[str, str], ...]

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
            (dial, value, " ".join(sorted(override.when)))
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
