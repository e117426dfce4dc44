"""``answers`` and ``judge``: Ans(Q) where every window has its t0, and an engine's answer to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rsp_conformance.cli.given import read_starts
from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, console, note, show_json, show_table
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.results import ProfiledCase


def show_answers(case: ProfiledCase, t0: Sequence[str], *, use_spark: bool, format: Format) -> int:
    """Evaluate the query and print its answers; the exit status (RSP-QL Definition 24)."""
    answers = case.answers(read_starts(t0), spark=use_spark)
    if format is Format.json:
        show_json(answers.to_dict())
    elif answers.evaluations:
        show_table(*answers.table())
    else:
        console().print(f"The query is not evaluated up to {case.case.until}.")
    for text in case.notes:
        note(text)
    if answers.undetermined:
        note(f"other answers would be right as well: {answers.undetermined}")
    return CORRECT


def show_verdict(case: ProfiledCase, answers: Path, *, use_spark: bool, format: Format) -> int:
    """Judge the answers in a file and print the verdict; the exit status (Definition 26)."""
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
