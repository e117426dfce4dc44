"""What the kit evaluates itself comes to an end, and nothing that is raised meanwhile is lost."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

from rsp_conformance import limits
from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.oxigraph.callbacks import Callbacks
from rsp_conformance.limits import LimitExceeded

# --- what a library calls back ------------------------------------------------------------------


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
    "the time limit": "took longer than 0.2 s",
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
PLACES = (1, 2, 3)


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


def asked(text: str) -> dict[str, Any]:
    """What `reference` replies about three numbers, from a fresh engine."""
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


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", RAISED)
@pytest.mark.parametrize("call", CALLS)
def test_what_a_callback_raises_is_raised(
    monkeypatch: pytest.MonkeyPatch, call: str, kind: str, place: int
) -> None:
    failing = Failing(place, RAISED[kind])
    module = "rsp_conformance.adapters.reference.evaluate.Callbacks"
    monkeypatch.setattr(module, lambda: failing)
    before = signal.signal(signal.SIGALRM, _late)
    limits.allow(0.2)
    try:
        reply = asked(CALLS[call])
    except BaseException as error:
        assert type(error).__name__ == KINDS.get(kind, kind)
    else:
        assert kind in LIMITS
        assert reply["error"] == {
            "kind": "unsupported",
            "message": f"{LimitExceeded(LIMITS[kind])}",
        }
    finally:
        signal.signal(signal.SIGALRM, before)
        limits.allow(limits.SECONDS)
    assert failing.calls >= place
