"""A run's result as one HTML file that opens offline: no script, and nothing from elsewhere."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rsp_conformance.diagnosis.cause import CauseJson
from rsp_conformance.explain.render.html import finding_html
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.files.files import write_whole
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.recorded import finding_in
from rsp_conformance.model.errors import BadInput, KitError, printable
from rsp_conformance.pages import summary
from rsp_conformance.pages.badge import badge, badge_svg
from rsp_conformance.run.run_report import INDEX, RunReport, make_folder

BADGE, PICTURE = "badge.json", "badge.svg"
"""The files of a report's folder, beside its page."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A cause as the page shows it.

    ``body`` is the argument of its smallest case, ``crash`` the crash file as an address that holds
    it; both are empty, and ``missing`` says why, where the file cannot be used.
    """

    form: CauseJson
    label: str
    standing: str
    text: str
    said: str
    headline: str
    replay: str = ""
    name: str = ""
    body: Markup = Markup("")
    crash: str = ""
    missing: str = ""


def write_pages(run: RunReport, folder: Path, base: Path) -> Path:
    """Write RUN into FOLDER, with a badge; the page. Raises OSError and FileError.

    The crash files that it names are looked for where they are named, in BASE, and in its ``.rsp``.
    """
    make_folder(folder)
    write_whole(folder / INDEX, to_html(run, base))
    write_whole(folder / BADGE, json.dumps(badge(run), ensure_ascii=False) + "\n")
    write_whole(folder / PICTURE, badge_svg(run))
    return folder / INDEX


def to_html(run: RunReport, base: Path) -> str:
    """RUN as a page; BASE is as in ``write_pages``."""
    environment = Environment(
        loader=PackageLoader("rsp_conformance.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    properties = sorted(run.properties, key=lambda own: own.verdict not in summary.BAD)
    called = summary.called(run)
    return environment.get_template("page.html").render(
        run=run,
        summary=summary,
        causes=[_shown(run, cause, called[cause.id], base) for cause in run.causes],
        shown=[own for own in properties if own.verdict != "skipped"],
        skipped=summary.skipped(run),
        counts=summary.counts(run),
        findings=_findings(run),
        counted=counted,
    )


def _findings(run: RunReport) -> Mapping[str, list[tuple[str, str]]]:
    """What is wrong, and the command that shows it, by the property."""
    found: dict[str, list[tuple[str, str]]] = {}
    for one in run.findings:
        replay = summary.replay_line(run, one.id or one.file) if one.file else ""
        found.setdefault(one.property, []).append((printable(one.headline or one.kind), replay))
    return found


def _shown(run: RunReport, cause: CauseJson, label: str, base: Path) -> Shown:
    file = cause.smallest.file
    found: dict[str, Any] = {"missing": "None of its cases was shrunk."}
    if file:
        body, crash = case_of(file, base)
        found = {"replay": summary.replay_line(run, file), "name": Path(file).name}
        # What is no address says why there is none.
        found |= {"body": body, "crash": crash} if body else {"missing": crash}
    standing, said = summary.standing(run, cause), summary.sentence(cause)
    heads = (printable(own.headline) for own in run.findings if file and own.file == file)
    return Shown(cause, label, standing, summary.fault(cause), said, next(heads, ""), **found)


def case_of(file: str, base: Path) -> tuple[Markup, str]:
    """The argument of the case in a crash FILE, and the file as an address that holds it.

    Nothing, and a sentence that says why, where it cannot be shown. BASE is as in ``write_pages``.
    """
    path = next((place for place in _places(file, base) if file and place.is_file()), None)
    if path is None:
        return Markup(""), "Its crash file is not at hand, so its case is not shown here."
    try:
        body = finding_html(finding_in(read(path)))
        # The file travels with the page: whoever has the page can replay the case.
        held = base64.b64encode(path.read_bytes()).decode()
    except (KitError, BadInput, OSError, ValueError) as error:
        return Markup(""), f"Its case cannot be shown: {printable(str(error))}"
    return body, f"data:application/json;base64,{held}"


def _places(file: str, base: Path) -> Iterator[Path]:
    yield from (Path(file), base / file)
    yield from (base / folder / Path(file).name for folder in ("", "crashes", ".rsp/crashes"))
