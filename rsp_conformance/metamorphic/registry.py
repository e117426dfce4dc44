"""All relations of the suite, in the order of its table."""

from __future__ import annotations

from rsp_conformance.metamorphic.data import JUNK, PERMUTED, RENAMING
from rsp_conformance.metamorphic.queries import LAW_RELATIONS, OPERATORS, PARTITION
from rsp_conformance.metamorphic.times import PREFIX, SHIFT, UNITS
from rsp_conformance.metamorphic.windows import SPLIT, TUMBLING

BETWEEN_CASES = (
    *(PARTITION, JUNK, RENAMING, SHIFT, PERMUTED),
    *(SPLIT, TUMBLING, OPERATORS, PREFIX, UNITS),
)
"""Relations between whole cases."""

RELATIONS = (*LAW_RELATIONS, *BETWEEN_CASES)
"""The laws asserted on engines, and the relations between cases."""
