"""Quoted triples in the reference engine, whose store has none as subjects (RSP-QL*).

That it answers as the specification does is held by `tests/judges`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.answers import Content, Rows
from rsp_conformance.model.terms import BlankNode, Literal, Triple
from rsp_conformance.text.ntriples import write_ntriples
from tests.builders.terms import EX, PREFIXES, iri, triple
from tests.sparql.test_quoted_triples import DATA

NODE = triple("_:b", ":p", Literal("x", language="en"))
TAGGED = Triple(NODE, iri("q"), Triple(BlankNode("b"), iri("q"), NODE))


def asked(pattern: str, head: str = "SELECT ?x", tail: str = "", dials: Any = None) -> Content:
    """What the engine answers where the window holds all of DATA."""
    query = (
        f"{PREFIXES} {head} FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2] "
        f"WHERE {{ WINDOW :w {{ {pattern} }} }} {tail}"
    )
    graph = write_ntriples([*DATA.counts, TAGGED])
    request = {
        "op": "run", "id": "c", "query": query, "streams": [EX + "s"], "registered": 0,
        "until": 4, "unit": 1, "pacing": "burst", "static": [],
        "elements": [{"stream": EX + "s", "t": 1, "graph": graph}] * 2,
    }  # fmt: skip
    reply = ReferenceEngine({"t0": "first"} | (dials or {})).run(request)
    assert "answers" in reply, reply
    return ANSWERS.read(Content, reply["answers"][0], "answer")


def bag(content: Content) -> Counter[frozenset[tuple[str, object]]]:
    assert isinstance(content, Rows)
    return Counter(frozenset(solution.items()) for solution in content.solutions())


def test_blank_nodes_keep_their_identity_within_quoted_triples() -> None:
    (solution,) = bag(asked("<< ?b :p ?l >> :q << ?b :q ?t >>", "SELECT ?b ?t"))
    assert dict(solution) == {"b": BlankNode("b"), "t": NODE}


def test_a_quoted_triple_is_not_asserted() -> None:
    assert not bag(asked(":b :p ?x"))


def test_iris_like_those_that_stand_for_quoted_triples_are_refused() -> None:
    graph = f"<urn:x-rsp:quoted:a> <{EX}p> <{EX}b> .\n"
    request = {
        "op": "run", "id": "c", "query": "SELECT * FROM NAMED WINDOW <urn:w> ON STREAM <urn:s> "
        "[RANGE 1] { WINDOW <urn:w> { ?s ?p ?o } }", "streams": ["urn:s"], "registered": 0,
        "until": 4, "unit": 1, "elements": [{"stream": "urn:s", "t": 1, "graph": graph}],
    }  # fmt: skip
    error = ReferenceEngine().run(request)["error"]
    assert error["kind"] == "unsupported" and "urn:x-rsp:quoted:" in error["message"]
