"""The reference engine computes what the specification does, of values of every kind, or refuses.

The jury's questions are asked: all functions, operators, casts and aggregates, of integers beyond
64 bits, decimals of many digits, dateTimes of far years, ill-typed literals and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from rsp_conformance.model.answers import Rows
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import Literal, Term
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.spec.evaluate import solutions
from rsp_conformance.text.parse import parse_query
from tests.builders.sparql import graph, query
from tests.builders.terms import iri
from tests.oracles import oxigraph
from tools.jury.asking import opinions
from tools.jury.classes import Refused
from tools.jury.expressions import Question, data, name_of, questions, row_number, written
from tools.jury.expressions import query as query_text
from tools.jury.terms import term_of

ROWS = 12


def answered(question: Question) -> Iterator[tuple[Question, int, list[Term | None]]]:
    """Each row or group of QUESTION with what the calls yield, those apart that are refused."""
    parsed = parse_query(query_text(question, 0))
    try:
        found = oxigraph.solutions(parsed, Dataset(GraphBag(data([question]))))
    except Unsupported:
        if question.size > 1:
            for part in halves(question):
                yield from answered(part)
        return
    for row in found.rows:
        yield question, row_number(row[0]), [*row[1:]]


def halves(question: Question) -> list[Question]:
    groups = question.groups or tuple(range(len(question.rows)))
    middle = sorted(set(groups))[question.size // 2]
    halves = []
    for wanted in (lambda group: group < middle, lambda group: group >= middle):
        places = [place for place, group in enumerate(groups) if wanted(group)]
        first = groups[places[0]]
        halves.append(
            replace(
                question,
                rows=tuple(question.rows[place] for place in places),
                groups=question.groups and tuple(groups[place] - first for place in places),
            )
        )
    return halves


def compare(seeds: range) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in seeds:
        for question in questions(Random(seed), ROWS):
            met["asked"] += question.size
            for part, number, values in answered(question):
                opinion = opinions(part)[number]
                for call, ours, open_, theirs in zip(
                    part.calls, opinion.values, opinion.left_open, values, strict=True
                ):
                    if open_ or isinstance(ours, Refused):
                        met["open"] += 1
                        break  # and so is what is made of it
                    name = name_of(call)
                    shown = part.rows[number] if part.groups is None else part.rows
                    text = f"{written(call)} {shown}: {ours!r}, reference {theirs!r}"
                    assert same(name, ours, theirs), text
                    met["judged"] += 1
    return met


def same(name: str, ours: object, theirs: Term | None) -> bool:
    if name == "LANG" and isinstance(ours, Literal):
        # The store keeps tags in lower case, as RDF 1.1 allows (Concepts, 3.3).
        ours = Literal(ours.lexical.lower())
    return ours == theirs


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_expressions(first: int) -> None:
    met = compare(range(first, first + 10))
    assert met["judged"] > 0.8 * met["asked"], met


@pytest.mark.burnin
@pytest.mark.parametrize("first", range(1000, 2000, 100))
def test_many_expressions(first: int) -> None:
    assert compare(range(first, first + 100))["judged"]


KINDS = ["integer", "derived", "decimal", "float", "double", "boolean", "dateTime", "plain"]
ORDERS = ["?o", "DESC(?o)", "?o ?s", "(?o + 1)", "(- ?o)", "STR(?o)"]
MODIFIED = [
    "SELECT ?s ?o { ?s :p ?o } ORDER BY {order}",
    "SELECT ?o (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?o",
    "SELECT ?s (SUM(?o) AS ?n) { ?s :p ?o } GROUP BY ?s HAVING (MAX(?o) > 1)",
    "SELECT DISTINCT ?o { ?s :p ?o }",
    "SELECT ?s ?t { ?s :p ?o . ?t :p ?o }",
    "SELECT ?s ?t { ?s :p ?o . ?t :p ?u FILTER(?o <= ?u) }",
    "SELECT ?s ?t { ?s :p ?o . ?t :p ?u FILTER(?o IN (?u, 2, 'a')) }",
]


@pytest.mark.parametrize("seed", range(7))
def test_modifiers_and_joins(seed: int) -> None:
    random, met = Random(seed), Counter[str]()
    for _ in range(150):
        kinds = random.sample(KINDS[:5], 2) if random.random() < 0.5 else [random.choice(KINDS)]
        subjects = [iri(random.choice("abc")) for _ in range(random.randrange(6))]
        triples = [(s, iri("p"), term_of(kinds, random)) for s in subjects]
        text = MODIFIED[seed].replace("{order}", random.choice(ORDERS))
        asked, dataset = query(text), Dataset(graph(*triples))
        ours = solutions(asked, dataset)
        if ours.undetermined:
            met["open"] += 1
            continue
        theirs = oxigraph.solutions(asked, dataset)
        expected = Rows(ours.variables, tuple(ours.rows), ours.ties and tuple(ours.ties))
        found = Rows(theirs.variables, tuple(theirs.rows))
        assert difference(expected, found, "term") is None, f"{text} {triples}\n{ours}\n{theirs}"
        met["judged"] += 1
    assert met["judged"] > 90, met
