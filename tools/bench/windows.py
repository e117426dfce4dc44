"""How the time for one case grows with its elements, by kind of window, for each judge.

The query is evaluated at each arrival (CC): a case of n elements has n evaluations. Of UNBOUNDED
these are over n / 2 elements on average, so that it can't be linear.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from typing import Final

from rsp_conformance.diagnosis.reference import reference_answers
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import judge_share
from rsp_conformance.spec.correctness import judge
from tools.bench.growth import STREAM, WIDTH, WINDOW, case_of, stream
from tools.progress import report

SIZES: Final = (1_000, 2_000, 4_000)
LEAST: Final = 1.0
"""A case is judged again and again for so many processor seconds: a clock that ticks every 10 ms is
then off by one per cent, where Spark's worker takes 20 ms for a case."""
UNBOUNDED: Final = "[RANGE UNBOUNDED]"
KINDS: Final[Mapping[str, WindowDeclaration]] = {
    "[RANGE 100]": WindowDeclaration(WINDOW, STREAM, WIDTH),
    "[ELEMENTS 100]": WindowDeclaration(WINDOW, STREAM, Count("elements", WIDTH)),
    "[TRIPLES 100]": WindowDeclaration(WINDOW, STREAM, Count("triples", WIDTH)),
    "[ELEMENTS 100 STEP 10]": WindowDeclaration(WINDOW, STREAM, Count("elements", WIDTH), 10),
    "[NOW]": WindowDeclaration(WINDOW, STREAM, Reach.NOW),
    "[FROM NOW-150 TO NOW-50]": WindowDeclaration(WINDOW, STREAM, WIDTH, lag=50),
    UNBOUNDED: WindowDeclaration(WINDOW, STREAM, Reach.UNBOUNDED),
}


def by_specification(case: Case, dials: Dials) -> None:
    """Judge silence, which is right."""
    assert judge(case, dials, ()).correct


def by_spark(case: Case, dials: Dials) -> None:
    """Do the work of one of Spark's workers, in this process."""
    shipped = Shipment().case(Task("case", case, dials, ()), judged=True)
    ((found, *_),) = judge_share([shipped], 600.0)
    assert isinstance(found, Verdict) and found.correct, found


def by_reference(case: Case, dials: Dials) -> None:
    """Have the third opinion answer."""
    assert not reference_answers(case, dials, (0,))


JUDGES: Final[Mapping[str, Callable[[Case, Dials], None]]] = {
    "the reference model": by_specification,
    "Spark's worker": by_spark,
    "the third opinion": by_reference,
}


def measured() -> dict[str, dict[str, dict[int, float]]]:
    """Return processor seconds by kind of window, judge and number of elements."""
    found: dict[str, dict[str, dict[int, float]]] = {}
    for (kind, window), (name, judged) in product(KINDS.items(), JUDGES.items()):
        report(f"{kind} by {name}")
        found.setdefault(kind, {})[name] = {size: seconds(judged, window, size) for size in SIZES}
    return found


def seconds(judged: Callable[[Case, Dials], None], window: WindowDeclaration, size: int) -> float:
    """Return the processor seconds that it takes to judge a case of SIZE elements."""
    case, dials = case_of(size)
    query = replace(case.query, windows=(window,))
    case = replace(case, query=query, elements=tuple(stream(size)))
    dials = dials.with_dials({"report": "CC", "t0": "0"})
    began, times, taken = time.process_time(), 0, 0.0
    while taken < LEAST:
        judged(case, dials)
        times += 1
        taken = time.process_time() - began
    return taken / times
