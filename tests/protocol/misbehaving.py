"""A driver that does what the command line and the ids of its cases tell it to do wrong.

    misbehaving.py [--hello HOW] [--hello-once FILE] [--parallel N] [--rows] [--reversed]
                   [--grandchild FILE] [--noise] [--banner] [--deaf] [--immortal]

HOW is what becomes of the hello (see `HELLOS`); with --hello-once only the process that finds
FILE missing, and makes it, does so. A case is answered as its id begins (see `CASES`); any
other id is answered well.
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

GOOD_HELLO = {
    "op": "hello",
    "protocol": 1,
    "engine": "misbehaving",
    "version": "0",
    "language": "rsp-ql",
    "dialect": {"duration": "instants"},
    "profile": "rsp-ql",
    "features": ["select", "filter", "x-own"],
}


def say(message: object) -> object:
    """Write one message."""
    return put(json.dumps(message).encode() + b"\n")


def put(data: bytes) -> object:
    """Write bytes, all of them, at once."""
    while data:
        data = data[os.write(1, data) :]
    return data


def pause(seconds: float) -> object:
    """Take so long."""
    time.sleep(seconds)
    return seconds


def sleep_for_ever() -> object:
    """Never come back."""
    while True:
        time.sleep(1000)


def leave(status: int = 3) -> object:
    """End the process, with last words."""
    sys.stderr.write("the last words\n")
    sys.stderr.flush()
    os._exit(status)


def flood() -> None:
    """Write lines without end."""
    block = b'{"op": "run", "id": "nobody"}\n' * 10_000
    while True:
        put(block)


def giant_line() -> None:
    """Write a line without end."""
    while True:
        put(b"x" * (1 << 20))


def answer(case: str, **changed: object) -> dict[str, object]:
    """A good reply, with changes; a field changed to None is left out."""
    row = {"x": {"type": "uri", "value": f"http://ex.org/{case}"}}
    answers = [{"t": 6, "cause": 0, "solutions": [row]}]
    message: dict[str, object] = {"op": "run", "id": case, "answers": answers, **changed}
    return {name: value for name, value in message.items() if value is not None}


def error(kind: str, **more: object) -> dict[str, object]:
    """An error of a reply."""
    return {"kind": kind, "message": f"this is {kind}", **more}


def close_stdout() -> None:
    """Live on without a standard output."""
    os.close(1)
    sleep_for_ever()


HELLOS: dict[str, Callable[[], object]] = {
    "good": lambda: None,
    "die": leave,
    "hang": sleep_for_ever,
    "late": lambda: (pause(0.3), say(GOOD_HELLO)),
    "babble": lambda: put(b"Welcome to the engine!\n"),
    "flood": flood,
    "close": close_stdout,
    "unavailable": lambda: say(
        {"op": "hello", "error": {"kind": "unavailable", "message": "install it with: make it"}}
    ),
    "version": lambda: say(
        {"op": "hello", "error": {"kind": "version", "message": "I speak 7 only"}}
    ),
    "unknown-feature": lambda: say({**GOOD_HELLO, "features": ["select", "telepathy"]}),
}

CASES: dict[str, Callable[[str], object]] = {
    "die": lambda case: leave(),
    "segv": lambda case: os.kill(os.getpid(), signal.SIGSEGV),
    "hang": lambda case: sleep_for_ever(),
    "stubborn": lambda case: (signal.signal(signal.SIGTERM, signal.SIG_IGN), sleep_for_ever()),
    "babble": lambda case: put(b"INFO engine started\n"),
    "empty-line": lambda case: put(b"\n"),
    "flood": lambda case: flood(),
    "giant": lambda case: giant_line(),
    "late": lambda case: (pause(1.2), say(answer(case))),
    "slow": lambda case: (pause(0.3), say(answer(case))),
    "twice": lambda case: (say(answer(case)), say(answer(case))),
    "unknown-id": lambda case: say(answer("somebody-else")),
    "no-id": lambda case: say(answer(case, id=None, error=error("rejected"))),
    "partial": lambda case: (put(json.dumps(answer(case)).encode()[:20]), sleep_for_ever()),
    "cut": lambda case: (put(json.dumps(answer(case)).encode()[:20]), leave(0)),
    "close": lambda case: close_stdout(),
    "unsupported": lambda case: say(answer(case, answers=None, error=error("unsupported"))),
    "rejected": lambda case: say(answer(case, answers=None, error=error("rejected", element=1))),
    "crashed": lambda case: (
        sys.stderr.write("Exception in engine\n"),
        sys.stderr.flush(),
        say(answer(case, error=error("crashed"))),
    ),
    "warned": lambda case: (os.write(2, f"{case}\x1b[2J failed\n".encode()), say(answer(case))),
    "refused": lambda case: (
        os.write(2, b"at parser.js:7\n"),
        say(answer(case, answers=None, error=error("rejected"))),
    ),
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
    for beginning, misdeed in CASES.items():
        if case.split(".")[0] == beginning:
            misdeed(case)
            return
    say(answer(case))


def main() -> None:
    """Be the driver."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hello", default="good", choices=sorted(HELLOS))
    parser.add_argument("--hello-once", default="")
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--reversed", action="store_true")
    parser.add_argument("--grandchild", default="")
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--banner", action="store_true")
    parser.add_argument("--deaf", action="store_true")
    parser.add_argument("--immortal", action="store_true")
    options = parser.parse_args()
    hello = {**GOOD_HELLO, "parallel": options.parallel}
    if options.rows:
        hello["answers"] = "rows"
    if options.noise:
        os.write(2, "".join(f"noise {n}\n" for n in range(5000)).encode() + b"\xff no end")
    if options.banner:
        os.write(2, "".join(f"banner {n}\n" for n in range(10)).encode())
    if options.grandchild:
        child = subprocess.Popen(
            [
                sys.executable,
                "-S",
                "-c",
                "import signal, time\n"
                "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                "print('ready', flush=True)\n"
                "time.sleep(1000)",
            ],
            stdout=subprocess.PIPE,
        )
        assert child.stdout and child.stdout.readline()
        with open(options.grandchild, "w") as file:
            file.write(f"{os.getpid()} {child.pid}")
    if options.deaf:
        say(hello)
        sleep_for_ever()
    how = options.hello
    if options.hello_once:
        if os.path.exists(options.hello_once):
            how = "good"
        else:
            open(options.hello_once, "w").close()
    for batch in batches():
        for request in reversed(batch) if options.reversed else batch:
            if request["op"] == "hello":
                HELLOS[how]()
                if how == "good":
                    say(hello)
            else:
                # The worst first, so that what comes with it stays unanswered.
                bad = [r for r in batch if r.get("id", "").split(".")[0] in ("die", "hang")]
                for worst in bad[:1]:
                    run(worst)
                run(request)
    if options.immortal:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sleep_for_ever()


if __name__ == "__main__":
    main()
