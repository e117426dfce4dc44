"""Projects of an engine's author, in which pytest runs as a user would run it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from tests.builders import command_line

FORKING = Path(__file__).parent / "forking.py"
# An editable install of the kit makes pytest warn of its import hook; users have none.
QUIET = ("-W", "ignore:Module already imported so cannot be rewritten")

# Where one of these is set, Hypothesis keeps to one seed and saves no examples. The runs here are
# those of a user at a terminal, wherever the tests run; a test of CI sets its variable itself.
OF_CI = {
    *("CI", "TF_BUILD", "bamboo.buildKey", "BUILDKITE", "CIRCLECI", "CIRRUS_CI"),
    *("CODEBUILD_BUILD_ID", "GITHUB_ACTIONS", "GITLAB_CI", "HEROKU_TEST_RUN_ID"),
    *("TEAMCITY_VERSION", "__TOX_ENVIRONMENT_VARIABLE_ORIGINAL_CI"),
}


def _at_a_terminal() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name not in OF_CI and not name.startswith("PYTEST_")
    }


class Ran(command_line.Ran):
    """A finished run of pytest."""

    @property
    def tests(self) -> dict[str, str]:
        """Each test's outcome, of a run with ``-v``."""
        found = re.findall(r"^(\S+::\S+) (PASSED|FAILED|SKIPPED|XFAIL|ERROR)", self.out, re.M)
        return dict(found)

    @property
    def rows(self) -> dict[str, str]:
        """The table property × verdict: what stands behind each name."""
        _, _, table = self.out.partition("property            verdict")
        return dict(
            re.findall(
                r"^(\S+) +(\S.*?)\s*$",
                re.split(r"^(?:Passed|Failed|Judged|Causes|\d+ propert)", table, flags=re.M)[0],
                re.M,
            )
        )

    def counts(self, name: str) -> tuple[str, int, int, int]:
        """Verdict, and cases compared, unsupported and vacuous, of a row of the table."""
        match = re.match(r"(\D+?) +(\d+) +(\d+) +(\d+)", self.rows[name])
        assert match, self.rows[name]
        return match[1], int(match[2]), int(match[3]), int(match[4])


class Forking:
    """A process with everything imported, which forks for each run; see ``forking``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def run(
        self,
        folder: Path,
        arguments: Sequence[str],
        variables: Mapping[str, str],
        timeout: float,
    ) -> Ran:
        """Pytest with ARGUMENTS in FOLDER, where VARIABLES of the environment are set."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(FORKING)],
                env=_at_a_terminal(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        out, err = (self._folder / name for name in ("out", "err"))
        where = {"folder": str(folder), "out": str(out), "err": str(err)}
        run = {**where, "arguments": arguments, "variables": dict(variables)}
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        print(json.dumps({"run": run, "timeout": timeout}), file=stdin, flush=True)
        ran = Ran(int(stdout.readline()), out.read_text("utf-8"), err.read_text("utf-8"))
        out.unlink()
        err.unlink()
        return ran

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.communicate()


RUN = '→ {"op":"run"'


class Project:
    """A folder with tests of its own."""

    def __init__(self, folder: Path, forking: Forking) -> None:
        self.folder = folder
        self._forking = forking
        self.write("tests/test_own.py", "def test_own():\n    assert True\n")

    def write(self, name: str, text: str) -> Path:
        """Put a file there."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def read(self, name: str) -> str:
        """What a file there holds."""
        return (self.folder / name).read_text("utf-8")

    def json(self, name: str) -> Any:
        """What a file of JSON there holds."""
        return json.loads(self.read(name))

    def asked(self) -> list[str]:
        """The cases that the last run has sent, in however many processes, without their ids.

        Its traces, of --rsp-trace=wire, are gone afterwards.
        """
        found = []
        for wire in self.folder.glob("wire*"):
            lines = wire.read_text("utf-8").splitlines()
            found += [re.sub(r'"id":"\w+"', "", line) for line in lines if line.startswith(RUN)]
            wire.unlink()
        return found

    def pytest(
        self,
        *arguments: str,
        spark: str | None = "off",
        seed: int | None = 1,
        quiet: Sequence[str] = QUIET,
        variables: Mapping[str, str] = MappingProxyType({}),
        environment: Mapping[str, str] | None = None,
        timeout: float = 300,
        folder: str = "",
    ) -> Ran:
        """Run pytest with ARGUMENTS in a process of its own, in a FOLDER of the project.

        VARIABLES are set where the run begins. With an ENVIRONMENT the process has that from its
        start, before anything is imported: a second more, for what is read or seen there. SPARK and
        SEED are said where an engine is named, for a few random cases may all show nothing; None
        leaves the command line as it is.
        """
        given = [*quiet, *arguments]
        if spark is not None and any(
            argument.startswith(("--engine", "--rsp-engine")) for argument in arguments
        ):
            given.append(f"--rsp-spark={spark}")
            if seed is not None:
                given.insert(0, f"--rsp-seed={seed}")  # so that a seed in ARGUMENTS wins
        if environment is None:
            return self._forking.run(self.folder / folder, given, variables, timeout)
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", *given],
            cwd=self.folder / folder,
            env={**_at_a_terminal(), **environment},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    @property
    def crashes(self) -> list[str]:
        """The names of the crash files, without their ids."""
        folder = self.folder / ".rsp" / "crashes"
        names = [path.name for path in folder.iterdir()] if folder.exists() else []
        return sorted(re.sub(r"-[0-9a-f]{6}\.json", ".json", name) for name in names)


@pytest.fixture(scope="session")
def forking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forking]:
    """One for all runs of this process."""
    forking = Forking(tmp_path_factory.mktemp("forking"))
    yield forking
    forking.end()


@pytest.fixture
def project(tmp_path: Path, forking: Forking) -> Project:
    """A project in a folder of its own."""
    return Project(tmp_path, forking)
