"""What the engines' semantics is, found by experiments, as docs/engines.md shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rsp_conformance.diagnosis.profile.findings import (
    DialFinding,
    FoundJson,
    findings,
    read_found,
    to_json,
)
from rsp_conformance.diagnosis.profile.identify import identify
from rsp_conformance.files.profiles import named_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import DIALS
from rsp_conformance.pages.found_profile import COMPARING, alike, is_idle
from rsp_conformance.protocol import registry
from tools.engines.record import RECORDS

KEPT = RECORDS / "profiles"


def found(name: str, *, seed: int, seconds: float) -> dict[str, Any]:
    """What is found of the engine NAME; examples stay for what contradicts its own profile."""
    with registry.connect(name, {}) as engine:
        subject = EngineUnderTest.meet(engine)
        declared = named_profile(subject.hello.profile)
        identified = identify(subject, declared, run_seed=seed, max_time=seconds)
    document = to_json(identified, findings(identified), name)
    for dial in document["dials"]:
        if not dial["contradicted"]:
            dial.pop("evidence", None)
    return document


def keep(document: dict[str, Any], folder: Path = KEPT) -> None:
    """Keep what was found."""
    folder.mkdir(exist_ok=True, parents=True)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    (folder / f"{document['engine']}.json").write_text(text, "utf-8")


def kept(folder: Path = KEPT) -> list[FoundJson]:
    """All that was found and kept, by the engine's name."""
    return [read_found(path) for path in sorted(folder.glob("*.json"))]


def rows(documents: Sequence[FoundJson]) -> Iterator[Sequence[str]]:
    """The head and the rows of the table: the dials in which engines differ, and each engine's."""
    by_dial = [{own.dial: own for own in document.dials} for document in documents]
    differing = [
        dial
        for dial in DIALS
        if dial not in COMPARING
        if len({own[dial].value for own in by_dial if dial in own and not is_idle(own[dial])}) > 1
    ]
    yield "dial", *(document.engine for document in documents)
    for dial in differing:
        yield f"`{dial}`", *(_cell(own.get(dial)) for own in by_dial)
    yield (
        "answers explained",
        *(
            f"{d.explained} of {d.cases}" + ("" if d.complete else " (cut short)")
            for d in documents
        ),
    )


def _cell(own: DialFinding | None) -> str:
    """What was found of a dial; a dash if there was no such dial yet when it was asked."""
    if own is None or is_idle(own):
        return "–"
    value = f"`{own.value}`"
    if own.contradicted:
        value = f"**{value}** (`{own.declared}`)"
    elif alike(own):
        value = f"*{value}*"
    return value + "".join(f"; with {one.when} `{one.value}`" for one in own.overrides)
