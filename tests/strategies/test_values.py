"""Palettes and calls: what values cases have, and what is computed from them."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from rsp_conformance.model.algebra import BGP, Filter, TriplePattern
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import FunctionCall, Operation, Variable
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import (
    IRI,
    XSD,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    BlankNode,
    Literal,
    Triple,
)
from rsp_conformance.model.variables import is_grouped, reads_own_names
from rsp_conformance.model.walk import subexpressions, within
from rsp_conformance.sparql.casts import CASTS
from rsp_conformance.sparql.coverage import AGGREGATES
from rsp_conformance.strategies import GENERATED, calls, palettes, some_cases, vocabulary
from rsp_conformance.strategies.limits import limits
from rsp_conformance.text.builtin_functions import ARGUMENTS
from tests.builders.drawing import drawn as shared

PLAIN = Dials()
ALL = limits(GENERATED, PLAIN)
REFUSED = {"RAND", "UUID", "STRUUID", "NOW", "BNODE"}
OPERATORS = {"||", "&&", "!", "=", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "IN", "NOT IN"}


# The tables


def test_every_function_has_a_signature_of_as_many_arguments():
    by_name = {function.name: function for function in calls.FUNCTIONS}
    for name, (least, most) in ARGUMENTS.items():
        if name not in REFUSED:
            signature = by_name.pop(name)
            assert signature.least == least
            assert signature.repeated == (most > 5)
            assert signature.repeated or len(signature.places) == most
    casts = {f"xsd:{name.removeprefix(XSD)}" for name in CASTS}
    assert by_name.keys() == casts | OPERATORS | {"UNARY+", "UNARY-"}
    assert {aggregate.name for aggregate in calls.AGGREGATES} == AGGREGATES


@pytest.mark.parametrize("name", ["numbers", "texts", "resources"])
def test_without_features_a_palette_is_empty_or_plain(name):
    bare = palettes.palettes(limits({"select", "without-odd-strings"}, PLAIN))
    terms = [term for line in getattr(bare, name) for term in line]
    for term in terms:
        if isinstance(term, Literal):
            assert term.lexical.isalnum() and term.datatype == XSD + "string"
    assert True not in bare.nodes


# What comes of a palette

SUBJECT, OBJECT = vocabulary.RESOURCES[:2]
VALUE = vocabulary.VALUES[0]


def painted(palette: palettes.Palette, *, condition: str = ">") -> tuple[Query, Triple]:
    """``?x :value ?n FILTER(?n > 1)`` over ``:a :value 1``, with PALETTE."""
    x, n = Variable("x"), Variable("n")
    pattern = BGP((TriplePattern(x, VALUE, n),))
    query = Query(Filter(Operation(condition, (n, vocabulary.integer(1))), pattern))
    element = StreamElement(
        vocabulary.stream(1), 1, (Triple(SUBJECT, VALUE, vocabulary.integer(1)),)
    )
    query, elements, _ = palettes.painted(palette, ALL, query, (element,), ())
    return query, elements[0].graph[0]


def test_a_palette_stands_in_data_and_query():
    half, a = Literal("0.5", XSD_DECIMAL), IRI("http://ex.org/é")
    query, triple = painted(palettes.Palette(numbers=(half,), resources=(a,)))
    assert triple == Triple(a, VALUE, half)
    assert query.pattern.condition == Operation(">", (Variable("n"), half))


def test_a_blank_node_stands_for_what_the_query_does_not_mention():
    _, triple = painted(palettes.Palette(node=True))
    assert triple.subject == SUBJECT  # :b is the first that is not mentioned
    found = [t for case in drawn("any") for t in terms(case) if isinstance(t, BlankNode)]
    assert BlankNode("n") in found


def test_texts_with_a_tag_keep_it():
    terms = palettes.Palette(texts=(Literal("é"),)).terms()
    assert terms[Literal("x", language="en")] == Literal("é", language="en")


def test_no_arithmetic_is_on_moments():
    moment = Literal("2011-01-10T14:45:13Z", XSD + "dateTime")
    _, triple = painted(palettes.Palette(numbers=(moment,)), condition="+")
    assert triple.object == vocabulary.integer(1)


# What is drawn


drawn = partial(shared, hundreds=3)


def terms(case: Case) -> list[object]:
    return [part for given in (*case.elements, *case.background) for part in within(given)]


def test_half_of_the_cases_are_plain_and_others_have_values_of_many_datatypes():
    plain = {*vocabulary.INTEGERS, *vocabulary.TEXTS, *vocabulary.RESOURCES}
    odd = [
        any((isinstance(t, Literal) and t not in plain) or t == BlankNode("n") for t in terms(case))
        for case in drawn("values")
    ]
    assert 0.15 < sum(odd) / len(odd) < 0.6
    datatypes = {t.datatype for c in drawn("any") for t in terms(c) if isinstance(t, Literal)}
    assert {XSD_DOUBLE, XSD_DECIMAL, XSD_FLOAT, XSD + "byte", XSD + "dateTime"} <= datatypes


def test_long_texts_are_rare():
    long = [
        any(isinstance(t, Literal) and len(t.lexical) >= 10_000 for t in terms(case))
        for focus in ("any", "filter", "functions")
        for case in drawn(focus)
    ]
    assert 0 < sum(long) / len(long) <= 0.025  # 0.017 of many more are.


def calls_of(case: Case) -> list[object]:
    shown = [p.expression for p in case.query.projection or () if p.expression is not None]
    return [part for value in shown for part in subexpressions(value)]


def test_calls_stand_in_about_half_of_the_queries():
    made = [
        any(p.variable.name.startswith("value") for p in case.query.projection or ())
        for case in drawn("any")
    ]
    assert 0.25 < sum(made) / len(made) < 0.7


class Chance:
    """Picks at random."""

    def __init__(self) -> None:
        self.random = Random(1)

    def pick(self, options):
        return self.random.choice(options)


def test_a_quoted_triple_is_made_of_other_ones():
    chance = calls.Calls(Chance(), ALL, {})
    made = [chance.value() for _ in range(10_000)]
    places = {
        place
        for part in made
        if isinstance(part, Operation) and part.name == "TRIPLE"
        for place, own in enumerate(part.arguments)
        if isinstance(own, Operation) and own.name == "TRIPLE"
    }
    assert places >= {0, 2}


def test_a_moment_is_compared_and_never_shown():
    """Its text is hardly ever settled; a computed number may have any of its forms."""
    results = {function.name: function.result for function in calls.FUNCTIONS}
    for case in drawn("any"):
        for projection in case.query.projection or ():
            value = projection.expression
            if isinstance(value, FunctionCall):
                assert results[f"xsd:{value.function.value.removeprefix(XSD)}"] != "moment"
            elif isinstance(value, Operation) and projection.variable.name.startswith("value"):
                assert results[value.name] != "moment"


def test_no_query_with_groups_reads_a_name_of_its_own():
    """What that means is open, so none of these cases would be judged (`GROUP_NAMES`)."""
    for focus in ("modifiers", "aggregates"):
        for case in drawn(focus):
            assert not (is_grouped(case.query) and reads_own_names(case.query)), focus


def test_an_engine_without_functions_is_asked_for_operators():
    features = GENERATED - {"functions"}
    found = [p for c in some_cases(features, PLAIN, "any", 200, seed=5) for p in calls_of(c)]
    names = {part.name for part in found if isinstance(part, Operation)}
    assert {"=", "<", "+"} <= names <= OPERATORS | {"UNARY+", "UNARY-"}
    assert not any(isinstance(part, FunctionCall) for part in found)


def test_what_is_computed_shows_in_every_form():
    assert any(calls_of(c) for c in drawn("construct")) is False
    templates = [t for case in drawn("construct") for t in case.query.template]
    assert any(str(t.object).startswith("?value") for t in templates)
    conditions = [p for c in drawn("ask") for p in within(c.query) if isinstance(p, Filter)]
    assert any(
        isinstance(p.condition, Operation) and p.condition.name == "COALESCE" for p in conditions
    )
    assert any(isinstance(p, Projection) for c in drawn("aggregates") for p in within(c.query))


def test_averages_and_quotients_are_asked_where_numbers_compare_as_terms():
    asked = [
        str(case.query)
        for focus in ("aggregates", "filter", "functions")
        for case in drawn(focus)[:150]
    ]
    assert sum("name='AVG'" in text for text in asked) >= 15
    assert sum("name='/'" in text for text in asked) >= 5
