"""``csrbench``: what real engines answered on CSRBench, judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsp_conformance.cli.given import read_profile
from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import CORRECT, WIDTH, console, progress, show_json, table
from rsp_conformance.corpora.csrbench import explanation
from rsp_conformance.corpora.csrbench.judging import JudgedRecording, case_of, judge_recording
from rsp_conformance.corpora.csrbench.layout import Layout, find_layout
from rsp_conformance.corpora.csrbench.queries import NUMBERS, BenchmarkQuery, all_queries
from rsp_conformance.corpora.csrbench.recordings import ENGINES, Recorded, recording_from_json
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.files.files import parse_json, read_text
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.errors import BadInput, reading
from rsp_conformance.model.profiles import Profile
from rsp_conformance.results import read_observed

COLUMNS = ("engine", "query", "by profile", "best reading", "containment")


@dataclass(frozen=True, slots=True)
class Asked:
    """One recording that is to be judged."""

    engine: str
    query: BenchmarkQuery
    profile: Profile
    recording: tuple[Recorded, ...]


def show_csrbench(
    folder: Path,
    *,
    engine: str | None,
    answers: Path | None,
    query: int | None,
    profile: str | None,
    settings: Sequence[str],
    format: Format,
) -> int:
    """Judge the recordings and print the table, then every argument; the exit status."""
    with reading(""):
        layout = find_layout(folder)
        queries = all_queries(layout.properties)
    _check(engine, answers, query, profile)
    with reading(""):
        if answers is not None:
            assert query is not None
            held_to = read_profile(profile or ENGINES[engine or ""], settings)
            name = engine or answers.stem
            recording = _own(layout, queries[query], answers, held_to)
            asked = [Asked(name, queries[query], held_to, recording)]
        else:
            asked = []
            for name in _engines(layout, engine):
                held_to = read_profile(profile or ENGINES[name], settings)
                for number in NUMBERS if query is None else (query,):
                    path = layout.answers_of(name, number)
                    recording = recording_from_json(parse_json(read_text(path), path), path)
                    asked.append(Asked(name, queries[number], held_to, recording))
        judged = list(_with_progress(layout, asked))
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


def _engines(layout: Layout, engine: str | None) -> Sequence[str]:
    """The engines whose recorded answers are judged."""
    engines = layout.engines() if engine is None else (engine,)
    if not engines:
        raise BadInput(f"{layout.root}: holds no recorded answers (ENGINE-answer-N.json)")
    return engines


def _own(
    layout: Layout, query: BenchmarkQuery, path: Path, profile: Profile
) -> tuple[Recorded, ...]:
    """The answers of a file: as CSRBench records them, or as the engine protocol has them."""
    value = parse_json(read_text(path), path)
    if isinstance(value, Mapping) and "relations" in value:
        return recording_from_json(value, path)
    case, dials = case_of(layout, query, profile, ())
    recording = []
    for answer in read_observed(path, case):
        if not isinstance(answer.content, Rows):
            raise BadInput(f"{path}: the queries of the benchmark are SELECT queries")
        stamp = None if answer.t is None else answer.t * dials.unit
        recording.append(Recorded(stamp, answer.content, answer.cause))
    return tuple(recording)


def _with_progress(layout: Layout, asked: Sequence[Asked]) -> Iterator[JudgedRecording]:
    """Judge one recording after the other; a terminal sees how far it is."""
    with progress() as shown:
        bar = shown.add_task("", total=len(asked))
        for one in asked:
            shown.update(bar, description=f"{one.engine} Q{one.query.number}")
            yield judge_recording(layout, one.engine, one.query, one.profile, one.recording)
            shown.advance(bar)


def _word(correct: bool) -> str:
    return "correct" if correct else "wrong"


def _to_json(judged: JudgedRecording) -> dict[str, Any]:
    return {
        "engine": judged.engine,
        "query": judged.query.number,
        "strict": _word(judged.strict.correct),
        "fitted": _word(judged.fit.correct),
        "containment": _word(judged.containment.correct),
        "reading": explanation.reading(judged.fit),
        "because": explanation.because(judged),
    }


def _show(judged: Sequence[JudgedRecording]) -> None:
    rows = [
        (
            one.engine,
            f"Q{one.query.number}",
            _word(one.strict.correct),
            _word(one.fit.correct),
            _word(one.containment.correct),
        )
        for one in judged
    ]
    shown = console()
    shown.print(table(COLUMNS, rows))
    for one in judged:
        shown.print()
        head = f"{one.engine} Q{one.query.number}: {explanation.reading(one.fit)}"
        for paragraph in (head, explanation.because(one)):
            shown.print("\n".join(wrap(paragraph, WIDTH)))
