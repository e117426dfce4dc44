"""What a folder of campaigns holds: the causes of its last run, coverage, and how the runs compare.

As the JSON document of a run of the suite (docs/results.md) with a campaign's own fields.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rsp_conformance.campaigns.campaign import DISAGREEMENT
from rsp_conformance.campaigns.named import NamedCause
from rsp_conformance.campaigns.store import Batch, Run, Store
from rsp_conformance.campaigns.unit import ACCUSING
from rsp_conformance.campaigns.worker import BESIDE
from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.model.errors import BadInput
from rsp_conformance.run.events import (
    FindingConfirmed,
    PropertyFinished,
    PropertyVerdict,
    RunFinished,
    RunStarted,
)
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.run_report import CampaignJson, TrendJson, run_report

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


@dataclass(frozen=True)
class CampaignResult:
    """One run of a folder, with the content of its tables."""

    spec: str
    run: Run
    batches: Sequence[Batch]
    causes: tuple[NamedCause, ...]
    counts: Mapping[str, Counter[str]]
    by_cause: Mapping[str, Counter[str]]
    exercised: Counter[str]
    covered: int
    trend: tuple[TrendJson, ...]

    @property
    def outcomes(self) -> Counter[str]:
        """The cases by what became of them."""
        return sum(self.counts.values(), Counter())

    @property
    def cases(self) -> int:
        """All its cases."""
        return self.outcomes.total()

    @property
    def new(self) -> list[NamedCause]:
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

    def failures(self, own: NamedCause) -> int:
        """How many cases a cause explains."""
        return own.failures + self.by_cause.get(own.cause.id, Counter()).total()


def read_result(store: Store, number: int | None = None) -> CampaignResult:
    """Read the result of a run.

    Args:
        store: the campaign's folder.
        number: which run; the last one without it.

    Raises:
        BadInput: there is none.
    """
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
        if row["verdict"] in ACCUSING:
            for id in row["cause"].split(BESIDE):
                by_cause[id][row["property"]] += 1
    exercised: Counter[str] = Counter()
    for row in store.rows("cases", run.number, ("features", "shapes", "geometry")):
        exercised.update([*row["features"], *row["shapes"], row["geometry"]])
    return CampaignResult(
        store.engine,
        run,
        batches,
        (*map(NamedCause.of_row, store.causes(run.number)), *_known(run, by_cause)),
        dict(counts),
        dict(by_cause),
        exercised,
        sum(len(b.covered) for own, found in runs if own.version == run.version for b in found),
        tuple(_trend(store, own, found) for own, found in runs),
    )


def _known(run: Run, by_cause: Mapping[str, Counter[str]]) -> Iterator[NamedCause]:
    """The causes that the user has given, as far as they were met."""
    for id in run.known:
        if id in by_cause:
            cause = Cause(id, properties=tuple(by_cause[id]), text="It was known before.")
            yield NamedCause(cause, known=True)


def _trend(store: Store, run: Run, batches: Sequence[Batch]) -> TrendJson:
    outcomes = sum((Counter(batch.outcomes) for batch in batches), Counter())
    return TrendJson(
        run=run.number,
        started=run.started,
        version=run.version,
        cases=outcomes.total(),
        failing=outcomes["wrong"] + outcomes["failed"],
        causes=tuple(row.id for row in store.causes(run.number)),
        covered=sum(len(batch.covered) for batch in batches),
        ended=batches[-1].ended if batches else "",
    )


# --- as JSON --------------------------------------------------------------------------------------


def to_json(found: CampaignResult) -> dict[str, Any]:
    """Return a result as a document: that of a run, with ``campaign``."""
    run = found.run
    outcome = RunOutcome(causes=tuple(_cause(found, own) for own in found.causes))
    outcome.take(_findings(found))
    outcome.take(_property(found, name) for name in sorted(found.counts))
    for batch in found.batches:
        outcome.take([RunFinished(batch.seconds)])
    started = RunStarted(run.engine, run.version, run.profile, run.judged_by, run.seed)
    complete = found.ended in ("examples", "time")
    campaign = CampaignJson(
        run=run.number,
        cases=found.cases,
        rate=round(found.cases / max(found.seconds, 0.01), 1),
        outcomes=dict(found.outcomes),
        new_causes=tuple(own.cause.id for own in found.new),
        failing_unnamed=found.unnamed,
        disagreements=found.disagreements,
        covered=found.covered,
        covered_of=dict(found.exercised.most_common()),
        lost=tuple(found.lost),
        trend=found.trend,
    )
    document = run_report(
        outcome,
        started,
        passed=found.passed,
        complete=complete,
        began=run.started,
        duration=found.seconds,
        spec=found.spec,
        dials=dict(dial.split("=", 1) for dial in filter(None, run.dials.split(", "))),
        campaign=campaign,
    )
    return {**document, "rsp_conformance": run.kit}


def _cause(found: CampaignResult, own: NamedCause) -> Cause:
    """The cause with what the whole run says of it; it was named with a sample of the answers."""
    cause, came = own.cause, found.outcomes
    properties = (*cause.properties, *found.by_cause.get(cause.id, ()))
    return replace(
        cause,
        properties=tuple(dict.fromkeys(properties)),
        explains=found.failures(own),
        wrong=max(cause.wrong, came["wrong"]) if cause.is_explained else 0,
        right=max(cause.right, cause.passing, came["correct"]) if cause.is_explained else 0,
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
