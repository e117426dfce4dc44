"""Stand-ins for what `engines install` calls, so that no test needs Node, Rust or the network.

That of cargo "builds" a driver in Python, which speaks the engine protocol as the real one does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]

NODE = "#!/bin/sh\necho v22.1.0\n"

NPM = """#!{python}
import json, os, pathlib, sys
if os.environ.get("TOOL_SAYS"):
    print(os.environ["TOOL_SAYS"], file=sys.stderr)
    sys.exit(1)
if sys.argv[1:] == ["view", "rsp-js", "version"]:
    print("9.0.1")
    sys.exit()
here = pathlib.Path.cwd()
manifest = json.loads((here / "package.json").read_text())
for name, version in manifest["dependencies"].items():
    folder = here / "node_modules" / name
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({{"version": version, "args": sys.argv[1:]}}))
"""

RUSTC = "#!/bin/sh\necho 'rustc 1.95.0 (59807616e 2026-04-14)'\n"

CARGO = """#!{python}
import json, os, pathlib, subprocess, sys, time
here = pathlib.Path.cwd()
if sys.argv[1] == "info":
    assert sys.argv[2:] == ["--quiet", "--color=never", "rsp-rs"]
    print("rsp-rs #rdf\\nA RDF engine\\nversion: 9.0.1\\nlicense: MIT")
    sys.exit()
assert (here / "Cargo.toml").is_file() and (here / "src" / "main.rs").is_file()
if sys.argv[1] == "metadata":
    if os.environ.get("CARGO_OFFLINE"):
        print("error: failed to get `rsp-rs`\\n\\nCaused by:\\n  no route", file=sys.stderr)
        sys.exit(101)
    print(json.dumps({{"packages": [{{"name": "rsp-rs", "manifest_path": {manifest!r}}}]}}))
    sys.exit()
assert sys.argv[1:] == [
    "build", "--release", "--message-format=json",
    "--config", 'patch.crates-io.rsp-rs.path="rsp-rs"',
]
manifest = (here / "rsp-rs" / "Cargo.toml").read_text()
assert '[dependencies.oxigraph]\\ndefault-features = false\\nversion = "0.5"' in manifest
print("   Compiling oxigraph v0.5.13", file=sys.stderr, flush=True)
if os.environ.get("CARGO_HANGS"):
    child = subprocess.Popen(["sleep", "600"])
    pathlib.Path(os.environ["CARGO_HANGS"]).write_text(f"{{os.getpid()}} {{child.pid}}")
    time.sleep(600)
if os.environ.get("TOOL_SAYS"):
    print(os.environ["TOOL_SAYS"], file=sys.stderr)
    sys.exit(101)
print(json.dumps({{"reason": "compiler-artifact", "executable": None}}))
built = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", here / "target")) / "rsp-rs-driver"
built.parent.mkdir(exist_ok=True)
built.write_text({driver!r})
built.chmod(0o755)
print(json.dumps({{"reason": "compiler-artifact", "executable": str(built)}}))
print(json.dumps({{"reason": "build-finished", "success": True}}))
"""

DRIVER = """#!{python}
import json, sys
threads = "--threads" in sys.argv
profile = {{"base": "rsp-rs", "answer_time": "none"}} if threads else "rsp-rs"
hello = {{"protocol": 1, "engine": "rsp-rs", "version": "0.3.5", "language": "rsp-ql",
    "dialect": {{"duration": "instants", "explicit_step": True}}, "profile": profile,
    "features": ["select", "rstream"], "advances": "elements", "pieces": not threads}}
for line in sys.stdin:
    request = json.loads(line)
    about = {{key: request[key] for key in ("op", "id") if key in request}}
    reply = hello if request["op"] == "hello" else {{"answers": []}}
    print(json.dumps({{**about, **reply}}), flush=True)
"""


MANIFEST = """[package]
name = "rsp-rs"

[dependencies.oxigraph]
version = "0.5"

[dependencies.regex]
version = "1"
"""


def interrupt_a_build(tools: Path, pids: Path, *arguments: str) -> None:
    """Press Ctrl-C while cargo, of TOOLS, builds for `engines install`: status 130, no process."""
    own = {"CARGO_HANGS": str(pids), "PYTHONPATH": str(ROOT), "PATH": f"{tools}:/bin"}
    run = subprocess.Popen(
        [sys.executable, "-m", "rsp_conformance", "engines", "install", *arguments],
        env={**os.environ, **own},
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (pids.exists() and pids.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    assert run.stderr is not None
    assert "Traceback" not in run.stderr.read()
    assert run.wait(20) == 130
    alive = [int(pid) for pid in pids.read_text().split() if psutil.pid_exists(int(pid))]
    assert all(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE for pid in alive)


def write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def write_tools(folder: Path) -> None:
    """A Node and a Rust in FOLDER, which exists, and what is there of crates.io."""
    write_program(folder / "node", NODE)
    write_program(folder / "npm", NPM.format(python=sys.executable))
    driver = DRIVER.format(python=sys.executable)
    write_program(folder / "rustc", RUSTC)
    manifest = folder / "registry" / "rsp-rs-0.3.5" / "Cargo.toml"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(MANIFEST)
    cargo = CARGO.format(python=sys.executable, driver=driver, manifest=str(manifest))
    write_program(folder / "cargo", cargo)
