"""``burnin``: one long stream against one engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import rsp_conformance as rsp
from rsp_conformance.cli import completion
from rsp_conformance.cli.options import (
    ENGINE,
    DialSettings,
    EngineSettings,
    Format,
    FormatOption,
    dial_texts,
    option,
)
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, show_json
from rsp_conformance.model.dials import parse_dial
from rsp_conformance.model.errors import BadInput, reading
from rsp_conformance.protocol import registry

if TYPE_CHECKING:
    from rsp_conformance.burnin.config import BurnInConfig, BurnInProgress
    from rsp_conformance.burnin.result import BurnIn


def burnin(
    *,
    engine: Annotated[str, option("ENGINE", ENGINE, autocompletion=completion.engines)],
    elements: Annotated[int, option("N", "Elements of the stream.", min=1)] = 100_000,
    seed: Annotated[str, option("SEED", "The same seed draws the same stream.")] = "0",
    query: Annotated[
        Path | None, option("FILE", "Register this query in RSP-QL instead of the kit's own.")
    ] = None,
    engine_option: EngineSettings,
    profile: Annotated[
        str | None,
        option(
            "NAME",
            "Check the engine against this profile instead of the one it declares.",
            autocompletion=completion.profiles,
        ),
    ] = None,
    dial: DialSettings,
    spark: Annotated[
        str, option("MASTER", "The Spark that judges: a master URL or sc://HOST:PORT.")
    ] = "local[*]",
    chunk: Annotated[int, option("N", "Elements that are judged together.", min=100)] = 10_000,
    time_limit: Annotated[
        float, option("SECONDS", "Time limit of the engine for each push.", min=0.1)
    ] = 30.0,
    locate_limit: Annotated[
        float,
        option(
            "SECONDS",
            "Time limit for isolating a wrong answer: the search for the shortest stretch of the "
            "stream that shows it.",
            min=0,
        ),
    ] = 600.0,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going", help="Go on to the end after a wrong answer, to watch the memory."
        ),
    ] = False,
    format: FormatOption = Format.table,
) -> int:
    """Feed an engine one long stream: answers, memory, latency.

    Exit status: 0 correct, 1 wrong, lost, growing or not tested, 2 bad input.

    Examples:
        rsp-conformance burnin --engine reference --elements 20000
        rsp-conformance burnin --engine "stdio:python driver.py" --keep-going
    """
    from rsp_conformance.burnin.config import BurnInConfig

    with reading("--dial"):
        dials = {name: parse_dial(name, value) for name, value in dial_texts(dial).items()}
    config = BurnInConfig(
        engine=engine,
        size=elements,
        seed=seed,
        options=registry.parse_options(engine_option),
        query=None if query is None else rsp.query(query),
        profile=None if profile is None else rsp.profile(profile),
        dials=dials,
        query_file=str(query or ""),
        profile_name=profile or "",
        settings=tuple(dial),
        chunk=chunk,
        time_limit=time_limit,
        locate_seconds=locate_limit,
        keep_going=keep_going,
    )
    found = _judged(config, spark)
    if format is Format.json:
        show_json(found.to_json())
    else:
        print("\n".join(found.lines(WIDTH)))
    return CORRECT if found.well else WRONG


def _judged(config: BurnInConfig, master: str) -> BurnIn:
    """Run the burn-in, judged by Spark at `master`; it has no other judge.

    Raises:
        BadInput: Spark cannot be started or reached.
    """
    from rsp_conformance.burnin.run import burn_in
    from rsp_conformance.spark.masters import check_master
    from rsp_conformance.spark.session import SessionStarter, SparkUnavailable

    with reading("--spark"):
        check_master(master)
    starter = SessionStarter(master)
    try:
        with progress("starting") as doing:

            def tell(at: BurnInProgress) -> None:
                doing(_text(at), at.elements, at.size)

            # The session starts after the engine's hello, because bad input needs none.
            return burn_in(config, starter.result, tell)
    except SparkUnavailable as error:
        raise BadInput(error.said()) from error
    finally:
        starter.stop()


def _text(at: BurnInProgress) -> str:
    parts = [
        f"t={at.instant:,}",
        f"{at.answers:,} answers",
        "" if at.alive is None else f"{at.alive} t0 alive",
        f"{at.rate:,.0f}/s",
        f"{at.engine_bytes / 1e6:,.0f} MB" if at.engine_bytes else "",
        at.doing,
    ]
    return ", ".join(part for part in parts if part)
