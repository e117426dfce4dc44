"""Settings: how an engine's semantics may differ from that of its profile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace

from rsp_conformance.model.cached_hash import CachedHash
from rsp_conformance.model.dials import Dials, forgives, parse_dial
from rsp_conformance.model.digest import Digested
from rsp_conformance.model.profiles import Override


@dataclass(frozen=True, slots=True)
class Setting(Digested):
    """The switches that are turned: an engine follows its profile, but for dials and mutants.

    All are sorted, so that equal settings are equal. The empty setting is the profile itself.

    Attributes:
        dials: the dials that are turned, by name and value.
        mutants: the names of the mutants that are switched on.
        by_shape: the dials that are turned for queries of some shapes only, which win over
            ``dials``: by name, value and shapes, as `Override.when` in one text.
    """

    dials: tuple[tuple[str, str], ...] = ()
    mutants: tuple[str, ...] = ()
    by_shape: tuple[tuple[str, str, str], ...] = ()

    __hash__ = CachedHash.__hash__

    @classmethod
    def of(cls, dials: Mapping[str, str] | None = None, mutants: Iterable[str] = ()) -> Setting:
        """The setting of some dials and mutants.

        Args:
            dials: the dials to turn, with their values.
            mutants: the names of mutants, as the catalogue has them.

        Raises:
            ValueError: a dial or a value does not exist.
        """
        turned = {dial: str(value) for dial, value in (dials or {}).items()}
        for dial, value in turned.items():
            parse_dial(dial, value)
        return cls(tuple(sorted(turned.items())), tuple(sorted({*mutants})))

    def __or__(self, other: Setting) -> Setting:
        """Both together; a dial that both turn has the value of ``other``."""
        dials = dict(self.dials) | dict(other.dials)
        mutants = {*self.mutants, *other.mutants}
        by_shape = {(dial, when): value for dial, value, when in (*self.by_shape, *other.by_shape)}
        turned = ((dial, value, when) for (dial, when), value in by_shape.items())
        return Setting(tuple(sorted(dials.items())), tuple(sorted(mutants)), tuple(sorted(turned)))

    def without(self, part: Setting) -> Setting:
        """This setting without the dials and mutants of another one."""
        return Setting(
            tuple(dial for dial in self.dials if dial not in part.dials),
            tuple(name for name in self.mutants if name not in part.mutants),
            tuple(own for own in self.by_shape if own not in part.by_shape),
        )

    def __len__(self) -> int:
        """The number of switches that are turned."""
        return len(self.dials) + len(self.mutants) + len(self.by_shape)

    @property
    def parts(self) -> tuple[Setting, ...]:
        """The settings of one dial or one mutant that this one puts together."""
        dials = [Setting(dials=(dial,)) for dial in self.dials]
        dials += [Setting(by_shape=(own,)) for own in self.by_shape]
        return (*dials, *(Setting(mutants=(name,)) for name in self.mutants))

    def __str__(self) -> str:
        turned = [f"{dial}={value}" for dial, value in self.dials]
        turned += [f"{dial}={value} with {when}" for dial, value, when in self.by_shape]
        return " + ".join([*turned, *self.mutants])

    @property
    def overrides(self) -> tuple[Override, ...]:
        """The dials that are turned for some shapes, as a profile has them."""
        return tuple(
            Override(frozenset(when.split()), ((dial, value),))
            for dial, value, when in self.by_shape
        )

    def resolved(self, shapes: Set[str]) -> Setting:
        """The setting for a query of some shapes: the dials that it turns there, and mutants."""
        if not self.by_shape:
            return self
        dials = dict(self.dials)
        for override in self.overrides:
            dials |= dict(override.dials) if override.holds(shapes) else {}
        return replace(self, dials=tuple(sorted(dials.items())), by_shape=())

    @property
    def forgives(self) -> bool:
        """Whether it predicts the same as the profile, and only compares less."""
        return len(self) == len(self.dials) > 0 and all(forgives(*own) for own in self.dials)

    def turned(self, dials: Dials) -> Dials:
        """Apply the setting to the dials that a profile has for a query.

        A setting that turns dials by shape is `resolved` before.

        Raises:
            ValueError: the dials do not go together.
        """
        return dials.with_dials(dict(self.dials)) if self.dials else dials
