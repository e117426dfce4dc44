"""``results``: the result of a run, read from the JSON that it has written; and its schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from rsp_conformance.cli.options import option
from rsp_conformance.cli.tables import CORRECT, WRONG, show_table
from rsp_conformance.model.errors import BadInput, reading


def results(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="A result that `pytest --engine=NAME --rsp-json FILE` wrote."
        ),
    ] = None,
    *,
    report: Annotated[
        Path | None, option("DIR", "Write it there as HTML, which opens offline, with a badge.")
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema (draft 2020-12) of the file.")
    ] = False,
) -> int:
    """Show the result of a run, write it as HTML, or list its fields.

    Without FILE, it lists the objects of the JSON and their fields. Exit status: 0 the run passed,
    1 it did not pass, 2 bad input.
    """
    from rsp_conformance.run.run_report import read_report

    if file is None:
        if report is not None:
            raise BadInput("--report: name the file with the result as well")
        return _show_form(schema=schema)
    with reading(""):
        found = read_report(file)
    if report is None:
        from rsp_conformance.pages.markdown import to_markdown

        print("\n".join(to_markdown(found)))
    else:
        from rsp_conformance.pages.html import write_pages

        try:
            with reading("--report"):
                print(write_pages(found, report, file.parent))
        except OSError as error:
            raise BadInput(f"--report {report}: {error.strerror}") from None
    return CORRECT if found.passed else WRONG


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
