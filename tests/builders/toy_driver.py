"""A toy driver, which does what the command line or the ids of its cases tell it to do wrong.

    toy_driver.py [DEED] [--at-once] [--hello HOW] [--hello-once FILE] [--features NAME,...]
                  [--parallel N] [--rows] [--reversed] [--grandchild FILE] [--pids FILE]
                  [--noise] [--banner] [--deaf] [--immortal]

DEED becomes of every case (see `DEEDS`), and with --at-once of the process before any; without one
it is that with which the id of a case begins, and any other id is answered well. HOW is what
becomes of the hello (see `HELLOS`); with --hello-once only the process that finds FILE missing, and
makes it, does so. --pids gets the ids of the processes that a deed starts, --grandchild those of
this one and of a child that it begins with.
"""

import argparse
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

HELLO = {
    "op": "hello",
    "protocol": 1,
    "engine": "toy",
    "version": "1",
    "language": "rsp-ql",
    "dialect": {"duration": "instants"},
    "profile": "rsp-ql",
}
SLEEP = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "print(1, flush=True); time.sleep(1000)"
)

options = argparse.Namespace()


# --- what a driver may write ---------------------------------------------------------------------


def say(message: object) -> object:
    """Write one message."""
    return put(json.dumps(message).encode() + b"\n")


def put(data: bytes) -> object:
    """Write bytes, all of them, at once."""
    while data:
        data = data[os.write(1, data) :]
    return data


def write_for_ever(data: bytes, stream: int = 1) -> NoReturn:
    """Write DATA without end."""
    while True:
        os.write(stream, data)


def answer(case: str, **changed: object) -> dict[str, object]:
    """A good reply, with changes; a field changed to None is left out."""
    row = {"x": {"type": "uri", "value": f"http://ex.org/{case}"}}
    answers = [{"t": 6, "cause": 0, "solutions": [row]}]
    message: dict[str, object] = {"op": "run", "id": case, "answers": answers, **changed}
    return {name: value for name, value in message.items() if value is not None}


def error(kind: str, message: str = "", **more: object) -> dict[str, object]:
    """An error of a reply."""
    return {"kind": kind, "message": message or f"this is {kind}", **more}


def many_rows(unit: bytes, count: int) -> None:
    """One reply of so many rows."""
    put(b'{"op": "run", "id": "c", "answers": [{"t": 2, "cause": 0, "solutions": [')
    for _ in range(count // 100_000):
        put((unit + b",") * 100_000)
    put(unit + b"]}]}\n")


# --- what a process may do -----------------------------------------------------------------------


def pause(seconds: float) -> object:
    """Take so long."""
    time.sleep(seconds)
    return seconds


def sleep_for_ever() -> NoReturn:
    """Never come back."""
    while True:
        time.sleep(1000)


def leave(status: int = 3) -> NoReturn:
    """End the process, with last words."""
    os.write(2, b"the last words\n")
    os._exit(status)


def close(*descriptors: int) -> NoReturn:
    """Close these, and live on."""
    for descriptor in descriptors:
        os.close(descriptor)
    sleep_for_ever()


def stubborn() -> NoReturn:
    """Ignore what can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    sleep_for_ever()


def child(*, session: bool = True, inherits: bool = False, env: Any = None) -> int:
    """Start a process that ignores SIGTERM, perhaps in a session of its own; its id."""
    standard = None if inherits else subprocess.DEVNULL
    started = subprocess.Popen(
        [sys.executable, "-S", "-c", SLEEP],
        stdin=standard,
        stdout=subprocess.PIPE,
        stderr=standard,
        start_new_session=session,
        env=env,
    )
    assert started.stdout and started.stdout.readline()
    return started.pid


def orphan(*, env: Any = None) -> int:
    """Start a process in a session of its own whose parent ends: nobody's child any more."""
    read, write = os.pipe()
    middle = os.fork()
    if middle == 0:
        os.setsid()
        os.write(write, b"%d\n" % child(env=env))
        os._exit(0)
    os.waitpid(middle, 0)
    return int(os.read(read, 100))


def daemons() -> list[int]:
    """Start what cannot be told from anybody's daemon: only Linux still knows whose it was."""
    return [orphan(env={}) for _ in range(2)] if sys.platform == "linux" else []


def note(path: str, *pids: int) -> None:
    """Write down the ids of processes."""
    with open(path, "w") as file:
        file.write(" ".join(map(str, pids)))


def keep() -> None:
    """Start children in sessions of their own, and note them."""
    note(options.pids, child(), orphan(), *daemons())


def breed() -> NoReturn:
    """The same, and one in this session."""
    note(options.pids, child(), orphan(), child(session=False), *daemons())
    sleep_for_ever()


def rebel(number: int) -> NoReturn:
    """Start children, and do away with the parent or hold it up."""
    note(options.pids, child(), orphan())
    os.kill(os.getppid(), number)
    sleep_for_ever()


def is_first(path: str) -> bool:
    """Whether no process has asked this before."""
    if os.path.exists(path):
        return False
    open(path, "w").close()
    return True


HELLOS: dict[str, Callable[[], object]] = {
    "good": lambda: say(options.own_hello),
    "die": leave,
    "hang": sleep_for_ever,
    "late": lambda: (pause(0.3), say(options.own_hello)),
    "babble": lambda: put(b"Welcome to the engine!\n"),
    "flood": lambda: write_for_ever(b'{"op": "run", "id": "nobody"}\n' * 10_000),
    "close": lambda: close(1),
    "once": lambda: say(options.own_hello) if is_first("greeted") else leave(),
    "unavailable": lambda: say(
        {"op": "hello", "error": error("unavailable", "install it with: make it")}
    ),
    "version": lambda: say({"op": "hello", "error": error("version", "I speak 7 only")}),
}

DEEDS: dict[str, Callable[[str], object]] = {
    "die": lambda case: leave(),
    "segv": lambda case: os.kill(os.getpid(), signal.SIGSEGV),
    "hang": lambda case: sleep_for_ever(),
    "stubborn": lambda case: stubborn(),
    "silent": lambda case: say(answer(case, answers=[])),
    "babble": lambda case: put(b"INFO engine started\n"),
    "empty-line": lambda case: put(b"\n"),
    "bytes": lambda case: put(os.urandom(1 << 20) + b"\n"),
    "flood": lambda case: HELLOS["flood"](),
    "endless-number": lambda case: (put(b'{"t": '), write_for_ever(b"9" * (1 << 20))),
    "empty-rows": lambda case: many_rows(b"{}", 3_000_000),
    "long-row": lambda case: many_rows(b'{"x": {"type": "uri", "value": "a:b"}}', 1_000_000),
    "stderr": lambda case: write_for_ever(b"\x1b[31mno end \x07\n" * 10_000, 2),
    "late": lambda case: (pause(1.2), say(answer(case))),
    "slow": lambda case: (pause(0.3), say(answer(case))),
    "twice": lambda case: (say(answer(case)), say(answer(case))),
    "unknown-id": lambda case: say(answer("somebody-else")),
    "no-id": lambda case: say(answer(case, id=None, error=error("rejected"))),
    "partial": lambda case: (put(json.dumps(answer(case)).encode()[:20]), sleep_for_ever()),
    "cut": lambda case: (put(json.dumps(answer(case)).encode()[:20]), leave(0)),
    "no-stdout": lambda case: close(1),
    "no-pipes": lambda case: close(0, 1, 2),
    "unsupported": lambda case: say(answer(case, answers=None, error=error("unsupported"))),
    "rejected": lambda case: say(answer(case, answers=None, error=error("rejected", element=1))),
    "refused": lambda case: (
        os.write(2, b"at parser.js:7\n"),
        say(answer(case, answers=None, error=error("rejected"))),
    ),
    "puzzled": lambda case: say(
        answer(case, answers=None, error=error("rejected", "what is a WINDOW?"))
    ),
    "throws": lambda case: say(
        answer(case, answers=None, error=error("crashed", "NullPointerException"))
    ),
    "crashed": lambda case: (
        os.write(2, b"Exception in engine\n"),
        say(answer(case, error=error("crashed"))),
    ),
    "warned": lambda case: (os.write(2, f"{case}\x1b[2J failed\n".encode()), say(answer(case))),
    "pieces": lambda case: [
        (put(bytes([byte])), pause(0.001)) for byte in json.dumps(answer(case)).encode() + b"\n"
    ],
    "last-breath": lambda case: (say(answer(case)), leave(0)),
    "rows": lambda case: say(
        answer(
            case,
            answers=[
                {"t": t, "cause": 0, "solutions": [{"x": {"type": "literal", "value": str(n)}}]}
                for n, t in enumerate([6, 6, 8, 6])
            ],
        )
    ),
    "chatty": lambda case: (
        [os.write(2, b"a log line that nobody reads %d\n" % n) for n in range(20_000)],
        say(answer(case)),
    ),
    "keeps": lambda case: keep(),
    "leaves": lambda case: (keep(), leave(1)),
    "breeds": lambda case: breed(),
    "kills-parent": lambda case: rebel(signal.SIGKILL),
    "stops-parent": lambda case: rebel(signal.SIGSTOP),
}


def batches() -> Iterator[list[dict[str, str]]]:
    """The requests, as many together as come together."""
    pending = b""
    while True:
        chunk = os.read(0, 1 << 16)
        if not chunk:
            return
        pending += chunk
        while select.select([0], [], [], 0.05)[0]:
            chunk = os.read(0, 1 << 16)
            if not chunk:
                break
            pending += chunk
        *lines, pending = pending.split(b"\n")
        yield [json.loads(line) for line in lines]


def run(request: dict[str, str]) -> None:
    """Answer one case as its id begins."""
    case = request["id"]
    DEEDS.get(case.split(".")[0], lambda case: say(answer(case)))(case)


def main() -> None:
    """Be the driver."""
    parser = argparse.ArgumentParser()
    parser.add_argument("deed", nargs="?", choices=sorted(DEEDS))
    parser.add_argument("--hello", default="good", choices=sorted(HELLOS))
    parser.add_argument("--features", default="select,filter,x-own")
    parser.add_argument("--parallel", type=int, default=1)
    for name in ("--hello-once", "--grandchild", "--pids"):
        parser.add_argument(name, default="")
    for name in ("--at-once", "--rows", "--reversed", "--noise", "--banner", "--deaf"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--immortal", action="store_true")
    parser.parse_args(namespace=options)
    features = [name for name in options.features.split(",") if name]
    options.own_hello = {**HELLO, "features": features, "parallel": options.parallel}
    if options.rows:
        options.own_hello["answers"] = "rows"
    if options.noise:
        os.write(2, "".join(f"noise {n}\n" for n in range(5000)).encode() + b"\xff no end")
    if options.banner:
        os.write(2, "".join(f"banner {n}\n" for n in range(10)).encode())
    if options.grandchild:
        note(options.grandchild, os.getpid(), child(session=False, inherits=True))
    if options.deaf:
        say(options.own_hello)
        sleep_for_ever()
    if options.at_once:
        DEEDS[options.deed]("")
    if options.hello_once and not is_first(options.hello_once):
        options.hello = "good"
    serve_every_case() if options.deed else serve()
    if options.immortal:
        stubborn()


def serve_every_case() -> None:
    """Do the one deed for each case; whoever says hello `once` ends at the third."""
    for number, line in enumerate(sys.stdin):
        request = json.loads(line)
        if request["op"] == "hello":
            HELLOS[options.hello]()
        elif options.hello == "once" and number == 3:
            leave()
        else:
            DEEDS[options.deed](request["id"])


def serve() -> None:
    """Answer each case by its id, though as they come together."""
    for batch in batches():
        for request in reversed(batch) if options.reversed else batch:
            if request["op"] == "hello":
                HELLOS[options.hello]()
            else:
                # The worst first, so that what comes with it stays unanswered.
                bad = [r for r in batch if r.get("id", "").split(".")[0] in ("die", "hang")]
                for worst in bad[:1]:
                    run(worst)
                run(request)


if __name__ == "__main__":
    main()
