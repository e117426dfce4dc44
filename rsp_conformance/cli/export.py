"""``export``: write a case suite, which other tools can run without the kit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from rsp_conformance.cli.options import repeatable
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, say
from rsp_conformance.judge import crash_file
from rsp_conformance.model.errors import BadInput, reading
from rsp_conformance.test_suite.dependence import Dependence, suite_dials
from rsp_conformance.test_suite.entry import SuiteCase
from rsp_conformance.test_suite.export import copy_suite, export_suite, suite_case


def export(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A new folder, or that of an earlier export.")
    ],
    *,
    crash: Annotated[
        list[Path],
        repeatable("FILE", "Write the cases of this crash file instead. Repeatable."),
    ],
) -> int:
    """Write a case suite that other tools can run.

    Each case has all its permitted answers, so that the kit is not needed to judge an engine. It is
    the case suite of the package, or one that is made from crash files. Exit status: 0 written, 2
    bad input.

    Examples:
        rsp-conformance export suite
        rsp-conformance export cases --crash .rsp/crashes/NAME.json
    """
    with reading(""), progress("writing the case suite"):
        try:
            if crash:
                export_suite(folder, "Cases of crash files", [*_of_crashes(crash)])
            else:
                copy_suite(folder)
        except OSError as error:
            raise BadInput(f"{folder}: cannot be written: {error.strerror or error}") from None
    say(f"The case suite is in {folder}; its README.md explains how to read it.")
    return CORRECT


def _of_crashes(paths: list[Path]) -> Iterator[SuiteCase]:
    """Make a test of each case of the files, under the dials of the file's engine.

    Raises:
        BadInput: a file is not a crash file, or one of its cases cannot be exported.
    """
    names: Counter[str] = Counter()
    for path in paths:
        read = crash_file.read(path)
        stem = re.sub(r"[^A-Za-z0-9_]+", "-", path.stem).strip("-")[:80] or "case"
        for stimulus in read.stimuli:
            names[stem] += 1
            name = f"{stem}-{names[stem]}" if names[stem] > 1 else stem
            title = f"{read.property_name}: {read.kind}, by {read.engine}"
            dials = suite_dials(read.dials(stimulus))
            with reading(str(path)):
                made = suite_case(stimulus.case, dials, name, title)
                yield replace(made, requires=Dependence(made.case, dials).requires(name))
