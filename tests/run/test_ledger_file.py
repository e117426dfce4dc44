"""A run that is killed goes on from its ledger: the same records, and nothing twice."""

from __future__ import annotations

import errno
import gzip
import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from rsp_conformance.files.files import FileError
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.errors import BadInput, KitError
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.events import Event, FindingConfirmed, PropertyFinished
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.ledger_file import (
    NAME,
    Earlier,
    Header,
    LedgerFile,
    read_earlier,
    read_header,
)
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.session import Session
from rsp_conformance.run.settings import RunSettings
from rsp_conformance.run.work import Begun
from tests.builders.engines import ONE_START, Flawed, right, rows_lost, run_of
from tests.generators.damage import Damage, damaged_lines
from tests.hostile.readers import Reader, few

NAMES = ("windows", "filter")
HEADER = Header(
    engine="flawed", version="1", profile="rsp-ql", dials="", kit="0", seed="7", examples=20
)


class Killed(BaseException):
    """In place of a signal that nobody survives."""


def started(
    folder: Path, engine: Flawed, *, resume: bool = False
) -> tuple[Session, list[Event], LedgerFile]:
    """A run with its ledger in a folder."""
    told: list[Event] = []
    subject = run_of(engine, folder).subject
    earlier = read_earlier(folder / NAME, subject) if resume else None
    file = LedgerFile(folder / NAME, HEADER, subject, resume=resume)
    ledger = Ledger(told.append, file=file, earlier=earlier)
    settings = RunSettings(seed=7, budget=Budget(20), judged_by="the test")
    keeper = Keeper(folder, "flawed", {}, "7")
    return Session(subject, settings, keeper, ledger, Opinions()), told, file


def outcome(run: Session, told: list[Event]) -> tuple[Any, ...]:
    """What a run comes to: its records, how its properties end, and what is shown."""
    records = Counter((own.digest, own.outcome) for own in run.ledger.records())
    ends = {
        (own.property, own.verdict, str(own.counts))
        for own in told
        if isinstance(own, PropertyFinished)
    }
    shown = {(own.property, own.headline) for own in told if isinstance(own, FindingConfirmed)}
    return records, ends, shown


def test_a_killed_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice, wherever that is; half a line may be there."""
    (tmp_path / "whole").mkdir()
    run, told, _ = started(tmp_path / "whole", Flawed(rows_lost, **ONE_START))
    run.all([*map(property_named, NAMES)])
    wanted = outcome(run, told)
    assert all(count == 1 for count in wanted[0].values())

    put, chance = LedgerFile._put, random.Random(3)
    folder = tmp_path / "killed"
    folder.mkdir()
    lines = len(gzip.decompress((tmp_path / "whole" / NAME).read_bytes()).splitlines())
    for attempt in range(2):
        left = chance.randrange(2, lines // 2)

        def deadly(self: LedgerFile, line: str) -> None:
            nonlocal left
            left -= 1
            if not left:
                self.close()
                with self.path.open("ab") as file:
                    file.write(gzip.compress(line.encode())[:-9])
                raise Killed
            put(self, line)

        monkeypatch.setattr(LedgerFile, "_put", deadly)
        run, _, _ = started(folder, Flawed(rows_lost, **ONE_START), resume=attempt > 0)
        with pytest.raises(Killed):
            run.all([*map(property_named, NAMES)])
    monkeypatch.setattr(LedgerFile, "_put", put)
    engine = Flawed(rows_lost, **ONE_START)
    run, told, _ = started(folder, engine, resume=True)
    run.all([*map(property_named, NAMES)])
    assert outcome(run, told) == wanted


def test_what_was_asked_is_not_asked_again(tmp_path: Path) -> None:
    run, told, file = started(tmp_path, Flawed(right))
    run.all([*map(property_named, NAMES)])
    file.close()
    engine = Flawed(right)
    again, told_again, _ = started(tmp_path, engine, resume=True)
    again.all([*map(property_named, NAMES)])
    assert engine.asked == 0
    assert outcome(again, told_again) == outcome(run, told)


def test_a_property_that_is_run_again_counts_once(tmp_path: Path) -> None:
    run, _, file = started(tmp_path, Flawed(right))
    for _ in range(2):
        run.run(property_named("windows"))
    file.close()
    again, told, _ = started(tmp_path, Flawed(right), resume=True)
    again.run(property_named("windows"))
    assert outcome(again, told)[0] == Counter(
        (own.digest, own.outcome) for own in run.ledger.records("windows")
    )


def test_another_run_is_refused_by_what_differs(tmp_path: Path) -> None:
    run, _, file = started(tmp_path, Flawed(right))
    run.run(property_named("windows"))
    file.close()
    with pytest.raises(BadInput, match=r"is of seed '7', and now it is '8': leave out"):
        LedgerFile(tmp_path / NAME, replace(HEADER, seed="8"), run.subject, resume=True)


def test_other_strategies_draw_no_trial_for_old_answers(tmp_path: Path) -> None:
    """Or the answers to one case would be held against another."""
    run, _, _ = started(tmp_path, Flawed(right))
    run.run(property_named("windows"))
    lines = gzip.decompress((tmp_path / NAME).read_bytes()).decode().splitlines()
    asked = [own for own in map(json.loads, lines) if own.get("answers")]
    one, other = asked[:2]
    one["digest"] = other["digest"]
    work = Earlier(iter([json.dumps(one, separators=(",", ":"))]), run.subject).take("windows")
    assert work is not None
    with pytest.raises(BadInput, match="equal bytes draw other trials now"):
        _ = work.records[0].observations


@pytest.mark.parametrize("content", [b"no gzip", gzip.compress(b"[]\n", mtime=0)])
def test_a_file_of_something_else(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    subject = run_of(Flawed(right), tmp_path).subject
    with pytest.raises(FileError, match="not the ledger of a run"):
        LedgerFile(tmp_path / NAME, HEADER, subject, resume=True)


def test_a_damaged_ledger_is_a_line_or_the_work_that_is_left(tmp_path: Path) -> None:
    run, _, file = started(tmp_path, Flawed(rows_lost, **ONE_START))
    run.run(property_named("windows"))
    file.close()
    path = tmp_path / NAME
    header, *lines = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    entries = [own for own in lines if "place" not in own][:4]
    entries += sorted((own for own in lines if "place" in own), key=lambda own: len(str(own)))[:2]

    def reading(content: bytes) -> None:
        path.write_bytes(b"".join(map(gzip.compress, content.splitlines(keepends=True))))
        read_header(path)
        earlier = read_earlier(path, run.subject)
        for work in filter(None, map(earlier.take, ("windows", ""))):
            for own in work.records:
                assert own.digest

    reader = Reader(reading, KitError)
    whole = [header, *entries]
    reader.read(b"".join(json.dumps(own).encode() + b"\n" for own in whole))

    @few
    @given(damaged_lines([whole]))
    def checked(damage: Damage) -> None:
        reader.said(damage.content)

    checked()


def test_a_run_beside_another_one_writes_nowhere(tmp_path: Path) -> None:
    subject = run_of(Flawed(right), tmp_path).subject
    first = LedgerFile(tmp_path / NAME, HEADER, subject)
    second = LedgerFile(tmp_path / NAME, HEADER, subject)
    second.write(Begun("windows"))
    assert second.lost.startswith("--rsp-resume will know nothing of this run: ")
    assert second.lost.endswith("another run writes it") and not first.lost
    first.close()
    assert len(gzip.decompress((tmp_path / NAME).read_bytes()).splitlines()) == 1


def test_a_full_disk_is_told_and_what_was_written_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _, file = started(tmp_path, Flawed(right))
    run.run(property_named("windows"))
    assert not file.lost

    def full(_: LedgerFile, line: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(LedgerFile, "_put", full)
        assert run.run(property_named("gaps")).verdict == "passed"
    said = f"{tmp_path / NAME}: No space left on device"
    assert file.lost == f"--rsp-resume will know only a part of this run: {said}"
    assert len(read_earlier(tmp_path / NAME, run.subject)) == 1


def test_a_file_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    subject = run_of(Flawed(right), tmp_path).subject
    file = LedgerFile(tmp_path / "none" / NAME, HEADER, subject)
    assert file.lost.startswith("--rsp-resume will know nothing of this run: ")
    assert file.lost.endswith(": No such file or directory")
