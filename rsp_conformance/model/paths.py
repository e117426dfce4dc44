"""Property paths as syntax (SPARQL 1.1, section 9). A path of one IRI is that IRI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rsp_conformance.model.terms import IRI


@dataclass(frozen=True, slots=True)
class InversePath:
    """``^path``."""

    path: PathElement


@dataclass(frozen=True, slots=True)
class SequencePath:
    """``left / right``."""

    left: PathElement
    right: PathElement


@dataclass(frozen=True, slots=True)
class AlternativePath:
    """``left | right``."""

    left: PathElement
    right: PathElement


@dataclass(frozen=True, slots=True)
class RepeatedPath:
    """``path*``, ``path+`` or ``path?``; ``modifier`` is that character."""

    path: PathElement
    modifier: str


@dataclass(frozen=True, slots=True)
class NegatedPropertySet:
    """``!(a | ^b)``."""

    forward: tuple[IRI, ...]
    backward: tuple[IRI, ...] = ()


Path: TypeAlias = InversePath | SequencePath | AlternativePath | RepeatedPath | NegatedPropertySet
PathElement: TypeAlias = "IRI | Path"
