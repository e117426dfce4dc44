"""The import rules of pyproject.toml hold, and they would notice an import that breaks them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("importlinter", reason="the import rules need the extra `dev`")

ROOT = Path(__file__).parent.parent


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `lint-imports` of this environment on the package that stands in a folder."""
    script = "from importlinter.cli import lint_imports_command as run; run()"
    return subprocess.run(
        [sys.executable, "-c", script, "--no-logo", "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_layers_import_only_what_they_may() -> None:
    found = lint_imports(ROOT)
    assert found.returncode == 0, found.stdout + found.stderr


FORBIDDEN = [
    ("model", "import rsp_conformance.spec", "A layer imports only"),
    ("sparql/compare", "import rsp_conformance.spec", "A layer imports only"),
    ("sparql/compare", "import rsp_conformance.spark", "A layer imports only"),
    ("sparql/order", "import rsp_conformance.sparql.compare", "What an evaluation gives"),
    ("sparql/compare", "import pyspark", "The definitions are plain Python"),
    ("sparql/compare", "import hypothesis", "The semantics is usable without"),
    ("spec", "import rsp_conformance.spark", "A layer imports only"),
    ("spark", "import rsp_conformance.spec", "A layer imports only"),
    ("spark", "import rsp_conformance.text", "Both semantics read algebra"),
    ("spec", "import rsp_conformance.laws", "The specification stands on the model"),
    ("spec", "import rsp_conformance.spark", "The specification stands on the model"),
    ("lars", "import rsp_conformance.spec", "A layer imports only"),
    ("spec", "import rsp_conformance.lars", "A layer imports only"),
    ("lars", "import rsp_conformance.text", "LARS programs are values"),
    ("lars", "import hypothesis", "The semantics is usable without"),
    ("strategies", "import rsp_conformance.spec", "Neither the cases nor the engines"),
    ("adapters", "import rsp_conformance.spark", "Neither the cases nor the engines"),
    ("adapters", "import rsp_conformance.strategies", "A layer imports only"),
    ("judge", "import rsp_conformance.adapters.reference", "The judgement is neutral"),
    ("explain/evidence", "import rsp_conformance.explain.render", "Facts are found"),
    ("text", "import pytest", "The semantics is usable without"),
    ("spec", "def late():\n    import rdflib", "The definitions are plain Python"),
    ("spark/worker", "import pyarrow", "What runs in workers is plain Python"),
    ("adapters/reference", "import rsp_conformance.spark.worker", "Neither the cases nor"),
    ("adapters/reference", "import rsp_conformance.sparql", "The reference engine is a third"),
    (
        "adapters/reference",
        "import rsp_conformance.sparql.compare",
        "The reference engine is a third",
    ),
    ("files", "import rsp_conformance.spec", "Files and messages know"),
    ("test_suite", "import rsp_conformance.results", "A layer imports only"),
    ("test_suite", "import rsp_conformance.campaigns", "A layer imports only"),
    ("campaigns", "import rsp_conformance.results", "A layer imports only"),
    ("results", "import rsp_conformance.api", "A layer imports only"),
    ("api", "import rsp_conformance.cli", "A layer imports only"),
    ("run", "import rsp_conformance.diagnosis.search", "Outside the diagnosis"),
    ("campaigns", "import rsp_conformance.diagnosis.naming", "Outside the diagnosis"),
    ("plugin", "import rsp_conformance.diagnosis.prediction", "Outside the diagnosis"),
    ("unplaced", "", "A layer imports only"),
]
"""A module, what it may not import, and the contract that forbids it."""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is said of each broken contract about a package with all that is forbidden."""
    folder = tmp_path_factory.mktemp("forbidden")
    shutil.copy(ROOT / "pyproject.toml", folder)
    package = folder / "rsp_conformance"
    # The contracts name packages of two levels, and rooms of the diagnosis.
    for pattern in ("*.py", "*/__init__.py", "*/*/__init__.py", "diagnosis/*.py"):
        for found in (ROOT / "rsp_conformance").glob(pattern):
            empty = package / found.relative_to(ROOT / "rsp_conformance")
            empty.parent.mkdir(parents=True, exist_ok=True)
            empty.touch()
    for module, line, _ in FORBIDDEN:
        alone = package / f"{module}.py"
        file = alone if alone.exists() else package / module / "__init__.py"
        file.parent.mkdir(exist_ok=True)
        with file.open("a") as written:
            written.write(line + "\n")
    linted = lint_imports(folder)
    assert linted.returncode == 1, linted.stdout + linted.stderr
    _, _, told = linted.stdout.partition("Broken contracts\n")
    _, *parts = re.split(r"^(.+)\n-+$", told, flags=re.MULTILINE)
    return dict(zip(parts[::2], (" ".join(part.split()) for part in parts[1::2]), strict=True))


@pytest.mark.parametrize(("module", "line", "contract"), FORBIDDEN)
def test_a_forbidden_import_is_noticed(
    broken: dict[str, str], module: str, line: str, contract: str
) -> None:
    (said,) = (said for name, said in broken.items() if name.startswith(contract))
    name = f"rsp_conformance.{module.replace('/', '.')}"
    imported = line.rpartition("import ")[2]
    assert (f"{name} -> {imported} (l." if line else f"- {name} ") in said
