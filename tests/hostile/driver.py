"""A driver that misbehaves as a process: ``driver.py DEED [FILE]``; FILE gets the ids of children.

It says a good hello, unless the deed is done at once, and does the deed when a case comes.
"""

import json
import os
import signal
import subprocess
import sys
import time

HELLO = {
    "op": "hello",
    "protocol": 1,
    "engine": "hostile",
    "version": "0",
    "language": "rsp-ql",
    "profile": "rsp-ql",
    "features": ["select"],
}
SLEEP = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "print(1, flush=True); time.sleep(1000)"
)


def say(message: object) -> None:
    """Write one message."""
    put(json.dumps(message).encode() + b"\n")


def put(data: bytes) -> None:
    """Write bytes, all of them."""
    while data:
        data = data[os.write(1, data) :]


def sleep() -> None:
    """Never come back."""
    while True:
        time.sleep(1000)


def child(*, session: bool = True, env: dict[str, str] | None = None) -> int:
    """Start a process that ignores SIGTERM, perhaps in a session of its own; its id."""
    started = subprocess.Popen(
        [sys.executable, "-S", "-c", SLEEP],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=session,
        env=env,
    )
    assert started.stdout and started.stdout.readline()
    return started.pid


def orphan(*, env: dict[str, str] | None = None) -> int:
    """Start a process in a session of its own whose parent ends: nobody's child any more."""
    read, write = os.pipe()
    middle = os.fork()
    if middle == 0:
        os.setsid()
        os.write(write, b"%d\n" % child(env=env))
        os._exit(0)
    os.waitpid(middle, 0)
    return int(os.read(read, 100))


def stderr_flood() -> None:
    """Write to standard error without end."""
    while True:
        os.write(2, b"\x1b[31mno end \x07\n" * 10_000)


def rows(unit: bytes, count: int) -> None:
    """One reply of so many rows."""
    put(b'{"op": "run", "id": "c", "answers": [{"t": 2, "cause": 0, "solutions": [')
    for _ in range(count // 100_000):
        put((unit + b",") * 100_000)
    put(unit + b"]}]}\n")


def lines() -> None:
    """Lines without end."""
    while True:
        put(b'{"op": "run", "id": "nobody"}\n' * 10_000)


def close(*descriptors: int) -> None:
    """Close these, and live on."""
    for descriptor in descriptors:
        os.close(descriptor)
    sleep()


def stubborn() -> None:
    """Ignore what can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    sleep()


def daemons() -> list[int]:
    """Start what cannot be told from anybody's daemon: only Linux still knows whose it was."""
    return [orphan(env={}) for _ in range(2)] if sys.platform == "linux" else []


def breed() -> None:
    """Start children in sessions of their own, and note them."""
    note(child(), orphan(), child(session=False), *daemons())
    sleep()


def rebel(number: int) -> None:
    """Start children, and do away with the parent or hold it up."""
    note(child(), orphan())
    os.kill(os.getppid(), number)
    sleep()


def note(*pids: int) -> None:
    """Write down the ids of children."""
    with open(sys.argv[2], "w") as file:
        file.write(" ".join(map(str, pids)))


def die_with_orphans() -> None:
    """Leave processes behind."""
    note(child(), orphan(), *daemons())
    os._exit(1)


DEEDS = {
    "breeds": breed,
    "kills-parent": lambda: rebel(signal.SIGKILL),
    "stops-parent": lambda: rebel(signal.SIGSTOP),
    "keeps": lambda: note(child(), orphan(), *daemons()),
    "dies": die_with_orphans,
    "stderr": stderr_flood,
    "empty-rows": lambda: rows(b"{}", 3_000_000),
    "long-row": lambda: rows(b'{"x": {"type": "uri", "value": "a:b"}}', 1_000_000),
    "lines": lines,
    "no-stdout": lambda: close(1),
    "no-pipes": lambda: close(0, 1, 2),
    "stubborn": stubborn,
    "bytes": lambda: put(os.urandom(1 << 20) + b"\n"),
    "endless-number": lambda: [put(b'{"t": '), [put(b"9" * (1 << 20)) for _ in range(80)], sleep()],
}


def main() -> None:
    """Be the driver."""
    deed = sys.argv[1]
    if deed == "deaf":
        say(HELLO)
        sleep()
    if deed.startswith("at-once:"):
        DEEDS[deed.partition(":")[2]]()
    for line in sys.stdin:
        if json.loads(line)["op"] == "hello":
            say(HELLO)
        else:
            DEEDS[deed]()


if __name__ == "__main__":
    main()
