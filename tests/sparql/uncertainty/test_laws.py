"""Filters that call uncertainty functions may be reordered (*Uncertainty*, Table 1; H1, H4)."""

from __future__ import annotations

from random import Random

import pytest

from rsp_conformance.laws import BAGS, HEURISTICS, SETS, Binding, Law, law_named
from rsp_conformance.laws.binding import MetavariableValue
from rsp_conformance.model.algebra import BGP, Pattern, TriplePattern
from rsp_conformance.model.expressions import Expression, FunctionCall, Operation, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, XSD_DECIMAL, XSD_INTEGER, Literal, Term, Triple
from rsp_conformance.model.uncertainty import RSPU
from rsp_conformance.sparql.dataset import Dataset, GraphBag, WindowDataset
from rsp_conformance.sparql.relation import Relation
from tests.builders.sparql import bag
from tests.builders.terms import iri
from tests.builders.uncertainty import WAYS, Way, distribution, solutions

REORDERINGS = ("FReordI", "FReordII", "FDecompI", "FUPush", "FJPush", "FLPush", "FWPush")
CHOSEN = [
    *map(law_named, REORDERINGS),
    *(law for law in HEURISTICS if law.name in {"H1", "H4", "WReord"}),
]

S, D, E, F = map(Variable, "sdef")
OBJECTS: tuple[Term, ...] = (
    distribution("N(0,1)"),
    distribution("N(20,4)"),
    distribution("U(18,23)"),
    distribution("N(1,-1)"),
    Literal("20", XSD_INTEGER),
    Literal("0.5", XSD_DECIMAL),
)
TRIPLES = [Triple(iri(s), iri(p), o) for s in "ab" for p in "pq" for o in OBJECTS]


def condition(random: Random) -> Expression:
    """A condition on ?d and ?e that may be an error: of sums, of probabilities, negated."""

    def operand(*choices: Expression) -> Expression:
        return random.choice(choices)

    def call(name: str, *arguments: Expression) -> Expression:
        return FunctionCall(IRI(RSPU + name), arguments)

    number = Literal(random.choice(("0", "19", "21")), XSD_INTEGER)
    total = call(random.choice(("add", "subtract")), D, operand(D, E, number))
    match random.randrange(3):
        case 0:
            probability = call("lessThan", operand(D, total), operand(E, number))
        case 1:
            probability = call("greaterThanOrEqual", operand(D, E), operand(D, number, OBJECTS[2]))
        case _:
            probability = call("between", operand(D, E), Literal("0", XSD_INTEGER), operand(D, E))
    level = Literal(random.choice(("0.31", "0.63")), XSD_DECIMAL)
    test = Operation(random.choice("<>"), (probability, level))
    return Operation("!", (test,)) if random.random() < 0.3 else test


def pattern(random: Random, *variables: Variable) -> Pattern:
    return BGP(tuple(TriplePattern(S, iri(random.choice("pq")), v) for v in variables))


def instance(law: Law, random: Random) -> Binding | None:
    """What satisfies LAW's condition, out of patterns and uncertain conditions."""
    bound: dict[str, MetavariableValue] = {}
    names: dict[str, MetavariableValue] = {"n": iri("w"), "m": iri("v")}
    for name in law.metavariables:
        if name.startswith("P"):
            bound[name] = pattern(random, *random.choice(((D, E), (D, E), (D,), (F,))))
        elif name.startswith("R"):
            bound[name] = condition(random)
        elif name.startswith("t"):
            bound[name] = TriplePattern(S, iri(random.choice("pq")), random.choice((D, E)))
        else:
            bound[name] = names[name]
    binding = Binding(**bound)
    return binding if law.holds_for(binding, BAGS) else None


def dataset(random: Random, semantics: str) -> Dataset:
    def graph() -> GraphBag:
        triples = random.sample(TRIPLES, 9)
        return GraphBag(triples + (triples[:2] if semantics == BAGS else []))

    windows = {iri(name): WindowDataset(graph()) for name in "wv"}
    return Dataset(graph(), windows=windows)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("semantics", (SETS, BAGS))
@pytest.mark.parametrize("law", CHOSEN, ids=lambda law: law.name)
def test_reordering_uncertainty_filters_changes_no_answer(
    law: Law, semantics: str, way: Way
) -> None:
    random = Random(f"{law.name} {semantics}")
    told = tried = 0
    while tried < 40:
        binding = instance(law, random)
        if binding is None:
            continue
        tried += 1
        data = dataset(random, semantics)
        left, right = (solved(side, data, way) for side in (law.left(binding), law.right(binding)))
        assert bag(left) == bag(right), binding
        told += bool(left.rows)
    assert told >= 5


def solved(side: Pattern, data: Dataset, way: Way) -> Relation:
    return solutions(Query(side), data, way)
