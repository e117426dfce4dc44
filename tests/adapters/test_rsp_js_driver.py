"""The rsp-js driver: it speaks the protocol, and shows what the engine does, right and wrong.

Needs node and the installed engine (`rsp-conformance engines install rsp-js`), which is looked
for in the folder that `RSP_CONFORMANCE_RSP_JS` names, or in the per-user one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import platformdirs
import pytest

import rsp_conformance.adapters.rsp_js as adapter
from rsp_conformance.files.results_json import solutions_to_json
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.answers import Rows as ModelRows
from rsp_conformance.protocol import (
    EngineUnavailable,
    Failure,
    FeedLost,
    ProtocolEngine,
    Reply,
    VersionMismatch,
    read_hello,
)

DRIVER = Path(adapter.__file__).with_name("driver.js")
MODULES = Path(
    os.environ.get("RSP_CONFORMANCE_RSP_JS")
    or Path(platformdirs.user_data_dir("rsp-conformance")) / "rsp-js"
)
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(
        not (MODULES / "node_modules" / "rsp-js").is_dir(),
        reason="rsp-js is not installed: run rsp-conformance engines install rsp-js",
    ),
]

EX = "http://ex.org/"
Rows = list[tuple[str, ...]]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProtocolEngine]:
    """The driver, in a folder of its own that must stay empty."""
    folder = tmp_path_factory.mktemp("cwd")
    command = [NODE or "node", str(DRIVER), "--modules", str(MODULES)]
    with ProtocolEngine(command, cwd=folder) as started:
        yield started
    assert list(folder.iterdir()) == []


def window(width: int, slide: int, name: str = ":w", stream: str = ":s1") -> str:
    """A window line."""
    return f"FROM NAMED WINDOW {name} ON STREAM {stream} [RANGE {width} STEP {slide}]"


PATTERN = "WINDOW :w {\n?s :p ?o\n}"
OTHER = "WINDOW :w2 {\n?s2 :p ?o2\n}"


def query(*windows: str, body: str = PATTERN, head: str = "SELECT ?s", tail: str = "") -> str:
    """A query in the lines that the parser takes."""
    return "\n".join(
        [
            "PREFIX : <http://ex.org/>",
            "REGISTER RStream <http://ex.org/out> AS",
            head,
            *windows,
            "WHERE {",
            body,
            "}",
            tail,
        ]
    )


def element(name: str, t: int, stream: str = "s1", graph: str = "") -> dict[str, Any]:
    """One element of the triple `:name :p :o`, or of a graph."""
    triple = f"<{EX}{name}> <{EX}p> <{EX}o> .\n"
    return {"stream": EX + stream, "t": t, "graph": graph or triple}


def case(text: str, elements: Sequence[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A whole request."""
    return {
        "op": "run",
        "id": "c",
        "query": text,
        "streams": [f"{EX}s1", f"{EX}s2"],
        "registered": 0,
        "until": 100,
        "unit": 1000,
        "pacing": "burst",
        "static": [],
        "elements": list(elements),
        **fields,
    }


def rows_of(answer: Observed) -> list[dict[str, Any]]:
    """The rows of an answer as the driver sent them."""
    return solutions_to_json(answer.content) if isinstance(answer.content, ModelRows) else []


def answers(engine: ProtocolEngine, *args: Any, **fields: Any) -> dict[int, Rows]:
    """The answers of a case by their cause, rows sorted, IRIs without their namespace."""
    outcome = engine.run(case(*args, **fields))
    assert isinstance(outcome, Reply), outcome
    found: dict[int, Rows] = {}
    for answer in outcome.answers:
        assert answer.t is None
        assert isinstance(answer.cause, int)
        assert answer.cause not in found
        found[answer.cause] = sorted(
            tuple(row[v]["value"].removeprefix(EX) for v in sorted(row)) for row in rows_of(answer)
        )
    return found


def refused(engine: ProtocolEngine, *args: Any, **fields: Any) -> Failure:
    """The failure of a case."""
    outcome = engine.run(case(*args, **fields))
    assert isinstance(outcome, Failure), outcome
    return outcome


# --- the protocol --------------------------------------------------------------------------


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
    done = subprocess.run(
        [NODE or "node", DRIVER, "--modules", MODULES, "--declare", "istream,x-own"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    *wrong, last = (json.loads(line) for line in done.stdout.splitlines())
    kinds = [message["error"]["kind"] for message in wrong]
    assert kinds == ["version", *["rejected"] * 2, "unsupported", *["rejected"] * 4]
    with pytest.raises(VersionMismatch):
        read_hello(wrong[0])
    assert "istream" in read_hello(last).features


def test_an_engine_that_is_not_installed(tmp_path: Path) -> None:
    command = [NODE or "node", str(DRIVER), "--modules", str(tmp_path)]
    with (
        pytest.raises(EngineUnavailable, match="run rsp-conformance engines install rsp-js"),
        ProtocolEngine(command) as missing,
    ):
        missing.hello()


# --- refusals ------------------------------------------------------------------------------


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


def test_an_error_in_an_evaluation_is_a_crash_and_the_driver_lives_on(
    engine: ProtocolEngine,
) -> None:
    body = "WINDOW :w {\n?s :p ?o BIND(<http://ex.org/no-function>(?o) AS ?x)\n}"
    crash = refused(engine, query(window(2, 2), body=body), [element("a", 1), element("b", 3)])
    assert crash.kind == "crashed"
    assert "no-function" in crash.message
    assert answers(engine, query(window(2, 2)), [element("a", 1), element("b", 3)])


# --- what it does by design ----------------------------------------------------------------


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


# --- what it gets wrong --------------------------------------------------------------------


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


# --- cases in pieces -----------------------------------------------------------------------


def pieces(
    engine: ProtocolEngine, text: str, *pushes: Sequence[dict[str, Any]]
) -> list[dict[int, Rows]]:
    """The answers of each push by their cause."""
    opening = {k: v for k, v in case(text, []).items() if k != "elements"}
    with engine.feed({**opening, "op": "open"}) as feed:
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


def test_the_engine_is_quiet_after_each_piece(engine: ProtocolEngine) -> None:
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


# --- state and memory ----------------------------------------------------------------------


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
