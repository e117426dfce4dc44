"""All relations between answers, in the order of the table of properties."""

from __future__ import annotations

from collections.abc import Iterable

from rsp_conformance.relations.against import against
from rsp_conformance.relations.data import JUNK, PERMUTED, RENAMING
from rsp_conformance.relations.kinds import COUNTED, NEWEST, UNFILLED
from rsp_conformance.relations.queries import LAW_RELATIONS, OPERATORS, PARTITION
from rsp_conformance.relations.relation import MetamorphicRelation
from rsp_conformance.relations.times import DELAYED, PREFIX, SHIFT, UNITS
from rsp_conformance.relations.windows import SPLIT, TUMBLING

BETWEEN_CASES = (
    *(PARTITION, JUNK, RENAMING, SHIFT, PERMUTED),
    *(SPLIT, TUMBLING, OPERATORS, PREFIX, UNITS, DELAYED),
    *(NEWEST, UNFILLED, COUNTED),
)
"""The relations between whole cases."""

RELATIONS = (*LAW_RELATIONS, *BETWEEN_CASES)
"""The relations between the answers of one engine: laws, then relations between whole cases."""


def between_engines(
    aspects: Iterable[tuple[str, str, str]],
) -> tuple[MetamorphicRelation, ...]:
    """Return the relations between the answers of two engines.

    Args:
        aspects: a focus of cases for each, the name of the relation, and its title.
    """
    return tuple(against(focus, name, title) for focus, name, title in aspects)
