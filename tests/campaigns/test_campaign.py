"""Campaigns from end to end, without Spark: what is counted, named, written and gone on with."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from rsp_conformance.campaigns import campaign as campaigns
from rsp_conformance.campaigns import choice, unit
from rsp_conformance.campaigns import store as stores
from rsp_conformance.campaigns.campaign import Campaign
from rsp_conformance.campaigns.report import CampaignResult, read_result, to_json
from rsp_conformance.campaigns.store import TABLES, Store
from rsp_conformance.campaigns.unit import UnitResult
from rsp_conformance.campaigns.worker import UnitWork
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.spark_judge import must_agree
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.setting import Setting
from rsp_conformance.pages.markdown import to_markdown
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.run_report import REPORTS, RunReport
from rsp_conformance.run.trials import by_seed
from tests.campaigns.running import LOCK, Here, config, run_here, source


def _alone(method: Any) -> Any:
    def alone(*args: Any, **more: Any) -> Any:
        with LOCK:
            return method(*args, **more)

    return alone


@pytest.fixture(scope="module", autouse=True)
def quick() -> Iterator[None]:
    """Little is shrunk, and never named while cases are judged."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_step", "_recount"):
            patch.setattr(Campaign, name, _alone(getattr(Campaign, name)))
        patch.setattr(campaigns, "SHRINKING", 3.0)
        yield


@dataclass(frozen=True)
class Over:
    """A campaign that several tests look at, or go on with in a copy of its folder."""

    folder: Path
    found: CampaignResult

    def copied(self, folder: Path) -> Path:
        """FOLDER, which has the campaign's files from now on."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return folder


def _over(folder: Path, *mutants: str, examples: int) -> Over:
    return Over(folder, run_here(config(folder, *mutants, examples=examples)))


@pytest.fixture(scope="module")
def right(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Over:
    """A campaign of 60 cases against an engine without a mutant."""
    return _over(tmp_path_factory.mktemp("right"), examples=60)


@pytest.fixture(scope="module")
def wrong(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Over:
    """A campaign of 60 cases against an engine with ``newest-only``."""
    return _over(tmp_path_factory.mktemp("wrong"), "newest-only", examples=60)


def test_a_right_engine_has_nothing_new_and_equal_seeds_draw_equal_cases(
    right: Over, tmp_path: Path
) -> None:
    found = right.found
    assert found.passed and found.ended == "examples"
    assert (found.cases, found.causes) == (60, ())
    assert set(found.outcomes) <= {"correct", "vacuous"}
    run_here(config(tmp_path, examples=60))
    assert _asked(tmp_path) == _asked(right.folder)


def test_a_defect_is_one_line_with_its_smallest_case(wrong: Over) -> None:
    found = wrong.found
    (own,) = found.causes
    assert not found.passed
    assert (own.cause.id, own.known, found.unnamed) == ("newest-only", False, 0)
    assert found.failures(own) == found.outcomes["wrong"] > 20
    crash = read(Path(own.cause.file))
    assert crash.kind == own.kind and len(crash.cases[0].case.elements) == own.cause.elements
    noted = json.loads(Path(own.cause.file).read_text(encoding="utf-8"))["seen"]["last"]["causes"]
    assert tuple(noted) == own.cause.together == ("newest-only",)


def test_on_what_an_unexplained_answer_depends_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rsp_conformance.adapters.reference.adapter import ReferenceEngine

    answer = ReferenceEngine.run

    def run(self: ReferenceEngine, request: Any) -> Any:
        reply = dict(answer(self, request))
        if "OPTIONAL" in request["query"]:
            answers = reply.get("answers", [])
            reply["answers"] = [{**own, "solutions": 3 * own["solutions"]} for own in answers]
        return reply

    monkeypatch.setattr(ReferenceEngine, "run", run)
    monkeypatch.setattr(campaigns, "SHRINKING", 20.0)
    found = run_here(config(tmp_path, examples=60, source=source(**{"dial.t0": "0"})))
    depends = [own.cause for own in found.causes if own.cause.dependence.only_if]
    assert any(own.dependence.only_if == ("the case has OPTIONAL",) for own in depends)
    for own in depends:
        assert all("the case has OPTIONAL" in said for said in own.dependence.only_if)
        assert own.text.endswith(f"; {own.dependence}")
        assert not own.file or read(Path(own.file)).dependence == own.dependence
    written = [one for one in to_json(found)["causes"] if "only_if" in one]
    assert len(written) == len(depends)
    assert written[0]["experiments"][0] == {"without": [], "asked": 12, "right": 0, "other": 0}


def test_a_known_cause_is_no_news(tmp_path: Path) -> None:
    known = KnownCause(Setting(mutants=("newest-only",)), "reported")
    found = run_here(config(tmp_path, "newest-only", examples=40, known=(known,)))
    assert found.passed and found.new == [] and found.outcomes["wrong"] > 10
    properties = to_json(found)["properties"]
    assert {p["verdict"] for p in properties} <= {"passed", "xfailed", "not tested"}
    assert sum(p["counts"]["known"] for p in properties) == found.outcomes["wrong"]
    lines = [*to_markdown(REPORTS.read(RunReport, to_json(found)))]
    assert any(line.startswith("| newest-only (known) | ") for line in lines)
    # A fault that is known is explained.
    assert any(line.endswith("It was known before.") for line in lines)


def test_a_crash_is_a_cause_by_its_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rsp_conformance.adapters.reference.adapter import ReferenceEngine

    answer = ReferenceEngine.run

    def run(self: ReferenceEngine, request: Any) -> Any:
        if "OPTIONAL" in request["query"]:
            raise RuntimeError(f"no OPTIONAL, case {request['id']}")
        return answer(self, request)

    monkeypatch.setattr(ReferenceEngine, "run", run)
    # A source of its own, for the engine is kept.
    given = config(tmp_path, examples=60)
    found = run_here(given)
    (own,) = found.causes
    assert own.cause.id.startswith("?-") and own.kind == "crashed"
    assert found.failures(own) == found.outcomes["failed"] > 1
    assert "no OPTIONAL" in own.cause.text
    again = run_here(replace(given, budget=Budget(80), resume=True))
    assert [one.cause.id for one in again.causes] == [own.cause.id]
    assert again.failures(again.causes[0]) == again.outcomes["failed"] >= found.outcomes["failed"]


def test_where_the_judges_differ_nobody_is_accused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def differ(observation: Any, mine: Any, theirs: Any) -> None:
        must_agree(observation, mine, None)

    monkeypatch.setattr("rsp_conformance.campaigns.worker.must_agree", differ)
    found = run_here(config(tmp_path, "newest-only", examples=30))
    assert found.outcomes["disagreement"] > 0
    assert set(found.outcomes) <= {"disagreement", "vacuous"}
    assert found.causes == () and not found.passed
    assert to_json(found)["campaign"]["disagreements"] > 0


# --- what is written ------------------------------------------------------------------------------


def test_any_tool_reads_the_tables_and_the_document(wrong: Over) -> None:
    tables = {name: _all(wrong.folder, name) for name in TABLES}
    places = Counter((row["unit"], row["place"]) for row in tables["verdicts"])
    assert set(places.values()) == {1} and len(places) == 60
    for name in ("cases", "answers"):
        assert {(row["unit"], row["place"]) for row in tables[name]} == set(places)
    assert {row["engine_version"] for row in tables["cases"]} == {wrong.found.run.version}
    whole = {(r["unit"], r["place"]) for r in tables["cases"] if r["case"]}
    # Causes are held against what is right.
    kept = [row for row in tables["verdicts"] if row["verdict"] in ("wrong", "correct")]
    assert whole == {(row["unit"], row["place"]) for row in kept}
    assert whole == {(r["unit"], r["place"]) for r in tables["verdicts"] if r["record"]}
    document = to_json(read_result(Store(wrong.folder)))
    assert json.loads(json.dumps(document))["campaign"]["new_causes"] == ["newest-only"]
    assert document["passed"] is False and document["complete"] is True
    names = {p["name"]: p for p in document["properties"]}
    assert sum(sum(p["counts"].values()) for p in names.values()) == 60
    (cause,) = document["causes"]
    assert set(cause["properties"]) <= set(names) and cause["explains"] > 0


def test_a_second_run_draws_other_cases_and_is_in_the_trend(tmp_path: Path, right: Over) -> None:
    found = run_here(config(right.copied(tmp_path), examples=60))
    assert [own.run for own in found.trend] == [1, 2]
    assert found.trend[1].covered < found.trend[0].covered
    seeds = {row["seed"] for n in (1, 2) for row in Store(tmp_path).rows("cases", n, ("seed",))}
    assert {seed.split(":")[1] for seed in seeds} == {"1", "2"}


class Killed(BaseException):
    """In place of a signal that nobody survives."""


@pytest.fixture(scope="module")
def small_units(quick: None) -> Iterator[None]:
    """Campaigns of 45 cases come in four batches, each of four files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaigns, "UNIT", 5)
        patch.setattr(campaigns, "JOB", 0.1)
        patch.setattr(choice, "EPOCH", 3)
        yield


@pytest.fixture(scope="module")
def whole(small_units: None, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What a campaign asks that nobody kills."""
    folder = tmp_path_factory.mktemp("whole")
    run_here(config(folder, examples=45))
    return _asked(folder)


@pytest.mark.parametrize("point", random.Random(4).sample(range(1, 18), 3))
def test_a_killed_campaign_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: list[str], point: int
) -> None:
    """Wherever it is killed, each case is judged once in the end."""
    put, count = Store._put, 0

    def deadly(self: Store, *args: Any) -> None:
        nonlocal count
        count += 1
        if count >= point:
            # Half of a file may be there.
            folder = self.path / args[0] / "engine_version=x"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".run-0001-batch-000009.parquet.1.part").write_bytes(b"PAR1")
            raise Killed
        put(self, *args)

    wanted = config(tmp_path, examples=45, resume=True)
    monkeypatch.setattr(stores.Store, "_put", deadly)
    with pytest.raises(Killed):
        run_here(wanted)
    monkeypatch.setattr(stores.Store, "_put", put)
    found = run_here(wanted)
    assert (found.run.number, found.cases, found.ended) == (1, 45, "examples")
    for table in ("cases", "answers", "verdicts"):
        places = Counter((r["unit"], r["place"]) for r in _all(tmp_path, table))
        assert len(places) == 45 and set(places.values()) == {1}
    assert not [*tmp_path.glob("*/*/.*.part")]
    assert _asked(tmp_path) == whole


def _asked(folder: Path) -> list[str]:
    """What was asked and what came, case by case."""
    columns = ("unit", "place", "property", "geometry", "features", "shapes")
    cases = Store(folder).rows("cases", 1, columns)
    answers = Store(folder).rows("answers", 1, ("unit", "place", "behaviour", "rows", "last"))
    return sorted(map(str, [*cases, *answers]))


def _all(folder: Path, table: str) -> list[dict[str, Any]]:
    """All rows that another tool would find."""
    rows: list[dict[str, Any]] = (
        ds.dataset(folder / table, partitioning="hive").to_table().to_pylist()
    )
    return rows


def test_going_on_keeps_causes_and_what_waits(tmp_path: Path, wrong: Over) -> None:
    folder = wrong.copied(tmp_path)
    second = run_here(config(folder, "newest-only", examples=80, resume=True))
    (own,) = second.causes
    assert second.run.number == 1 and second.cases == 80
    assert second.failures(own) == second.outcomes["wrong"] > wrong.found.outcomes["wrong"]


def test_a_run_is_gone_on_with_as_it_began(tmp_path: Path, right: Over) -> None:
    assert run_here(config(right.copied(tmp_path), examples=60, resume=True)).cases == 60
    # Cases of another profile, of other dials or of another seed are another run's.
    right.copied(tmp_path)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"profile": bundled_profile("rsp-js")}, r"profile 'rsp-ql', and now it is 'rsp-js'"),
        ({"dials": (("bounds", "[o,c)"),)}, r"--dial none, and now it is 'bounds=\[o,c\)'"),
    ]
    for more, said in changes:
        other = replace(source(), **more)
        with pytest.raises(BadInput, match=said):
            run_here(replace(config(tmp_path, examples=70, resume=True), source=other))
    with pytest.raises(BadInput, match=r"seed '6', and now it is '2'"):
        run_here(config(tmp_path, examples=70, resume=True, seed="2"))
    assert run_here(config(tmp_path, examples=70, resume=True, seed="")).cases == 70


def test_a_run_of_another_version_or_drawing_is_not_gone_on_with(
    tmp_path: Path, right: Over, monkeypatch: pytest.MonkeyPatch
) -> None:
    right.copied(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(campaigns, "__version__", "9")
        with pytest.raises(BadInput, match=r"rsp-conformance .*leave out --resume for a new run"):
            run_here(config(tmp_path, examples=80, resume=True))

    def others(property: Any, subject: Any, seed: Any, places: Any) -> Iterator[Any]:
        return by_seed(property, subject, f"{seed}'", places)

    monkeypatch.setattr(unit, "by_seed", others)
    with pytest.raises(BadInput, match=r"drawing .*equal seeds draw other cases.*leave out"):
        run_here(config(tmp_path, examples=70, resume=True))
    second = run_here(config(tmp_path, examples=10))
    assert second.run.number == 2 and second.run.drawing != right.found.run.drawing


def test_a_folder_from_before_drawings_is_read(tmp_path: Path, right: Over) -> None:
    """Its report is shown; its run is not gone on with, nor is one begun in it."""
    right.copied(tmp_path)
    about = tmp_path / stores.NAME
    own, before = (f'"rsp_campaign": {version}' for version in (stores.VERSION, 1))
    about.write_text(about.read_text().replace(own, before))
    for path in tmp_path.glob("*/*/*.parquet"):
        table = pq.ParquetFile(path).read()
        lacking = [name for name in ("dials", "drawing", "met") if path.match("runs/*/*")]
        metadata = {**table.schema.metadata, b"rsp_campaign": b"1"}
        pq.write_table(table.drop_columns(lacking).replace_schema_metadata(metadata), path)
    found = read_result(Store(tmp_path), 1)
    assert found.cases == 60 and found.run.drawing == ""
    for resume in (True, False):
        with pytest.raises(BadInput, match=r"of version 1, which are only shown .*another folder"):
            run_here(config(tmp_path, examples=70, resume=resume))


def test_a_unit_that_no_worker_survives_is_lost_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Losing(Here):
        def run(self, work: UnitWork, units: Any) -> list[UnitResult]:
            return [
                UnitResult(u, [], [], {}, "it died")
                if u.number == 1
                else super(Losing, self).run(work, [u])[0]
                for u in units
            ]

    monkeypatch.setattr(campaigns, "UNIT", 10)
    found = run_here(config(tmp_path, examples=25), Losing())
    assert found.lost == ["unit 1: it died"] and found.cases == 25 and not found.passed


# --- the folder -----------------------------------------------------------------------------------


def test_a_folder_is_of_one_engine_and_one_campaign_writes_at_a_time(tmp_path: Path) -> None:
    Store(tmp_path, "reference", {})
    with pytest.raises(BadInput, match="holds campaigns against reference: name another"):
        Store(tmp_path, "rsp-js", {})
    store = Store(tmp_path, "reference", {})
    with (
        store.locked(),
        pytest.raises(BadInput, match="another campaign is writing"),
        store.locked(),
    ):
        pass


def test_where_spark_does_not_start_no_campaign_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the folder would be refused for another engine."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(BadInput, match="Spark needs Java"):
        campaigns.fuzz(config(tmp_path / "out"))
    assert not [path for path in (tmp_path / "out").iterdir() if path.name[0] != "."]
    assert Store(tmp_path / "out", "another").engine == "another"
