"""The supervisor of one driver, on Linux; a program: ``supervisor.py DESCRIPTOR COMMAND…``.

As the subreaper of all that the driver starts (prctl(2), PR_SET_CHILD_SUBREAPER) it becomes the
parent of what loses its own, so that nothing gets away: no daemon, and not after the driver's end.
It tells the kit, on the socket DESCRIPTOR, the driver's process id and, later, its wait status; or,
negative, the number of the error that kept it from starting. When the kit closes the socket, or is
gone, it kills all that is left.

Every driver's start waits for it, so it imports little.
"""

import _thread
import ctypes
import os
import select
import sys
import time

_SET_CHILD_SUBREAPER = 36
_SIGKILL, _SIGPIPE, _SIGXFSZ = 9, 13, 25
_ROUNDS = 500  # of killing, a hundredth of a second each


def main() -> None:
    """Start the driver, reap all that ends, and tell when the driver does."""
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
    """Wait for the end of the kit's side, kill what is left, and end."""
    select.select([kit], [], [])  # there is nothing to read but its end
    for _ in range(_ROUNDS):
        children = _children()
        if not children:
            break
        for child in children:
            try:
                os.kill(child, _SIGKILL)
            except ProcessLookupError:  # it ended by itself, and `main` has just reaped it
                continue
        # What the killed ones had started becomes a child of this process, and has its turn.
        time.sleep(0.01)
    os._exit(0)


def _children() -> list[int]:
    """The process ids of all children of this process, those that wait to be reaped included."""
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
