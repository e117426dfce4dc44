"""How far a case reaches: what no walk would come to the end of is refused before it begins.

The numbers come from outside: a driver's hello, a crash file, a query, a command line.
"""

from __future__ import annotations

from math import prod
from typing import Final

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.instants import shown_number
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.start_classes import has_more_classes
from rsp_conformance.spec.starts import legal_starts
from rsp_conformance.spec.walk import MOST_INSTANTS, Walk

VECTORS: Final = 100_000
"""The most t0 vectors that are tried, one of each class, which takes minutes."""


def check_spans(case: Case, dials: Dials, starts: Vector | None = None, mark: str = "") -> None:
    """Refuse to walk through more instants, or more of Z, than anybody would wait for.

    STARTS is the one member of Z that is meant; without it all are, of which those that nothing
    tells apart count once. MARK stands before the names of arguments in the error, as ``--`` does
    on a command line. Raises BadInput.
    """
    windows = case.query.sliding_windows(dials.unit)
    if starts is None:
        # Counted before they are listed: T⁰ᵢ has β members under `any`, and else one.
        count = prod(window.slide for window in windows) if dials.t0 == "any" else 1
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
