"""The page of relations holds all of them, and their mutants, as the code has them."""

from __future__ import annotations

from rsp_conformance.adapters.reference.mutants import RELATION_MUTANTS
from rsp_conformance.metamorphic.registry import BETWEEN_CASES
from tests.docs.test_docs import rows


def test_every_relation_and_mutant_stands_in_its_table() -> None:
    table = rows("relations.md")
    assert list(table) == [r.name for r in BETWEEN_CASES] + list(RELATION_MUTANTS)
    for relation in BETWEEN_CASES:
        assert table[relation.name][1:] == [relation.title, relation.source]
    for mutant in RELATION_MUTANTS.values():
        assert table[mutant.name][1:4] == [mutant.summary, mutant.imitates, f"`{mutant.relation}`"]
