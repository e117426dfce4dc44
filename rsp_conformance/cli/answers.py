"""``answers``: Ans(Q) of a query whose every window has its t0 (RSP-QL Definition 24)."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.cli.errors import CORRECT
from rsp_conformance.cli.given import read_starts
from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import console, note, show_json, show_table
from rsp_conformance.results import ProfiledCase


def show_answers(case: ProfiledCase, t0: Sequence[str], *, use_spark: bool, format: Format) -> int:
    """Evaluate the query and print its answers; the exit status."""
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
