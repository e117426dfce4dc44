"""The stream of CSRBench: weather observations of hurricane Charley, one graph a second.

    elements = read_data(Path("csrbench/data"))          # instants of one second
    elements = read_data(Path("csrbench/data"), 100)     # of a tenth of a second

Each element holds the whole graph of one ``data_NN.ttl``, which arrives NN seconds after the
start; the queries of ``corpora.csrbench.queries`` read the stream STREAM.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from rsp_conformance.files.stream_files import read_stream
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI

STREAM = IRI("http://knoesis.wright.edu/ssw/stream")
"""The name that the stream has here; CSRBench gives it none."""

SECOND = 1000
"""The milliseconds that the number of a file counts (csrbench-oracle: importer.data.interval)."""


@lru_cache(maxsize=4)
def read_data(folder: Path, unit: int = SECOND) -> tuple[StreamElement, ...]:
    """The stream in FOLDER, the benchmark's ``data``, in instants of UNIT milliseconds.

    Read once, for all queries and engines are judged by the same.

    Raises:
        FileError: the folder or a file cannot be read, or UNIT does not divide a second.
    """
    return read_stream(folder, STREAM, unit=unit, file_unit=SECOND).elements
