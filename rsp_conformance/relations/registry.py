"""All metamorphic relations, in the order of the table of properties."""

from __future__ import annotations

from rsp_conformance.relations.data import JUNK, PERMUTED, RENAMING
from rsp_conformance.relations.queries import LAW_RELATIONS, OPERATORS, PARTITION
from rsp_conformance.relations.times import PREFIX, SHIFT, UNITS
from rsp_conformance.relations.windows import SPLIT, TUMBLING

BETWEEN_CASES = (
    *(PARTITION, JUNK, RENAMING, SHIFT, PERMUTED),
    *(SPLIT, TUMBLING, OPERATORS, PREFIX, UNITS),
)
"""The relations between whole cases."""

RELATIONS = (*LAW_RELATIONS, *BETWEEN_CASES)
"""All relations: the laws, then the relations between whole cases."""
