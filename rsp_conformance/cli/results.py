"""``results``: the result of a run, read from the JSON that it has written; and its schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rsp_conformance.cli.options import check_writable, option
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, WRONG, show_table
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.model.errors import BadInput, reading

if TYPE_CHECKING:  # The help of a command is quick.
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
        rsp-conformance results run.json --known-write known.toml
    """
    from rsp_conformance.run.run_report import read_report

    if not file:
        for name, given in (("--report", report), ("--known-write", known_write)):
            if given is not None:
                raise BadInput(f"{name}: name the file with the result as well")
        return _show_form(schema=schema)
    with reading(""):
        found = [(read_report(own), own.parent) for own in file]
    if known_write is not None:
        _write_known(known_write, [run for run, _ in found])
    elif report is None:
        from rsp_conformance.pages.markdown import to_markdown

        print("\n\n".join("\n".join(to_markdown(run)) for run, _ in found))
    if report is not None:
        from rsp_conformance.pages.html import write_pages
        from rsp_conformance.pages.site import write_site

        try:
            with reading("--report"), progress("writing the HTML"):
                one, *others = found
                page = write_site(found, report) if others else write_pages(one[0], report, one[1])
        except OSError as error:
            raise BadInput(f"--report {report}: {error.strerror}") from None
        print(page)
    return CORRECT if all(run.passed for run, _ in found) else WRONG


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
