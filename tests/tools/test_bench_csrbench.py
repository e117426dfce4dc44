"""The peer benchmark: its copies, its naive oracle, and what it says where there is no data."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.corpora.csrbench.queries import all_queries
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.spark.batch.judge import SparkSemantics
from tools.bench import csrbench, csrbench_naive
from tools.bench.__main__ import main
from tools.bench.csrbench_copies import Copies
from tools.bench.csrbench_naive import Asked, Question

SSW = "http://knoesis.wright.edu/ssw/"
PREFIXES = (
    f"@prefix o: <{SSW}ont/sensor-observation.owl#> .\n"
    f"@prefix w: <{SSW}ont/weather.owl#> .\n@prefix s: <{SSW}> .\n"
)
READINGS = [
    {"System_C1190": 85, "System_B": 90},
    {"System_C1190": 60, "System_B": 95, "System_D": 10},
    {"System_D": 88},
    {"System_B": 70, "System_D": 82},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A stream of four instants, the temperatures of three sensors."""
    for number, readings in enumerate(READINGS, 1):
        text = PREFIXES
        for sensor, value in readings.items():
            text += (
                f"s:o_{sensor}_{number} o:observedProperty w:_AirTemperature ; "
                f"o:procedure s:{sensor} ; o:result s:r_{sensor}_{number} .\n"
                f's:r_{sensor}_{number} o:floatValue "{value}"^^'
                "<http://www.w3.org/2001/XMLSchema#double> .\n"
            )
        (tmp_path / f"data_{number:02}.ttl").write_text(text, "utf-8")
    return tmp_path


def test_copies_say_different_things_of_the_same_kind(data: Path) -> None:
    copies = Copies(data)
    streams = [copies.copy(number) for number in range(4)]
    assert streams[0] == copies.elements
    assert copies.copy(2) == Copies(data).copy(2)
    assert len({graph(stream) for stream in streams}) == 4
    for stream in streams[1:]:
        assert [(e.t, len(e.graph)) for e in stream] == [(e.t, len(e.graph)) for e in streams[0]]
        assert predicates(stream) == predicates(streams[0])
        assert objects(stream, "procedure") == objects(streams[0], "procedure")
        assert graph(stream).isdisjoint(graph(streams[0]))
    assert graph(streams[1]).isdisjoint(graph(streams[2]))


def graph(stream: tuple[StreamElement, ...]) -> frozenset[object]:
    return frozenset(triple for element in stream for triple in element.graph)


def predicates(stream: tuple[StreamElement, ...]) -> Counter[IRI]:
    return Counter(triple.predicate for element in stream for triple in element.graph)


def objects(stream: tuple[StreamElement, ...], predicate: str) -> Counter[object]:
    triples = [triple for element in stream for triple in element.graph]
    return Counter(t.object for t in triples if t.predicate.value.endswith(predicate))


ROWS = {
    2: {
        (f"{SSW}System_C1190", f"{SSW}o_System_C1190_1"),
        (f"{SSW}System_B", f"{SSW}o_System_B_1"),
        (f"{SSW}System_B", f"{SSW}o_System_B_2"),
    },
    3: {(f"{SSW}System_B", f"{SSW}o_System_B_2"), (f"{SSW}System_D", f"{SSW}o_System_D_3")},
    4: {(f"{SSW}System_D", f"{SSW}o_System_D_3"), (f"{SSW}System_D", f"{SSW}o_System_D_4")},
}


@pytest.mark.parametrize("library", ["pyoxigraph", "rdflib"])
def test_the_naive_oracle_judges_every_start(data: Path, library: str) -> None:
    """Windows of 2, one every 2: t0 = 1 closes at 3, t0 = 0 at 2 and 4; t_s is 1."""
    question = Question(all_queries()[1].sparql, width=2, slide=2)
    first = {
        (f"{SSW}System_C1190", f"{SSW}o_System_C1190_1"),
        (f"{SSW}System_B", f"{SSW}o_System_B_1"),
    }
    rows = {2: ROWS[2] | first, 3: ROWS[3], 4: ROWS[4]}
    answers: dict[int, Counter[Any]] = {t: Counter(found) for t, found in rows.items()}
    asked = [
        Asked(0, question, {t: answers[t] for t in instants})
        for instants in [(2, 4), (3,), (2,), (2, 3, 4), ()]
    ]
    asked.append(Asked(0, question, {2: answers[2], 4: answers[3]}))
    csrbench_naive._prepare(library, data, asked)
    assert csrbench_naive._judge(library, asked, until=4) == (18, 2)
    assert csrbench_naive._judge(library, asked[:2], until=4) == (6, 2)


def test_numbers_compare_by_value() -> None:
    double, integer = (f"http://www.w3.org/2001/XMLSchema#{n}" for n in ("double", "integer"))
    assert csrbench_naive.cell("8.3E1", double) == csrbench_naive.cell("83", integer)
    assert csrbench_naive.cell("83", integer) != csrbench_naive.cell("83", None)


def test_two_processes_share_the_work(data: Path) -> None:
    question = Question(all_queries()[1].sparql, width=2, slide=2)
    asked = [Asked(0, question, {3: Counter(ROWS[3])}), Asked(0, question, {3: Counter(ROWS[2])})]
    outcome = csrbench_naive.judge("pyoxigraph", data, asked, until=4)
    assert (outcome.evaluations, outcome.correct) == (6, 1)
    assert outcome.seconds > 0


def threads(workers: int, mp_context: object) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers)


@pytest.mark.spark
def test_all_sides_judge_the_same(
    data: Path, monkeypatch: pytest.MonkeyPatch, semantics: SparkSemantics
) -> None:
    """Spark and both naive oracles find the same windows, and one another's answers correct."""
    folder = data / "csrbench"
    (folder / "data").mkdir(parents=True)
    for path in data.glob("*.ttl"):
        path.rename(folder / "data" / path.name)
    short = {n: replace(q, width=2000, slide=1000 * n) for n, q in all_queries().items() if n < 3}
    monkeypatch.setattr(csrbench, "all_queries", lambda: short)
    monkeypatch.setattr(csrbench, "UNTIL", 4)
    monkeypatch.setattr(csrbench, "WARMING", 1)
    # Processes cost seconds; that the oracle has two of them is shown elsewhere.
    monkeypatch.setattr(csrbench_naive, "ProcessPoolExecutor", threads)
    found = csrbench.measure(folder, semantics, number=2)
    assert (found.single.copies, found.many.copies) == (1, 2)
    # One z with closes at 2, 3 and 4, and two with 2 and 4, and 3.
    assert (found.single.evaluations, found.many.evaluations) == (6, 12)
    assert found.many.triples == 2 * 2 * 4 * 8
    assert 0 < found.many.sent <= found.many.triples


def test_without_the_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = str(tmp_path / "bench.json")
    missing = str(tmp_path / "nothing")
    assert main(["--only", "csrbench", "--csrbench", missing, "--output", output]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    monkeypatch.setenv("CSRBENCH", missing)
    assert main(["--only", "csrbench", "--output", output]) == 0
    said = capsys.readouterr().err
    assert said.startswith("csrbench is not measured")
    assert "--csrbench DIR" in said
