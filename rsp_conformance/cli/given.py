"""What the options give: a query over streams and background data, under a profile."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rsp_conformance.cli.errors import BadInput, reading
from rsp_conformance.files.background_files import read_background
from rsp_conformance.files.files import parse_json, read_text
from rsp_conformance.files.stream_files import (
    TIME_PREDICATE,
    StreamFile,
    counts_by_unit,
    read_stream,
)
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import query_features
from rsp_conformance.model.profiles import Profile, bundled_profile, profile_from_json
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.parse import parse_query

if TYPE_CHECKING:
    from rsp_conformance.model.query import Query

INSTANTS = 10_000_000
"""The most instants that are walked through; more would take hours and show nothing sooner."""


@dataclass(frozen=True, slots=True)
class Given:
    """A case under a profile, and what the user should know of how it was read."""

    case: Case
    profile: Profile
    dials: Dials
    notes: tuple[str, ...] = ()


def read_case(
    *,
    query_file: Path,
    streams: Sequence[str],
    static: Sequence[str],
    profile_name: str,
    settings: Sequence[str],
    until: int | None,
    registered: int,
    time_predicate: str | None,
    file_unit: int | None = None,
) -> Given:
    """The case that the options of ``answers`` and ``judge`` describe.

    Raises:
        BadInput: one line for the first option or file that cannot be used.
    """
    query = read_query(query_file)
    profile = read_profile(profile_name, settings)
    dials = profile.resolve(query_features(query))
    with reading(f"{query_file}, under unit={dials.unit}"):
        windows = query.sliding_windows(dials.unit)
        query.period(dials.unit)
    predicate = TIME_PREDICATE if time_predicate is None else _iri(time_predicate, query)
    files = _read_streams(streams, query, predicate, dials.unit, file_unit)
    with reading("--static"):
        entries = [entry for written in static for entry in read_background(written)]
    elements = _merged(files)
    if until is None:
        last = max([registered, *(element.t for element in elements)])
        until = last + max((w.width + w.slide for w in windows), default=0)
    with reading("--registered"):
        case = Case(
            query=query,
            elements=elements,
            background=Background(tuple(entries)),
            registered=registered,
            until=until,
            streams=tuple(files),
            stamp=_stamp(predicate, files),
        )
    return Given(case, profile, dials, tuple(_notes(query, files)))


def read_query(path: Path) -> Query:
    """The query in a file; BadInput says where it is none."""
    with reading(""):
        text = read_text(path)
    try:
        with reading(str(path)):
            return parse_query(text)
    except BadInput as error:
        if isinstance(cause := error.__cause__, QuerySyntaxError):
            place = f"{path}, line {cause.line}, column {cause.column}"
            raise BadInput(f"{place}: {cause.message}") from cause
        raise


def read_profile(name: str, settings: Sequence[str]) -> Profile:
    """A bundled profile, or one in a JSON file, with dials turned."""
    path = Path(name)
    with reading("--profile"):
        if path.suffix == ".json" or "/" in name:
            document = parse_json(read_text(path), path)
            if not isinstance(document, dict):
                raise BadInput(f"{path}: expected an object of dials")
            with reading(str(path)):
                profile = profile_from_json(document, name=path.stem)
        else:
            profile = bundled_profile(name)
    with reading("--dial"):
        return profile.with_dials(dict(read_setting("--dial", setting) for setting in settings))


def read_starts(written: Sequence[str], query: Query) -> dict[IRI, int]:
    """The t0 of ``--t0 WINDOW=N``, by window."""
    starts: dict[IRI, int] = {}
    declared = ", ".join(query.shorten(w.name) for w in query.windows) or "none"
    for setting in written:
        window, equals, number = setting.rpartition("=")
        if not equals or not window:
            raise BadInput(f"--t0 {setting!r}: write it as WINDOW=N, as in :w1=0")
        if not re.fullmatch(r"[+-]?\d{1,18}", number.strip()):
            raise BadInput(f"--t0 {setting!r}: {number!r} is no whole number")
        name = query.expand(window.strip())
        if query.window(name) is None:
            raise BadInput(f"--t0 {setting!r}: the query has no such window (it has {declared})")
        if name in starts:
            raise BadInput(f"--t0 {setting!r}: the window has a t0 already")
        starts[name] = int(number)
    return starts


def check_span(given: Given, starts: Sequence[int | None]) -> None:
    """Refuse to walk through more instants than anybody would wait for."""
    case = given.case
    first = min([case.registered, *(t0 for t0 in starts if t0 is not None)])
    if case.until - first > INSTANTS:
        raise BadInput(
            f"from {first} to {case.until} there are more than {INSTANTS:,} instants: give "
            "--registered, --until and t0 close to the elements, or turn the dial unit"
        )


def read_setting(option: str, written: str) -> tuple[str, str]:
    """The NAME and VALUE that a use of OPTION writes as NAME=VALUE."""
    name, equals, value = written.partition("=")
    if not equals or not name.strip():
        raise BadInput(f"{option} {written!r}: write it as NAME=VALUE")
    return name.strip(), value.strip()


def _iri(written: str, query: Query) -> IRI:
    """The IRI that an option writes: full, in angle brackets, or prefixed as the query does."""
    iri = query.expand(written.strip())
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|^`\\]*", iri.value):
        prefixes = ", ".join(f"{prefix}:" for prefix, _ in query.prefixes) or "none"
        raise BadInput(
            f"{written!r} is no IRI: write a full one, or one with a prefix of the query "
            f"(it has {prefixes})"
        )
    return iri


def _read_streams(
    written: Sequence[str], query: Query, predicate: IRI, unit: int, file_unit: int | None
) -> dict[IRI, StreamFile]:
    files: dict[IRI, StreamFile] = {}
    counted = False
    for setting in written:
        name, equals, file = _split_stream(setting)
        if not equals or not name or not file:
            raise BadInput(f"--stream {setting!r}: write it as IRI=FILE, as in :s1=s1.jsonl")
        with reading("--stream"):
            stream = _iri(name, query)
            if stream in files:
                raise BadInput(f"--stream {setting!r}: the stream has a file already")
            counted = counted or counts_by_unit(Path(file))
            files[stream] = read_stream(
                Path(file), stream, time_predicate=predicate, unit=unit, file_unit=file_unit
            )
    if file_unit is not None and not counted:
        raise BadInput(
            "--unit: says what a number in a folder of data_NN.ttl or in a .n3t file counts, and "
            "no --stream is one"
        )
    return files


def _split_stream(setting: str) -> tuple[str, str, str]:
    """IRI=FILE at the sign that parts them; an IRI may have one of its own."""
    if setting.startswith("<"):
        name, bracket, file = setting.partition(">=")
        return f"{name}>", bracket, file
    parts = setting.split("=")
    for count in range(1, len(parts)):
        name, file = "=".join(parts[:count]), "=".join(parts[count:])
        if file and Path(file).exists():
            return name, "=", file
    return setting.partition("=")


def _merged(files: dict[IRI, StreamFile]) -> tuple[StreamElement, ...]:
    """All elements by time; of one instant, in the order of the options."""
    return tuple(sorted((e for file in files.values() for e in file.elements), key=lambda e: e.t))


def _stamp(predicate: IRI, files: dict[IRI, StreamFile]) -> Stamp:
    datatypes = {file.datatype for file in files.values() if file.datatype is not None}
    if len(datatypes) > 1:
        raise BadInput("--stream: some files have integer timestamps and some xsd:dateTime")
    return Stamp(predicate, *datatypes)


def _notes(query: Query, files: dict[IRI, StreamFile]) -> list[str]:
    read = query.streams()
    notes = [
        f"no --stream for {query.shorten(stream)}: it is taken to be empty"
        for stream in read
        if stream not in files
    ]
    notes += [
        f"no window of the query reads {query.shorten(stream)}: "
        "its elements are nothing but arrivals"
        for stream in files
        if stream not in read
    ]
    return notes
