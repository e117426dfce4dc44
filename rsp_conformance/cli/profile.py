"""``profile``: find out by experiment which profile an engine really has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import rsp_conformance as rsp
from rsp_conformance.cli import completion
from rsp_conformance.cli.options import (
    ENGINE,
    EngineSettings,
    TimeLimit,
    check_writable,
    option,
    write_file,
)
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, show_apart, show_json
from rsp_conformance.explain.document import Block, Code, Items, Prose
from rsp_conformance.explain.render.layout import counted, listed
from rsp_conformance.files.profiles import PROFILES, ProfileJson, named_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.errors import BadInput, note, reading
from rsp_conformance.protocol import registry

if TYPE_CHECKING:
    from rsp_conformance.diagnosis.profile.findings import DialFinding
    from rsp_conformance.diagnosis.profile.identify import Identification


class Shown(StrEnum):
    """How the command shows its result."""

    text = "text"
    json = "json"


def profile(
    *,
    engine: Annotated[str, option("ENGINE", ENGINE, autocompletion=completion.engines)],
    engine_option: EngineSettings,
    start: Annotated[
        str | None,
        option(
            "PROFILE",
            "The values of dials that no experiment can tell apart: a profile that `profiles` "
            "lists, or a JSON file. By default the profile that the engine declares.",
            autocompletion=completion.profiles,
        ),
    ] = None,
    out: Annotated[Path | None, option("FILE", "Write the profile to FILE as JSON.")] = None,
    seed: Annotated[int, option("N", "The same seed draws the same random cases.")] = 0,
    max_time: Annotated[
        float | None,
        option("SECONDS", "Stop after this time, and show the result so far.", min=1),
    ] = None,
    time_limit: TimeLimit = 30.0,
    format: Annotated[Shown, typer.Option(help="The form of the output.")] = Shown.text,
) -> int:
    """Find out by experiment which profile an engine really has.

    Exit status: 0 found, 1 found, but the engine declares something else, or the time was up
    before, 2 bad input.

    Examples:
        rsp-conformance profile --engine reference --max-time 60
        rsp-conformance profile --engine "stdio:python driver.py" --out own.json
    """
    from rsp_conformance.diagnosis.profile.findings import findings, profile_of, to_json
    from rsp_conformance.diagnosis.profile.identify import identify

    check_writable(out, "--out")
    try:
        begun = None if start is None else rsp.profile(start)
    except BadInput as error:
        raise BadInput(f"--start: {error}") from None
    with registry.named_by("--engine", engine):
        connected = registry.connect(engine, registry.parse_options(engine_option), time_limit)
    with connected, progress("starting") as doing, reading(engine):
        with registry.named_by("--engine", engine):
            hello = connected.hello()
        declared = named_profile(hello.profile, f"{hello.engine}'s own")
        # These two dials decide how the engine is asked, so its own values stay.
        asking = {dial: declared.base.text(dial) for dial in ("unit", "windows_in")}
        subject = EngineUnderTest.meet(connected, begun, asking if begun else None)
        found = identify(
            subject,
            declared,
            run_seed=seed,
            max_time=max_time,
            tell=doing,
        )
        dials = findings(found)
    if not found.complete:
        cut = "" if out is None else f"; {out} is not written, for it would look like any other"
        note(f"the search was cut short{_why(found, max_time)}{cut}")
    elif out is not None:
        document = PROFILES.write(ProfileJson, profile_of(found, engine))
        write_file(out, json.dumps(document, indent=2, ensure_ascii=False) + "\n", "--out")
    if format is Shown.json:
        show_json(to_json(found, dials, engine))
    else:
        show_apart(_groups(found, dials, engine), width=WIDTH)
    failed = not found.complete or any(one.contradicted for one in dials)
    return WRONG if failed else CORRECT


def _why(found: Identification, max_time: float | None) -> str:
    if max_time is None or not found.is_late:
        return f" after {found.predictions.asked:,} predictions"
    return f" by --max-time {max_time:g}"


def _groups(
    found: Identification, dials: tuple[DialFinding, ...], engine: str
) -> Iterator[tuple[Block, ...]]:
    """What was found, in groups of blocks."""
    from rsp_conformance.diagnosis.profile.findings import conclusion, spellings, unanswered

    explained, cases = len(found.explained()), found.judged
    said = [
        f"{engine} {found.subject.hello.version or ''}".rstrip(),
        f"The setting below explains {explained} of {counted(cases, 'answer')}.",
    ]
    without = [f"{kind} {count}" for kind, count in unanswered(found).items()]
    if without:
        said.append(f"Without an answer to judge: {', '.join(without)}.")
    if found.setting.mutants:
        said.append(
            "Part of the setting, beside the dials: "
            f"the {'mutant' if len(found.setting.mutants) == 1 else 'mutants'} "
            f"{listed(found.setting.mutants, limit=9)} (`rsp-conformance mutants`)."
        )
    elif explained < cases and found.complete:
        said.append("No dial and no mutant explains the others.")
    elif explained < cases:
        said.append("The search for an explanation of the others was not finished.")
    yield (Prose(tuple(said)),)
    yield from map(_dial_blocks, dials)
    for spelling in spellings(found):
        alike = listed([f"{dial} = {value}" for dial, value in spelling], limit=9)
        yield (Prose((f"With {alike} every case has the same answers.",)),)
    yield (Prose((conclusion(dials, complete=found.complete),)),)


def _dial_blocks(one: DialFinding) -> tuple[Block, ...]:
    declared = f"   (declared: {one.declared})" if one.declared != one.whole else ""
    said = [f"with {shape.when}: {shape.value}" for shape in one.overrides]
    if one.note:
        said.append(one.note)
    told = [f"{r.value} by {counted(r.told, 'case')}" for r in one.rivals if r.told]
    if told:
        said.append(f"told from {', '.join(told)}")
    if one.not_told_apart and not one.note:
        together = listed(one.not_told_apart, limit=20, last="or")
        said.append(f"not told apart from {together} by any case")
    against = [f"{r.value} ({r.against})" for r in one.rivals if r.against]
    if against:
        said.append(f"some cases support {', '.join(against)}")
    if one.evidence:
        said.append("For example:")
    return Prose((f"{one.dial} = {one.value}{declared}",)), Items(tuple(said)), Code(one.evidence)
