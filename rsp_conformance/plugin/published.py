"""The result of a run in the places that were asked for: JSON, HTML, a step's summary on GitHub."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rsp_conformance.model.errors import KitError
from rsp_conformance.plugin.options import Options
from rsp_conformance.run.run_report import REPORTS, RunReport, write_report

ON_GITHUB, SUMMARY = "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"
"""Variables of the environment: whether this is GitHub, and the file of the step's summary."""


def is_on_github() -> bool:
    """Whether this is a step of GitHub's."""
    return os.environ.get(ON_GITHUB) == "true"


def step_summary() -> Path | None:
    """The file that GitHub shows as the summary of this step."""
    given = os.environ.get(SUMMARY) if is_on_github() else None
    return Path(given) if given else None


def publish(document: Mapping[str, Any], options: Options, root: Path) -> Iterator[str]:
    """Write a run's document to all places.

    Args:
        document: the document.
        options: the options of the suite, which name the places.
        root: pytest's root folder.

    Yields:
        Why a place could not be written.
    """
    report = REPORTS.read(RunReport, document)
    if options.json is not None:
        try:
            write_report(options.json, document)
        except OSError as error:
            yield f"--rsp-json {options.json}: {error.strerror}"
    if options.report is not None:
        from rsp_conformance.pages.html import write_pages

        try:
            write_pages(report, options.report, root)
        except OSError as error:
            yield f"--rsp-report {options.report}: {error.strerror}"
        except KitError as error:
            yield f"--rsp-report {error}"
    if (summary := step_summary()) is not None:
        from rsp_conformance.pages.markdown import to_markdown

        try:
            with summary.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write("\n".join(to_markdown(report, root)) + "\n\n")
        except OSError as error:
            yield f"{SUMMARY} {summary}: {error.strerror}"
