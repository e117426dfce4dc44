"""The rsp-js driver speaks the protocol, refuses by name, and forgets one case before the next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.protocol import (
    EngineUnavailable,
    FeedLost,
    ProtocolEngine,
    Reply,
    VersionMismatch,
    read_hello,
)
from tests.adapters.rsp_js.asking import (
    DRIVER,
    EX,
    MODULES,
    NEEDED,
    NODE,
    OTHER,
    PATTERN,
    Rows,
    answers,
    case,
    element,
    query,
    refused,
    rows_of,
    window,
)
from tests.builders.command_line import program
from tests.builders.wire import opened

pytestmark = NEEDED


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProtocolEngine]:
    """The driver, in a folder of its own that must stay empty."""
    folder = tmp_path_factory.mktemp("cwd")
    command = [NODE or "node", str(DRIVER), "--modules", str(MODULES)]
    with ProtocolEngine(command, cwd=folder) as started:
        yield started
    assert list(folder.iterdir()) == []


def test_hello(engine: ProtocolEngine) -> None:
    hello = engine.hello()
    assert (hello.engine, hello.version) == ("rsp-js", "1.3.5")
    assert (hello.language, hello.dialect) == (
        "rsp-ql",
        {"duration": "instants", "explicit_step": True},
    )
    assert (hello.answers, hello.advances, hello.parallel) == ("evaluations", "elements", 1)
    assert hello.pieces
    assert {"select", "aggregates", "multi-window", "static-data"} <= hello.features
    assert not hello.features & {"ask", "construct", "istream", "dstream", "time-varying-data"}


def test_lines_that_are_no_requests_are_answered_and_the_input_ends_it() -> None:
    lines = [
        '{"op": "hello", "protocol": 0}',
        "no json",
        "[]",
        '{"op": "dance"}',
        '{"op": "run"}',
        '{"op": "run", "id": "c"}',
        '{"op": "run", "id": "c", "query": "", "elements": [{}]}',
        '{"op": "push", "id": "c", "elements": []}',
        '{"op": "hello", "protocol": 7}',
    ]
    ran = program(NODE, DRIVER, "--modules", MODULES, input="\n".join(lines), timeout=60)
    *wrong, last = (json.loads(line) for line in ran.well.splitlines())
    kinds = [message["error"]["kind"] for message in wrong]
    assert kinds == ["version", *["rejected"] * 2, "unsupported", *["rejected"] * 4]
    with pytest.raises(VersionMismatch):
        read_hello(wrong[0])
    assert read_hello(last).engine == "rsp-js"


def test_an_engine_that_is_not_installed(tmp_path: Path) -> None:
    command = [NODE or "node", str(DRIVER), "--modules", str(tmp_path)]
    with (
        pytest.raises(EngineUnavailable, match="run rsp-conformance engines install rsp-js"),
        ProtocolEngine(command) as missing,
    ):
        missing.hello()


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (query(window(2, 2), head="ASK"), "unsupported", "SELECT only"),
        (query(window(2, 2), head="CONSTRUCT { ?s :p ?o }"), "unsupported", "SELECT only"),
        (query(window(2, 2), body="{{{"), "rejected", "Parse error"),
        (query(), "rejected", "no window"),
        (query(window(2, 2).replace("RANGE 2", "RANGE PT2S")), "rejected", "numbers only"),
        (query(window(2, 2).replace(" STEP 2", "")), "rejected", "no window"),
        (
            query(window(2, 2), window(2, 2, ":w2").replace("2]", "2 ]")),
            "rejected",
            "1 of the query's 2",
        ),
    ],
)
def test_queries_it_does_not_take(engine: ProtocolEngine, text: str, kind: str, said: str) -> None:
    failure = refused(engine, text, [element("a", 1)])
    assert failure.kind == kind
    assert said in failure.message


def test_elements_it_does_not_take(engine: ProtocolEngine) -> None:
    text = query(window(2, 2))
    # A stream of the request that the query does not read is none of the engine's business.
    assert engine.run(case(text, [element("a", 1), element("b", 2, "s2")])) == Reply("c", ())
    stray = refused(engine, text, [element("a", 1), element("b", 2, "s3")])
    assert (stray.kind, stray.element) == ("rejected", 1)
    broken = refused(engine, text, [element("a", 1, graph="<a b c")])
    assert (broken.kind, broken.element) == ("rejected", 0)
    named = refused(engine, text, [{**element("a", 1), "name": EX + "g"}])
    assert named.kind == "unsupported"
    bounded = refused(engine, text, [], static=[{"from": 2, "quads": ""}])
    assert bounded.kind == "unsupported"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("<http://ex.org/no-function>(?o)", "no-function"),
        ('TRIPLE("x", ?p, ?o)', "a quoted triple that is not RDF-star"),
        ("TRIPLE(?s, 1, ?o)", "a quoted triple that is not RDF-star"),
    ],
)
def test_an_error_in_an_evaluation_is_a_crash_and_the_driver_lives_on(
    engine: ProtocolEngine, call: str, said: str
) -> None:
    text = query(
        window(2, 2), body=f"WINDOW :w {{\n?s ?p ?o BIND({call} AS ?x)\n}}", head="SELECT ?x"
    )
    engine.hello()
    before = engine.pid()
    crash = refused(engine, text, [element("a", 1), element("b", 3)])
    assert crash.kind == "crashed"
    assert said in crash.message
    assert answers(engine, query(window(2, 2)), [element("a", 1), element("b", 3)])
    assert engine.pid() == before


def pieces(
    engine: ProtocolEngine, text: str, *pushes: Sequence[dict[str, Any]]
) -> list[dict[int, Rows]]:
    """The answers of each push by their cause."""
    with engine.feed(opened(case(text, []))) as feed:
        assert feed.incremental
        found: list[dict[int, Rows]] = []
        for elements in pushes:
            found.append({})
            for answer in feed.push(elements):
                assert isinstance(answer.cause, int)
                found[-1][answer.cause] = sorted(
                    (row["s"]["value"].removeprefix(EX),) for row in rows_of(answer)
                )
        assert feed.close() == ()
    return found


def test_answers_come_with_the_piece_that_closes_their_window(engine: ProtocolEngine) -> None:
    elements = [element(f"e{t}", t) for t in range(8)]
    text = query(window(4, 2))
    whole = answers(engine, text, elements)
    pid = engine.pid()
    assert pieces(engine, text, elements[:4], elements[4:5], [], elements[5:]) == [
        {3: whole[3]},
        {},
        {},
        {5: whole[5], 7: whole[7]},
    ]
    assert pieces(engine, text, elements) == [whole]
    assert engine.pid() == pid
    # What the engine loses once answers are awaited it loses between two pieces too.
    elements = [element(n, t) for n, t in (("a", 0), ("b", 3), ("c", 9), ("d", 13))]
    text = query(window(4, 2))
    assert pieces(engine, text, *([e] for e in elements)) == [{}, {1: [("a",)]}, {}, {3: [("c",)]}]


def test_pieces_that_go_wrong(engine: ProtocolEngine) -> None:
    text = query(window(2, 2))
    with pytest.raises(FeedLost) as lost:
        pieces(engine, text, [element("a", 1)], [element("b", 2, "s3")])
    assert (lost.value.failure.kind, lost.value.failure.element) == ("rejected", 1)
    with pytest.raises(FeedLost) as lost:
        pieces(engine, query(), [element("a", 1)])
    assert lost.value.failure.kind == "rejected"
    body = "WINDOW :w {\n?s :p ?o BIND(<http://ex.org/no-function>(?o) AS ?x)\n}"
    with pytest.raises(FeedLost) as lost:
        pieces(engine, query(window(2, 2), body=body), [element("a", 1)], [element("b", 3)])
    assert lost.value.failure.kind == "crashed"


def test_every_case_meets_a_fresh_engine(engine: ProtocolEngine) -> None:
    text = query(window(2, 2))
    static = [{"quads": f"<{EX}z> <{EX}p> <{EX}o> .\n"}]
    before = answers(engine, text, [element("a", 1), element("b", 3)], static=static)
    requests = [
        {**case(text, [element(f"a{n}", 1), element("b", 3)]), "id": f"c{n}"} for n in range(100)
    ]
    for name, outcome in engine.run_many(requests):
        assert isinstance(outcome, Reply)
        (answer,) = outcome.answers
        assert rows_of(answer) == [{"s": {"type": "uri", "value": f"{EX}a{name[1:]}"}}]
    assert answers(engine, text, [element("a", 1), element("b", 3)], static=static) == before


def test_in_a_burst_evaluations_overtake_one_another(engine: ProtocolEngine) -> None:
    body = "{\n" + PATTERN + "\n} UNION {\n" + OTHER + "\n}"
    text = query(window(2, 2), window(2, 2, ":w2", ":s2"), body=body, head="SELECT ?s ?s2")
    moments = [(0, "s1 s2"), (2, "s1 s2"), (3, "s1 s2"), (5, "s1 s2"), (7, "s2"), (8, "s1")]
    elements = [
        element(f"{stream}-{t}", t, stream) for t, streams in moments for stream in streams.split()
    ]
    emitted = list(answers(engine, text, elements))
    settled = list(answers(engine, text, elements, pacing="settled"))
    assert settled == sorted(settled)
    command = [NODE or "node", str(DRIVER), "--modules", str(MODULES), "--order", "evaluation"]
    with ProtocolEngine(command) as ordered:
        begun = list(answers(ordered, text, elements))
    assert begun == sorted(emitted)
    assert emitted != begun


# --- what the engine does right by it; what it does wrong is recorded (tools/engines) -------------


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


def test_gaps_and_elements_of_several_triples(engine: ProtocolEngine) -> None:
    elements = [element(f"e{t}", t) for t in range(12)]
    found = answers(engine, query(window(2, 5)), elements)
    assert found == {6: [("e3",), ("e4",)], 11: [("e8",), ("e9",)]}
    both = "".join(element(name, 1)["graph"] for name in "ab")
    elements = [element("", 1, graph=both), element("", 3, graph=both), element("c", 5)]
    for pacing in ("burst", "settled"):
        found = answers(engine, query(window(2, 2)), elements, pacing=pacing)
        assert found == {1: [("a",), ("b",)], 2: [("a",), ("b",)]}


def test_evaluations_without_rows_end_too(engine: ProtocolEngine) -> None:
    body = PATTERN.replace(":p", ":q")
    elements = [element("a", 1), element("b", 3)]
    assert answers(engine, query(window(2, 2), body=body), elements) == {}
    count = query(window(2, 2), body=body, head="SELECT (COUNT(*) AS ?n)")
    assert answers(engine, count, elements) == {1: [("0",)]}
    # Its result may have ended before anybody listens, and nothing says so again.
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
