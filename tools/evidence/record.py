"""Record runs: the properties against an engine, and everything that came of it."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Final

from rsp_conformance.adapters.install_dir import home
from rsp_conformance.diagnosis.evidence import Answered
from rsp_conformance.diagnosis.mutants import known_setting
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.protocol.registry import connect
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.properties import SUITE, property_named
from rsp_conformance.run.reference_opinion import confirm_by_reference
from rsp_conformance.run.session import Session
from rsp_conformance.run.settings import RunSettings
from tools.evidence.recording import (
    DATA,
    Found,
    Head,
    Recording,
    sampled,
    visible_parts,
    write,
)

EXAMPLES: Final = 20
"""Cases per property. With so many, half of a run's time goes into metamorphic tests; a run on
`reference` takes 45 s of processor time, and ten are enough to show most mutants."""
SHRINKING: Final = 1.0
"""Seconds for shrinking a kind of failure. All wrong answers are kept, shrunk or not; with 4 s a
run with 48 findings took 209 s instead of 151 and had the same mutant visible."""
MUTANTS_OPTION: Final = "fault"
"""The option of `reference` that switches mutants on."""
ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Planned:
    """A run to be recorded, as ``runs.toml`` has it.

    Attributes:
        name: the recording's name.
        engine: the engine's name.
        seed: the seed of the run.
        mutants: the mutants that are switched on.
        dials: dials that these mutants need, which the engine declares.
        turned: dials turned in the engine, of which its profile says nothing.
    """

    name: str
    engine: str = "reference"
    seed: int = 0
    mutants: tuple[str, ...] = ()
    dials: Mapping[str, str] = field(default_factory=dict)
    turned: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, str]:
        """The engine's options."""
        found = {f"dial.{dial}": value for dial, value in {**self.dials, **self.turned}.items()}
        return found | ({MUTANTS_OPTION: ",".join(self.mutants)} if self.mutants else {})

    @property
    def truth(self) -> Setting | None:
        """The mutants and dials with which the engine departs from its profile, if known."""
        return known_setting(self.turned, self.mutants) if self.engine == "reference" else None

    @property
    def profile(self) -> str | None:
        """The bundled profile that the engine is checked against; None for its own."""
        return "rsp-ql" if self.turned else None


def planned() -> dict[str, Planned]:
    """Return all runs to be recorded, by name, in the order of the table."""
    table = read_table(__name__, "runs.toml")
    runs = [
        Planned(
            row["name"],
            mutants=tuple(row.get("mutants", ())),
            dials=row.get("dials", {}),
            turned=row.get("turned", {}),
        )
        for row in table["run"]
    ]
    runs += [
        Planned(f"{engine}-{seed}", engine, seed)
        for seed in table["engines"]["seeds"]
        for engine in table["engines"]["names"]
    ]
    return {run.name: run for run in runs}


def record(
    run: Planned,
    folder: Path = DATA,
    *,
    examples: int = EXAMPLES,
    only: str = "",
    masked: Mapping[str, str] | None = None,
) -> str:
    """Run the properties as planned, write the recording, and return a line about it.

    An engine that is lost on the way is recorded as far as it answered.

    Args:
        run: the run.
        folder: where the recording goes.
        examples: cases per property.
        only: the name of the only property to run; all without it.
        masked: texts to keep out of the file, each with its replacement, beside `folders`.

    Raises:
        EngineError: the engine cannot be had.
    """
    started, on_clock = time.process_time(), time.monotonic()
    profile = bundled_profile(run.profile) if run.profile else None
    subject = EngineUnderTest.meet(connect(run.engine, run.options), profile)
    lost = ""
    with subject.engine, tempfile.TemporaryDirectory() as crashes:
        settings = RunSettings(seed=run.seed, budget=Budget(examples), shrinking=SHRINKING)
        keeper = Keeper(Path(crashes), run.engine, {}, str(run.seed))
        ledger, opinions = Ledger(), Opinions(opinion=confirm_by_reference)
        own = Session(subject, settings, keeper, ledger, opinions)
        try:
            chosen = [p for p in SUITE if not only or p.name == only]
            own.all(chosen, naming=False)
        except EngineBroken as error:
            lost = f"; the engine was lost: {error}"
    found = [
        Found(one.finding, Path(one.file).name, property_named(one.finding.property_name).focus)
        for one in ledger.shown()
    ]
    asked: dict[Stimulus, Answered] = {}
    for record in ledger.records(why=""):
        for observation, correct in record.judged:
            answer = Answered(observation, correct, record.property_name)
            asked.setdefault(observation.stimulus, answer)
    answered = [*asked.values()]
    kept = sampled(answered)
    visible = None
    if run.truth is not None:
        shown = [one.observation for one in kept]
        shown += [one for own in found for one in own.symptom.observations]
        visible = visible_parts(run.truth, shown)
    head = Head(
        name=run.name,
        engine=run.engine,
        options=run.options,
        version=subject.hello.version,
        profile=subject.profile,
        features=tuple(sorted(subject.hello.features)),
        seed=run.seed,
        examples=examples,
        truth=run.truth,
        visible=visible,
        counts=_counts(answered),
        commit=commit(),
        date=date.today().isoformat(),
    )
    path = write(
        Recording(head, tuple(found), tuple(kept)), subject, folder, {**folders(), **(masked or {})}
    )
    spent = time.process_time() - started, time.monotonic() - on_clock
    counted = ", ".join(f"{count:,} {kind}" for kind, count in head.counts.items())
    shown_parts = "" if visible is None else f"; visible: {', '.join(visible) or 'nothing'}"
    return (
        f"{run.name}: {counted}; {len(found)} findings, {len(kept):,} kept, "
        f"{path.stat().st_size / 1000:.0f} kB, "
        f"{spent[0]:.0f} s, {spent[1]:.0f} s on the clock{shown_parts}{lost}"
    )


def folders() -> dict[str, str]:
    """Return this machine's folders that engines may name, each with its replacement."""
    found = {str(home()): "/installed", str(ROOT): "/kit", str(Path.home()): "/you"}
    return {folder: found[folder] for folder in sorted(found, key=len, reverse=True)}


def _counts(answered: list[Answered]) -> dict[str, int]:
    """How many of the answers are right, wrong, not judged, failures and unsupported."""
    kinds = Counter(map(_kind, answered))
    return {name: kinds[name] for name in ("right", "wrong", "unjudged", "failed", "unsupported")}


def _kind(own: Answered) -> str:
    if own.observation.unsupported is not None:
        return "unsupported"
    if own.observation.failure is not None:
        return "failed"
    return {True: "right", False: "wrong", None: "unjudged"}[own.correct]


def commit() -> str:
    """Return the commit of the checkout, or nothing outside of one."""
    said = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return said.stdout.strip()
