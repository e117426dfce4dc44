"""What tests of endless evaluations share: a query as a case, and a limit soon reached."""

from __future__ import annotations

from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import StreamElement
from tests.builders.sparql import query
from tests.builders.terms import iri, triple

SECONDS = 0.15
NODES = [f":n{n}" for n in range(40)]
TRIPLES = (
    *(triple(f":s{n}", ":p", n) for n in range(40)),
    *(triple(a, ":q", b) for a, b in zip(NODES, [*NODES[1:], NODES[0]], strict=True)),
    triple(":long", ":r", "a" * 60 + "b"),
    triple(":a", ":r", "a" * 64),
)


def hostile(text: str) -> Case:
    """A case that asks a query, whose window holds TRIPLES at its only evaluation."""
    head, body = text.split(" {", 1)
    body, _, tail = body.rpartition("}")
    window = f"FROM NAMED WINDOW :w ON STREAM :st [RANGE 2 STEP 2] {{ WINDOW :w {{ {body} }} }}"
    asked = query(f"{head} {window} {tail}")
    return Case(asked, (StreamElement(iri("st"), 1, TRIPLES),), until=2, streams=(iri("st"),))
