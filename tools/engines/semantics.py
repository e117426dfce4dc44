"""What the engines' semantics is, found by experiments, as docs/engines.md shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rsp_conformance.diagnosis.profile.findings import findings, to_json
from rsp_conformance.diagnosis.profile.identify import identify
from rsp_conformance.files.profiles import named_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import DIALS, forgives
from rsp_conformance.protocol import registry
from tools.engines.record import RECORDS

KEPT = RECORDS / "profiles"
LEFT_OUT = ("unit", "answers", "advances", "time_tolerance", "numbers")
"""The dials of how answers are compared, which no semantics is about."""


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


def kept(folder: Path = KEPT) -> list[dict[str, Any]]:
    """All that was found and kept, by the engine's name."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]


def rows(documents: Sequence[dict[str, Any]]) -> Iterator[Sequence[str]]:
    """The head and the rows of the table: the dials in which engines differ, and each engine's."""
    differing = [
        dial
        for dial in DIALS
        if dial not in LEFT_OUT
        if len({one["value"] for d in documents if (one := _of(d, dial)) and not _is_idle(one)}) > 1
    ]
    yield "dial", *(document["engine"] for document in documents)
    for dial in differing:
        yield f"`{dial}`", *(_cell(_of(document, dial)) for document in documents)
    yield (
        "answers explained",
        *(
            f"{d['explained']} of {d['cases']}" + ("" if d["complete"] else " (cut short)")
            for d in documents
        ),
    )


def _of(document: dict[str, Any], dial: str) -> dict[str, Any] | None:
    """What was found of DIAL; None where there was no such dial yet when it was asked."""
    return next((one for one in document["dials"] if one["dial"] == dial), None)


def _is_idle(one: dict[str, Any]) -> bool:
    """Whether no case depends on a dial, or none was asked."""
    # What is settled by the form of query has a note, too, and a value that holds.
    return bool(one.get("note")) and one["dial"] not in ("stream_operators", "windows_in")


def _cell(one: dict[str, Any] | None) -> str:
    if one is None or _is_idle(one):
        return "–"
    value = f"`{one['value']}`"
    if one["contradicted"]:
        value = f"**{value}** (`{one['declared']}`)"
    elif any(not r["told"] and not forgives(one["dial"], r["value"]) for r in one["rivals"]):
        value = f"*{value}*"
    return value + "".join(
        f"; with {override['when']} `{override['value']}`" for override in one.get("overrides", ())
    )
