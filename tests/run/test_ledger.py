"""A ledger takes nothing out: later entries say what no longer stands."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

from rsp_conformance.run.events import FindingConfirmed
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.ledger_file import NAME, read_earlier
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.record import Record
from rsp_conformance.run.work import Begun, Withdrawn
from tests.builders.engines import ONE_START, Flawed, failures_of, right, rows_lost, run_of
from tests.run.test_ledger_file import Killed, started


def test_a_record_that_stands_is_not_entered_again(tmp_path: Path) -> None:
    windows = property_named("windows")
    work = run_of(Flawed(right), tmp_path).work(windows)
    ledger = Ledger()
    ledger.begin(windows)
    for own in work.records * 2:
        ledger.add(own)
    assert [*ledger.records("windows")] == work.records
    assert sum(isinstance(own, Record) for own in ledger.entries) == len(work.records)


def test_a_property_that_begins_anew_supersedes_its_records(tmp_path: Path) -> None:
    windows = property_named("windows")
    first, *others = run_of(Flawed(right), tmp_path).work(windows).records
    ledger = Ledger()
    ledger.begin(windows)
    for own in others:
        ledger.add(own)
    before = [*ledger.entries]
    ledger.begin(windows)
    ledger.add(first)
    assert [*ledger.records()] == [first]
    assert ledger.entries == [*before, Begun("windows"), first]


def test_failures_on_which_the_judges_differ_are_withdrawn(tmp_path: Path) -> None:
    run = run_of(Flawed(rows_lost, **ONE_START), tmp_path)
    failures = failures_of(run, "windows")
    before = [*run.ledger.entries]
    run.naming.disputed("windows", "one says 1")
    run.naming.disputed("windows", "one says 2")
    assert failures and not run.ledger.shown()
    assert not any(Path(own.file).exists() for own in failures)
    assert run.ledger.entries[: len(before)] == before
    assert run.ledger.entries[-1] == Withdrawn("windows", "one says 2")
    assert run.ledger.disputes == {"windows": "one says 1"}


def test_each_record_is_a_line_as_soon_as_it_is_judged(tmp_path: Path) -> None:
    """The engine is killed within a block: what it has answered by then is in the file."""
    answered = 0

    def killed(request: dict, reply: dict) -> dict:
        nonlocal answered
        answered += 1
        if answered > 10:
            raise Killed
        return reply

    run, _, file = started(tmp_path, Flawed(killed))
    try:
        run.run(property_named("windows"))
    except Killed:
        file.close()
    work = read_earlier(tmp_path / NAME, run.subject).take("windows")
    assert work is not None and not work.is_whole
    asked = [own for own in work.records if own.answers]
    assert len(asked) == 10 == len({own.digest for own in asked})


def test_the_file_has_a_line_for_each_event(tmp_path: Path) -> None:
    run, told, file = started(tmp_path, Flawed(rows_lost, **ONE_START))
    run.all([property_named("windows")])
    file.close()
    _, *lines = map(json.loads, gzip.decompress((tmp_path / NAME).read_bytes()).splitlines())
    records = [own for own in lines if "place" in own]
    assert [own["record"] for own in records] == [own.digest for own in run.ledger.records()]
    kinds = Counter(own["event"] for own in lines if "event" in own)
    assert kinds == Counter(type(own).__name__ for own in run.ledger.events) + Counter(["Begun"])
    assert kinds["FindingConfirmed"] == sum(isinstance(own, FindingConfirmed) for own in told) > 0
