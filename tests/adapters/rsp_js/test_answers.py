"""What rsp-js does by its driver, right and wrong."""

from __future__ import annotations

from typing import Any

import pytest

from rsp_conformance.protocol import (
    ProtocolEngine,
    Reply,
)
from tests.adapters.rsp_js.asking import (
    EX,
    NEEDED,
    OTHER,
    PATTERN,
    Rows,
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


def test_closed_windows_are_lost_after_a_jump(engine: ProtocolEngine) -> None:
    elements = [element(n, t) for n, t in (("a", 1), ("b", 3), ("c", 4), ("d", 7))]
    found = answers(engine, query(window(2, 2)), elements)
    assert found == {1: [("a",)], 3: [("c",)]}  # b, of [2,4), never appears


def test_t0_drifts_once_answers_are_awaited(engine: ProtocolEngine) -> None:
    elements = [element(n, t) for n, t in (("a", 0), ("b", 3), ("c", 9), ("d", 13))]
    text = query(window(4, 2))
    assert answers(engine, text, elements) == {1: [("a",)], 2: [("b",)], 3: [("c",)]}
    assert answers(engine, text, elements, pacing="settled") == {1: [("a",)], 3: [("c",)]}


def test_istream_is_ignored(engine: ProtocolEngine) -> None:
    elements = [element(n, t) for n, t in (("a", 1), ("b", 3), ("c", 5))]
    text = query(window(4, 2))
    found = answers(engine, text.replace("RStream", "IStream"), elements)
    assert found == answers(engine, text, elements)
    assert ("a",) in found[1]
    assert ("a",) in found[2]


def test_a_second_window_on_a_stream_overwrites_the_first(engine: ProtocolEngine) -> None:
    body = "{\n" + PATTERN + "\n} UNION {\n" + OTHER + "\n}"
    text = query(window(4, 2), window(2, 2, ":w2"), body=body, head="SELECT ?s ?s2")
    found = engine.run(case(text, [element(f"e{t}", t) for t in range(6)]))
    assert isinstance(found, Reply)
    bound = {variable for a in found.answers for row in rows_of(a) for variable in row}
    assert bound == {"s2"}


def test_a_join_reads_the_other_window_at_the_wrong_instant(engine: ProtocolEngine) -> None:
    # When [0,4) closes, the other window's content is taken as of its last change, at 1.
    elements = [
        element("a", 0),
        element("x", 1, "s2"),
        element("b", 1),
        element("y", 2, "s2"),
        element("z", 3, "s2"),
        element("c", 5),
    ]
    text = query(
        window(4, 4),
        window(2, 2, ":w2", ":s2"),
        body=PATTERN + "\n" + OTHER,
        head="SELECT ?s ?s2",
    )
    found = answers(engine, text, elements, pacing="settled")
    assert found == {4: [("a", "x"), ("b", "x")]}  # and nothing with y or z at 5


@pytest.mark.parametrize(
    ("head", "body", "tail", "seen"),
    [
        ("SELECT ?s", "?s :p ?o", "LIMIT 0", [("a",)]),
        ("SELECT ?s", "?s :p ?o OPTIONAL { ?s :p ?x FILTER(?x = :none) }", "", None),
        ("SELECT ?s", "OPTIONAL { ?s :none ?x } ?s :p ?o", "", None),
        ("SELECT ?e", "?s :p ?o BIND(EXISTS { ?s :p ?x } AS ?e)", "", [("false",)]),
        ("SELECT (COUNT(?x) AS ?n)", "?s :p ?o OPTIONAL { ?s :none ?x }", "", [()]),
        ("SELECT (MIN(?o) AS ?n)", "?s :p ?o", "", [()]),
    ],
)
def test_sparql_that_its_evaluator_gets_wrong(
    engine: ProtocolEngine, head: str, body: str, tail: str, seen: Rows | None
) -> None:
    text = query(window(2, 2), body="WINDOW :w {\n" + body + "\n}", head=head, tail=tail)
    found = answers(engine, text, [element("a", 1), element("b", 3)])
    assert found == ({} if seen is None else {1: seen})
