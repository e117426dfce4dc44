"""YASPER's driver on a fake of the engine: what it sends, what it hears, what it refuses."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.jvm.driver import JvmDriver
from rsp_conformance.adapters.yasper import driver, names
from rsp_conformance.adapters.yasper.driver import Yasper
from rsp_conformance.adapters.yasper.register import YASPER
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.protocol import InProcessEngine
from tests.adapters.jvm.fake import started
from tests.adapters.jvm.rsp4j import PLAIN, QUERY, check_terms, request, run
from tests.adapters.yasper import fake
from tests.builders.sparql import query


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JvmDriver:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fake.registered.clear()
    fake.levels.clear()
    return started(YASPER, Yasper, fake.java(), tmp_path, "yasper-1.0.1.jar")


def test_the_hello(engine: JvmDriver) -> None:
    assert fake.levels == []
    subject = EngineUnderTest.meet(InProcessEngine(engine))
    hello = subject.hello
    assert (hello.engine, hello.version, hello.answers) == ("yasper", "1.0.1", "rows")
    assert {"select", "istream"} <= hello.features
    assert subject.profile.base.bounds == "[o,c)" and subject.profile.base.unit == 1000
    assert fake.levels == ["ERROR"]
    assert {name for key, name in vars(names).items() if key[0].isupper() and key.isupper()} <= {
        *YASPER.classes
    }
    case = Case(
        query("SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 2] { WINDOW :w { ?s ?p ?o } }")
    )
    text = subject.query_text(case)
    assert "REGISTER RSTREAM <urn:rsp:answers> AS\nSELECT" in text
    assert "ON :s [RANGE PT2S STEP PT1S]" in text


def test_rows_carry_their_terms_and_the_engines_time(engine: JvmDriver) -> None:
    check_terms(engine, node="b0")


@pytest.mark.parametrize("text", [QUERY, QUERY.replace("?", "$")])
def test_a_variable_has_the_same_name_with_a_dollar(engine: JvmDriver, text: str) -> None:
    (answer,) = run(engine, PLAIN, query=text)["answers"]
    assert answer["solutions"][0].keys() == {"s", "p", "o"}


def test_one_label_is_one_node_within_a_case(engine: JvmDriver) -> None:
    seen: list[Any] = []

    class Watching(fake.RDF):
        def createBlankNode(self, label: str) -> fake.BlankNode:
            seen.append(super().createBlankNode(label))
            return seen[-1]  # type: ignore[no-any-return]

    yasper = Yasper(fake.java(RDF=Watching), {})
    case = request("_:b <urn:p> _:b .\n", "_:b <urn:p> <urn:o> .\n")
    yasper.run(case)
    yasper.run(case)
    first, second = seen[:3], seen[3:]
    assert len(set(map(id, first))) == len(set(map(id, second))) == 1
    assert first[0] is not second[0]


def test_background_data_are_a_file_for_as_long_as_the_query_is_registered(
    engine: JvmDriver, tmp_path: Path
) -> None:
    static = [{"quads": "<urn:a> <urn:b> <urn:c> .\n"}, {"quads": "<urn:d> <urn:b> <urn:c> .\n"}]
    assert len(run(engine, PLAIN, static=static)["answers"]) == 3
    *_, text = fake.registered
    assert text.startswith(QUERY.partition("\nFROM")[0] + " FROM </dev/fd/")
    assert text.endswith(QUERY.partition("SELECT *")[2])
    assert [path.name for path in tmp_path.iterdir()] == ["jars"]
    run(engine, PLAIN, static=[{"quads": ""}])
    assert fake.registered[-1] == QUERY


@pytest.mark.parametrize(
    ("change", "kind", "says"),
    [
        ({"query": QUERY.replace("WHERE", "WERE")}, "rejected", "line 5:"),
        ({"query": QUERY + "\nmore"}, "rejected", "line 9:0 text after the query's end"),
        ({"query": QUERY.replace("SELECT *", "ASK")}, "unsupported", "no SELECT"),
        (
            {"query": QUERY.replace("?o }", "?o FILTER(?o NOT IN (1)) }")},
            "rejected",
            "java.lang.NullPointerException",
        ),
        (
            {"static": [{"quads": "<urn:a> <urn:b> <urn:c> <urn:g> .\n"}]},
            "unsupported",
            "named graphs",
        ),
        ({"static": [{"quads": "", "from": 1}]}, "unsupported", "change in time"),
    ],
)
def test_what_is_refused_is_named(
    change: dict[str, Any],
    kind: str,
    says: str,
    engine: JvmDriver,
    tmp_path: Path,
) -> None:
    error = run(engine, PLAIN, **change)["error"]
    assert error["kind"] == kind and says in error["message"]
    assert [path.name for path in tmp_path.iterdir()] == ["jars"]


def test_what_the_engine_throws_comes_after_the_rows_before(engine: JvmDriver) -> None:
    reply = run(engine, PLAIN, '<urn:s> <urn:p> "bad" .\n')
    assert len(reply["answers"]) == 1
    assert reply["error"] == {
        "kind": "crashed",
        "message": "element 1: JavaError: java.lang.IllegalStateException: bad",
    }


def test_a_flood_is_cut_and_no_row_is_no_answer(
    engine: JvmDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "MOST_ROWS", 3)
    assert len(run(engine, *[PLAIN] * 9)["answers"]) == 3
    reply = run(engine, PLAIN, query=QUERY + "LIMIT 0\n")
    assert reply["answers"] == []
