"""``csrbench``: the recorded answers of real engines on CSRBench, judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from rsp_conformance.cli import completion
from rsp_conformance.cli.options import (
    ENGINE,
    DialSettings,
    EngineSettings,
    Format,
    FormatOption,
    TimeLimit,
    dial_texts,
    option,
    read_profile,
    turned,
)
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, show_apart, show_json, show_table
from rsp_conformance.corpora.csrbench import explanation
from rsp_conformance.corpora.csrbench.benchmark import (
    ENGINES,
    Benchmark,
    Recording,
    find_benchmark,
)
from rsp_conformance.corpora.csrbench.judging import JudgedRecording, case_of, judge_recording
from rsp_conformance.corpora.csrbench.live import LiveResult, beside, judge_live, worker_for
from rsp_conformance.corpora.csrbench.queries import NUMBERS, OWN, BenchmarkQuery, all_queries
from rsp_conformance.explain.document import Prose
from rsp_conformance.files.codec import Format as Codec
from rsp_conformance.files.codec import Keys
from rsp_conformance.files.files import parse_json, read_text
from rsp_conformance.files.recordings import recording_from_json
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.errors import BadInput, note, reading
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.profiles import Profile
from rsp_conformance.protocol import registry
from rsp_conformance.results import read_observed

COLUMNS = ("engine", "query", "by profile", "best reading", "containment")
NOT_ASKED = "not asked"
"""What the columns say if the engine was not asked."""

Asked: TypeAlias = tuple[str, BenchmarkQuery, Profile, Recording]
"""A recording to judge: the engine, the query, the profile to judge by, the recorded answers."""


def csrbench(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="A checkout of csrbench-oracle, or of a fork of it."),
    ],
    *,
    engine: Annotated[
        str | None,
        option("NAME", "Only this engine, as the files name it: csparql, cqels, csparql2 …"),
    ] = None,
    answers: Annotated[
        Path | None,
        option(
            "FILE",
            "Judge these answers to --query N instead, in the JSON of CSRBench or of the protocol.",
        ),
    ] = None,
    query: Annotated[int | None, option("N", "Only this query, 1 to 7.")] = None,
    profile: Annotated[
        str | None,
        option(
            "NAME",
            "Judge by this profile instead of the engine's own.",
            autocompletion=completion.profiles,
        ),
    ] = None,
    dial: DialSettings,
    live: Annotated[
        str | None,
        option("ENGINE", f"Also ask this engine now. {ENGINE}", autocompletion=completion.engines),
    ] = None,
    engine_option: EngineSettings,
    time_limit: TimeLimit = registry.TIME_LIMIT,
    format: FormatOption = Format.table,
) -> int:
    """Judge the recorded answers of the benchmark CSRBench.

    They are judged by the papers' profile of each engine, by the setting that fits best, and by
    csrbench-oracle's own criterion. With --live an engine gets the benchmark's stream and queries
    now; its answers are shown next to its recorded ones (or to those of --engine), and are judged
    by its own profile, or by --profile. Exit status: 0 all answers are correct by the profile
    (with --live: those of this engine), 1 some are wrong or missing, 2 bad input.

    Examples:
        git clone https://github.com/dellaglio/csrbench-oracle
        rsp-conformance csrbench csrbench-oracle --engine csparql
        rsp-conformance csrbench csrbench-oracle --live rsp-js --query 3
    """
    with reading(""):
        benchmark = find_benchmark(folder)
        queries = all_queries(benchmark.properties or OWN)
    _check(benchmark, engine, answers, query=query, profile=profile, live=live)
    if live is None and engine_option:
        raise BadInput("--engine-option is for --live ENGINE")
    chosen = [queries[number] for number in (NUMBERS if query is None else (query,))]
    with reading(""):
        if live is not None:
            options = registry.parse_options(engine_option)
            with registry.connect(live, options, time_limit) as connected:
                judged_by = None if profile is None else read_profile(profile, ())
                under_test = EngineUnderTest.meet(connected, judged_by, dial_texts(dial))
                name = live if live.startswith(registry.STDIO) else registry.find(live).name
                recorded = [one for one in (engine or name,) if one in benchmark.engines()]
                judged = _judged(benchmark, _recorded(benchmark, recorded, chosen))
                lines = _with_live(benchmark, name, under_test, chosen, judged)
        elif answers is not None and query is not None:
            by = _profile(benchmark, engine or "", queries[query], profile, dial)
            recording = _own(benchmark, queries[query], answers, by)
            name = engine or answers.stem
            judged = _judged(benchmark, [(name, queries[query], by, recording)])
            lines = [_line(one) for one in judged]
        else:
            names = _engines(benchmark, engine)
            asked = _recorded(benchmark, names, chosen, profile, dial)
            lines = [_line(one) for one in _judged(benchmark, asked)]
    if format is Format.json:
        show_json(LINES.write(tuple[LineJson, ...], lines))
    else:
        _show(lines)
    decisive = lines if live is None else [line for line in lines if line.live]
    return CORRECT if all(line.strict == "correct" for line in decisive) else WRONG


def _check(
    benchmark: Benchmark,
    engine: str | None,
    answers: Path | None,
    *,
    query: int | None,
    profile: str | None,
    live: str | None,
) -> None:
    known = dict.fromkeys((*ENGINES, *benchmark.engines()))
    if engine is not None and engine not in known:
        raise BadInput(f"--engine {engine}: expected {', '.join(known)}")
    if query is not None and query not in NUMBERS:
        raise BadInput(f"--query {query}: the queries are {NUMBERS[0]} to {NUMBERS[-1]}")
    if answers is not None and live is not None:
        raise BadInput("--answers and --live: use only one of them")
    if answers is not None and query is None:
        raise BadInput("--answers needs --query N, the number of the query that they answer")
    if answers is not None and profile is None and engine is None:
        raise BadInput(
            f"--answers needs the profile to judge by: --engine {'|'.join(known)}, "
            "or --profile NAME"
        )


def _engines(benchmark: Benchmark, engine: str | None) -> Sequence[str]:
    """Return the engines whose recorded answers are judged."""
    engines = benchmark.engines() if engine is None else (engine,)
    if not engines:
        raise BadInput(f"{benchmark.root}: holds no recorded answers (ENGINE-answer-N.json)")
    return engines


def _recorded(
    benchmark: Benchmark,
    engines: Sequence[str],
    queries: Sequence[BenchmarkQuery],
    profile: str | None = None,
    dial: Sequence[str] = (),
) -> list[Asked]:
    """Read the recorded answers of `engines` to `queries`, each with the profile to judge it by."""
    asked = []
    for engine in engines:
        for query in queries:
            is_there = (engine, query.number) in benchmark.answers
            if not is_there and engine in benchmark.engines() and len(queries) > 1:
                note(f"{benchmark.root}: {engine} has no recorded answers to query {query.number}")
                continue
            by = _profile(benchmark, engine, query, profile, dial)
            path = benchmark.answers_of(engine, query.number)
            recording = recording_from_json(parse_json(read_text(path), path), path)
            asked.append((engine, query, by, recording))
    return asked


def _profile(
    benchmark: Benchmark,
    engine: str,
    query: BenchmarkQuery,
    named: str | None,
    dial: Sequence[str],
) -> Profile:
    """Return the profile to judge answers to a query by.

    It is the named one, else that of the paper, else the one that the benchmark declares.
    """
    if named is None and engine not in ENGINES:
        return turned(benchmark.declared(engine, query), dial)
    return read_profile(named or ENGINES[engine], dial)


def _own(benchmark: Benchmark, query: BenchmarkQuery, path: Path, profile: Profile) -> Recording:
    """Read the answers of a file, in the JSON of CSRBench or of the protocol."""
    value = parse_json(read_text(path), path)
    if isinstance(value, Mapping) and "relations" in value:
        return recording_from_json(value, path)
    case, dials = case_of(benchmark, query, profile, ())
    observed = read_observed(path, case)
    if not all(isinstance(answer.content, Rows) for answer in observed):
        raise BadInput(f"{path}: the queries of the benchmark are SELECT queries")
    return tuple(replace(o, t=None if o.t is None else o.t * dials.unit) for o in observed)


def _judged(benchmark: Benchmark, asked: Sequence[Asked]) -> list[JudgedRecording]:
    """Judge the recordings one by one."""
    judged = []
    with progress("judging") as doing:
        for done, (engine, query, profile, recording) in enumerate(asked):
            doing(f"judging {engine} Q{query.number}", done, len(asked))
            judged.append(judge_recording(benchmark, engine, query, profile, recording))
    return judged


@dataclass(frozen=True, slots=True)
class LineJson:
    """An engine's answers to a query, judged."""

    engine: str
    query: int
    strict: str
    """The verdict by the profile."""
    fitted: str
    """The verdict by the best reading."""
    containment: str
    """The verdict by CSRBench's own criterion."""
    reading: str
    because: str
    live: bool = False
    """Whether the engine was asked now."""
    recorded: str | None = None
    """The answers beside the recorded ones."""
    version: str | None = None
    """The version of the engine that was asked now."""


LINES: Final = Codec({LineJson: Keys(omit="live recorded version")})
"""Lines as `--format json` shows them."""


def _line(judged: JudgedRecording) -> LineJson:
    strict, fitted, contained = (
        "correct" if own.correct else "wrong"
        for own in (judged.strict, judged.fit, judged.containment)
    )
    reading, why = explanation.reading(judged.fit), explanation.because(judged)
    return LineJson(judged.engine, judged.query.number, strict, fitted, contained, reading, why)


def _with_live(
    benchmark: Benchmark,
    name: str,
    engine: EngineUnderTest,
    queries: Sequence[BenchmarkQuery],
    recorded: Sequence[JudgedRecording],
) -> list[LineJson]:
    """Ask `engine` the queries now, and put its line for each behind that of `recorded`."""
    before = {one.query.number: one for one in recorded}
    lines, worker = [], worker_for(engine)
    with progress("asking") as doing:
        for done, query in enumerate(queries):
            doing(f"asking {name} Q{query.number}", done, len(queries))
            old = before.get(query.number)
            lines += [] if old is None else [_line(old)]
            asked = _live_line(name, query, judge_live(benchmark, name, query, worker), old)
            lines.append(replace(asked, live=True, version=engine.hello.version))
    return lines


def _live_line(
    name: str,
    query: BenchmarkQuery,
    found: LiveResult,
    recorded: JudgedRecording | None,
) -> LineJson:
    """Make the line of the answers to --live; why there are none replaces the verdicts."""
    judged = found.judged
    if judged is None:
        outcome, kind = found.record.outcome, found.record.kind
        word = NOT_ASKED if outcome is Outcome.UNASKED else kind or outcome
        said = (str(word), str(word), str(word), "no answers to judge", found.reason)
        return LineJson(name, query.number, *said)
    line = _line(judged)
    if recorded is None:
        return line
    told = explanation.beside(beside(judged, recorded), judged.fit.dials.unit)
    return replace(line, recorded=told)


def _show(found: Sequence[LineJson]) -> None:
    heads = [(one.engine + (" live" if one.live else ""), f"Q{one.query}") for one in found]
    show_table(
        COLUMNS,
        [
            (*head, one.strict, one.fitted, one.containment)
            for head, one in zip(heads, found, strict=True)
        ],
    )
    print()
    said = (
        filter(None, (f"{engine} {query}: {one.reading}", one.because, one.recorded))
        for (engine, query), one in zip(heads, found, strict=True)
    )
    show_apart(((Prose(tuple(own)),) for own in said), width=WIDTH)
