"""The real driver of RoXi: it keeps the protocol. What the engine does wrong is recorded.

It is the installed one (`rsp-conformance engines install roxi --checkout DIR`), or that which the
environment variable RSP_CONFORMANCE_ROXI names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from rsp_conformance.adapters.roxi.register import ROXI
from rsp_conformance.protocol import ProtocolEngine
from tests.adapters.checkout.real import needs, program
from tests.adapters.rsp_js.asking import EX, answers, case, check_terms, element, refused
from tests.builders.command_line import program as run

pytestmark = [pytest.mark.engine, needs(ROXI)]

PATTERN = f"?s <{EX}p> ?o"


@pytest.fixture(scope="module")
def engine() -> Iterator[ProtocolEngine]:
    with ProtocolEngine([program(ROXI)]) as started:
        yield started


def query(
    body: str = PATTERN, operator: str = "RSTREAM", form: str = "SELECT ?s", size: str = "2"
) -> str:
    """A query in the lines that the kit writes."""
    return f"""REGISTER {operator} <urn:out> AS
{form}
FROM WINDOW <urn:w> ON <{EX}s1> [RANGE {size} STEP 2]
WHERE {{ {body} }}"""


def test_windows_hold_both_ends_and_are_reported_after_their_close(engine: ProtocolEngine) -> None:
    elements = [element("a", 1), element("b", 2), element("c", 3), element("x", 5)]
    found = answers(engine, query(), elements)
    assert found == {2: [("a",), ("b",)], 3: [("b",), ("c",)]}
    assert answers(engine, query(), elements, pacing="settled") == found


def test_a_window_that_closes_at_the_registration_is_of_no_query_yet(
    engine: ProtocolEngine,
) -> None:
    elements = [element("a", 2), element("b", 3), element("x", 5)]
    assert answers(engine, query(), elements, registered=2) == {2: [("a",), ("b",)]}


def test_only_elements_of_its_stream_reach_the_window(engine: ProtocolEngine) -> None:
    elements = [element("a", 1), element("b", 3, "s2"), element("x", 5)]
    assert answers(engine, query(), elements) == {2: [("a",)]}


def test_operators_reach_the_engine(engine: ProtocolEngine) -> None:
    elements = [element("a", 1), element("b", 3), element("x", 5), element("y", 7)]
    assert answers(engine, query(operator="ISTREAM"), elements) == {
        1: [("a",)],
        2: [("b",)],
        3: [("x",)],
    }
    assert answers(engine, query(operator="DSTREAM"), elements) == {2: [("a",)], 3: [("b",)]}


def test_every_kind_of_term_comes_back_to_the_letter(engine: ProtocolEngine) -> None:
    check_terms(engine, query(form="SELECT ?o"), until=3)


def test_refusals(engine: ProtocolEngine) -> None:
    text = query()
    for malformed in (text.replace("}", ""), "no query", ""):
        assert refused(engine, malformed, []).kind == "rejected", malformed
    window = text.splitlines()[2]
    twice = refused(engine, text.replace(window, f"{window}\n{window}"), [])
    assert twice.kind == "unsupported" and "one window" in twice.message
    assert refused(engine, query(size="PT2S"), []).kind == "unsupported"
    named = refused(engine, text, [{**element("a", 1), "name": EX + "g"}])
    assert named.kind == "unsupported"
    broken = refused(engine, text, [element("a", 1), element("b", 2, graph="<a b .\n")])
    assert (broken.kind, broken.element) == ("rejected", 1)


def test_what_the_engine_prints_is_no_reply() -> None:
    asked = json.dumps({"op": "run", **case(query(), [element("a", 1), element("x", 3)])})
    ran = run(program(ROXI), input=f"nonsense\n{asked}\n", timeout=30)
    first, last = map(json.loads, ran.well.splitlines())
    assert first["error"]["kind"] == "rejected"
    assert len(last["answers"]) == 1
    assert run(program(ROXI), "--fast", timeout=30).status == 2
