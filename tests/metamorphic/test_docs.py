"""The page of relations holds all of them, and their faults, as the code has them."""

from __future__ import annotations

from rsp_conformance.adapters.reference.faults import RELATION_FAULTS
from rsp_conformance.metamorphic.registry import BETWEEN_CASES
from tests.docs.test_docs import rows

HEADING = "Metamorphic tests: what must hold between an engine's own answers"


def test_every_relation_and_fault_stands_in_its_table() -> None:
    table = rows("properties.md", HEADING)
    assert list(table) == [r.name for r in BETWEEN_CASES] + list(RELATION_FAULTS)
    for relation in BETWEEN_CASES:
        assert table[relation.name][1:] == [relation.title, relation.source]
    for fault in RELATION_FAULTS.values():
        assert table[fault.name][1:4] == [fault.summary, fault.imitates, f"`{fault.relation}`"]
