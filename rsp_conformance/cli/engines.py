"""``engines``: list the engines, install one, or check a driver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rsp_conformance.cli import completion
from rsp_conformance.cli.help import Command, Group
from rsp_conformance.cli.options import (
    ENGINE,
    PLAIN,
    EngineSettings,
    Format,
    FormatOption,
    TimeLimit,
)
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, output, show_apart, show_json
from rsp_conformance.explain.document import Block, Facts, Heading, Items
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.explain.render.tones import TONES
from rsp_conformance.files.profiles import PROFILES, ProfileJson, ProfileName
from rsp_conformance.model.errors import BadInput, note, one_line
from rsp_conformance.protocol import EngineError, EngineUnavailable, registry
from rsp_conformance.protocol.registry import EngineEntry

if TYPE_CHECKING:
    from rsp_conformance.cli.check import CheckStep

engines = typer.Typer(cls=Group, **PLAIN)


@engines.callback(invoke_without_command=True)
def show_engines(context: typer.Context, format: FormatOption = Format.table) -> None:
    """List engines, install one, or check a driver.

    Without a command, it lists the engines that the kit knows.

    Examples:
        rsp-conformance engines
        rsp-conformance engines install rsp-js
        rsp-conformance engines check rsp-js
    """
    if context.invoked_subcommand is not None:
        return
    entries, problems = registry.registered()
    found = []
    with progress("starting the engines") as doing:
        for done, entry in enumerate(entries):
            doing(f"starting {entry.name}", done, len(entries))
            found.append(_described(entry))
    if format is Format.json:
        without = registry.WITHOUT_DRIVER
        show_json({"engines": found, "without driver": without, "faults": problems})
    else:
        driverless = [
            (Heading(f"{name} (no driver)"), Items((reason,)))
            for name, reason in registry.WITHOUT_DRIVER.items()
        ]
        show_apart([*map(_blocks, found), *driverless], width=WIDTH)
        print("\nInstall one:     rsp-conformance engines install NAME")
        print("Your own driver: stdio:COMMAND LINE wherever an engine is named")
    for problem in problems:
        note(problem)


@engines.command(cls=Command)
def install(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The engine, as `engines` lists it.",
            autocompletion=completion.engines,
        ),
    ],
    jars: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder with the jars of an engine on the JVM, as its build or release leaves "
            "them. Folders in it are not searched. Repeatable.",
        ),
    ] = None,
    checkout: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Your checkout of the sources of an engine that is built from them; nothing is "
            "written into it.",
        ),
    ] = None,
) -> None:
    """Install an engine into your user directory.

    If you have to get its jars or its sources first, it prints the commands. Exit status: 0
    installed, 2 not installed.

    Examples:
        rsp-conformance engines install rsp-js
        rsp-conformance engines install csparql --jars target/lib
        rsp-conformance engines install kolibrie --checkout Kolibrie
    """
    if name.startswith(registry.STDIO):
        raise BadInput(f"{name!r} is a driver of your own: there is nothing to install")
    entry = registry.find(name)
    if jars and entry.install_jars is None:
        raise BadInput(f"{entry.name} does not take --jars")
    if checkout is not None and entry.install_checkout is None:
        raise BadInput(f"{entry.name} does not take --checkout")
    if entry.steps is not None and not jars and checkout is None:
        print(entry.steps(), flush=True)
        if not entry.installed():
            raise EngineUnavailable(
                f"{entry.name} is not installed yet", hint="the commands above get it"
            )
    if entry.install_jars is not None:
        with progress(f"installing {entry.name}"):
            where = entry.install_jars(jars or ())
        print(where)
        return
    if entry.install_checkout is not None:
        with progress(f"installing {entry.name}"):
            where = entry.install_checkout(checkout)
        print(where)
        return
    name = entry.name
    if entry.install is None:
        print(f"{name} needs no installation")
        return
    if not entry.installed():
        print(f"Installing {name} …", flush=True)
    with progress(f"installing {name}"):
        where = entry.install()
    print(where)


@engines.command(cls=Command)
def check(
    engine: Annotated[
        str, typer.Argument(metavar="ENGINE", help=ENGINE, autocompletion=completion.engines)
    ],
    engine_option: EngineSettings,
    time_limit: TimeLimit = 30.0,
    format: FormatOption = Format.table,
    newer: Annotated[
        bool,
        typer.Option(
            "--newer",
            help="Only ask the engine's package registry whether it has a newer version than the "
            "one that was tested.",
        ),
    ] = False,
) -> int:
    """Check a driver and its engine step by step.

    Each failure names the responsible side. Exit status: 0 nothing failed, 1 a step failed, or
    there is a newer version, 2 the engine is unknown or not installed.

    Examples:
        rsp-conformance engines check reference
        rsp-conformance engines check "stdio:python driver.py"
        rsp-conformance engines check rsp-js --newer
    """
    if newer:
        return _newer(engine)
    options = registry.parse_options(engine_option)
    with progress(f"checking {engine}") as doing:
        # What it imports takes more than half a second.
        from rsp_conformance.cli.check import FAILED, STEPS, CheckStep, conclusion, steps_of

        def tell(step: str, number: int, of: int) -> None:
            doing(f"checking {engine}: {step}", number, of)

        steps = steps_of(engine, options, time_limit, tell)
    if format is Format.json:
        show_json({"engine": engine, "steps": STEPS.write(tuple[CheckStep, ...], steps)})
    else:
        _show_steps(steps)
        print()
        print(conclusion(steps))
    return WRONG if any(step.result == FAILED for step in steps) else CORRECT


def _newer(name: str) -> int:
    """Say whether a registry has a newer version of an engine than the one that was tested."""
    if name.startswith(registry.STDIO):
        raise BadInput("--newer: a driver of your own is in no registry")
    entry = registry.find(name)
    if entry.releases is None:
        readme = (
            "; its README names the version that was tested and where newer ones come from"
            if entry.steps is not None
            else ""
        )
        raise BadInput(f"--newer: {entry.name} is in no package registry{readme}")
    with progress(f"asking for the newest {entry.name}"):
        tested, newest = entry.releases()
    is_newer = tested != newest
    more = f", and {newest} is there" if is_newer else ", the newest version"
    print(f"{entry.name} {tested} was tested{more}")
    return WRONG if is_newer else CORRECT


def _show_steps(steps: Sequence[CheckStep]) -> None:
    """Print a line per step, and below a step that failed the observation, over the whole width."""
    from rich.text import Text

    from rsp_conformance.cli.check import FAILED, OK

    # No block of a document does this: the steps share columns, and between two of them stand the
    # lines of one that failed, which take the whole width, but for a request, to be copied.
    shown, tones = output(), {OK: TONES["good"], FAILED: TONES["bad"]}
    names = max(len(step.name) for step in steps)
    for step in steps:
        head = f"{step.result:8} {step.name:{names}}  "
        first, *others = step.says.split("\n")
        lines = wrap(first, shown.width, first=head)
        if step.result == FAILED:
            lines = [f"{step.result:8} {step.name} ({step.responsible})"]
            others = [first, *others]
        for said in others:
            # A request stays in one piece, to be copied.
            is_request = said.startswith('{"')
            lines += [said] if is_request else wrap(said, shown.width, first="  ")
        for number, line in enumerate(lines):
            text = Text(line)
            if number == 0:
                style = " ".join(tones.get(step.result, TONES["soft"]))
                text.stylize(style, 0, len(step.result))
            shown.print(text, soft_wrap=True)


def _described(entry: EngineEntry) -> dict[str, Any]:
    """Describe an engine: its entry, and its hello if it is installed, or why there is none."""
    found: dict[str, Any] = {
        "name": entry.name,
        "summary": entry.summary,
        "options": {**entry.options, **registry.DECLARING},
        "installed": True,
    }
    try:
        found["installed"] = entry.installed()
        if found["installed"]:
            with entry.connect({}, registry.TIME_LIMIT, None) as engine:
                hello = engine.hello()
            found |= {
                "version": hello.version,
                "language": hello.language,
                "profile": PROFILES.write(ProfileName | ProfileJson, hello.profile),
                "features": sorted(hello.features),
            }
    except EngineError as error:
        found["problem"] = error.line
    except Exception as error:  # another package's code, which must not hide the other engines
        found["problem"] = f"{type(error).__name__}: {error}"
    return found


def _blocks(engine: dict[str, Any]) -> tuple[Block, ...]:
    """Make blocks about one engine, from its description."""
    state = "installed" if engine["installed"] else "not installed"
    head = f"{engine['name']} ({'does not start' if 'problem' in engine else state})"
    facts = []
    for fact in ("version", "language", "profile", "features", "problem", "options"):
        value = engine.get(fact)
        if fact == "profile" and isinstance(value, Mapping):
            base = value.get("base", "rsp-ql")
            value = f"{base} with its own dials" if value.keys() - {"base"} else base
        if fact in engine and value != {}:
            text = value if isinstance(value, str) else " ".join(value or ())
            facts.append((fact, one_line(text)))
    return Heading(head), Items((one_line(engine["summary"]),)), Facts(tuple(facts))
