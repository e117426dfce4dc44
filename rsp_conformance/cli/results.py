"""``results``: the result of a run, read from the JSON that it has written; and its schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rsp_conformance.cli.options import check_writable, option, repeatable
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, WRONG, show_table
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.model.errors import BadInput, reading

if TYPE_CHECKING:  # The help of a command is quick.
    from rsp_conformance.diagnosis.profile.findings import FoundJson
    from rsp_conformance.run.run_report import RunReport


def results(
    file: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE…", help="Results that `pytest --engine=NAME --rsp-json FILE` wrote."
        ),
    ] = None,
    *,
    report: Annotated[
        Path | None,
        option(
            "DIR",
            "Write HTML there, which opens offline, with a badge; of several results a site that "
            "compares them.",
        ),
    ] = None,
    found: Annotated[
        list[Path],
        repeatable(
            "FILE",
            "With --report: what `profile --format json` has found of an engine. Repeatable.",
        ),
    ],
    known_write: Annotated[
        Path | None,
        option(
            "FILE",
            "Add the causes to this file of known causes, as `pytest --rsp-known-write` does.",
        ),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema (draft 2020-12) of the file.")
    ] = False,
) -> int:
    """Show results of runs, write them as HTML, or compare them.

    Without FILE, it lists the objects of the JSON and their fields. Exit status: 0 all runs passed,
    1 not all passed, 2 bad input.

    Examples:
        pytest --engine=reference --rsp-mode=quick --rsp-json=run.json
        rsp-conformance results run.json
        rsp-conformance results run.json --report html
        rsp-conformance results rsp-js.json yasper.json --report site
        rsp-conformance results rsp-js.json --report site --found found.json
        rsp-conformance results run.json --known-write known.toml
    """
    from rsp_conformance.run.run_report import read_report

    if not file:
        given_options = {"--report": report, "--found": found, "--known-write": known_write}
        for name, given in given_options.items():
            if given:
                raise BadInput(f"{name}: name the file with the result as well")
        return _show_form(schema=schema)
    with reading(""):
        runs = [(read_report(own), own.parent) for own in file]
        profiles = _profiles(found, [run.engine for run, _ in runs], report)
    if known_write is not None:
        _write_known(known_write, [run for run, _ in runs])
    elif report is None:
        from rsp_conformance.pages.markdown import to_markdown

        print("\n\n".join("\n".join(to_markdown(run)) for run, _ in runs))
    if report is not None:
        from rsp_conformance.pages.html import write_pages
        from rsp_conformance.pages.site import write_site

        try:
            with reading("--report"), progress("writing the HTML"):
                if len(runs) > 1 or profiles:
                    page = write_site(runs, report, profiles)
                else:
                    page = write_pages(runs[0][0], report, runs[0][1])
        except OSError as error:
            raise BadInput(f"--report {report}: {error.strerror}") from None
        print(page)
    return CORRECT if all(run.passed for run, _ in runs) else WRONG


def _profiles(
    files: Sequence[Path], engines: Sequence[str], report: Path | None
) -> Sequence[FoundJson]:
    """The profiles that were found, each of an engine that has a page.

    Raises:
        BadInput: there is no page on which one could stand.
        FileError: a file can't be read.
    """
    if not files:
        return ()
    from rsp_conformance.diagnosis.profile.findings import read_found

    if report is None:
        raise BadInput("--found: it stands on the pages of --report DIR")
    profiles = [read_found(path) for path in files]
    for path, one in zip(files, profiles, strict=True):
        if one.engine not in engines:
            raise BadInput(
                f"--found {path}: the profile of {one.engine}, of which no result is given"
            )
    return profiles


def _write_known(path: Path, runs: Sequence[RunReport]) -> None:
    from rsp_conformance.run.run_report import write_causes

    check_writable(path, "--known-write")
    try:
        with reading("--known-write"):
            write_causes(path, runs)
    except OSError as error:
        raise BadInput(f"--known-write {path}: {error.strerror}") from None
    found = {own.id for run in runs for own in run.causes}
    of = "this result" if len(runs) == 1 else "these results"
    print(f"Known causes: {path} (with {counted(len(found), 'cause')} of {of})")


def _show_form(*, schema: bool) -> int:
    from rsp_conformance.run import run_report

    found = run_report.schema()
    if schema:
        print(json.dumps(found, indent=2))
        return CORRECT
    forms = {"RunReport": found, **found["$defs"]}
    rows = [
        (
            name.removesuffix("Form"),
            form["description"],
            " ".join(form["properties"]),
        )
        for name, form in forms.items()
    ]
    show_table(("object", "what it is", "fields"), rows)
    print("\nThe page is docs/results.md; --schema prints the JSON Schema of the file.")
    return CORRECT
