"""Requests as docs/protocol.md has them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from rsp_conformance.model.appended import END
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple
from rsp_conformance.protocol.requests import run_request
from rsp_conformance.text.ntriples import parse_nquads, parse_ntriples
from rsp_conformance.text.parse import parse_query
from tests.generators.values import cases

a, g, s1, s2 = (IRI(f"urn:{name}") for name in ("a", "g", "s1", "s2"))
fact = Triple(a, a, Literal("1"))
other = Triple(BlankNode("b"), a, a)
QUERY = "ASK FROM WINDOW <urn:w> ON <urn:s2> [RANGE 5] {}"
LINE = '<urn:a> <urn:a> "1" .\n'


def sent(case: Case, dials: Dials | None = None, **options: Any) -> dict[str, Any]:
    message = run_request(case, dials or Dials(), id="c1", query_text="the text", **options)
    return json.loads(json.dumps(message))  # type: ignore[no-any-return]


def test_a_whole_request() -> None:
    case = Case(
        parse_query(QUERY),
        elements=(StreamElement(s1, 3, (fact, other)), StreamElement(s2, 3, (fact,))),
        background=Background(
            (
                BackgroundEntry((fact,)),
                BackgroundEntry((other,), g, 2, 13),
                BackgroundEntry((fact,), g),
                BackgroundEntry((fact,), None, 2, 13),
                BackgroundEntry((fact,), None, 2, None),
            )
        ),
        registered=1,
        until=9,
    )
    assert sent(case, Dials(unit=1000), pacing="settled") == {
        "op": "run",
        "id": "c1",
        "query": "the text",
        "streams": ["urn:s2", "urn:s1"],
        "registered": 1,
        "until": 9,
        "unit": 1000,
        "pacing": "settled",
        "static": [
            {"quads": LINE + LINE.replace(" .", " <urn:g> .")},
            {"from": 2, "until": 13, "quads": "_:b <urn:a> <urn:a> <urn:g> .\n" + LINE},
            {"from": 2, "quads": LINE},
        ],
        "elements": [
            {"stream": "urn:s1", "t": 3, "graph": LINE + "_:b <urn:a> <urn:a> .\n"},
            {"stream": "urn:s2", "t": 3, "graph": LINE},
        ],
    }


@given(cases)
def test_time_is_made_to_pass_beyond_until(case: Case) -> None:
    by_clock, by_elements = sent(case), sent(case, advances="elements")
    own = len(case.elements)
    assert by_clock["elements"] == by_elements["elements"][:own]
    last = case.elements[-1].t if case.elements else 0
    assert by_elements["elements"][own:] == [
        {
            "stream": stream,
            "t": max(case.until + 1, last),
            "graph": "<urn:rsp:end> <urn:rsp:end> <urn:rsp:end> .\n",
        }
        for stream in by_elements["streams"]
    ]
    times = [element["t"] for element in by_elements["elements"]]
    assert times == sorted(times)
    assert END.value == "urn:rsp:end"


@given(cases)
def test_a_request_says_the_whole_case(case: Case) -> None:
    message = sent(case)
    assert message["streams"] == [stream.value for stream in case.streams]
    assert [tuple(parse_ntriples(e["graph"])) for e in message["elements"]] == [
        e.graph for e in case.elements
    ]
    names = [e.name for e in case.elements]
    assert [e.get("name") for e in message["elements"]] == [
        None if n is None else n.value if isinstance(n, IRI) else f"_:{n.label}" for n in names
    ]
    assert ("stamp" in message) is any(name is not None for name in names)
    if "stamp" in message:
        stamp = case.stamp
        assert message["stamp"] == {
            "predicate": stamp.predicate.value,
            "datatype": stamp.datatype.value,
        }
    for t in range(12):
        default, named = case.background.at(t)
        due = {(triple, None) for triple in default}
        due |= {(triple, name) for name, graph in named.items() for triple in graph}
        said = {
            quad
            for entry in message["static"]
            if entry.get("from", t) <= t <= entry.get("until", t)
            for quad in parse_nquads(entry["quads"])
        }
        assert said == due
    intervals = [(e.get("from"), e.get("until")) for e in message["static"]]
    assert len(set(intervals)) == len(intervals)


def test_triple_terms() -> None:
    case = Case(parse_query(QUERY), (StreamElement(s1, 1, (Triple(fact, a, fact),)),), until=2)
    quoted = '<< <urn:a> <urn:a> "1" >>'
    term = '<<( <urn:a> <urn:a> "1" )>>'
    assert sent(case)["elements"][0]["graph"] == f"{quoted} <urn:a> {quoted} .\n"
    assert sent(case, triple_terms=True)["elements"][0]["graph"] == f"{term} <urn:a> {term} .\n"
