"""``burnin``: one long stream against one engine."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rsp_conformance import api
from rsp_conformance.burnin.config import BurnInConfig, BurnInProgress, Tell, quiet
from rsp_conformance.burnin.metrics import MB
from rsp_conformance.burnin.run import burn_in
from rsp_conformance.cli.given import dial_texts, read_profile
from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, show_json
from rsp_conformance.model.dials import parse_dial
from rsp_conformance.model.errors import BadInput, reading
from rsp_conformance.protocol import registry
from rsp_conformance.spark.session import SessionStarter, SparkUnavailable


def show_burn_in(
    *,
    engine: str,
    engine_options: Sequence[str],
    elements: int,
    seed: str,
    query_file: Path | None,
    profile_name: str | None,
    settings: Sequence[str],
    spark: str,
    chunk: int,
    time_limit: float,
    locate_seconds: float,
    keep_going: bool,
    format: Format,
) -> int:
    """Run a burn-in and print what it found; the exit status."""
    query = None if query_file is None else api.query(query_file)
    # Options and dials are read before anything starts.
    profile = None if profile_name is None else read_profile(profile_name, ())
    with reading("--dial"):
        dials = {dial: parse_dial(dial, value) for dial, value in dial_texts(settings).items()}
    config = BurnInConfig(
        engine=engine,
        size=elements,
        seed=seed,
        options=registry.parse_options(engine_options),
        query=query,
        profile=profile,
        dials=dials,
        query_file="" if query_file is None else str(query_file),
        profile_name=profile_name or "",
        settings=tuple(settings),
        chunk=chunk,
        time_limit=time_limit,
        locate_seconds=locate_seconds,
        keep_going=keep_going,
    )
    starter = SessionStarter(spark)
    try:
        with _telling() as tell:
            # The session starts when the engine has said hello, for bad input needs none.
            found = burn_in(config, starter.result, tell)
    except SparkUnavailable as error:
        # The burn-in has no other judge.
        said = re.sub(r",? or judge without (Spark|it).*|; judge without.*", "", str(error))
        raise BadInput(said) from error
    finally:
        starter.stop()
    if format is Format.json:
        show_json(found.to_json())
    else:
        print("\n".join(found.lines(WIDTH)))
    return CORRECT if found.well else WRONG


@contextmanager
def _telling() -> Iterator[Tell]:
    """Shows progress on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield quiet
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(
        BarColumn(20),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("starting", total=None)

        def tell(at: BurnInProgress) -> None:
            bar.update(task, total=at.size, completed=at.elements, description=_text(at))

        yield tell


def _text(at: BurnInProgress) -> str:
    parts = [
        f"{at.elements:,} elements",
        f"t={at.instant:,}",
        f"{at.answers:,} answers",
        "" if at.alive is None else f"{at.alive} t0 alive",
        f"{at.rate:,.0f}/s",
        f"{at.engine_bytes / MB:,.0f} MB" if at.engine_bytes else "",
        at.doing,
    ]
    return ", ".join(part for part in parts if part)
