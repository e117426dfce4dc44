"""Temporary folders that know their owner: what a killed process left, the next one removes.

The owner holds a lock on a file of the folder for as long as it lives. So nobody's folder is
removed under him, and no number of a process is taken for another's, in a container or out of it.
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
    """A new folder in PARENT, by default the system's temporary one; its name begins with KIND.

    Folders of this kind and user whose owners are gone are removed.
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
    """The folders that this process made and did not remove."""
    return list(_locks)


def remove(folder: Path) -> None:
    """Remove FOLDER, which this process made. Safe to repeat."""
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
