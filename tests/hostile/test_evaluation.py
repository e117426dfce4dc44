"""What the kit evaluates itself comes to an end."""

from __future__ import annotations

import resource
import signal
import threading
import time
from collections.abc import Iterator

import pytest

import rsp_conformance as rsp
from rsp_conformance import ending, limits
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import BadInput
from rsp_conformance.results import ProfiledCase
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import judge_share
from tests.hostile.evaluations import SECONDS, hostile

PRODUCT = " . ".join(f"?a{n} :p ?b{n}" for n in range(6))
DOUBLED = " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(40))
WITHOUT_END = {
    "a product of patterns": f"SELECT * {{ {PRODUCT} }}",
    "a product of groups": "SELECT * { "
    + " ".join(f"{{ ?a{n} :p ?b{n} }}" for n in range(6))
    + " }",
    "a product, distinct": f"SELECT DISTINCT ?a0 {{ {PRODUCT} }}",
    "a product, in order": f"SELECT * {{ {PRODUCT} }} ORDER BY ?b0",
    "a product, in groups": f"SELECT ?a0 (SUM(?b1) AS ?n) {{ {PRODUCT} }} GROUP BY ?a0",
    "a product, filtered": f"SELECT * {{ {PRODUCT} FILTER(?b0 + ?b1 + ?b2 + ?b3 > 1000000) }}",
    "an enormous group": f"SELECT (GROUP_CONCAT(STR(?b0)) AS ?x) {{ {PRODUCT} }}",
    "what is optional": "SELECT * { "
    + " ".join(f"OPTIONAL {{ ?a{n} :p ?b{n} }}" for n in range(6))
    + " }",
    "unions of products": f"SELECT * {{ {{ {PRODUCT} }} UNION {{ {PRODUCT} }} }}",
    "a subquery": f"SELECT ?a0 {{ {{ SELECT * {{ {PRODUCT} }} }} ?a0 :p 1 }}",
    "what exists not": f"SELECT * {{ ?s :p ?o FILTER NOT EXISTS {{ {PRODUCT} FILTER(?b0 < 0) }} }}",
    "a difference": f"SELECT * {{ {PRODUCT} MINUS {{ ?a0 :q ?z }} }}",
    "values": "SELECT * { "
    + " ".join(f"VALUES ?v{n} {{ {' '.join(map(str, range(40)))} }}" for n in range(6))
    + " }",
    "repeated paths": "SELECT * { "
    + " . ".join(f"?c{n} (:q|^:q)* ?c{n + 1}" for n in range(5))
    + " }",
    "a path of paths": "SELECT * { ?c ((:q*/^:q*)*/(:q*/^:q*)*)* ?d . ?e (:q*)* ?f }",
    "a sequence of repeated paths": "SELECT * { ?c :q*/^:q*/:q*/^:q*/:q* ?d . ?e :q*/^:q*/:q* ?f }",
    "an expression that backtracks": "SELECT * { :long :r ?o FILTER REGEX(?o, '^(a+)+$') }",
    "one that backtracks in other ways": "SELECT * { :long :r ?o FILTER REGEX(?o, '^(a|aa)+$') }",
    "one with a part that is repeated": "SELECT * { :long :r ?o FILTER REGEX(?o, '^(.*)*x$') }",
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


@pytest.mark.usefixtures("few_seconds")
def test_answers_that_are_not_judged_have_the_limit_too() -> None:
    held = rsp.profile("rsp-ql", t0=0)
    with pytest.raises(BadInput, match=r"not judged$"):
        ProfiledCase(hostile(WITHOUT_END["a subquery"]), held, held.base).answers()


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
