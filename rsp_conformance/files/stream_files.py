"""Streams from files: `.jsonl`, `.trig`, `.n3t`, and folders of Turtle; the suffix decides.

`.jsonl`: the protocol's elements, one per line.

`.trig`: named graphs, each an element with a timestamp triple in the default graph (RSP-QL*
Definitions 2 and 3).

A folder has one file per instant, named ``data_NN.ttl`` (the format of CSRBench): all its triples
enter the stream together, as one element, at the number NN. At a number without a file, or with a
file without triples, nothing arrives.

`.n3t`: timestamped triples, ``s p o t .``, one per line (the format of YABench): a triple in
N-Triples with its time before the final dot, an integer, bare, quoted, or with an integer datatype.
Each line is an element of its own (RSP-QL Definition 9), also if several have the same time.
YABench's own files omit the dot and write literals as
``59^^http://www.w3.org/2001/XMLSchema#double``; both are read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, TypeAlias

from rsp_conformance.files.cases import ELEMENTS
from rsp_conformance.files.files import FileError, located, missing, parse_json, read_text
from rsp_conformance.files.rdf_files import read_quads
from rsp_conformance.model.instants import LATEST, shown_number
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import (
    IRI,
    NUMERIC_DATATYPES,
    XSD_DATETIME,
    GraphName,
    Literal,
    Triple,
)
from rsp_conformance.text.ntriples import NTriplesError, parse_ntriples

SUFFIXES = (".jsonl", ".trig", ".n3t")
TOLD: Final = 1_000
"""After so many elements somebody hears how far the reading is: about 50 ms."""
Tell: TypeAlias = Callable[[int, int], None]
"""Hears how many elements have been read, and of how many; 0 if that is not known."""
TIME_PREDICATE = Stamp().predicate
"""The default predicate of an element's timestamp: `prov:generatedAtTime`."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""The instant 0 of timestamps that are dates."""
_DATETIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")
_NUMBERED = re.compile(r"data_(\d{1,15})\.ttl")
_TIME = r'(?:(-?\d{1,18})|"(-?\d{1,18})"(?:\^\^<([^<>\s]*)>)?)'
_TIMED_TRIPLE = re.compile(rf"(.*?)\s{_TIME}\s*\.?\s*")
_BARE_LITERAL = re.compile(r'(\s*\S+\s+<[^<>\s]*>\s+)([^\s"<>]+)\^\^<?([^\s<>"]+?)>?\s*')

_Numbered: TypeAlias = Iterable[tuple[int | None, StreamElement]]
"""Elements, each with the number of its line if it has one."""


@dataclass(frozen=True, slots=True)
class StreamFile:
    """The elements of a file, in order, and the datatype of its timestamps if it has any."""

    elements: tuple[StreamElement, ...]
    datatype: IRI | None = None


def counts_by_unit(path: Path) -> bool:
    """Whether the times in a file may be given a unit: those of a folder and of ``.n3t``."""
    return _is_folder(path) or path.suffix.lower() == ".n3t"


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path) and path.suffix.lower() not in SUFFIXES


def read_stream(
    path: Path,
    stream: IRI,
    *,
    time_predicate: IRI = TIME_PREDICATE,
    unit: int = 1,
    file_unit: int | None = None,
    tell: Tell = lambda *_: None,
) -> StreamFile:
    """Return the elements of a file or a folder; the suffix names the format.

    Args:
        path: the file or folder.
        stream: the stream to which the elements belong.
        time_predicate: the predicate of timestamps in a ``.trig`` file.
        unit: milliseconds per instant, by which an xsd:dateTime is divided, counted from the
            epoch; a dateTime without a time zone is in UTC.
        file_unit: milliseconds per unit of a number in a folder or a ``.n3t`` file; None if each
            number is an instant.
        tell: hears how far the reading is, after every `TOLD` elements.

    Raises:
        FileError: the file cannot be read, a part of it is not an element, or time decreases.
    """

    def instant(number: int, place: Path, line: int | None = None) -> int:
        instants, rest = divmod(number * (file_unit or unit), unit)
        if rest:
            raise FileError(
                place,
                f"{number} stands for {number * (file_unit or unit)} ms (--unit {file_unit}), "
                f"which is no whole number of instants of {unit} ms: turn the dial unit",
                line,
            )
        return instants

    path = located(path, SUFFIXES)
    if _is_folder(path):
        files = _files(path)
        found = _of_files(files, stream, instant)
        return StreamFile(tuple(_checked(path, found, len(files), tell)))
    match path.suffix.lower():
        case ".n3t":
            lines = _text_lines(path, comment="#")
            found = _timed_triples(path, lines, stream, instant)
            return StreamFile(tuple(_checked(path, found, len(lines), tell)))
        case ".jsonl":
            lines = _text_lines(path)
            found = _lines(path, lines, stream)
            return StreamFile(tuple(_checked(path, found, len(lines), tell)))
        case ".trig":
            return _trig(path, stream, time_predicate, unit, tell)
        case _:
            if not os.path.exists(path):
                raise missing(path, "file or folder")
            named = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
            raise FileError(
                path, f"a stream is read from a file named {named}, or a folder of data_NN.ttl"
            )


def _checked(path: Path, numbered: _Numbered, total: int, tell: Tell) -> Iterator[StreamElement]:
    """Yield the elements after checking that time never decreases and names are unique."""
    last = 0
    names: set[GraphName] = set()
    for count, (line, element) in enumerate(numbered):
        if count and count % TOLD == 0:
            tell(count, total)
        which = "" if element.name is None else f"the element {element.name!r} "
        if element.t < 0:
            raise FileError(path, f"{which}t={element.t}: streams start at 0 or later", line)
        if element.t > LATEST:
            said = f"{which}t={shown_number(element.t)}: the latest instant is {LATEST}"
            raise FileError(path, said, line)
        if element.t < last:
            raise FileError(
                path,
                f"{which}t={element.t} comes after t={last}: time never runs backwards, "
                "order the elements by t",
                line,
            )
        if element.name is not None and element.name in names:
            raise FileError(path, f"the name {element.name!r} is taken by an earlier element", line)
        if element.name is not None:
            names.add(element.name)
        last = element.t
        yield element


def _text_lines(path: Path, comment: str = "") -> list[tuple[int, str]]:
    """Return the lines of a file that are not empty, and begin no comment, with their numbers."""
    lines = enumerate(read_text(path).split("\n"), 1)
    written = ((number, line) for number, line in lines if line.strip())
    if not comment:
        return [*written]
    return [(number, line) for number, line in written if not line.lstrip().startswith(comment)]


def _lines(path: Path, lines: Iterable[tuple[int, str]], stream: IRI) -> _Numbered:
    for line, text in lines:
        value = parse_json(text, path, line)
        if isinstance(value, dict):
            value = {"stream": stream.value, **value}
        try:
            element: StreamElement = ELEMENTS.read(StreamElement, value)
        except ValueError as error:
            raise FileError(path, str(error), line) from None
        if element.stream != stream:
            said = f"stream: the file was given for {stream!r}, found {element.stream!r}"
            raise FileError(path, said, line)
        yield line, element


def _files(folder: Path) -> list[tuple[int, Path]]:
    """Return the files of a folder with their numbers, in order.

    Files that do not end in .ttl are not part of the stream.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".ttl")
    except OSError as error:
        raise FileError(folder, f"cannot be read: {error.strerror or error}") from None
    found: dict[int, Path] = {}
    for path in paths:
        match = _NUMBERED.fullmatch(path.name)
        if match is None:
            raise FileError(
                path, "names no instant: the files of a stream's folder are called data_NN.ttl"
            )
        first = found.setdefault(int(match[1]), path)
        if first != path:
            raise FileError(path, f"has the number of {first.name}")
    if not found:
        raise FileError(folder, "holds no data_NN.ttl")
    return sorted(found.items())


def _of_files(
    files: Iterable[tuple[int, Path]], stream: IRI, instant: Callable[..., int]
) -> _Numbered:
    for number, path in files:
        triples = tuple(triple for triple, _ in read_quads(path))
        if triples:
            yield None, StreamElement(stream, instant(number, path), triples)


def _timed_triples(
    path: Path, lines: Iterable[tuple[int, str]], stream: IRI, instant: Callable[..., int]
) -> _Numbered:
    """Yield the elements of the lines of a ``.n3t`` file."""
    for line, text in lines:
        match = _TIMED_TRIPLE.fullmatch(text)
        if match is None or (match[4] and match[4] not in NUMERIC_DATATYPES):
            raise FileError(
                path,
                "expected a triple and its time, a whole number, as in <s> <p> <o> 1000 .",
                line,
            )
        triple, time = match[1], match[2] or match[3]
        if bare := _BARE_LITERAL.fullmatch(triple):
            triple = f'{bare[1]}"{bare[2]}"^^<{bare[3]}>'
        try:
            triples = tuple(parse_ntriples(f"{triple} ."))
        except NTriplesError as error:
            raise FileError(path, f"before the time {time}: {error.problem}", line) from None
        yield line, StreamElement(stream, instant(int(time), path, line), triples)


def _trig(path: Path, stream: IRI, predicate: IRI, unit: int, tell: Tell) -> StreamFile:
    graphs: dict[GraphName, list[Triple]] = {}
    stamps: dict[GraphName, Literal] = {}
    for triple, name in read_quads(path):
        if name is not None:
            graphs.setdefault(name, []).append(triple)
            continue
        subject = triple.subject
        if triple.predicate != predicate or isinstance(subject, Triple):
            raise FileError(
                path,
                f"the default graph holds timestamps ({predicate!r}; --time-predicate names "
                f"another) and nothing else, found one with {triple.predicate!r}",
            )
        if subject in stamps:
            raise FileError(path, f"the element {subject!r} has two timestamps")
        if not isinstance(triple.object, Literal):
            raise FileError(path, f"the timestamp of {subject!r} is no literal: {triple.object!r}")
        stamps[subject] = triple.object
    for name in (*graphs, *stamps):
        if name not in stamps:
            raise FileError(
                path, f"the element {name!r} has no timestamp: write {name!r} {predicate!r} 5 ."
            )
        if name not in graphs:
            raise FileError(path, f"the timestamp of {name!r} belongs to no named graph")
    # Integers of all datatypes count as one kind of timestamp.
    dates, integers = IRI(XSD_DATETIME), Stamp().datatype
    datatypes = {dates if s.datatype == XSD_DATETIME else integers for s in stamps.values()}
    if len(datatypes) > 1:
        raise FileError(path, "some timestamps are integers and some xsd:dateTime")
    elements = (
        (None, StreamElement(stream, _instant(path, name, stamps[name], unit), tuple(graph), name))
        for name, graph in graphs.items()
    )
    return StreamFile(
        tuple(_checked(path, elements, len(graphs), tell)), next(iter(datatypes), None)
    )


def _instant(path: Path, name: GraphName, stamp: Literal, unit: int) -> int:
    text = stamp.lexical.strip()
    if stamp.datatype in NUMERIC_DATATYPES and re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    if stamp.datatype == XSD_DATETIME and _DATETIME.fullmatch(text):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            moment = None
        if moment is not None:
            elapsed = moment.replace(tzinfo=moment.tzinfo or UTC) - _EPOCH
            instants, rest = divmod(elapsed, timedelta(milliseconds=unit))
            if rest:
                raise FileError(
                    path,
                    f"the timestamp {text} of {name!r} is no whole number of instants "
                    f"of {unit} ms: turn the dial unit",
                )
            return instants
    raise FileError(
        path, f"the timestamp of {name!r} is neither an integer nor an xsd:dateTime: {stamp!r}"
    )
