"""The algebra as JSON: it stands for the query, and is of the schema."""

from __future__ import annotations

import json
from functools import cache

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from rsp_conformance.files.algebra import ALGEBRA
from rsp_conformance.files.fields import FieldError
from rsp_conformance.model.query import Query
from rsp_conformance.protocol import forms
from rsp_conformance.strategies import queries
from rsp_conformance.text.parse import parse_query
from tests.generators import queries as random_algebra


@cache
def validator() -> jsonschema.Draft202012Validator:
    schema = {"$ref": "#/$defs/Query", "$defs": forms.schema()["$defs"]}
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@settings(max_examples=160, deadline=None, suppress_health_check=[*HealthCheck])
@given(queries() | random_algebra.queries())
def test_queries_come_back_and_fit_the_schema(query: Query) -> None:
    document = json.loads(json.dumps(ALGEBRA.write(Query, query)))
    assert ALGEBRA.read(Query, document) == query
    assert validator().is_valid(document)


def test_a_base_is_there_prefixes_are_not_and_other_fields_are_ignored() -> None:
    document = ALGEBRA.write(
        Query, parse_query("BASE <http://e/> PREFIX : <http://e/> SELECT * { }")
    )
    assert "prefixes" not in document
    assert document["base"] == "http://e/"
    assert ALGEBRA.read(Query, {"type": "Query", "colour": "red"}) == Query()


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"type": "Query", "pattern": {"type": "Sum"}}, "pattern.type: expected one of BGP, Join"),
        ({"type": "Query", "pattern": {"type": "Join", "left": 1}}, "pattern.left: expected"),
        ({"type": "Query", "form": "DELETE"}, "form: expected one of SELECT, ASK"),
        ({"type": "Query", "pattern": {}}, "pattern.type: expected one of BGP"),
    ],
)
def test_what_stands_for_no_query_is_refused(document: object, said: str) -> None:
    with pytest.raises(FieldError, match=said):
        ALGEBRA.read(Query, document)
    assert not validator().is_valid(document)
