"""Installing what the driver needs: rsp-js, its SPARQL engine and an RDF parser, by npm.

They go into `rsp-js` below `homes.home()`. That directory appears whole or not at all, for npm
works in a neighbour that is renamed once it is done.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rsp_conformance.adapters.install_dir import VARIABLE, home
from rsp_conformance.protocol import EngineUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE: Final = Path(__file__).parent
LEAST_NODE: Final = 20
_NODE_HINT: Final = "install it from https://nodejs.org/en/download (macOS: brew install node)"
# Nothing of the kit goes into a lock file, and no package needs its install scripts.
_NPM: Final = (
    "install",
    "--no-audit",
    "--no-fund",
    "--no-package-lock",
    "--ignore-scripts",
    "--loglevel=error",
)
_BOOKKEEPING: Final = re.compile(r"(code|syscall|errno|path|dest)\b|A complete log of this run")


def modules() -> Path:
    """The directory that holds `node_modules` once rsp-js is installed."""
    return home() / "rsp-js"


def installed() -> bool:
    """Whether exactly what the manifest pins is there."""
    try:
        return (modules() / "package.json").read_bytes() == _manifest()
    except OSError:
        return False


def install() -> str:
    """Install what the manifest pins, if it is not there yet; one line that says where.

    Raises:
        EngineUnavailable: Node or npm is missing or too old, or npm failed.
    """
    target = modules()
    if installed():
        return f"rsp-js is already installed in {target}"
    check_node()
    npm = shutil.which("npm")
    if npm is None:
        raise EngineUnavailable(
            "npm is missing, which installs rsp-js",
            hint="it comes with Node from https://nodejs.org/en/download "
            "(Debian, Ubuntu: sudo apt install npm)",
        )
    with _beside(target) as made:
        (made / "package.json").write_bytes(_manifest())
        _run_npm(npm, made)
        _replace(made, target)
    return f"rsp-js is installed in {target}"


def check_node() -> str:
    """The path of a Node that is new enough; raises `EngineUnavailable` where there is none."""
    node = shutil.which("node")
    if node is None:
        raise EngineUnavailable(
            f"Node {LEAST_NODE} or newer is missing, which rsp-js runs in", hint=_NODE_HINT
        )
    try:
        ran = subprocess.run(
            [node, "--version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineUnavailable(f"{node} does not run: {error}", hint=_NODE_HINT) from error
    found = re.match(r"v(\d+)\.", ran.stdout)
    if found is None or int(found[1]) < LEAST_NODE:
        version = ran.stdout.strip() or "of no known version"
        raise EngineUnavailable(
            f"{node} is {version}, and rsp-js needs {LEAST_NODE} or newer", hint=_NODE_HINT
        )
    return node


def _manifest() -> bytes:
    return (HERE / "package.json").read_bytes()


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A new directory beside TARGET, gone afterwards unless it was renamed."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = tempfile.TemporaryDirectory(
            prefix=f".{target.name}-", dir=target.parent, ignore_cleanup_errors=True
        )
    except OSError as error:
        raise EngineUnavailable(
            f"cannot write to {target.parent}: {error.strerror or error}",
            hint=f"name another directory with {VARIABLE}",
        ) from error
    with made as name:
        Path(name).chmod(0o755)  # as mkdir would have made it
        yield Path(name)


def _run_npm(npm: str, folder: Path) -> None:
    try:
        ran = subprocess.run(
            [npm, *_NPM],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise EngineUnavailable(f"{npm} does not run: {error}", hint=_NODE_HINT) from error
    if ran.returncode == 0 and (folder / "node_modules" / "rsp-js").is_dir():
        return
    raise EngineUnavailable(
        f"npm install failed: {_reason(ran.stderr) or f'exit status {ran.returncode}'}",
        hint="installing rsp-js needs npm's registry once: check the network and npm's settings",
    )


def _reason(stderr: str) -> str:
    """The line of npm's error that tells most: the first that is no bookkeeping."""
    lines = [re.sub(r"^npm (error|ERR!)\s*", "", line).strip() for line in stderr.splitlines()]
    lines = [line for line in lines if line and not line.startswith("npm warn")]
    telling = [line for line in lines if not _BOOKKEEPING.match(line)]
    return (telling or lines[-1:] or [""])[0]


def _replace(made: Path, target: Path) -> None:
    """Put MADE where TARGET is. Another process may do the same at the same time."""
    for _ in range(5):
        with suppress(OSError):
            os.rename(made, target)
            return
        if installed():
            return
        # What is there is of another version or broken; renamed first, it goes at one stroke.
        with _beside(target) as old, suppress(OSError):
            os.rename(target, old / "old")
    raise EngineUnavailable(
        f"cannot put rsp-js into {target}", hint="remove what is there, then install again"
    )
