"""The driver's own logic, on an engine that is none of Java's."""

from __future__ import annotations

from typing import Any

import pytest

from rsp_conformance.adapters.csparql.driver import SAMPLED, CSparqlDriver
from rsp_conformance.adapters.csparql.engine import BACKGROUND
from rsp_conformance.adapters.csparql.register import CSPARQL
from rsp_conformance.adapters.csparql.tables import term_of, text_of
from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.model.features import FEATURES as KNOWN
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple
from tests.adapters.csparql.fake import SETTINGS, Engine, Esper, java
from tests.builders.wire import run_of

S, XSD = "http://ex.org/s1", "http://www.w3.org/2001/XMLSchema#"
SELECT = f"REGISTER QUERY q AS SELECT * FROM STREAM <{S}> [RANGE 2s STEP 2s] WHERE {{ }}"


def element(t: int, value: str = "<urn:o>", stream: str = S) -> dict[str, Any]:
    return {"stream": stream, "t": t, "graph": f"<urn:s{t}> <urn:p> {value} .\n"}


def request(*elements: dict[str, Any], query: str = SELECT, **more: Any) -> dict[str, Any]:
    return run_of(query, *elements, **{"streams": [S], **more})


def driver(engine: type[Engine] = Engine, **options: str) -> CSparqlDriver:
    return CSparqlDriver(java(engine), options)


def subjects(answers: list[dict[str, Any]]) -> list[tuple[Any, Any, list[str]]]:
    """The instant, the cause and the subjects of each answer."""
    return [(a["t"], a["cause"], [row["s"]["value"] for row in a["solutions"]]) for a in answers]


STREAM = [element(0), element(1), element(2), element(5)]


def test_windows_start_as_the_clock_says() -> None:
    assert subjects(driver().run(request(*STREAM[1:]))) == [(2, 2, ["urn:s1", "urn:s2"])]
    # With the early clock a window closes at 0, with the element of 0 in it.
    assert subjects(driver().run(request(*STREAM))) == [(2, 3, ["urn:s1", "urn:s2"])]
    late = request(*STREAM, registered=2)
    assert driver().run(late) == []
    late = driver(clock="first")
    hello = CSPARQL.hello_of("0.9.7", {"clock": "first"})
    assert hello["profile"] == {"base": "c-sparql", "t0": "first-element-close-floor(1)"}
    assert subjects(late.run(request(*STREAM[1:]))) == [(3, 2, ["urn:s2"])]


def test_the_early_clock_starts_where_all_windows_close() -> None:
    query = SELECT.replace("WHERE", f"FROM STREAM <{S}x> [RANGE 5s STEP 3s] WHERE")
    pushed: list[int] = []

    class Watched(Engine):
        def update(self, stream: Any, quad: Any) -> None:
            pushed.append(quad.timestamp)
            super().update(stream, quad)

    case = request(element(1), query=query, streams=[S, f"{S}x"])
    driver(Watched).run(case)
    start, first = pushed
    assert (start % 6000, first) == (0, 1000)
    assert start <= -6000


BATCH = SELECT.replace("2s STEP 2s", "TRIPLES 2")


@pytest.mark.parametrize("clock", ["early", "first"])
def test_windows_by_count_are_answered_at_the_triple_that_fills_them(clock: str) -> None:
    """Whether it comes with the clock's first element, or waits for the next tick."""
    asked = driver(clock=clock)
    case = request(element(0), element(0), element(3), element(5), element(8), query=BATCH)
    due = [(0, 1, ["urn:s0", "urn:s0"]), (5, 4, ["urn:s3", "urn:s5"])]
    assert subjects(asked.run(case)) == due
    assert subjects(asked.run(case | {"registered": 0})) == due


def test_the_early_clock_fills_whole_windows_by_count() -> None:
    """What the driver adds for a window by time begins no window by count."""
    query = BATCH.replace("WHERE", f"FROM STREAM <{S}x> [RANGE 2s STEP 2s] WHERE")
    case = request(element(0), element(3), element(5), query=query, streams=[S, f"{S}x"])
    assert subjects(driver().run(case)) == [(3, 2, ["urn:s0", "urn:s3"])]
    # The engine registers the window of one stream alone: here the elements of 0 come before it.
    assert subjects(driver(clock="first").run(case)) == [(3, 2, ["urn:s0", "urn:s3"])]


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("ASK", {"boolean": True}),
        ("CONSTRUCT", {"graph": "<urn:s1> <urn:p> <urn:o> .\n<urn:s2> <urn:p> <urn:o> .\n"}),
    ],
)
def test_the_other_forms(form: str, answer: dict[str, Any]) -> None:
    case = request(*STREAM[1:], query=SELECT.replace("SELECT *", form))
    assert driver().run(case) == [{"t": 2, "cause": 2, **answer}]


def test_terms_go_in_and_come_out() -> None:
    values = ("<urn:o>", '"a\\"b"', f'"1"^^<{XSD}integer>', '"x^^y"')
    found = driver().run(request(*[element(2, value) for value in values], element(4)))
    assert [row["o"] for row in found[0]["solutions"]] == [
        {"type": "uri", "value": "urn:o"},
        {"type": "literal", "value": 'a"b'},
        {"type": "literal", "value": "1", "datatype": f"{XSD}integer"},
        {"type": "literal", "value": "x^^y"},
    ]


@pytest.mark.parametrize(
    "term", [IRI("urn:a"), Literal("a"), Literal('a"^^b'), Literal("1", f"{XSD}integer")]
)
def test_what_a_table_holds_is_what_went_in(term: Any) -> None:
    assert term_of(text_of(term)) == term


def test_terms_that_are_no_triples_parts() -> None:
    """It is three numbers; an IRI has a scheme, and no more than that is sure."""
    assert isinstance(term_of("-4f2a:18bd1:-7ffe"), BlankNode)
    assert term_of("urn:a:b") == IRI("urn:a:b")
    with pytest.raises(Refused, match="quoted triples"):
        text_of(Triple(IRI("urn:s"), IRI("urn:p"), IRI("urn:o")))


def test_background_data() -> None:
    query = SELECT.replace("FROM STREAM", "FROM <urn:rsp:background> FROM STREAM")
    data = [{"quads": "<urn:b> <urn:p> <urn:o> .\n"}]
    asked = driver()
    found = subjects(asked.run(request(*STREAM[1:], query=query, static=data)))
    assert found == [(2, 2, ["urn:s1", "urn:s2", "urn:b"])]
    # The next case has none of it.
    assert subjects(asked.run(request(*STREAM[1:]))) == [(2, 2, ["urn:s1", "urn:s2"])]


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"unit": 100}, "unsupported", "instants of 100 ms"),
        ({"static": [{"quads": "<urn:a> <urn:b> <urn:c> <urn:g> .\n"}]}, "unsupported", "graphs"),
        ({"static": [{"quads": '<urn:a> <urn:b> "c"@en .\n'}]}, "unsupported", "language tags"),
        ({"elements": [element(1, '"c"@en')]}, "unsupported", "language tags"),
        ({"elements": [element(1, "_:b")]}, "unsupported", "blank nodes"),
        ({"elements": [element(1, "<urn:o")]}, "rejected", "element 0"),
        ({"query": "bad"}, "rejected", "ParseException: Encountered bad"),
        ({"static": [{"quads": "<urn:s> <urn:bad> <urn:o> .\n"}]}, "crashed", "urn:bad"),
        ({"elements": [element(5), element(1)]}, "crashed", "unordered stream"),
    ],
)
def test_what_is_refused(change: dict[str, Any], kind: str, message: str) -> None:
    asked = driver()
    with pytest.raises(Refused, match=message) as refused:
        asked.run(request(*STREAM[1:]) | change)
    assert refused.value.kind == kind
    assert len(asked.run(request(*STREAM[1:]))) == 1


def test_one_engine_serves_all_cases_but_the_sample() -> None:
    asked = driver()
    before = Esper.started
    for number in range(SAMPLED):
        found = asked.run(request(element(1), element(2, f'"{number}"'), element(4)))
        assert subjects(found) == [(2, 2, ["urn:s1", "urn:s2"])]
    # New ones beside the first: in the 4th, 16th, 64th and 256th case.
    assert Esper.started - before == 1 + 4


class Keeping(Engine):
    """An engine that a reset leaves something in."""

    keeps_elements = True


@pytest.mark.parametrize("cases", [4, 16])
def test_the_sample_finds_what_a_reset_leaves(
    cases: int, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = driver(Keeping if cases == 4 else Engine)
    for number in range(cases - 1):
        asked.run(request(element(1, f'"{number}"'), element(4)))
    if cases == 16:
        asked._engine._impl.keeps_elements = True  # type: ignore[union-attr]
    with pytest.raises(Refused, match="a reset engine answers otherwise than a new") as refused:
        asked.run(request(element(1), element(4)))
    assert refused.value.kind == "driver"
    assert "That is the driver's fault, not C-SPARQL's." in capfd.readouterr().err


def test_what_is_asked_again_is_asked_of_a_new_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless that was long ago."""
    asked = driver(Keeping)
    case = request(element(1), element(4))
    assert len(asked.run(case)) == 1
    with pytest.raises(Refused, match="a reset engine"):
        asked.run(case)
    asked = driver()
    before = Esper.started
    for number in range(3):
        assert len(asked.run(request(element(1), element(4)))) == 1
        assert Esper.started - before == (2 if number == 2 else 1)
    monkeypatch.setattr("rsp_conformance.adapters.csparql.driver.REMEMBERED", 2)
    asked = driver()
    for t in (1, 2, 3, 1):
        asked.run(request(element(t), element(9)))
    assert list(map(len, asked._earlier.values())) == [1, 1]


def test_after_an_exception_the_engine_is_a_new_one() -> None:
    asked = driver()
    asked.run(request(*STREAM[1:]))
    before = Esper.started
    with pytest.raises(Refused, match="unordered"):
        asked.run(request(element(5), element(1)))
    asked.run(request(*STREAM[1:]))
    assert Esper.started == before + 1

    class Odd(Engine):
        def evaluate(self, now: int) -> None:
            (query,) = self.queries
            query.results.notify(object())

    asked = driver(Odd)
    with pytest.raises(AttributeError):
        asked.run(request(*STREAM[1:]))
    before = Esper.started
    asked.run(request(element(1)))
    assert Esper.started == before + 1


@pytest.mark.parametrize("form", ["SELECT *", "CONSTRUCT"])
def test_what_an_engine_floods_it_with_is_dropped(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The case ends as one all the same: the kit counts the rows that are left."""
    monkeypatch.setattr("rsp_conformance.adapters.csparql.engine.MOST_ROWS", 4)
    elements = [element(t) for t in (1, 2, 3, 4, 6)]
    found = driver().run(request(*elements, query=SELECT.replace("SELECT *", form)))
    assert [answer["t"] for answer in found] == [2]


def test_the_hello() -> None:
    driver()
    found = CSPARQL.hello_of("0.9.7", {})
    assert found["profile"] == "c-sparql"
    assert found["language"] == "c-sparql"
    assert found["dialect"]["static_graph"] == BACKGROUND
    assert set(found["features"]) <= set(KNOWN)
    settings = {"esper.externaltime.enabled": "true", "esper.externaltime.tick": "1000"}
    assert settings == SETTINGS


def test_an_engine_that_cannot_be_reset_is_made_anew(capfd: pytest.CaptureFixture[str]) -> None:
    """A version without a field that is reset: slow then, and not accused of what it is not."""

    class Other(Engine):
        def initialize(self) -> None:
            super().initialize()
            del self.snapshots

    asked = driver(Other)
    before = Esper.started
    answers = [asked.run(request(*STREAM[1:])) for _ in range(2)]
    assert answers[0] == answers[1] != []
    assert Esper.started - before == 2
    assert "NoSuchFieldException: snapshots" in capfd.readouterr().err
