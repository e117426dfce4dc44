"""Where an engine may know more than SPARQL's operators do (SPARQL 1.1, 17.3.1).

"SPARQL language extensions may provide additional associations between operators and operator
functions", and "no additional operator may yield a result that replaces any result other than a
type error". Of all type errors those on dates, times of day and durations are the ones that
engines do replace: XPath defines the operators, and W3C's own suites have tests of them
(``mf:XsdDateOperations``). So a type error on them leaves the solutions open; others stay errors.
"""

from __future__ import annotations

import threading

from rsp_conformance.model.terms import XSD, XSD_DATETIME, Literal, Term

TEMPORAL = frozenset(
    XSD + name
    for name in (
        "date time gYear gYearMonth gMonth gMonthDay gDay "
        "duration dayTimeDuration yearMonthDuration dateTimeStamp"
    ).split()
)
"""Datatypes that XPath has operators for and SPARQL has not."""

OPEN = "an operator on dates, times or durations, which engines may have beyond SPARQL's"


class _Met(threading.local):
    """Whether such an error was met in the evaluation under way in this thread."""

    error = False


_met = _Met()


def begin() -> None:
    """An evaluation begins: nothing was met."""
    _met.error = False


def met() -> bool:
    """Whether an operator was asked that an engine may have, since ``begin``."""
    return _met.error


def note(*operands: Term) -> None:
    """An operator on OPERANDS was a type error."""
    datatypes = [o.datatype for o in operands if isinstance(o, Literal)]
    if len(datatypes) == len(operands) and any(d in TEMPORAL for d in datatypes):
        _met.error = True


def note_arithmetic(*operands: Term) -> None:
    """Arithmetic on OPERANDS was a type error; on dateTimes and durations XPath has some."""
    if any(isinstance(o, Literal) and o.datatype == XSD_DATETIME for o in operands):
        _met.error = True
    else:
        note(*operands)
