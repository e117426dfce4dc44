"""``answers`` and ``judge``: Ans(Q) where every window has its t0, and an engine's answer to it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

import rsp_conformance as rsp
from rsp_conformance import limits
from rsp_conformance.cli.options import (
    DialSettings,
    Format,
    FormatOption,
    JudgingLimit,
    integer,
    option,
    read_profile,
    repeatable,
)
from rsp_conformance.cli.tables import BAD_INPUT, CORRECT, WRONG, note, say, show_json, show_table
from rsp_conformance.model.errors import BadInput

if TYPE_CHECKING:
    from rsp_conformance.api import Stream

MARK = "--"
INSTANT = "an instant as your streams count them, such as milliseconds since 1970"
QueryFile: TypeAlias = Annotated[Path, option("FILE", "The query, in RSP-QL or in --language.")]
Language: TypeAlias = Annotated[
    str | None,
    option(
        "NAME",
        "The query's language: rsp-ql, rsp-ql-star, c-sparql, cqels-ql, cqels-ql-2 or "
        "sparqlstream. Without it the file's suffix says it (docs/features.md), or it is rsp-ql.",
    ),
]
StreamFiles: TypeAlias = Annotated[
    list[str],
    repeatable(
        "IRI=FILE",
        "A stream (full IRI, or prefixed as the query does) and the file with its elements: "
        '.jsonl (a line each, {"t": 1, "graph": "N-Triples"}; docs/results.md), '
        ".trig (named graphs with timestamps), .n3t (lines s p o t .), or a "
        "folder of data_NN.ttl (all of a file arrives at NN). Repeatable; elements of one "
        "instant arrive in the order of these options.",
    ),
]
FileUnit: TypeAlias = Annotated[
    int | None,
    option(
        "MS",
        "The milliseconds that the number NN of a folder's data_NN.ttl, or t in a .n3t file, "
        "counts, such as 1000 for CSRBench; turned into instants by the dial unit. Without it: a "
        "number is an instant.",
        parser=integer("milliseconds, at least 1", least=1),
    ),
]
StaticFiles: TypeAlias = Annotated[
    list[str],
    repeatable(
        "FILE[@FROM..UNTIL]",
        "Background data (.ttl .nt .nq .trig .jsonld .rdf), and the instants at which it "
        "holds, both inclusive; each may be left out. Repeatable.",
    ),
]
ProfileOption: TypeAlias = Annotated[
    str,
    option(
        "NAME", "How the open points of RSP-QL are read: one that `profiles` lists, or a JSON file."
    ),
]
StartOptions: TypeAlias = Annotated[
    list[str],
    repeatable(
        "WINDOW=N",
        "Where a window (named as in the query) starts. Repeatable; every window needs one "
        "unless the dial t0 decides it.",
    ),
]
Until: TypeAlias = Annotated[
    int | None,
    option(
        "N",
        "The last instant. Without it: the last element's, plus the greatest width + slide.",
        parser=integer(INSTANT),
    ),
]
Registered: TypeAlias = Annotated[
    int | None,
    option(
        "N",
        "The instant of the query's registration. Without it: 0; if the elements begin later than "
        "10⁹, that of the first one.",
        parser=integer(INSTANT),
    ),
]
TimePredicate: TypeAlias = Annotated[
    str | None,
    option("IRI", "What gives a named element its timestamp, instead of prov:generatedAtTime."),
]
UseSpark: TypeAlias = Annotated[
    bool, typer.Option("--spark", help="Evaluate on Spark instead of by the specification.")
]
AnswersFile: TypeAlias = Annotated[
    Path,
    option(
        "FILE", "The engine's answers in JSON: a reply of the protocol, or its list of answers."
    ),
]


def answers(
    *,
    query: QueryFile,
    language: Language = None,
    stream: StreamFiles,
    unit: FileUnit = None,
    static: StaticFiles,
    profile: ProfileOption = "rsp-ql",
    dial: DialSettings,
    t0: StartOptions,
    until: Until = None,
    registered: Registered = None,
    time_predicate: TimePredicate = None,
    spark: UseSpark = False,
    time_limit: JudgingLimit = limits.SECONDS,
    format: FormatOption = Format.table,
) -> int:
    """Show the answers of a query by RSP-QL."""
    limits.allow(time_limit)
    case = rsp.case(
        query,
        read_streams(stream, unit),
        read_profile(profile, dial),
        static=static,
        until=until,
        registered=registered,
        time_predicate=time_predicate,
        language=language,
        mark=MARK,
    )
    found = case.answers(read_starts(t0), spark=spark)
    show_assumed(case.assumed, format)
    if format is Format.json:
        show_json(found.to_dict())
    elif found.evaluations:
        show_table(*found.table())
    else:
        say(f"The query is not evaluated up to {case.case.until}.")
    for text in case.notes[len(case.assumed) :]:
        note(text)
    if found.undetermined:
        note(f"other answers would be right as well: {found.undetermined}")
    return CORRECT


def judge(
    *,
    query: QueryFile,
    language: Language = None,
    answers: AnswersFile,
    stream: StreamFiles,
    unit: FileUnit = None,
    static: StaticFiles,
    profile: ProfileOption = "rsp-ql",
    dial: DialSettings,
    until: Until = None,
    registered: Registered = None,
    time_predicate: TimePredicate = None,
    spark: UseSpark = False,
    time_limit: JudgingLimit = limits.SECONDS,
    format: FormatOption = Format.table,
) -> int:
    """Judge an engine's answers by RSP-QL.

    Exit status: 0 correct, 1 wrong, 2 bad input, or not judged: it takes too long, or the texts
    leave the answer open.
    """
    limits.allow(time_limit)
    case = rsp.case(
        query,
        read_streams(stream, unit),
        read_profile(profile, dial),
        static=static,
        until=until,
        registered=registered,
        time_predicate=time_predicate,
        language=language,
        mark=MARK,
    )
    judgement = case.judge(answers, spark=spark)
    show_assumed(judgement.assumed, format)
    if format is Format.json:
        show_json(judgement.to_dict())
    elif judgement.undetermined:
        raise BadInput(f"not judged: the texts leave the answer open: {judgement.undetermined}")
    elif judgement.correct:
        say(f"correct: {judgement.explain()}")
    else:
        kind, held = judgement.finding.kind, case.profile.name
        print(f"wrong: {kind} in {answers}, under profile {held}\n\n{judgement.explain()}")
    for text in case.notes[len(case.assumed) :]:
        note(text)
    if judgement.undetermined:
        return BAD_INPUT
    return CORRECT if judgement.correct else WRONG


def show_assumed(assumed: Sequence[str], format: Format) -> None:
    """Begin with what was not said, and all else rests on; apart from JSON."""
    for text in assumed:
        (note if format is Format.json else say)(f"{text}.")


def read_starts(settings: Sequence[str]) -> dict[str, int]:
    """The t0 of ``--t0 WINDOW=N``, by window."""
    starts: dict[str, int] = {}
    for setting in settings:
        window, equals, number = setting.rpartition("=")
        if not equals or not window:
            raise BadInput(f"--t0 {setting!r}: write it as WINDOW=N, as in :w1=0")
        if not re.fullmatch(r"[+-]?\d{1,18}", number.strip()):
            raise BadInput(f"--t0 {setting!r}: {number!r} is no whole number")
        if window in starts:
            raise BadInput(f"--t0 {setting!r}: the window has a t0 already")
        starts[window] = int(number)
    return starts


def read_streams(settings: Sequence[str], unit: int | None) -> dict[str, Stream]:
    """The files of ``--stream IRI=FILE``, by stream; UNIT is that of ``--unit``."""
    from rsp_conformance.files.stream_files import counts_by_unit

    streams: dict[str, Stream] = {}
    for setting in settings:
        name, equals, file = _split_stream(setting)
        if not equals or not name or not file:
            raise BadInput(f"--stream {setting!r}: write it as IRI=FILE, as in :s1=s1.jsonl")
        if name in streams:
            raise BadInput(f"--stream {setting!r}: the stream has a file already")
        streams[name] = rsp.stream(file, unit=unit)
    files = (Path(str(stream.source)) for stream in streams.values())
    if unit is not None and not any(counts_by_unit(file) for file in files):
        raise BadInput(
            "--unit: says what a number in a folder of data_NN.ttl or in a .n3t file counts, and "
            "no --stream is one"
        )
    return streams


def _split_stream(setting: str) -> tuple[str, str, str]:
    """IRI=FILE at the sign that parts them; an IRI may have one of its own."""
    if setting.startswith("<"):
        name, bracket, file = setting.partition(">=")
        return f"{name}>", bracket, file
    parts = setting.split("=")
    for count in range(1, len(parts)):
        name, file = "=".join(parts[:count]), "=".join(parts[count:])
        if file and os.path.exists(file):
            return name, "=", file
    return setting.partition("=")
