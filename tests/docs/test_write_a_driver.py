"""The page on writing a driver: clean output, its package, its skeletons."""

from __future__ import annotations

import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from tests.builders.command_line import Ran, program, python, run_process
from tests.docs.markdown import DOCS, fenced, section
from tools.pages.commands import commands
from tools.pages.files import lay_out

PAGE = (DOCS / "write-a-driver.md").read_text("utf-8")
CLEAN = section(PAGE, "Keep standard output clean")
PACKAGE = section(PAGE, "Package your engine")
SKELETONS = DOCS / "skeletons"


def test_an_engines_prints_are_kept_off_standard_output(tmp_path: Path) -> None:
    (script,) = fenced(CLEAN, "sh")
    (tmp_path / "driver.js").write_text("echo noise; echo '{}' >&3\n")
    (tmp_path / "driver").write_text(script.replace("node", "sh"))
    assert program("sh", "driver", cwd=tmp_path, timeout=30) == Ran(0, "{}\n", "noise\n")
    (code,) = fenced(CLEAN, "python")
    code += "\nos.system('echo native'); print('noise', flush=True); print('{}', file=replies)\n"
    found = python("-c", code, timeout=30)
    assert found.well == "{}\n"
    assert set(found.err.split()) == {"native", "noise"}


def test_the_engine_of_the_package_connects(tmp_path: Path) -> None:
    """Its entry point names what the second block of the section makes."""
    lay_out(DOCS / "test-your-engine.md", tmp_path)
    (project,), (code,) = fenced(PACKAGE, "toml"), fenced(PACKAGE, "python")
    points = tomllib.loads(project)["project"]["entry-points"]["rsp_conformance.engines"]
    names: dict[str, object] = {}
    exec(compile(code, "docs/write-a-driver.md", "exec"), names)
    (module, _, entry) = points["toy"].partition(":")
    assert f"src/{module.replace('.', '/')}.py" in "".join(fenced(PACKAGE, "text")).replace(
        "  src/", "src/"
    )
    names["COMMAND"] = [sys.executable, str(tmp_path / "driver.py")]
    with names[entry].connect({}, 5.0) as engine:  # type: ignore[attr-defined]
        assert engine.hello().engine == "toy"


def lacks_the_engine_alone(spec: str) -> None:
    """Check a skeleton: its report is the one that the page shows for the Python skeleton."""
    ran = run_process("engines", "check", spec, cwd=SKELETONS, env={"COLUMNS": "80"}, timeout=120)
    (block,) = fenced(section(PAGE, "Start from a skeleton"), "console")
    (shown,) = commands(block)
    assert tuple(line.rstrip() for line in ran.out.splitlines()) == shown.output


def test_the_skeleton_in_javascript_lacks_the_engine_alone_as_that_in_python_does() -> None:
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not here")
    lacks_the_engine_alone(f"stdio:{shlex.quote(found)} javascript/driver.js")


def test_the_skeleton_in_java_lacks_the_engine_alone_as_that_in_python_does(tmp_path: Path) -> None:
    """Compiled, as the page has it for real runs.

    From its source each start compiles it anew, which on a busy machine may take longer than the
    driver has for its hello.
    """
    java, javac = shutil.which("java"), shutil.which("javac")
    if java is None or javac is None:
        pytest.skip("java is not here")
    # No request comes, so it ends; it has started from its source.
    assert program(java, "java/Driver.java", cwd=SKELETONS, input="").status == 0
    compiled = program(javac, "-d", tmp_path, "java/Driver.java", cwd=SKELETONS)
    assert compiled.status == 0, compiled.err
    lacks_the_engine_alone(f"stdio:{shlex.quote(java)} -cp {shlex.quote(str(tmp_path))} Driver")


@pytest.mark.slow
def test_the_skeleton_in_rust_is_built_and_lacks_the_engine_alone(tmp_path: Path) -> None:
    cargo = shutil.which("cargo")
    if cargo is None:
        pytest.skip("cargo is not here")
    shutil.copytree(SKELETONS / "rust", tmp_path / "rust", ignore=shutil.ignore_patterns("target"))

    def run(*arguments: str) -> Ran:
        return program(cargo, *arguments, "--quiet", cwd=tmp_path / "rust", timeout=600)

    if (fetched := run("fetch")).status:
        pytest.skip(f"the crates cannot be fetched: {fetched.err[-200:]}")
    built = run("build", "--offline")
    assert built.status == 0, built.err
    driver = tmp_path / "rust/target/debug/my-engine-driver"
    lacks_the_engine_alone(f"stdio:{shlex.quote(str(driver))}")
