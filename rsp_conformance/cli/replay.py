"""``replay``: run a crash file again, and see whether the failure is still there.

The work is in `replaying`, which is imported when it is done: the help of a command is quick.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rsp_conformance import limits
from rsp_conformance.cli import completion
from rsp_conformance.cli.options import (
    DialSettings,
    EngineSettings,
    JudgingLimit,
    TimeLimit,
    option,
)
from rsp_conformance.model.errors import BadInput


def replay(
    crash_file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A crash file; or its id, if it is in .rsp/crashes; or FOLDER/ID."
        ),
    ],
    engine: Annotated[
        str | None,
        option(
            "ENGINE",
            "Ask this engine instead of the one that the file names.",
            autocompletion=completion.engines,
        ),
    ] = None,
    *,
    engine_option: EngineSettings,
    profile: Annotated[
        str | None,
        option(
            "NAME",
            "Judge by this profile instead of that of the file.",
            autocompletion=completion.profiles,
        ),
    ] = None,
    dial: DialSettings,
    time_limit: TimeLimit = 30.0,
    judging_limit: JudgingLimit = limits.SECONDS,
    times: Annotated[
        int | None,
        option(
            "N",
            "Run so often, up to the first failure. By default once, or 3 times if the failure was "
            "unstable.",
            min=1,
        ),
    ] = None,
    trust_file: Annotated[
        bool,
        typer.Option("--trust-file", help="Allow the file to name a command, which is then run."),
    ] = False,
    request: Annotated[
        bool,
        typer.Option(
            "--request", help="Run nothing, but print the requests, to pipe them into a driver."
        ),
    ] = False,
) -> int:
    """Run a saved failure again: FIXED, FAILED or ERROR.

    With --profile or --dial the answers are judged by another setting, for example
    --dial "bounds=[o,c)"; the engine is asked the same. Exit status: 0 FIXED, 1 FAILED, 2 ERROR.

    Examples:
        rsp-conformance replay 3276b7
        rsp-conformance replay 3276b7 --dial "bounds=[o,c)"
        rsp-conformance replay 3276b7 --engine "stdio:python driver.py"
        rsp-conformance replay 3276b7 --request | python driver.py
    """
    from rsp_conformance.cli.replaying import OtherProfile, ask_again, show_request

    limits.allow(judging_limit)
    other = OtherProfile(profile, tuple(dial))
    if request:
        if tried := str(other):
            raise BadInput(f"--request: prints the messages in the file: leave out {tried}")
        return show_request(crash_file)
    return ask_again(
        crash_file,
        engine,
        engine_option,
        other,
        time_limit=time_limit,
        times=times,
        trust_file=trust_file,
    )
