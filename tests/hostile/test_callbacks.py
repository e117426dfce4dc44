"""What is raised while a library calls back is raised, and no answer is silently wrong."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rsp_conformance import limits
from rsp_conformance.adapters.reference import evaluate
from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.oxigraph.callbacks import Callbacks
from rsp_conformance.limits import LimitExceeded, limited


def _raise(error: BaseException) -> None:
    raise error


def _for_ever() -> None:
    _for_ever()


def _late(number: int, frame: object) -> None:
    raise TimeoutError


RAISED: dict[str, Callable[[], object]] = {
    "KeyboardInterrupt": lambda: _raise(KeyboardInterrupt()),
    "SystemExit": lambda: _raise(SystemExit(3)),
    "GeneratorExit": lambda: _raise(GeneratorExit()),
    "MemoryError": lambda: _raise(MemoryError()),
    "RecursionError": _for_ever,
    "ValueError": lambda: _raise(ValueError("no")),
    "the time limit": lambda: sum(1 for _ in iter(int, 1)),
    "SIGINT": lambda: signal.raise_signal(signal.SIGINT),
    "SIGALRM": lambda: signal.raise_signal(signal.SIGALRM),
}
KINDS = {"SIGINT": "KeyboardInterrupt", "SIGALRM": "TimeoutError"}
LIMITS = {
    "MemoryError": f"needed more than {limits.MEMORY / (1 << 30):.2g} GB of memory",
    "RecursionError": "went deeper than Python's stack",
    "the time limit": "took longer than {seconds} s",
}
CALLS = {
    "truth": "SELECT ?o { WINDOW :w { ?s :p ?o FILTER(!?o) } }",
    "value": "SELECT (STR(?o) AS ?x) { WINDOW :w { ?s :p ?o } }",
    "comparable": "SELECT ?o { WINDOW :w { ?s :p ?o FILTER(?o < 3) } }",
    "castable": "SELECT (xsd:string(?o) AS ?x) { WINDOW :w { ?s :p ?o } }",
    "equated": "SELECT ?o { WINDOW :w { ?s :p ?o } } ORDER BY ?o",
    "minimum": "SELECT (MIN(?o) AS ?x) { WINDOW :w { ?s :p ?o } }",
    "distinct_sum": "SELECT (SUM(DISTINCT ?o) AS ?x) { WINDOW :w { ?s :p ?o } }",
    "group_concat": "SELECT (GROUP_CONCAT(DISTINCT STR(?o)) AS ?x) { WINDOW :w { ?s :p ?o } }",
}


class Failing(Callbacks):
    """Callbacks of which the one in a PLACE does something else first."""

    def __init__(self, place: int, act: Callable[[], object]) -> None:
        super().__init__()
        self.calls, self._place, self._act = 0, place, act

    def function(self, compute: Callable[..., Any]) -> Callable[..., Any]:
        """COMPUTE, or not."""

        def called(*arguments: Any) -> Any:
            self.calls += 1
            if self.calls == self._place:
                self._act()
            return compute(*arguments)

        return super().function(called)


class Finalised:
    """What takes longer than it may when it is collected."""

    def __del__(self) -> None:
        RAISED["the time limit"]()


def test_a_limit_that_a_finaliser_loses_holds_all_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    limits.allow(0.2)
    try:
        with pytest.raises(LimitExceeded), limited():
            Finalised()
            RAISED["the time limit"]()
    finally:
        limits.allow(limits.SECONDS)
    assert capsys.readouterr().err == ""


def asked(text: str) -> dict[str, Any]:
    """What `reference` replies about three numbers, and nothing is evaluated before."""
    evaluate.cached_solutions.cache_clear()
    clause = " FROM NAMED WINDOW :w ON STREAM :st [RANGE 5 STEP 5] {"
    prefixes = "PREFIX : <http://ex.org/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
    number = "http://www.w3.org/2001/XMLSchema#integer"
    return dict(
        ReferenceEngine({"t0": "0"}).run(
            {
                **{"op": "run", "id": "c", "unit": 1, "registered": 0, "until": 5},
                "query": prefixes + text.replace(" {", clause, 1),
                "streams": ["http://ex.org/st"],
                "elements": [
                    {
                        "stream": "http://ex.org/st",
                        "t": t,
                        "graph": f'<http://ex.org/s> <http://ex.org/p> "{t}"^^<{number}> .',
                    }
                    for t in (1, 2, 3)
                ],
            }
        )
    )


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    """Read the grammar, which takes longer than the limits here."""
    asked(CALLS["truth"])


def _raised_or_said(
    monkeypatch: pytest.MonkeyPatch, failing: Failing, query: str, kind: str, seconds: float
) -> None:
    """Ask QUERY within SECONDS: what FAILING raises comes out, or the reply says which limit."""
    monkeypatch.setattr("rsp_conformance.adapters.reference.evaluate.Callbacks", lambda: failing)
    before = signal.signal(signal.SIGALRM, _late)
    limits.allow(seconds)
    try:
        reply = asked(query)
    except BaseException as error:
        assert type(error).__name__ == KINDS.get(kind, kind)
    else:
        assert kind in LIMITS
        what = LIMITS[kind].format(seconds=f"{seconds:g}")
        assert reply["error"] == {"kind": "unsupported", "message": f"{LimitExceeded(what)}"}
    finally:
        signal.signal(signal.SIGALRM, before)
        limits.allow(limits.SECONDS)


@settings(max_examples=40, deadline=None, suppress_health_check=[*HealthCheck])
@given(call=st.sampled_from([*CALLS]), kind=st.sampled_from([*RAISED]), place=st.integers(1, 3))
@example(call="group_concat", kind="the time limit", place=3)
@example(call="truth", kind="RecursionError", place=1)
def test_what_a_callback_raises_is_raised(call: str, kind: str, place: int) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        _raised_from(monkeypatch, call, kind, place)


def _raised_from(monkeypatch: pytest.MonkeyPatch, call: str, kind: str, place: int) -> None:
    """Have a callback do what it should not in the given place."""
    # A machine that does other work beside may come to the short limit before the call's place.
    for seconds in (0.2, 5.0) if kind == "the time limit" else (30.0,):
        failing = Failing(place, RAISED[kind])
        _raised_or_said(monkeypatch, failing, CALLS[call], kind, seconds)
        if failing.calls >= place:
            break
    assert failing.calls >= place


def test_a_handler_that_returns_changes_no_answer() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGHUP, lambda number, _: heard.append(number))

    def interrupted(value: ox.Literal) -> ox.Literal:
        os.kill(os.getpid(), signal.SIGHUP)
        return value

    store = ox.Store()
    store.extend(
        ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal(i)) for i in (1, 2)
    )
    callbacks, name = Callbacks(), ox.NamedNode("urn:f")
    called = {name: callbacks.function(interrupted)}
    try:
        with callbacks.raising():
            found = store.query(
                "SELECT * { ?s ?p ?o FILTER(<urn:f>(?o) > 0) }", custom_functions=called
            )
            assert isinstance(found, ox.QuerySolutions)
            assert len(list(callbacks.solutions(found))) == 2
    finally:
        signal.signal(signal.SIGHUP, before)
    assert heard == [signal.SIGHUP] * 2
