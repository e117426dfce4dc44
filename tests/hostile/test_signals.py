"""Signals end the kit's own process soon, whatever it is computing, with nothing left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import cycle

import psutil
import pytest

from tests.builders.command_line import python

GRACE = 0.4
"""Seconds that the processes here have instead of `ending.GRACE`."""

SCRIPT = """
import sys
from rsp_conformance import ending
from rsp_conformance.cli import about, main
ending.GRACE = {grace}

def features():
    import re, subprocess, threading, time
    import pyoxigraph as ox
    store = ox.Store()
    for i in range(400):
        store.add(ox.Quad(ox.NamedNode(f"urn:s{{i}}"), ox.NamedNode("urn:p"), ox.Literal(i)))
    product = ". ".join(f"?a{{i}} ?b{{i}} ?c{{i}}" for i in range(6))
    def start():
        print("ready", flush=True)
    {work}
    print("done", flush=True)

about.features = features
sys.argv = ["rsp-conformance", "features"]
main.run()
"""

OBEYING = {
    "python": "start()\n    while True: pass",
    "sleep": "start()\n    time.sleep(60)",
    "a regular expression that backtracks": "start()\n    re.match(r'(a+)+$', 'a' * 40 + 'b')",
    "a subprocess": (
        "run = subprocess.Popen('cat', stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "    start()\n    run.stdout.read()"
    ),
    "a lock": "start()\n    threading.Event().wait()",
    "a sum without end": "start()\n    sum(1 for _ in iter(int, 1))",
}
"""Python itself raises what the signal means."""

DEAF = {
    "a query of pyoxigraph's": "start()\n    store.query(f'SELECT (COUNT(*) AS ?n) {{{product}}}')",
    "callbacks that swallow": (
        "def called(term):\n"
        "        try:\n"
        "            while True: pass\n"
        "        except BaseException:\n"
        "            return term\n"
        "    start()\n"
        "    f = ox.NamedNode('urn:f')\n"
        "    list(store.query('SELECT (<urn:f>(?o) AS ?x) {?s ?p ?o}', "
        "custom_functions={f: called}))"
    ),
    "a handler for everything": (
        "start()\n"
        "    while True:\n"
        "        try:\n"
        "            while True: pass\n"
        "        except BaseException: pass"
    ),
}
"""The process is ended from outside the work."""

STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


@contextmanager
def begun(script: str) -> Iterator[subprocess.Popen[str]]:
    """A process that runs SCRIPT and has said that it is ready."""
    run = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n", run.communicate()
        yield run
    finally:
        run.kill()
        run.communicate()


def at_work(work: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """A process of the command line that has begun to do WORK."""
    return begun(SCRIPT.format(grace=GRACE, work=work))


def ended(run: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str, str, float]:
    """Status, output, errors of RUN after the signal NUMBER, and how long it took."""
    run.send_signal(number)
    sent = time.monotonic()
    out, err = run.communicate(timeout=10)
    return run.returncode, out, err, time.monotonic() - sent


@pytest.mark.parametrize(("work", "number"), [*zip(OBEYING, cycle(STATUS))])
def test_what_python_does_is_interrupted(work: str, number: signal.Signals) -> None:
    with at_work(OBEYING[work]) as run:
        status, out, err, seconds = ended(run, number)
    assert (status, out, err.strip()) == (STATUS[number], "", "")
    assert seconds < 5


@pytest.mark.parametrize(("work", "number"), [*zip(DEAF, cycle(STATUS))])
def test_what_hears_of_no_signal_is_ended_all_the_same(work: str, number: signal.Signals) -> None:
    with at_work(DEAF[work]) as run:
        status, out, _, seconds = ended(run, number)
    assert (status, out) == (STATUS[number], "")
    assert seconds < 5


def test_an_evaluation_that_hears_of_no_limit_is_ended_with_a_line() -> None:
    work = (
        "from rsp_conformance import limits\n"
        "    limits.allow(0.2)\n"
        "    start()\n"
        "    with limits.limited():\n"
        "        store.query(f'SELECT (COUNT(*) AS ?n) {{{product}}}')"
    )
    with at_work(work) as run:
        out, err = run.communicate(timeout=20)
    assert (run.returncode, out) == (2, "")
    assert err == (
        "rsp-conformance: the kit's own evaluation of this case took longer than 0.2 s: "
        "not judged, and nothing else could stop it\n"
    )


def test_drivers_end_with_what_hears_of_no_signal() -> None:
    work = (
        "from rsp_conformance.protocol.process import Child\n"
        "    child = Child([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "    start()\n"
        "    print(child.pid, flush=True)\n"
        "    store.query(f'SELECT (COUNT(*) AS ?n) {{{product}}}')"
    )
    with at_work(work) as run:
        assert run.stdout is not None
        driver = psutil.Process(int(run.stdout.readline()))
        status, *_ = ended(run, signal.SIGTERM)
    assert status == 143
    assert psutil.wait_procs([driver], timeout=2)[1] == []


def test_a_driver_that_nobody_closed_ends_with_the_process() -> None:
    script = (
        "import sys\n"
        "from rsp_conformance.protocol.process import Child\n"
        "print(Child([sys.executable, '-c', 'import time; time.sleep(60)']).pid)\n"
    )
    assert not psutil.pid_exists(int(python("-c", script, timeout=20).well))


LOST = {
    "a finaliser, whose exceptions are ignored": "Owner()",
    "something that makes another exception of it": "otherwise()",
    "something that takes it for its own": "suppressed()",
}
SWALLOWING = """
import time
from rsp_conformance import ending
ending.GRACE = 60

def work():
    print("ready", flush=True)
    time.sleep(60)

class Owner:
    def __del__(self):
        work()

def otherwise():
    try:
        work()
    except KeyboardInterrupt:
        raise SystemError("recursion depth mismatch") from None

def suppressed():
    try:
        work()
    except KeyboardInterrupt:
        pass

try:
    with ending.raising(), ending.watched(insisting={insisting}):
        {work}
    print("nothing")
except BaseException as error:
    print(type(error).__name__)
"""


def _outcome(work: str, number: signal.Signals, *, insisting: bool) -> str:
    """What the WORK ends in after the signal NUMBER."""
    with begun(SWALLOWING.format(work=work, insisting=insisting)) as run:
        run.send_signal(number)
        return run.communicate(timeout=20)[0].strip()


@pytest.mark.parametrize(("work", "number"), [*zip(LOST, cycle(STATUS))])
def test_a_signal_that_is_lost_in_the_work_is_raised_behind_it(
    work: str, number: signal.Signals
) -> None:
    assert _outcome(LOST[work], number, insisting=True) == "KeyboardInterrupt"


def test_what_takes_a_signal_for_its_own_may_do_so_where_nobody_insists() -> None:
    assert _outcome("suppressed()", signal.SIGINT, insisting=False) == "nothing"


COLLECTING = """
import gc, time
from rsp_conformance import ending

def called(phase, info):
    if phase == "stop":
        print("ready", flush=True)
        time.sleep(0.3)

gc.callbacks.append(called)
try:
    with ending.raising():
        gc.collect()
        gc.callbacks.remove(called)
        time.sleep(10)
    print("nothing")
except BaseException as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, "KeyboardInterrupt"), (signal.SIGTERM, "Ended")]
)
def test_a_signal_during_a_collection_of_garbage_is_heard_after_it(
    number: signal.Signals, raised: str
) -> None:
    """What is raised in a callback of the collector is printed with its traceback, and lost."""
    with begun(COLLECTING) as run:
        run.send_signal(number)
        assert run.communicate(timeout=20) == (f"{raised}\n", "")
