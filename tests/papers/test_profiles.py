"""The columns of the table of dials, after CSRBench, Table 1, are those of the bundled profiles."""

from __future__ import annotations

import pytest

from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.model.dials import DIALS, Dials
from tests.docs.markdown import DOCS, section, tables

HEAD, *ROWS = tables(section((DOCS / "semantics.md").read_text("utf-8"), "6. Profiles"))[0]
PROFILES = {
    "C-SPARQL": "c-sparql-papers",
    "CQELS": "cqels",
    "SPARQLstream": "sparqlstream",
    r"RSP-QL\*": "rsp-ql-star",
}


@pytest.mark.parametrize("name", PROFILES.values())
def test_the_dials_without_a_row_are_as_the_page_says(name: str) -> None:
    listed = [row[0].strip("`") for row in ROWS]
    assert ["dial", *PROFILES] == HEAD and listed == [dial for dial in DIALS if dial in listed]
    base = bundled_profile(name).base
    # GRAPH's variables are the kit's own question, on which RSP-QL* has an answer.
    others = {d: base.text(d) for d in DIALS if d not in {*listed, "graph_variable"}}
    plain = Dials().with_dial("numbers", "value")
    assert others == {dial: plain.text(dial) for dial in others}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_profiles_are_the_papers(row: list[str]) -> None:
    dial, *cells = (cell.strip("`") for cell in row)
    said = [Dials().text(dial) if cell == "–" else cell for cell in cells]
    assert [bundled_profile(name).base.text(dial) for name in PROFILES.values()] == said


def test_plain_rspql_is_what_the_profiles_leave_out() -> None:
    assert bundled_profile("rsp-ql").base == Dials()
