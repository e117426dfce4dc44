"""The mutants that a cause may name, and what they mean for a setting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rsp_conformance.adapters.reference import mutants as catalogue
from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.model.setting import Setting

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
"""The mutants that a cause may name: those that a case of a few elements can show."""


def known_setting(dials: Mapping[str, str], mutants: Iterable[str]) -> Setting:
    """The setting of dials and mutants that a file names.

    Args:
        dials: the dials to turn, with their values.
        mutants: the names of mutants, also earlier ones.

    Raises:
        ValueError: a dial, a value or a mutant does not exist.
    """
    return Setting.of(dials, [catalogue.mutant_named(name).name for name in mutants])


def is_mute(setting: Setting) -> bool:
    """Whether an engine with this setting never gives a row."""
    return any(MUTANTS[name].mute for name in setting.mutants)


def varies(setting: Setting) -> bool:
    """Whether an engine with this setting may answer a case in two ways."""
    return any(MUTANTS[name].unordered for name in setting.mutants)
