"""One case by the reference model, as the suite's strategies draw it by default."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.trace import answer


@dataclass(frozen=True)
class SpecCase:
    """Median milliseconds of processor time per case, and the medians of its elements and |Z|."""

    milliseconds: float
    elements: float
    vectors: float
    cases: int


def measure(cases: Sequence[Case], dials: Dials) -> SpecCase:
    """Judge CASES, answered as a correct engine would with the last t0 vector of Z."""
    times, elements, sizes = [], [], []
    for case in cases:
        try:
            vectors = list(rspql_queries(case, dials))
            observed = [Observed(e.t, e.content) for e in answer(case, dials, vectors[-1])]
            started = time.process_time()
            judge(case, dials, observed)
        except (Unsupported, ValueError):
            continue
        times.append(1000 * (time.process_time() - started))
        elements.append(len(case.elements))
        sizes.append(len(vectors))
    return SpecCase(median(times), median(elements), median(sizes), len(times))
