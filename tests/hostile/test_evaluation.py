"""What the kit evaluates itself comes to an end; commands and runs say what was not judged."""

from __future__ import annotations

import itertools
import json
import resource
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import rsp_conformance as rsp
from rsp_conformance import ending, limits
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.spark_judge import must_agree
from rsp_conformance.judge.verdict import verdict_on
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.results import ProfiledCase, SuiteResult
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import judge_share
from tests.builders.command_line import cli
from tests.builders.sparql import query
from tests.builders.terms import iri, triple

SECONDS = 0.15
NODES = [f":n{n}" for n in range(40)]
TRIPLES = (
    *(triple(f":s{n}", ":p", n) for n in range(40)),
    *(triple(a, ":q", b) for a, b in zip(NODES, [*NODES[1:], NODES[0]], strict=True)),
    triple(":long", ":r", "a" * 60 + "b"),
    triple(":a", ":r", "a" * 64),
)


def hostile(text: str) -> Case:
    """A case that asks a query, whose window holds TRIPLES at its only evaluation."""
    head, body = text.split(" {", 1)
    body, _, tail = body.rpartition("}")
    window = f"FROM NAMED WINDOW :w ON STREAM :st [RANGE 2 STEP 2] {{ WINDOW :w {{ {body} }} }}"
    asked = query(f"{head} {window} {tail}")
    return Case(asked, (StreamElement(iri("st"), 1, TRIPLES),), until=2, streams=(iri("st"),))


PRODUCT = " . ".join(f"?a{n} :p ?b{n}" for n in range(6))
DOUBLED = " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(40))
WITHOUT_END = {
    "a product, filtered": f"SELECT * {{ {PRODUCT} FILTER(?b0 + ?b1 + ?b2 + ?b3 > 1000000) }}",
    "an enormous group": f"SELECT (GROUP_CONCAT(STR(?b0)) AS ?x) {{ {PRODUCT} }}",
    "a subquery": f"SELECT ?a0 {{ {{ SELECT * {{ {PRODUCT} }} }} ?a0 :p 1 }}",
    "what exists not": f"SELECT * {{ ?s :p ?o FILTER NOT EXISTS {{ {PRODUCT} FILTER(?b0 < 0) }} }}",
    "repeated paths": "SELECT * { "
    + " . ".join(f"?c{n} (:q|^:q)* ?c{n + 1}" for n in range(5))
    + " }",
    "an expression that backtracks": "SELECT * { :long :r ?o FILTER REGEX(?o, '^(a+)+$') }",
    "a replacement that backtracks": "SELECT (REPLACE(?o, '(a*)*c', 'x') AS ?x) { :long :r ?o }",
}
"""By the specification each takes more than SECONDS, by far."""
TOO_LARGE = {
    "a string that doubles": f"SELECT * {{ :a :r ?x0 {DOUBLED} }}",
    "a string that doubles in a row": "SELECT ?x40 { :a :r ?x0 " + DOUBLED + " }",
}


@pytest.fixture
def few_seconds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small limits; few megabytes, too, so that nothing large is ever made."""
    monkeypatch.setattr(limits, "MEMORY", 256 << 20)
    limits.allow(SECONDS)
    yield
    limits.allow(limits.SECONDS)
    left, most = resource.getrlimit(resource.RLIMIT_DATA)
    # Whatever this test has left behind, the process is to live on.
    resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, most))
    assert left == resource.RLIM_INFINITY


SAID = {
    **dict.fromkeys(WITHOUT_END, "took longer than 0.15 s"),
    **dict.fromkeys(TOO_LARGE, "needed"),
}
ALL = WITHOUT_END | TOO_LARGE


@pytest.mark.usefixtures("few_seconds")
@pytest.mark.parametrize("name", ALL)
def test_the_specification_stops(name: str) -> None:
    if name in TOO_LARGE:
        limits.allow(limits.SECONDS)  # On a slow machine the time would be up before the memory.
    case = hostile(ALL[name])
    held = rsp.profile("rsp-ql", t0=0)
    judged = ProfiledCase(case, held, held.base)
    with pytest.raises(BadInput, match=r"own evaluation of this case .*: not judged$") as stopped:
        judged.judge([])
    assert SAID[name] in str(stopped.value) or "memory" in str(stopped.value)


@pytest.mark.usefixtures("few_seconds")
@pytest.mark.parametrize("name", ALL)
def test_a_worker_of_spark_stops_or_knows_a_shorter_way(name: str) -> None:
    dials = Dials(t0=0)
    small = hostile("SELECT * { :a :r ?o }")
    shipment = Shipment()
    cases = [
        shipment.case(Task(n, c, dials), judged=True)
        for n, c in (("a", hostile(ALL[name])), ("b", small))
    ]
    first, second = (one.found for one in judge_share(cases, SECONDS))
    assert not isinstance(first, Exception) or isinstance(first, LimitExceeded)
    assert not isinstance(second, Exception), "what follows is judged"


def test_an_outer_limit_holds_within(few_seconds: None) -> None:
    with pytest.raises(LimitExceeded, match=r"0\.15 s"), limited():
        limits.allow(60)
        with limited():
            sum(1 for _ in iter(int, 1))


def test_a_limit_leaves_nothing_behind(few_seconds: None) -> None:
    handler = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(LimitExceeded), limited():
        sum(1 for _ in iter(int, 1))
    assert signal.getsignal(signal.SIGVTALRM) is handler
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    assert limits.running() is None
    assert resource.getrlimit(resource.RLIMIT_DATA)[0] == resource.RLIM_INFINITY


def test_threads_that_end_in_another_order_leave_no_limit() -> None:
    """The one that began last ends last, and has found the cap of the first."""
    ends = [threading.Event(), threading.Event()]
    threads = []
    for end in ends:
        begun = threading.Event()

        def evaluate(begun: threading.Event = begun, end: threading.Event = end) -> None:
            with limited():
                begun.set()
                end.wait(10)

        threads.append(threading.Thread(target=evaluate))
        threads[-1].start()
        assert begun.wait(10)
    for end, thread in zip(ends, threads, strict=True):
        end.set()
        thread.join()
    assert resource.getrlimit(resource.RLIMIT_DATA)[0] == resource.RLIM_INFINITY


def test_the_end_of_time_keeps_no_limit_of_memory(
    few_seconds: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    restore = resource.setrlimit

    def slow(kind: int, limit: tuple[int, int]) -> None:
        last = time.process_time() + 0.4
        while limit[0] == resource.RLIM_INFINITY and time.process_time() < last:
            pass
        restore(kind, limit)

    monkeypatch.setattr(limits.resource, "setrlimit", slow)
    with limited():
        pass
    assert resource.getrlimit(resource.RLIMIT_DATA)[0] == resource.RLIM_INFINITY


def test_a_slow_machine_is_no_reason_to_end_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "GRACE", 0.3)
    left = threading.Event()
    timer = threading.Timer(0.6, left.set)
    timer.start()
    assert ending._ends(left), "this process takes hardly any processor time while it waits"
    timer.join()
    left.clear()
    over = threading.Event()

    def burn() -> None:
        while not over.is_set():
            sum(range(10_000))

    burning = threading.Thread(target=burn)
    burning.start()
    try:
        assert not ending._ends(left)
    finally:
        over.set()
    burning.join()


# --- Commands say in one line that they did not judge ---------------------------------------------

LONG_REGEX = """PREFIX : <http://ex.org/>
SELECT ?o FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2]
{ WINDOW :w { ?s :p ?o FILTER REGEX(?o, "^(a+)+$") } }"""


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    """A query that backtracks, its stream, and no answers; as arguments."""
    (tmp_path / "q.rq").write_text(LONG_REGEX, "utf-8")
    graph = f'<http://ex.org/a> <http://ex.org/p> "{"a" * 60}b" .'
    element = {"stream": "http://ex.org/s", "t": 1, "graph": graph}
    (tmp_path / "s.jsonl").write_text(json.dumps(element), "utf-8")
    (tmp_path / "a.json").write_text("[]", "utf-8")
    return ["--query", tmp_path / "q.rq", "--stream", f":s={tmp_path / 's.jsonl'}", "--until", 2]


@pytest.mark.parametrize("command", ["answers", "judge"])
def test_a_command_says_in_one_line_that_it_did_not_judge(
    command: str, files: list[object], tmp_path: Path
) -> None:
    own = ["--t0", ":w=0"] if command == "answers" else ["--answers", tmp_path / "a.json"]
    ran = cli(command, *files, *own, "--time-limit", SECONDS)
    limits.allow(limits.SECONDS)
    assert ran.line().endswith(
        "the kit's own evaluation of this case took longer than 0.15 s: not judged\n"
    )


def test_a_crash_file_that_is_not_judged_in_time_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = rsp.connect("reference", options={"fault": "bounds-end", "dial.t0": "0"})
    with engine:
        rsp.run_suite(engine, properties=["windows"], examples=20, folder=tmp_path, seed=1)
    (crash, *_) = (tmp_path / "crashes").iterdir()

    def judged(*_: object) -> None:
        sum(1 for _ in iter(int, 1))

    monkeypatch.setattr("rsp_conformance.judge.verdict.judge", judged)
    ran = cli("replay", crash, "--engine", "reference", "--judging-limit", SECONDS)
    limits.allow(limits.SECONDS)
    assert ran.out == "ERROR\n"
    assert "took longer than 0.15 s: not judged" in ran.line()


# --- A run says how many cases it did not judge, and is not green over none -----------------------


def some_not_judged(monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    """Have the judge go beyond its limit on every so many cases."""
    count = itertools.count(1)

    def judged(observation: Observation) -> Verdict | None:
        if next(count) % every == 0:
            raise LimitExceeded("took longer than 60 s")
        return verdict_on(observation)

    monkeypatch.setattr("rsp_conformance.run.judging.verdict_on", judged)


def run(tmp_path: Path, name: str = "ask") -> SuiteResult:
    """A run of one property on `reference`."""
    return rsp.run_suite("reference", properties=[name], examples=20, folder=tmp_path)


def test_a_run_that_judged_nothing_is_not_green(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    some_not_judged(monkeypatch, 1)
    found = run(tmp_path)
    (finished,) = found.properties
    assert not found.passed and not found.findings
    assert finished.verdict == "failed" and finished.counts["compared"] == 0
    assert finished.counts["not_judged"] >= 20
    assert "not judged (the kit took longer than 60 s)" in finished.note


def test_a_run_that_judged_some_says_how_many_it_did_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    some_not_judged(monkeypatch, 4)
    (finished,) = run(tmp_path).properties
    assert finished.counts["not_judged"] >= 5
    assert f"{finished.counts['not_judged']} not judged (the kit took" in str(finished)
    assert RunOutcome().take([finished]).not_judged == finished.counts["not_judged"]


def test_a_finding_that_cannot_be_explained_in_time_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def argued(*_: object, **__: object) -> None:
        raise LimitExceeded("took longer than 60 s")

    held = rsp.profile("rsp-ql", t0=0)
    judged = ProfiledCase(hostile("SELECT * { :a :r ?o }"), held, held.base).judge([])
    monkeypatch.setattr("rsp_conformance.explain.render.failure.argued", argued)
    assert not judged.correct
    text = judged.explain()
    assert "There is no explanation: the kit took longer than 60 s." in text
    assert "Stream :st" in text


def test_the_second_judge_may_go_beyond_its_limit() -> None:
    observation = Observation(Stimulus(hostile("SELECT * { :a :r ?o }")), Dials(t0=0), "")
    verdict = verdict_on(observation)
    assert verdict is not None
    must_agree(observation, verdict.correct, LimitExceeded("took longer than 60 s"))
    with pytest.raises(KitDisagreement):
        must_agree(observation, verdict.correct, None)
