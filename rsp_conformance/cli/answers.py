"""``answers`` and ``judge``: the correct answers to a query, and the verdict on recorded ones."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

import rsp_conformance as rsp
from rsp_conformance import limits
from rsp_conformance.cli import completion
from rsp_conformance.cli.options import (
    DialSettings,
    Format,
    FormatOption,
    JudgingLimit,
    check_writable,
    integer,
    option,
    read_profile,
    repeatable,
    write_file,
)
from rsp_conformance.cli.progress import Doing, progress
from rsp_conformance.cli.tables import BAD_INPUT, CORRECT, WRONG, say, show_json, show_table
from rsp_conformance.model.errors import BadInput, note

if TYPE_CHECKING:
    from rsp_conformance.api import Stream
    from rsp_conformance.results import Answers, Judgement

MARK = "--"
"""What the messages of `api` put before a name that is an option here."""
READING = "reading the streams"
"""What a command does first."""
INSTANT = "an instant as your streams count them, such as milliseconds since 1970"
"""What the message about a bad ``--until`` or ``--registered`` says that it expects."""
QueryFile: TypeAlias = Annotated[Path, option("FILE", "The query, in RSP-QL or in --language.")]
Language: TypeAlias = Annotated[
    str | None,
    option(
        "NAME",
        "The query's language: rsp-ql, rsp-ql-star, c-sparql, cqels-ql, cqels-ql-2 or "
        "sparqlstream. By default the file's suffix decides (docs/features.md), else rsp-ql.",
        autocompletion=completion.languages,
    ),
]
StreamFiles: TypeAlias = Annotated[
    list[str],
    repeatable(
        "IRI=FILE",
        "A stream (full IRI, or prefixed as in the query) and the file with its elements: "
        '.jsonl (one per line, {"t": 1, "graph": "N-Triples"}; docs/results.md), '
        ".trig (named graphs with timestamps), .n3t (lines s p o t .), or a "
        "folder of data_NN.ttl (all elements of a file arrive at NN). Repeatable; elements of "
        "one instant arrive in the order of these options.",
    ),
]
FileUnit: TypeAlias = Annotated[
    int | None,
    option(
        "MS",
        "How many milliseconds the number NN of data_NN.ttl, or t in a .n3t file, counts, such as "
        "1000 for CSRBench; the dial unit converts them to instants. By default a number is an "
        "instant.",
        parser=integer("milliseconds, at least 1", least=1),
    ),
]
StaticFiles: TypeAlias = Annotated[
    list[str],
    repeatable(
        "FILE[@FROM..UNTIL]",
        "Background data (.ttl .nt .nq .trig .jsonld .rdf), and the first and last instant at "
        "which it holds, both inclusive and optional. Repeatable.",
    ),
]
ProfileOption: TypeAlias = Annotated[
    str,
    option(
        "NAME",
        "The engine profile, which settles the open points of RSP-QL: one that `profiles` lists, "
        "or a JSON file.",
        autocompletion=completion.profiles,
    ),
]
StartOptions: TypeAlias = Annotated[
    list[str],
    repeatable(
        "WINDOW=N",
        "The start of a window by time, which is named as in the query. Repeatable; every one "
        "needs it unless the dial t0 fixes it.",
    ),
]
Until: TypeAlias = Annotated[
    int | None,
    option(
        "N",
        "The last instant of the case. By default that of the last element plus the greatest "
        "width + slide + lag.",
        parser=integer(INSTANT),
    ),
]
Registered: TypeAlias = Annotated[
    int | None,
    option(
        "N",
        "The instant of the query's registration. By default 0, or that of the first element if "
        "the elements begin later than 10⁹.",
        parser=integer(INSTANT),
    ),
]
TimePredicate: TypeAlias = Annotated[
    str | None,
    option("IRI", "The property with an element's timestamp, instead of prov:generatedAtTime."),
]
UseSpark: TypeAlias = Annotated[
    bool, typer.Option("--spark", help="Evaluate on Spark instead of by the reference model.")
]
AnswersFile: TypeAlias = Annotated[
    Path,
    option(
        "FILE",
        "The engine's answers: JSON of the protocol, results of SPARQL (.srj, .srx, .tsv, .csv, "
        "with a column t, or a folder of files named by their instants), a result per line "
        "(.jsonl), JSON of CSRBench, or named graphs with timestamps (.trig). See docs/results.md.",
    ),
]

SvgFile: TypeAlias = Annotated[
    Path | None,
    option("FILE", "Draw streams, windows with their contents, and answers into this SVG file."),
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
    svg: SvgFile = None,
    time_limit: JudgingLimit = limits.SECONDS,
    format: FormatOption = Format.table,
) -> int:
    r"""Compute the correct answers to a query.

    They follow from RSP-QL and from the engine profile. Exit status: 0 computed, 2 bad input, or
    not computed, because it takes too long.

    Examples:
        rsp-conformance answers --query @rsp-ql/ex11 --t0 :W1=2 --until 7 \
          --stream :S_nearby=@rsp-ql/S_nearby --dial "bounds=[o,c)"
        rsp-conformance answers --query Q.rq --stream :s=s.jsonl --t0 :w=0 \
          --svg answers.svg
    """
    limits.allow(time_limit)
    check_writable(svg, "--svg")
    with progress(READING) as doing:
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
            tell=reading_told(doing),
        )
        computing = f"computing the answers over {len(case.case.elements):,} elements"
        doing(computing)

        def told(done: int, total: int) -> None:
            doing(computing, done, total, share=f"{done / total:.0%}")

        found = case.answers(read_starts(t0), spark=spark, tell=told)
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
        note(f"other answers would be correct as well: {found.undetermined}")
    _draw(found, svg)
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
    svg: SvgFile = None,
    time_limit: JudgingLimit = limits.SECONDS,
    format: FormatOption = Format.table,
) -> int:
    r"""Judge an engine's recorded answers to a query.

    They are compared with the answers of RSP-QL, for every start that the engine profile permits.
    Exit status: 0 correct, 1 wrong, 2 bad input, or not judged, because it takes too long or the
    texts leave the answer open.

    Examples:
        rsp-conformance judge --query @rsp-ql/ex6 --until 8 --answers answers.json \
          --stream :S_nearby=@rsp-ql/S_nearby
        rsp-conformance judge --query Q.rq --stream :s=s.jsonl --profile rsp-js \
          --answers answers.json --svg answers.svg
    """
    limits.allow(time_limit)
    check_writable(svg, "--svg")
    with progress(READING) as doing:
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
            tell=reading_told(doing),
        )
        doing(f"judging the answers over {len(case.case.elements):,} elements")
        judgement = case.judge(answers, spark=spark)
        doing("explaining the verdict")
        document = judgement.to_dict() if format is Format.json else None
        said = "" if document or judgement.undetermined else judgement.explain()
    show_assumed(judgement.assumed, format)
    if document is not None:
        show_json(document)
    elif judgement.undetermined:
        raise BadInput(f"not judged: the texts leave the answer open: {judgement.undetermined}")
    elif judgement.correct:
        say(f"correct: {said}")
    else:
        kind, name = judgement.finding.kind, case.profile.name
        print(f"wrong: {kind} in {answers}, under profile {name}\n\n{said}")
    for text in case.notes[len(case.assumed) :]:
        note(text)
    _draw(judgement, svg)
    if judgement.undetermined:
        return BAD_INPUT
    return CORRECT if judgement.correct else WRONG


def _draw(shown: Answers | Judgement, file: Path | None) -> None:
    """Draw answers or a verdict into the file of ``--svg``, if there is one."""
    if file is not None:
        with progress("drawing"):
            write_file(file, shown.svg(), "--svg")


def reading_told(doing: Doing) -> Callable[[int, int], None]:
    """Return what shows how many elements have been read, and of how many if that is known."""

    def told(count: int, total: int) -> None:
        of = f" of {total:,}" if total else ""
        doing(READING, count, total or None, share=f"{count:,}{of} elements")

    return told


def show_assumed(assumed: Sequence[str], format: Format) -> None:
    """Print the assumptions about values that the user did not give.

    Args:
        assumed: the assumptions.
        format: for JSON they go to standard error, so that the output stays one JSON value.
    """
    for text in assumed:
        (note if format is Format.json else say)(f"{text}.")


def read_starts(settings: Sequence[str]) -> dict[str, int]:
    """Read the starts of ``--t0 WINDOW=N``, by window.

    Raises:
        BadInput: a value is not of this form, or a window occurs twice.
    """
    starts: dict[str, int] = {}
    for setting in settings:
        window, equals, number = setting.rpartition("=")
        if not equals or not window:
            raise BadInput(f"--t0 {setting!r}: write it as WINDOW=N, as in :w1=0")
        if not re.fullmatch(r"[+-]?\d{1,18}", number.strip()):
            raise BadInput(f"--t0 {setting!r}: {number!r} is not a whole number")
        if window in starts:
            raise BadInput(f"--t0 {setting!r}: the window has a t0 already")
        starts[window] = int(number)
    return starts


def read_streams(settings: Sequence[str], unit: int | None) -> dict[str, Stream]:
    """Read the streams of ``--stream IRI=FILE``, by stream.

    Args:
        settings: the values of ``--stream``.
        unit: the value of ``--unit``, in milliseconds.

    Raises:
        BadInput: a value is not of this form, a stream occurs twice, or no file counts by the
            unit.
    """
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
            "--unit: applies only to folders of data_NN.ttl and to .n3t files, and no --stream is "
            "one of these"
        )
    return streams


def _split_stream(setting: str) -> tuple[str, str, str]:
    """Split IRI=FILE at the equals sign between them, because an IRI may contain others.

    For an IRI without angle brackets, this is the first sign behind which a file exists.
    """
    if setting.startswith("<"):
        name, bracket, file = setting.partition(">=")
        return f"{name}>", bracket, file
    parts = setting.split("=")
    for count in range(1, len(parts)):
        name, file = "=".join(parts[:count]), "=".join(parts[count:])
        if file and os.path.exists(file):
            return name, "=", file
    return setting.partition("=")
