"""All relations of the suite, in the order of its table."""

from __future__ import annotations

from rsp_conformance.metamorphic.junk import Junk
from rsp_conformance.metamorphic.law import LAW_RELATIONS
from rsp_conformance.metamorphic.operators import Operators
from rsp_conformance.metamorphic.partition import Partition
from rsp_conformance.metamorphic.permuted import Permuted
from rsp_conformance.metamorphic.prefix import Prefix
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.metamorphic.renaming import Renaming
from rsp_conformance.metamorphic.shift import Shift
from rsp_conformance.metamorphic.split import Split
from rsp_conformance.metamorphic.tumbling import Tumbling
from rsp_conformance.metamorphic.units import Units

BETWEEN_CASES: tuple[MetamorphicRelation, ...] = (
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

RELATIONS: tuple[MetamorphicRelation, ...] = (*LAW_RELATIONS, *BETWEEN_CASES)
"""The laws asserted on engines, and the relations between cases."""
