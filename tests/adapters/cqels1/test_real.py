"""CQELS 1 itself, where it is installed; its defects are recorded in tools/engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rsp_conformance.adapters.cqels1.register import CQELS1
from rsp_conformance.model.answers import Rows
from rsp_conformance.protocol import Engine, Failure, Reply, registry
from tests.adapters.jvm.real import STREAM, needs, request
from tests.builders.command_line import python

pytestmark = [pytest.mark.engine, needs(CQELS1)]

READ = f"STREAM <{STREAM}> [RANGE 2s]"
OWNED = [{"quads": "<urn:a> <urn:own> <urn:h> .\n<urn:a> <urn:own> <urn:i> .\n"}]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with registry.connect("CQELS-1") as connected:
        yield connected


def query(pattern: str, shown: str = "*") -> str:
    return f"SELECT {shown} WHERE {{ {pattern} }}"


def given(reply: Reply | Failure, variable: str) -> str:
    """What VARIABLE is in the rows, each behind its cause."""
    assert isinstance(reply, Reply), reply
    found = []
    for answer in reply.answers:
        assert isinstance(answer.content, Rows)
        for row in answer.content.solutions():
            found.append(f"{answer.cause}:{getattr(row.get(variable), 'value', '-')[4:]}")
    return " ".join(sorted(found))


ONE, TWO = f"{READ} {{ ?x <urn:p> ?y }}", f"{READ} {{ ?x <urn:p> ?y . ?x <urn:q> ?z }}"
SIZES = ("TRIPLES 2", "NOW", "ALL")


@pytest.mark.parametrize(
    ("case", "variable", "seen"),
    [
        (request(query(ONE), (1, "a p b"), (1, "a p b"), (3, "a p c")), "y", "0:b 1:b 2:c"),
        # At 3 the window reaches back to 1, which is in it.
        (request(query(TWO), (1, "a p b"), (3, "a q c")), "y", "1:b"),
        (request(query(TWO), (1, "a p b"), (2, "a p c"), (3, "a q d")), "y", "2:b 2:c"),
        (request(query(f"{ONE} FILTER(?y = <urn:b>)"), (1, "a p b"), (2, "a p c")), "y", "0:b"),
        (request(query(f"{ONE} ?x <urn:own> ?h"), (1, "a p b"), static=OWNED), "h", "0:h 0:i"),
        (request(query(f"{ONE} ?x <urn:own> ?h"), (1, "a p b")), "h", ""),
    ],
)
def test_what_it_does_as_it_should(
    engine: Engine, case: dict[str, Any], variable: str, seen: str
) -> None:
    assert given(engine.run(case), variable) == seen


@pytest.mark.parametrize("size", SIZES)
def test_nothing_leaves_a_window_that_is_not_by_time(engine: Engine, size: str) -> None:
    """As it should be for ALL alone: of TRIPLES 2 and NOW nothing is due at the last element."""
    asked = [query(one.replace("RANGE 2s", size)) for one in (ONE, TWO)]
    single = request(asked[0], (1, "a p b"), (3, "a p c"), (9, "a p d"))
    assert given(engine.run(single), "y") == "0:b 1:c 2:d"
    joined = request(asked[1], (1, "a p b"), (2, "e e e"), (3, "e e e"), (9, "a q c"))
    assert given(engine.run(joined), "y") == "3:b"


TIMERS = """
import sys
from rsp_conformance.adapters.cqels1.engine import Engine
from rsp_conformance.adapters.cqels1.register import CQELS1
from rsp_conformance.adapters.jvm.jars import jars_in
from rsp_conformance.adapters.jvm.java import start_java
from rsp_conformance.adapters.stdio import end
from rsp_conformance.model.terms import IRI, Triple

QUERY = "SELECT * WHERE { STREAM <urn:s> [RANGE 20ms] { ?x <urn:p> ?y . ?x <urn:p> ?z } }"
java = start_java(jars_in(sys.argv[1:]), CQELS1.least_java, CQELS1.java_options)
rows = []

def timers():
    running = java.cls("java.lang.Thread").getAllStackTraces().keySet()
    return [thread for thread in running if "Timer-" in thread.getName()[:6]]

engine = Engine(java)
for done in (engine.renew, engine.renew, engine.close):
    engine.register(QUERY, [], rows.append)
    for one in engine.element("urn:s", [Triple(IRI("urn:a"), IRI("urn:p"), IRI("urn:b"))]):
        engine.send(*one)
    running = timers()
    done()
    for thread in running:
        thread.join(5_000)
    print(len(rows), len(running), len(timers()))
end()
"""


def test_the_timers_of_windows_end_with_their_context() -> None:
    ran = python("-c", TIMERS, *CQELS1.remembered(), timeout=120)
    assert ran.well.splitlines() == ["1 2 0", "2 2 0", "3 2 0"]


def test_many_cases_side_by_side_hear_only_their_own(engine: Engine) -> None:
    cases = {
        f"c{n}": request(
            query(TWO), *((t, f"a{n} p b{t}") for t in range(n % 3)), (n % 3, f"a{n} q c")
        )
        for n in range(3 * CQELS1.hello["parallel"])
    }
    hello = engine.hello()
    assert hello.parallel == CQELS1.hello["parallel"]
    found = dict(engine.run_many([{**case, "id": id} for id, case in cases.items()]))
    assert found.keys() == cases.keys()
    for n in range(3 * CQELS1.hello["parallel"]):
        due = " ".join(f"{n % 3}:b{t}" for t in range(n % 3))
        assert given(found[f"c{n}"], "y") == due
