"""Where pyoxigraph by itself reads SPARQL otherwise than the recommendation's text.

The translation writes these points out, so that `reference` follows the text. Left as the library
has it (the option ``library``), each is a reading that a widespread engine has.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Reading(NamedTuple):
    """A point of SPARQL 1.1: the section that decides it, and what the section says."""

    section: str
    says: str


READINGS: Mapping[str, Reading] = MappingProxyType(
    {
        "count-errors": Reading("18.5.1.2", "COUNT passes errors over and counts the rest"),
        "count-distinct": Reading(
            "18.5.1.2", "COUNT(DISTINCT *) counts solutions, and blank nodes are no part of these"
        ),
        "truth": Reading(
            "17.2.2", "a string is true unless it is empty, and a malformed number is false"
        ),
        "paths": Reading(
            "18.4", "each branch of p|q counts, and a path of length zero stays at any term"
        ),
    }
)
"""The points, by the names that the option ``library`` takes."""
