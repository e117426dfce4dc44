"""What gets built and installed is whole, and works from another folder.

The environments made here borrow the dependencies of the running one, which would hide a
dependency that is not declared; `test_what_is_imported_is_declared` looks for that instead.
"""

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path, PurePosixPath

import pytest

for tool in ("build", "hatchling", "editables"):
    pytest.importorskip(tool, reason="building needs the extra `dev`")

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "rsp_conformance"

LARGEST = 1_725_000
"""Bytes that the wheel may have: 1.36 million of them are modules of Python, deflated, so code with
its docstrings makes it grow. It was 1.50 million before windows by count, NOW and UNBOUNDED,
1.65 before three more metamorphic tests about them, 1.69 before a run tells on what an unexplained
failure depends, and 1.71 before five more points were left open.
The case suite takes 68,000 with its answers under every profile, and may have a million."""

OF_EXTRAS = {
    "clingo": ("lars", "clingo", "lars"),
    "jpype": ("jvm", "JPype1", "adapters/jvm"),
    "picire": ("burnin", "picire", "burnin"),
    "scipy": ("burnin", "scipy", "burnin"),
}
"""Modules that need not be installed: the extra and distribution of each, and who imports it."""


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command away from this process's pytest options and import path."""
    private = ("PYTHONPATH", "PYTEST_ADDOPTS", "PYTEST_PLUGINS")
    return subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        env={name: value for name, value in os.environ.items() if name not in private},
    )


def succeed(*command: str | Path, cwd: Path) -> str:
    """Run a command that has to end well, and return what it wrote to standard output."""
    found = run(*command, cwd=cwd)
    assert found.returncode == 0, f"{command}\n{found.stdout}\n{found.stderr}"
    return found.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    succeed(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (found,) = dist.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def wheel_files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def sdist_files(dist: Path) -> set[str]:
    (found,) = dist.glob("*.tar.gz")
    with tarfile.open(found) as archive:
        return {str(PurePosixPath(*PurePosixPath(n).parts[1:])) for n in archive.getnames()}


@pytest.fixture(scope="module")
def metadata(wheel: Path, wheel_files: set[str]) -> Message:
    (name,) = (n for n in wheel_files if n.endswith(".dist-info/METADATA"))
    with zipfile.ZipFile(wheel) as archive:
        return Parser().parsestr(archive.read(name).decode())


def tracked(*paths: str) -> set[str]:
    """The files under some paths that git knows and that have not been deleted since."""
    listing = run("git", "ls-files", "-z", "--", *paths, cwd=ROOT)
    if listing.returncode:
        pytest.skip("not a git checkout: nothing says which files belong to the package")
    names = set(listing.stdout.split("\0")) - {""}
    return {name for name in names if (ROOT / name).is_file() and not (ROOT / name).is_symlink()}


def test_every_file_of_the_package_reaches_the_wheel(wheel_files: set[str]) -> None:
    expected = tracked("rsp_conformance")
    assert "rsp_conformance/py.typed" in expected
    assert expected - wheel_files == set()


def test_the_sdist_holds_what_building_and_testing_need(sdist_files: set[str]) -> None:
    needed = tracked("rsp_conformance", "tests", "docs", "scripts", "tools")
    needed |= tracked("pyproject.toml", "conftest.py", "Makefile", "LICENSE", "*.md", "*.cff")
    needed |= tracked("mkdocs.yml")
    assert needed - sdist_files == set()


def test_the_wheel_holds_the_package_and_nothing_beside_it(wheel_files: set[str]) -> None:
    top = {name.split("/")[0] for name in wheel_files}
    assert "rsp_conformance" in top
    assert [name for name in top - {"rsp_conformance"} if not name.endswith(".dist-info")] == []


def test_the_wheel_is_small(wheel: Path) -> None:
    """What only this repository reads, records of engines for one, stands in `tools`."""
    assert wheel.stat().st_size <= LARGEST


def test_no_file_that_git_ignores_is_built(wheel_files: set[str], sdist_files: set[str]) -> None:
    unwanted = re.compile(
        r"(^|/)(node_modules|__pycache__|package-lock\.json|Cargo\.lock|target|\.rsp)(/|$)"
    )
    assert [name for name in wheel_files | sdist_files if unwanted.search(name)] == []


def test_the_citation_is_that_of_this_version(metadata: Message) -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {metadata['Version']}" in lines
    assert f"license: {metadata['License-Expression']}" in lines


def test_the_readme_is_the_long_description(metadata: Message) -> None:
    assert metadata.get_payload() == (ROOT / "README.md").read_text(encoding="utf-8")


@cache
def imported_by(file: Path) -> set[str]:
    """The top-level modules that FILE imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found


def imported_modules() -> set[str]:
    """The top-level modules that the package's own files import from elsewhere."""
    found = {module for file in PACKAGE.rglob("*.py") for module in imported_by(file)}
    return found - sys.stdlib_module_names - {"rsp_conformance"}


def normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def declared_in(metadata: Message, extra: str = "") -> set[str]:
    """The distributions that the package asks for: always, or with EXTRA."""
    found = set()
    for text in metadata.get_all("Requires-Dist", []):
        stated, _, condition = text.partition(";")
        asked = re.search(r"extra == ['\"]([^'\"]+)", condition)
        if (asked[1] if asked else "") == extra:
            found.add(normal(re.split(r"[^\w.-]", stated, maxsplit=1)[0]))
    return found


def test_what_is_imported_is_declared(metadata: Message) -> None:
    declared = declared_in(metadata)
    imported = imported_modules()
    assert OF_EXTRAS.keys() <= imported
    providers = packages_distributions()
    undeclared = {
        module: providers.get(module, [])
        for module in imported - OF_EXTRAS.keys()
        if not declared & {normal(name) for name in providers.get(module, [])}
    }
    assert undeclared == {}


@pytest.mark.parametrize("module", OF_EXTRAS)
def test_what_is_imported_with_an_extra_is_declared_in_it(metadata: Message, module: str) -> None:
    extra, distribution, folder = OF_EXTRAS[module]
    assert normal(distribution) in declared_in(metadata, extra)
    assert normal(distribution) not in declared_in(metadata)
    installed = packages_distributions().get(module, [distribution])
    assert normal(distribution) in map(normal, installed)
    importing = {file.parent for file in PACKAGE.rglob("*.py") if module in imported_by(file)}
    assert importing == {PACKAGE / folder}


@dataclass(frozen=True)
class Installation:
    """An environment that holds nothing but the package, and a folder far from its sources."""

    environment: Path
    elsewhere: Path

    @property
    def python(self) -> Path:
        return self.environment / "bin" / "python"

    def code(self, text: str) -> str:
        return succeed(self.python, "-c", text, cwd=self.elsewhere).strip()


@pytest.fixture(scope="module", params=["wheel", "editable"])
def installation(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installation:
    """The package installed into an environment of its own, in either of the two ways."""
    folder = tmp_path_factory.mktemp(request.param)
    environment, elsewhere = folder / "environment", folder / "elsewhere"
    venv.create(environment, with_pip=False, symlinks=True)
    elsewhere.mkdir()
    # A plain path in a .pth file adds the dependencies, but no editable install among them:
    # the .pth files that stand there are not read.
    inside = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    outside = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (inside / "dependencies.pth").write_text("\n".join(sorted(outside)) + "\n")

    what: list[str | Path] = ["--editable", ROOT]
    if request.param == "wheel":
        what = [request.getfixturevalue("wheel")]
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-index"]
    succeed(*pip, "--no-deps", "--no-build-isolation", "--ignore-installed", *what, cwd=elsewhere)
    return Installation(environment, elsewhere)


def test_the_installed_package_is_the_one_meant(
    installation: Installation, request: pytest.FixtureRequest
) -> None:
    script = "import rsp_conformance as m; print(m.__file__, m.__version__, sep='\\n')"
    file, version = installation.code(script).splitlines()
    editable = "editable" in request.node.name
    assert Path(file).is_relative_to(ROOT if editable else installation.environment)
    assert f'version = "{version}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_nothing_else_becomes_importable(installation: Installation) -> None:
    names = ("strategies", "adapters", "conftest", "tests")
    script = f"from importlib.util import find_spec as find; print(*filter(find, {names}))"
    assert installation.code(script) == ""


def test_data_files_are_found_through_the_package(
    installation: Installation, tmp_path: Path
) -> None:
    names = tmp_path / "names.txt"
    data = sorted(name for name in tracked("rsp_conformance") if not name.endswith(".py"))
    names.write_text("\n".join(data), "utf-8")
    script = f"""
from importlib.resources import files
from pathlib import Path
for name in Path({str(names)!r}).read_text("utf-8").splitlines():
    if not files("rsp_conformance").joinpath(*name.split("/")[1:]).is_file():
        print(name)
"""
    assert installation.code(script) == ""


def test_the_command_line_works(installation: Installation) -> None:
    command = installation.environment / "bin" / "rsp-conformance"
    text = succeed(command, "--help", cwd=installation.elsewhere)
    for name in ("answers", "judge", "replay", "engines"):
        assert name in text


def test_the_examples_are_there(installation: Installation) -> None:
    command = installation.environment / "bin" / "rsp-conformance"
    assert "rsp-ql/ex6" in succeed(command, "examples", cwd=installation.elsewhere)
    options = "--stream :S_nearby=@rsp-ql/S_nearby --t0 :w=4 --until 8".split()
    text = succeed(
        command, "answers", "--query", "@rsp-ql/ex6", *options, cwd=installation.elsewhere
    )
    assert ":carl" in text


def test_the_plugin_works(installation: Installation) -> None:
    text = succeed(installation.python, "-m", "pytest", "--help", cwd=installation.elsewhere)
    assert "--engine" in text


THEIRS = """
import pytest

def pytest_addoption(parser):
    parser.addoption("--engine", default="sqlite")

@pytest.fixture
def engine(request):
    return request.config.getoption("--engine")
"""


@pytest.mark.parametrize("installation", ["wheel"], indirect=True)
def test_a_repository_with_an_engine_of_its_own_is_no_other_for_it(
    installation: Installation, tmp_path: Path
) -> None:
    """What a user has who installs the kit beside tests, a conftest and folders of their own.

    With an editable install `tests/plugin/test_guest.py` has more of it.
    """
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    (tmp_path / "conftest.py").write_text(THEIRS)
    for package in ("tests", "strategies", "fixtures"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    test = "import fixtures, strategies\ndef test_theirs(engine):\n    assert engine == 'sqlite'\n"
    (tmp_path / "tests" / "test_theirs.py").write_text(test)
    pytest_there = (installation.python, "-m", "pytest", "-p", "no:randomly")
    assert "1 passed" in succeed(*pytest_there, "-q", cwd=tmp_path)
    suite = ("--rsp-engine=reference", "--rsp-spark=off", "--rsp-examples=2", "--rsp-seed=1")
    chosen = ("-n", "2", "-k", "theirs or test_windows")
    out = succeed(*pytest_there, *suite, *chosen, cwd=tmp_path)
    assert "2 passed" in out and "RSP conformance: reference" in out


def test_the_engines_are_registered(installation: Installation) -> None:
    """Each adapter's, and each can be loaded without what its engine needs."""
    script = """
from importlib.metadata import entry_points
for point in entry_points(group="rsp_conformance.engines"):
    print(point.load().name == point.name and point.name.replace("-", "_"))
"""
    folders = {path.parent.name for path in PACKAGE.glob("adapters/*/register.py")}
    assert set(installation.code(script).split()) == folders
