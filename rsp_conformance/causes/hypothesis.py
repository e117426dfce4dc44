"""What a hypothesis about an engine is: dials turned from its profile, and mutants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rsp_conformance.adapters.reference import mutants as catalogue
from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.model.cached_hash import CachedHash
from rsp_conformance.model.dials import Dials, parse_dial

_BY_CHANCE = {"nondeterministic"}
"""Mutants whose answers nobody can predict."""

MUTANTS: Mapping[str, Mutant] = {
    name: mutant
    for name, mutant in {
        **catalogue.MUTANTS,
        **catalogue.RARE_MUTANTS,
        **catalogue.RELATION_MUTANTS,
    }.items()
    if not mutant.fatal and name not in _BY_CHANCE
}
"""The mutants that a hypothesis may name: those that a case of a few elements can show."""


_FORGIVING = frozenset(
    {("answer_time", "none"), ("numbers", "value"), ("t0", "any"), ("time_tolerance", "")}
)
"""Settings under which all is right that is right under others; of a tolerance any number."""


@dataclass(frozen=True, slots=True)
class Hypothesis(CachedHash):
    """The engine follows its profile but for DIALS, by name and value, and has MUTANTS' defects.

    Both are sorted, so that equal hypotheses are equal; an empty one is the profile itself.
    """

    dials: tuple[tuple[str, str], ...] = ()
    mutants: tuple[str, ...] = ()

    __hash__ = CachedHash.__hash__

    @classmethod
    def of(cls, dials: Mapping[str, str] | None = None, mutants: Iterable[str] = ()) -> Hypothesis:
        """The hypothesis of DIALS and MUTANTS; ValueError for one that does not exist."""
        turned = {dial: str(value) for dial, value in (dials or {}).items()}
        for dial, value in turned.items():
            parse_dial(dial, value)
        names = {catalogue.mutant_named(name).name for name in mutants}
        return cls(tuple(sorted(turned.items())), tuple(sorted(names)))

    def __or__(self, other: Hypothesis) -> Hypothesis:
        """Both together; where both turn a dial, as OTHER does."""
        dials = dict(self.dials) | dict(other.dials)
        mutants = {*self.mutants, *other.mutants}
        return Hypothesis(tuple(sorted(dials.items())), tuple(sorted(mutants)))

    def without(self, part: Hypothesis) -> Hypothesis:
        """This one less the dials and mutants of PART."""
        return Hypothesis(
            tuple(dial for dial in self.dials if dial not in part.dials),
            tuple(name for name in self.mutants if name not in part.mutants),
        )

    def __len__(self) -> int:
        """How many things are wrong with the engine, if it is true."""
        return len(self.dials) + len(self.mutants)

    @property
    def parts(self) -> tuple[Hypothesis, ...]:
        """The hypotheses of one dial or one mutant that this one puts together."""
        dials = [Hypothesis(dials=(dial,)) for dial in self.dials]
        return (*dials, *(Hypothesis(mutants=(name,)) for name in self.mutants))

    def __str__(self) -> str:
        return " + ".join([f"{dial}={value}" for dial, value in self.dials] + [*self.mutants])

    @property
    def forgives(self) -> bool:
        """Whether it predicts nothing else than the profile, and only compares less."""
        dials = {(dial, "" if value.isdecimal() else value) for dial, value in self.dials}
        return not self.mutants and bool(dials) and dials <= _FORGIVING

    @property
    def is_mute(self) -> bool:
        """Whether an engine never gives a row, if it is true."""
        return any(MUTANTS[name].mute for name in self.mutants)

    @property
    def varies(self) -> bool:
        """Whether an engine may answer a case in two ways, if it is true."""
        return any(MUTANTS[name].unordered for name in self.mutants)

    def turned(self, dials: Dials) -> Dials:
        """DIALS with those of the hypothesis turned; ValueError where they do not go together."""
        return dials.with_dials(dict(self.dials)) if self.dials else dials
