"""Campaigns without Spark: the work of its workers is done in this process."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rsp_conformance.campaigns.campaign import Campaign, CampaignConfig, begun
from rsp_conformance.campaigns.report import CampaignResult, read_result
from rsp_conformance.campaigns.store import Store
from rsp_conformance.campaigns.unit import EngineSource, Unit, UnitResult
from rsp_conformance.campaigns.worker import UnitWork
from rsp_conformance.run.budget import Budget

LOCK = threading.RLock()
"""What the threads of a campaign do in two processes waits for each other here."""


class Here:
    """In place of Spark's workers, which are processes of their own."""

    handle: Any = SimpleNamespace(partitions=2)

    def run(self, work: UnitWork, units: Sequence[Unit]) -> list[UnitResult]:
        with LOCK:
            return work(units)

    def stop(self, *, now: bool = False) -> None:
        pass


def source(*mutants: str, **options: str) -> EngineSource:
    """The reference engine with MUTANTS."""
    if mutants:
        options["fault"] = ",".join(mutants)
    return EngineSource("reference", tuple(options.items()))


def run_here(config: CampaignConfig, workers: Any = None) -> CampaignResult:
    """What a campaign comes to, run in this process."""
    subject = config.source.meet()
    store = Store(config.folder, config.source.spec, dict(config.source.options))
    own = begun(config, store, subject)
    Campaign(config, store, subject, workers or Here(), own).go(lambda _: None)
    return read_result(store, own[0].number)


def config(folder: Path, *mutants: str, **more: Any) -> CampaignConfig:
    """A campaign against the reference engine with MUTANTS; its cases are soon judged."""
    budget = Budget(more.pop("examples", 120))
    own = more.pop("source", None) or source(*mutants)
    return CampaignConfig(own, folder, **{"seed": "6", "budget": budget, **more})
