"""Languages and dialects that drivers name in their hello."""

from __future__ import annotations

import pytest

from rsp_conformance.model.query import Query
from rsp_conformance.text.errors import NotExpressible
from rsp_conformance.text.languages import DIALECT, printer_of, triple_terms
from rsp_conformance.text.parse import parse_query


def test_options_of_the_dialect_that_the_kit_does_not_know_are_ignored() -> None:
    dialect = {"duration": "instants", "colour": "green", "x-own": 1}
    assert printer_of("rsp-ql", dialect)(Query()) == printer_of("rsp-ql")(Query())


def test_a_duration_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="duration is 'weeks'"):
        printer_of("rsp-ql", {"duration": "weeks"})


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
    with pytest.raises(NotExpressible, match="RSP-QL\\* has no RSTREAM"):
        printer_of("rsp-ql-star")(query)


PLAIN = """\
PREFIX : <http://ex.org/>
SELECT ?x
FROM NAMED WINDOW :w ON STREAM :s [RANGE 5]
WHERE {
  WINDOW :w { ?x a :Place }
}
"""


@pytest.mark.parametrize(
    ("dialect", "changes"),
    [
        ({}, {}),
        ({"bare_stream": True}, {"ON STREAM": "ON"}),
        ({"explicit_step": True}, {"RANGE 5": "RANGE 5 STEP 1"}),
        ({"explicit_register": True}, {"SELECT": "REGISTER RStream <urn:rsp:answers> AS\nSELECT"}),
        (
            {"explicit_register": True, "capital_operators": True},
            {"SELECT": "REGISTER RSTREAM <urn:rsp:answers> AS\nSELECT"},
        ),
        ({"capital_operators": True}, {}),
        (
            {"full_iris": True},
            {
                "PREFIX : <http://ex.org/>\n": "",
                ":w": "<http://ex.org/w>",
                ":s": "<http://ex.org/s>",
                ":Place": "<http://ex.org/Place>",
            },
        ),
        ({"duration": "iso-seconds"}, {"RANGE 5": "RANGE PT150S"}),
    ],
)
def test_each_key_of_the_dialect_changes_what_it_says(
    dialect: dict[str, object], changes: dict[str, str]
) -> None:
    expected = PLAIN
    for old, new in changes.items():
        assert old in expected
        expected = expected.replace(old, new)
    assert printer_of("rsp-ql", dialect)(parse_query(PLAIN), 30_000) == expected


def test_a_query_registered_by_its_user_keeps_operator_and_name() -> None:
    query = parse_query("PREFIX : <a:> REGISTER DSTREAM :out COMPUTED EVERY 2 AS SELECT * {}")
    dialect = {"explicit_register": True, "capital_operators": True}
    text = printer_of("rsp-ql", dialect)(query)
    assert "REGISTER DSTREAM <a:out> COMPUTED EVERY 2 AS\n" in text
    assert parse_query(text) == query
    assert "REGISTER DStream :out" in printer_of("rsp-ql")(query)


@pytest.mark.parametrize("key", [key for key, values in DIALECT.items() if True in values])
def test_most_keys_are_true_or_false(key: str) -> None:
    for value in ("true", 1, None):
        with pytest.raises(ValueError, match=f"{key} is {value!r}, expected true or false"):
            printer_of("rsp-ql", {key: value})


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


def test_an_unknown_language_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ValueError, match="did you mean 'rsp-ql'"):
        printer_of("rspql")
