"""Streams of timestamped triples, one a line: ``s p o t .`` (YABench's ``.n3t``).

A line is a triple in N-Triples with its time before the final dot: an integer, bare, quoted, or
with an integer datatype. Each line is an element of its own (RSP-QL Definition 9), those of one
time too. YABench's own files leave the dot out and write literals as
``59^^http://www.w3.org/2001/XMLSchema#double``; both are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.files.time_units import TimeUnits
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, NUMERIC_DATATYPES
from rsp_conformance.text.ntriples import NTriplesError, parse_ntriples

SUFFIX = ".n3t"
_TIME = r'(?:(-?\d{1,18})|"(-?\d{1,18})"(?:\^\^<([^<>\s]*)>)?)'
_LINE = re.compile(rf"(.*?)\s{_TIME}\s*\.?\s*")
_BARE_LITERAL = re.compile(r'(\s*\S+\s+<[^<>\s]*>\s+)([^\s"<>]+)\^\^<?([^\s<>"]+?)>?\s*')


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
