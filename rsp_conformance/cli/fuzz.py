"""``fuzz``: a campaign of random cases against one engine, and the report on its folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import rsp_conformance as rsp
from rsp_conformance.cli import completion
from rsp_conformance.cli.help import Command, Group
from rsp_conformance.cli.options import (
    ENGINE,
    PLAIN,
    DialSettings,
    EngineSettings,
    TimeLimit,
    dial_texts,
    option,
)
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import BUG, CORRECT, WRONG, show_json
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.model.dials import parse_dial
from rsp_conformance.model.errors import BadInput, excerpt, note, reading
from rsp_conformance.protocol import registry

if TYPE_CHECKING:
    from rsp_conformance.campaigns.campaign import CampaignConfig, CampaignProgress
    from rsp_conformance.campaigns.report import CampaignResult
    from rsp_conformance.diagnosis.known import KnownCause
    from rsp_conformance.run.run_report import RunReport

EXAMPLES = 10_000
"""The cases of a campaign for which neither ``--examples`` nor ``--max-time`` is set: a hundred
times those of a property in a run of the properties."""
FOLDER = Path(".rsp/campaign")
"""The folder of a campaign for which ``--out`` is not set."""

fuzz = typer.Typer(cls=Group, **PLAIN)


@fuzz.callback(invoke_without_command=True)
def run_campaign(
    context: typer.Context,
    engine: Annotated[
        str | None, option("ENGINE", ENGINE, autocompletion=completion.engines)
    ] = None,
    *,
    engine_option: EngineSettings,
    max_time: Annotated[
        str | None, option("TIME", "Stop after this time: seconds, or 90s, 30m, 2h.")
    ] = None,
    examples: Annotated[int | None, option("N", "Stop after so many cases in all.", min=1)] = None,
    spark: Annotated[
        str, option("MASTER", "The Spark to run on: local[N], spark://HOST:PORT or sc://HOST:PORT.")
    ] = "local[*]",
    out: Annotated[Path, option("DIR", "The folder for everything that is written.")] = FOLDER,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the last run in DIR, if there is one.")
    ] = False,
    known: Annotated[
        Path | None,
        option(
            "FILE",
            "File of known causes (docs/known.md). Failures they explain do not fail the campaign.",
        ),
    ] = None,
    seed: Annotated[
        str | None, option("SEED", "The same seed draws the same cases. By default random.")
    ] = None,
    profile: Annotated[
        str | None,
        option(
            "NAME",
            "Check the engine against this profile instead of the one it declares.",
            autocompletion=completion.profiles,
        ),
    ] = None,
    dial: DialSettings,
    time_limit: TimeLimit = 10.0,
) -> int:
    """Test an engine with random cases for hours, on Spark.

    At the end the campaign lists the causes of wrong answers. Exit status: 0 nothing new, 1 a new
    cause or nothing compared, 2 bad input, 3 a bug of the kit.

    Examples:
        rsp-conformance fuzz --engine rsp-js --max-time 10m --out campaign
        rsp-conformance fuzz --engine rsp-js --max-time 10m --out campaign --resume
        rsp-conformance fuzz report campaign --report html
    """
    if context.invoked_subcommand is not None:
        written = [name for name in context.params if _is_written(context, name)]
        if written:
            flag = f"--{written[0].replace('_', '-')}"
            raise BadInput(f"{flag}: is an option of campaigns, not of fuzz report")
        return CORRECT
    if engine is None:
        raise BadInput("--engine: name the engine; rsp-conformance engines lists them")
    from rsp_conformance.campaigns.campaign import CampaignConfig
    from rsp_conformance.campaigns.unit import EngineSource
    from rsp_conformance.run.budget import Budget
    from rsp_conformance.spark.masters import check_master

    with reading("--spark"):
        check_master(spark)
    seconds = None if max_time is None else _seconds(max_time)
    with reading("--dial"):
        dials = tuple(dial_texts(dial).items())
        for name, value in dials:
            parse_dial(name, value)
    config = CampaignConfig(
        EngineSource(
            engine,
            tuple(sorted(registry.parse_options(engine_option).items())),
            time_limit,
            None if profile is None else rsp.profile(profile),
            dials,
        ),
        out,
        spark,
        seed or "",
        Budget(EXAMPLES if examples is None and seconds is None else examples, seconds),
        _known(engine, known),
        resume,
    )
    return _run(config)


def _is_written(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


@fuzz.command(cls=Command)
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a campaign.")],
    run: Annotated[int | None, option("N", "Show this run instead of the last one.", min=1)] = None,
    format: Annotated[str, option("FORMAT", "markdown or json (docs/results.md).")] = "markdown",
    html: Annotated[
        Path | None,
        option("DIR", "Also write it there as HTML, which opens offline.", "--report"),
    ] = None,
) -> int:
    """Show the causes, the coverage, and the trend over the runs of a campaign.

    The exit status is that of the campaign, or 2 for bad input.

    Examples:
        rsp-conformance fuzz report campaign
        rsp-conformance fuzz report campaign --run 2 --format json
    """
    from rsp_conformance.campaigns.report import read_result, to_json
    from rsp_conformance.campaigns.store import Store
    from rsp_conformance.run.run_report import REPORTS, RunReport

    if format not in ("markdown", "json"):
        raise BadInput(f"--format {excerpt(format)}: expected markdown or json")
    with progress(f"reading {folder}") as doing:
        found = read_result(Store(folder), run)
        document = to_json(found)
        shown = REPORTS.read(RunReport, document)
        if html is not None:
            from rsp_conformance.pages.html import write_pages

            doing("writing the HTML")
            try:
                with reading("--report"):
                    write_pages(shown, html, folder)
            except OSError as error:
                raise BadInput(f"--report {html}: {error.strerror}") from None
    if format == "json":
        show_json(document)
    else:
        _show(shown)
    return _status(found)


def _run(config: CampaignConfig) -> int:
    """Run the campaign and show its result, even if it was interrupted."""
    from rsp_conformance.campaigns.campaign import fuzz as run_all
    from rsp_conformance.campaigns.report import read_result, to_json
    from rsp_conformance.campaigns.store import begun
    from rsp_conformance.campaigns.workers import WorkersLost
    from rsp_conformance.run.run_report import REPORTS, RunReport

    if config.resume and not begun(config.folder):
        note(f"--resume: {config.folder} holds no run to continue: a new one begins")
    try:
        with progress("starting") as doing:

            def tell(at: CampaignProgress) -> None:
                doing(_text(at), at.part, 1.0, share=f"{at.part:.0%}")

            store, number = run_all(config, tell)
    except KeyboardInterrupt:
        note(f"stopped; continue with: rsp-conformance fuzz … --out {config.folder} --resume")
        raise
    except WorkersLost as error:
        raise BadInput(f"the campaign broke off: {error}") from error
    found = read_result(store, number)
    _show(REPORTS.read(RunReport, to_json(found)))
    return _status(found)


def _show(report: RunReport) -> None:
    """Print the result of a campaign as Markdown."""
    from rsp_conformance.pages.markdown import to_markdown

    print("\n".join(to_markdown(report)))


def _status(found: CampaignResult) -> int:
    if found.disagreements:
        return BUG
    return CORRECT if found.passed else WRONG


def _known(engine: str, file: Path | None) -> tuple[KnownCause, ...]:
    """Read the known causes in `file`, or those that come with the engine."""
    from rsp_conformance.diagnosis.known_file import read_known

    where = "--known" if file else f"the engine {engine}"
    path = file or registry.known_of(engine)
    with reading(where):
        return read_known(path) if path else ()


_TIME = re.compile(r"(\d+(?:\.\d+)?)(s|m|h|d)?")


def _seconds(text: str) -> float:
    """Read a time as seconds.

    Raises:
        BadInput: the text is not a time, or it is not between a second and a year.
    """
    found = _TIME.fullmatch(text.strip())
    if found is None or not 1 <= (seconds := _whole(found)) <= 366 * 86_400:
        raise BadInput(f"--max-time {excerpt(text)}: expected a time such as 90s, 30m or 2h")
    return seconds


def _whole(found: re.Match[str]) -> float:
    return float(found[1]) * {"s": 1, "m": 60, "h": 3_600, "d": 86_400}[found[2] or "s"]


def _text(at: CampaignProgress) -> str:
    known = f" ({at.new} new)" if at.new != at.causes else ""
    parts = [
        f"{at.cases:,} cases",
        f"{at.rate:,.0f}/s",
        f"{counted(at.causes, 'cause')}{known}",
        f"{at.points:,} points",
        at.doing,
    ]
    return ", ".join(part for part in parts if part)
