"""The page of properties has every metamorphic test, and says when it applies."""

from __future__ import annotations

import re

from rsp_conformance.relations.registry import BETWEEN_CASES
from tests.docs.markdown import DOCS, section
from tests.docs.test_docs import rows


def test_every_metamorphic_test_is_in_the_table() -> None:
    table = rows("properties.md", "Metamorphic tests")
    assert {name: cells[2] for name, cells in table.items()} == {
        relation.name: relation.source for relation in BETWEEN_CASES
    }


def test_the_page_says_when_each_metamorphic_test_applies() -> None:
    text = section((DOCS / "properties.md").read_text("utf-8"), "When each test applies")
    listed = re.findall(r"^- \*\*`(\w+)`\*\*", text, re.MULTILINE)
    assert listed == [relation.name for relation in BETWEEN_CASES]
