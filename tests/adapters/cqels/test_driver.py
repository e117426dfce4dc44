"""The driver's own logic, on an engine that is none: terms, causes, errors."""

from __future__ import annotations

from typing import Any

import pytest

from rsp_conformance.adapters.cqels import driver as module
from rsp_conformance.adapters.cqels.driver import CqelsDriver
from rsp_conformance.adapters.cqels.register import CQELS
from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.model.features import check_features
from rsp_conformance.protocol import read_hello
from rsp_conformance.text.languages import printer_of
from tests.adapters.cqels.fake import JAVA, CQELSEngine
from tests.builders.wire import run_of

S1, S2 = "http://ex.org/s1", "http://ex.org/s2"


@pytest.fixture
def driver() -> CqelsDriver:
    CQELSEngine.made.clear()
    return CqelsDriver(JAVA, {})


def request(query: str, *graphs: str, **more: Any) -> dict[str, Any]:
    elements = [{"stream": S1, "t": 2 * i, "graph": graph} for i, graph in enumerate(graphs)]
    return run_of(query, *elements, **{"streams": [S1, S2], "unit": 500, **more})


def objects(driver: CqelsDriver, *written: str, **more: Any) -> list[Any]:
    graphs = [f"<urn:s> <urn:p> {one} .\n" for one in written]
    answers = list(driver.run(request("echo", *graphs, **more)))
    return [answer["solutions"][0]["o"] for answer in answers]


@pytest.mark.parametrize("windows", CQELS.choices["windows"])
def test_the_hello_is_one(windows: str) -> None:
    own = CQELS.hello_of("2.0", {"windows": windows})
    hello = read_hello({"op": "hello", "protocol": 1, "engine": "cqels"} | own)
    assert (hello.version, hello.answers, hello.advances) == ("2.0", "rows", "elements")
    assert hello.features == check_features(hello.features)
    assert isinstance(hello.profile, str) and bundled_profile(hello.profile)
    printer_of(hello.language, hello.dialect)
    assert ("without-single-patterns" in hello.features) == (windows == "range-joins")
    assert {"triple-windows", "now-window"} <= {*hello.features}


def test_windows_are_written_in_these_ways_only() -> None:
    assert list(CQELS.variants["windows"]) == CQELS.choices["windows"]
    with pytest.raises(ValueError, match="windows is 'past', expected future, range, range-joins"):
        CQELS.connect({"windows": "past"}, 5.0)


def test_a_case(driver: CqelsDriver) -> None:
    one, two = "<urn:s> <urn:p> <urn:o> .\n", '<urn:s> <urn:p> "x" .\n<urn:s> <urn:p> "y" .\n'
    answers = list(driver.run(request("echo", one, two)))
    assert [(answer["t"], answer["cause"]) for answer in answers] == [
        (None, 0),
        (None, 1),
        (None, 1),
    ]
    assert answers[0]["solutions"] == [
        {
            "s": {"type": "uri", "value": "urn:s"},
            "p": {"type": "uri", "value": "urn:p"},
            "o": {"type": "uri", "value": "urn:o"},
        }
    ]
    engine = CQELSEngine.made[-1]
    assert engine.state == "closed"
    assert set(engine.streams) == {"s1", "s2"}
    assert [(name, len(g) if isinstance(g, list) else 1, t) for name, g, t in engine.pushed] == [
        ("s1", 1, 0),
        ("s1", 2, 1000),
    ]


def test_an_engine_ends_with_its_case(driver: CqelsDriver) -> None:
    driver.run(request("echo"))
    driver.run(request("echo"))
    assert len(set(CQELSEngine.made)) == 3
    assert {engine.state for engine in CQELSEngine.made} == {"closed"}
    with pytest.raises(Exception, match="it is null"):
        driver.run(request("throw", "<urn:s> <urn:p> <urn:o> ."))
    assert CQELSEngine.made[-1].state == "closed"


def test_terms_are_told_apart_by_the_data_or_refused(driver: CqelsDriver) -> None:
    typed = [f'"{v}"^^<http://www.w3.org/2001/XMLSchema#{d}>' for v, d in NUMBERS]
    assert objects(driver, "<urn:o>", "_:n", '"urn:x"', '"n"', '"près"@fr', *typed) == [
        {"type": "uri", "value": "urn:o"},
        {"type": "bnode", "value": "n"},
        {"type": "literal", "value": "urn:x"},
        {"type": "literal", "value": "n"},
        {"type": "literal", "value": "près", "xml:lang": "fr"},
        *(
            {
                "type": "literal",
                "value": {"Infinity": "INF"}.get(value, value),
                "datatype": "http://www.w3.org/2001/XMLSchema#"
                + {"decimal": "double"}.get(datatype, datatype),
            }
            for value, datatype in NUMBERS
        ),
    ]
    five = '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
    assert objects(driver, '"5"', five)[0] == {"type": "literal", "value": "5"}
    with pytest.raises(Refused, match='do not tell "x" and "x"@en apart') as caught:
        objects(driver, '"x"', '"x"@en')
    assert caught.value.kind == "unsupported"


@pytest.mark.parametrize("text", ["-1E300", "3.5e38", "1e-60"])
def test_a_float_beyond_its_range_is_refused_for_it_comes_as_a_double(
    driver: CqelsDriver, text: str
) -> None:
    double, single = (f'"{text}"^^<http://www.w3.org/2001/XMLSchema#{d}>' for d in FLOATS)
    assert objects(driver, double)[0]["datatype"].endswith("#double")
    with pytest.raises(Refused, match="as a double") as caught:
        objects(driver, single)
    assert caught.value.kind == "unsupported"
    for known in ("0.5", "NaN", "INF", "0"):
        objects(driver, single.replace(text, known))


FLOATS = ("double", "float")
NUMBERS = (
    *(("5", "integer"), ("5.5", "decimal"), ("Infinity", "double")),
    *(("true", "boolean"), ("2020-01-01", "date")),
)


def test_background_data_go_into_the_repository(driver: CqelsDriver) -> None:
    static = [{"quads": '<urn:a> <urn:p> "x" .\n<urn:a> <urn:p> "x" <urn:g> .\n'}]
    driver.run(request("echo", static=static))
    *statements, last = CQELSEngine.made[-1].background
    assert [[part.text for part in statement] for statement in statements] == [
        ["urn:a", "urn:p", "x"],
        ["urn:a", "urn:p", "x", "urn:g"],
    ]
    assert last == "closed"


@pytest.mark.parametrize(
    ("query", "kind", "said"),
    [
        ("nonsense", "rejected", "line 1:0 mismatched input"),
        ("refuse", "unsupported", "not yet supported"),
        ("forget", "rejected", "NullPointerException: projection is null"),
        ("fail", "crashed", "NullPointerException: it is null"),
    ],
)
def test_what_the_engine_refuses(query: str, kind: str, said: str, driver: CqelsDriver) -> None:
    with pytest.raises(Refused) as caught:
        driver.run(request(query, "<urn:s> <urn:p> <urn:o> ."))
    assert caught.value.kind == kind
    assert said in caught.value.in_reply()["error"]["message"]
    assert len(caught.value.answers) == (1 if query == "fail" else 0)
    assert CQELSEngine.made[-1].state == "closed"


def test_a_flood_is_cut(driver: CqelsDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 1_500)
    graph = "<urn:s> <urn:p> <urn:o> ."
    assert len(list(driver.run(request("flood", graph, graph)))) == 1_500


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"streams": ["http://a/s", "http://b/s"]}, "streams of one name"),
        ({"static": [{"quads": "", "until": 3}]}, "change in time"),
    ],
)
def test_what_the_engine_cannot_have(more: dict[str, Any], said: str, driver: CqelsDriver) -> None:
    with pytest.raises(Refused, match=said) as caught:
        driver.run(request("echo", **more))
    assert caught.value.kind == "unsupported"
