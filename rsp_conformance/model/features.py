"""Features: what a query or a case may use; ``used_features`` says which it does.

An engine declares them (docs/features.md), the generator obeys them, profiles'
overrides ask for them, and reports go by their names. ``features.toml`` has the only table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.tables import read_table

_TABLE = read_table(__name__, "features.toml")

FEATURES: dict[str, str] = _TABLE["features"]
"""Every feature, with what it allows in words."""

PARTS: dict[str, tuple[str, ...]] = {
    whole: tuple(parts) for whole, parts in _TABLE["parts"].items()
}
"""The features that are sums of finer ones, for engines that do some of these only."""

WHOLE = tuple(name for name in FEATURES if not any(name in parts for parts in PARTS.values()))
"""The features that are no part of another: all of them together are everything."""

SIMPLEST: dict[str, str] = _TABLE["simplest"]
"""The part that an engine has which has any."""

RESTRICTIONS: dict[str, str] = _TABLE["restrictions"]
"""What an engine may declare that it does not take, of what every engine is asked otherwise.

They stand among the features that it declares. No case has them: they are kept from the generator.
"""

TAKEN_UNLESS_SAID = {name: name.removeprefix("without-") for name in RESTRICTIONS}
"""What each restriction is about."""


class MissingFeatures(str):
    """Why an engine is not asked, in words: it does not declare FEATURES, of which it needs all."""

    __slots__ = ("features",)
    features: tuple[str, ...]

    def __new__(cls, *features: str) -> Self:
        """The sentence about FEATURES, in their order."""
        said = f"the engine does not declare the feature {' and '.join(features)}"
        made = super().__new__(cls, said)
        made.features = features
        return made


def check_features(names: Iterable[str]) -> frozenset[str]:
    """NAMES as a set; ValueError for one outside the tables. Names beginning ``x-`` are dropped."""
    known = frozenset(name for name in names if not name.startswith("x-"))
    for name in sorted(known):
        if name not in FEATURES and name not in RESTRICTIONS:
            hint = did_you_mean(name, (*FEATURES, *RESTRICTIONS))
            hint = hint or f" (the features are {', '.join(FEATURES)})"
            raise ValueError(f"unknown feature {name!r}{hint}")
    return known


def writes_triple_terms(features: Iterable[str]) -> bool:
    """Whether an engine with FEATURES is sent ``<<( s p o )>>`` rather than ``<< s p o >>``.

    It is where it has RDF 1.2's triple terms and not RDF-star, whose spelling covers both places.
    """
    known = frozenset(features)
    return "triple-terms" in known and "rdf-star" not in known


def with_implied(features: Iterable[str]) -> frozenset[str]:
    """FEATURES with what they imply, so that an engine takes what uses none but these.

    A feature with parts (``PARTS``) stands for all of them, unless some of them are among
    FEATURES: then for those, and for the simplest one (``SIMPLEST``). A part stands for what it is
    a part of as well: with ``filter-in`` there is FILTER. ``rdf-star`` implies ``triple-terms``:
    what uses these alone has quoted triples as objects only, and an engine with ``rdf-star`` takes
    those as well, in its own spelling. What this gives implies nothing more. ValueError as of
    ``check_features``.
    """
    known = set(check_features(features))
    named = {whole for whole, parts in PARTS.items() if not known.isdisjoint(parts)}
    wholes = named | (known & PARTS.keys())
    # FILTER's functions are part of two features, and are there where both are.
    lacking = {part for whole, parts in PARTS.items() if whole not in wholes for part in parts}
    for whole in wholes - named:
        known.update(part for part in PARTS[whole] if part not in lacking)
    known |= wholes | {part for whole, part in SIMPLEST.items() if whole in wholes}
    return frozenset(known | {"triple-terms"} if "rdf-star" in known else known)


def redeclared(
    features: Iterable[str], added: Iterable[str], left_out: Iterable[str]
) -> frozenset[str]:
    """FEATURES with those ADDED, and without those LEFT OUT or any part of them.

    A name of what an engine may decline (``RESTRICTIONS``) can be left out as well: then it does.
    ValueError as of ``check_features``.
    """
    gone = set(left_out)
    declined = {name for name in RESTRICTIONS if TAKEN_UNLESS_SAID[name] in gone}
    gone -= {TAKEN_UNLESS_SAID[name] for name in declined}
    gone.update(part for name in check_features(gone) for part in PARTS.get(name, ()))
    found = {*features, *check_features(added), *declined}
    if gone:
        found = {*with_implied(found)} - gone
        found -= {whole for whole, parts in PARTS.items() if found.isdisjoint(parts)}
    return frozenset(found)
