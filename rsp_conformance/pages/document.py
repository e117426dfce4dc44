"""The result of a run as a document: the verdict, the causes, the properties.

The document is made once from the run's JSON; the terminal, HTML and Markdown are three ways to
write it (`explain.render`). If the folder with the crash files is known, each cause is shown with
its smallest case. A page that stands alone also holds the JSON and the crash files, to be saved.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from rsp_conformance.diagnosis.cause import CauseJson, is_named
from rsp_conformance.explain.document import (
    Block,
    Cell,
    Chapter,
    Column,
    Command,
    Details,
    Document,
    Facts,
    Filter,
    Group,
    Heading,
    Items,
    Line,
    Part,
    Prose,
    Row,
    Span,
    Table,
    Tone,
    line,
)
from rsp_conformance.explain.render.failure import failure_document
from rsp_conformance.explain.render.layout import counted, glued, listed
from rsp_conformance.judge.crash_file import read, short
from rsp_conformance.judge.recorded import finding_in
from rsp_conformance.model.errors import BadInput, KitError, printable
from rsp_conformance.pages import summary
from rsp_conformance.run.causes import briefly, fault, in_one_case
from rsp_conformance.run.events import AS_BEFORE, NOT_SHRUNK, UNBROKEN, PropertyFinished
from rsp_conformance.run.run_report import REPORTS, CampaignJson, RunReport, report_text

OPEN: Final = 3
"""The number of causes whose smallest case is open on a page: they fill a screen or two."""
MOST_RARE: Final = 12
"""The most features that are named as those that few cases have."""
FEW: Final = 3
"""A cause with more properties than so many shows them only on demand; a short list of more causes
than so many has no evidence."""
CAUSES, PROPERTIES = "causes", "properties"
"""The anchors of the chapters that a terminal shows too."""
NUMBER: Final = re.compile(r" \(\d+\)")
"""How many cases failed in a way, as a note says it behind each way."""
SHORT: Final = {"unsupported": "unsup."}
"""Shorter heads of columns."""
SPARE: Final = {"unsupported": 1, "vacuous": 1, "not_judged": 2, "unasked": 2}
"""The columns that a narrow terminal can do without, those with a greater number first."""
NAMELESS: Final = "unexplained"
"""The tag, and the label, of failures that no known cause explains."""
JSON: Final = "data:application/json;base64,"
TRIES: Final = ("", "crashes", ".rsp/crashes")
"""The folders, starting from that of the run, in which its crash files may lie."""


def run_document(
    run: RunReport,
    base: Path | None = None,
    *,
    alone: bool = False,
    facts: Sequence[tuple[str, Line]] = (),
) -> Document:
    """The result of a run as a document.

    Args:
        run: the result.
        base: the folder in which the crash files of the run, and its folder ``.rsp``, are looked
            for; None for a document without cases.
        alone: whether readers have nothing but the document. If so, the run's JSON and the crash
            files are part of it, to be saved.
        facts: what else is known of the engine, listed after the facts of the run.
    """
    blocks = Facts((*_facts(run), *facts)), *_blocks(run, base, alone=alone)
    return Document(summary.title(run), blocks, _below(run))


def _below(run: RunReport) -> Line:
    if run.passed:
        word = Span("Passed.", tone="good")
    elif summary.is_cut_short(run):
        word = Span("Incomplete.", tone="strong")
    else:
        word = Span("Failed.", tone="bad")
    return word, f" {' '.join(summary.said(run))}"


def _blocks(run: RunReport, base: Path | None, *, alone: bool) -> Iterator[Block]:
    if notes := tuple(summary.notes(run)):
        yield Prose(notes, "note")
    if alone:
        address = _address(report_text(REPORTS.write(RunReport, run)).encode())
        yield Prose((Span("Download this result (JSON)", href=address, download="run.json"),))
    if run.causes:
        title = "Causes of what failed, each with its smallest case"
        yield Chapter(title, CAUSES, tuple(_causes(run, base, alone=alone)))
    yield Chapter("Properties", PROPERTIES, tuple(_properties(run)))
    if run.campaign is not None:
        yield from _campaign(run.campaign)
    yield Chapter("What the words mean", "words", (Items(tuple(_legend(run))),))


def _facts(run: RunReport) -> Iterator[tuple[str, Line]]:
    for name, said in summary.facts(run).items():
        yield name, Span(said, instant=run.started) if name == "started" else said


# --- causes ---------------------------------------------------------------------------------------


def _causes(run: RunReport, base: Path | None, *, alone: bool) -> Iterator[Block]:
    called = summary.called(run)
    rows = []
    for number, cause in enumerate(run.causes, 1):
        size = counted(cause.smallest.elements, "element") if cause.smallest.file else "-"
        size += f" ({cause.smallest.id})" if cause.smallest.id else ""
        name = (Span(called[cause.id], href=f"#cause-{number}"), *_standing(run, cause))
        counts = f"{cause.explains:,}" if cause.explains else "", str(len(cause.properties))
        rows.append(Row((name, line(fault(cause.text)), *counts, size)))
    heads = (
        Column("cause"),
        Column("what is wrong", wide=True),
        Column("wrong answers", number=True),
        Column("properties", number=True),
        Column("smallest case"),
    )
    yield Table(heads, tuple(rows), "Causes", leads=True)
    named, nameless = list[Part](), list[Part]()
    for number, cause in enumerate(run.causes, 1):
        title = (called[cause.id], *_standing(run, cause))
        beside = (
            counted(len(cause.properties), "property"),
            counted(cause.smallest.elements, "element"),
        )
        blocks = _cause(run, cause, base, alone=alone, is_open=number <= OPEN)
        brief = f"{cause.smallest.id:<6}  {cause.id}  {fault(cause.text)}"
        part = Part(f"cause-{number}", (Heading(title, 3, beside=beside), *blocks), brief)
        (named if is_named(cause.id) else nameless).append(part)
    yield from named
    if nameless:
        yield Group(_nameless(run), tuple(nameless), "group")
    if said := " ".join(filter(None, (_sample(run), _left_out(run)))):
        yield Prose((said,), "soft" if len(run.causes) > FEW else "")


def _nameless(run: RunReport) -> Line:
    """What stands before groups of failures without a cause, if there are several."""
    groups = [own for own in run.causes if not is_named(own.id)]
    if len(groups) < 2:
        return ""
    file = next((own.smallest.file for own in groups if own.smallest.file), "")
    named = Path(short(file)).with_name("ID") if file else "ID"
    said = f"Unexplained (?): {len(groups)} groups of failures, {summary.FEWER_BUGS} ("
    return said, Span(glued(summary.replay_line(run, str(named))), code=True), "):"


def _sample(run: RunReport) -> str:
    """How many answers there were, if causes were compared with some of them."""
    for own in run.causes:
        if is_named(own.id) and (own.asked < own.wrong or own.passing < own.right):
            said = f"In all {own.wrong:,} answers were wrong and {own.right:,} right"
            reduced = "" if run.campaign is not None else ", those to reduced cases included"
            return f"These are counts of samples. {said}{reduced}."
    return ""


def _left_out(run: RunReport) -> str:
    """Which wrong answers do not count, if causes are named beside a failure that is set apart."""
    apart = [own.id for own in run.causes if own.set_apart]
    if not apart or not any(is_named(own.id) for own in run.causes):
        return ""
    return f"Wrong answers that {listed(apart)} may have spoilt are left out of the counts."


def _standing(run: RunReport, cause: CauseJson) -> Iterator[str | Span]:
    if own := summary.standing(run, cause):
        yield from (" ", Span(f"({own})", tone="soft"))


def _cause(
    run: RunReport, cause: CauseJson, base: Path | None, *, alone: bool, is_open: bool
) -> Iterator[Block]:
    evidence = printable(cause.evidence)
    if len(run.causes) <= FEW:
        yield Prose((line(f"{fault(cause.text)} {evidence}".strip()),))
    else:  # Where lines are few, of many causes only their sentences are shown.
        yield Prose((line(fault(cause.text)),))
        if evidence:
            yield Prose((evidence,), "soft")
    if cause.properties:
        number, names = len(cause.properties), ", ".join(cause.properties)
        if number > FEW:
            yield Details(f"Found by {number} properties", (Prose((names,)),))
        else:
            noun = "property" if number == 1 else "properties"
            yield Prose((f"Found by the {noun} {names}.",), "soft")
    if cause.alternatives:
        others = "; ".join(map(summary.named, cause.alternatives))
        yield Prose((f"As likely: {others}.",), "soft")
    file = cause.smallest.file
    if not file:
        yield Prose(("None of its cases was shrunk.",), "soft")
        return
    heads = (printable(own.headline) for own in run.findings if own.file == file)
    if head := next(filter(None, heads), ""):
        yield Prose((Span(head, tone="strong"),), "strong")
    if together := in_one_case(cause.smallest.causes):
        yield Prose((together,), "soft")
    saved = None
    if base is not None:
        blocks, saved = case_of(file, base)
        elements = counted(cause.smallest.elements, "element")
        if saved is not None:
            said = f"Its smallest case, of {elements}, and why the answer is wrong"
            blocks = (Details(said, blocks, open=is_open),)
        yield from blocks
    if alone and saved is not None:
        name = Path(file).name
        yield Prose((Span("Download the crash file (JSON)", href=_address(saved), download=name),))
        yield Command(summary.replay_line(run, name), "Run it again, beside the crash file:")
    else:
        yield Command(summary.replay_line(run, file))


def case_of(file: str, base: Path) -> tuple[tuple[Block, ...], bytes | None]:
    """The failure report of the case in a crash file, and the file.

    Args:
        file: the crash file as the run names it.
        base: as for `run_document`.

    Returns:
        The blocks of the failure report and the content of the file. If the case can't be shown, a
        sentence that says why, and None.
    """
    path = next((place for place in _places(file, base) if place.is_file()), None)
    if path is None:
        said = "Its crash file is not at hand, so its case is not shown here."
        return (Prose((said,), "soft"),), None
    try:
        return failure_document(finding_in(read(path))).blocks, path.read_bytes()
    except (KitError, BadInput, OSError, ValueError) as error:
        return (Prose((f"Its case can't be shown: {printable(str(error))}",), "soft"),), None


def _places(file: str, base: Path) -> Iterator[Path]:
    yield from (Path(file), base / file)
    yield from (base / folder / Path(file).name for folder in TRIES)


def _address(content: bytes) -> str:
    """An address that holds the file itself, so that the file travels with the page."""
    return JSON + base64.b64encode(content).decode()


# --- properties -----------------------------------------------------------------------------------


def _properties(run: RunReport) -> Iterator[Block]:
    shown = [own for own in run.properties if own.verdict != "skipped"]
    shown.sort(key=lambda own: own.verdict not in summary.BAD)
    counts = summary.counts(run)
    verdicts = dict.fromkeys(own.verdict for own in shown)
    if len(verdicts) > 1:
        numbers = {own: sum(one.verdict == own for one in shown) for own in verdicts}
        choices = tuple((_tag(own), f"{own} ({numbers[own]})") for own in verdicts)
        yield Filter("Show properties", "verdict", choices)
    called = summary.called(run)
    numbered = {cause.id: number for number, cause in enumerate(run.causes, 1)}
    if len(numbered) > 1:
        named = [id for id in numbered if is_named(id)]
        choices = tuple((f"cause-{numbered[id]}", called[id]) for id in named)
        if len(named) < len(numbered):
            choices += ((NAMELESS, NAMELESS),)
        yield Filter("that fail for", "cause", choices)
    heads = (
        Column("property", least=19),
        Column("verdict", least=10),
        Column("causes", inline=False),
        Column("what is wrong", wide=True, inline=False),
        *(
            Column(
                own.replace("_", " "),
                number=True,
                short=SHORT.get(own, ""),
                spare=SPARE.get(own, 0),
            )
            for own in counts
        ),
    )
    rows = []
    for own in shown:
        causes = [id for id in own.causes if id in numbered]
        links = tuple((Span(called[id], href=f"#cause-{numbered[id]}"),) for id in causes)
        numbers_of = (str(own.counts.get(name, "")) for name in counts)
        cells: tuple[Cell, ...] = (
            own.property,
            Span(own.verdict, tone=_tone(own.verdict)),
            links,
            _wrong(run, own),
            *numbers_of,
        )
        nameless = [id for id in causes if not is_named(id)]
        tags = [_tag(own.verdict), *(f"cause-{numbered[id]}" for id in causes)]
        tags += [NAMELESS] if nameless else []
        named = [called[id] for id in causes if is_named(id)]
        told = (
            one for text in _brief(own, named, nameless) for one in summary.with_cases(run, text)
        )
        brief = tuple(dict.fromkeys(told))
        alike = f"{own.verdict} ({brief[0].partition(' (')[0]})" if brief[0] else own.verdict
        rows.append(Row(cells, tuple(tags), anchor_of(own.property), brief, alike))
    yield Table(heads, tuple(rows), "Properties", "property", "why")
    if skipped := summary.skipped(run):
        number = counted(sum(map(len, skipped.values())), "property")
        yield Prose((f"{number} skipped: {summary.why_skipped(run.properties)}.",))
        items = tuple(f"{', '.join(names)}: {reason}" for reason, names in skipped.items())
        yield Details("Which, and why", (Items(items),))
    for said, conditions in summary.conditions(run):
        yield Prose((f"{said}, by the conditions of docs/compare.md:",))
        yield Items(tuple(f"{number:>5} {reason}" for number, reason in conditions))


def _brief(own: PropertyFinished, causes: Sequence[str], groups: Sequence[str]) -> tuple[str, ...]:
    """What follows a property's row: the causes with their names, their numbers, or a note.

    Args:
        own: the property.
        causes: the causes of its failures that have a name.
        groups: the ids of the groups of its failures that have none.

    Returns:
        The same in fewer and fewer words.
    """
    note = own.note.removeprefix(f"{own.counts.get('known', 0)} known: ")
    note = printable(briefly(note))
    if own.verdict != "failed" or not (causes or groups):
        return (note,)
    if not causes:
        # What is unexplained has a kind, which the note says.
        if own.note.startswith((AS_BEFORE, NOT_SHRUNK)):
            return note, NUMBER.sub("", note)
        # Rows with the same text before the first bracket share a line where lines are few.
        said = f"{UNBROKEN}; {NAMELESS}" if UNBROKEN in own.note else NAMELESS
        return f"{said} ({', '.join(groups)})", said, NAMELESS
    rest = ["?"] if groups else []
    numbers = [name.partition(" ")[0] for name in causes]
    return ", ".join([*causes, *rest]), ", ".join([*numbers, *rest])


def anchor_of(property: str) -> str:
    """What links to the row of a property name."""
    return f"property-{property}"


def _tone(verdict: str) -> Tone:
    return "bad" if verdict in summary.BAD else "good" if verdict == "passed" else "soft"


def _tag(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _wrong(run: RunReport, own: PropertyFinished) -> tuple[Line, ...]:
    """The headlines of a property's failures and the commands that show them, or else its note."""
    found: list[Line] = [(fault(UNBROKEN),)] if UNBROKEN in own.note else []
    for one in run.findings:
        if one.property == own.property:
            found.append((printable(one.headline or one.kind),))
            if one.file:
                found.append((Span(summary.replay_line(run, one.file), code=True),))
    return tuple(found) or ((summary.note(own),),)


# --- campaigns, words -----------------------------------------------------------------------------


def _campaign(campaign: CampaignJson) -> Iterator[Block]:
    yield Heading("Coverage")
    said = [
        f"{campaign.covered:,} points by all runs against this version: features and shapes alone, "
        "in pairs and with how the engine behaved, operators within operators, window geometry."
    ]
    rare = [(n, name) for name, n in campaign.covered_of.items() if "elements" not in name]
    if few := [f"{name} ({n})" for n, name in sorted(rare)[:MOST_RARE]]:
        said.append(f"Fewest cases have: {', '.join(few)}.")
    yield Prose(tuple(said))
    yield Heading("Runs of the campaign")
    heads = (
        Column("run"),
        Column("started"),
        Column("version"),
        *(Column(own, number=True) for own in ("cases", "failing", "causes", "new points")),
        Column("ended"),
    )
    rows = []
    for own in campaign.trend:
        counts = (f"{own.cases:,}", f"{own.failing:,}", str(len(own.causes)), f"{own.covered:,}")
        began = Span(summary.instant(own.started), instant=own.started)
        cells = (str(own.run), began, own.version, *counts, own.ended or "killed")
        rows.append(Row(cells))
    yield Table(heads, tuple(rows), "Runs")


def _legend(run: RunReport) -> Iterator[Line]:
    """The words that the page uses, each with its meaning."""
    for word, meaning in _words(run):
        yield Span(word, tone="strong"), f": {meaning}."


def _words(run: RunReport) -> Iterable[tuple[str, str]]:
    yield from summary.WORDS.items()
    for own in summary.counts(run):
        number = f"{counted(run.counts.get(own, 0), 'case')}, " if run.counts else ""
        yield own.replace("_", " "), f"{number}{summary.MEANING[own]}"
