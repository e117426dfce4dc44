"""The files that a session leaves: result, page, JUnit's XML, known causes, EARL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from xml.etree.ElementTree import ParseError

import pytest

from rsp_conformance.explain.render.layout import counted
from rsp_conformance.files.files import from_here
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.errors import KitError
from rsp_conformance.pages.earl import write_earl
from rsp_conformance.plugin import results
from rsp_conformance.plugin.options import Options
from rsp_conformance.plugin.published import publish, step_summary
from rsp_conformance.run.events import RunStarted
from rsp_conformance.run.run_report import (
    INDEX,
    REPORTS,
    RunReport,
    run_report,
    this_machine,
    write_causes,
)


@dataclass
class Outputs:
    """Writes the results of a session into the files that the options name.

    A file that can't be written ends nothing; the results say which (``unwritten``).

    Attributes:
        config: pytest's configuration.
        options: the options of the suite.
        results: the results of the session.
        judged_by: the judges, in words.
        lines: where the files are, for the terminal.
    """

    config: pytest.Config
    options: Options
    results: results.Results
    judged_by: str
    lines: list[str] = field(default_factory=list)
    _began: datetime = field(default_factory=lambda: datetime.now(UTC))

    def write(self, subject: EngineUnderTest, *, passed: bool, complete: bool) -> None:
        """Write all files of the session.

        Args:
            subject: the engine.
            passed: whether the run has passed.
            complete: whether it came to its end.
        """
        self._write_result(subject, passed=passed, complete=complete)
        self._complete_junit(subject)
        self._write_known()
        self._write_earl(subject)

    def _write_result(self, subject: EngineUnderTest, *, passed: bool, complete: bool) -> None:
        options, hello = self.options, subject.hello
        profile, seed = subject.profile.name, options.seed
        document = run_report(
            self.results,
            RunStarted(hello.engine, hello.version, profile, self.judged_by, seed),
            passed=passed,
            complete=complete,
            began=self._began.isoformat(timespec="seconds"),
            duration=(datetime.now(UTC) - self._began).total_seconds(),
            machine=this_machine(),
            mode=options.mode,
            spec=options.engine,
            dials=results.turned(options),
            known_files={own.id: str(from_here(Path(own.file))) for own in options.known},
        )
        self.results.report = REPORTS.read(RunReport, document)
        told = options.suite is None and self.results.finished and step_summary()
        if not (options.json or options.report or told):
            return
        lost = list(publish(document, options, self.config.rootpath))
        self.results.unwritten = lost[-1] if lost else self.results.unwritten
        for said, option, file in (
            ("As a page", "--rsp-report", options.report and options.report / INDEX),
            ("As JSON", "--rsp-json", options.json),
        ):
            if file is not None and not any(text.startswith(option) for text in lost):
                self.lines.append(f"{said}: {file}")

    def _complete_junit(self, subject: EngineUnderTest) -> None:
        """Add to JUnit's XML, which pytest has written by now, the facts known only at the end."""
        given = self.config.getoption("xmlpath", None) or ""
        path = Path(os.path.expandvars(given)).expanduser()
        if given and path.is_file():
            try:
                self.results.complete_junit(path, dict(self._of_the_run(subject)))
            except (OSError, ParseError) as error:
                self.results.unwritten = f"--junitxml {path}: {error}"

    def _of_the_run(self, subject: EngineUnderTest) -> Iterator[tuple[str, str]]:
        """The properties of a whole suite in JUnit's XML."""
        yield "rsp_engine", subject.hello.engine
        yield "rsp_version", subject.hello.version
        yield "rsp_profile", subject.profile.name
        yield "rsp_seed", self.options.seed

    def _write_known(self) -> None:
        """Write the known causes, with those of this run."""
        path, report = self.options.known_write, self.results.report
        if path is None or report is None:
            return
        try:
            write_causes(path, [report], self.options.known)
        except (KitError, OSError) as error:
            self.results.unwritten = f"--rsp-known-write {path}: {error}"
        else:
            found = counted(len(report.causes), "cause")
            self.lines.append(f"Known causes: {path} (with {found} of this run)")

    def _write_earl(self, subject: EngineUnderTest) -> None:
        """Write the result of each test."""
        path, suite, finished = self.options.earl, self.options.suite, self.results.finished
        if path is None:
            return
        tests = () if suite is None else suite.tests
        names = [own.name for own in tests if own.name in finished] or [*finished]
        try:
            engine = subject.hello.engine, subject.hello.version
            write_earl(path, [finished[name] for name in names], engine, tests)
        except OSError as error:
            self.results.unwritten = f"--rsp-earl {path}: {error.strerror}"
        else:
            self.lines.append(f"As EARL: {path}")
