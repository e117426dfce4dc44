"""A run's result as Markdown: for $GITHUB_STEP_SUMMARY, for an issue, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rsp_conformance.explain.render.markdown import markdown
from rsp_conformance.pages.document import run_document
from rsp_conformance.run.run_report import RunReport


def to_markdown(run: RunReport, base: Path | None = None) -> Iterator[str]:
    """The result of a run as Markdown, line by line.

    Args:
        run: the result.
        base: as for `run_document`.
    """
    return markdown(run_document(run, base))
