"""docs/protocol.md says what is valid: its messages are read by the code that reads drivers'.

Requests are those that the kit sends, and the replies to them are right.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.files import answers
from rsp_conformance.files.algebra import ALGEBRA
from rsp_conformance.files.cases import ELEMENTS
from rsp_conformance.judge import flood
from rsp_conformance.model.algebra import Window
from rsp_conformance.model.answers import Rows, Triples, Truth
from rsp_conformance.model.appended import END
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple
from rsp_conformance.protocol import FeedLost, InProcessEngine, forms, process, pump, registry
from rsp_conformance.protocol import messages as wire
from rsp_conformance.protocol.client import HELLOS, NOTICE, START_LIMIT
from rsp_conformance.protocol.failures import EngineUnavailable, VersionMismatch
from rsp_conformance.protocol.messages import Failure, Reply, read_hello, read_run, response_of
from rsp_conformance.protocol.requests import hello_request, run_request
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text import ntriples
from rsp_conformance.text.languages import DIALECT, LANGUAGES, printer_of
from rsp_conformance.text.parse import parse_query
from tests.builders.command_line import python
from tests.builders.wire import fits
from tests.docs.markdown import DOCS, fenced, section, tables
from tools.pages.files import lay_out

PAGE = (DOCS / "protocol.md").read_text("utf-8")
PIECES = ("open", "push", "close")
"""The operations of section "Cases in pieces"."""
RUN_ERRORS = {*forms.schema()["$defs"]["Error"]["properties"]["kind"]["enum"]}
LIFE = " ".join(section(PAGE, "The life of a driver").split())


class Shown(NamedTuple):
    """A message of the page: its direction, and what stands there."""

    way: str
    message: dict[str, Any]


MESSAGES = [
    Shown(line[0], json.loads(line[2:])) for line in PAGE.splitlines() if line[:2] in ("→ ", "← ")
]


def messages(way: str, op: str) -> list[dict[str, Any]]:
    """The messages of the page in one direction with one operation."""
    found = [message for shown, message in MESSAGES if (shown, message["op"]) == (way, op)]
    assert found
    return found


REQUESTS = {request["id"]: request for request in messages("→", "run")}
REPLIES = messages("←", "run")


def case_of(request: dict[str, Any]) -> Case:
    """The case that the kit sends as REQUEST; its background data are left out."""
    elements = [ELEMENTS.read(StreamElement, element) for element in request["elements"]]
    stamp = {part: IRI(iri) for part, iri in request.get("stamp", {}).items()}
    return Case(
        parse_query(request["query"]),
        tuple(e for e in elements if e.graph[0].predicate != END),
        Background(()),
        request["registered"],
        request["until"],
        tuple(map(IRI, request["streams"])),
        Stamp(**stamp),
    )


def test_every_message_has_its_place() -> None:
    """What follows checks every message that there is."""
    assert {(way, message["op"]) for way, message in MESSAGES} == {
        (way, op) for way in "→←" for op in ("hello", "run", "no-such-operation", *PIECES)
    }


def test_the_hellos_are_valid() -> None:
    assert messages("→", "hello") == [hello_request()]
    whole, unavailable, version = messages("←", "hello")
    hello = read_hello(whole)
    assert (hello.engine, hello.dialect, hello.advances) == (
        "rsp-js",
        {"duration": "instants"},
        "elements",
    )
    with pytest.raises(EngineUnavailable, match="put its jars into"):
        read_hello(unavailable)
    with pytest.raises(VersionMismatch, match="versions 2 and 3"):
        read_hello(version)


def test_an_unknown_operation_is_answered_as_a_driver_would(tmp_path: Path) -> None:
    lay_out(DOCS / "test-your-engine.md", tmp_path)
    (request,), (reply,) = messages("→", "no-such-operation"), messages("←", "no-such-operation")
    ran = python("driver.py", cwd=tmp_path, input=json.dumps(request) + "\n", timeout=30)
    assert json.loads(ran.well) == reply


@pytest.mark.parametrize("id", REQUESTS)
def test_the_requests_are_those_that_the_kit_sends(id: str) -> None:
    request = REQUESTS[id]
    query = parse_query(request["query"])
    language = "rsp-ql-star" if "stamp" in request else "rsp-ql"
    text = printer_of(language, {"duration": "instants"})(query, request["unit"])
    ends = any(END.value in element["graph"] for element in request["elements"])
    sent = run_request(
        case_of(request),
        replace(Dials(), unit=request["unit"]),
        id=id,
        query_text=text,
        pacing=request["pacing"],
        advances="elements" if ends else "clock",
    )
    assert {**sent, "static": request["static"]} == request


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply["id"])
def test_the_replies_are_valid(reply: dict[str, Any]) -> None:
    request = REQUESTS.get(reply["id"], {"elements": [], "pacing": "burst"})
    response = read_run(reply, elements=len(request["elements"]), pacing=request["pacing"])
    if "error" in reply:
        assert isinstance(response, Failure)
        assert (response.kind, response.message) == (
            reply["error"]["kind"],
            reply["error"]["message"],
        )
        assert response.element == reply["error"].get("element")
        assert len(response.answers) == len(reply.get("answers", ()))
    else:
        assert isinstance(response, Reply) and len(response.answers) == len(reply["answers"])


def test_every_kind_of_error_and_of_answer_is_shown() -> None:
    assert {reply["error"]["kind"] for reply in REPLIES if "error" in reply} == RUN_ERRORS
    kinds = [row[0].strip("`") for row in tables(section(PAGE, "Errors"))[0][1:]]
    assert set(kinds) == RUN_ERRORS
    responses = [read_run(reply, elements=9) for reply in REPLIES if "error" not in reply]
    contents = [a.content for o in responses if isinstance(o, Reply) for a in o.answers]
    assert {type(content) for content in contents} == {Rows, Truth, Triples}
    terms = {type(t) for c in contents if isinstance(c, Rows) for row in c.rows for t in row}
    assert terms >= {IRI, BlankNode, Literal, Triple}


@pytest.mark.parametrize(("id", "profile"), [("c17", "rsp-ql"), ("c19", "rsp-ql-star")])
def test_the_case_is_answered_so_by_the_reference_engine(id: str, profile: str) -> None:
    (reply,) = (r for r in REPLIES if r["id"] == id and "error" not in r)
    assert ReferenceEngine({"profile": profile}).run(REQUESTS[id]) == reply


def test_the_answers_without_a_time_of_their_own_are_right() -> None:
    request = REQUESTS["c18"]
    (reply,) = (r for r in REPLIES if r["id"] == "c18")
    told = {"answers": "evaluations", "advances": "elements", "features": [], "profile": "rsp-ql"}
    hello = read_hello({**messages("←", "hello")[0], **told})
    response = response_of(reply, request, hello)
    assert isinstance(response, Reply)
    dials = replace(Dials(), t0=0, answer_time="arrival", advances="elements")
    assert judge(case_of(request), dials, response.answers).correct


def test_languages_and_keys_of_the_dialect_stand_there() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `language`"))
    assert set(re.findall(r"`([a-z0-9-]+)`", row.split("|")[2])) == set(LANGUAGES)
    rows = tables(section(PAGE, "The dialect"))[0][1:]
    shown = {key.strip("`"): set(re.findall(r"`([\w-]+)`", values)) for key, values, _ in rows}
    spelled = {key: {json.dumps(v).strip('"') for v in values} for key, values in DIALECT.items()}
    assert shown == spelled


def test_other_languages_are_written_so() -> None:
    page = (DOCS / "features.md").read_text("utf-8")
    first, *rows = tables(section(page, "What your engine receives"))[0][1:]
    assert first[0] == "`rsp-ql`" and {name.strip("`") for name, _ in rows} < set(LANGUAGES)
    query = parse_query(
        "PREFIX : <http://ex.org/> SELECT ?x FROM NAMED WINDOW :w ON :s1 [RANGE 2 STEP 1] "
        "WHERE { WINDOW :w { ?x :p ?y } }"
    )
    for name, written in rows:
        language = name.strip("`")
        merged = LANGUAGES[language].windows_in == "default"
        assert isinstance(query.pattern, Window)
        asked = replace(
            query,
            pattern=query.pattern.pattern if merged else query.pattern,
            windows=tuple(replace(w, named=not merged) for w in query.windows),
            operator=StreamOperator.ISTREAM if language == "cqels-ql" else None,
        )
        text = printer_of(language)(asked, 2000)
        if "with a lag of 3" in written:
            lagging = tuple(replace(own, lag=3) for own in asked.windows)
            text += printer_of(language)(replace(asked, windows=lagging), 2000)
        windows = [part for part in re.findall(r"`([^`]*)`", written) if "[" in part]
        assert windows
        for part in windows:
            assert part.removesuffix("… }") in text


def test_the_query_is_written_so() -> None:
    (text,) = fenced(section(PAGE, "How a query is written"), "sparql")
    write = printer_of("rsp-ql", {"duration": "instants", "explicit_step": True})
    assert write(parse_query(text)) == text


def test_the_limits_are_those_of_the_code() -> None:
    kept = pump.Tail()
    kept.feed(b"".join(b"%d" % n * 600 + b"\n" for n in range(99)))
    lines = kept.lines()
    table = tables(section(PAGE, "The schema, and limits"))[0][1:]
    assert [value for _, value, _ in table] == [
        f"{pump.LINE_LIMIT // 2**20} MiB",
        f"{wire.MOST_VALUES:,}",
        f"{flood.FEW:,} plus {flood.TIMES} times the expected rows",
        f"{wire.MOST_NESTED} deep",
        f"{ntriples.MOST_NESTED} deep",
        f"{answers.MOST_VARIABLES}",
        f"{answers.LONGEST_VALUE:,} characters",
        f"{answers.LONGEST:,} characters",
        f"{forms.LONGEST_NAME} characters",
        f"{forms.LONGEST_MESSAGE:,} characters",
        f"the last {len(lines)} lines, each of {len(lines[0])} characters"
        ", and the first that names an error",
        f"{forms.MOST_OUTSTANDING:,}",
    ]


def test_the_times_are_those_of_the_code() -> None:
    assert HELLOS == 3 and "the third time in a row ends the run" in LIFE
    assert f"at least {START_LIMIT:g} s; after {NOTICE:g} s the kit says that it waits" in LIFE
    assert f"(`--rsp-time-limit`, {registry.TIME_LIMIT:g} s)" in LIFE
    assert f"After {process._END_GRACE:g} s the driver's whole process group gets SIGTERM" in LIFE
    assert process._TERM_GRACE == 0.5 and "half a second later SIGKILL" in LIFE


@pytest.mark.parametrize("shown", MESSAGES, ids=lambda shown: str(shown.message.get("id", "hello")))
def test_every_message_fits_the_schema(shown: Shown) -> None:
    assert fits(shown.message) is (shown.message["op"] != "no-such-operation")


def test_the_algebra_is_shown_as_it_is_sent() -> None:
    part = section(PAGE, "The algebra")
    (text,), (shown,) = fenced(part, "sparql"), fenced(part, "json")
    assert json.loads(shown) == ALGEBRA.write(Query, parse_query(text))
    terms = {"IRI", "BlankNode", "Literal", "Triple", "Parts"}
    schema = {k: v for k, v in ALGEBRA.schema(Query)["$defs"].items() if k not in terms}
    rows = tables(part)[0][1:]
    named = {kind.strip("`"): re.findall(r"`(\w+)`", names) for kind, names in rows}
    assert named == {name: [*of["properties"]][1:] for name, of in schema.items()}


# --- cases in pieces are those of the reference engine --------------------------------------------


def pieces(way: str) -> list[dict[str, Any]]:
    """The messages of the section in one direction."""
    return [message for shown, message in MESSAGES if shown == way and message["op"] in PIECES]


def comparable(reply: dict[str, Any]) -> dict[str, Any]:
    """A reply with the rows of its answers in one order."""
    answers = [
        {**a, "solutions": sorted(a["solutions"], key=str)} for a in reply.get("answers", ())
    ]
    return {**reply, "answers": answers}


def test_the_conversation_is_one_with_the_reference_engine() -> None:
    engine = ReferenceEngine({"t0": "first"})
    requests, replies = pieces("→"), pieces("←")
    assert [request["op"] for request in requests] == ["open", "push", "push", "close"]
    for request, reply in zip(requests, replies, strict=True):
        assert comparable(getattr(engine, request["op"])(request)) == comparable(reply)
    late = engine.push(requests[1])
    assert late["error"] == {"kind": "rejected", "message": "no such case is open"}


def test_an_element_that_is_refused_ends_the_case() -> None:
    opening, *pushes, _ = pieces("→")
    broken = {**pushes[0]["elements"][0], "graph": "<a b"}
    engine = ReferenceEngine()
    with InProcessEngine(engine).feed(opening) as feed:
        feed.push(pushes[0]["elements"])
        with pytest.raises(FeedLost) as lost:
            feed.push([broken])
    assert (lost.value.failure.kind, lost.value.failure.element) == ("rejected", 2)
    assert "error" in engine.push(pushes[1])
