"""The page of properties has every metamorphic test, and says when it applies."""

from __future__ import annotations

import re

from rsp_conformance.relations.registry import BETWEEN_CASES
from tests.docs.markdown import DOCS, section

ROW = re.compile(r"^\| `(\w+)` \| .* \| (.*) \|$", re.MULTILINE)


def listed(heading: str) -> list[tuple[str, str]]:
    """The names in the first table under a heading, each with the last cell of its row."""
    text = section((DOCS / "properties.md").read_text("utf-8"), heading)
    return [(match[1], match[2]) for match in ROW.finditer(text.partition("\n#")[0])]


def test_every_metamorphic_test_is_in_the_table() -> None:
    sources = [(relation.name, relation.source) for relation in BETWEEN_CASES]
    assert listed("Metamorphic tests") == sources


def test_the_page_says_when_each_metamorphic_test_applies() -> None:
    conditions = listed("When each test applies")
    assert [name for name, _ in conditions] == [relation.name for relation in BETWEEN_CASES]
    assert all(needs for _, needs in conditions)
