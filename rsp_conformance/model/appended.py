"""The elements that the kit appends to a case (decision 22).

An engine that learns the time from elements only closes no window after the last of them. So the
kit makes time pass beyond the case; protocol, judges and explanations need to know by which
elements.
"""

from __future__ import annotations

from typing import Final

from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple

END: Final = IRI("urn:rsp:end")
"""Subject, predicate and object of the elements that the kit appends."""


def appended(case: Case, last: int | None = None) -> tuple[StreamElement, ...]:
    """Return the elements that the kit appends to a case: one per stream, at ``until + 1``.

    If the case's last element is later, they are at its instant, because time never decreases.

    Args:
        case: the case.
        last: the instant of the last element, if the case itself does not hold it.
    """
    if last is None:
        last = case.elements[-1].t if case.elements else 0
    end = max(case.until + 1, last)
    return tuple(StreamElement(s, end, (Triple(END, END, END),)) for s in case.streams)
