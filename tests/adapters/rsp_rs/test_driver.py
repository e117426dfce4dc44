"""The real driver of rsp-rs: it keeps the protocol. What the engine does wrong by it is recorded.

It is the installed one (`rsp-conformance engines install rsp-rs`), or that which the environment
variable RSP_CONFORMANCE_RSP_RS names.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.rsp_rs import install
from rsp_conformance.protocol import FeedLost, ProtocolEngine, Reply
from tests.adapters.rsp_js.asking import (
    EX,
    PATTERN,
    answers,
    case,
    check_terms,
    element,
    query,
    refused,
    rows_of,
    window,
)
from tests.builders.command_line import program
from tests.builders.wire import opened

NAMED = os.environ.get("RSP_CONFORMANCE_RSP_RS")
DRIVER = Path(NAMED or install.driver())
pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(
        not (NAMED or install.installed()),
        reason="rsp-rs is not installed: run rsp-conformance engines install rsp-rs",
    ),
]


@pytest.fixture(scope="module")
def engine() -> Iterator[ProtocolEngine]:
    with ProtocolEngine([str(DRIVER)]) as started:
        yield started


@pytest.fixture(scope="module")
def threads() -> Iterator[ProtocolEngine]:
    with ProtocolEngine([str(DRIVER), "--threads"]) as started:
        yield started


def test_the_sources_pass_their_own_tests(tmp_path: Path) -> None:
    cargo = shutil.which("cargo")
    if not (cargo and os.environ.get("CARGO_TARGET_DIR")):
        pytest.skip("CARGO_TARGET_DIR names no build of it, and a build takes a minute")
    install.write_crate(cargo, tmp_path)
    command = (cargo, "test", "--release", "--quiet", *install.CONFIG)
    assert program(*command, cwd=tmp_path, timeout=600).status == 0


# --- the protocol --------------------------------------------------------------------------------


@pytest.mark.parametrize("pacing", ["burst", "settled"])
def test_windows_close_every_slide_from_the_first_element_on(
    engine: ProtocolEngine, pacing: str
) -> None:
    elements = [element(f"e{t}", t) for t in range(1, 8)]
    assert answers(engine, query(window(4, 2)), elements, pacing=pacing) == {
        3: [("e1",), ("e2",)],
        5: [("e1",), ("e2",), ("e3",), ("e4",)],
    }


def test_every_kind_of_term_comes_back_to_the_letter(engine: ProtocolEngine) -> None:
    more = {
        "_:node": {"type": "bnode", "value": "node"},
        '""': {"type": "literal", "value": ""},
        '"près"@fr-BE': {"type": "literal", "value": "près", "xml:lang": "fr-be"},
    }
    assert check_terms(engine, query(window(2, 2), head="SELECT ?o"), until=4, more=more) == 1


def test_a_label_is_one_node_throughout_a_case(engine: ProtocolEngine) -> None:
    body = PATTERN + "\n?s :r ?z ."
    elements = [element("", t, graph=f"_:b <{EX}p> <{EX}o{t}> .\n") for t in (1, 2)]
    static = [{"quads": f"_:b <{EX}r> <{EX}same> .\n"}]
    text = query(window(2, 2), body=body, head="SELECT ?o ?z")
    found = answers(engine, text, [*elements, element("x", 4)], static=static)
    assert found == {2: [("o1", "same"), ("o2", "same")]}


def test_refusals(engine: ProtocolEngine) -> None:
    text = query(window(2, 2))
    for malformed in (
        text.replace("}", ""),
        query(),
        query("FROM NAMED WINDOW :w ON STREAM :s1 [RANGE PT2S STEP PT2S]"),
        query("FROM NAMED WINDOW :w ON :s1 [RANGE 2 STEP 2]"),
        query("FROM NAMED WINDOW none:w ON STREAM :s1 [RANGE 2 STEP 2]"),
    ):
        assert refused(engine, malformed, []).kind == "rejected", malformed
    ask = text.replace("SELECT ?s", "ASK")
    assert refused(engine, ask, []).kind == "unsupported"
    named = refused(engine, text, [{**element("a", 1), "name": EX + "g"}])
    assert named.kind == "unsupported"
    bounded = refused(engine, text, [], static=[{"from": 2, "quads": ""}])
    assert bounded.kind == "unsupported"
    unknown = refused(engine, text, [element("a", 1), element("b", 2, "s3")])
    assert (unknown.kind, unknown.element) == ("rejected", 1)
    broken = refused(engine, text, [element("a", 1, graph="<a b .\n")])
    assert (broken.kind, broken.element) == ("rejected", 0)
    assert answers(engine, text, [element("a", 1, "s2")]) == {}


def test_answers_come_with_the_piece_that_closes_their_window(engine: ProtocolEngine) -> None:
    elements = [element(f"e{t}", t) for t in range(1, 8)]
    opening = opened(case(query(window(4, 2)), []))
    with engine.feed(opening) as feed:
        assert feed.incremental
        found = [[a.cause for a in feed.push(piece)] for piece in (elements[:4], elements[4:])]
        assert feed.close() == ()
    assert found == [[3], [5]]
    with pytest.raises(FeedLost) as lost, engine.feed(opening) as feed:
        feed.push([element("a", 1)])
        feed.push([element("b", 2, "s3")])
    assert (lost.value.failure.kind, lost.value.failure.element) == ("rejected", 1)


def test_what_the_wire_brings_besides(engine: ProtocolEngine) -> None:
    lines = 'nonsense\n[1]\n\n{"op": "fly", "id": "x"}\n{"op": "hello", "protocol": 0}\n'
    ran = program(DRIVER, input=lines, timeout=30)
    kinds = [json.loads(line)["error"]["kind"] for line in ran.well.splitlines()]
    assert kinds == ["rejected", "rejected", "unsupported", "version"]
    assert program(DRIVER, "--fly").status == 2


# --- the engine's own threads --------------------------------------------------------------------


def test_in_threads_a_burst_gives_the_same_answers(
    engine: ProtocolEngine, threads: ProtocolEngine
) -> None:
    text = query(window(3, 2))
    for n in range(20):
        request: dict[str, Any] = case(text, [element(f"e{n}{t}", t) for t in range(1, 12)])
        found, expected = threads.run(request), engine.run(request)
        assert isinstance(found, Reply) and isinstance(expected, Reply)
        assert [a.cause for a in found.answers] == [None] * len(expected.answers)
        for one, other in zip(found.answers, expected.answers, strict=True):
            assert sorted(map(str, rows_of(one))) == sorted(map(str, rows_of(other)))
