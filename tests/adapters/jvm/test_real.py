"""Real engines on the JVM, where they are installed: what their drivers rely on.

Whatever one does to its driver's process, the kit goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rsp_conformance.adapters.cqels.register import CQELS
from rsp_conformance.adapters.cqels1.register import CQELS1
from rsp_conformance.adapters.csparql.register import CSPARQL
from rsp_conformance.adapters.csparql2.register import CSPARQL2
from rsp_conformance.adapters.jvm.driver import TRIAL
from rsp_conformance.adapters.yasper.register import YASPER
from rsp_conformance.protocol import Engine, Failure, ProtocolEngine, Reply, Response
from tests.adapters.jvm.real import STREAM, needs
from tests.adapters.jvm.real import request as case

MISBEHAVING = '''
"""The driver, with an engine that does what the query says."""
from rsp_conformance.adapters.{name}.driver import {driver} as Driver
from rsp_conformance.adapters.{name}.register import {name_in_capitals} as ENGINE
from rsp_conformance.adapters.jvm.driver import main

class Misbehaving(Driver):
    def run(self, request):
        if request["query"] == "exit":
            self._java.cls("java.lang.System").exit(3)
        if request["query"] == "hang":
            self._java.cls("java.lang.Thread").sleep(1_000_000)
        if request["query"] == "print":
            self._java.cls("java.lang.System").out.println("{{")
            return []
        if request["query"] == "flood":
            row = {{"x": {{"type": "literal", "value": "x"}}}}
            return [{{"t": None, "cause": 0, "solutions": [row]}}] * 300_000
        return super().run(request)

main(ENGINE, Misbehaving)
'''


pytestmark = pytest.mark.engine
DRIVERS = {
    "cqels": (CQELS, "CqelsDriver"),
    "cqels1": (CQELS1, "Cqels1Driver"),
    "csparql": (CSPARQL, "CSparqlDriver"),
    "csparql2": (CSPARQL2, "CSparql2Driver"),
    "yasper": (YASPER, "Yasper"),
}
NEEDED = {name: pytest.param(name, marks=needs(entry)) for name, (entry, _) in DRIVERS.items()}


@pytest.mark.parametrize("name", NEEDED.values())
def test_an_exit_a_hang_a_flood_and_a_print_end_no_more_than_their_case(
    name: str, tmp_path: Path
) -> None:
    script, (engine, driver) = tmp_path / "driver.py", DRIVERS[name]
    capitals = engine.name.upper()
    script.write_text(
        MISBEHAVING.format(name=engine.name, driver=driver, name_in_capitals=capitals)
    )
    folders = [word for folder in engine.remembered() for word in ("--jars", folder)]
    seen = {}
    with ProtocolEngine([sys.executable, str(script), *folders], time_limit=4.0) as connected:
        for deed in ("exit", "hang", "flood", "print"):
            seen[deed] = getattr(connected.run({**TRIAL, "query": deed}), "kind", "")
            again = connected.run({**TRIAL, "query": engine.trials[0]})
            assert isinstance(again, Reply) and again.answers
    assert seen == {"exit": "died", "hang": "timeout", "flood": "too many rows", "print": ""}


# --- CQELS 2 and C-SPARQL: when their windows close, and what they do not take --------------------

FUTURE = "REGISTER QUERY q AS\nSELECT ?x ?y\nFROM STREAM s1 [FUTURE 2s STEP 2s]\nWHERE {{\n{}\n}}\n"
PAIRS = {
    "cqels": FUTURE.format("  STREAM s1 { ?x <urn:p> ?y . }"),
    "csparql": f"REGISTER QUERY q AS SELECT ?x ?y FROM STREAM <{STREAM}> [RANGE 2s STEP 2s] "
    "WHERE { ?x <urn:p> ?y . }",
}


@pytest.fixture(scope="module")
def connected(request: pytest.FixtureRequest) -> Iterator[tuple[str, Engine]]:
    with DRIVERS[request.param][0].connect({}, 30.0) as started:
        yield request.param, started


both = pytest.mark.parametrize("connected", [NEEDED[own] for own in PAIRS], indirect=True)


def rows(outcome: Response) -> list[tuple[object, object, int]]:
    """When each answer is for, by what it came, and the number of its rows."""
    assert isinstance(outcome, Reply), outcome
    return [(a.t, a.cause, len(a.content)) for a in outcome.answers]  # type: ignore[arg-type]


@both
def test_windows_close_at_multiples_of_the_slide(connected: tuple[str, Engine]) -> None:
    """CQELS has no instants, and reports the window that closes at the registration.

    So ``first-aligned-open`` begins with that one: (−2,0] by the element at 1, then (0,2].
    """
    name, engine = connected
    hello, is_cqels = engine.hello(), name == "cqels"
    assert hello.engine == name and hello.version.startswith("2." if is_cqels else "0.9")
    late = case(PAIRS[name], (1, "a p b"), (2, "c p d"), (3, "e p f"), (9, "e e e"))
    due = [(None, 2, 2), (None, 3, 1)] if is_cqels else [(2, 2, 2), (4, 3, 1)]
    assert rows(engine.run(late)) == due
    if is_cqels:
        early = case(PAIRS[name], (0, "a p b"), (1, "c p d"), (9, "e e e"))
        assert rows(engine.run(early)) == [(None, 1, 1), (None, 2, 1)]


@both
def test_what_they_do_not_take_is_refused_and_ends_nothing(
    connected: tuple[str, Engine],
) -> None:
    name, engine = connected
    pairs = PAIRS[name]
    in_filter = FUTURE.format("  STREAM s1 { ?x <urn:p> ?y . } FILTER(?y IN (1, 2))")
    refused = {
        "cqels": [
            ("no query at all", "rejected", ""),
            (pairs.replace("SELECT", "SELECT DISTINCT"), "unsupported", ""),
            (in_filter, "rejected", ""),
        ],
        "csparql": [
            ("no query at all", "rejected", "ParseException"),
            (pairs.replace("?x ?y", "?x (COUNT(?y AS ?n)"), "rejected", "QueryParseException"),
        ],
    }
    for query, kind, says in refused[name]:
        outcome = engine.run(case(query, (1, "a p b")))
        assert isinstance(outcome, Failure) and outcome.kind == kind and says in outcome.message
        assert isinstance(engine.run(case(pairs, (1, "a p b"))), Reply)


@needs(CSPARQL)
def test_elements_are_lost_at_the_start_without_the_early_clock() -> None:
    """What the early clock is for: (2,4] holds the element of 3."""
    asked = case(PAIRS["csparql"], (2, "a p b"), (3, "c p d"), (9, "e e e"))
    first = CSPARQL.connect({"clock": "first"}, 30.0)
    with first as late, CSPARQL.connect({}, 30.0) as early:
        found = [[t for t, *_ in rows(one.run(asked))] for one in (late, early)]
    assert found == [[], [2, 4]]


TRIPLES = [(1, "a p o"), *((2, f"{n} p o") for n in "bcd"), *((3, f"{n} p o") for n in "efgh")]


@needs(CSPARQL)
def test_c_sparqls_windows_by_count_are_batches_of_the_triples_of_all_streams() -> None:
    """A batch is answered at the triple that fills it, by the one that moves the clock beyond."""
    query = PAIRS["csparql"].replace("RANGE 2s STEP 2s", "RANGE TRIPLES 3")
    alone = case(query, *TRIPLES, (9, "i p o"), (10, "e e e"))
    beside = case(query, *TRIPLES, (9, "e e e"), streams=[STREAM, f"{STREAM}x"])
    for place in (0, 3, 4):
        beside["elements"][place]["stream"] = f"{STREAM}x"
    with CSPARQL.connect({}, 30.0) as engine:
        assert rows(engine.run(alone)) == [(2, 4, 3), (3, 8, 3), (9, 9, 3)]
        # Of the first three triples two are its own: 3 are due at 3.
        assert rows(engine.run(beside)) == [(2, 4, 2), (3, 8, 1)]


@needs(CQELS)
def test_cqels_2_keeps_the_last_elements_in_joins() -> None:
    """What the query does not match counts too; but an element of two triples counts once."""
    query = PAIRS["cqels"].replace("FUTURE 2s STEP 2s", "TRIPLES 2")
    query = query.replace("?y .", "?y . ?x <urn:q> ?z .")
    steps = ((1, "a p b"), (2, "a q c"), (3, "e e e"), (4, "a p d"), (5, "a q f"))
    single = case(query, *steps)
    double = case(query, (1, "a p b"), (2, "a q c"), (3, "a p d"))
    double["elements"][0]["graph"] += double["elements"].pop(1)["graph"]
    with CQELS.connect({"windows": "range-joins"}, 30.0) as engine:
        assert rows(engine.run(single)) == [(None, 1, 1), (None, 4, 1)]
        # Of the last two triples, :a :q :c and :a :p :d, there is one row, and not two.
        assert rows(engine.run(double)) == [(None, 0, 1), (None, 1, 2)]
