"""CQELS 1's driver on a fake of the engine: what it sends and when, and what it throws away."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.cqels1 import engine as engine_module
from rsp_conformance.adapters.cqels1 import names
from rsp_conformance.adapters.cqels1.case import INSTANTS
from rsp_conformance.adapters.cqels1.driver import Cqels1Driver
from rsp_conformance.adapters.cqels1.register import CQELS1
from rsp_conformance.adapters.cqels1.side_by_side import serve
from rsp_conformance.adapters.jvm.driver import JvmDriver
from tests.adapters.cqels1 import fake
from tests.adapters.jvm import fake as jvm
from tests.adapters.jvm.fake import replies
from tests.builders.wire import run_of

Answers = Callable[..., list[Any]]
QUERY = """\
SELECT ?s ?p ?o
WHERE {
  STREAM <http://ex.org/s> [RANGE 2s SLIDE 1s] { ?s ?p ?o }
}
"""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> fake.Clock:
    found = fake.Clock()
    monkeypatch.setattr(fake.Context, "clock", found)
    monkeypatch.setattr(fake.Context, "made", [])
    monkeypatch.setattr(fake.Context, "queries", [])
    monkeypatch.setattr(fake.Thread, "alive", set())
    monkeypatch.setattr(time, "monotonic", found)
    monkeypatch.setattr(time, "sleep", found.sleep)
    return found


@pytest.fixture
def answers(tmp_path: Path, clock: fake.Clock) -> Answers:
    """The replies to requests, all sent at once, in the order in which they come."""

    def ask(*requests: Mapping[str, Any], costs: Iterable[float] = ()) -> list[Any]:
        """COSTS are the seconds that each `send` takes, once the engine has started."""
        driver = started(tmp_path, clock)
        clock.costs, clock.now = [*costs], 1000.0
        fake.Context.queries.clear()
        return replies(serve, driver, *requests)

    return ask


def started(tmp_path: Path, clock: fake.Clock) -> JvmDriver:
    """The driver, which has said what it is, and has asked its two trials."""
    make = partial(Cqels1Driver, clock=clock)
    driver = jvm.started(CQELS1, make, fake.JAVA, tmp_path, "cqels-1.1.0.jar")
    assert "error" not in driver.hello({})
    return driver


def element(t: int, term: str) -> dict[str, Any]:
    return {"stream": "http://ex.org/s", "t": t, "graph": f"<urn:s> <urn:p> {term} .\n"}


def request(*times: int, query: str = QUERY, **more: Any) -> dict[str, Any]:
    return run_of(query, *(element(t, f"<urn:t{t}>") for t in times), **more)


def held(reply: Mapping[str, Any]) -> list[tuple[int, int]]:
    """For each row its cause, and how many triples the window held."""
    return [(a["cause"], int(a["solutions"][0]["n"]["value"])) for a in reply["answers"]]


def test_hello(answers: Answers) -> None:
    (said,) = answers({"op": "hello", "protocol": 1})
    assert (said["engine"], said["version"], said["language"]) == ("cqels1", "1.1.0", "cqels-ql")
    assert said["parallel"] > 1 and said["profile"] == "cqels-1"
    assert {name for key, name in vars(names).items() if key.isupper()} <= {*CQELS1.classes}


def test_a_window_reaches_back_by_its_width_and_includes_it(answers: Answers) -> None:
    (reply,) = answers(request(1, 3, 4, 4))
    assert held(reply) == [(0, 1), (1, 2), (2, 2), (3, 3)]
    assert fake.Context.queries[0] == QUERY.replace(
        "http://ex.org/s", "urn:rsp:stream:3:0:0"
    ).replace("2s SLIDE 1s", f"{2 * INSTANTS[0] + INSTANTS[0] // 2}ms")


@pytest.mark.parametrize(
    ("size", "due"),
    [("TRIPLES 2", [1, 2, 2, 2]), ("NOW", [1, 1, 1, 1]), ("ALL", [1, 2, 3, 4])],
)
def test_windows_that_do_not_go_by_the_clock_stay_as_they_are(
    answers: Answers, clock: fake.Clock, size: str, due: list[int]
) -> None:
    query = QUERY.replace("RANGE 2s SLIDE 1s", size)
    (reply,) = answers(request(1, 3, 3, 400, query=query))
    assert [number for _, number in held(reply)] == due
    assert f"<urn:rsp:stream:3:0:0> [{size}]" in fake.Context.queries[0]
    # No window by time has to be empty before the last element comes.
    assert clock.now - 1000.0 < 4 * INSTANTS[0] / 1000


@pytest.mark.parametrize("late", [0.46, 0.7, 5.0])
def test_what_is_sent_too_late_is_thrown_away_and_sent_again(answers: Answers, late: float) -> None:
    costs = 0.0, 0.0, late * INSTANTS[0] / 1000
    (reply,) = answers(request(1, 2, 4), costs=costs)
    assert held(reply) == [(0, 1), (1, 2), (2, 2)]
    assert (
        len(fake.Context.queries) == 2
        and f"RANGE {5 * INSTANTS[1] // 2}ms" in fake.Context.queries[1]
    )


def test_a_machine_that_never_keeps_up_gets_no_answer_judged(answers: Answers) -> None:
    (reply,) = answers(request(1, 2, 4), costs=[1.0] * 50)
    assert reply["error"]["kind"] == "unsupported" and "keeping time" in reply["error"]["message"]
    assert "answers" not in reply and len(fake.Context.queries) == len(INSTANTS)


def test_cases_side_by_side_hear_only_their_own(answers: Answers, clock: fake.Clock) -> None:
    found = answers(request(0, 40, 41, id="long"), *(request(1, 2, id=f"c{n}") for n in range(9)))
    assert {reply["id"] for reply in found} == {"long", *(f"c{n}" for n in range(9))}
    by_id = {reply["id"]: reply for reply in found}
    assert held(by_id["long"]) == [(0, 1), (1, 1), (2, 2)]
    assert all(held(by_id[f"c{n}"]) == [(0, 1), (1, 2)] for n in range(9))
    assert clock.now - 1000.0 < 6 * INSTANTS[0] / 1000  # gaps are no longer than the windows
    static = [{"quads": "<urn:a> <urn:b> <urn:c> .\n"}]
    first, second = answers(request(1, static=static), request(1, id="c2"))
    assert (held(first), held(second)) == ([(0, 2)], [(0, 1)])


@pytest.mark.parametrize(
    ("case", "kind", "message"),
    [
        (request(1, query=QUERY.replace("?p", "rejected")), "rejected", "ParseException"),
        (request(1, query=QUERY.replace("SLIDE 1s", "SLIDE 2s")), "unsupported", "SLIDE"),
        (
            request(1, static=[{"quads": "<urn:a> <urn:b> <urn:c> <urn:g> .\n"}]),
            "unsupported",
            "named",
        ),
        (request(1, elements=[element(1, "?")]), "rejected", "0"),
        (
            request(elements=[element(0, "<urn:good>"), element(1, "<urn:bad>")]),
            "crashed",
            "element 1: JavaError: java.lang.NullPointerException",
        ),
    ],
)
def test_what_is_refused(answers: Answers, case: dict[str, Any], kind: str, message: str) -> None:
    found = {one["id"]: one for one in answers(case, request(1, id="c2"))}
    refused, answered = found["c1"], found["c2"]
    assert refused["error"]["kind"] == kind and message in refused["error"]["message"]
    assert ("answers" in refused) == (kind == "crashed")
    assert held(answered) == [(0, 1)]


def test_a_context_that_is_full_is_replaced_and_no_folder_is_left(
    tmp_path: Path, clock: fake.Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "MOST_QUERIES", 3)
    left, new = tmp_path / "rsp-cqels1-left", tmp_path / "rsp-cqels1-new"
    left.mkdir()
    new.mkdir()
    os.utime(left, (0, 0))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    driver = started(tmp_path, clock)
    assert [held(driver.run(request(1, 2))) for _ in range(8)] == [[(0, 1), (1, 2)]] * 8
    assert len(fake.Context.made) == 4  # with that of the trials
    assert {path.name for path in tmp_path.glob("rsp-cqels1-*")} == {"rsp-cqels1-new"}


def test_the_timers_of_a_context_end_with_it_and_no_other_thread(
    tmp_path: Path, clock: fake.Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "MOST_QUERIES", 3)
    other = fake.Thread()
    driver = started(tmp_path, clock)  # two queries, each with a window
    left = []
    for _ in range(5):
        driver.run(request(1, 2))
        left.append(len(fake.Thread.alive - {other}))
    assert left == [3, 1, 2, 3, 1]
    driver.close()
    assert fake.Thread.alive == {other}


def test_a_java_that_keeps_its_timers_is_driven_all_the_same(
    tmp_path: Path, clock: fake.Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: Any) -> None:
        raise jvm.JavaError("java.lang.reflect.InaccessibleObjectException")

    monkeypatch.setattr(engine_module, "MOST_QUERIES", 1)
    monkeypatch.setattr(jvm.Field, "setAccessible", closed)
    driver = started(tmp_path, clock)
    assert [held(driver.run(request(1, 2))) for _ in range(3)] == [[(0, 1), (1, 2)]] * 3


def test_terms_come_back_as_they_were(answers: Answers) -> None:
    terms = ["<urn:a>", "_:b", '"x"', '"05"^^<urn:t>', '"près"@fr']
    elements = [element(1, term) for term in terms]
    (reply,) = answers(request(elements=elements))
    rows = [answer["solutions"][0] for answer in reply["answers"]]
    assert [row["o"] for row in rows] == [
        {"type": "uri", "value": "urn:a"},
        {"type": "bnode", "value": "b"},
        {"type": "literal", "value": "x"},
        {"type": "literal", "value": "05", "datatype": "urn:t"},
        {"type": "literal", "value": "près", "xml:lang": "fr"},
    ]
    assert rows[0].keys() == {"s", "p", "o", "n"}
