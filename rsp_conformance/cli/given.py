"""What the options give: a query over streams and background data, under a profile."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rsp_conformance.cli.options import (
    DialSettings,
    FileUnit,
    Profile,
    QueryFile,
    Registered,
    Static,
    Streams,
    TimePredicate,
    Until,
)
from rsp_conformance.model.errors import BadInput, read_settings, reading

if TYPE_CHECKING:
    from rsp_conformance import api
    from rsp_conformance.model import profiles
    from rsp_conformance.results import ProfiledCase


@dataclass(frozen=True, kw_only=True)
class CaseOptions:
    """The options of a command that describe a case."""

    query: QueryFile
    stream: Streams
    unit: FileUnit = None
    static: Static
    profile: Profile = "rsp-ql"
    dial: DialSettings
    until: Until = None
    registered: Registered = 0
    time_predicate: TimePredicate = None

    def read(self) -> ProfiledCase:
        """The case; BadInput for the first option or file that cannot be used."""
        from rsp_conformance import api

        return api.case(
            self.query,
            _streams(self.stream, self.unit),
            read_profile(self.profile, self.dial),
            static=self.static,
            until=self.until,
            registered=self.registered,
            time_predicate=self.time_predicate,
            mark="--",
        )


def read_profile(name: str, settings: Sequence[str]) -> profiles.Profile:
    """A bundled profile, or one in a JSON file, with dials turned."""
    from rsp_conformance import api

    with reading("--profile"):
        profile = api.profile(name)
    with reading("--dial"):
        return profile.with_dials(dial_texts(settings))


def read_starts(written: Sequence[str]) -> dict[str, int]:
    """The t0 of ``--t0 WINDOW=N``, by window."""
    starts: dict[str, int] = {}
    for setting in written:
        window, equals, number = setting.rpartition("=")
        if not equals or not window:
            raise BadInput(f"--t0 {setting!r}: write it as WINDOW=N, as in :w1=0")
        if not re.fullmatch(r"[+-]?\d{1,18}", number.strip()):
            raise BadInput(f"--t0 {setting!r}: {number!r} is no whole number")
        if window in starts:
            raise BadInput(f"--t0 {setting!r}: the window has a t0 already")
        starts[window] = int(number)
    return starts


def dial_texts(written: Sequence[str]) -> dict[str, str]:
    """The values of ``--dial NAME=VALUE``, by dial."""
    dials = read_settings(written, lambda one: BadInput(f"--dial {one!r}: write it as NAME=VALUE"))
    return {dial: value.strip() for dial, value in dials.items()}


def _streams(written: Sequence[str], file_unit: int | None) -> dict[str, api.Stream]:
    from rsp_conformance import api
    from rsp_conformance.files.stream_files import counts_by_unit

    streams: dict[str, api.Stream] = {}
    for setting in written:
        name, equals, file = _split_stream(setting)
        if not equals or not name or not file:
            raise BadInput(f"--stream {setting!r}: write it as IRI=FILE, as in :s1=s1.jsonl")
        if name in streams:
            raise BadInput(f"--stream {setting!r}: the stream has a file already")
        streams[name] = api.stream(file, unit=file_unit)
    files = (Path(str(stream.source)) for stream in streams.values())
    if file_unit is not None and not any(counts_by_unit(file) for file in files):
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
        if file and Path(file).exists():
            return name, "=", file
    return setting.partition("=")
