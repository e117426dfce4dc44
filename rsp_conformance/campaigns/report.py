"""What a folder of campaigns holds: the causes of its last run, coverage, and how the runs compare.

As the JSON document of a run of the suite (docs/results.md) with a campaign's own fields, and as
Markdown to read.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rsp_conformance.campaigns.naming import DISAGREEMENT
from rsp_conformance.campaigns.store import Batch, Run, Store
from rsp_conformance.campaigns.worker import BESIDE
from rsp_conformance.causes.cause import UNEXPLAINED, Cause, cause_from_json
from rsp_conformance.explain.render.layout import counted
from rsp_conformance.files.forms import JsonForm
from rsp_conformance.model.errors import BadInput
from rsp_conformance.suite.causes import evidence_for
from rsp_conformance.suite.events import (
    FindingConfirmed,
    PropertyFinished,
    PropertyVerdict,
    RunFinished,
    RunStarted,
)
from rsp_conformance.suite.outcome import RunOutcome
from rsp_conformance.suite.run_report import run_report

COUNTS: Mapping[str, str] = {
    "correct": "compared",
    "wrong": "compared",
    "failed": "compared",
    "unsupported": "unsupported",
    "vacuous": "vacuous",
    "not judged": "not_judged",
    "unasked": "unasked",
    "disagreement": "not_judged",
}
"""What an outcome counts as in a run's document."""


@dataclass(frozen=True, slots=True)
class CampaignCause:
    """A cause of a run: ``known`` says that the user knew it, ``since`` the first run that met it.

    ``failures`` are the cases that it explains.
    """

    cause: Cause
    kind: str
    confirmed: str
    known: bool
    failures: int
    since: int


class TrendForm(JsonForm):
    """One run of the folder."""

    run: int
    started: str
    version: str
    """The engine's."""
    cases: int
    failing: int
    causes: list[str]
    covered: int
    """Points of coverage that it was the first to cover."""
    ended: str
    """examples, time, interrupted or lost; empty where it was killed."""


class CampaignForm(JsonForm):
    """What a campaign's document has beside that of a run of the suite, as ``campaign``."""

    run: int
    cases: int
    rate: float
    """Cases a second, on the clock."""
    outcomes: dict[str, int]
    new_causes: list[str]
    """The ids of the causes that the user did not give as known."""
    failing_unnamed: int
    """Wrong answers that were not looked at for their causes: there were too many."""
    disagreements: int
    """Cases on which the kit's own judges differ: bugs of rsp-conformance."""
    covered: int
    """Points of coverage, of all runs against this version."""
    covered_of: dict[str, int]
    """Cases by the features, shapes and window geometry that they exercise."""
    lost: list[str]
    """What no worker could do, and why."""
    trend: list[TrendForm]


@dataclass(frozen=True)
class CampaignResult:
    """One run of a folder, with what stands in its tables."""

    run: Run
    batches: Sequence[Batch]
    causes: tuple[CampaignCause, ...]
    counts: Mapping[str, Counter[str]]
    by_cause: Mapping[str, Counter[str]]
    exercised: Counter[str]
    covered: int
    trend: tuple[TrendForm, ...]

    @property
    def outcomes(self) -> Counter[str]:
        """The cases by what became of them."""
        return sum(self.counts.values(), Counter())

    @property
    def cases(self) -> int:
        """All its cases."""
        return self.outcomes.total()

    @property
    def new(self) -> list[CampaignCause]:
        """The causes that the user has not given as known."""
        return [own for own in self.causes if not own.known]

    @property
    def compared(self) -> int:
        """The cases that said something of the engine."""
        return sum(self.outcomes[name] for name in ("correct", "wrong", "failed"))

    @property
    def unnamed(self) -> int:
        """Wrong answers that were not looked at for their causes."""
        left = self.by_cause.get("", Counter()).total() - sum(c.failures for c in self.causes)
        return max(0, left)

    @property
    def seconds(self) -> float:
        """The time on the clock."""
        return max((batch.wall for batch in self.batches), default=0.0)

    @property
    def ended(self) -> str:
        """How it ended; empty where it was killed."""
        return self.batches[-1].ended if self.batches else ""

    @property
    def disagreements(self) -> int:
        """Cases on which the kit's own judges differ."""
        shrinking = sum(said.startswith(DISAGREEMENT) for said in self.lost)
        return self.outcomes["disagreement"] + shrinking

    @property
    def lost(self) -> list[str]:
        """What could not be done."""
        return [said for batch in self.batches for said in batch.lost]

    @property
    def passed(self) -> bool:
        """Whether something was compared, nothing is new, and the kit agrees with itself."""
        wrong = self.new or self.unnamed or self.disagreements or self.lost
        return bool(self.compared) and not wrong

    def failures(self, own: CampaignCause) -> int:
        """How many cases a cause explains."""
        return own.failures + self.by_cause.get(own.cause.id, Counter()).total()


def read_result(store: Store, number: int | None = None) -> CampaignResult:
    """The run of that NUMBER, the last one without; BadInput where there is none."""
    runs = store.runs()
    chosen = [(run, batches) for run, batches in runs if number in (None, run.number)]
    if not chosen:
        said = f"run {number}" if number else "finished batch"
        raise BadInput(f"{store.path}: there is no {said} in it")
    run, batches = chosen[-1]
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    by_cause: defaultdict[str, Counter[str]] = defaultdict(Counter)
    columns = ("property", "verdict", "cause")
    for row in store.rows("verdicts", run.number, columns):
        counts[row["property"]][row["verdict"]] += 1
        if row["verdict"] in ("wrong", "failed"):
            for id in row["cause"].split(BESIDE):
                by_cause[id][row["property"]] += 1
    exercised: Counter[str] = Counter()
    for row in store.rows("cases", run.number, ("features", "shapes", "geometry")):
        exercised.update([*row["features"], *row["shapes"], row["geometry"]])
    return CampaignResult(
        run,
        batches,
        (*_causes(store, run, runs), *_known(run, by_cause)),
        dict(counts),
        dict(by_cause),
        exercised,
        sum(len(b.covered) for own, found in runs if own.version == run.version for b in found),
        tuple(_trend(store, own, found) for own, found in runs),
    )


def _causes(
    store: Store, run: Run, runs: Sequence[tuple[Run, Sequence[Batch]]]
) -> tuple[CampaignCause, ...]:
    since: dict[str, int] = {}
    for earlier, _ in runs:
        for row in store.causes(earlier.number):
            since.setdefault(row["id"], earlier.number)
    found = []
    for row in store.causes(run.number):
        document = json.loads(row["cause"])
        cause = cause_from_json(document["cause"])
        kind, confirmed = document["kind"], document["confirmed"]
        own = CampaignCause(cause, kind, confirmed, row["known"], row["failures"], since[row["id"]])
        found.append(own)
    return tuple(found)


def _known(run: Run, by_cause: Mapping[str, Counter[str]]) -> Iterator[CampaignCause]:
    """The causes that the user has given, as far as they were met."""
    for id in run.known:
        if id in by_cause:
            cause = Cause(id, properties=tuple(by_cause[id]), text="It was known before.")
            yield CampaignCause(cause, "", "", True, 0, run.number)


def _trend(store: Store, run: Run, batches: Sequence[Batch]) -> TrendForm:
    outcomes = sum((Counter(batch.outcomes) for batch in batches), Counter())
    return TrendForm(
        run=run.number,
        started=run.started,
        version=run.version,
        cases=outcomes.total(),
        failing=outcomes["wrong"] + outcomes["failed"],
        causes=[row["id"] for row in store.causes(run.number)],
        covered=sum(len(batch.covered) for batch in batches),
        ended=batches[-1].ended if batches else "",
    )


# --- as JSON --------------------------------------------------------------------------------------


def to_json(found: CampaignResult) -> dict[str, Any]:
    """FOUND as a document: that of a run of the suite, with ``campaign``."""
    run = found.run
    outcome = RunOutcome(causes=tuple(_cause(found, own) for own in found.causes))
    outcome.take(_findings(found))
    outcome.take(_property(found, name) for name in sorted(found.counts))
    for batch in found.batches:
        outcome.take([RunFinished(batch.seconds)])
    started = RunStarted(run.engine, run.version, run.profile, run.judged_by, run.seed)
    complete = found.ended in ("examples", "time")
    document = run_report(outcome, started, passed=found.passed, complete=complete)
    campaign = CampaignForm(
        run=run.number,
        cases=found.cases,
        rate=round(found.cases / max(found.seconds, 0.01), 1),
        outcomes=dict(found.outcomes),
        new_causes=[own.cause.id for own in found.new],
        failing_unnamed=found.unnamed,
        disagreements=found.disagreements,
        covered=found.covered,
        covered_of=dict(found.exercised.most_common()),
        lost=found.lost,
        trend=list(found.trend),
    )
    return {**document, "rsp_conformance": run.kit, "campaign": campaign.model_dump(mode="json")}


def _cause(found: CampaignResult, own: CampaignCause) -> Cause:
    """The cause with what the whole run says of it."""
    properties = (*own.cause.properties, *found.by_cause.get(own.cause.id, ()))
    return replace(
        own.cause, properties=tuple(dict.fromkeys(properties)), explains=found.failures(own)
    )


def _findings(found: CampaignResult) -> Iterator[FindingConfirmed]:
    for own in found.causes:
        if cause := own.cause if own.cause.file else None:
            name = next(iter(cause.properties), "")
            yield FindingConfirmed(name, own.kind, cause.elements, cause.file, own.confirmed)


def _property(found: CampaignResult, name: str) -> PropertyFinished:
    counts = dict.fromkeys(("known", *COUNTS.values()), 0)
    outcomes = found.counts[name]
    for outcome, count in outcomes.items():
        counts[COUNTS[outcome]] += count
    known = [own.cause.id for own in found.causes if own.known]
    counts["known"] = sum(found.by_cause[id][name] for id in known if id in found.by_cause)
    counts["compared"] -= counts["known"]
    verdict: PropertyVerdict = "passed" if counts["compared"] else "not tested"
    if outcomes["disagreement"]:
        verdict = "kit error"
    elif outcomes["wrong"] + outcomes["failed"] > counts["known"]:
        verdict = "failed"
    elif counts["known"]:
        verdict = "xfailed"
    return PropertyFinished(name, verdict, counts=counts)


# --- as Markdown ----------------------------------------------------------------------------------

MOST_SHOWN = 12
"""So many features are named that few cases have."""


def to_markdown(found: CampaignResult) -> Iterator[str]:
    """FOUND as a page."""
    run = found.run
    yield f"# {run.engine} {run.version}: campaign {run.number}".replace(" :", ":")
    yield ""
    yield headline(found)
    yield ""
    yield (
        f"Started {run.started}, seed {run.seed}, profile {run.profile}, rsp-conformance "
        f"{run.kit}; judged by {run.judged_by}."
    )
    yield from _causes_section(found)
    yield from _coverage_section(found)
    yield from _trend_section(found)


def headline(found: CampaignResult) -> str:
    """What the run has come to, in one sentence or two."""
    rate = found.cases / max(found.seconds, 0.01)
    shown = ", ".join(f"{count:,} {name}" for name, count in found.outcomes.most_common())
    said = f"{counted(found.cases, 'case')} at {rate:,.0f} a second ({shown})."
    new, known = len(found.new), len(found.causes) - len(found.new)
    causes = f"{counted(new, 'new cause')}" + (f", {known} known" if known else "")
    if not found.compared:
        return f"{said} Nothing was compared, so this says nothing of the engine."
    ended = {"": " It was killed.", "interrupted": " It was interrupted.", "lost": " It broke off."}
    return f"{said} {causes}.{ended.get(found.ended, '')}"


def _causes_section(found: CampaignResult) -> Iterator[str]:
    if found.causes:
        yield from ("", "## Causes", "")
        yield "| cause | | failing cases | smallest | since run | what is wrong |"
        yield "|---|---|---|---|---|---|"
    for own in sorted(found.causes, key=lambda own: -found.failures(own)):
        cause = _cause(found, own)
        shown = ("known" if own.known else "**new**", f"{found.failures(own):,}")
        smallest = counted(cause.elements, "element") if cause.file else "-"
        more = evidence_for(cause) if cause.id.startswith(UNEXPLAINED) else ""
        text = f"{cause.text.rstrip('. ')}. {more}"
        cells = (f"`{cause.id}`", *shown, smallest, str(own.since), text.strip())
        yield f"| {' | '.join(_cell(cell) for cell in cells)} |"
    files = [own.cause.file for own in found.causes if own.cause.file]
    if files:
        yield ""
        yield from (f"    rsp-conformance replay {file}" for file in files)
    if found.unnamed:
        yield ""
        yield f"{counted(found.unnamed, 'more wrong answer')} were not looked at for their causes."
    for lost in found.lost:
        yield from ("", _cell(f"Not done: {lost}"))
    if found.disagreements:
        yield ""
        yield (
            f"On {counted(found.disagreements, 'case')} the kit's own judges differ: a bug of "
            "rsp-conformance, for which nobody is accused. Please report it (table verdicts, "
            "verdict `disagreement`)."
        )


def _coverage_section(found: CampaignResult) -> Iterator[str]:
    yield from ("", "## Coverage", "")
    yield (
        f"{found.covered:,} points by all runs against this version: features and shapes alone, in "
        "pairs and with how the engine behaved, operators within operators, window geometry."
    )
    rare = [(count, name) for name, count in found.exercised.items() if "elements" not in name]
    few = [f"{name} ({count})" for count, name in sorted(rare)[:MOST_SHOWN]]
    if few:
        yield from ("", f"Fewest cases have: {', '.join(few)}.")


def _trend_section(found: CampaignResult) -> Iterator[str]:
    yield from ("", "## Runs", "")
    yield "| run | started | version | cases | failing | causes | new points | ended |"
    yield "|---|---|---|---|---|---|---|---|"
    for own in found.trend:
        shown = (f"{own.cases:,}", f"{own.failing:,}", str(len(own.causes)), f"{own.covered:,}")
        cells = (str(own.run), own.started, own.version, *shown, own.ended or "killed")
        yield f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    """TEXT, which an engine may have said, within a cell of a table."""
    whole = " ".join(text.split())
    shown = whole if len(whole) <= 400 else f"{whole[:400]}…"
    return "".join(c if c.isprintable() else "�" for c in shown).replace("|", "\\|")
