"""What real engines fail at in patterns, strings and names: drawn, declined, and shrunk away."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rsp_conformance.model.algebra import Filter, TriplePattern
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI, XSD_STRING, Literal
from rsp_conformance.model.walk import within
from rsp_conformance.strategies import GENERATED, cases, vocabulary
from tests.builders.drawing import draw_many, missing
from tests.strategies.test_shrinking import ELEMENT, END, ONE, TUMBLING, rows, shape, smallest

WORDS = {*vocabulary.KEYWORDS, "named", "range", "step"}


def repeats(case: Case) -> bool:
    patterns = (part for part in within(case.query) if isinstance(part, TriplePattern))
    return any(p.subject == p.object for p in patterns if isinstance(p.predicate, IRI))


def has_pattern_literal(case: Case) -> bool:
    patterns = (part for part in within(case.query) if isinstance(part, TriplePattern))
    return any(isinstance(pattern.object, Literal) for pattern in patterns)


def has_odd_string(case: Case) -> bool:
    literals = (part for element in case.elements for part in within(element))
    texts = {part.lexical for part in literals if getattr(part, "datatype", "") == XSD_STRING}
    return any(not (text.isascii() and text.isalnum()) for text in texts)


def has_keyword(case: Case) -> bool:
    query = case.query
    names = {part.name for part in within(query) if isinstance(part, Variable)}
    names |= {prefix for prefix, _ in query.prefixes}
    iris = [w.name for w in query.windows] + [e.graph for e in case.background if e.graph]
    return bool(WORDS & (names | {str(iri)[len(vocabulary.NAMESPACE) :] for iri in iris}))


def has_prefix(case: Case) -> bool:
    return any(prefix not in ("", "rspu") for prefix, _ in case.query.prefixes)


HAS: dict[str, Callable[[Case], bool]] = {
    "without-repeated-variables": repeats,
    "without-pattern-literals": has_pattern_literal,
    "without-odd-strings": has_odd_string,
    "without-keyword-names": has_keyword,
    "without-prefixes": has_prefix,
}


@pytest.mark.parametrize("restriction", HAS)
def test_an_engine_that_declines_it_does_not_get_it(restriction: str) -> None:
    for focus in ("terms", "any"):
        declined = draw_many(cases(GENERATED | {restriction}, focus=focus), 80)
        assert not any(map(HAS[restriction], declined))


@pytest.mark.parametrize(("focus", "hundreds"), [("terms", 3), ("any", 10)])
def test_every_other_engine_gets_it(focus: str, hundreds: int) -> None:
    def met(case: Case) -> list[str]:
        return [name for name, has in HAS.items() if has(case)]

    assert not missing({*HAS}, met, [focus], hundreds)


def test_plain_cases_have_nothing_of_it() -> None:
    case = smallest(lambda case: rows(case) > 0, "terms")
    assert shape(case) == ["SELECT ?x ?y", TUMBLING, ONE, ELEMENT, END]


SMALLEST = {
    "without-repeated-variables": [
        "SELECT ?x",
        TUMBLING,
        "WINDOW :w1 { ?x :p ?x } }",
        ":s1 = (:a :p :a, 1)",
        END,
    ],
    "without-pattern-literals": [
        "SELECT ?x",
        TUMBLING,
        "WINDOW :w1 { ?x :value 1 } }",
        ":s1 = (:a :value 1, 1)",
        END,
    ],
    "without-odd-strings": [
        "SELECT ?x ?l",
        TUMBLING,
        "WINDOW :w1 { ?x :label ?l } }",
        ':s1 = (:a :label "\\"x\\"", 1)',
        END,
    ],
}


@pytest.mark.parametrize("restriction", SMALLEST)
def test_it_comes_with_nothing_else(restriction: str) -> None:
    case = smallest(lambda case: HAS[restriction](case) and rows(case) > 0, "terms")
    assert shape(case) == SMALLEST[restriction]


def test_a_prefix_is_read_in_a_filter() -> None:
    every = draw_many(cases(focus="terms"), 80)
    with_prefix = [case for case in every if has_prefix(case)]
    filters = [part for c in with_prefix for part in within(c.query) if isinstance(part, Filter)]
    assert any(isinstance(part, IRI) for each in filters for part in within(each.condition))
