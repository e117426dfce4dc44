"""The program: its commands, its exit statuses, and one line for every error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

import rsp_conformance
from rsp_conformance import ending
from rsp_conformance.cli.options import PLAIN
from rsp_conformance.cli.tables import BAD_INPUT, BUG
from rsp_conformance.model.errors import BadInput, KitError, one_line

NAME = "rsp-conformance"
DEBUG = "RSP_CONFORMANCE_DEBUG"
"""With this environment variable set, the kit's own mistakes show their traceback."""

COMMANDS = {
    "demo": ("demo", "Show a first run: a defect that is found, shrunk, argued and named."),
    "answers": ("answers", "Show the answers of a query by RSP-QL."),
    "judge": ("answers", "Judge an engine's answers by RSP-QL."),
    "lars": ("lars", "Show a query as a LARS program, and its answers by an answer-set solver."),
    "replay": ("replay", "Run a crash file again: FIXED, FAILED or ERROR."),
    "examples": ("examples", "List the papers' examples, which `@NAME` stands for as files."),
    "matrix": ("matrix", "Run the suite on several engines: engine, property, cause."),
    "burnin": ("burnin", "Feed an engine one long stream: answers, memory and latency."),
    "fuzz": (
        "fuzz",
        "Run a campaign of random cases on Spark: what fails, and why.",
    ),
    "csrbench": ("csrbench", "Judge what real engines answered on the CSRBench benchmark."),
    "export": (
        "export",
        "Write a suite of cases, each with all legal answers, that needs no kit.",
    ),
    "w3c": ("w3c", "Run W3C's SPARQL test suites by the grammar and by both semantics."),
    "profile": ("profile", "Find by experiments which profile an engine really has."),
    "profiles": ("about", "List the bundled profiles with their dials."),
    "features": ("about", "List the features that an engine can declare."),
    "protocol": ("about", "Show the messages between the kit and a driver, or their JSON Schema."),
    "results": ("results", "Show a run's result, write it as HTML, or show the form of its JSON."),
    "engines": ("engines", "List, install and check engines."),
}
"""The commands, each with the module that has it under its name, and its line in the help."""


class Commands(TyperGroup):
    """The commands; a module is imported when its command is run, so that help is quick."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the arguments name, and what follows it."""
        name, _, rest = super().resolve_command(ctx, args)
        assert name is not None
        module, _ = COMMANDS[name]
        found = getattr(import_module(f"rsp_conformance.cli.{module}"), name)
        if not isinstance(found, typer.Typer):
            function, found = found, typer.Typer(**PLAIN)
            found.command(name)(function)
        return name, typer.main.get_command(found), rest


app = typer.Typer(
    name=NAME, cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, **PLAIN
)


for name, (_, text) in COMMANDS.items():
    # For the list of commands; what is run is found by its name.
    app.command(name, help=text)(lambda: None)


def _version(wanted: bool) -> None:
    if wanted:
        try:
            print(NAME, rsp_conformance.__version__)
        except PackageNotFoundError:
            print(f"{NAME}, a checkout that is not installed")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Show the version.")
    ] = False,
) -> None:
    """Conformance tests for RDF stream processing engines, judged by RSP-QL."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def run() -> NoReturn:
    """The entry point: run the command line and leave with its status.

    SIGTERM and SIGHUP end it as Ctrl-C does: soon, and nothing is left, process or temporary file.
    """
    with ending.raising(), ending.watched():
        status = main(sys.argv[1:])
        sys.exit(ending.status() or status)


def main(arguments: Sequence[str]) -> int:
    """Run one command line; its exit status. Whatever goes wrong is one line, no traceback."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal's encoding lacks is escaped rather than an error.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    try:
        if sys.platform == "win32":
            raise BadInput("Windows itself is not supported: run this inside WSL (wsl --install)")
        status = typer.main.get_command(app).main(
            list(arguments), prog_name=NAME, standalone_mode=False
        )
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has gone, as `| head` does. Nothing is to be flushed at the end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except Exception as error:
        return _report(error)
    return status if isinstance(status, int) else 0


def _report(error: Exception) -> int:
    """Say what went wrong in one line; the status to leave with."""
    if isinstance(error, typer.exceptions.TyperException):
        usage = getattr(error, "format_message", lambda: str(error))()
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else NAME
        return _say(f"{usage.rstrip('.')}; {command} --help shows how to use it", BAD_INPUT)
    if isinstance(error, KitError):
        return _say(str(error), BAD_INPUT)
    from rsp_conformance.protocol.failures import EngineError

    if isinstance(error, EngineError):
        return _say(error.line, BAD_INPUT)
    if os.environ.get(DEBUG):
        raise error
    return _say(
        f"internal error: {type(error).__name__}: {error} "
        f"(please report it; {DEBUG}=1 shows the traceback)",
        BUG,
    )


def _say(text: str, status: int) -> int:
    print(f"{NAME}: {one_line(text)}", file=sys.stderr)
    return status
