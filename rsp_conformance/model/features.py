"""Features: parts of the query language and of the data that a query or a case may use.

An engine declares its features (docs/features.md), and generated cases use no others. Reports name
them. A shape, which decides whether a profile's override applies (SEMANTICS 5), is a feature of the
query or one of ``SHAPES``. ``features.toml`` is the only table of both; ``usage`` finds those that
a query or a case uses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from rsp_conformance.model.errors import did_you_mean, excerpt
from rsp_conformance.model.tables import read_table

_TABLE = read_table(__name__, "features.toml")

FEATURES: dict[str, str] = _TABLE["features"]
"""Every feature, with a description of what it allows."""

PARTS: dict[str, tuple[str, ...]] = {
    whole: tuple(parts) for whole, parts in _TABLE["parts"].items()
}
"""The features that consist of finer features, for engines that support only some of these."""

WHOLE = tuple(name for name in FEATURES if not any(name in parts for parts in PARTS.values()))
"""The features that are not part of another feature; together they cover everything."""

SIMPLEST: dict[str, str] = _TABLE["simplest"]
"""For some features, the part that every engine with any of the parts has."""

RESTRICTIONS: dict[str, str] = _TABLE["restrictions"]
"""Restrictions, with descriptions: an engine declares them, among its features, for input that it
does not accept and that every other engine gets. They are not features of any case.
"""

SHAPES: dict[str, str] = _TABLE["shapes"]
"""Every shape that is not a feature, with what such a query has."""

FORMER_SHAPES: dict[str, str] = _TABLE["former-shapes"]
"""Other names of shapes that are features now."""

TAKEN_UNLESS_SAID = {name: name.removeprefix("without-") for name in RESTRICTIONS}
"""What each restriction excludes."""


class MissingFeatures(str):
    """The reason why an engine is not run on a case: a sentence that names undeclared features."""

    __slots__ = ("features",)
    features: tuple[str, ...]

    def __new__(cls, *features: str) -> Self:
        """Make the sentence; it lists the features in the order given."""
        said = f"the engine does not declare the feature {' and '.join(features)}"
        made = super().__new__(cls, said)
        made.features = features
        return made


def check_features(names: Iterable[str]) -> frozenset[str]:
    """Check names of features and restrictions, and return them as a set.

    Names that begin with ``x-`` are dropped.

    Raises:
        ValueError: a name is neither a feature nor a restriction.
    """
    known = frozenset(name for name in names if not name.startswith("x-"))
    for name in sorted(known):
        if name not in FEATURES and name not in RESTRICTIONS:
            hint = did_you_mean(name, (*FEATURES, *RESTRICTIONS))
            hint = hint or f" (the features are {', '.join(FEATURES)})"
            raise ValueError(f"unknown feature {name!r}{hint}")
    return known


def check_shapes(names: Iterable[str]) -> frozenset[str]:
    """Check names of shapes, each perhaps after ``!`` for its absence, and return them as a set.

    Names that begin with ``x-`` are accepted; no query has them.

    Raises:
        ValueError: a name is neither a feature nor a shape.
    """
    known = frozenset(names)
    for name in sorted(known):
        shape = name.removeprefix("!")
        if shape not in FEATURES | SHAPES | FORMER_SHAPES and not shape.startswith("x-"):
            hint = did_you_mean(shape, (*FEATURES, *SHAPES))
            raise ValueError(
                f"unknown shape {excerpt(name)}{hint} (the shapes are the features and "
                f"{', '.join(SHAPES)})"
            )
    return known


def writes_triple_terms(features: Iterable[str]) -> bool:
    """Whether an engine with these features gets ``<<( s p o )>>`` rather than ``<< s p o >>``.

    It does if it has the triple terms of RDF 1.2 and not RDF-star, whose spelling is also used for
    objects.
    """
    known = frozenset(features)
    return "triple-terms" in known and "rdf-star" not in known


def with_implied(features: Iterable[str]) -> frozenset[str]:
    """The features that an engine has if it declares ``features``: these and all that they imply.

    * A feature with parts (``PARTS``) implies all of them, unless ``features`` lists some of them:
      then only those, and the simplest part (``SIMPLEST``).
    * A part implies the feature that it is part of: an engine with ``filter-in`` has ``filter``.
    * ``rdf-star`` implies ``triple-terms``, which is quoted triples as objects only: an engine
      with ``rdf-star`` accepts those too, in its own spelling.

    Applied to its own result, the function adds nothing.

    Raises:
        ValueError: as from ``check_features``.
    """
    known = set(check_features(features))
    named = {whole for whole, parts in PARTS.items() if not known.isdisjoint(parts)}
    wholes = named | (known & PARTS.keys())
    # FILTER's functions are part of two features; they are implied only if both are present.
    lacking = {part for whole, parts in PARTS.items() if whole not in wholes for part in parts}
    for whole in wholes - named:
        known.update(part for part in PARTS[whole] if part not in lacking)
    known |= wholes | {part for whole, part in SIMPLEST.items() if whole in wholes}
    return frozenset(known | {"triple-terms"} if "rdf-star" in known else known)


def redeclared(
    features: Iterable[str], added: Iterable[str], left_out: Iterable[str]
) -> frozenset[str]:
    """Change the features that an engine declares.

    Args:
        features: the declared features.
        added: features to add.
        left_out: features to remove, with all their parts. The input that a restriction excludes
            (``TAKEN_UNLESS_SAID``) can be listed too: then the restriction is declared.

    Raises:
        ValueError: as from ``check_features``.
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
