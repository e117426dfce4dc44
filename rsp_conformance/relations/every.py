"""All relations of the suite, in the order of its table."""

from __future__ import annotations

from rsp_conformance.relations.junk import Junk
from rsp_conformance.relations.law import LAW_RELATIONS
from rsp_conformance.relations.operators import Operators
from rsp_conformance.relations.partition import Partition
from rsp_conformance.relations.permuted import Permuted
from rsp_conformance.relations.prefix import Prefix
from rsp_conformance.relations.relation import Relation
from rsp_conformance.relations.renaming import Renaming
from rsp_conformance.relations.shift import Shift
from rsp_conformance.relations.split import Split
from rsp_conformance.relations.tumbling import Tumbling
from rsp_conformance.relations.units import Units

BETWEEN_CASES: tuple[Relation, ...] = (
    Partition(),
    Junk(),
    Renaming(),
    Shift(),
    Permuted(),
    Split(),
    Tumbling(),
    Operators(),
    Prefix(),
    Units(),
)
"""Relations between whole cases."""

RELATIONS: tuple[Relation, ...] = (*LAW_RELATIONS, *BETWEEN_CASES)
"""The laws asserted on engines, and the relations between cases."""
