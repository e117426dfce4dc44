"""``export``: write a case suite, which other tools can run without the kit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from rsp_conformance.cli import completion
from rsp_conformance.cli.options import option, read_profile, repeatable
from rsp_conformance.cli.progress import Doing, progress
from rsp_conformance.cli.tables import CORRECT, say
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.judge import crash_file
from rsp_conformance.model.errors import BadInput, reading
from rsp_conformance.model.profiles import Profile
from rsp_conformance.test_suite.answered import for_profile, suite_entry
from rsp_conformance.test_suite.dependence import suite_dials
from rsp_conformance.test_suite.entry import SuiteEntry
from rsp_conformance.test_suite.export import check_folder, copy_suite, export_suite, suite_case
from rsp_conformance.test_suite.manifest import packaged_suite, read_suite


def export(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A new folder, or that of an earlier export.")
    ],
    *,
    profile: Annotated[
        str,
        option(
            "NAME",
            "Write the cases for engines with this profile, with its answers alone: one that "
            "`profiles` lists, or a JSON file. By default the answers for every profile.",
            autocompletion=completion.profiles,
        ),
    ] = "",
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
        rsp-conformance export suite --profile yasper
        rsp-conformance export cases --crash .rsp/crashes/NAME.json
    """
    with reading(""), progress("reading the cases") as doing:
        only = read_profile(profile, []) if profile else None
        try:
            if crash or only is not None:
                check_folder(folder)
                label, tests = _of_crashes(crash) if crash else _packaged()
                if only is not None:
                    label, tests = f"{label}, for {only.name}", _for(only, tests, doing)
                doing("writing the case suite")
                export_suite(folder, label, tests)
            else:
                doing("writing the case suite")
                copy_suite(folder)
        except OSError as error:
            raise BadInput(f"{folder}: cannot be written: {error.strerror or error}") from None
    say(f"The case suite is in {folder}; its README.md explains how to read it.")
    return CORRECT


def _for(profile: Profile, tests: list[SuiteEntry], doing: Doing) -> list[SuiteEntry]:
    """The tests for engines with a profile, with the answers under it alone.

    Raises:
        BadInput: there is none.
    """
    found = []
    for done, entry in enumerate(tests):
        doing(f"finding the answers for {profile.name}", done, len(tests))
        if (own := for_profile(entry, profile)) is not None:
            found.append(own)
    if not found:
        raise BadInput(f"no case of {counted(len(tests), 'case')} is for {profile.name}")
    return found


def _packaged() -> tuple[str, list[SuiteEntry]]:
    """The package's suite: what it is called, and its tests."""
    suite = read_suite(packaged_suite())
    return suite.label, [*suite.tests]


def _of_crashes(paths: list[Path]) -> tuple[str, list[SuiteEntry]]:
    """What the suite of crash files is called, and its tests."""
    return "Cases of crash files", [*_tests_of(paths)]


def _tests_of(paths: list[Path]) -> Iterator[SuiteEntry]:
    """Make a test of each case of the files, drawn under the dials of the file's engine.

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
                yield suite_entry(suite_case(stimulus.case, dials, name, title), name)
