"""What rsp-js does right by its driver; what it does wrong is recorded (tools/engines)."""

from __future__ import annotations

from typing import Any

import pytest

from rsp_conformance.protocol import ProtocolEngine, Reply
from tests.adapters.rsp_js.asking import (
    EX,
    NEEDED,
    PATTERN,
    answers,
    case,
    element,
    query,
    rows_of,
    window,
)

pytestmark = NEEDED


@pytest.mark.parametrize("pacing", ["burst", "settled"])
def test_windows_are_closed_open_aligned_and_reported_late(
    engine: ProtocolEngine, pacing: str
) -> None:
    elements = [element(f"e{t}", t) for t in range(8)]
    found = answers(engine, query(window(4, 2)), elements, pacing=pacing)
    assert found == {
        3: [("e0",), ("e1",)],
        5: [("e0",), ("e1",), ("e2",), ("e3",)],
        7: [("e2",), ("e3",), ("e4",), ("e5",)],
    }


def test_gaps(engine: ProtocolEngine) -> None:
    elements = [element(f"e{t}", t) for t in range(12)]
    found = answers(engine, query(window(2, 5)), elements)
    assert found == {6: [("e3",), ("e4",)], 11: [("e8",), ("e9",)]}


def test_elements_of_several_triples_enter_whole(engine: ProtocolEngine) -> None:
    both = "".join(element(name, 1)["graph"] for name in "ab")
    elements = [element("", 1, graph=both), element("", 3, graph=both), element("c", 5)]
    for pacing in ("burst", "settled"):
        found = answers(engine, query(window(2, 2)), elements, pacing=pacing)
        assert found == {1: [("a",), ("b",)], 2: [("a",), ("b",)]}


def test_an_evaluation_without_rows_is_absent_and_a_count_of_nothing_is_zero(
    engine: ProtocolEngine,
) -> None:
    body = PATTERN.replace(":p", ":q")
    elements = [element("a", 1), element("b", 3)]
    assert answers(engine, query(window(2, 2), body=body), elements) == {}
    count = query(window(2, 2), body=body, head="SELECT (COUNT(*) AS ?n)")
    assert answers(engine, count, elements) == {1: [("0",)]}


def test_an_evaluation_that_is_ordered_and_has_no_rows_ends_too(engine: ProtocolEngine) -> None:
    """Its result may have ended before anybody listens, and nothing says so again."""
    integer = "http://www.w3.org/2001/XMLSchema#integer"

    def value(name: str, number: int, t: int) -> dict[str, Any]:
        graph = f'<{EX}{name}> <{EX}value> "{number}"^^<{integer}> .\n'
        return element("", t, graph=graph)

    body = "WINDOW :w {\n?s :value ?n .\n?s :p ?o .\n}"
    text = query(window(5, 2), head="SELECT ?n ?s", body=body, tail="ORDER BY DESC(?n) ?s")
    elements = [value("a", 1, 1), value("b", 3, 1), value("a", 2, 4), element("b", 4)]
    assert answers(engine, text, [*elements, value("a", 2, 7)]) == {4: [("3", "b")]}


def test_static_data_joins_outside_the_window_and_is_invisible_inside(
    engine: ProtocolEngine,
) -> None:
    static = [{"quads": f"<{EX}a> <{EX}p> <{EX}owner> .\n"}]
    elements = [element("a", 1), element("b", 1), element("c", 3)]
    inside = answers(engine, query(window(2, 2)), elements, static=static)
    assert inside == {2: [("a",), ("b",)]}
    body = PATTERN + "\n?s :p ?owner ."
    outside = query(window(2, 2), body=body, head="SELECT ?s ?owner")
    assert answers(engine, outside, elements, static=static) == {2: [("owner", "a")]}


def test_lexical_forms_and_blank_nodes_are_kept(engine: ProtocolEngine) -> None:
    integer = "http://www.w3.org/2001/XMLSchema#integer"
    graph = f'_:b <{EX}p> "007"^^<{integer}> .\n_:b <{EX}q> "chat"@fr .\n'
    body = "WINDOW :w {\n?s :p ?o ; :q ?l\n}\n?s :r ?z ."
    outcome = engine.run(
        case(
            query(window(2, 2), body=body, head="SELECT *"),
            [element("", 1, graph=graph), element("x", 3)],
            static=[{"quads": f"_:b <{EX}r> <{EX}same> .\n"}],
        )
    )
    assert isinstance(outcome, Reply)
    ((row,),) = (rows_of(answer) for answer in outcome.answers)
    assert row["o"] == {"type": "literal", "value": "007", "datatype": integer}
    assert row["l"] == {"type": "literal", "value": "chat", "xml:lang": "fr"}
    assert row["s"]["type"] == "bnode"
