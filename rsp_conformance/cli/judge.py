"""``judge``: is an engine's answer correct? (RSP-QL Definition 26)."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

from rsp_conformance.cli.errors import CORRECT, WRONG, BadInput, reading
from rsp_conformance.cli.given import Given, check_span
from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import WIDTH, note, show_json
from rsp_conformance.explain.render.argument import because
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.explain.render.report import report
from rsp_conformance.files.files import parse_json, read_text
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.protocol import EngineError, RunError, read_run
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.starts import legal_starts
from rsp_conformance.suite.reference_opinion import reading_of

MAX_LINES = 500
"""An argument in a terminal may be longer than one among others; what is more is left out."""

VECTORS = 100_000
"""The most t0 vectors that are tried, which takes minutes."""


def show_verdict(given: Given, answers: Path, *, use_spark: bool, format: Format) -> int:
    """Judge the answers in a file and print the verdict; the exit status."""
    case, dials = given.case, given.dials
    observed = read_answers(answers, case)
    _check_vectors(given)
    with reading(""):
        verdict = _verdict(case, dials, observed, use_spark=use_spark)
    if format is Format.json:
        show_json(_to_json(given, verdict, because(case, dials, observed, verdict)))
    elif verdict.correct:
        argument = because(case, dials, observed, verdict)
        print("\n".join(wrap(f"correct: {argument}", WIDTH)))
    else:
        _show(given, observed, verdict, answers)
    for text in given.notes:
        note(text)
    return CORRECT if verdict.correct else WRONG


def _verdict(
    case: Case, dials: Dials, observed: tuple[Observed, ...], *, use_spark: bool
) -> Verdict:
    if not use_spark:
        return judge(case, dials, observed)
    from rsp_conformance.cli.by_spark import judge_by_spark

    return judge_by_spark(case, dials, observed)


def read_answers(path: Path, case: Case) -> tuple[Observed, ...]:
    """The answers in a file: a reply of the protocol to ``run``, its answers alone, or their list.

    A cause counts the elements in the order of the case, and may be one that was appended to it.

    Raises:
        BadInput: the file holds nothing of the kind; the line names the field.
    """
    with reading("--answers"):
        value = parse_json(read_text(path), path)
        if isinstance(value, list):
            value = {"answers": value}
        if not isinstance(value, dict):
            raise BadInput(f"{path}: expected an object with answers, or their list")
        # Whatever else stands there, these two fields make it a reply.
        message = {**value, "op": "run", "id": str(value.get("id", path))}
        try:
            reply = read_run(message, elements=len(case.elements) + len(case.streams))
        except EngineError as error:
            raise BadInput(f"{path}: {error.message}") from error
        if isinstance(reply, RunError):
            raise BadInput(
                f"{path}: the engine gave an error and no answer to judge "
                f"({reply.kind}: {reply.message})"
            )
        return reply.answers


def _check_vectors(given: Given) -> None:
    """Refuse what would try t0 vectors for hours, or walk through too many instants."""
    windows = given.case.query.sliding_windows(given.dials.unit)
    # Counted before they are listed: T⁰ᵢ has β members under `any`, and else one.
    count = prod(window.slide for window in windows) if given.dials.t0 == "any" else 1
    if count > VECTORS:
        raise BadInput(
            f"Definition 26 leaves {count:,} t0 vectors open, more than {VECTORS:,}: decide them "
            "with --dial t0=…, or turn the dial unit"
        )
    check_span(given, [legal_starts(window, given.case, given.dials)[0] for window in windows])


def _to_json(given: Given, verdict: Verdict, argument: str) -> dict[str, Any]:
    query = given.case.query
    return {
        "verdict": "correct" if verdict.correct else "wrong",
        "t0": {
            query.shorten(window.name): t0
            for window, t0 in zip(query.windows, verdict.t0, strict=True)
        },
        "t_s": verdict.t_s,
        "because": argument,
    }


def _show(given: Given, observed: tuple[Observed, ...], verdict: Verdict, answers: Path) -> None:
    """The whole argument: the streams, the windows on a timeline, the answers, and why."""
    case, dials = given.case, given.dials
    finding = Finding(
        property_name="judge",
        engine=str(answers),
        version="",
        profile=given.profile,
        dials=dials,
        case=case,
        pacing="burst",
        query_text="",
        observed=observed,
        verdict=verdict,
    )
    finding = replace(finding, reading=reading_of(finding))
    _, _, body = report(finding, width=WIDTH, max_lines=MAX_LINES).partition("\n\n")
    print(f"wrong: {finding.kind} in {answers}, under profile {given.profile.name}\n\n{body}")
