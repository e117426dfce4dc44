"""Small cases on points that the texts leave open, judged by both judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import rsp_conformance as rsp
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.errors import LeftOpen
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.results import ProfiledCase, read_observed
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import judge_share
from rsp_conformance.spec.correctness import judge

XSD = "http://www.w3.org/2001/XMLSchema#"
SECONDS = 60.0
Said = Literal["correct", "wrong", "open"]


def window_case(
    body: str, data: str | Sequence[str], select: str = "?s", tail: str = "", **dials: Any
) -> ProfiledCase:
    """SELECT over one window of BODY, which holds DATA, in Turtle: an element, or several.

    TAIL are the query's solution modifiers.
    """
    text = (
        f"PREFIX : <http://ex.org/>\nPREFIX xsd: <{XSD}>\nSELECT {select}\n"
        f"FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4]\n"
        f"WHERE {{ WINDOW :w {{ {body} }} }} {tail}"
    )
    elements = [data] if isinstance(data, str) else data
    prefix = f"@prefix : <http://ex.org/> . @prefix xsd: <{XSD}> . "
    stream = [(1, prefix + element) for element in elements]
    return rsp.case(text, {":s": stream}, rsp.profile("rsp-ql", **dials), until=4)


def answered(solutions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answer at 4 with SOLUTIONS, whose values are written as they are in N-Triples."""
    return [{"t": 4, "solutions": [{n: term(v) for n, v in s.items()} for s in solutions]}]


def term(text: str) -> dict[str, str]:
    """A term in SPARQL's JSON: an IRI of ``:``, a label, or a literal with ``^^xsd:`` or ``@``."""
    if text.startswith(":"):
        return {"type": "uri", "value": f"http://ex.org/{text[1:]}"}
    if text.startswith("_:"):
        return {"type": "bnode", "value": text[2:]}
    value, _, kind = text[1:].rpartition('"')
    if kind.startswith("@"):
        return {"type": "literal", "value": value, "xml:lang": kind[1:]}
    more = {"datatype": kind.replace("^^xsd:", XSD)} if kind else {}
    return {"type": "literal", "value": value, **more}


def both_say(case: ProfiledCase, solutions: Sequence[dict[str, Any]]) -> Said:
    """What the specification and the judge on Spark say of an answer with SOLUTIONS."""
    return both_say_of(case, answered(solutions))


def both_say_of(case: ProfiledCase, answers: list[dict[str, Any]]) -> Said:
    """What the specification and the judge on Spark say of ANSWERS."""
    observed = read_observed(answers, case.case)
    said = _by_specification(case, observed)
    assert _by_spark(case, observed) == said, answers
    return said


def _by_specification(case: ProfiledCase, observed: tuple[Observed, ...]) -> Said:
    try:
        return _word(judge(case.case, case.dials, observed))
    except LeftOpen:
        return "open"


def _by_spark(case: ProfiledCase, observed: tuple[Observed, ...]) -> Said:
    shipped = Shipment().case(Task("q", case.case, case.dials, observed), judged=True)
    (result,) = judge_share([shipped], SECONDS)
    if isinstance(result.found, LeftOpen):
        return "open"
    assert isinstance(result.found, Verdict), result.found
    return _word(result.found)


def _word(verdict: Verdict) -> Said:
    return "correct" if verdict.correct else "wrong"
