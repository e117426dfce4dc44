"""The specification's evaluator and the compiled one, on random queries over random datasets.

Patterns in every place and over every kind of graph; `tests/judges` asks whole cases.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from rsp_conformance.model.algebra import BGP, Pattern, TriplePattern
from rsp_conformance.model.paths import NegatedPropertySet
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.sparql.open_points import SEVERAL_PROPERTIES
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec import evaluate as specification
from tests.builders import compiled
from tests.generators.datasets import datasets, same
from tests.generators.modified_queries import queries, with_paths
from tests.generators.patterns import patterns

B = IRI("u:b")
RANDOM = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
PATTERNS = st.one_of(
    patterns(3, windows=True, nested=True, rich=True),
    patterns(2, windows=True, nested=True, rich=True, tested=True),
    patterns(2, windows=True),
)


def agree(query: Query, dataset: Dataset) -> Relation:
    """The solutions of QUERY, which both evaluators have, open for the same reasons."""
    one, other = specification.solutions(query, dataset), compiled.solutions(query, dataset)
    more = set(one.undetermined).symmetric_difference(other.undetermined)
    # Of a negated property set the compiled evaluator looks at the nodes alone that it has reached.
    assert more <= set(one.undetermined) & {SEVERAL_PROPERTIES}
    assert same(replace(one, undetermined=other.undetermined), other), f"{one}\n{other}"
    return one


def random_queries(data: st.DataObject, dataset: Dataset, pattern: Pattern) -> None:
    if data.draw(st.booleans()):
        pattern = data.draw(with_paths(pattern))
    inner = data.draw(patterns(1, windows=True, nested=True, rich=True))
    one = agree(data.draw(queries(pattern, lambda: inner)), dataset)
    event(f"rows: {min(len(one.rows), 3)}, open: {not one.determined}")


def test_what_leads_elsewhere_twice_leaves_nothing_open() -> None:
    """From :b two properties lead to :b, and none to :a, which is asked for."""
    triples = [Triple(B, IRI(f"u:p{number}"), B) for number in range(2)]
    dataset = Dataset(default=GraphBag(triples))
    for end, several in ((IRI("u:a"), False), (B, True)):
        path = NegatedPropertySet((), (IRI("u:q"),))
        found = agree(Query(BGP((TriplePattern(B, path, end),))), dataset)
        assert (SEVERAL_PROPERTIES in found.undetermined) is several


@settings(RANDOM, max_examples=150)
@given(st.data(), datasets(), PATTERNS)
def test_random_queries(data: st.DataObject, dataset: Dataset, pattern: Pattern) -> None:
    random_queries(data, dataset, pattern)
