"""The specification and the reference engine compute the same, each in its own way."""

from __future__ import annotations

import pytest

from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Term, Triple
from rsp_conformance.model.usage import case_features, query_features
from rsp_conformance.sparql.uncertainty import probabilities
from tests.builders.terms import iri
from tests.builders.uncertainty import WAYS, distribution, probability, query, value


@pytest.mark.parametrize(
    "call",
    [
        # A narrow normal part far from 0, and a wide uniform one.
        "rspu:between(rspu:add(N(100,1e-12)!, U(10,1e6)!), U(0.001,3.25)!, N(1e6,0.01)!)",
        "rspu:between(rspu:add(N(0,1)!, N(1e9,1)!), 1e9, rspu:add(N(1e9,1)!, 1))",
        "rspu:lessThan(N(1e15,1)!, N(1000000000000001,1)!)",
        "rspu:lessThan(rspu:add(rspu:add(N(0,1)!, U(0,1)!), U(-3,2)!), U(0,9)!)",
    ],
)
def test_both_ways_agree_where_doubles_are_scarce(call: str) -> None:
    found = probability(call, "specification")
    assert found == pytest.approx(probability(call, "reference"), abs=1e-12)
    assert 0.05 < found < 0.99999


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("rspu:add(N(0,1)!, 1) = N(1,1)!", "true"),
        ("N(1,1)! = rspu:add(N(0,1)!, 1)", "true"),
        ("rspu:add(N(0,1)!, 1) = N(1.0,1)!", None),  # two terms, their values unknown to SPARQL
        ("rspu:add(N(0,1)!, 1) IN (N(1,1)!, 5)", "true"),
        ("N(0,1)! = N(0.0,1)!", None),
        ("N(0,1)! < N(1,1)!", None),
        ("sameTerm(rspu:add(N(0,1)!, 1), N(1,1)!)", "true"),
        ("IF(N(0,1)!, 1, 2)", None),
        ("DATATYPE(rspu:add(N(0,1)!, 1)) = rspu:distribution", "true"),
        ("STR(rspu:add(N(0,1)!, 1))", "N(1,1)"),
        ("rspu:lessThan(IF(true, rspu:add(N(0,1)!, 1), 2), 1)", "0.5"),
        ("rspu:lessThan(N(0,1)!, rspu:lessThan(N(0,1)!, 0)) > 0.69", "true"),
        ("rspu:lessThan(U(-1e300,1e300)!, N(0,1e-300)!)", "0.5"),
        ("rspu:lessThan(rspu:add(N(9e300,9e300)!, N(9e300,9e300)!), 0)", "0"),
        ("rspu:lessThan(N(0,1)!, 1e301)", None),
    ],
)
def test_the_functions_among_others(expression: str, expected: str | None) -> None:
    for way in WAYS:
        found = value(expression, way)
        assert (found and getattr(found, "lexical", None)) == expected, way


def case(value: Term, pattern: str = "") -> Case:
    parsed = query(
        "SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
        f"WHERE {{ WINDOW :w {{ ?x :p ?d {pattern} }} }}"
    )
    element = StreamElement(iri("s"), 1, (Triple(iri("a"), iri("p"), value),))
    return Case(parsed, (element,), until=4)


def test_calls_and_literals_are_the_feature_uncertainty() -> None:
    call = query("SELECT * { ?s :p ?d FILTER(rspu:lessThan(?d, ?s) > ?s) }")
    assert query_features(call) == {"select", "filter", "filter-comparisons", "uncertainty"}
    literal = query("SELECT * { ?s :p N(0,1)! }")
    assert query_features(literal) == {"select", "uncertainty", "typed-literals"}
    plain, uncertain = iri("b"), distribution("N(0,1)")
    assert "uncertainty" not in case_features(case(plain))
    assert {"uncertainty", "typed-literals"} <= case_features(case(uncertain))
    entry = BackgroundEntry((Triple(iri("a"), iri("p"), uncertain),))
    with_background = Case(case(plain).query, (), Background((entry,)), until=4)
    assert "uncertainty" in case_features(with_background)


def test_a_probability_that_is_not_accurate_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(probabilities, "PRECISION", 0.0)
    with pytest.raises(Unsupported, match="a probability whose error may reach"):
        probability("rspu:between(N(0.125,1)!, N(-1,1)!, N(1,1)!)", "specification")
