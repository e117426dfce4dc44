"""What a worker has found travels as a line of JSON, and comes to the same in another process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.files.fields import FieldError
from rsp_conformance.run.lines import Lines
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.record import Record
from tests.builders.engines import ONE_START, Flawed, error, right, run_of

NAMES = ("windows", "repeat", "settled", "law[UComm]")


def flaw(request: dict[str, Any], reply: dict[str, Any]) -> Any:
    if "FILTER" in request["query"]:
        return error(request, "unsupported")
    return error(request, "crashed") if len(request["elements"]) > 6 else reply


def seen(records: list[Record]) -> list[tuple[object, ...]]:
    """What matters of records."""
    return [
        (
            *(own.drawn.place, own.drawn.trial.digest, own.outcome, own.kind),
            *(own.correct, own.reason, own.ground, own.is_test),
            *(observation.digest for observation in own.observations),
        )
        for own in records
    ]


@pytest.mark.parametrize("name", NAMES)
def test_records_are_the_same_in_another_process(tmp_path: Path, name: str) -> None:
    engine = Flawed(flaw, fault="union-dedup")
    worker = run_of(lambda: engine, tmp_path)
    work = worker.work(property_named(name))
    other = run_of(lambda: engine, tmp_path)
    again = Lines(other.subject).read(Lines(worker.subject).write(work))
    assert seen(again.records) == seen(work.records) and len(work.records) >= 20
    assert (again.cut, again.undrawn, again.losses) == (work.cut, work.undrawn, work.losses)


@pytest.mark.parametrize("name", NAMES)
def test_a_property_comes_to_the_same_wherever_it_was_asked(tmp_path: Path, name: str) -> None:
    def engine() -> Flawed:
        return Flawed(right, fault="bounds-end", **ONE_START)

    alone = run_of(engine, tmp_path / "alone").run(property_named(name))
    worker = run_of(engine, tmp_path / "worker")
    controller = run_of(engine, tmp_path / "controller")
    line = Lines(worker.subject).write(worker.work(property_named(name)))
    taken = controller.take(Lines(controller.subject).read(line))
    assert (taken.verdict, taken.counts) == (alone.verdict, alone.counts)
    shown = [path.name for path in (tmp_path / "controller").glob("crashes/*")]
    assert bool(shown) is (alone.verdict == "failed")
    assert not (tmp_path / "worker" / "crashes").exists()


def test_a_trial_of_an_earlier_run_travels_whole(tmp_path: Path) -> None:
    engine = Flawed(right, fault="union-dedup")
    run_of(lambda: engine, tmp_path, examples=40).run(property_named("union"))
    run = run_of(lambda: engine, tmp_path, before=tmp_path)
    work = run.work(property_named("union"))
    assert [own.drawn.place for own in work.records if not own.drawn.data] == [-1]
    again = Lines(run.subject).read(Lines(run.subject).write(work))
    assert seen(again.records) == seen(work.records)


def test_a_line_that_holds_no_work_is_refused(tmp_path: Path) -> None:
    run = run_of(lambda: Flawed(right), tmp_path)
    record = '{"property": "windows", "place": 1, "outcome": "good"}'
    line = f'{{"property": "windows", "records": [{record}]}}'
    with pytest.raises(FieldError, match=r"records\[0\].outcome: expected"):
        Lines(run.subject).read(line)
