"""Background data from RDF files, each with the time during which it holds."""

from __future__ import annotations

import re
from pathlib import Path

from rsp_conformance.files.files import FileError
from rsp_conformance.files.rdf_files import read_quads
from rsp_conformance.model.background import BackgroundEntry
from rsp_conformance.model.terms import GraphName, Triple

_INTERVAL = re.compile(r"(?P<file>.*)@(?P<since>-?\d+)?\.\.(?P<until>-?\d+)?", re.DOTALL)


def split_interval(written: str) -> tuple[Path, int | None, int | None]:
    """FILE or FILE@FROM..UNTIL as the file and both ends, inclusive; None is unbounded.

    Raises:
        FileError: the interval ends before it begins.
    """
    match = _INTERVAL.fullmatch(written)
    if match is None:
        return Path(written), None, None
    path = Path(match["file"])
    since = None if match["since"] is None else int(match["since"])
    until = None if match["until"] is None else int(match["until"])
    if since is not None and until is not None and until < since:
        raise FileError(path, f"the interval {since}..{until} ends before it begins")
    return path, since, until


def read_background(written: str) -> tuple[BackgroundEntry, ...]:
    """The entries of FILE or FILE@FROM..UNTIL: one for each graph of the file.

    Named graphs come from the formats that have them (`.nq`, `.trig`, `.jsonld`).

    Raises:
        FileError: the file cannot be read or parsed, or the interval is none.
    """
    path, since, until = split_interval(written)
    if not path.exists() and "@" in path.name:
        raise FileError(
            path, "there is no such file (an interval is written FILE@FROM..UNTIL, as in @2..13)"
        )
    graphs: dict[GraphName | None, list[Triple]] = {}
    for triple, name in read_quads(path):
        graphs.setdefault(name, []).append(triple)
    return tuple(
        BackgroundEntry(tuple(dict.fromkeys(triples)), name, since, until)
        for name, triples in graphs.items()
    )
