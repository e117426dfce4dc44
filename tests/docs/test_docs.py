"""The documentation names what there is, and nothing else."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest

from rsp_conformance.adapters.reference.mutants import (
    LATE_MUTANTS,
    all_mutants,
)
from rsp_conformance.diagnosis.price import (
    BY_CHANCE,
    CHEAPEST,
    RIGHT,
    SILENT,
    WRONG,
    price_of,
)
from rsp_conformance.judge.failures import KINDS
from rsp_conformance.laws import HEURISTICS, LAWS
from rsp_conformance.model.dials import DIALS, VALUES, Dials
from rsp_conformance.model.features import FEATURES, RESTRICTIONS
from rsp_conformance.model.setting import Setting
from rsp_conformance.relations.registry import RELATIONS
from rsp_conformance.run.properties import PROPERTIES
from rsp_conformance.run.xfails import read_marks
from rsp_conformance.text.errors import NotExpressible
from rsp_conformance.text.languages import LANGUAGES, Language, printer_of
from rsp_conformance.text.parse import parse_query
from tests.docs.markdown import fenced, pages, plain_text, section, tables
from tools.mutation.faults.measuring import KEPT
from tools.tables.tables import TABLES, written

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
JS = "rsp_conformance/adapters/rsp_js"
KNOWN_CAUSES = (DOCS / "known.md").read_text("utf-8")


def rows(page: str, heading: str | None = None) -> dict[str, list[str]]:
    """The table rows of a page, or of one of its sections, by the name in their first cell."""
    found = {}
    text = (DOCS / page).read_text("utf-8")
    for line in (section(text, heading) if heading else text).splitlines():
        if match := re.match(r"\| `([^`]+)` \|", line):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            found[match[1]] = [cell.strip() for cell in cells]
    return found


def test_no_row_stands_outside_of_a_table() -> None:
    """A row behind an empty line is read as running text."""
    for page in pages():
        lines = plain_text(page.read_text("utf-8")).splitlines()
        assert not [line for line in lines if line.startswith("| ")], page


def test_every_dial_stands_in_the_table_with_its_default() -> None:
    table = rows("dials.md")
    assert list(table) == list(DIALS)
    for dial, cells in table.items():
        assert cells[2].strip("`") == Dials().text(dial)


@pytest.mark.parametrize("name", [name for name, (page, _) in TABLES.items() if page])
def test_a_table_stands_on_its_page_as_it_is(name: str) -> None:
    page, _ = TABLES[name]
    said = f"python -m tools.tables {name} prints the table"
    assert written(name) in (DOCS / page).read_text("utf-8"), said


def test_the_file_of_expected_failures_that_is_shown_is_read(tmp_path: Path) -> None:
    (tmp_path / "shown").write_text(
        fenced(section(KNOWN_CAUSES, "Failures that are expected"), "text")[0]
    )
    assert len(read_marks(tmp_path / "shown")) == 5


def with_head(page: str, head: str) -> list[list[str]]:
    """The rows of all tables of a page whose first column is called HEAD, without backticks."""
    found = tables((DOCS / page).read_text("utf-8"))
    own = [row for table in found if table[0][0] == head for row in table[1:]]
    return [[row[0].strip("`"), *row[1:]] for row in own]


def test_every_property_and_kind_stands_in_its_table() -> None:
    shown = {name: definition for name, _, definition in with_head("properties.md", "property")}
    assert shown == {p.name: p.definition for p in PROPERTIES}
    for own in PROPERTIES:  # In the words in which results explain it, under its group.
        assert rows("properties.md", own.group)[own.name][1:2] == [own.asserts]
    assert [name for name, *_ in with_head("properties.md", "kind")] == list(KINDS)


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        *(("docs/properties.md", "| `crashed` | "), ("docs/protocol.md", "| `crashed` | ")),
        *(("docs/engines.md", "kind `crashed`"), (f"{JS}/README.md", "counts as `crashed`")),
    ],
)
def test_an_answer_that_is_no_rdf_counts_as_crashed(page: str, kind: str) -> None:
    """As the driver of rsp-js says it, whose engine gives triple terms that RDF does not have."""
    lines = (ROOT / page).read_text("utf-8").splitlines()
    assert any(kind in line and "no RDF" in line for line in lines)
    driver = (ROOT / JS / "engine.js").read_text("utf-8")
    assert "predicate.termType !== 'NamedNode') throw notQuotable()" in driver


def test_every_law_stands_in_its_table_with_its_condition() -> None:
    table = rows("properties.md", "Statements and conditions")
    for law in (*LAWS, *HEURISTICS):
        conditions = [c.text for c in law.printed] + [f"*{c.text}*" for c in law.missing]
        stated = [f"`{law.statement}`", "; ".join(conditions) or "–"]
        assert table[law.name][1:] == stated, law.name


def test_every_feature_stands_in_the_tables() -> None:
    found = with_head("features.md", "feature")
    # tests/model/test_feature_parts.py reads the table of parts.
    parted = {name for name, words in found if words.startswith("`")}
    assert {name: words for name, words in found if not words.startswith("`")} == FEATURES
    assert parted
    assert dict(with_head("features.md", "restriction")) == RESTRICTIONS


_SIZES = {
    "by count": ("ELEMENTS 3", "TRIPLES 3", "TRIPLES 3 STEP 2"),
    "NOW": ("NOW",),
    "UNBOUNDED": ("RANGE UNBOUNDED",),
    "in the past": ("FROM NOW-PT5S TO NOW-PT2S STEP PT1S",),
}


def test_the_table_has_the_windows_that_each_language_has() -> None:
    head, *shown = next(
        own
        for own in tables((DOCS / "features.md").read_text("utf-8"))
        if own[0][0] == "windows in"
    )
    told = {name: row[1:] for row in shown for name in re.findall(r"`(.*?)`", row[0])}
    assert head[1:] == [*_SIZES]
    assert told == {
        name: [_written(language, sizes) for sizes in _SIZES.values()]
        for name, language in LANGUAGES.items()
    }


def _written(language: Language, sizes: tuple[str, ...]) -> str:
    """How a language writes windows of these sizes, as far as it can."""
    named, pattern = "NAMED ", "WINDOW <urn:w> { ?x ?p ?y }"
    if language.windows_in == "default":
        named, pattern = "", "?x ?p ?y"
    operator = f"REGISTER {language.implied.value} AS " if language.implied else ""
    found = []
    for size in sizes:
        source = f"FROM {named}WINDOW <urn:w> ON <urn:s> [{size}]"
        query = parse_query(f"{operator}SELECT ?x {source} {{ {pattern} }}")
        with suppress(NotExpressible):
            written = re.search(r"\[.*?\]", printer_of(language.name)(query, 1000))
            assert written is not None
            found.append(f"`{written[0]}`")
    return ", ".join(found) or "–"


def test_the_code_that_definitions_point_to_is_there() -> None:
    text = section((ROOT / "ARCHITECTURE.md").read_text("utf-8"), "The definitions in the code")
    paths = set(re.findall(r"`((?:model|sparql|spec|spark)/[\w/.]+)`", text))
    assert paths
    missing = [path for path in sorted(paths) if not (ROOT / "rsp_conformance" / path).exists()]
    assert not missing


def test_the_page_says_which_focus_a_property_has() -> None:
    text = section((DOCS / "properties.md").read_text("utf-8"), "Foci")
    named = dict.fromkeys(re.findall(r"`([\w-]+)`", text.partition("Exceptions:")[2]))
    for own in PROPERTIES:
        if own.focus != own.name.replace("_", "-"):
            assert own.focus in named and (own.name in named or own.name.startswith("report_"))


def test_every_field_of_a_crash_file_stands_in_the_table() -> None:
    crashes = (ROOT / "tools" / "engines" / "crashes").glob("*.json")
    written = {field for path in crashes for field in json.loads(path.read_text("utf-8"))}
    assert {"rsp_crash", "case", "expected", "failure"} <= written
    assert written - set(rows("results.md")) == set()


def test_every_mutant_was_measured() -> None:
    """But for late ones, which no case of a property shows."""
    kept = json.loads(KEPT.read_text("utf-8"))
    assert kept.keys() == all_mutants().keys() - LATE_MUTANTS.keys()
    found_by = {own["found_by"] for own in kept.values() if "found_by" in own}
    assert found_by <= {*(p.name for p in PROPERTIES), *(r.property_name for r in RELATIONS)}


def test_the_catalogue_counts_its_mutants() -> None:
    text = (DOCS / "faults.md").read_text("utf-8")
    (counted,) = re.findall(r"There\s+are (\d+)\s+mutants", text)
    assert int(counted) == len(all_mutants())


def test_the_groups_of_mutants_on_the_page_about_judging_add_up() -> None:
    found = tables((DOCS / "judging.md").read_text("utf-8"))
    (counts,) = [[int(row[1]) for row in table[1:]] for table in found if table[0][0] == "mutants"]
    assert sum(counts) == len(all_mutants())


def test_the_page_about_judging_says_what_a_setting_costs() -> None:
    found = tables((DOCS / "judging.md").read_text("utf-8"))
    (prices,) = (table[1:] for table in found if table[0] == ["it costs", "bits"])
    said = [[float(number) for number in re.findall(r"[\d.]*\d", row[1])] for row in prices]
    listed = [
        price_of(Setting.of({dial: own})) for dial, values in VALUES.items() for own in values
    ]
    numbered = price_of(Setting.of({"t0": "7"}))
    dials = [*map(float, map(round, (min(listed), max(listed), numbered)))]
    assert said == [[round(CHEAPEST)], dials, [WRONG], [SILENT], [BY_CHANCE], [RIGHT], []]
    assert max(listed) < numbered
