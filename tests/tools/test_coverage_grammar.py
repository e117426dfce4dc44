"""Productions of the grammar, and forms of tokens."""

from __future__ import annotations

import pytest

from rsp_conformance.cells.cell import ELSEWHERE, REFUSED, WRITING
from tests.builders.terms import PREFIXES
from tools.coverage.grammar import NIL_TOKEN, NO_EVALUATION, Grammar


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar()


def query(pattern: str, rest: str = "") -> str:
    return f"{PREFIXES} SELECT ?x FROM WINDOW :w ON :s [RANGE 2] WHERE {{ {pattern} }} {rest}"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        (query("?s :p ?x"), "datasets := __datasets_star_3"),
        (query("?s :p ?x OPTIONAL { ?s :q ?x }"), "optional := OPTIONAL group_graph_pattern"),
        (query("?s :p|:q ?x"), "path := path VBAR path_sequence -> path_alternative"),
        (query("?s :p ?x", "ORDER BY ?x LIMIT 1"), "limit := LIMIT INTEGER"),
        (
            query("?s :p ?x FILTER(?x NOT IN (1))"),
            "relation := sum NOT IN expression_list -> not_in",
        ),
        (query("?s :p .5"), "NUMBER: .5"),
        (query("?s :p -1.5e3"), "SIGNED_NUMBER: 1e0"),
        (query("$s :p ''"), "VAR: $x"),
        (query("?s :p '''it's'''"), "STRING: '''x'''"),
        (query("?s :p ''"), "STRING: empty"),
        (query(r"?s :p 'a\u0062'"), "STRING: escape \\u"),
        (query("?s :p '\U0001f600'"), "STRING: beyond the BMP"),
        (query("?s :p 'x'@en-GB"), "LANGTAG: en-GB"),
        (query("?s :7p ?x"), "PNAME: digits first"),
        (query("?s <q> ?x"), "IRIREF: relative"),
        (query("?s <urn:q%20> ?x"), "IRIREF: escape %"),
        (query("?s :p ?x FILTER(?x >= 1)"), "COMPARISON: >="),
    ],
)
def test_a_text_meets_its_cell(grammar: Grammar, text: str, cell: str) -> None:
    assert cell in grammar.productions(text)
    assert cell not in grammar.productions(query("?s :p ?x")) or cell.startswith("datasets")
    assert cell in grammar.cells()


def test_what_is_no_rspql_meets_nothing(grammar: Grammar) -> None:
    assert grammar.productions("SELECT ?x FROM STREAM <s> [RANGE 2s] {}") == frozenset()


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("service := SERVICE", REFUSED),
        ("describe_query := ", REFUSED),
        ("datasets := ", NO_EVALUATION),
        ("base_declaration := ", ""),
        ("STRING: 'x'", ""),
        ("registration := REGISTER _registered iri AS", WRITING),
        ("step := SLIDE", WRITING),
        ("data_row := LPAR RPAR", NIL_TOKEN),
        ("quoted_triple := OPEN_TERM", ELSEWHERE),
        ("optional := ", ""),
        ("ask_query := ", ""),
        ("builtin_call := AGGREGATE LPAR DISTINCT STAR RPAR -> aggregate", ""),
    ],
)
def test_what_cannot_be_met_has_a_reason(grammar: Grammar, start: str, reason: str) -> None:
    cells = grammar.cells()
    own = [start] if start in cells else [cell for cell in cells if cell.startswith(start)]
    assert own and {cells[cell] for cell in own} == {reason}
