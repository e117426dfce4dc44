"""What the engines' semantics is, found by experiments, as docs/engines.md shows it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rsp_conformance.diagnosis.profile.findings import findings, to_json
from rsp_conformance.diagnosis.profile.identify import identify
from rsp_conformance.files.profiles import bundled_profile, named_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.dials import DIALS, forgives
from rsp_conformance.protocol import registry
from tools.engines.record import RECORDS

KEPT = RECORDS / "profiles"
PAPERS = {"C-SPARQL": "c-sparql-papers", "CQELS": "cqels", "SPARQLstream": "sparqlstream"}
"""The systems that RSP-QL and CSRBench compare, each with the profile that says what they say."""
LEFT_OUT = ("unit", "answers", "advances", "time_tolerance", "numbers")
"""The dials of how answers are compared, which no semantics is about."""

NOTE = """\
What `rsp-conformance profile` finds by designed experiments, whatever an engine says of itself
([how](describe-your-engine.md#the-profile-command)); `python -m tools.engines --profiles` finds it
anew. The columns of the papers are the bundled profiles `c-sparql-papers`, `cqels` and
`sparqlstream`: RSP-QL's comparison (Section 5) and CSRBench's Table 1 (which prints `[o,c)` for
all three systems), where [they say it](semantics.md#6-profiles). **Bold**: what the engine
declares explains fewer of its answers; the declared value is in brackets. A value in *italics*
is not told apart from another one by any case (but for those that agree with whatever an exact one
does), – is a dial that no case depends on or that was not asked. *Cut short*: the time was up
before all rivals were told apart.
"""


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


def rows(documents: Sequence[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the table: dial × engine, and the papers' systems."""
    papers = {name: bundled_profile(profile).base for name, profile in PAPERS.items()}
    head = ["dial", *(d["engine"] for d in documents), *(f"{name} (papers)" for name in papers)]
    table = []
    for dial in DIALS:
        if dial not in LEFT_OUT:
            cells = [_cell(_of(document, dial)) for document in documents]
            table.append([f"`{dial}`", *cells, *(f"`{p.text(dial)}`" for p in papers.values())])
    defects = [", ".join(f"`{m}`" for m in d["mutants"]) or "–" for d in documents]
    table.append(["defects", *defects, *("" for _ in papers)])
    answers = [
        f"{d['explained']} of {d['cases']}" + ("" if d["complete"] else " (cut short)")
        for d in documents
    ]
    table.append(["answers explained", *answers, *("" for _ in papers)])
    return head, table


def examples(documents: Sequence[dict[str, Any]]) -> list[str]:
    """A case to read for each dial that contradicts what its engine declares."""
    parts = []
    for document in documents:
        for dial in document["dials"]:
            if dial["contradicted"] and dial.get("evidence"):
                text = "\n".join(dial["evidence"])
                parts.append(
                    f"#### {document['engine']}: `{dial['dial']}` is `{dial['value']}`, and not "
                    f"`{dial['declared']}`\n\n```text\n{text}\n```\n"
                )
    return parts


def _of(document: dict[str, Any], dial: str) -> dict[str, Any] | None:
    """What was found of DIAL; None where there was no such dial yet when it was asked."""
    return next((one for one in document["dials"] if one["dial"] == dial), None)


def _cell(one: dict[str, Any] | None) -> str:
    if one is None:
        return "–"
    # What is settled by the form of query has a note, too, and a value that holds.
    if one.get("note") and one["dial"] not in ("stream_operators", "windows_in"):
        return "–"
    value = f"`{one['value']}`"
    if one["contradicted"]:
        value = f"**{value}** (`{one['declared']}`)"
    elif any(not r["told"] and not forgives(one["dial"], r["value"]) for r in one["rivals"]):
        value = f"*{value}*"
    return value + "".join(
        f"; with {override['when']} `{override['value']}`" for override in one.get("overrides", ())
    )
