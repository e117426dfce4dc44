"""The papers' examples as candidates, by the commands of their page."""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import rsp_conformance as rsp
from rsp_conformance.cli.answers import read_starts, read_streams
from rsp_conformance.cli.options import read_profile
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.test_suite.dependence import suite_dials
from tools.curation.candidate import Candidate, candidate

PAGE = Path(rsp.__file__).parent / "examples" / "README.md"
_BLOCK = re.compile(r"\n\n((?:[^`|#\n][^\n]*\n)+)\n```\n(.*?)```", re.DOTALL)
"""A paragraph of the page, and the commands below it."""
_ROW = re.compile(r"^\| `([^`]+)` \| (.*) \|$", re.MULTILINE)


def paper_cases() -> Iterator[Candidate]:
    """The examples; each is in a suite whatever it covers.

    Where all windows start at one instant the dial t0 says so. Else every start is legal, and the
    printed answers are one of the legal ones.
    """
    page = PAGE.read_text("utf-8").replace("\\", "")
    sources = dict(_ROW.findall(page))
    numbers: Counter[str] = Counter()
    for said, commands in _BLOCK.findall(page):
        for command in commands.splitlines():
            words = shlex.split(command)
            if words[:2] != ["rsp-conformance", "answers"]:
                continue
            given: defaultdict[str, list[str]] = defaultdict(list)
            for name, value in zip(words[2::2], words[3::2], strict=True):
                given[name].append(value)
            about = given["--query"][0].removeprefix("@")
            numbers[about] += 1
            stem = about.replace("/", "-")
            made = candidate(
                *_read(given),
                "paper",
                name=f"{stem}-{numbers[about]}" if numbers[about] > 1 else stem,
                title=" ".join(said.split()).rstrip(":."),
                source=sources[about.partition("/")[0]].replace("*", ""),
                kept=True,
            )
            assert made is not None, f"an example is a case: {command}"
            yield made


def _read(given: defaultdict[str, list[str]]) -> tuple[Case, Dials]:
    until = given["--until"]
    read = rsp.case(
        Path(given["--query"][0]),
        read_streams(given["--stream"], None),
        read_profile((given["--profile"] or ["rsp-ql"])[0], given["--dial"]),
        static=given["--static"],
        until=int(until[0]) if until else None,
    )
    starts = {*read_starts(given["--t0"]).values()}
    dials = read.dials.with_dial("t0", starts.pop()) if len(starts) == 1 else read.dials
    query = read.case.query.in_instants(dials.unit)
    return replace(read.case, query=query), suite_dials(dials)
