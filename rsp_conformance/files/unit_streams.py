"""Streams whose files count time in a unit of their own: folders of Turtle, and ``.n3t``.

A folder has one file an instant, named ``data_NN.ttl`` (CSRBench's way): everything in it enters
the stream together, as one element, at the number NN. A number without a file, or with a file
without triples, is an instant at which nothing arrives.

A ``.n3t`` file holds timestamped triples, ``s p o t .``, one a line (YABench's way): a triple in
N-Triples with its time before the final dot, an integer, bare, quoted, or with an integer datatype.
Each line is an element of its own (RSP-QL Definition 9), those of one time too. YABench's own files
leave the dot out and write literals as ``59^^http://www.w3.org/2001/XMLSchema#double``; both are
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.files.rdf_files import read_quads
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, NUMERIC_DATATYPES
from rsp_conformance.text.ntriples import NTriplesError, parse_ntriples

_FILE = re.compile(r"data_(\d{1,15})\.ttl")
_TIME = r'(?:(-?\d{1,18})|"(-?\d{1,18})"(?:\^\^<([^<>\s]*)>)?)'
_LINE = re.compile(rf"(.*?)\s{_TIME}\s*\.?\s*")
_BARE_LITERAL = re.compile(r'(\s*\S+\s+<[^<>\s]*>\s+)([^\s"<>]+)\^\^<?([^\s<>"]+?)>?\s*')


@dataclass(frozen=True, slots=True)
class TimeUnits:
    """The milliseconds of a number in a file (``number``) and of an instant (``instant_ms``).

    ``number`` None: a number is an instant.
    """

    number: int | None = None
    instant_ms: int = 1

    def instant(self, number: int, path: Path, line: int | None = None) -> int:
        """NUMBER as an instant; PATH and LINE say where it stands.

        Raises:
            FileError: it is no whole number of instants.
        """
        if self.number is None:
            return number
        milliseconds = number * self.number
        if milliseconds % self.instant_ms:
            raise FileError(
                path,
                f"{number} stands for {milliseconds} ms (--unit {self.number}), which is no whole "
                f"number of instants of {self.instant_ms} ms: turn the dial unit",
                line,
            )
        return milliseconds // self.instant_ms


def read_folder(folder: Path, stream: IRI, units: TimeUnits) -> Iterator[StreamElement]:
    """The elements that the files of FOLDER hold for STREAM, by their numbers.

    Files that do not end in .ttl are no part of the stream.

    Raises:
        FileError: the folder cannot be read or holds no such file, a .ttl file has another name
            or the number of a second one, a file is no Turtle, or its number is no whole instant.
    """
    for number, path in sorted(_numbered(folder).items()):
        triples = tuple(triple for triple, _ in read_quads(path))
        if triples:
            yield StreamElement(stream, units.instant(number, path), triples)


def _numbered(folder: Path) -> dict[int, Path]:
    """The folder's files by number."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".ttl")
    except OSError as error:
        raise FileError(folder, f"cannot be read: {error.strerror or error}") from None
    found: dict[int, Path] = {}
    for path in paths:
        match = _FILE.fullmatch(path.name)
        if match is None:
            raise FileError(
                path, "names no instant: the files of a stream's folder are called data_NN.ttl"
            )
        number = int(match[1])
        if number in found:
            raise FileError(path, f"has the number of {found[number].name}")
        found[number] = path
    if not found:
        raise FileError(folder, "holds no data_NN.ttl")
    return found


def read_timed_triples(
    path: Path, stream: IRI, units: TimeUnits
) -> Iterator[tuple[int, StreamElement]]:
    """The elements of a file for STREAM, each with the number of its line.

    Empty lines and comments (``#``) are passed over.

    Raises:
        FileError: a line is no triple with a time, or its time is no whole instant.
    """
    for line, text in enumerate(read_text(path).split("\n"), 1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(text)
        if match is None or (match[4] and match[4] not in NUMERIC_DATATYPES):
            raise FileError(
                path,
                "expected a triple and its time, a whole number, as in <s> <p> <o> 1000 .",
                line,
            )
        triple = match[1]
        if bare := _BARE_LITERAL.fullmatch(triple):
            triple = f'{bare[1]}"{bare[2]}"^^<{bare[3]}>'
        try:
            triples = tuple(parse_ntriples(f"{triple} ."))
        except NTriplesError as error:
            raise FileError(
                path, f"before the time {match[2] or match[3]}: {error.problem}", line
            ) from None
        instant = units.instant(int(match[2] or match[3]), path, line)
        yield line, StreamElement(stream, instant, triples)
