"""Streams from folders: one file an instant, named ``data_NN.ttl`` (CSRBench's way).

Everything in ``data_NN.ttl`` enters the stream together, as one element, at the number NN. A
number without a file, or with a file without triples, is an instant at which nothing arrives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rsp_conformance.files.files import FileError
from rsp_conformance.files.rdf_files import read_quads
from rsp_conformance.files.time_units import TimeUnits
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI

SUFFIX = ".ttl"
_NAME = re.compile(r"data_(\d{1,15})\.ttl")


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
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == SUFFIX)
    except OSError as error:
        raise FileError(folder, f"cannot be read: {error.strerror or error}") from None
    found: dict[int, Path] = {}
    for path in paths:
        match = _NAME.fullmatch(path.name)
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
