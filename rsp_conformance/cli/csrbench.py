"""``csrbench``: what real engines answered on CSRBench, judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from rsp_conformance.cli.options import DialSettings, Format, FormatOption, option, read_profile
from rsp_conformance.cli.tables import CORRECT, progress, say, show_json, show_table
from rsp_conformance.corpora.csrbench import explanation
from rsp_conformance.corpora.csrbench.benchmark import (
    ENGINES,
    Benchmark,
    Recording,
    find_benchmark,
    recording_from_json,
)
from rsp_conformance.corpora.csrbench.judging import JudgedRecording, case_of, judge_recording
from rsp_conformance.corpora.csrbench.queries import NUMBERS, OWN, BenchmarkQuery, all_queries
from rsp_conformance.files.files import parse_json, read_text
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.errors import BadInput, reading
from rsp_conformance.model.profiles import Profile
from rsp_conformance.results import read_observed

COLUMNS = ("engine", "query", "by profile", "best reading", "containment")
VERDICTS = ("strict", "fitted", "containment")
"""The verdicts under the last three columns, as JSON names them."""

Asked: TypeAlias = tuple[str, BenchmarkQuery, Profile, Recording]
"""A recording that is to be judged: whose, of which query, by which profile."""


def csrbench(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A checkout of csrbench-oracle, unmodified.")
    ],
    *,
    engine: Annotated[str | None, option("NAME", "csparql, cqels or sparqlstream only.")] = None,
    answers: Annotated[
        Path | None,
        option(
            "FILE", "Judge these answers to --query N instead: CSRBench's JSON, or the protocol's."
        ),
    ] = None,
    query: Annotated[int | None, option("N", "This query only, 1 to 7.")] = None,
    profile: Annotated[str | None, option("NAME", "Another profile than the engine's.")] = None,
    dial: DialSettings,
    format: FormatOption = Format.table,
) -> int:
    """Judge what real engines answered on the CSRBench benchmark.

    By the papers' profile of each engine, by the reading that fits best, and by csrbench-oracle's
    own criterion. Exit status: 0 everything was judged, whatever the verdicts; 2 bad input.
    """
    with reading(""):
        benchmark = find_benchmark(folder)
        queries = all_queries(benchmark.properties or OWN)
    _check(engine, answers, query, profile)
    asked: list[Asked] = []
    with reading(""):
        if answers is not None and query is not None:
            held_to = read_profile(profile or ENGINES[engine or ""], dial)
            recording = _own(benchmark, queries[query], answers, held_to)
            asked.append((engine or answers.stem, queries[query], held_to, recording))
        else:
            for name in _engines(benchmark, engine):
                held_to = read_profile(profile or ENGINES[name], dial)
                for number in NUMBERS if query is None else (query,):
                    path = benchmark.answers_of(name, number)
                    recording = recording_from_json(parse_json(read_text(path), path), path)
                    asked.append((name, queries[number], held_to, recording))
        judged = list(_with_progress(benchmark, asked))
    if format is Format.json:
        show_json([_to_json(one) for one in judged])
    else:
        _show(judged)
    return CORRECT


def _check(
    engine: str | None, answers: Path | None, query: int | None, profile: str | None
) -> None:
    if engine is not None and engine not in ENGINES:
        raise BadInput(f"--engine {engine}: expected {', '.join(ENGINES)}")
    if query is not None and query not in NUMBERS:
        raise BadInput(f"--query {query}: the queries are {NUMBERS[0]} to {NUMBERS[-1]}")
    if answers is not None and query is None:
        raise BadInput("--answers needs --query N, the number of the query that they answer")
    if answers is not None and profile is None and engine not in ENGINES:
        raise BadInput(
            f"--answers needs the profile to judge by: --engine {'|'.join(ENGINES)}, "
            "or --profile NAME"
        )


def _engines(benchmark: Benchmark, engine: str | None) -> Sequence[str]:
    """The engines whose recorded answers are judged."""
    engines = benchmark.engines() if engine is None else (engine,)
    if not engines:
        raise BadInput(f"{benchmark.root}: holds no recorded answers (ENGINE-answer-N.json)")
    return engines


def _own(benchmark: Benchmark, query: BenchmarkQuery, path: Path, profile: Profile) -> Recording:
    """The answers of a file: as CSRBench records them, or as the engine protocol has them."""
    value = parse_json(read_text(path), path)
    if isinstance(value, Mapping) and "relations" in value:
        return recording_from_json(value, path)
    case, dials = case_of(benchmark, query, profile, ())
    observed = read_observed(path, case)
    if not all(isinstance(answer.content, Rows) for answer in observed):
        raise BadInput(f"{path}: the queries of the benchmark are SELECT queries")
    return tuple(replace(o, t=None if o.t is None else o.t * dials.unit) for o in observed)


def _with_progress(benchmark: Benchmark, asked: Sequence[Asked]) -> Iterator[JudgedRecording]:
    """Judge one recording after the other; a terminal sees how far it is."""
    with progress() as shown:
        bar = shown.add_task("", total=len(asked))
        for engine, query, profile, recording in asked:
            shown.update(bar, description=f"{engine} Q{query.number}")
            yield judge_recording(benchmark, engine, query, profile, recording)
            shown.advance(bar)


def _to_json(judged: JudgedRecording) -> dict[str, Any]:
    found = (judged.strict.correct, judged.fit.correct, judged.containment.correct)
    words = ["correct" if correct else "wrong" for correct in found]
    return {
        "engine": judged.engine,
        "query": judged.query.number,
        **dict(zip(VERDICTS, words, strict=True)),
        "reading": explanation.reading(judged.fit),
        "because": explanation.because(judged),
    }


def _show(judged: Sequence[JudgedRecording]) -> None:
    found = [_to_json(one) for one in judged]
    heads = [(one["engine"], f"Q{one['query']}") for one in found]
    show_table(
        COLUMNS,
        [(*head, *(one[by] for by in VERDICTS)) for head, one in zip(heads, found, strict=True)],
    )
    for (engine, query), one in zip(heads, found, strict=True):
        print()
        say(f"{engine} {query}: {one['reading']}")
        say(one["because"])
