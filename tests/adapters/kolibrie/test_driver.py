"""The real driver of Kolibrie: it keeps the protocol. What the engine does wrong is recorded.

It is the installed one (`rsp-conformance engines install kolibrie --checkout DIR`), or that which
the environment variable RSP_CONFORMANCE_KOLIBRIE names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from rsp_conformance.adapters.kolibrie.register import KOLIBRIE
from rsp_conformance.protocol import ProtocolEngine
from tests.adapters.checkout.real import needs, program
from tests.adapters.rsp_js.asking import EX, answers, case, check_terms, element, refused
from tests.builders.command_line import program as run

pytestmark = [pytest.mark.engine, needs(KOLIBRIE)]

PATTERN = "WINDOW :w { ?s :p ?o }"


@pytest.fixture(scope="module")
def engine() -> Iterator[ProtocolEngine]:
    with ProtocolEngine([program(KOLIBRIE)]) as started:
        yield started


def query(size: str = "RANGE 2 STEP 2", body: str = PATTERN, operator: str = "RSTREAM") -> str:
    """A query as the engine's own parser reads it; it comes without its algebra, and as it is."""
    return f"""PREFIX : <{EX}>
    REGISTER {operator} <urn:out> AS SELECT * FROM NAMED WINDOW :w ON <{EX}s1> [{size}]
    WHERE {{ {body} }}"""


def test_windows_are_reported_at_their_close_or_after_it(engine: ProtocolEngine) -> None:
    elements = [element("a", 1), element("b", 3), element("c", 4), element("x", 7)]
    found = answers(engine, query(), elements)
    assert found == {1: [("o", "a")], 2: [("o", "b")], 3: [("o", "c")]}
    assert answers(engine, query(), elements, pacing="settled") == found


def test_only_elements_of_its_own_stream_reach_a_window(engine: ProtocolEngine) -> None:
    elements = [element("a", 1), element("b", 3, "s2"), element("x", 5)]
    assert answers(engine, query(), elements) == {2: [("o", "a")]}


def test_every_kind_of_term_comes_back_to_the_letter(engine: ProtocolEngine) -> None:
    check_terms(engine, query(), until=3)


def test_background_data_are_joined(engine: ProtocolEngine) -> None:
    static = [{"quads": f"<{EX}o> <{EX}q> _:b .\n_:b <{EX}q> <{EX}z> .\n"}]
    text = query(body=f"{PATTERN} ?o :q ?b . ?b :q ?z .")
    found = answers(engine, text, [element("a", 1), element("x", 3)], static=static)
    assert found == {1: [("b", "o", "a", "z")]}


def test_every_case_has_an_engine_of_its_own(engine: ProtocolEngine) -> None:
    for operator in ("ISTREAM", "RSTREAM", "ISTREAM"):
        text = query(operator=operator)
        assert answers(engine, text, [element("a", 1), element("x", 3)]) == {1: [("o", "a")]}


def test_refusals(engine: ProtocolEngine) -> None:
    text = query()
    for malformed in (text.replace("}", ""), text.replace("REGISTER", ""), "no query", ""):
        assert refused(engine, malformed, []).kind == "rejected", malformed
    named = refused(engine, text, [{**element("a", 1), "name": EX + "g"}])
    assert named.kind == "unsupported"
    bounded = refused(engine, text, [], static=[{"from": 2, "quads": ""}])
    assert bounded.kind == "unsupported"
    graphs = refused(engine, text, [], static=[{"quads": "<a:a> <a:b> <a:c> <a:g> .\n"}])
    assert graphs.kind == "unsupported"
    broken = refused(engine, text, [element("a", 1), element("b", 2, graph="<a b .\n")])
    assert (broken.kind, broken.element) == ("rejected", 1)


def test_what_the_engine_prints_is_no_reply() -> None:
    lines = 'nonsense\n[1]\n\n{"op": "fly", "id": "x"}\n{"op": "hello", "protocol": 0}\n'
    asked = json.dumps({"op": "run", **case(query(), [element("a", 1), element("x", 3)])})
    ran = run(program(KOLIBRIE), input=f"{lines}{asked}\n", timeout=30)
    *errors, last = map(json.loads, ran.well.splitlines())
    kinds = [error["error"]["kind"] for error in errors]
    assert kinds == ["rejected", "rejected", "unsupported", "version"]
    assert len(last["answers"]) == 1
    assert run(program(KOLIBRIE), "--fast", timeout=30).status == 2
