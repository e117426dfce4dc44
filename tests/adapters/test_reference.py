"""The reference engine behind the protocol: messages, time, terms, failures, options, driver."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from rsp_conformance.adapters.reference.__main__ import main
from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import OPTIONS, read_options
from rsp_conformance.adapters.reference.register import ENGINE
from rsp_conformance.diagnosis.reference import reference_answers
from rsp_conformance.files.profiles import profile_names
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.protocol import ProtocolEngine, Reply, registry
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.parse import parse_query
from tests.builders.command_line import program
from tests.builders.wire import run_of

NS = "http://ex.org/"
W = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]"
ALL = f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x ?p ?y }} }}"


def triple(t: int, object: str = f"<{NS}b>", **fields: Any) -> dict[str, Any]:
    return {"stream": NS + "s", "t": t, "graph": f"<{NS}a> <{NS}p> {object} .\n"} | fields


def request(query: str, *elements: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return run_of(f"PREFIX : <{NS}>\n{query}", *elements, **{"until": 8, "unit": 1, **fields})


def answers(message: dict[str, Any], **options: str) -> list[dict[str, Any]]:
    reply = ReferenceEngine({"t0": "first"} | options).run(message)
    assert "error" not in reply, reply
    found = reply["answers"]
    assert isinstance(found, list)
    return found


def values(message: dict[str, Any], variable: str = "y", **options: str) -> list[Any]:
    return [s.get(variable) for a in answers(message, **options) for s in a["solutions"]]


def test_an_answer_waits_for_the_last_element_that_its_evaluation_has_seen() -> None:
    """Decision 44: those of one stamp come in the order of the elements that give them out."""
    a, s1, s2 = (IRI(NS + name) for name in ("a", "s1", "s2"))
    query = parse_query(
        f"""PREFIX : <{NS}> SELECT * FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 5 STEP 1]
        FROM WINDOW :w2 ON STREAM :s2 [RANGE 3 STEP 1] WHERE {{ WINDOW :w1 {{ ?x ?p ?y }} }}"""
    )
    came = ((s2, 7), (s1, 12), (s2, 12))
    elements = tuple(StreamElement(s, t, (Triple(a, a, s),)) for s, t in came)
    case = Case(query, elements, until=20)
    dials = Dials().with_dials(
        {"report": "NC", "tick": "tuple", "clock": "own", "answer_time": "arrival"}
        | {"trigger": ">=", "t0": "0"}
    )
    assert judge(case, dials, reference_answers(case, dials, ())).correct


def test_a_name_is_used_again_in_a_select_with_groups() -> None:
    """18.2.4.4: each expression extends the solutions that the one before has extended."""
    query = f"SELECT ?x (COUNT(*) AS ?n) (?n + 1 AS ?m) {W} WHERE {{ WINDOW :w {{ ?x ?p ?y }} }}"
    found = values(request(f"{query} GROUP BY ?x", triple(1)), "m")
    assert found
    assert {value["value"] for value in found if value} == {"2"}


# --- messages ----------------------------------------------------------------------------------


def test_hello_says_what_the_engine_is() -> None:
    hello = ReferenceEngine().hello({"op": "hello", "protocol": 1})
    assert (hello["engine"], hello["language"], hello["advances"]) == (
        "reference",
        "rsp-ql",
        "clock",
    )
    assert set(hello["features"]) < set(FEATURES)
    assert hello["profile"]["name"] == "rsp-ql"
    merged = ReferenceEngine({"profile": "c-sparql"}).hello({})["features"]
    assert "rstream" in merged
    assert not {"istream", "dstream", "window-variable"} & set(merged)
    assert ReferenceEngine().hello({"protocol": 0})["error"]["kind"] == "version"


def test_answers_carry_instant_cause_and_solutions_with_a_clock_and_without() -> None:
    found = answers(request(ALL, triple(3), triple(5)))
    assert [(a["t"], a["cause"], len(a["solutions"])) for a in found] == [
        (4, 1, 1),
        (6, "end", 1),
        (8, "end", 1),
    ]
    assert found[0]["solutions"][0]["y"] == {"type": "uri", "value": NS + "b"}
    message = request(ALL, triple(3), triple(5))
    assert [a["t"] for a in answers(message, advances="elements")] == [4]
    message["elements"].append(triple(9))
    assert [a["t"] for a in answers(message, advances="elements")] == [4, 6, 8]
    assert [a["cause"] for a in answers(message, advances="elements")] == [1, 2, 2]


@pytest.mark.parametrize(
    ("answer_time", "stamps"),
    [("evaluation", [4, 6, 8]), ("arrival", [5, 8, 8]), ("none", [None, None, None])],
)
def test_the_dial_answer_time_says_which_instant_is_reported(
    answer_time: str, stamps: list[int | None]
) -> None:
    found = answers(request(ALL, triple(3), triple(5)), **{"dial.answer_time": answer_time})
    assert [a["t"] for a in found] == stamps
    assert [a["cause"] for a in found] == [1, "end", "end"]


def test_forms() -> None:
    where = f"{W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}"
    assert [a["boolean"] for a in answers(request(f"ASK {where}", triple(1)))] == [
        True,
        False,
        False,
    ]
    construct = answers(request(f"CONSTRUCT {{ ?y :q _:new }} {where}", triple(1)))
    assert [a["graph"].count("\n") for a in construct] == [1, 0, 0]
    assert construct[0]["graph"].startswith(f"<{NS}b> <{NS}q> _:")


# --- terms -------------------------------------------------------------------------------------


def test_terms_come_back_to_the_letter() -> None:
    xsd = "http://www.w3.org/2001/XMLSchema#"
    literals = [("05", "integer"), ("1.50", "decimal"), ("1e0", "double"), ("1", "boolean")]
    literals.append(("abc", "integer"))
    written = [f'"{lexical}"^^<{xsd}{datatype}>' for lexical, datatype in literals]
    found = values(request(ALL, *(triple(1, own) for own in (*written, "_:own", '"x"@en'))))
    due: list[dict[str, str]] = [
        {"type": "literal", "value": lexical, "datatype": xsd + datatype}
        for lexical, datatype in literals
    ]
    due.append({"type": "bnode", "value": "own"})
    due.append({"type": "literal", "value": "x", "xml:lang": "en"})
    assert sorted(found, key=str) == sorted(due, key=str)


def test_named_elements_are_graphs_of_their_window() -> None:
    query = f"SELECT * {W} WHERE {{ WINDOW :w {{ ?g ?stamped ?t GRAPH ?g {{ ?x :p ?y }} }} }}"
    stamp = {"predicate": NS + "at", "datatype": "http://www.w3.org/2001/XMLSchema#integer"}
    message = request(query, triple(1, name="_:e"), stamp=stamp)
    (row,) = (s for a in answers(message) for s in a["solutions"])
    assert row["g"] == {"type": "bnode", "value": "e"}
    assert (row["stamped"]["value"], row["t"]["value"]) == (NS + "at", "1")


RELATIVE = "FROM NAMED WINDOW <w1> ON STREAM <stream2> [RANGE 4 STEP 2]"


@pytest.mark.parametrize(
    ("where", "bound"),
    [
        ("WINDOW <w1> { ?x ?p ?y }", f"{NS}b"),
        ("GRAPH <w1> { ?x ?p ?y }", f"{NS}b"),
        ("WINDOW ?y { ?x ?p ?z }", "w1"),
        ("GRAPH ?y { ?x ?p ?z }", "w1"),
        ("GRAPH ?g { ?x ?p ?z } BIND(STR(?g) AS ?y)", "w1"),
    ],
)
def test_names_of_windows_and_streams_may_be_relative(where: str, bound: str) -> None:
    query = f"SELECT ?y {RELATIVE} WHERE {{ {where} }}"
    found, *_ = values(request(query, triple(3, stream="stream2"), streams=["stream2"]))
    assert found["value"] == bound


def test_iri_resolves_against_the_base_of_the_query() -> None:
    """Also if the query without its base was asked before, which is equal."""
    query = f"SELECT (IRI('../x') AS ?y) {W} WHERE {{ WINDOW :w {{ ?x ?p ?z }} }}"
    assert values(request(query, triple(3))) == [None, None]
    found, *_ = values(request(f"BASE <http://ex.org/a/b/c>\n{query}", triple(3)))
    assert found["value"] == "http://ex.org/a/x"


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("9223372036854775807 + 1", "9223372036854775808"),
        ("0.0000000000000000001 * 10", "0.000000000000000001"),
        ("YEAR('10000000000000-01-01T00:00:00Z'^^xsd:dateTime)", "10000000000000"),
        ("REPLACE('aa', 'a*?', 'x')", None),
        ("REPLACE('abc', '(b)', '[$1$2\\\\$]')", "a[b$]c"),
        ("xsd:integer(1e6)", "1000000"),
    ],
)
def test_what_pyoxigraph_has_otherwise_is_computed(expression: str, shown: str | None) -> None:
    query = f"SELECT ({expression} AS ?y) {W} WHERE {{ WINDOW :w {{ ?x ?p ?z }} }}"
    prefix = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
    found, *_ = values(request(prefix + query, triple(3)))
    assert (found and found["value"]) == shown


# --- failures ----------------------------------------------------------------------------------


def error(message: dict[str, Any], **options: str) -> dict[str, Any]:
    reply = ReferenceEngine(options).run(message)
    assert "answers" not in reply
    failure = reply["error"]
    assert isinstance(failure, dict) and "\n" not in failure["message"]
    return failure


def test_what_is_no_case_is_rejected() -> None:
    assert error(request("SELECT WHERE"))["kind"] == "rejected"
    failure = error(request(ALL, triple(3), triple(4, "nonsense")))
    assert (failure["kind"], failure["element"]) == ("rejected", 1)
    half = ALL.replace("RANGE 4", "RANGE PT0.5S")
    assert "whole number" in error(request(half, unit=1000))["message"]
    assert error(request(ALL), **{"dial.report": "WC[v]"})["kind"] == "rejected"
    assert error(request(ALL), **{"dial.report": "COMPUTED EVERY"})["kind"] == "rejected"


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("REGISTER ISTREAM :o AS " + ALL, {"dial.stream_operators": "R"}),
        (ALL, {"dial.windows_in": "default"}),
        (ALL.replace("SELECT *", "SELECT (RAND() AS ?r)"), {}),
        (ALL.replace("?x ?p ?y", "?x ?p ?y FILTER(<urn:f>(?y))"), {}),
        (ALL.replace("?y }", "?y FILTER(?x != <relative>) }"), {}),
        (ALL.replace("?y }", "?y FILTER REGEX('İ', 'i', 'i') }"), {}),
        (ALL.replace("?y }", "?y FILTER REGEX('aa', '(a)\\\\1') }"), {}),
        (ALL.replace("WHERE {", "WHERE { SERVICE <urn:s> { ?x ?p ?y }"), {}),
    ],
)
def test_what_the_engine_does_not_do_is_unsupported(query: str, options: dict[str, str]) -> None:
    assert error(request(query, triple(3)), **options)["kind"] == "unsupported"


# --- options -----------------------------------------------------------------------------------


def test_options_are_documented_and_turn_dials_after_the_profile() -> None:
    assert {f"dial.{dial}" for dial in DIALS} < set(OPTIONS)
    assert ENGINE.options == OPTIONS and ENGINE.name == "reference"
    options = read_options({"profile": '{"base": "rsp-js", "t0": "0"}', "dial.t0": "registration"})
    assert options.profile.base.t0 == "registration"
    assert options.profile.base.bounds == "[o,c)"


@pytest.mark.parametrize("profile", profile_names())
def test_every_bundled_profile_can_be_run(profile: str) -> None:
    hello = ReferenceEngine({"profile": profile}).hello({})
    assert hello["profile"]["name"] == profile


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"falt": "x"}, r"unknown option 'falt'; did you mean 'fault'\?"),
        ({"dial.bound": "(o,c]"}, r"unknown option 'dial.bound'; did you mean 'dial.bounds'\?"),
        ({"dial.bounds": "o"}, r"dial bounds='o': expected"),
        ({"fault": "stale"}, "unknown mutant 'stale'"),
        ({"fault": "bound-end"}, r"unknown mutant 'bound-end'; did you mean 'bounds-end'\?"),
        ({"fault": "lost-latte"}, r"did you mean 'lost-late'\?"),
        ({"fault": "lost-late", "every": "0"}, "every=0: expected a whole number, at least 1"),
        ({"fault": "dies-late", "after": "x"}, "after=x: expected a whole number, at least 1"),
        ({"fault": "lost-late", "after": "3"}, "after=3: it is for fault=dies-late only"),
        ({"every": "3"}, "every=3: it is for fault=lost-late only"),
        ({"profile": "rspql2"}, "unknown profile"),
        ({"profile": "{"}, "option profile: not JSON"),
        ({"advances": "never"}, "expected clock or elements"),
        ({"t0": "soon"}, "expected hash, first, last or offsets"),
        ({"seed": "x"}, "expected a whole number"),
    ],
)
def test_a_bad_option_is_one_line(option: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said) as raised:
        read_options(option)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("t0", "closes"), [("first", [4, 6, 8]), ("last", [5, 7]), ("1", [5, 7]), ("2", [4, 6, 8])]
)
def test_the_option_t0_chooses_where_the_dial_leaves_the_start_open(
    t0: str, closes: list[int]
) -> None:
    assert [a["t"] for a in answers(request(ALL, triple(3)), t0=t0)] == closes


def test_by_default_queries_start_at_different_instants_and_each_always_at_its_own() -> None:
    def first(width: int, seed: str) -> int:
        message = request(ALL.replace("RANGE 4 STEP 2", f"RANGE {width} STEP 2"), until=40)
        return int(answers(message, t0="hash", seed=seed)[0]["t"]) - width

    starts = [first(width, "0") for width in range(4, 24)]
    assert set(starts) == {0, 1}
    assert starts == [first(width, "0") for width in range(4, 24)]
    assert starts != [first(width, "1") for width in range(4, 24)]


# --- connections -------------------------------------------------------------------------------

DRIVER = [sys.executable, "-m", "rsp_conformance.adapters.reference"]


def test_the_driver_says_what_the_engine_in_process_says() -> None:
    options = ["profile=rsp-ql", "dial.bounds=[o,c)", "fault=bounds-end", "t0=first"]
    message = request(ALL, triple(4))
    with ProtocolEngine([*DRIVER, *options]) as engine:
        by_driver = engine.run(message)
        again = engine.run(message | {"id": "c2"})
    with registry.connect(
        "reference", {"t0": "first", "dial.bounds": "[o,c)", "fault": "bounds-end"}
    ) as engine:
        in_process = engine.run(message)
    assert isinstance(by_driver, Reply) and isinstance(again, Reply)
    assert isinstance(in_process, Reply)
    assert by_driver.answers == again.answers == in_process.answers


def test_what_the_driver_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    lines = '{"op": "dance"}\n\n{"op": "hello", "protocol": 1}\n'
    dance, hello = map(json.loads, program(*DRIVER, input=lines).well.splitlines())
    assert dance["error"]["kind"] == "unsupported"
    assert hello["engine"] == "reference"
    assert main(["fault=none-such"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("reference: unknown mutant 'none-such'")
    assert said.err.count("\n") == 1
