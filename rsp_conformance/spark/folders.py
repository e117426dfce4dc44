"""Temporary folders that know their owner: the folders of a killed process are removed by the next.

The owner holds a lock on a file of the folder for as long as it lives. So nobody's folder is
removed while it is used, and no process is mistaken for another by its number, in a container or
out of it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO

_OWNER = "owner.lock"
_locks: dict[Path, IO[str]] = {}


def make(kind: str, parent: Path | None = None) -> Path:
    """Make a new folder, and remove folders of the same kind and user whose owners are gone.

    Args:
        kind: the beginning of its name.
        parent: the folder in which it is made; None for the system's temporary one.
    """
    root = Path(tempfile.gettempdir() if parent is None else parent)
    _sweep(root, kind)
    folder = Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=root))
    unlocked = folder / "unlocked"
    lock = _locks[folder] = unlocked.open("w")
    with suppress(OSError):  # a file system without locks; nobody sweeps there either
        fcntl.flock(lock, fcntl.LOCK_EX)
        unlocked.rename(folder / _OWNER)
    return folder


def owned() -> list[Path]:
    """The folders that this process has made and not removed."""
    return list(_locks)


def remove(folder: Path) -> None:
    """Remove a folder that this process has made. Removing it twice does no harm."""
    shutil.rmtree(folder, ignore_errors=True)
    lock = _locks.pop(folder, None)
    if lock is not None:
        lock.close()


def _sweep(root: Path, kind: str) -> None:
    for folder in root.glob(f"{kind}-*"):
        # One without a lock is being made, or is not ours; one that is locked has its owner.
        with suppress(OSError):
            if folder.lstat().st_uid == os.getuid():
                with (folder / _OWNER).open("r+") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder)
