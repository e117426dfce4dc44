"""C-SPARQL 2's driver on a fake of the engine: what it sends, what it hears, what it refuses."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.csparql2 import engine as driven
from rsp_conformance.adapters.csparql2 import names
from rsp_conformance.adapters.csparql2.driver import CSparql2Driver
from rsp_conformance.adapters.csparql2.register import CSPARQL2
from rsp_conformance.adapters.jvm.driver import JvmDriver
from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.protocol import InProcessEngine
from tests.adapters.csparql2 import fake
from tests.adapters.jvm.fake import getters, started
from tests.adapters.jvm.rsp4j import PLAIN, QUERY, check_terms, request, run
from tests.builders.sparql import query

CONSTRUCT = QUERY.replace("SELECT *", "CONSTRUCT { ?s ?p ?o }")


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JvmDriver:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fake.done.clear()
    return started(CSPARQL2, CSparql2Driver, fake.java(), tmp_path, "csparql2-2.0.0.jar")


def test_the_hello(engine: JvmDriver) -> None:
    subject = EngineUnderTest.meet(InProcessEngine(engine))
    hello = subject.hello
    assert (hello.engine, hello.version, hello.answers) == ("csparql2", "2.0.0", "rows")
    assert {"construct", "dstream", "functions"} <= hello.features
    assert subject.profile.base.bounds == "(o,c)" and subject.profile.base.unit == 1000
    called = {value for name, value in vars(names).items() if name.isupper() and name[0] != "_"}
    assert called - {names.THREAD} <= {*CSPARQL2.classes}
    asked = "SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 2] { WINDOW :w { ?s ?p ?o } }"
    text = subject.query_text(Case(query(asked)))
    assert "REGISTER RSTREAM <urn:rsp:answers> AS\nSELECT" in text
    assert "ON :s [RANGE PT2S STEP PT1S]" in text


def test_rows_carry_their_terms_and_the_engines_time_and_nothing_that_it_adds(
    engine: JvmDriver,
) -> None:
    check_terms(engine, node="nb0")
    answers = run(engine, "<urn:s> <urn:p> <urn:a> .\n", query=CONSTRUCT)["answers"]
    assert answers[0] == {"t": 1, "cause": 0, "graph": "<urn:s> <urn:p> <urn:a> .\n"}


def test_an_engine_begins_at_the_registration_and_esper_is_emptied(engine: JvmDriver) -> None:
    assert engine.engine and fake.done[0] == "ERROR"
    fake.done.clear()
    run(engine, PLAIN, registered=1, unit=500)
    run(engine, PLAIN, query="no query")
    assert fake.done == ["engine at 500", "empty", "engine at 0", "empty"]


def test_the_clock_runs_where_that_was_asked_for() -> None:
    fake.done.clear()
    CSparql2Driver(fake.java(), {"clock": "runs"}).run(request(PLAIN, until=9))
    assert fake.done[1:] == ["engine at 0", "runs to 1000", "runs to 9000", "empty"]


def test_background_data_are_a_file_for_as_long_as_the_query_is_registered(
    engine: JvmDriver, tmp_path: Path
) -> None:
    static = [{"quads": "<urn:a> <urn:b> <urn:c> .\n"}, {"quads": "<urn:d> <urn:b> <urn:c> .\n"}]
    assert len(run(engine, PLAIN, static=static)["answers"]) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["jars"]


@pytest.mark.parametrize(
    ("graphs", "change", "kind", "says"),
    [
        ([PLAIN], {"query": QUERY.replace("WHERE", "WERE")}, "rejected", "line 5"),
        ([PLAIN, "<urn:s> <urn:throws> <urn:o> .\n"], {}, "crashed", "element 1: "),
        (
            [PLAIN],
            {"static": [{"quads": "<urn:a> <urn:b> <urn:c> <urn:g> .\n"}]},
            "unsupported",
            "named graphs",
        ),
        ([PLAIN], {"static": [{"quads": "", "from": 1}]}, "unsupported", "change in time"),
    ],
)
def test_what_is_refused_is_named(
    graphs: list[str], change: dict[str, Any], kind: str, says: str, engine: JvmDriver
) -> None:
    reply = run(engine, *graphs, **change)
    assert reply["error"]["kind"] == kind and says in reply["error"]["message"]
    assert len(reply.get("answers", ())) == (1 if kind == "crashed" else 0)


LITERAL_AS_SUBJECT = fake.triple(fake.literal("5"), fake.uri("urn:p"), fake.uri("urn:o"))


@pytest.mark.parametrize(
    ("odd", "says"),
    [
        (fake.table({"x": fake.uri(r"http://ex.org/a\?b")}), "no IRI"),
        (fake.table({"x": fake.node("Triple")}), "no RDF term"),
        (fake.Graph([LITERAL_AS_SUBJECT]), "is not RDF"),
    ],
)
def test_what_is_no_term_is_told_though_esper_would_swallow_it(
    odd: Any, says: str, engine: JvmDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert engine.engine
    monkeypatch.setattr(fake.Engine, "_row", lambda self, parts, time: self._out.put(odd, time))
    error = run(engine, PLAIN)["error"]
    assert error["kind"] == "crashed" and says in error["message"]


def test_a_call_that_waits_for_a_lock_of_its_own_is_crashed_and_esper_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    never = threading.Event()
    states = iter(["RUNNABLE", *["WAITING"] * 9])
    frames = ["Unsafe.park", f"Lock.{driven.WAITING}(Lock.java:42)"]
    thread = getters(getStackTrace=frames)
    thread.getState = lambda: next(states)
    monkeypatch.setattr(fake.Engine, "notify", lambda *_: never.wait())
    monkeypatch.setattr(driven, "LOOKED_AFTER", 0.001)
    fake.done.clear()
    with pytest.raises(Refused, match=r"element 0: waits for ever .* Lock.acquireWrite") as told:
        CSparql2Driver(fake.java(thread), {}).run(request(PLAIN))
    never.set()
    assert told.value.kind == "crashed" and "forget" in fake.done


def test_a_flood_is_cut(engine: JvmDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driven, "MOST_ROWS", 3)
    assert len(run(engine, *[PLAIN] * 9)["answers"]) == 3
