"""The reference engine computes what the specification does, of values of every kind, or refuses.

The jury's questions are asked: all functions, operators, casts and aggregates, of integers beyond
64 bits, decimals of many digits, dateTimes of far years, ill-typed literals and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.answers import Content, Rows
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import BlankNode, Literal, Term, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag
from rsp_conformance.text.ntriples import write_ntriples
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import EX, PREFIXES, iri, triple
from tests.builders.wire import run_of
from tests.oracles import oxigraph
from tests.sparql.test_quoted_triples import DATA
from tools.jury.asking import opinions
from tools.jury.classes import Refused
from tools.jury.expressions import Question, data, name_of, questions, row_number, written
from tools.jury.expressions import query as query_text

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


def test_expressions() -> None:
    met = compare(range(10))
    assert met["judged"] > 0.8 * met["asked"], met


@pytest.mark.burnin
@pytest.mark.parametrize("first", range(1000, 2000, 100))
def test_many_expressions(first: int) -> None:
    assert compare(range(first, first + 100))["judged"]


# --- Quoted triples in the reference engine, whose store has none as subjects (RSP-QL*) -----------

NODE = triple("_:b", ":p", Literal("x", language="en"))
TAGGED = Triple(NODE, iri("q"), Triple(BlankNode("b"), iri("q"), NODE))


def asked(pattern: str, head: str = "SELECT ?x", tail: str = "", dials: Any = None) -> Content:
    """What the engine answers where the window holds all of DATA."""
    query = (
        f"{PREFIXES} {head} FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2] "
        f"WHERE {{ WINDOW :w {{ {pattern} }} }} {tail}"
    )
    graph = write_ntriples([*DATA.counts, TAGGED])
    element = {"stream": EX + "s", "t": 1, "graph": graph}
    request = run_of(query, element, element, until=4, unit=1)
    reply = ReferenceEngine({"t0": "first"} | (dials or {})).run(request)
    assert "answers" in reply, reply
    return ANSWERS.read(Content, reply["answers"][0], "answer")


def bag(content: Content) -> Counter[frozenset[tuple[str, object]]]:
    assert isinstance(content, Rows)
    return Counter(frozenset(solution.items()) for solution in content.solutions())


def test_blank_nodes_and_quoted_triples_are_themselves_alone() -> None:
    (solution,) = bag(asked("<< ?b :p ?l >> :q << ?b :q ?t >>", "SELECT ?b ?t"))
    assert dict(solution) == {"b": BlankNode("b"), "t": NODE}
    assert not bag(asked(":b :p ?x"))
    told = asked("?x :q ?t FILTER(?t = :p || ?t IN (:b, << :b :p 1 >>))", "SELECT ?x ?t")
    assert not bag(told)


def test_iris_like_those_that_stand_for_quoted_triples_are_refused() -> None:
    graph = f"<urn:x-rsp:quoted:a> <{EX}p> <{EX}b> .\n"
    query = (
        "SELECT * FROM NAMED WINDOW <urn:w> ON STREAM <urn:s> [RANGE 1] "
        "{ WINDOW <urn:w> { ?s ?p ?o } }"
    )
    element = {"stream": "urn:s", "t": 1, "graph": graph}
    error = ReferenceEngine().run(run_of(query, element, streams=["urn:s"], unit=1))["error"]
    assert error["kind"] == "unsupported" and "urn:x-rsp:quoted:" in error["message"]
