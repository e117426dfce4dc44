"""What is measured is kept, whatever fails later, and what fails is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.bench import __main__ as bench
from tools.bench import batches, generation, growth, processors, spec_case, windows
from tools.bench.record import Record


def test_figures_are_written_as_they_come_and_a_failed_part_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "build" / "bench.json"
    path.parent.mkdir()
    path.write_text('{"suite_seconds": 7}', "utf-8")

    def fails() -> None:
        assert json.loads(path.read_text("utf-8"))["spec_case_ms"] == 1.5
        raise ValueError("math domain error")

    monkeypatch.setattr(batches, "generated", lambda number: [])
    monkeypatch.setattr(spec_case, "measure", lambda *_: spec_case.SpecCase(1.5, 3, 2, 1))
    monkeypatch.setattr(generation, "measure", fails)
    asked = ["--only", "spec", "generation", "--output", str(path)]
    assert bench.main(asked) == 1
    assert "generation: not measured (ValueError: math domain error)" in capsys.readouterr().err
    found = json.loads(path.read_text("utf-8"))
    assert found == {"suite_seconds": 7, "spec_case_ms": 1.5}


def test_processor_time_that_a_process_took_with_it_is_no_figure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sums = iter([9.0, 4.0])
    monkeypatch.setattr(processors, "work_so_far", lambda: next(sums))
    with pytest.raises(RuntimeError, match="processor time is lost"):
        processors.spent(lambda: None)


def test_a_part_within_a_part_fails_by_itself(tmp_path: Path) -> None:
    record = Record(tmp_path / "bench.json")
    with record.part("growth"):
        with record.part("growth_spec"):
            raise RuntimeError("gone")
        record.add("growth_spark", 1.0)
    assert record.failed == {"growth_spec": "RuntimeError: gone"}
    assert json.loads(record.path.read_text("utf-8")) == {"growth_spark": 1.0}


def test_growth_is_the_power_of_the_number_of_elements() -> None:
    linear = {size: 0.02 * size for size in (1_000, 2_000, 4_000)}
    assert round(growth.slope(linear), 6) == 1
    assert round(growth.slope({n: work**2 for n, work in linear.items()}), 6) == 2


def test_every_kind_of_window_is_measured_by_every_judge_where_silence_is_right(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each judge asserts that it found so."""
    monkeypatch.setattr(windows, "SIZES", (20, 40))
    monkeypatch.setattr(windows, "LEAST", 0.05)
    path = tmp_path / "bench.json"
    assert bench.main(["--only", "windows", "--output", str(path)]) == 0
    found = json.loads(path.read_text("utf-8"))
    assert 0 < found["growth_windows"] < 3
    work = found["growth_windows_work"]
    assert set(work) == {*windows.KINDS}
    assert all(set(each) == {*windows.JUDGES} for each in work.values())
    assert all([*times] == ["20", "40"] for each in work.values() for times in each.values())
