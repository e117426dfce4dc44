"""``profile``: which profile an engine really has, found by experiments."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import rsp_conformance as rsp
from rsp_conformance.cli.options import ENGINE, EngineSettings, TimeLimit, option
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, note, progress, show_json
from rsp_conformance.explain.render.layout import counted, listed, wrap
from rsp_conformance.files.files import write_whole
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.errors import BadInput, reading
from rsp_conformance.model.profiles import profile_from_json
from rsp_conformance.protocol import registry

if TYPE_CHECKING:
    from rsp_conformance.profiling.findings import DialFinding
    from rsp_conformance.profiling.identify import Identification


class Shown(StrEnum):
    """How the command shows what it found."""

    text = "text"
    json = "json"


def profile(
    *,
    engine: Annotated[str, option("ENGINE", ENGINE)],
    engine_option: EngineSettings,
    start: Annotated[
        str | None,
        option(
            "PROFILE",
            "What decides where no case does: one that `profiles` lists, or a JSON file. "
            "Without it: what the engine declares.",
        ),
    ] = None,
    out: Annotated[Path | None, option("FILE", "Write the profile there, as JSON.")] = None,
    seed: Annotated[int, option("N", "Equal seeds draw equal random cases.")] = 0,
    max_time: Annotated[
        float, option("SECONDS", "After that, what is known is shown.", min=1)
    ] = 600.0,
    time_limit: TimeLimit = 30.0,
    format: Annotated[Shown, typer.Option(help="How to show the result.")] = Shown.text,
) -> int:
    """Find by experiments which profile an engine really has.

    Exit status: 0 found, 1 found, and what the engine declares is contradicted, 2 bad input.
    """
    from rsp_conformance.profiling.findings import findings, profile_of, to_json
    from rsp_conformance.profiling.identify import identify

    if out is not None and (out.is_dir() or not os.access(out.absolute().parent, os.W_OK)):
        raise BadInput(f"--out {out}: no file can be written there")
    try:
        begun = None if start is None else rsp.profile(start)
    except BadInput as error:
        raise BadInput(f"--start: {error}") from None
    with registry.named_by("--engine", engine):
        connected = registry.connect(engine, registry.parse_options(engine_option), time_limit)
    with connected, progress(*_columns()) as bar, reading(engine):
        task = bar.add_task("starting", total=None)
        with registry.named_by("--engine", engine):
            hello = connected.hello()
        declared = profile_from_json(hello.profile, name=f"{hello.engine}'s own")
        # These two say how the engine is asked, whatever it is thought to be.
        manners = {dial: declared.base.text(dial) for dial in ("unit", "windows_in")}
        subject = EngineUnderTest.meet(connected, begun, manners if begun else None)
        found = identify(
            subject,
            declared,
            run_seed=seed,
            max_time=max_time,
            tell=lambda doing: bar.update(task, description=doing),
        )
        dials = findings(found)
    if out is not None:
        _write(out, profile_of(found, engine))
    if not found.complete:
        note(f"the {max_time:g} s were over before all was asked; --max-time gives more")
    if format is Shown.json:
        show_json(to_json(found, dials, engine))
    else:
        print("\n".join(_lines(found, dials, engine)))
    return WRONG if any(one.contradicted for one in dials) else CORRECT


def _columns() -> Iterator[Any]:
    from rich.progress import TextColumn, TimeElapsedColumn

    yield TextColumn("{task.description}", markup=False)
    yield TimeElapsedColumn()


def _write(path: Path, document: dict[str, Any]) -> None:
    """Write DOCUMENT to PATH, whole or not at all."""
    with reading("--out"):
        write_whole(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _lines(found: Identification, dials: tuple[DialFinding, ...], engine: str) -> Iterator[str]:
    from rsp_conformance.profiling.findings import unanswered

    explained, cases = len(found.evidence.explained(found.setting)), len(found.evidence.answered)
    yield f"{engine} {found.subject.hello.version or ''}".rstrip()
    yield from wrap(f"The setting below explains {explained} of {counted(cases, 'answer')}.", WIDTH)
    without = [f"{kind} {count}" for kind, count in unanswered(found).items()]
    if without:
        yield from wrap(f"Without an answer to judge: {', '.join(without)}.", WIDTH)
    if found.setting.mutants:
        yield from wrap(
            f"Beside its dials it has the {counted(len(found.setting.mutants), 'known defect')} "
            f"{listed(found.setting.mutants, limit=9)} (docs/faults.md).",
            WIDTH,
        )
    elif explained < cases and found.complete:
        yield "No dial and no known defect explains the others."
    elif explained < cases:
        yield "What explains the others was not looked for to the end."
    for one in dials:
        yield ""
        yield from _dial_lines(one)
    wrong = [f"{one.dial} is {one.whole}, not {one.declared}" for one in dials if one.contradicted]
    yield ""
    so_far = "" if found.complete else ", as far as was asked"
    if wrong:
        said = f"What the engine declares is contradicted{so_far}: {'; '.join(wrong)}."
        yield from wrap(said, WIDTH)
    else:
        yield f"Nothing that the engine declares of itself is contradicted{so_far}."


def _dial_lines(one: DialFinding) -> Iterator[str]:
    yield f"{one.dial} = {one.value}" + (
        f"   (declared: {one.declared})" if one.declared != one.value else ""
    )
    for shape in one.overrides:
        yield f"  with {shape.when}: {shape.value}"
    if one.note:
        yield from wrap(one.note, WIDTH, first="  ")
    told = [f"{r.value} by {counted(r.told, 'case')}" for r in one.rivals if r.told]
    if told:
        yield from wrap(f"told from {', '.join(told)}", WIDTH, first="  ")
    if one.not_told_apart and not one.note:
        together = listed(one.not_told_apart, limit=20, last="or")
        yield from wrap(f"not told apart from {together} by any case", WIDTH, first="  ")
    against = [f"{r.value} ({r.against})" for r in one.rivals if r.against]
    if against:
        yield from wrap(f"some cases speak for {', '.join(against)}", WIDTH, first="  ")
    if one.evidence:
        yield "  For example:"
        yield from (f"    {line}" for line in one.evidence)
