"""A run's result as Markdown: for $GITHUB_STEP_SUMMARY, for an issue, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rsp_conformance.diagnosis.cause import UNEXPLAINED
from rsp_conformance.explain.render.layout import counted, listed
from rsp_conformance.model.errors import printable
from rsp_conformance.pages import summary
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.run.run_report import CampaignJson, RunReport

MOST = 400
"""Characters of a cell."""
MOST_RARE = 12
"""So many features are named that few cases have."""


def to_markdown(run: RunReport) -> Iterator[str]:
    """RUN as a page, line by line."""
    yield from (f"# {_cell(summary.title(run))}", "")
    yield _cell(" ".join(summary.said(run)))
    yield ""
    yield _cell("; ".join(f"{name} {text}" for name, text in summary.facts(run).items()) + ".")
    for note in summary.notes(run):
        yield from ("", _cell(note))
    yield from _causes(run)
    yield from _properties(run) if run.campaign is None else _campaign(run.campaign)


def _causes(run: RunReport) -> Iterator[str]:
    if not run.causes:
        return
    yield from ("", "## Causes", "")
    head = ("cause", "", "wrong answers", "properties", "smallest case", "what is wrong")
    names, rows = _names(run), []
    for cause in run.causes:
        smallest = cause.smallest
        size = counted(smallest.elements, "element") if smallest.file else "-"
        standing = summary.standing(run, cause)
        counts = (f"{cause.explains:,}" if cause.explains else "", str(len(cause.properties)))
        rows.append((names[cause.id], standing, *counts, size, summary.sentence(cause)))
    yield from _table(head, rows)
    commands: dict[str, list[str]] = {}
    for cause in run.causes:
        if file := cause.smallest.file:
            commands.setdefault(summary.replay_line(run, file), []).append(names[cause.id])
    if commands:
        yield ""
    for command, shown in commands.items():
        yield f"    {command}  # {', '.join(shown).replace('`', '')}"


def _names(run: RunReport) -> dict[str, str]:
    """What each cause of RUN is called, by its id; what is unexplained is told apart by that."""
    called = summary.called(run)
    names = {id: id if id.startswith(UNEXPLAINED) else called[id] for id in called}
    return {id: f"`{printable(name).replace('`', '')}`" for id, name in names.items()}


def _properties(run: RunReport) -> Iterator[str]:
    wrong = [own for own in run.properties if own.verdict in summary.BAD]
    if wrong:
        yield from ("", "## Properties that failed", "")
        head = ("property", "verdict", "compared", "causes", "what is wrong")
        yield from _table(head, (_property(run, own) for own in wrong))
    others: dict[str, list[str]] = {}
    for own in run.properties:
        if own.verdict not in summary.BAD:
            others.setdefault(own.verdict, []).append(own.property)
    for verdict, names in others.items():
        yield from ("", _cell(f"{verdict.capitalize()}: {listed(names, limit=1_000)}."))


def _property(run: RunReport, own: PropertyFinished) -> Sequence[str]:
    names = _names(run)
    found = [one.headline or one.kind for one in run.findings if one.property == own.property]
    causes = ", ".join(names[id] for id in own.causes if id in names)
    compared = str(own.counts.get("compared", ""))
    return own.property, own.verdict, compared, causes, "; ".join(found[:3]) or summary.note(own)


def _campaign(campaign: CampaignJson) -> Iterator[str]:
    yield from ("", "## Coverage", "")
    yield (
        f"{campaign.covered:,} points by all runs against this version: features and shapes alone, "
        "in pairs and with how the engine behaved, operators within operators, window geometry."
    )
    rare = [(n, name) for name, n in campaign.covered_of.items() if "elements" not in name]
    if few := [f"{name} ({n})" for n, name in sorted(rare)[:MOST_RARE]]:
        yield from ("", f"Fewest cases have: {', '.join(few)}.")
    yield from ("", "## Runs", "")
    head = ("run", "started", "version", "cases", "failing", "causes", "new points", "ended")
    rows = []
    for own in campaign.trend:
        counts = (f"{own.cases:,}", f"{own.failing:,}", str(len(own.causes)), f"{own.covered:,}")
        rows.append((str(own.run), own.started, own.version, *counts, own.ended or "killed"))
    yield from _table(head, rows)


def _table(
    head: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]
) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(text: str) -> str:
    """TEXT, which an engine may have said, as one line that is neither HTML nor a link."""
    whole = " ".join(text.split())
    shown = whole if len(whole) <= MOST else f"{whole[:MOST]}…"
    for sign, instead in (("&", "&amp;"), ("<", "&lt;"), ("|", "\\|"), ("](", "]\\(")):
        shown = shown.replace(sign, instead)
    return printable(shown)
