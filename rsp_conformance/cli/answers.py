"""``answers`` and ``judge``: Ans(Q) where every window has its t0, and an engine's answer to it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rsp_conformance.cli.given import CaseOptions, read_starts
from rsp_conformance.cli.options import Format, FormatOption, UseSpark
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, console, note, show_json, show_table


def answers(
    case: CaseOptions,
    *,
    t0: Annotated[
        list[str],
        typer.Option(
            "--t0",
            default_factory=list,
            show_default=False,
            metavar="WINDOW=N",
            help="Where a window (named as in the query) starts. Repeatable; every window needs "
            "one unless the dial t0 decides it.",
        ),
    ],
    spark: UseSpark = False,
    format: FormatOption = Format.table,
) -> int:
    """Show the answers of a query by RSP-QL."""
    given = case.read()
    found = given.answers(read_starts(t0), spark=spark)
    if format is Format.json:
        show_json(found.to_dict())
    elif found.evaluations:
        show_table(*found.table())
    else:
        console().print(f"The query is not evaluated up to {given.case.until}.")
    for text in given.notes:
        note(text)
    if found.undetermined:
        note(f"other answers would be right as well: {found.undetermined}")
    return CORRECT


def judge(
    case: CaseOptions,
    *,
    answers: Annotated[
        Path,
        typer.Option(
            "--answers",
            metavar="FILE",
            help="The engine's answers in JSON: a reply of the protocol, or its list of answers.",
        ),
    ],
    spark: UseSpark = False,
    format: FormatOption = Format.table,
) -> int:
    """Judge an engine's answers by RSP-QL.

    Exit status: 0 correct, 1 wrong, 2 bad input.
    """
    from rsp_conformance.explain.render.layout import wrap

    given = case.read()
    judgement = given.judge(answers, spark=spark)
    if format is Format.json:
        show_json(judgement.to_dict())
    elif judgement.correct:
        print("\n".join(wrap(f"correct: {judgement.explain()}", WIDTH)))
    else:
        kind, profile = judgement.finding.kind, given.profile.name
        print(f"wrong: {kind} in {answers}, under profile {profile}\n\n{judgement.explain()}")
    for text in given.notes:
        note(text)
    return CORRECT if judgement.correct else WRONG
