"""How far a case reaches: a walk that would take too long is refused before it begins.

The numbers come from outside: a driver's hello, a crash file, a query, a command line.
"""

from __future__ import annotations

from typing import Final

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.instants import shown_number
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.start_classes import has_more_classes
from rsp_conformance.spec.starts import legal_starts, number_of_queries
from rsp_conformance.spec.walk import MOST_INSTANTS, Walk

VECTORS: Final = 100_000
"""The most t0 vectors that are tried, one of each class; so many take minutes."""


def check_spans(case: Case, dials: Dials, starts: Vector | None = None, mark: str = "") -> None:
    """Refuse a case with more instants, or more members of Z, than anybody would wait for.

    Args:
        case: the case.
        dials: the dials in force.
        starts: the only member of Z that will be tried; None for all, of which one of each class
            counts.
        mark: stands before the names of arguments in the error, such as ``--`` on a command line.

    Raises:
        BadInput: there are too many.
    """
    windows = case.query.resolved_windows(dials)
    if starts is None:
        # Counted before they are listed: T⁰ᵢ has as many as the slide under `any`, and else one.
        count = number_of_queries(case, dials)
        if count > VECTORS and has_more_classes(case, dials, VECTORS):
            raise BadInput(
                f"Definition 26 leaves {count:,} t0 vectors open, more than {VECTORS:,} that "
                f"matter: decide them with {mark}dial t0=…, or turn the dial unit"
            )
        starts = tuple(legal_starts(window, case, dials)[0] for window in windows)
    walk = Walk(case, dials, starts)
    if walk.count() > MOST_INSTANTS:
        raise BadInput(
            f"from {shown_number(walk.first - 1)} to {case.until} there are more than "
            f"{MOST_INSTANTS:,} instants: give {mark}registered, {mark}until and t0 close to the "
            "elements, or turn the dial unit"
        )
