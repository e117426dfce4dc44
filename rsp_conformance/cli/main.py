"""The program ``rsp-conformance``: the list of its commands, and one line for every error."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from typing import Annotated, Any, Final, NoReturn

import typer

import rsp_conformance
from rsp_conformance import ending
from rsp_conformance.cli.help import Command, Group
from rsp_conformance.cli.options import PLAIN
from rsp_conformance.cli.tables import BAD_INPUT, BUG
from rsp_conformance.model.errors import BadInput, KitError, one_line

NAME = "rsp-conformance"
DEBUG = "RSP_CONFORMANCE_DEBUG"
"""If this environment variable is set, an internal error shows its traceback."""

PANELS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "Try it": {
        "demo": ("demo", "Find and explain a bug in a deliberately broken engine."),
        "examples": ("examples", "List the papers' examples; as files they are named @NAME."),
    },
    "Test an engine": {
        "engines": ("engines", "List engines, install one, or check a driver."),
        "profile": ("profile", "Find out by experiment which profile an engine really has."),
        "replay": ("replay", "Run a saved failure again: FIXED, FAILED or ERROR."),
        "fuzz": ("fuzz", "Test an engine with random cases for hours, on Spark."),
        "burnin": ("burnin", "Feed an engine one long stream: answers, memory, latency."),
        "matrix": ("matrix", "Run the properties on several engines and compare them."),
    },
    "Evaluate by RSP-QL": {
        "answers": ("answers", "Compute the correct answers to a query."),
        "judge": ("answers", "Judge an engine's recorded answers to a query."),
        "lars": ("lars", "Show a query as a logic program in LARS, with its answers."),
    },
    "Benchmarks and suites": {
        "csrbench": ("csrbench", "Judge the recorded answers of the benchmark CSRBench."),
        "export": ("export", "Write a case suite that other tools can run."),
        "w3c": ("w3c", "Run W3C's SPARQL test suites on the kit itself."),
    },
    "Look up": {
        "profiles": ("about", "List the bundled engine profiles with their dials."),
        "features": ("about", "List the features that an engine can declare."),
        "mutants": ("about", "List the mutants: the bugs that the kit knows."),
        "protocol": ("about", "Show the messages between kit and driver, or their JSON Schema."),
        "results": ("results", "Show results of runs, write them as HTML, or compare them."),
    },
}
"""The commands in groups: the module of each, which has it under its name, and its line in the
help."""
COMMANDS: Final = {name: entry for panel in PANELS.values() for name, entry in panel.items()}
"""The commands without their groups."""


class Commands(Group):
    """The group of commands; a module is imported when its command is run, for a quick help."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name, and the arguments behind it."""
        name, _, rest = super().resolve_command(ctx, args)
        if name is None:  # a shell completes a line that begins with no command
            return name, None, rest
        module, _ = COMMANDS[name]
        found = getattr(import_module(f"rsp_conformance.cli.{module}"), name)
        if not isinstance(found, typer.Typer):
            function, found = found, typer.Typer(**PLAIN)
            found.command(name, cls=Command)(function)
        return name, typer.main.get_command(found), rest


app = typer.Typer(
    name=NAME,
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    **{**PLAIN, "add_completion": True},
)


for panel, commands in PANELS.items():
    for name, (_, text) in commands.items():
        # This is for the list of commands; `Commands` finds the command that is run.
        app.command(name, help=text, rich_help_panel=panel)(lambda: None)


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
    """Conformance tests for RDF stream processing engines, judged by RSP-QL.

    The property tests themselves run under pytest.

    Exit status:
        0  done, and nothing is wrong
        1  the engine is wrong, or too little was compared to say that it is right
        2  not done: bad input, no such engine, or a limit was reached
        3  a bug of the kit

    Examples:
        rsp-conformance demo
        rsp-conformance replay --help
        rsp-conformance --install-completion
        pytest --engine=NAME --rsp-only
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


def run() -> NoReturn:
    """Run the command line and exit with its status: the entry point.

    SIGTERM and SIGHUP end it as Ctrl-C does: soon, without a process or a temporary file left.
    """
    with ending.raising(), ending.watched():
        status = main(sys.argv[1:])
        sys.exit(ending.status() or status)


def main(arguments: Sequence[str]) -> int:
    """Run one command line. Every error is one line on standard error, without a traceback.

    Args:
        arguments: the command line without the program's name.

    Returns:
        The exit status (see `tables`); 130 after an interrupt, 141 if the reader of the output
        has gone.
    """
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal's encoding lacks is escaped, and is not an error.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    try:
        if sys.platform == "win32":
            raise BadInput("Windows itself is not supported: run this inside WSL (wsl --install)")
        status = typer.main.get_command(app).main(
            list(arguments), prog_name=NAME, standalone_mode=False
        )
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone, as `| head` does: Python must not flush at its end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except Exception as error:
        return _report(error)
    return status if isinstance(status, int) else 0


def _report(error: Exception) -> int:
    """Print an error as one line, and return the exit status."""
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
