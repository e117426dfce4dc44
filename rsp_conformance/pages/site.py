"""The results of several runs as a site of files: which engine gets which property right.

Its first page is a matrix of engines and properties; a mark leads to the row of the property on the
page of the engine, which has the causes with their smallest cases. The second page tells what goes
wrong, in how many engines. Everything is made from the results of runs (``--rsp-json``) and the
crash files that they name, and opens without a server. Two versions of an engine, or two runs of
one, are two columns, and a filter leaves the rows in which the columns differ.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from rsp_conformance.adapters.reference import mutant as seams
from rsp_conformance.diagnosis.cause import CauseJson, is_named
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.profile.findings import FoundJson
from rsp_conformance.explain.document import (
    Block,
    Chapter,
    Column,
    Document,
    Heading,
    Items,
    Line,
    Prose,
    Row,
    Span,
    Table,
    Tone,
    line,
    spans,
)
from rsp_conformance.explain.render.layout import counted, listed
from rsp_conformance.files.files import write_whole
from rsp_conformance.model.errors import printable
from rsp_conformance.pages import summary
from rsp_conformance.pages.badge import badge_svg
from rsp_conformance.pages.document import anchor_of
from rsp_conformance.pages.earl import write_earl
from rsp_conformance.pages.filters import DIFFERS, SAME_FOR_ALL, filters, tag, tags_of
from rsp_conformance.pages.found_profile import found_profile
from rsp_conformance.pages.html import page, to_html
from rsp_conformance.run.causes import fault
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.run.properties import SUITE
from rsp_conformance.run.run_report import INDEX, REPORTS, RunReport, make_folder, write_report

CONCLUSIONS: Final = "causes.html"
"""The page of what goes wrong."""
NAMED: Final = 3
"""So many engines a title names."""
_SPARQL: Final = "SPARQL: what a query means"
_WINDOWS: Final = "Windows: what they hold"
_TIMES: Final = "Evaluations: when they take place, and over which windows"
_DATA: Final = "Background data"
_ANSWERS: Final = "Answers: what is sent, and when"
KINDS: Final[Mapping[seams.Seam[Any], str]] = {
    seams.DIALS: "Another reading than the engine's profile",
    **dict.fromkeys((seams.PARSED, seams.QUERY, seams.PATTERN, seams.CONDITION), _SPARQL),
    **dict.fromkeys((seams.SOLUTIONS, seams.STREAMED), _SPARQL),
    seams.TERM: "Terms and their values",
    seams.UNCERTAINTY: "Uncertainty functions",
    **dict.fromkeys((seams.WINDOWS, seams.ELEMENT, seams.READS, seams.CONTENT), _WINDOWS),
    **dict.fromkeys((seams.REPORTS, seams.NOTED, seams.DUE), _TIMES),
    **dict.fromkeys((seams.BACKGROUND, seams.DATA), _DATA),
    **dict.fromkeys((seams.INSTANT, seams.ANSWERS, seams.BURST), _ANSWERS),
}
"""The kind of a cause, by the place in an engine where its mutant changes something."""
NOT_ASKED: Final = "not-asked"
"""The anchor of the chapter of the properties that a run was without."""
WITHOUT: Final = "the run is older than the property, or was of other properties"
"""Why a run was without a property that another run has."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One result in a site.

    Attributes:
        run: the result.
        base: the folder in which its crash files are looked for.
        slug: what its files are called.
        name: what its column is called.
    """

    run: RunReport
    base: Path
    slug: str
    name: str

    @property
    def page(self) -> str:
        """The file of its page."""
        return f"{self.slug}.html"

    @property
    def head(self) -> str:
        """The head of its column: the version is below the name, so that many columns fit."""
        engine = printable(self.run.engine)
        return "\n".join(filter(None, (engine, self.name.removeprefix(engine).strip())))

    def ended(self, property: str) -> PropertyFinished | None:
        """Return how a property ended, skipped or not; None if the run was without it."""
        return next((own for own in self.run.properties if own.property == property), None)

    def verdict(self, property: str) -> PropertyFinished | None:
        """Return what a property came to; None if the engine was not asked."""
        found = self.ended(property)
        return None if found is None or found.verdict == "skipped" else found

    def without(self, names: Sequence[str]) -> list[str]:
        """Return those of these properties that the run was without: it may be older than they."""
        return [name for name in names if self.ended(name) is None]


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast an engine was, which a run's result does not say.

    Attributes:
        engine: the engine's name.
        version: its version.
        start_up: seconds until it had said hello.
        cases_per_second: of the driver alone, which was asked plain cases in a row.
    """

    engine: str
    version: str
    start_up: float
    cases_per_second: float

    def facts(self) -> tuple[tuple[str, Line], ...]:
        """The facts that stand on the engine's page."""
        number = f"{self.cases_per_second:,.0f} cases per second"
        return ("start-up", f"{self.start_up:.1f} s"), ("driver alone", number)


def entries(runs: Sequence[tuple[RunReport, Path]]) -> list[Entry]:
    """Name results by engine and version; by number too, if two have the same.

    Args:
        runs: each result with the folder in which its crash files are looked for.
    """
    called = [summary.engine_of(run) for run, _ in runs]
    found: list[Entry] = []
    for number, ((run, base), name) in enumerate(zip(runs, called, strict=True)):
        same = called.count(name) > 1
        own = f"{name} ({called[: number + 1].count(name)})" if same else name
        slug = re.sub(r"[^a-z0-9.]+", "-", own.lower()).strip("-.") or f"engine-{number + 1}"
        taken = {entry.slug for entry in found}
        slug = f"{slug}-{number + 1}" if slug in taken or slug in ("index", "causes") else slug
        found.append(Entry(run, base, slug, own))
    return found


def write_site(
    runs: Sequence[tuple[RunReport, Path]],
    folder: Path,
    found: Sequence[FoundJson] = (),
    speeds: Sequence[Speed] = (),
) -> Path:
    """Write a site of several results.

    Args:
        runs: as for `entries`.
        folder: where the site is written.
        found: what experiments have found of the engines' profiles, which stands on their pages.
        speeds: how fast the engines were, shown there too.

    Returns:
        Its first page.

    Raises:
        OSError: a file can't be written.
        FileError: the folder can't be had, or holds a page of somebody else.
    """
    make_folder(folder)
    own = entries(runs)
    shown = _properties(own)
    for entry in own:
        more: list[Block] = [_without(lacking)] if (lacking := entry.without(shown)) else []
        more += [found_profile(one) for one in found if one.engine == entry.run.engine]
        called = entry.run.engine, entry.run.version
        facts = [
            one for own in speeds if (own.engine, own.version) == called for one in own.facts()
        ]
        shown_alone = to_html(entry.run, entry.base, home=INDEX, more=more, facts=facts)
        write_whole(folder / entry.page, shown_alone)
        write_report(folder / f"{entry.slug}.json", REPORTS.write(RunReport, entry.run))
        write_whole(folder / f"{entry.slug}.svg", badge_svg(entry.run))
        write_earl(folder / f"{entry.slug}.ttl", entry.run.properties, called)
    foot = Markup("Written by rsp-conformance from the results of runs. The raw data: {}.").format(
        Markup(", ").join(
            Markup('<a href="{0}.json">{0}.json</a>').format(entry.slug) for entry in own
        )
    )
    write_whole(folder / CONCLUSIONS, page(causes_document(own), foot))
    write_whole(folder / INDEX, page(matrix_document(own), foot))
    return folder / INDEX


def _without(names: Sequence[str]) -> Chapter:
    """The chapter of the properties that other runs have and this one was without."""
    said = f"{counted(len(names), 'property')}: {', '.join(names)}. {WITHOUT.capitalize()}."
    return Chapter("Not asked in this run", NOT_ASKED, (Prose((said,)),))


def _title(own: Sequence[Entry]) -> str:
    names = [entry.name for entry in own]
    return ", ".join(names) if len(names) <= NAMED else counted(len(names), "engine")


# --- the matrix -----------------------------------------------------------------------------------


def matrix_document(own: Sequence[Entry]) -> Document:
    """The first page of a site: engines, and the matrix of engines and properties."""
    asked = [name for name in _properties(own) if all(e.verdict(name) for e in own)]
    below = (
        f"Which properties of RSP-QL {listed([e.name for e in own], limit=9)} get right, by "
        "generated cases. ",
        Span("What goes wrong, and in how many of them", href=CONCLUSIONS),
        ".",
    )
    about = {one.name: one for one in SUITE}
    causes = [[cause.id for cause in entry.run.causes] for entry in own]
    blocks: tuple[Block, ...] = (
        Heading("Engines", anchor="engines"),
        _engines(own, asked),
        Prose(
            (
                f"{counted(len(asked), 'property')} can be compared, for every engine was asked. "
                "A property is skipped if the engine's queries or its profile can't express what "
                f"the property needs.{_older(own)}",
            ),
            "soft",
        ),
        Heading("Properties", anchor="properties"),
        *filters([about[name] for name in _properties(own) if name in about], causes),
        _matrix(own),
        Heading("What the marks mean", anchor="marks"),
        Items(tuple(_marks())),
    )
    return Document(f"RSP-QL conformance: {_title(own)}", blocks, below)


def _older(own: Sequence[Entry]) -> str:
    """A sentence on runs that were without some of the properties; empty if there are none."""
    names = [entry.name for entry in own if entry.without(_properties(own))]
    if not names:
        return ""
    return f" Not asked: {listed(names, limit=9)} in runs that were without some properties."


def _properties(own: Sequence[Entry]) -> list[str]:
    """The properties that some engine was asked, in the order of the suite, others last."""
    known = [one.name for one in SUITE]
    found = dict.fromkeys(p.property for e in own for p in e.run.properties)
    asked = [name for name in found if any(e.verdict(name) for e in own)]
    return sorted(asked, key=lambda n: known.index(n) if n in known else len(known))


def _engines(own: Sequence[Entry], asked: Sequence[str]) -> Table:
    heads = (
        Column("engine"),
        Column("profile"),
        *(Column(name, number=True) for name in ("passed", "failed", "not tested", "skipped")),
        Column("not asked", number=True),
        Column(f"passed of {len(asked)}", number=True),
        *(Column(name, number=True) for name in ("causes", "unexplained", "cases")),
        Column("run"),
    )
    shown = _properties(own)
    return Table(heads, tuple(_engine(entry, asked, shown) for entry in own), "Engines")


def _engine(entry: Entry, asked: Sequence[str], shown: Sequence[str]) -> Row:
    run = entry.run
    groups = sum(not is_named(cause.id) for cause in run.causes)
    bad = sum(run.verdicts.get(own, 0) for own in summary.BAD)
    both = sum(_passed(entry.verdict(name)) for name in asked)
    numbers = (
        run.verdicts.get("passed", 0),
        bad,
        run.verdicts.get("not tested", 0),
        run.verdicts.get("skipped", 0),
        len(entry.without(shown)),
        both,
        len(run.causes) - groups,
        groups,
    )
    facts = summary.facts(run)
    said = "; ".join(f"{n} {facts[n]}" for n in ("seed", "mode") if n in facts)
    began = Span(summary.instant(run.started), instant=run.started) if run.started else ""
    files: Line = (
        began,
        "; " if began else "",
        f"{said}; ",
        Span("badge", href=f"{entry.slug}.svg"),
        ", ",
        Span("EARL", href=f"{entry.slug}.ttl"),
    )
    name = Span(entry.name, href=entry.page)
    # Dials would push all numbers off the screen; the engine's page has them.
    profile = f"{run.engine}'s own" if summary.is_own(run) else facts.get("profile", "")
    compared = f"{run.counts.get('compared', 0):,}"
    return Row((name, profile, *map(str, numbers), compared, files))


def _passed(found: PropertyFinished | None) -> bool:
    return found is not None and found.verdict in ("passed", "xfailed")


def _matrix(own: Sequence[Entry]) -> Table:
    about = {one.name: one for one in SUITE}
    rows = []
    for name in _properties(own):
        one, found = about.get(name), [entry.verdict(name) for entry in own]
        says: tuple[Line, ...] = ((Span(name, tone="strong"),),)
        tags = [*tags_of(one)] if one else []
        if one is not None:
            claim = spans(line(f"A correct engine {one.asserts}. "))
            says += ((*claim, Span(one.definition, tone="soft")),)
        verdicts = {own.verdict for own in found if own is not None}
        tags.append(DIFFERS if len(verdicts) > 1 else SAME_FOR_ALL)
        failing = (id for own in found if own is not None for id in own.causes)
        tags += [tag(id) for id in dict.fromkeys(failing) if is_named(id)]
        marks = (_mark(e, name, got) for e, got in zip(own, found, strict=True))
        rows.append(Row((says, *marks), tuple(dict.fromkeys(tags)), anchor_of(name)))
    heads = (Column("property", wide=True), *(Column(entry.head) for entry in own))
    return Table(heads, tuple(rows), "Engines and properties")


def _mark(entry: Entry, name: str, found: PropertyFinished | None) -> Line:
    """The cell of an engine and a property, which leads to the engine's page."""
    if found is None:
        if (own := entry.ended(name)) is None:
            says = f"not asked in this run: {name}, {entry.name}"
            return Span("○", tone="soft", href=f"{entry.page}#{NOT_ASKED}", says=says)
        return Span("", says=f"skipped: {summary.why_not(own)}")
    sign, tone = _sign(found.verdict)
    if found.verdict in summary.BAD:
        numbers = {c.id: n for n, c in enumerate(entry.run.causes, 1)}
        explained = [id for id in found.causes if is_named(id)]
        marks = [str(numbers[id]) for id in explained if id in numbers]
        marks += ["?"] if len(explained) < len(found.causes) else []
        sign = " ".join([sign, *marks])
    href = f"{entry.page}#{anchor_of(name)}"
    return Span(sign, tone=tone, href=href, says=f"{found.verdict}: {name}, {entry.name}")


def _sign(verdict: str) -> tuple[str, Tone]:
    if verdict in summary.BAD:
        return "✗", "bad"
    return {"passed": ("✓", "good"), "xfailed": ("✓", "good")}.get(verdict, ("–", "soft"))  # type: ignore[return-value]


def _marks() -> Iterator[Line]:
    for sign, meaning in (
        ("✓", "the engine passes: every case that was compared is right"),
        ("✗ 1 ?", "it fails, for the causes with these numbers on its page; ? is unexplained"),
        ("–", "not tested: too few cases could be compared"),
        ("○", f"not asked in this run: {WITHOUT}"),
        (
            "an empty cell",
            "skipped: the engine's queries or its profile can't express what the property needs",
        ),
    ):
        yield Span(sign, tone="strong"), f": {meaning}."
    for word, meaning in summary.WORDS.items():
        yield Span(word, tone="strong"), f": {meaning}."


# --- what goes wrong ------------------------------------------------------------------------------


def causes_document(own: Sequence[Entry]) -> Document:
    """The second page of a site: what goes wrong, by kind, with the engines in which it does."""
    found: defaultdict[str, list[tuple[Entry, CauseJson]]] = defaultdict(list)
    for entry in own:
        for cause in entry.run.causes:
            if is_named(cause.id):
                found[cause.id].append((entry, cause))
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    for id in sorted(found, key=lambda own: (-len(found[own]), own)):
        by_kind[kind_of(found[id][0][1])].append(id)
    kinds = dict(sorted(by_kind.items(), key=lambda item: -len(item[1])))
    blocks: list[Block] = [_kinds(kinds, found)]
    for kind, ids in kinds.items():
        blocks += [Heading(kind, anchor=tag(kind)), _causes(ids, found)]
    nothing = sum(not is_named(c.id) for e in own for c in e.run.causes)
    blocks.append(
        Prose(
            (
                f"{counted(nothing, 'group')} of failures have no cause: no dial and no known bug "
                "explains them. They stand on the pages of the engines.",
            ),
            "soft",
        )
    )
    below = (
        f"{counted(len(found), 'cause')} in {listed([e.name for e in own], limit=9)}. ",
        Span("Engines and properties", href=INDEX),
        ".",
    )
    return Document("What goes wrong in RSP engines", tuple(blocks), below)


def kind_of(cause: CauseJson) -> str:
    """Where in an engine a cause lies: by the value that its mutant changes."""
    known = [MUTANTS[name].seam for name in cause.mutants if name in MUTANTS]
    return KINDS[known[0]] if known else KINDS[seams.DIALS]


def _kinds(
    kinds: Mapping[str, Sequence[str]], found: Mapping[str, Sequence[tuple[Entry, CauseJson]]]
) -> Table:
    heads = (
        Column("what is wrong", wide=True),
        *(Column(name, number=True) for name in ("causes", "engines", "wrong answers")),
    )
    rows = []
    for kind, ids in kinds.items():
        engines = {entry.name for id in ids for entry, _ in found[id]}
        answers = sum(cause.explains for id in ids for _, cause in found[id])
        link = Span(kind, href=f"#{tag(kind)}")
        rows.append(Row((link, str(len(ids)), str(len(engines)), f"{answers:,}")))
    return Table(heads, tuple(rows), "Kinds of causes")


def _causes(ids: Sequence[str], found: Mapping[str, Sequence[tuple[Entry, CauseJson]]]) -> Table:
    rows = []
    for id in ids:
        where = []
        for entry, cause in found[id]:
            number = [own.id for own in entry.run.causes].index(id) + 1
            answers = counted(cause.explains, "wrong answer")
            where.append((Span(entry.name, href=f"{entry.page}#cause-{number}"), f": {answers}"))
        name = Span(id, code=True)
        rows.append(Row((name, line(fault(found[id][0][1].text)), tuple(where))))
    heads = (Column("cause"), Column("what the engine does", wide=True), Column("engines"))
    return Table(heads, tuple(rows), "Causes")
