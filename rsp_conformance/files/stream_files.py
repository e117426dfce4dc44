"""Streams from files: `.jsonl`, the protocol's elements one a line, `.trig`, `.n3t` and folders.

A `.trig` file holds named graphs, each an element with a timestamp triple in the default graph
(RSP-QL* Definitions 2 and 3). `.n3t` files and folders are read by ``unit_streams``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from rsp_conformance.files.files import FileError, parse_json, read_text
from rsp_conformance.files.rdf_files import read_quads
from rsp_conformance.files.unit_streams import TimeUnits, read_folder, read_timed_triples
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import (
    IRI,
    NUMERIC_DATATYPES,
    XSD_DATETIME,
    BlankNode,
    GraphName,
    Literal,
    Triple,
)
from rsp_conformance.text.ntriples import NTriplesError, parse_ntriples

SUFFIXES = (".jsonl", ".trig", ".n3t")
TIME_PREDICATE = Stamp().predicate
"""What says when an element came, unless told otherwise: `prov:generatedAtTime`."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DATETIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")


@dataclass(frozen=True, slots=True)
class StreamFile:
    """The elements of a file, in order, and the datatype of its timestamps where it has any."""

    elements: tuple[StreamElement, ...]
    datatype: IRI | None = None


def counts_by_unit(path: Path) -> bool:
    """Whether the numbers that say when in PATH may be given a unit: a folder's, and ``.n3t``'s."""
    return _is_folder(path) or path.suffix.lower() == ".n3t"


def _is_folder(path: Path) -> bool:
    return path.is_dir() and path.suffix.lower() not in SUFFIXES


def read_stream(
    path: Path,
    stream: IRI,
    *,
    time_predicate: IRI = TIME_PREDICATE,
    unit: int = 1,
    file_unit: int | None = None,
) -> StreamFile:
    """The elements that a file or a folder holds for STREAM; the suffix names the format.

    UNIT is the milliseconds of an instant, by which an xsd:dateTime is divided from the epoch
    on; one without a time zone is in UTC. FILE_UNIT is the milliseconds of a number in a folder
    or a ``.n3t`` file, None where each number is an instant.

    Raises:
        FileError: the file cannot be read, holds what is no element, or time runs backwards.
    """
    units = TimeUnits(file_unit, unit)
    if _is_folder(path):
        return StreamFile(tuple(read_folder(path, stream, units)))
    match path.suffix.lower():
        case ".n3t":
            return StreamFile(tuple(_checked(path, read_timed_triples(path, stream, units))))
        case ".jsonl":
            return StreamFile(tuple(_checked(path, _lines(path, stream))))
        case ".trig":
            return _trig(path, stream, time_predicate, unit)
        case _:
            if not path.exists():
                raise FileError(path, "there is no such file or folder")
            named = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
            raise FileError(
                path, f"a stream is read from a file named {named}, or a folder of data_NN.ttl"
            )


def _checked(
    path: Path, numbered: Iterable[tuple[int | None, StreamElement]]
) -> Iterator[StreamElement]:
    """The elements, once it is sure that time does not run backwards and no name is used twice."""
    last = 0
    names: set[GraphName] = set()
    for line, element in numbered:
        which = "" if element.name is None else f"the element {element.name!r} "
        if element.t < 0:
            raise FileError(path, f"{which}t={element.t}: streams start at 0 or later", line)
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


def _lines(path: Path, stream: IRI) -> Iterator[tuple[int, StreamElement]]:
    for line, text in enumerate(read_text(path).split("\n"), 1):
        if text.strip():
            yield line, _element(path, line, parse_json(text, path, line), stream)


def _element(path: Path, line: int, value: Any, stream: IRI) -> StreamElement:
    if not isinstance(value, Mapping):
        raise FileError(path, "expected an object with t and graph", line)
    t, graph, name = value.get("t"), value.get("graph"), value.get("name")
    if isinstance(t, bool) or not isinstance(t, int):
        raise FileError(path, f"t: expected a whole number, found {_shown(value, 't')}", line)
    if not isinstance(graph, str):
        raise FileError(path, f"graph: expected N-Triples, found {_shown(value, 'graph')}", line)
    own = value.get("stream", stream.value)
    if own != stream.value:
        raise FileError(
            path,
            f"stream: the file was given for {stream!r}, found {_shown(value, 'stream')}",
            line,
        )
    triples = _triples(path, line, graph)
    return StreamElement(stream, t, triples, None if name is None else _name(path, line, name))


def _triples(path: Path, line: int, text: str) -> tuple[Triple, ...]:
    try:
        triples = tuple(parse_ntriples(text))
    except NTriplesError as error:
        raise FileError(path, f"graph: {error.problem}", line) from None
    if not triples:
        raise FileError(path, "graph: an element holds at least one triple", line)
    return triples


def _name(path: Path, line: int, value: object) -> GraphName:
    if isinstance(value, str) and value.startswith("_:") and len(value) > 2:
        return BlankNode(value[2:])
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][^\s<>\"{}|^`\\]*", value):
        return IRI(value)
    raise FileError(path, f"name: expected an IRI or _:label, found {value!r}", line)


def _shown(value: Mapping[str, Any], field: str) -> str:
    return repr(value[field]) if field in value else "nothing"


def _trig(path: Path, stream: IRI, predicate: IRI, unit: int) -> StreamFile:
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
    for name in graphs:
        if name not in stamps:
            raise FileError(
                path, f"the element {name!r} has no timestamp: write {name!r} {predicate!r} 5 ."
            )
    for name in stamps:
        if name not in graphs:
            raise FileError(path, f"the timestamp of {name!r} belongs to no named graph")
    datatypes = {_datatype(literal) for literal in stamps.values()}
    if len(datatypes) > 1:
        raise FileError(path, "some timestamps are integers and some xsd:dateTime")
    elements = (
        (None, StreamElement(stream, _instant(path, name, stamps[name], unit), tuple(graph), name))
        for name, graph in graphs.items()
    )
    return StreamFile(tuple(_checked(path, elements)), next(iter(datatypes), None))


def _datatype(stamp: Literal) -> IRI:
    """Integers of every size are one kind of timestamp."""
    return IRI(XSD_DATETIME) if stamp.datatype == XSD_DATETIME else Stamp().datatype


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
