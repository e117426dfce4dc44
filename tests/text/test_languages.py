"""Languages and dialects that drivers name in their hello."""

from __future__ import annotations

import pytest

from rsp_conformance.model.query import Query
from rsp_conformance.text.languages import LANGUAGES, printer_of, triple_terms
from rsp_conformance.text.parse import parse_query


def test_options_of_the_dialect_that_the_kit_does_not_know_are_ignored() -> None:
    dialect = {"duration": "instants", "colour": "green", "x-own": 1}
    assert printer_of("rsp-ql", dialect)(Query()) == printer_of("rsp-ql")(Query())


def test_a_duration_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="duration is 'weeks'"):
        printer_of("rsp-ql", {"duration": "weeks"})


@pytest.mark.parametrize("language", [name for name, write in LANGUAGES.items() if write is None])
def test_languages_that_are_not_printed_yet_are_refused_by_name(language: str) -> None:
    with pytest.raises(ValueError, match=f"queries in {language} are not printed yet"):
        printer_of(language)


STAR = """\
PREFIX : <http://ex.org/>
REGISTER STREAM :alert COMPUTED EVERY PT10S AS
SELECT ?x
FROM NAMED WINDOW :w ON :s [RANGE PT1M STEP PT10S]
WHERE {
  WINDOW :w {
    GRAPH ?g { << ?x :p << :a :b << ?x :q 1 >> >> >> :confidence ?c }
  }
}
"""


def test_rsp_ql_star_is_printed_in_its_own_grammar() -> None:
    query = parse_query(STAR)
    assert printer_of("rsp-ql-star")(query, 1) == STAR
    assert parse_query(printer_of("rsp-ql-star")(query, 1)) == query
    instants = parse_query(STAR.replace("PT1M", "6").replace("PT10S", "1"))
    assert printer_of("rsp-ql-star")(instants, 10_000) == STAR
    assert "STREAM :alert" not in printer_of("rsp-ql")(query, 1)


def test_every_query_in_rsp_ql_star_is_registered_as_a_stream() -> None:
    text = printer_of("rsp-ql-star")(
        parse_query("ASK FROM NAMED WINDOW <a:w> ON <a:s> [RANGE 3] {}")
    )
    assert text.startswith("REGISTER STREAM <urn:rsp:answers> AS")
    assert "ON <a:s> [RANGE PT0.003S STEP PT0.001S]" in text


def test_rsp_ql_star_has_no_streaming_operators() -> None:
    query = parse_query("REGISTER RSTREAM <a:o> AS SELECT * { ?s ?p ?o }")
    with pytest.raises(ValueError, match="RSP-QL\\* has no RSTREAM"):
        printer_of("rsp-ql-star")(query)


@pytest.mark.parametrize(
    ("features", "dialect", "expected"),
    [
        ("", {}, False),
        ("rdf-star", {}, False),
        ("triple-terms", {}, True),
        ("rdf-star triple-terms", {}, False),
        ("rdf-star", {"triple_terms": True}, True),
        ("triple-terms", {"triple_terms": False}, False),
    ],
)
def test_which_spelling_of_quoted_triples(
    features: str, dialect: dict[str, bool], expected: bool
) -> None:
    assert triple_terms(features.split(), dialect) is expected


def test_an_option_that_is_no_truth_value_is_refused() -> None:
    with pytest.raises(ValueError, match="triple_terms is 'yes', expected true or false"):
        printer_of("rsp-ql", {"triple_terms": "yes"})


def test_an_unknown_language_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ValueError, match="did you mean 'rsp-ql'"):
        printer_of("rspql")
