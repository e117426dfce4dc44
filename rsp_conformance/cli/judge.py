"""``judge``: is an engine's answer correct? (RSP-QL Definition 26)."""

from __future__ import annotations

from pathlib import Path

from rsp_conformance.cli.errors import CORRECT, WRONG
from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import WIDTH, note, show_json
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.results import ProfiledCase


def show_verdict(case: ProfiledCase, answers: Path, *, use_spark: bool, format: Format) -> int:
    """Judge the answers in a file and print the verdict; the exit status."""
    judgement = case.judge(answers, spark=use_spark)
    if format is Format.json:
        show_json(judgement.to_dict())
    elif judgement.correct:
        print("\n".join(wrap(f"correct: {judgement.explain()}", WIDTH)))
    else:
        kind, profile = judgement.finding.kind, case.profile.name
        print(f"wrong: {kind} in {answers}, under profile {profile}\n\n{judgement.explain()}")
    for text in case.notes:
        note(text)
    return CORRECT if judgement.correct else WRONG
