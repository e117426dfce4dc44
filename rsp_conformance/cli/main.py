"""The program: its commands, its exit statuses, and one line for every error."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from rsp_conformance.cli.about import features, profiles, version_line
from rsp_conformance.cli.answers import answers, judge
from rsp_conformance.cli.burnin import burnin
from rsp_conformance.cli.options import (
    DialSettings,
    EngineOptions,
    Format,
    FormatOption,
    TimeLimit,
    flattened,
)
from rsp_conformance.cli.tables import BAD_INPUT, BUG, one_line
from rsp_conformance.model.errors import BadInput, KitError

NAME = "rsp-conformance"
DEBUG = "RSP_CONFORMANCE_DEBUG"
"""With this environment variable set, the kit's own mistakes show their traceback."""

# Without rich's panels: help is plain text, whatever the terminal, and is there at once.
app = typer.Typer(
    name=NAME,
    help="Conformance tests for RDF stream processing engines, judged by RSP-QL.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
engines_app = typer.Typer(
    help="List, install and check engines.", rich_markup_mode=None, add_completion=False
)
app.add_typer(engines_app, name="engines")


def _version(wanted: bool) -> None:
    if wanted:
        print(version_line())
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


app.command()(flattened(answers))
app.command()(flattened(judge))


@app.command("replay")
def replay_command(
    *,
    crash_file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A crash file, as failures write into .rsp/crashes."),
    ],
    engine: Annotated[
        str | None,
        typer.Option("--engine", metavar="ENGINE", help="Another engine than the file names."),
    ] = None,
    engine_option: EngineOptions,
    time_limit: TimeLimit = 30.0,
    request: Annotated[
        bool,
        typer.Option(
            "--request", help="Run nothing: print the requests, to be piped into the driver."
        ),
    ] = False,
) -> int:
    """Run a crash file again: FIXED, FAILED or ERROR.

    Exit status: 0 FIXED, 1 FAILED, 2 ERROR.
    """
    from rsp_conformance.cli.replay import show_replay, show_request

    if request:
        return show_request(crash_file)
    return show_replay(crash_file, engine, engine_option, time_limit)


app.command()(burnin)


@app.command("csrbench")
def csrbench_command(
    *,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A checkout of csrbench-oracle, unmodified.")
    ],
    engine: Annotated[
        str | None,
        typer.Option("--engine", metavar="NAME", help="csparql, cqels or sparqlstream only."),
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            "--answers",
            metavar="FILE",
            help="Judge these answers to --query N instead: CSRBench's JSON, or the protocol's.",
        ),
    ] = None,
    query: Annotated[
        int | None, typer.Option("--query", metavar="N", help="This query only, 1 to 7.")
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="NAME", help="Another profile than the engine's."),
    ] = None,
    dial: DialSettings,
    format: FormatOption = Format.table,
) -> int:
    """Judge what real engines answered on the CSRBench benchmark.

    By the papers' profile of each engine, by the reading that fits best, and by csrbench-oracle's
    own criterion. Exit status: 0 everything was judged, whatever the verdicts; 2 bad input.
    """
    from rsp_conformance.cli.csrbench import show_csrbench

    return show_csrbench(
        folder,
        engine=engine,
        answers=answers,
        query=query,
        profile=profile,
        settings=dial,
        format=format,
    )


@app.command("w3c")
def w3c_command(
    *,
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="A checkout of w3c/rdf-tests, or a folder of it that has a manifest.ttl.",
        ),
    ],
    earl: Annotated[
        Path | None,
        typer.Option("--earl", metavar="FILE", help="Write an EARL report in Turtle here."),
    ] = None,
    spark: Annotated[
        bool, typer.Option("--spark/--no-spark", help="Run the Spark plan too, which needs Java.")
    ] = True,
    format: FormatOption = Format.table,
) -> int:
    """Run W3C's SPARQL test suites by the grammar and by both semantics.

    Exit status: 0 nothing failed, 1 something failed, 2 bad input.
    """
    from rsp_conformance.cli.w3c import show_w3c

    return show_w3c(folder, earl=earl, use_spark=spark, format=format)


app.command()(profiles)
app.command()(features)


@engines_app.callback(invoke_without_command=True)
def engines_command(context: typer.Context, format: FormatOption = Format.table) -> None:
    """List, install and check engines."""
    if context.invoked_subcommand is None:
        from rsp_conformance.cli.engines import show_engines

        show_engines(format)


@engines_app.command("install")
def install_command(
    name: Annotated[str, typer.Argument(help="The engine, as `engines` lists it.")],
) -> None:
    """Install an engine into this user's own directory."""
    from rsp_conformance.cli.engines import install_engine

    install_engine(name)


@engines_app.command("check")
def check_command(
    *,
    engine: Annotated[
        str,
        typer.Argument(
            metavar="ENGINE", help="A name that `engines` lists, or stdio:COMMAND LINE."
        ),
    ],
    engine_option: EngineOptions,
    time_limit: TimeLimit = 30.0,
    format: FormatOption = Format.table,
) -> int:
    """Check step by step whether driver or engine is at fault.

    Exit status: 0 all is well, 1 a step failed, 2 there is no such engine here.
    """
    from rsp_conformance.cli.check import show_check

    return show_check(engine, engine_option, time_limit, format)


def run() -> NoReturn:
    """The entry point: run the command line and leave with its status.

    SIGTERM ends it as Ctrl-C does: nothing is left running, and no temporary file.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))


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
    if "rsp_conformance.protocol" in sys.modules:
        from rsp_conformance.protocol import EngineError

        if isinstance(error, EngineError):
            parts = (error.message, error.hint, " | ".join(error.stderr[-3:]))
            return _say("; ".join(part for part in parts if part), BAD_INPUT)
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
