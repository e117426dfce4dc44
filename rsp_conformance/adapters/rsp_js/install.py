"""Installing what the driver needs: rsp-js, its SPARQL engine and an RDF parser, by npm.

They go into `rsp-js` below `install_dir.home()`.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from rsp_conformance.adapters.install_dir import asked_of, beside, check_program, home, put
from rsp_conformance.protocol import EngineUnavailable

HERE: Final = Path(__file__).parent
LEAST_NODE: Final = 20
"""The oldest version of Node that will do, as in ``package.json``."""
_NODE_HINT: Final = "install it from https://nodejs.org/en/download (macOS: brew install node)"
_REGISTRY: Final = "check the network and npm's settings"
# Nothing of the kit goes into a lock file, and no package needs its install scripts.
_NPM: Final = (
    *("install", "--no-audit", "--no-fund", "--no-package-lock"),
    *("--ignore-scripts", "--loglevel=error"),
)
_BOOKKEEPING: Final = re.compile(r"(code|syscall|errno|path|dest)\b|A complete log of this run")


def modules() -> Path:
    """Return the directory that holds `node_modules` once rsp-js is installed."""
    return home() / "rsp-js"


def installed() -> bool:
    """Return whether exactly what the manifest pins is there."""
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
    npm = _npm()
    with beside(target) as made:
        (made / "package.json").write_bytes(_manifest())
        _run_npm(npm, made)
        put(made, target, installed)
    return f"rsp-js is installed in {target}"


def releases() -> tuple[str, str]:
    """Return the version of rsp-js that the manifest pins, and the newest one of npm's registry.

    Raises:
        EngineUnavailable: npm is missing, or its registry does not answer.
    """
    pinned: str = json.loads(_manifest())["dependencies"]["rsp-js"]
    command = [_npm(), "view", "rsp-js", "version"]
    return pinned, asked_of(command, r"^([0-9][^\s]*)$", hint=_REGISTRY)


def _npm() -> str:
    npm = shutil.which("npm")
    if npm is None:
        raise EngineUnavailable(
            "npm is missing, which installs rsp-js",
            hint="it comes with Node from https://nodejs.org/en/download "
            "(Debian, Ubuntu: sudo apt install npm)",
        )
    return npm


def check_node() -> str:
    """Return the path of a Node that is new enough.

    Raises `EngineUnavailable` where there is none.
    """
    return check_program(
        "node", "Node", (LEAST_NODE,), r"v(\d+)\.", engine="rsp-js", hint=_NODE_HINT
    )


def _manifest() -> bytes:
    return (HERE / "package.json").read_bytes()


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
        hint=f"installing rsp-js needs npm's registry once: {_REGISTRY}",
    )


def _reason(stderr: str) -> str:
    """Return the line of npm's error that tells most: the first that is no bookkeeping."""
    lines = [re.sub(r"^npm (error|ERR!)\s*", "", line).strip() for line in stderr.splitlines()]
    lines = [line for line in lines if line and not line.startswith("npm warn")]
    telling = [line for line in lines if not _BOOKKEEPING.match(line)]
    return (telling or lines[-1:] or [""])[0]
