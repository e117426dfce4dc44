"""The supervisor of one driver, on Linux; a program: ``supervisor.py DESCRIPTOR COMMAND…``.

It is the subreaper of all processes that the driver starts (prctl(2), PR_SET_CHILD_SUBREAPER): it
becomes the parent of each process that loses its own, so that none escapes, neither a daemon nor a
process that outlives the driver. On the socket DESCRIPTOR it sends the kit the driver's process id
and, later, its wait status; if the driver cannot be started, the negative number of the error. When
the kit closes the socket, or ends, the supervisor kills all remaining processes.

Every start of a driver waits for this program, so it imports little.
"""

import _thread
import ctypes
import os
import select
import sys
import time

_SET_CHILD_SUBREAPER = 36
"""``PR_SET_CHILD_SUBREAPER`` of Linux's ``prctl``, which Python has no name for."""
_SIGKILL, _SIGPIPE, _SIGXFSZ = 9, 13, 25
"""The signals' numbers on Linux; the module `signal` would cost time at each start."""
_ROUNDS = 500
"""The rounds of killing, a hundredth of a second each: 5 s, the time that the kit waits for a
supervisor (`leader`)."""


def main() -> None:
    """Start the driver, reap all processes that end, and report the driver's end."""
    kit, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(kit, False)
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # Python ignores these signals, and a driver would inherit that.
    defaults = (_SIGPIPE, _SIGXFSZ)
    try:
        driver = os.posix_spawnp(command[0], command, os.environ, setsid=True, setsigdef=defaults)
    except OSError as error:
        _tell(kit, -(error.errno or 1))
        return
    _tell(kit, driver)
    nothing = os.open(os.devnull, os.O_RDWR)
    for pipe in (0, 1, 2):  # they are the driver's
        os.dup2(nothing, pipe)
    _thread.start_new_thread(_end_with, (kit,))
    while True:
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            _end_with(kit)
        if pid == driver:
            _tell(kit, status)


def _tell(kit: int, number: int) -> None:
    try:
        os.write(kit, b"%d" % number)
    except OSError:  # the kit is gone
        return


def _end_with(kit: int) -> None:
    """Wait for the end of the kit's side, kill the remaining processes, and exit."""
    select.select([kit], [], [])  # the only thing to read is its end
    for _ in range(_ROUNDS):
        children = _children()
        if not children:
            break
        for child in children:
            try:
                os.kill(child, _SIGKILL)
            except ProcessLookupError:  # it ended by itself, and `main` has just reaped it
                continue
        # Children of the killed processes become children of this one and are killed next.
        time.sleep(0.01)
    os._exit(0)


def _children() -> list[int]:
    """Return the process ids of all children of this process, unreaped ones included."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as stat:
                parent = stat.read().rpartition(b") ")[2].split()[1]
        except OSError:  # it has just ended
            continue
        if int(parent) == os.getpid():
            found.append(int(name))
    return found


if __name__ == "__main__":
    main()
